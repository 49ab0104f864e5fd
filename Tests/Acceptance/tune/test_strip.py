"""Choosing among the pictures of a folder: marks, filter, grid, comparing, and what is set in
several at once."""
import json
import os
import re
import shutil

import pytest

from batch import material
from support.checks import check, none, same
from support.program import wait_for
from tune.tune import PHONE, page, served

pytestmark = pytest.mark.full


def marks(raw):
    """Stars and pick in the sidecar of a raw."""
    path = material.sidecar(raw)
    text = path.read_text() if path.exists() else ""
    rating = re.search(r"^rating: (\d)$", text, re.MULTILINE)
    pick = re.search(r"^pick: (\w+)$", text, re.MULTILINE)
    return int(rating[1]) if rating else None, pick[1] if pick else None


def names(tune):
    """The pictures that are shown, in their order, without what is said of them."""
    labels = [(int(option.get_attribute("aria-posinset")), option.get_attribute("aria-label"))
              for option in tune.strip.get_by_role("option").all()]
    return [label.split(",")[0] for _, label in sorted(labels)]


def selected(tune):
    options = tune.strip.get_by_role("option", selected=True).all()
    return sorted(option.get_attribute("aria-label").split(",")[0] for option in options)


def by_filter(tune, name):
    tune.strip.get_by_role("group", name="Filter").get_by_role("button").first.click()
    tune.page.get_by_role("menu").get_by_text(name, exact=True).click()


def more(tune, name):
    tune.button("More for the selection").click()
    tune.page.get_by_role("menu").get_by_text(name, exact=True).click()


def asked(tune, *parts):
    """The requests up to now whose address has one of these parts."""
    tune.page.wait_for_timeout(20)
    return {url for url in tune.requests if any(part in url for part in parts)}


def until(tune, condition):
    """Whether `condition` came true in time, while the page goes on."""
    return wait_for(lambda: tune.page.wait_for_timeout(20) or condition())


def taken_back(tune):
    tune.page.get_by_role("status").get_by_role("button", name="Undo").click()


def test_marks_are_set_and_taken_back(bench, chromium, shoot):
    raws = {name: shoot / f"{name}.dng" for name in "abc"}
    material.sidecar(raws["b"]).write_text("# mine\nraw: {exposure: 1}\n")
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.opened("a.dng").key("3", "p")
        check("both are in the sidecar", until(tune, lambda: marks(raws["a"]) == (3, "picked")),
              marks(raws["a"]))
        check("the strip shows both", wait_for(lambda: "3 stars, picked" in (
            tune.picture("a.dng").get_attribute("aria-label"))))
        tune.key("u")
        check("neither is possible, too", until(tune, lambda: marks(raws["a"]) == (3, None)))
        tune.key("x")
        check("so are rejects", until(tune, lambda: marks(raws["a"]) == (3, "rejected")))
        taken_back(tune)
        check("a message takes it back", until(tune, lambda: marks(raws["a"]) == (3, None)))
        tune.picture("c.dng").click(modifiers=["Shift"])
        tune.key("5")
        check("keys mark all that are selected",
              until(tune, lambda: [marks(raw)[0] for raw in raws.values()] == [5, 5, 5]))
        text = material.sidecar(raws["b"]).read_text()
        check("what else the sidecar says stays", "# mine" in text and "exposure: 1" in text, text)
        taken_back(tune)
        check("each has its own stars again",
              until(tune, lambda: [marks(raw)[0] for raw in raws.values()] == [3, None, None]))
        tune.open("b.dng")
        tune.button("2 stars").click()
        check("stars can be clicked", until(tune, lambda: marks(raws["b"])[0] == 2))
        more(tune, "Next picture after marking")
        tune.key("4")
        tune.opened("c.dng")
        same("the one before is marked, not the next",
             [until(tune, lambda: marks(raws["b"])[0] == 4), marks(raws["c"])[0]], [True, None])
        tune.page.reload()
        tune.opened("c.dng")
        check("marks are there after a reload", wait_for(lambda: "4 stars" in (
            tune.picture("b.dng").get_attribute("aria-label"))))


def test_ratings_go_into_xmp_when_it_is_said_so(bench, chromium, shoot):
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.opened("a.dng").key("4")
        check("it is in the own sidecar", until(tune, lambda: marks(shoot / "a.dng")[0] == 4))
        none("no XMP is written by itself", list(shoot.glob("*.xmp")))
        more(tune, "Write ratings to XMP…")
        tune.page.get_by_role("dialog").get_by_role("button", name="Write", exact=True).click()
        tune.says("Ratings written to XMP: 1 picture.")
        [written] = shoot.glob("*.xmp")
        text = written.read_text()
        check("it has the stars", re.search(r'Rating(="|>)4', text), text)


def test_filter_and_order(bench, chromium, shoot):
    for name, text in (("a", "rating: 1"), ("b", "rating: 5"), ("c", "pick: rejected")):
        material.sidecar(shoot / f"{name}.dng").write_text(f"{text}\n")
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.opened("a.dng")
        wait_for(lambda: "rejected" in tune.picture("c.dng").get_attribute("aria-label"))
        by_filter(tune, "By rating")
        same("the best is first", names(tune), ["b.dng", "a.dng", "c.dng"])
        by_filter(tune, "Without rejects")
        same("rejects are gone", names(tune), ["b.dng", "a.dng"])
        check("how many are shown is said", "2 of 3" in tune.strip.text_content())
        by_filter(tune, "★★ and more")
        same("what is open stays in sight", names(tune), ["b.dng", "a.dng"])
        tune.key("ArrowLeft").opened("b.dng")
        same("until another is", names(tune), ["b.dng"])
        by_filter(tune, "No filter")
        by_filter(tune, "By name")
        same("all are there again", names(tune), ["a.dng", "b.dng", "c.dng"])


@pytest.mark.parametrize("window", [None, PHONE])
def test_grid(bench, chromium, shoot, window):
    with served(bench, shoot) as server, \
            page(chromium, server.url, **({"window": window} if window else {})) as tune:
        tune.opened("a.dng").key("g")
        grid = tune.strip.get_by_role("listbox")
        tune.page.wait_for_function("() => document.activeElement.role === 'listbox'")
        check("it lies over the picture", grid.bounding_box()["height"] > 250)
        grid.press("ArrowRight")
        same("arrows select, and open nothing",
             [selected(tune), tune.page.get_by_role("heading", name="a.dng").count()],
             [["b.dng"], 1])
        grid.press("Shift+ArrowRight")
        same("with Shift several", selected(tune), ["b.dng", "c.dng"])
        grid.press("2")
        check("they alone are marked", until(tune, lambda: [
            marks(shoot / f"{name}.dng")[0] for name in "abc"] == [None, 2, 2]))
        tune.picture("a.dng").click(modifiers=["Control"])
        same("Ctrl adds one", selected(tune), ["a.dng", "b.dng", "c.dng"])
        grid.press("End")
        grid.press("Enter")
        tune.opened("c.dng")
        tune.key("g")
        tune.picture("b.dng").dblclick()
        tune.opened("b.dng")
        tune.key("g")
        grid.press("ArrowLeft")
        grid.press("Escape")
        # On phones the strip is hidden again.
        same("Escape leaves it as it was",
             [selected(tune), tune.page.get_by_role("heading", name="b.dng").count()],
             [[] if window else ["b.dng"], 1])


def test_a_large_folder_has_few_elements(bench, chromium, shoot):
    many = bench.make("many")
    for number in range(2000):
        os.link(shoot / "b.dng", many / f"{number:04}.dng")
    with served(bench, many) as server, page(chromium, server.url) as tune:
        tune.opened("0000.dng").key("g")
        grid = tune.strip.get_by_role("listbox")
        wait_for(lambda: "2000" in tune.strip.text_content())
        grid.press("Control+a")
        check("all are selected", wait_for(lambda: "2000 selected" in tune.strip.text_content()))
        grid.press("End")
        check("the last one is seen", wait_for(lambda: tune.picture("1999.dng").count() == 1))
        check("few have elements", tune.strip.get_by_role("option").count() < 100)
        grid.press("Enter")
        tune.opened("1999.dng")


def test_two_pictures_side_by_side(bench, chromium, shoot):
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.opened("a.dng").key("n")
        beside = tune.page.get_by_role("region", name="Picture beside")
        beside.get_by_text("b.dng").wait_for()
        tune.page.keyboard.press("ArrowRight")
        beside.get_by_text("c.dng").wait_for()
        same("the open one stays", tune.page.get_by_role("heading", name="a.dng").count(), 1)
        tune.requests.clear()
        tune.key("z")
        check("both are rendered at this zoom", wait_for(lambda: len(asked(tune, "/render")) == 2))
        beside.get_by_role("button", name="Choose c.dng").click()
        tune.opened("c.dng")
        check("the better one is picked", until(
            tune, lambda: marks(shoot / "c.dng") == (None, "picked")))
        tune.viewer.get_by_role("button", name="Choose c.dng").wait_for()
        beside.get_by_role("button", name=re.compile("^Choose [ab].dng")).click()
        check("one of the two is picked, the other is not any more", until(tune, lambda: sorted(
            str(marks(shoot / f"{name}.dng")[1]) for name in "abc") == ["None", "None", "picked"]))
        check("and that is not the first one", marks(shoot / "c.dng")[1] is None)
        tune.page.keyboard.press("Escape")
        beside.wait_for(state="hidden")


def test_sync_sets_the_selected_ones(bench, chromium, shoot):
    paths = [material.sidecar(shoot / f"{name}.dng") for name in "abc"]
    paths[0].write_text("raw: {vibrance: 0.5}\n")
    paths[1].write_text("# mine\nraw: {contrast: 0.5}\n")
    before = paths[1].read_text()
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.opened("a.dng")
        tune.picture("b.dng").click(modifiers=["Control"])
        tune.button("Sync: set what is changed in all selected pictures").click()
        tune.type("Exposure", 1)
        check("both have it", wait_for(lambda: all(
            "exposure: 1" in path.read_text() for path in paths[:2])))
        text = paths[1].read_text()
        check("what was not changed stays",
              "contrast: 0.5" in text and "vibrance" not in text, text)
        check("one that is not selected stays", not paths[2].exists())
        tune.key("Control+z")
        tune.says("Undone in all pictures")
        check("one step takes it back", wait_for(lambda: paths[1].read_text() == before))
        check("here, too", wait_for(lambda: "exposure" not in paths[0].read_text()))


def test_thumbnails_show_edits(bench, chromium, shoot):
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.opened("a.dng")
        same("without edits the embedded ones are enough", asked(tune, "edit="), set())
        tune.type("Exposure", 2).kept()
        check("one with the edit is asked for", wait_for(lambda: asked(tune, "edit=")))
        image = tune.picture("a.dng").locator("img")
        tune.page.wait_for_timeout(1000)
        first, count = image.get_attribute("src"), len(asked(tune, "edit="))
        tune.type("Exposure", -2).kept()
        check("and another one after the next",
              wait_for(lambda: len(asked(tune, "edit=")) > count))
        check("which is shown", wait_for(lambda: image.get_attribute("src") != first))


def test_files_come_and_go(bench, chromium, shoot):
    with served(bench, shoot) as server, page(chromium, server.url, quiet=False) as tune:
        tune.opened("a.dng").open("b.dng")
        shutil.copy(shoot / "a.dng", shoot / "aa.dng")
        check("a new one is in its position", wait_for(
            lambda: names(tune) == ["a.dng", "aa.dng", "b.dng", "c.dng"]), names(tune))
        same("what is open stays open and selected",
             [selected(tune), tune.page.get_by_role("heading", name="b.dng").count()],
             [["b.dng"], 1])
        (shoot / "b.dng").unlink()
        tune.says("b.dng is no longer in the folder.")
        tune.opened("c.dng")
        same("it is gone", [names(tune), selected(tune)], [["a.dng", "aa.dng", "c.dng"], ["c.dng"]])


def test_a_damaged_file_is_marked(bench, chromium, shoot):
    data = (shoot / "b.dng").read_bytes()
    (shoot / "cut.dng").write_bytes(data[:len(data) // 2])
    with served(bench, shoot) as server, page(chromium, server.url, quiet=False) as tune:
        tune.opened("a.dng")
        title = "option => option.title.startsWith('cut.dng: ')"
        tune.page.wait_for_function(title, arg=tune.picture("cut.dng").element_handle())
        check("it has a mark", "!" in tune.picture("cut.dng").text_content())


def test_going_on_ends_the_opening_before(bench, chromium, shoot):
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.opened("a.dng")
        ended, slow = [], []
        tune.page.on("requestfailed", lambda request: ended.append(request.url))
        first = json.loads(tune.page.evaluate(
            "() => fetch('/api/pictures').then(answer => answer.text())"))["pictures"][1]["id"]
        # The opening of b.dng is held up until the page has given it up.
        tune.page.route(f"**/{first}/open", lambda route: slow.append(route))
        tune.viewer.focus()
        tune.page.keyboard.press("ArrowRight")
        tune.page.get_by_role("heading", name="b.dng").wait_for()
        tune.page.locator("#view-progress").wait_for(state="visible")
        tune.key("ArrowRight").opened("c.dng")
        tune.page.wait_for_timeout(100)
        check("the request of b.dng has ended",
              any(f"{first}/open" in url for url in ended), ended)
