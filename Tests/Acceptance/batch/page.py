"""A batch's HTML report in a headless Chromium.

The page is opened by file://. What it must show is worked out from the JSON lines here, of several
reports and of several lines on one source the last counts. Looked at: no message on the console, no
request but for the page itself; counts; every thumbnail decodes; every histogram has its 64 bins;
failures named with their messages; links, which lead to files; filter and order; contrast of all text
of 4.5 or more in light and dark; nothing wider than a window of 1280 or 400 pixels; readable without
scripts; scripts and requests put in afterwards are refused; no invisible characters.
"""
import json
import pathlib
import re
import shutil
import unicodedata
import urllib.parse

from playwright.sync_api import sync_playwright

from support.checks import check
from support.program import PATIENCE

COUNTS = "() => Object.fromEntries([...document.querySelectorAll('[data-count]')]" \
    ".map(e => [e.dataset.count, [+e.dataset.n, e.textContent]]))"
CARDS = """() => [...document.querySelectorAll('#items > li')].map(card => ({
  id: card.querySelector('h3').textContent, image: !!card.querySelector('img'),
  warnings: [...card.querySelectorAll('.warn')].map(e => e.textContent),
  histogram: [...card.querySelectorAll('svg.hist path')].map(e => e.getAttribute('d')),
  label: card.querySelector('svg.hist')?.getAttribute('aria-label') ?? '',
  links: [...card.querySelectorAll('.out a')].map(e => e.href),
}))"""
DECODE = """async () => {
  const bad = [];
  for (const image of document.images) {
    image.loading = 'eager';
    try { await image.decode(); } catch { bad.push(image.alt); continue; }
    if (!(image.naturalWidth > 0) || !image.alt) bad.push(image.alt || 'without words');
  }
  return [document.images.length, bad];
}"""
ROWS = "selector => [...document.querySelectorAll(selector)].map(row => [...row.children]" \
    ".map(cell => cell.textContent))"
# Text against what is painted behind it: relative luminance and contrast as WCAG 2 defines them.
CONTRAST = r"""() => {
  const parse = text => { const n = text.match(/[\d.]+/g).map(Number); return n.length < 4 ? [...n, 1] : n; };
  const light = c => [0, 1, 2].map(i => c[i] / 255)
    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = e => { for (; e; e = e.parentElement) {
    const c = parse(getComputedStyle(e).backgroundColor); if (c[3] === 1) return c; } return [255, 255, 255, 1]; };
  const seen = new Map();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let count = 0;
  while (walk.nextNode() && count < 20000) {
    const e = walk.currentNode.parentElement;
    if (!walk.currentNode.textContent.trim() || ['SCRIPT', 'STYLE', 'OPTION'].includes(e.tagName)) continue;
    count++;
    const a = light(parse(getComputedStyle(e).color)), b = light(behind(e));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const name = e.tagName + '.' + e.className;
    if (!(seen.get(name) <= ratio)) seen.set(name, ratio);
  }
  return [...seen];
}"""

def visible(text):
    """Text as a page must show it: nothing that is invisible or turns other text around."""
    shown = ""
    for character in text[:2000]:
        code = ord(character)
        if (unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp", "Cn")
                and code not in (0x200C, 0x200D)):
            shown += f"[U+{code:04X}]"
        else:
            shown += character
    return shown + ("…" if len(text) > 2000 else "")


def read(paths):
    items = {}
    for path in paths:
        for line in path.read_bytes().split(b"\n"):
            try:
                event = json.loads(line)
            except ValueError:
                continue
            if event.get("event") == "item":
                items[event["id"]] = event
    return [items[key] for key in sorted(items, key=lambda text: text.encode())]


def is_picture(address):
    return bool(re.fullmatch(r"data:image/jpeg;base64,/9j/[A-Za-z0-9+/]*={0,2}", address or ""))


def look_at_content(page, items, outputs):
    of = {status: [item for item in items if item["status"] == status]
          for status in ("done", "skipped", "failed", "interrupted")}
    counts = page.evaluate(COUNTS)
    for status, members in of.items():
        check(f"count of {status}", counts.get(status) == [len(members), f"{len(members):,}"],
              (counts.get(status), len(members)))
    cards = page.evaluate(CARDS)
    check("every developed file has its card, in order",
          sorted(card["id"] for card in cards) == sorted(visible(i["id"]) for i in of["done"]),
          [card["id"] for card in cards][:5])
    if len(cards) == len(of["done"]):
        check("thumbnails are where there are some",
              [c["image"] for c in cards] == [is_picture(i.get("thumbnail")) for i in of["done"]])
        check("warnings stand with their files",
              all(visible(text) in card["warnings"] for card, item in zip(cards, of["done"])
                  for text in item.get("warnings", [])))
        wanted = [len((i.get("light") or {}).get("histogram", [])) == 64
                  and any(n > 0 for n in i["light"]["histogram"]) for i in of["done"]]
        check("histograms are where there is light", [bool(c["histogram"]) for c in cards] == wanted)
        check("histograms have 64 bins, 40 of them up to white",
              all([d.count("h1") for d in card["histogram"]] == [0, 40, 24, 0]
                  and "Histogram" in card["label"] for card in cards if card["histogram"]))
        check("every output has its link",
              [len(c["links"]) for c in cards] == [len(i.get("outputs", [])) for i in of["done"]])
        links = [urllib.parse.urlsplit(link) for card in cards for link in card["links"]]
        check("links lead to files and nowhere else",
              all(link.scheme == "file" and not link.netloc and not link.query and not link.fragment
                  for link in links), links[:3])
        if outputs:
            lost = [link.path for link in links
                    if not pathlib.Path(urllib.parse.unquote(link.path)).is_file()]
            check("outputs are where links say", not lost, lost[:5])
    number, bad = page.evaluate(DECODE)
    check("every thumbnail decodes and has words", not bad, bad[:5])
    rows = page.evaluate(ROWS, "#failures tbody tr")
    check("failures are named with their messages", rows == [
        [visible(i["id"]), visible((i.get("error") or {}).get("code", "unknown")),
         visible((i.get("error") or {}).get("message", "failed without a reason in the report"))]
        for i in of["failed"]], rows[:3])
    for status in ("skipped", "interrupted"):
        names = page.evaluate(
            "id => [...document.querySelectorAll(`#${id} bdi`)].map(e => e.textContent)", status)
        check(f"{status} files are named", names == [visible(i["id"]) for i in of[status]], names[:3])
    text = page.evaluate("() => document.body.textContent")
    odd = {hex(ord(c)) for c in text if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp")
           and ord(c) not in (0x200C, 0x200D)}
    check("no invisible characters", not odd, odd)
    bare = page.evaluate("""() => document.querySelectorAll(
      'img:not([alt]), svg:not([aria-label]), thead th:not([scope=col]), html:not([lang])').length""")
    check("pictures have words, columns have heads", bare == 0, bare)
    return cards


def find(page, word):
    """Types a word to filter by; the page does so when typing pauses."""
    page.fill("#find", word)
    try:
        page.wait_for_function(
            """word => [...document.querySelectorAll('.f')]
               .every(e => e.hidden !== e.textContent.toLowerCase().includes(word))""",
            arg=word, timeout=1000 * PATIENCE)
    except TimeoutError:
        pass  # the checks tell


def look_at_tools(page, items, cards):
    if not cards:
        return
    seen = "() => document.querySelectorAll('.f:not([hidden])').length"
    check("filter can be seen", page.is_visible("#find"))
    word = max(cards, key=lambda card: len(card["id"]))["id"].lower()[:60].strip()
    find(page, word)
    left = page.evaluate(seen)
    check("filter leaves what has the word", 0 < left and page.evaluate(
        """word => [...document.querySelectorAll('.f:not([hidden])')]
           .every(e => e.textContent.toLowerCase().includes(word))""", word), left)
    check("filter says how many are left", page.inner_text("#shown").startswith(str(left) + " of"))
    find(page, "no file is called like this")
    check("filter can leave nothing", page.evaluate(seen) == 0)
    find(page, "")
    check("without a filter everything is there", page.evaluate(seen) == len(items))
    page.select_option("#only", "w")
    marked = page.evaluate("() => document.querySelectorAll('#items > li:not([hidden])').length")
    check("pictures with warnings", marked == sum(bool(c["warnings"]) for c in cards), marked)
    page.select_option("#only", "")
    page.select_option("#sort", "s")
    times = page.evaluate("() => [...document.querySelectorAll('#items > li')].map(e => +e.dataset.s)")
    check("order by time", times == sorted(times, reverse=True) and len(times) == len(cards))
    page.select_option("#sort", "")
    check("order by name is back", page.evaluate(CARDS)[0]["id"] == cards[0]["id"])


def look_at_looks(page):
    for scheme, width in [("light", 1280), ("dark", 1280), ("light", 400)]:
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 900})
        wide = page.evaluate("() => document.documentElement.scrollWidth")
        check(f"fits into {width} pixels, {scheme}", wide <= width, wide)
        poor = sorted((ratio, name) for name, ratio in page.evaluate(CONTRAST) if ratio < 4.5)
        check(f"contrast of {scheme} at {width} pixels", not poor, poor[:6])


def look_at(path, *reports, outputs=True):
    """All checks of the page `path` about the JSON lines of `reports`."""
    address = path.resolve().as_uri()
    items = read(reports)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        messages, requests, dialogs = [], [], []
        page.on("console", lambda message: messages.append(message.text))
        page.on("pageerror", lambda error: messages.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
        page.goto(address)
        cards = look_at_content(page, items, outputs)
        look_at_tools(page, items, cards)
        look_at_looks(page)
        check("no message on the console", not messages, messages[:5])
        asked = [url for url in requests if url != address and not url.startswith("data:")]
        check("no request but for the page", not asked, asked[:5])
        check("no dialog", not dialogs, dialogs[:5])
        refused = page.evaluate("""async () => {
          const script = document.createElement('script');
          script.textContent = 'window.ran = 1';
          document.head.append(script);
          const asked = await fetch('data:text/plain,1').then(() => true, () => false);
          return !window.ran && !asked;
        }""")
        check("what is put in afterwards is refused", refused)
        plain = browser.new_context(java_script_enabled=False).new_page()
        plain.goto(address)
        check("readable without scripts", plain.locator("h1").is_visible()
              and plain.locator("#items > li").count() == len(cards)
              and not plain.locator("#tools").is_visible())
        browser.close()
