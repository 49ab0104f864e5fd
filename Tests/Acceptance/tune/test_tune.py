"""What people do with the page of rawdev tune: open, change, keep; what may happen meanwhile."""
import json
import os
import re
import signal
import socket

import imagecodecs
import pytest

from batch import material
from support.checks import check, none, same
from support.program import attempt, disk, wait_for
from tune.tune import (
    SDR, TABLET, WINDOW, Server, developed, difference, page, properties, served)

pytestmark = pytest.mark.full


def test_every_property_has_its_control(bench, rawdev, chromium, shoot):
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.open("a.dng")
        titles = [item["title"] for item in properties(rawdev)]
        none("every property has a control that is called by its title", [
            title for title in titles
            if not tune.page.get_by_label(title, exact=True).count()
            and not tune.page.get_by_role("group", name=title, include_hidden=True).count()])
        same("the pictures of the folder are there", [
            re.split(",", label.get_attribute("aria-label"))[0]
            for label in tune.strip.get_by_role("option").all()], ["a.dng", "b.dng", "c.dng"])
        for window in (WINDOW, TABLET):
            tune.page.set_viewport_size(window)
            wide = tune.page.evaluate("document.documentElement.scrollWidth")
            check(f"fits into {window['width']} pixels", wide <= window["width"], wide)


# The controls that are seen whole.
SEEN = """() => [...document.querySelectorAll('#controls .control')].filter(control => {
  const { top, bottom, height } = control.getBoundingClientRect();
  const head = document.querySelector('#controls-head').getBoundingClientRect().bottom;
  return height > 0 && top >= head - 1 && bottom <= innerHeight;
}).map(control => control.dataset.name)"""
FIRST = {"exposure", "contrast", "highlights", "shadows", "neutralTemperature", "neutralTint"}


def test_what_is_needed_first_is_in_sight(bench, chromium, shoot):
    with served(bench, shoot) as server:
        for width, height, count in ((1440, 900, 6), (1280, 720, 5)):
            window = {"width": width, "height": height}
            with page(chromium, server.url, window=window) as tune:
                tune.opened("a.dng")
                seen = FIRST & set(tune.page.evaluate(SEEN))
                check(f"{width} x {height}", len(seen) >= count, sorted(FIRST - seen))
        with page(chromium, server.url) as tune:
            tune.opened("a.dng")
            stops = []
            while len(stops) < 10 and "control-exposure" not in stops:
                tune.page.keyboard.press("Tab")
                stops.append(tune.page.evaluate("document.activeElement.id"))
            check("exposure is soon reached", "control-exposure" in stops, stops)
            for text, title in (("clarity", "Clarity"), ("texture", "Texture"), ("fog", "Dehaze"),
                                ("rotate", "Straighten"), ("split toning", "Blending"),
                                ("white balance", "Temperature"), ("denoise", "Color noise")):
                tune.find(text)
                found = tune.page.locator("#controls").get_by_text(title, exact=True).first
                check(f"{text} finds {title}", found.is_visible())


def test_no_row_moves_while_it_is_changed(bench, chromium, shoot):
    places = """() => [...document.querySelectorAll('#controls .control')].map(control =>
      [...control.querySelectorAll('.name, input, select')].map(part =>
        Object.values(part.getBoundingClientRect().toJSON())))"""
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.opened("a.dng")
        before = tune.page.evaluate(places)
        for name in ("exposure", "neutralTemperature", "vibrance"):
            slider = tune.page.locator(f"#control-{name}")
            slider.focus()
            slider.press("ArrowRight")
            same(f"all stays while {name} is changed", tune.page.evaluate(places), before)
        tune.settled()


# Of every control: the property, what is said about it when asked, and the names of its parts.
CONTROLS = """all => all.map(control => {
  control.querySelector('.origin').click();
  const parts = [...control.querySelectorAll('input, select, textarea, [tabindex]')];
  const labels = parts.map(part => part.getAttribute('aria-label')
    ?? [...(part.labels ?? [])].map(label => label.textContent).join(' ')).filter(Boolean);
  return { property: control.dataset.name, title: control.querySelector('.name').textContent,
    said: control.querySelector('.details').textContent,
    labels: [...labels, ...[...control.querySelectorAll('button')].map(button =>
      button.getAttribute('aria-label') ?? button.textContent)] };
})"""


def test_controls_are_told_apart_and_explained(bench, rawdev, chromium, shoot):
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.open("a.dng")
        controls = tune.page.locator("#controls .control").evaluate_all(CONTROLS)
        wanted = {item["name"]: item for item in properties(rawdev)}
        same("each property has one control", sorted(each["property"] for each in controls),
             sorted(wanted))
        for what, names in (("titles", [each["title"] for each in controls]),
                            ("labels", [text for each in controls for text in each["labels"]])):
            none(f"no two {what} are equal", sorted(
                {name for name in names if names.count(name) > 1}))
        for each in controls:
            name, item, said = each["property"], wanted[each["property"]], each["said"]
            check(f"{name}: its parts have names", len(each["labels"]) >= 3, each["labels"])
            check(f"{name}: the key of recipes is said", f"raw.{name}" in said, said)
            check(f"{name}: help is there", item["summary"][:20] in said, said)
            for key in ("standard", "unit"):
                check(f"{name}: {key}", item.get(key) in (None, "")
                      or str(item[key]) in said, [item[key], said])
            for key in ("minimum", "maximum"):
                if item.get(key) is not None:
                    number = f"{round(item[key], 4):g}".replace("-", "−")
                    check(f"{name}: {key}", number in said, [number, said])
            none(f"{name}: what can be chosen is said", [
                choice for choice in item.get("choices", []) if choice not in said])


def test_the_first_click_wins_over_what_opens_by_itself(bench, chromium, shoot):
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.opened("a.dng")
        held = []
        tune.page.route("**/api/start", lambda route: held.append(route))
        tune.page.reload()
        tune.picture("c.dng").click()
        wait_for(lambda: tune.page.wait_for_timeout(10) or held)
        with tune.page.expect_response("**/api/start"):
            held[0].continue_()
        tune.settled().find("Exposure")
        same("the picture that was clicked stays",
             tune.page.get_by_role("heading", name="c.dng").count(), 1)
        check("it alone is selected",
              tune.picture("c.dng").get_attribute("aria-selected") == "true"
              and tune.picture("a.dng").get_attribute("aria-selected") == "false")


def test_what_is_reset_shows_its_default_at_once(bench, chromium, shoot):
    material.sidecar(shoot / "b.dng").write_text("raw: {exposure: 2}\n")
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        for name in ("a.dng", "b.dng"):
            tune.open(name).type("Exposure", 1)
            with tune.page.expect_response("**/state"):
                tune.type("Vibrance", 50)
            # The server says nothing more of what holds.
            tune.page.route("**/state", lambda route: None)
            tune.button("Reset all controls").click()
            same(f"{name}: all are reset", [tune.value(n) for n in ("Exposure", "Vibrance")],
                 [0, 0])
            tune.page.unroute("**/state")


def test_recipes_apply_below_the_sidecar(bench, rawdev, chromium, shoot):
    recipe = bench.folder / "evening.yaml"
    recipe.write_text("schema: 1\nraw:\n  exposure: 1\n  vibrance: 0.5\n")
    folder = shoot / ".rawdev"
    folder.mkdir()
    (folder / "defaults.yaml").write_text("schema: 1\nraw:\n  contrast: 0.5\n")
    material.sidecar(shoot / "b.dng").write_text("raw: {exposure: -1}\n")
    with served(bench, shoot, "--recipe", recipe, "--no-defaults") as server, \
            page(chromium, server.url) as tune:
        tune.open("a.dng")
        same("the recipe counts, the defaults do not",
             [tune.value(name) for name in ("Exposure", "Vibrance", "Contrast")], [1, 50, 0])
        tune.find("Vibrance")
        check("where it comes from is said", tune.page.get_by_role(
            "button", name=re.compile(r"^Vibrance: recipe, line 4")).is_visible())
        tune.zoom("100 %")
        options = ["--recipe", str(recipe), "--no-defaults"]
        whole = developed(rawdev, shoot / "a.dng", bench.folder, *SDR, *options)
        most = difference(tune, whole)
        check("it is the picture of develop --recipe", most <= 1, most)
        same("a sidecar is above it", tune.open("b.dng").value("Exposure"), -1)
        tune.key("e")
        dialog = tune.page.get_by_role("dialog", name="Develop")
        dialog.get_by_label("Format").select_option("png-sdr")
        dialog.get_by_role("button", name="Develop", exact=True).click()
        dialog.get_by_text(re.compile(r"Developed: 1 of 1")).wait_for()
        mine = imagecodecs.png_decode((shoot / "developed/b.png").read_bytes())[..., :3]
        theirs = developed(
            rawdev, shoot / "b.dng", bench.folder, "--format", "png-sdr", *options)
        check("what is developed from the page has it, too", (mine == theirs).all())
    recipe.write_text("raw:\n  exposure: bright\n")
    for name, said in ((bench.folder / "none.yaml", "none.yaml"), (recipe, "evening.yaml:2")):
        refused = attempt(rawdev, "tune", "--no-open", shoot, "--recipe", name)
        check(f"{name}: that it cannot be used is said", refused.returncode == 2
              and said in refused.stderr, [refused.returncode, refused.stderr])


def test_controls_by_mouse_and_keys(bench, chromium, shoot):
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.open("a.dng")
        before = tune.seen().mean()
        slider = tune.slider("Exposure")
        box = slider.bounding_box()
        middle = box["y"] + box["height"] / 2
        tune.page.mouse.move(box["x"] + box["width"] / 2, middle)
        tune.page.mouse.down()
        for step in range(1, 11):
            tune.page.mouse.move(box["x"] + box["width"] * (0.5 + 0.02 * step), middle)
        tune.page.mouse.up()
        dragged = tune.settled().value("Exposure")
        check("dragging to the right makes brighter", dragged > 0.5, dragged)
        check("the picture follows the hand", tune.seen().mean() > before + 10)
        check("a changed control is marked", tune.is_marked("Exposure"))
        slider.focus()
        for _ in range(5):
            tune.page.keyboard.press("ArrowLeft")
        check("arrow keys take steps", tune.settled().value("Exposure") < dragged)
        tune.type("Exposure", "-1,5")
        same("numbers are typed, with a comma, too", tune.value("Exposure"), -1.5)
        tune.type("Exposure", "99")
        same("what is beyond the range is its end", tune.value("Exposure"), 20)
        tune.type("Exposure", "-1.5")
        dark = tune.seen().mean()
        check("the last value wins", dark < before - 10, dark)
        slider.dblclick()
        tune.settled()
        same("a double click resets", tune.value("Exposure"), 0)
        check("the mark is gone", not tune.is_marked("Exposure"))
        check("the picture is as before", abs(tune.seen().mean() - before) < 0.5)
        check("what has no effect says why",
              tune.slider("Roundness").is_disabled()
              and tune.page.locator('[data-name="vignetteRoundness"]')
              .get_by_text(re.compile("needs .*Vignette")).is_visible())


def test_undo_redo_and_reset(bench, chromium, shoot):
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.open("a.dng")
        values = [0.5, 1, 1.5]
        for value in values:
            tune.type("Exposure", value)
        for value in (1, 0.5, 0):
            tune.key("Control+z")
            same("undone", tune.value("Exposure"), value)
        check("there is nothing more to undo", tune.button("Undo").is_disabled())
        for value in values:
            tune.button("Redo").click()
            same("done again", tune.settled().value("Exposure"), value)
        tune.type("Vibrance", 50)
        tune.button("Reset all controls").click()
        same("all are reset", [tune.settled().value(n) for n in ("Exposure", "Vibrance")], [0, 0])
        tune.key("Control+z")
        same("which can be undone", tune.value("Exposure"), 1.5)


def test_saved_and_read_again(bench, chromium, shoot):
    sidecar = material.sidecar(shoot / "a.dng")
    kept = "# by hand\nschema: 1\nraw:\n  highlights: 0.1  # a little\n  future: 3\n"
    sidecar.write_text(kept + "outputs: {web: {format: jpeg-sdr}}\n")
    with served(bench, shoot) as server:
        with page(chromium, server.url) as tune:
            tune.open("a.dng")
            same("the sidecar counts", tune.value("Highlights"), 10)
            tune.type("Exposure", 0.75).kept()
            text = sidecar.read_text()
            check("the value is kept", "exposure: 0.75" in text, text)
            check("all else stays", all(line in text for line in kept.splitlines()), text)
            tune.page.reload()
            same("it is read again", tune.opened("a.dng").value("Exposure"), 0.75)
            origin = tune.page.get_by_role(
                "button", name=re.compile(r"^Exposure: sidecar, line \d"))
            check("where it comes from is said", origin.is_visible())
            tune.type("Exposure", 0)
            tune.button("Reset Exposure").last.click()
            tune.settled().kept()
            check("a value that is reset leaves the sidecar", "exposure" not in sidecar.read_text())
            tune.open("b.dng").type("Exposure", 1).save()
        new = material.sidecar(shoot / "b.dng").read_text()
        same("a new sidecar has what was set alone", new, "schema: 1\nraw:\n  exposure: 1\n")


def test_a_sidecar_that_changed_is_not_overwritten(bench, chromium, shoot):
    sidecar = material.sidecar(shoot / "a.dng")
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.open("a.dng").by_hand().type("Exposure", 1)
        check("what is not in the sidecar is marked", tune.page.title().startswith("•"))
        theirs = "raw: {exposure: -1}  # theirs\n"
        sidecar.write_text(theirs)
        tune.key("Control+s")
        question = tune.page.get_by_role("dialog")
        question.wait_for()
        same("nothing was written", sidecar.read_text(), theirs)
        question.get_by_role("button", name="Decide later").click()
        same("nothing is written later", sidecar.read_text(), theirs)
        tune.button("Look at the difference").wait_for()
        tune.key("Control+s")
        question.get_by_role("button", name="Keep mine").click()
        tune.kept().says("Saved")
        check("mine is kept, with what they wrote beside it",
              "exposure: 1" in sidecar.read_text() and "# theirs" in sidecar.read_text(),
              sidecar.read_text())
        tune.type("Exposure", 2)
        sidecar.write_text("raw: {exposure: -2}\n")
        tune.key("Control+s")
        question.wait_for()
        question.get_by_role("button", name=re.compile("Take the file")).click()
        wait_for(lambda: tune.kept().settled().value("Exposure") == -2)
        same("theirs is taken", tune.value("Exposure"), -2)
        # Without changes here it is read at once.
        sidecar.write_text("raw: {exposure: -0.5}\n")
        wait_for(lambda: tune.settled().value("Exposure") == -0.5)
        same("what changes on disk is shown", tune.value("Exposure"), -0.5)
        tune.key("Control+z")
        same("and can be undone", tune.value("Exposure"), -2)


def test_a_sidecar_with_an_error_is_shown_and_left(bench, chromium, shoot):
    sidecar = material.sidecar(shoot / "a.dng")
    bad = "# mine\nraw:\n  exposure: bright\n"
    sidecar.write_text(bad)
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.open("a.dng")
        said = tune.says("a.dng.rawdev.yaml")
        check("the line is said", ":3:" in said, said)
        tune.type("Exposure", 1)
        check("there is no saving", tune.button("Save").is_disabled())
        tune.key("Control+s").says("Not saved: a.dng")
        same("it is left alone", sidecar.read_text(), bad)
        sidecar.write_text("raw: {contrast: 0.5}\n")
        wait_for(lambda: not tune.page.get_by_text("a.dng.rawdev.yaml:3").count())
        check("mended, it is read again",
              not tune.page.get_by_text("a.dng.rawdev.yaml:3").count())
        tune.kept()
        check("and takes what was set meanwhile", "exposure: 1" in sidecar.read_text()
              and "contrast: 0.5" in sidecar.read_text(), sidecar.read_text())


def test_goes_on_after_a_restart(bench, chromium, shoot):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    first = Server(bench, shoot, "--port", port)
    with page(chromium, first.url, quiet=False) as tune:
        tune.open("a.dng").by_hand().type("Exposure", 0.5)
        ended = first.end()
        same("the signal ends the server with 0", ended.code, 0)
        check("what is in the journal alone is said at the end",
              any("a.dng" in line for line in ended.messages), ended.messages)
        tune.says("does not answer")
        field = tune.field("Exposure")
        field.fill("1.5")
        field.press("Enter")
        with served(bench, shoot, "--port", port) as second:
            same("the address is the same", second.url, first.url)
            tune.page.get_by_text("does not answer").wait_for(state="detached")
            same("what was changed is still here", tune.settled().value("Exposure"), 1.5)
            tune.save()
            check("and is kept", "exposure: 1.5" in material.sidecar(shoot / "a.dng").read_text())
            names, now = tune.history()
            same("so are the steps", [len(names), now], [3, 2])


def test_two_pages_on_one_picture(bench, chromium, shoot):
    with served(bench, shoot) as server, page(chromium, server.url) as one:
        one.open("a.dng")
        with page(chromium, server.url) as two:
            two.open("a.dng")
            check("that there are two is said", bool(one.says("Another page")))
            two.type("Exposure", 1)
            wait_for(lambda: one.settled().value("Exposure") == 1)
            same("what is set in one the other shows", one.value("Exposure"), 1)


def test_develops_from_the_page(bench, rawdev, chromium, shoot):
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.open("a.dng").by_hand().type("Exposure", 1)
        tune.key("e")
        dialog = tune.page.get_by_role("dialog", name="Develop")
        dialog.get_by_label("Format").select_option("png-sdr")
        dialog.get_by_role("button", name="Develop", exact=True).click()
        dialog.get_by_text(re.compile(r"Developed: 1 of 1")).wait_for()
        link = dialog.get_by_role("list", name="Files").get_by_role("link")
        same("a link leads to the file", link.count(), 1)
        written = shoot / link.text_content()
        check("the file is there", written.is_file(), link.text_content())
        place = f"http://127.0.0.1:{server.port}" + link.get_attribute("href")
        answer = tune.page.request.get(place)
        check("the link has its bytes", answer.body() == written.read_bytes())
        same("nothing was saved", material.sidecar(shoot / "a.dng").exists(), False)
        material.sidecar(shoot / "a.dng").write_text("raw: {exposure: 1}\n")
        whole = developed(rawdev, shoot / "a.dng", bench.folder, "--format", "png-sdr")
        mine = imagecodecs.png_decode(written.read_bytes())[..., :3]
        check("it is the picture with the values of the page", (mine == whole).all())


def test_one_development_follows_another(bench, chromium, shoot):
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.open("a.dng")
        tune.key("e")
        dialog = tune.page.get_by_role("dialog", name="Develop")
        for kind in ("png-sdr", "jpeg-sdr"):
            dialog.get_by_label("Format").select_option(kind)
            begin = dialog.get_by_role("button", name="Develop", exact=True)
            with tune.page.expect_response(re.compile("/api/develop$")):
                begin.click()
        reports = dialog.get_by_role("region", name="Development")
        wait_for(lambda: reports.get_by_text("Developed: 1 of 1").count() == 2)
        same("both are shown, the last one first",
             [link.text_content() for link in reports.get_by_role("link").all()],
             ["developed/a.jpg", "developed/a.png"])


def test_a_crop_is_not_lost_by_opening_another_picture(bench, chromium, shoot):
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.open("a.dng")
        tune.key("r")
        crop = tune.page.get_by_role("region", name="Crop", exact=True)
        angle = crop.get_by_label("Angle in degrees")
        angle.fill("5")
        angle.press("Tab")
        tune.open("b.dng")
        same("the tool has ended", crop.count(), 0)
        same("the other picture is as it was", tune.value("Straighten"), 0)
        same("the picture keeps it", tune.open("a.dng").value("Straighten"), 5)
        tune.key("r", "Escape")
        same("Escape alone leaves it", tune.value("Straighten"), 5)


def test_snapshots_are_there_at_the_next_start(bench, chromium, shoot):
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.open("a.dng").type("Exposure", 1)
        tune.page.get_by_role("tab", name="History").click()
        tune.page.get_by_label("Name of a snapshot").fill("bright")
        tune.page.get_by_label("Name of a snapshot").press("Enter")
        tune.button("bright").wait_for()
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.open("a.dng")
        tune.key("Control+z")
        same("the picture is as before", tune.value("Exposure"), 0)
        tune.page.get_by_role("tab", name="History").click()
        tune.button("bright").click()
        same("the snapshot gives its values", tune.settled().value("Exposure"), 1)
        tune.open("b.dng").page.get_by_role("tab", name="History").click()
        same("another picture has none", tune.button("bright").count(), 0)
        tune.open("a.dng")
        tune.button("Remove snapshot bright").click()
        tune.button("bright").wait_for(state="detached")
    [kept] = (bench.folder / "state").rglob("tune/*.json")
    same("nobody else may read it", kept.stat().st_mode & 0o777, 0o600)
    kept.write_text("{")
    with served(bench, shoot) as server, page(chromium, server.url, quiet=False) as tune:
        tune.open("a.dng")
        check("that the file is damaged is said", "remove it" in tune.says("damaged"))
        same("it is left alone", kept.read_text(), "{")


def test_pastes_to_many(bench, chromium, shoot):
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.open("a.dng").type("Exposure", 1)
        tune.picture("c.dng").click(modifiers=["Shift"])
        tune.key("c")
        dialog = tune.page.get_by_role("dialog")
        dialog.get_by_role("button", name=re.compile(r"^Paste to \d")).click()
        pasted = [material.sidecar(shoot / f"{name}.dng") for name in "bc"]
        wait_for(lambda: all(path.exists() for path in pasted))
        for path in pasted:
            check("it is in the sidecar", "exposure: 1" in path.read_text(), path.read_text())


def test_pastes_to_a_large_folder(bench, chromium, shoot):
    many = bench.make("many")
    names = [f"{number:04}.dng" for number in range(251)]
    for name in names:
        os.link(shoot / "b.dng", many / name)
    # One that cannot be written, and one that says more than is pasted.
    material.sidecar(many / names[100]).write_text("raw: {exposure: bright}\n")
    material.sidecar(many / names[200]).write_text("# mine\nraw: {contrast: 0.5}\n")
    with served(bench, many) as server, page(chromium, server.url) as tune:
        tune.opened(names[0]).type("Exposure", 1)
        tune.strip.get_by_role("listbox").press("Control+a")
        tune.key("c")
        dialog = tune.page.get_by_role("dialog")
        with tune.page.expect_response("**/api/paste"):
            dialog.get_by_role("button", name="Paste to 250 pictures").click()
        dialog.get_by_text("Pasted to 249 of 250 pictures; 1 failed.").wait_for()
        same("how far it is was asked for in pieces",
             len([url for url in tune.requests if url.endswith("/api/paste")]), 3)
        failures = dialog.get_by_role("list", name="Failures").get_by_role("listitem")
        check("what failed is named", names[100] in failures.first.text_content())
    for name in names[1:]:
        text = material.sidecar(many / name).read_text()
        check(f"{name} has it", ("exposure: 1" in text) == (name != names[100]), text)
    check("what was there stays", "# mine" in material.sidecar(many / names[200]).read_text())
    none("nothing half is left", [path.name for path in many.glob(".*rawdev-tmp")])


def test_raws_that_are_damaged_or_vanish(bench, chromium, shoot):
    (shoot / "bad.dng").write_bytes((shoot / "a.dng").read_bytes()[:400])
    (shoot / "text.dng").write_text("This is no raw.\n" * 100)
    with served(bench, shoot) as server, page(chromium, server.url, quiet=False) as tune:
        tune.open("a.dng")
        for name in ("bad.dng", "text.dng"):
            tune.picture(name).click()
            tune.page.get_by_role("heading", name=name).wait_for()
            wait_for(lambda: len(tune.viewer.inner_text()) > 10)
            said = tune.viewer.inner_text()
            check(f"{name}: the page says why", len(said) > 10, said)
        tune.open("b.dng")
        (shoot / "c.dng").unlink()
        tune.picture("c.dng").wait_for(state="detached")
        tune.open("a.dng").type("Exposure", 1).save()


def test_ends_cleanly(bench, chromium, shoot):
    for number in (signal.SIGINT, signal.SIGTERM):
        server = Server(bench, shoot)
        with page(chromium, server.url, quiet=False) as tune:
            tune.open("a.dng")
            tune.key("e")
            dialog = tune.page.get_by_role("dialog", name="Develop")
            if dialog.get_by_label(re.compile("^All 3")).count():
                dialog.get_by_label(re.compile("^All 3")).check()
            dialog.get_by_role("button", name=re.compile("^Develop")).click()
            ended = server.end(number)
            check("a signal in the middle of work ends it", ended.code in (0, 128 + number),
                  json.dumps([ended.code, *ended.messages]))
        none("no process is left", bench.alive())
        none("nothing half is left", [path.name for path in shoot.rglob(".*rawdev-tmp")])
