"""The page for those who use keys, a screen reader, or see little: WCAG 2.2 AA by axe-core."""
import pytest

from support.checks import check, none
from tune.tune import TABLET, WINDOW, page, served

pytestmark = pytest.mark.full
# What Tab has to reach: all that is shown and takes part in its order.
REACHABLE = """() => [...document.querySelectorAll(
    'a[href], button, input, select, textarea, [tabindex]')]
  .filter(each => each.tabIndex >= 0 && !each.disabled && each.checkVisibility())"""
COUNT = f"() => {{ window.reachable = ({REACHABLE})(); return window.reachable.length; }}"
FOCUSED = """() => {
  const here = document.activeElement, { outlineStyle, boxShadow } = getComputedStyle(here);
  return [window.reachable.indexOf(here), outlineStyle !== 'none' || boxShadow !== 'none',
    here.outerHTML.slice(0, 100)];
}"""
NAMED = "at => window.reachable[at].outerHTML.slice(0, 100)"
# As somebody who opens every group and family of controls.
OPEN_ALL = """document.querySelectorAll('#controls .group-title[aria-expanded="false"]')
  .forEach(each => each.click())"""


@pytest.mark.parametrize("panels", ["Dark", "Light"])
def test_axe_finds_nothing(bench, chromium, shoot, panels):
    for window in (WINDOW, TABLET):
        with served(bench, shoot) as server, page(chromium, server.url, window) as tune:
            tune.open("a.dng").button("Appearance").click()
            none("the menu", tune.complaints())
            tune.page.get_by_role("menuitemradio", name=panels, exact=True).last.click()
            tune.page.evaluate(OPEN_ALL)
            none("the page", tune.complaints())
            for tab in ("History", "Info"):
                tune.page.get_by_role("tab", name=tab).click()
                none(tab, tune.complaints())
            for key in ("r", "w", "i", "y", "Shift+O", "?", "e", "c"):
                tune.viewer.focus()
                tune.page.keyboard.press(key)
                none(f"after {key}", tune.complaints())
                tune.page.keyboard.press("Escape")


def test_tab_reaches_everything_and_shows_where_it_is(bench, chromium, shoot):
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.open("a.dng").page.evaluate(OPEN_ALL)
        count = tune.page.evaluate(COUNT)
        check("there is much to reach", count > 200, count)
        reached = set()
        for _ in range(count + 5):
            tune.page.keyboard.press("Tab")
            at, is_marked, html = tune.page.evaluate(FOCUSED)
            check("the focus is seen", is_marked or at < 0, html)
            reached.add(at)
        none("each is reached by Tab", [
            tune.page.evaluate(NAMED, at) for at in range(count) if at not in reached])
