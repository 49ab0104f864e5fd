"""A batch's HTML report, opened by file:// in a headless Chromium.

What it must show is worked out from the JSON lines here; of several lines on one source the last
counts.
"""
import pathlib
import re
import unicodedata
import urllib.parse

from batch import bench
from support.checks import check, none, same
from support.program import PATIENCE

PICTURE = re.compile(r"data:image/jpeg;base64,/9j/[A-Za-z0-9+/]*={0,2}")
SCRIPTS = pathlib.Path(__file__).with_name("page.js").read_text().partition("\n")[2].strip()


def ask(page, name, argument=None):
    """The answer of one of the functions of page.js."""
    return page.evaluate(f"argument => {SCRIPTS}.{name}(argument)", argument)


def invisible(character, *more):
    """Whether a character is none that is seen, or turns other text around."""
    kinds = ("Cc", "Cf", "Zl", "Zp", *more)
    return unicodedata.category(character) in kinds and character not in "\u200c\u200d"


def visible(text):
    """Text as a page must show it."""
    shown = "".join(f"[U+{ord(c):04X}]" if invisible(c, "Cn") else c for c in text[:2000])
    return shown + ("…" if len(text) > 2000 else "")


def look_at_card(card, item):
    name, outputs = card["id"], item.get("outputs", [])
    pictured = PICTURE.fullmatch(item.get("thumbnail") or "")
    same(f"{name} has a thumbnail where there is one", card["image"], bool(pictured))
    none(f"{name} has its warnings", [
        text for text in item.get("warnings", []) if visible(text) not in card["warnings"]])
    bins = (item.get("light") or {}).get("histogram", [])
    seen = len(bins) == 64 and any(bins)
    same(f"{name} has a histogram of 64 bins, 40 of them up to white, where there is light",
         [path.count("h1") for path in card["histogram"]], [0, 40, 24, 0] if seen else [])
    same(f"{name} has words for its histogram", "Histogram" in card["label"], seen)
    links = [urllib.parse.urlsplit(link) for link in card["links"]]
    same(f"{name} has links to its outputs and nowhere else",
         [link._replace(path=urllib.parse.unquote(link.path)) for link in links],
         [("file", "", output["path"], "", "") for output in outputs])
    none(f"{name} has its outputs where links say", [
        output["path"] for output in outputs if not pathlib.Path(output["path"]).is_file()])


def look_at_content(page, items):
    counts = ask(page, "counts")
    of = {status: [item for item in items if item["status"] == status]
          for status in ("done", "skipped", "failed", "interrupted")}
    for status, members in of.items():
        same(f"count of {status}", counts.get(status), [len(members), f"{len(members):,}"])
    cards = ask(page, "cards")
    same("every developed file has its card, in order",
         [card["id"] for card in cards], [visible(item["id"]) for item in of["done"]])
    for card, item in zip(cards, of["done"]):
        look_at_card(card, item)
    none("every thumbnail decodes and has words", ask(page, "decode")[1])
    same("failures are named with their messages", ask(page, "rows", "#failures tbody tr"), [
        [visible(item["id"]), visible(item["error"]["code"]), visible(item["error"]["message"])]
        for item in of["failed"]])
    for status in ("skipped", "interrupted"):
        same(f"{status} files are named", ask(page, "names", status),
             [visible(item["id"]) for item in of[status]])
    text = ask(page, "text").replace("\n", "")
    none("no invisible characters", {hex(ord(c)) for c in text if invisible(c)})
    same("pictures have words, columns have heads", ask(page, "bare"), 0)
    return cards


def find(page, word):
    """Types a word to filter by; the page does so when typing pauses."""
    page.fill("#find", word)
    page.wait_for_function(f"word => {SCRIPTS}.filtered(word)", arg=word)


def look_at_tools(page, items, cards):
    if not cards:
        return
    check("filter can be seen", page.is_visible("#find"))
    word = max(cards, key=lambda card: len(card["id"]))["id"].lower()[:60].strip()
    find(page, word)
    left = ask(page, "shown")
    check("filter leaves what has the word", 0 < left and ask(page, "filtered", word), left)
    said = page.inner_text("#shown")
    check("filter says how many are left", said.startswith(f"{left} of"), said)
    find(page, "no file is called like this")
    same("filter can leave nothing", ask(page, "shown"), 0)
    find(page, "")
    same("without a filter everything is there", ask(page, "shown"), len(items))
    page.select_option("#only", "w")
    same("pictures with warnings", ask(page, "shownCards"), sum(bool(c["warnings"]) for c in cards))
    page.select_option("#only", "")
    page.select_option("#sort", "s")
    times = ask(page, "seconds")
    check("order by time", times == sorted(times, reverse=True) and len(times) == len(cards))
    page.select_option("#sort", "")
    same("order by name is back", ask(page, "cards")[0]["id"], cards[0]["id"])


def look_at_looks(page):
    for scheme, width in [("light", 1280), ("dark", 1280), ("light", 400)]:
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 900})
        wide = ask(page, "width")
        check(f"fits into {width} pixels, {scheme}", wide <= width, wide)
        poor = sorted((ratio, name) for name, ratio in ask(page, "contrast") if ratio < 4.5)
        none(f"contrast of {scheme} at {width} pixels", poor)


def look_at(browser, out):
    """All checks of the page that a batch left in the folder `out`."""
    address = (out / "rawdev-report.html").resolve().as_uri()
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        context.set_default_timeout(1000 * PATIENCE)
        page = context.new_page()
        messages, requests, dialogs = [], [], []
        page.on("console", lambda message: messages.append(message.text))
        page.on("pageerror", lambda error: messages.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
        page.goto(address)
        last = {item["id"]: item for item in bench.items(bench.report(out))}
        items = [last[name] for name in sorted(last, key=str.encode)]
        cards = look_at_content(page, items)
        look_at_tools(page, items, cards)
        look_at_looks(page)
        none("no message on the console", messages)
        none("no request except for the page",
             [url for url in requests if url != address and not url.startswith("data:")])
        none("no dialog", dialogs)
        check("what is put in afterwards is refused", ask(page, "refuses"))
    with browser.new_context(java_script_enabled=False) as context:
        context.set_default_timeout(1000 * PATIENCE)
        plain = context.new_page()
        plain.goto(address)
        check("readable without scripts", plain.is_visible("h1")
              and plain.locator("#items > li").count() == len(cards)
              and not plain.is_visible("#tools"))
