"""The page on every screen: what is in sight, what can be reached, and how large targets are."""
import pytest

from support.checks import check, none, same
from support.program import wait_for
from tune.tune import page, served

pytestmark = pytest.mark.full
# Width and height, whether a finger points, the least part of the window that the picture has, and
# the least number of controls in sight. 320 × 256 is 1280 × 1024 at a zoom of 400 %.
SCREENS = [
    (1440, 900, False, 0.55, 8), (1280, 720, False, 0.50, 6), (1024, 768, False, 0.45, 6),
    (820, 1180, True, 0.40, 5), (844, 390, True, 0.45, 4), (640, 360, False, 0.40, 4),
    (390, 844, True, 0.40, 4), (360, 640, True, 0.40, 2), (320, 256, False, 0.30, 1)]
# Browsers set in text of twice the size: windows hold half as much.
LARGE_TEXT = [(1440, 900), (1280, 720), (820, 1180), (390, 844)]
PICTURE = """() => {
  const { width, height } = document.getElementById('viewer').getBoundingClientRect();
  return width * height / innerWidth / innerHeight;
}"""
# Controls whose slider or field can be pressed as the page is.
CONTROLS = """() => [...document.querySelectorAll('#controls .control')].filter(control => {
  const { left, top, bottom, width, height } = control.getBoundingClientRect();
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  return height > 0 && top >= 0 && bottom <= innerHeight && control.contains(hit);
}).length"""
# What can be pressed or typed into, but cannot be brought into the window, or is covered there; and
# targets that are smaller than `least` CSS pixels.
TARGETS = """least => {
  const faults = [];
  const targets = document.querySelectorAll(
    'button, input, select, [role="slider"], [role="option"]');
  for (const target of targets) {
    if (!target.checkVisibility() || target.disabled) continue;
    target.scrollIntoView({ block: 'center', inline: 'center' });
    const { left, right, top, bottom } = target.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const isHit = (x, y) => {
      const hit = document.elementFromPoint(x, y);
      return target.contains(hit) || target === hit?.closest('label')?.control;
    };
    const half = least / 2 - 1;
    const name = target.outerHTML.slice(0, 120);
    if (left < -1 || right > innerWidth + 1 || top < -1 || bottom > innerHeight + 1) {
      faults.push(`outside: ${name}`);
    } else if (!isHit(x, y)) {
      faults.push(`covered: ${name}`);
    } else if (!isHit(x - half, y) || !isHit(x + half, y)
      || !isHit(x, y - half) || !isHit(x, y + half)) {
      faults.push(`${Math.round(right - left)} x ${Math.round(bottom - top)}: ${name}`);
    }
  }
  document.getElementById('toolbar').scrollTop = 0;
  scrollTo(0, 0);
  return faults;
}"""
WIDE = "document.documentElement.scrollWidth - innerWidth"
# What is worked with all the time.
ALWAYS = ["Undo", "Redo", "Save", "Other ways to save", "Appearance", "Film strip", "Fit", "100 %",
          "Crop, straighten and turn", "Pick white on the picture"]


def tabs(tune):
    return [each for each in tune.page.get_by_role("tab").all() if each.is_visible()]


def examine(tune, least, wanted_picture, wanted_controls):
    tune.page.wait_for_function("document.querySelectorAll('#controls .control').length > 50")
    same("not wider than the window", max(tune.page.evaluate(WIDE), 0), 0)
    part = tune.page.evaluate(PICTURE)
    check("the picture is large", part >= wanted_picture, part)
    count = tune.page.evaluate(CONTROLS)
    check("controls are in sight", count >= wanted_controls, count)
    for name in ALWAYS:
        check(f"{name} is in sight", tune.button(name).is_visible(), name)
    for each in tabs(tune):
        each.click()
        name = each.text_content()
        none(f"targets of {name}", tune.page.evaluate(TARGETS, least))
        same(f"{name} is not wider", max(tune.page.evaluate(WIDE), 0), 0)
    tabs(tune)[0].click()
    for scheme in ("dark", "light"):
        # Buttons fade from one to the other.
        tune.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        none(f"axe, {scheme}", tune.complaints())
    for key in ("r", "y", "?", "e"):
        tune.viewer.focus()
        tune.page.keyboard.press(key)
        same(f"not wider after {key}", max(tune.page.evaluate(WIDE), 0), 0)
        if key == "r":
            none("axe while cropping", tune.complaints())
        tune.page.keyboard.press("Escape")


@pytest.mark.parametrize("width, height, touch, picture, controls", SCREENS)
def test_every_screen(bench, chromium, shoot, width, height, touch, picture, controls):
    window = {"width": width, "height": height}
    with (served(bench, shoot) as server,
          page(chromium, server.url, window=window, has_touch=touch) as tune):
        tune.opened("a.dng")
        # A finger needs more than a pointer; axe-core judges what a pointer needs.
        examine(tune, 44 if touch else 20, picture, controls)


@pytest.mark.parametrize("width, height", LARGE_TEXT)
def test_large_text(bench, chromium, shoot, width, height):
    window = {"width": width, "height": height}
    with (served(bench, shoot) as server, page(chromium, server.url, window=window) as tune):
        tune.opened("a.dng")
        size = "parseFloat(getComputedStyle(document.querySelector('[role=tab]')).fontSize)"
        before = tune.page.evaluate(size)
        tune.context.new_cdp_session(tune.page).send(
            "Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
        tune.settled()
        same("text is twice as large", tune.page.evaluate(size), 2 * before)
        examine(tune, 20, 0.3, 2)


def test_parts_can_be_hidden(bench, chromium, shoot):
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.opened("a.dng")
        before = tune.page.evaluate(PICTURE)
        panel = tune.page.get_by_role("complementary", name="Adjustments")
        tune.key("]", "[")
        check("both are hidden", not panel.is_visible() and not tune.strip.is_visible())
        check("the picture is larger", tune.page.evaluate(PICTURE) > before + 0.2)
        tune.page.reload()
        tune.opened("a.dng")
        check("which is remembered", not panel.is_visible() and not tune.strip.is_visible())
        tune.button("Film strip").click()
        tune.key("/")
        check("the search shows the panel", panel.is_visible() and tune.strip.is_visible())


def test_turning_a_phone_keeps_a_page_open(bench, chromium, shoot):
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.opened("a.dng")
        for width, height, tab in ((390, 844, "Light"), (1280, 720, "Adjust"), (844, 390, "Light")):
            tune.page.set_viewport_size({"width": width, "height": height})
            wait_for(lambda: [each.text_content() for each in tabs(tune)
                              if each.get_attribute("aria-selected") == "true"] == [tab])
            check("controls are seen", tune.page.evaluate(CONTROLS) > 0)
        tune.page.get_by_role("tab", name="Color").click()
        same("one group alone is seen", tune.page.evaluate(
            "[...document.querySelectorAll('.group')].filter(each => each.checkVisibility())"
            ".map(each => each.dataset.group)"), ["color"])


DROP = """([name, size]) => {
  const data = new DataTransfer();
  data.items.add(new File([new Uint8Array(size)], name));
  const options = { dataTransfer: data, bubbles: true, cancelable: true };
  document.body.dispatchEvent(new DragEvent('drop', options));
}"""


def test_dropped_files(bench, chromium, shoot):
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.opened("a.dng")
        tune.page.evaluate(DROP, ["b.dng", (shoot / "b.dng").stat().st_size])
        tune.opened("b.dng")
        tune.page.evaluate(DROP, ["a.dng", 5])
        tune.says("“a.dng” is not in this folder")
        tune.opened("b.dng")
