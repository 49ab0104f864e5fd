"""A batch's HTML report in a headless Chromium.

The page is opened by file://. What it must show is worked out from the JSON lines here; of several
lines on one source the last counts. Looked at: no message on the console, no request but for the
page itself; counts; every thumbnail decodes; every histogram has its 64 bins; failures named with
their messages; links, which lead to files; filter and order; contrast of all text of 4.5 or more in
light and dark; nothing wider than a window of 1280 or 400 pixels; readable without scripts; scripts
and requests put in afterwards are refused; no invisible characters.
"""
import pathlib
import re
import unicodedata
import urllib.parse

from batch.bench import lines
from support.checks import check, same
from support.program import PATIENCE

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


def read(report):
    items = {event["id"]: event for event in lines(report.read_bytes()) if event["event"] == "item"}
    return [items[key] for key in sorted(items, key=str.encode)]


def is_picture(address):
    return bool(re.fullmatch(r"data:image/jpeg;base64,/9j/[A-Za-z0-9+/]*={0,2}", address or ""))


def look_at_cards(cards, done):
    names = [card["id"] for card in cards]
    check("every developed file has its card, in order",
          sorted(names) == sorted(visible(i["id"]) for i in done), names[:5])
    if len(cards) != len(done):
        return
    check("thumbnails are where there are some",
          [c["image"] for c in cards] == [is_picture(i.get("thumbnail")) for i in done])
    check("warnings stand with their files", all(
        visible(text) in card["warnings"] for card, item in zip(cards, done) for text in item.get("warnings", [])))
    histograms = [(item.get("light") or {}).get("histogram", []) for item in done]
    check("histograms are where there is light", [bool(c["histogram"]) for c in cards]
          == [len(h) == 64 and any(n > 0 for n in h) for h in histograms])
    check("histograms have 64 bins, 40 of them up to white", all(
        [d.count("h1") for d in card["histogram"]] == [0, 40, 24, 0] and "Histogram" in card["label"]
        for card in cards if card["histogram"]))
    check("every output has its link", [len(c["links"]) for c in cards] == [len(i.get("outputs", [])) for i in done])
    links = [urllib.parse.urlsplit(link) for card in cards for link in card["links"]]
    odd = [link for link in links
           if link.scheme != "file" or link.netloc or link.query or link.fragment]
    check("links lead to files and nowhere else", not odd, odd[:3])
    lost = [link.path for link in links
            if not pathlib.Path(urllib.parse.unquote(link.path)).is_file()]
    check("outputs are where links say", not lost, lost[:5])


def look_at_content(page, items):
    of = {status: [item for item in items if item["status"] == status]
          for status in ("done", "skipped", "failed", "interrupted")}
    counts = ask(page, "counts")
    for status, members in of.items():
        same(f"count of {status}", counts.get(status), [len(members), f"{len(members):,}"])
    cards = ask(page, "cards")
    look_at_cards(cards, of["done"])
    _, bad = ask(page, "decode")
    check("every thumbnail decodes and has words", not bad, bad[:5])
    rows = ask(page, "rows", "#failures tbody tr")
    check("failures are named with their messages", rows == [
        [visible(text) for text in (item["id"], item["error"]["code"], item["error"]["message"])]
        for item in of["failed"]], rows[:3])
    for status in ("skipped", "interrupted"):
        names = ask(page, "names", status)
        wanted = [visible(item["id"]) for item in of[status]]
        check(f"{status} files are named", names == wanted, names[:3])
    odd = {hex(ord(c)) for c in ask(page, "text") if c != "\n" and invisible(c)}
    check("no invisible characters", not odd, odd)
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
        check(f"contrast of {scheme} at {width} pixels", not poor, poor[:6])


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
        items = read(out / "rawdev-report.jsonl")
        cards = look_at_content(page, items)
        look_at_tools(page, items, cards)
        look_at_looks(page)
        check("no message on the console", not messages, messages[:5])
        asked = [url for url in requests if url != address and not url.startswith("data:")]
        check("no request but for the page", not asked, asked[:5])
        check("no dialog", not dialogs, dialogs[:5])
        check("what is put in afterwards is refused", ask(page, "refuses"))
    with browser.new_context(java_script_enabled=False) as context:
        context.set_default_timeout(1000 * PATIENCE)
        plain = context.new_page()
        plain.goto(address)
        check("readable without scripts", plain.locator("h1").is_visible()
              and plain.locator("#items > li").count() == len(cards) and not plain.locator("#tools").is_visible())
