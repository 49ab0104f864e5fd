"""The panel of the page: numbers as people know them, Auto, looks, mixer, wheels, files."""
import math
import re

import pytest

from batch import material
from support.checks import check, none, same
from support.program import wait_for
from tune.tune import page, served

pytestmark = pytest.mark.full


def kept(raw):
    """The sidecar of a raw; empty where there is none."""
    path = material.sidecar(raw)
    return path.read_text() if path.exists() else ""


def test_numbers_are_those_of_other_programs(bench, chromium, shoot):
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.open("a.dng").type("Contrast", 25).kept()
        check("the sidecar has the value of the property",
              "contrast: 0.25\n" in kept(shoot / "a.dng"), kept(shoot / "a.dng"))
        same("the history says what is shown", tune.history()[0], ["Opened", "Contrast 25"])
        slider = tune.slider("Contrast")
        same("so does the slider", slider.get_attribute("aria-valuetext"), "25")
        slider.press("ArrowRight")
        same("a key is a step of one", tune.settled().value("Contrast"), 26)
        tune.type("Texture", 250)
        same("the field takes more than the slider", tune.value("Texture"), 250)
        for name, ends in (("Contrast", ["-100", "100"]), ("Grain", ["0", "100"]),
                           ("Exposure", ["-5", "5"]), ("Straighten", ["-45", "45"]),
                           ("Tint", ["-150", "150"]), ("Shadows hue", ["0", "360"])):
            slider = tune.slider(name)
            same(f"the slider of {name}", [slider.get_attribute(end) for end in ("min", "max")],
                 ends)


def test_what_a_value_needs_comes_with_it(bench, chromium, shoot):
    raw = shoot / "a.dng"
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.open("a.dng").slider("Midtones hue").press("ArrowRight")
        tune.settled()
        same("a hue brings its saturation", tune.value("Midtones saturation"), 25)
        check("both are one step", wait_for(lambda: len(tune.history()[0]) == 2))
        tune.key("Control+z")
        same("which undo takes back", tune.value("Midtones saturation"), 0)
        tune.type("Red gray", 40).kept()
        check("a gray makes black and white", all(
            line in kept(raw) for line in ("redGray: 0.4", "isBlackAndWhiteEnabled: true")),
            kept(raw))
        same("the head says so", tune.button("Black and white").get_attribute("aria-pressed"),
             "true")
        tune.button("Color").click()
        tune.settled().kept()
        check("and takes it back", "isBlackAndWhiteEnabled" not in kept(raw), kept(raw))


def fold(tune, title):
    tune.page.get_by_role("button", name=re.compile(rf"^{title}( \d+)?$")).first.click()


def test_the_mixer_is_one_table(bench, chromium, shoot):
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.open("a.dng")
        fold(tune, "Mixer")
        mixer = tune.page.get_by_role("tablist", name="Values of the mixer")
        slider = lambda name: tune.page.get_by_role("slider", name=name, exact=True)
        same("the columns", mixer.get_by_role("tab").all_text_contents(),
             ["Hue", "Saturation", "Luminance"])
        same("eight rows are seen", [slider(f"Red {part}").count()
                                     for part in ("hue", "saturation", "gray")], [1, 0, 0])
        mixer.get_by_role("tab", name="Hue").press("ArrowRight")
        same("arrows go to the next", [slider(f"Red {part}").count()
                                       for part in ("hue", "saturation")], [0, 1])
        tune.button("Black and white").click()
        tune.settled()
        same("black and white has one column", mixer.get_by_role("tab").all_text_contents(),
             ["Brightness"])
        same("with its rows", slider("Red gray").count(), 1)


def test_grading_by_a_wheel(bench, chromium, shoot):
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.open("a.dng")
        fold(tune, "Grading")
        wheel = tune.page.get_by_title("Highlights: hue and saturation")
        wheel.scroll_into_view_if_needed()
        box = wheel.bounding_box()
        middle = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
        tune.page.mouse.move(*middle)
        tune.page.mouse.down()
        for step in range(1, 6):
            tune.page.mouse.move(middle[0], middle[1] - box["height"] * 0.05 * step)
        tune.page.mouse.up()
        tune.settled()
        steps = tune.history()[0]
        same("a drag is one step", len(steps), 2)
        check("that names both", steps[1].startswith("Highlights 90°, "), steps)
        check("up is 90 degrees", abs(tune.value("Highlights hue") - 90) <= 2)
        check("half of the radius is 50",
              math.isclose(tune.value("Highlights saturation"), 50, abs_tol=3))
        tune.find("")
        tune.button("Reset Highlights grading").click()
        same("its reset takes both", [tune.settled().value(f"Highlights {part}")
                                      for part in ("hue", "saturation")], [0, 0])


def test_turning_and_the_crop_are_buttons(bench, chromium, shoot):
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.open("a.dng").find("Orientation")
        rows = tune.page.locator('[data-name="orientation"]')
        rows.get_by_role("button", name="Turn right").click()
        tune.settled()
        rows.get_by_role("button", name="Flip").click()
        same("each is a step", tune.settled().history()[0], ["Opened", "Turned right", "Mirrored"])
        tune.find("Crop")
        tune.page.locator("#control-crop").click()
        tune.page.get_by_role("region", name="Crop", exact=True).wait_for()


def test_files_are_chosen_from_those_beside_the_raw(bench, chromium, shoot):
    (shoot / "warm.cube").write_text("LUT_3D_SIZE 2\n" + "".join(
        f"{r} {g} {b}\n" for b in (0, 1) for g in (0, 1) for r in (0, 1)))
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.open("a.dng").find("Look file")
        with tune.page.expect_response(re.compile("/files$")):
            tune.page.get_by_label("Look file", exact=True).focus()
        names = lambda name: tune.page.locator(f"#files-{name} option").evaluate_all(
            "all => all.map(each => each.value)")
        check("looks are listed", wait_for(lambda: names("lutPath") == ["warm.cube"]))
        tune.page.get_by_label("Look file", exact=True).fill("warm.cube")
        tune.page.keyboard.press("Enter")
        tune.settled().kept()
        check("one is taken", "lutPath: warm.cube" in kept(shoot / "a.dng"))
        tune.find("White of another raw")
        tune.page.get_by_label("White of another raw", exact=True).focus()
        check("so are raws", wait_for(lambda: names("whiteFrom") == ["b.dng", "c.dng"]))


def test_the_white_balance_is_a_menu(bench, chromium, shoot):
    raw = shoot / "a.dng"
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.open("a.dng").find("")
        menu = tune.page.get_by_label("White balance", exact=True)
        menu.select_option("Auto")
        tune.settled().kept()
        check("automatic", "isAutomaticWhiteBalanceEnabled: true" in kept(raw), kept(raw))
        tune.type("Temperature", 4000).kept()
        check("a temperature takes its place", "Automatic" not in kept(raw), kept(raw))
        tune.find("")
        same("the menu says so", menu.input_value(), "As set")
        menu.select_option("As shot")
        tune.settled().kept()
        same("as shot, nothing is set", kept(raw), "")


def test_auto_is_one_step(bench, chromium, shoot):
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.open("a.dng")
        with tune.page.expect_response(re.compile("/auto$")):
            tune.key("a")
        check("it is a step", wait_for(lambda: tune.history()[0] == ["Opened", "Auto"]))
        tune.key("Control+z").kept()
        same("which can be undone", kept(shoot / "a.dng"), "")


def test_looks_are_seen_applied_and_saved(bench, chromium, shoot):
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.open("a.dng")
        tune.button("Look").click()
        menu = tune.page.get_by_role("menu", name="Look")
        first = menu.get_by_role("group", name="Looks").get_by_role("menuitem").first
        check("there are previews", wait_for(
            lambda: first.locator("img").evaluate("image => image.naturalWidth") > 0))
        title = first.text_content()
        first.click()
        tune.settled()
        same("a look is one step", tune.history()[0], ["Opened", f"Look: {title}"])
        tune.page.get_by_role("tab", name="Adjust").click()
        tune.type("Exposure", 1).type("Vibrance", 37)
        tune.button("Look").click()
        menu.get_by_role("menuitem", name="Save as look").click()
        tune.page.get_by_label("Name", exact=True).fill("mine")
        with tune.page.expect_response(re.compile("/api/looks$")):
            tune.page.get_by_label("Name", exact=True).press("Enter")
        tune.open("b.dng").button("Look").click()
        menu.get_by_role("menuitem", name="mine", exact=True).click()
        same("a saved one has no exposure", [tune.settled().value(name) for name in (
            "Vibrance", "Exposure")], [37, 0])
        tune.button("Look").click()
        with tune.page.expect_response(re.compile("/api/looks/remove$")):
            menu.get_by_role("menuitem", name="Remove mine").click()
        tune.button("Look").click()
        none("it can be removed", menu.get_by_role("menuitem", name="mine").all())
