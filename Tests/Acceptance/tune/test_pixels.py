"""What the page of rawdev tune shows against what rawdev develop writes, and against raws whose
light is known."""
import math
import re

import imagecodecs
import numpy as np
import pytest
import tifffile

from batch import material
from readers.synthetic import linear_dng
from support import light
from support.checks import check, none, same
from support.program import run
from tune.tune import PATCH, SDR, WHITE, developed, difference, page, patch, patches, served

pytestmark = pytest.mark.full
TABLE = "The page of rawdev tune against rawdev develop (tune/test_pixels.py)"
LOOKS = {
    "default": "",
    "light": "exposure: 0.5, highlights: -0.5, shadows: 0.5, contrast: 0.25, vibrance: 0.5",
    "detail": "sharpnessAmount: 1, luminanceNoiseReductionAmount: 0.75, localToneMapAmount: 1",
    "frame": "crop: '10%,20%,60%,50%', straightenAngle: 3, orientation: 6",
    "look": "isBlackAndWhiteEnabled: true, vignetteAmount: -0.5, grainAmount: 0.5",
}


def give(raw, values):
    if values:
        material.sidecar(raw).write_text("raw: {%s}\n" % values)


@pytest.mark.parametrize("kind", ["a.dng", "b.dng", "c.dng"])
def test_at_100_percent_it_is_the_file(bench, rawdev, chromium, shoot, record, kind):
    raw = shoot / kind
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        for name, values in LOOKS.items():
            give(raw, values)
            tune.page.reload()
            tune.open(kind)
            tune.zoom("100 %")
            most = difference(tune, developed(rawdev, raw, bench.folder))
            record(TABLE, picture=f"{kind} {name}", **{"at 100 %, most, 8-bit codes": most})
            check(f"{name}: pixels are those of the file", most <= 1, most)
            # Moved to a corner it is still the same file.
            tune.viewer.focus()
            for _ in range(12):
                tune.page.keyboard.press("Shift+ArrowRight")
                tune.page.keyboard.press("Shift+ArrowDown")
            tune.settled()
            whole, seen = developed(rawdev, raw, bench.folder), tune.seen()
            rows, columns = (min(a, b) for a, b in zip(seen.shape, whole.shape[:2]))
            if rows < whole.shape[0] and columns < whole.shape[1]:
                corner = np.abs(seen[-rows:, -columns:].astype(int) - whole[-rows:, -columns:])
                check(f"{name}: the corner, too", corner.max() <= 1, corner.max())


def cells(picture):
    """Means of light of 8 × 6 cells."""
    linear = light.srgb_light(picture / 255.0)
    rows = np.array_split(linear, 6, axis=0)
    return np.array([[cell.mean(axis=(0, 1)) for cell in np.array_split(row, 8, axis=1)]
                     for row in rows])


@pytest.mark.parametrize("name", ["default", "light", "detail"])
def test_at_fit_it_is_the_file_made_smaller(bench, rawdev, chromium, alone, large, record, name):
    raw = alone(large)
    give(raw, LOOKS[name])
    with served(bench, raw.parent) as server, page(chromium, server.url) as tune:
        seen = tune.opened("a.dng").seen()
        # What is around the picture is neutral and even.
        ground = seen[2, 2]
        inside = np.abs(seen.astype(int) - ground).max(axis=2) > 2
        rows, columns = np.flatnonzero(inside.mean(axis=1) > 0.5), \
            np.flatnonzero(inside.mean(axis=0) > 0.5)
        shown = seen[rows[0]:rows[-1] + 1, columns[0]:columns[-1] + 1]
        whole = developed(rawdev, raw, bench.folder)
        ratio = shown.shape[1] / shown.shape[0] / (whole.shape[1] / whole.shape[0])
        check("its shape is that of the file", abs(ratio - 1) < 0.01, shown.shape)
        # Developed at this size, too: tones and sharpness are made there, so that what is clipped
        # or dark within a cell differs from the file at full size.
        factor = ["--scale-factor", str(shown.shape[1] / whole.shape[1])]
        small = developed(rawdev, raw, bench.folder, *SDR, *factor)
        near = max(abs(a - b) for a, b in zip(small.shape, shown.shape))
        check("its size is that of the file at this size", near <= 1, [small.shape, shown.shape])
        a, b, full = cells(shown), cells(small), cells(whole)
        most = float((np.abs(a - b) / np.maximum(b, 0.02)).max())
        apart = float((np.abs(a - full) / np.maximum(full, 0.02)).mean())
        record(TABLE, picture=f"simulated, 2400 × 1600, {name}",
               **{"at fit, 8 × 6 cells, most": f"{100 * most:.2f} %",
                  "mean of those of the file at full size": f"{100 * apart:.2f} %"})
        check("cells are those of the file at full size, in the mean", apart <= 0.02, apart)
        check("means of 8 × 6 cells are those of the file", most <= 0.005, most)


def test_values_that_are_kept_give_what_was_shown(bench, rawdev, chromium, shoot):
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.open("a.dng")
        tune.zoom("100 %")
        for name, value in (("Exposure", 0.75), ("Temperature", 4300),
                            ("Shadows", 30), ("Red saturation", 50)):
            tune.type(name, value)
        shown = tune.seen()
        tune.save()
        whole = developed(rawdev, shoot / "a.dng", bench.folder)
        most = difference(tune, whole, shown)
        check("the saved sidecar gives the picture that was shown", most <= 1, most)


def test_crop_and_turn(bench, rawdev, chromium, shoot):
    raw = shoot / "a.dng"
    with served(bench, shoot) as server, page(chromium, server.url) as tune:
        tune.open("a.dng")
        before = developed(rawdev, raw, bench.folder).shape
        tune.key("r")
        crop = tune.page.get_by_role("region", name="Crop", exact=True)
        box = crop.get_by_role("group", name=re.compile(r"^Crop \d+ × \d+ pixels"))
        crop.get_by_label("Aspect ratio", exact=True).last.select_option("free")
        frame = box.bounding_box()
        # From the left upper corner a quarter of each side inwards.
        tune.page.mouse.move(frame["x"] + 2, frame["y"] + 2)
        tune.page.mouse.down()
        tune.page.mouse.move(frame["x"] + frame["width"] / 4, frame["y"] + frame["height"] / 4,
                             steps=8)
        tune.page.mouse.up()
        tune.page.keyboard.press("Enter")
        tune.settled().save()
        size = developed(rawdev, raw, bench.folder).shape
        for length, old in zip(size[:2], before[:2]):
            check("three quarters of each side are left", abs(length / old - 0.75) < 0.02, size)
        tune.zoom("100 %")
        most = difference(tune, developed(rawdev, raw, bench.folder))
        check("what is left is what was shown", most <= 1, most)
        tune.zoom("Fit")
        tune.key(".")
        tune.save()
        turned = developed(rawdev, raw, bench.folder).shape
        same("turned by 90°", turned[:2], (size[1], size[0]))
        tune.key("r")
        crop.get_by_label("Angle in degrees").fill("5")
        crop.get_by_label("Angle in degrees").press("Tab")
        crop.get_by_role("button", name="Done").click()
        tune.settled().save()
        text = material.sidecar(raw).read_text()
        check("the angle is kept", "straightenAngle: 5" in text, text)
        tune.zoom("100 %")
        most = difference(tune, developed(rawdev, raw, bench.folder))
        check("straightened, it is what is shown", most <= 1, most)
        tune.key("r", "Escape")
        check("Escape leaves the crop", "straightenAngle: 5" in material.sidecar(raw).read_text()
              and not tune.page.title().startswith("•"))


def test_white_is_picked_on_the_picture(bench, rawdev, chromium):
    folder = bench.make("white")
    rows = np.full((400, 500, 3), 0.3)
    rows[100:300, 100:400] = [0.42, 0.30, 0.18]
    tifffile.imwrite(folder / "a.dng", (rows * WHITE).astype(np.uint16), byteorder="<",
                     **linear_dng("rawdev white", WHITE))
    with served(bench, folder) as server, page(chromium, server.url) as tune:
        tune.opened("a.dng").zoom("100 %")
        middle = developed(rawdev, folder / "a.dng", bench.folder)[200, 250].astype(int)
        check("it is not neutral at first", np.ptp(middle) > 20, middle)
        tune.key("w")
        tune.page.mouse.click(*tune.point(250, 200, (400, 500)))
        tune.says("White balance")
        tune.settled().save()
        text = material.sidecar(folder / "a.dng").read_text()
        check("temperature and tint are kept",
              "neutralTemperature" in text and "neutralTint" in text, text)
        picked = developed(rawdev, folder / "a.dng", bench.folder)[200, 250].astype(int)
        check("it is neutral now", np.ptp(picked) <= 3, picked)
        there, here = tune.place((400, 500, 3))
        shown = tune.seen()[there][200, 250].astype(int)
        check("and shown so", np.ptp(shown) <= 3, shown)


def legend(tune, caption):
    """Colors of an overlay by what the page says that they mean."""
    entries = tune.page.get_by_label(caption, exact=True).locator("dd")
    colors = entries.evaluate_all("""all => all.map(entry => [entry.textContent,
      getComputedStyle(entry.querySelector('i')).backgroundColor])""")
    return {text: np.array([int(n) for n in re.findall(r"\d+", color)][:3])
            for text, color in colors}


def marked(tune, size, rows):
    """Colors in the middle of each patch, as seen."""
    there, _ = tune.place(size)
    seen = tune.seen()[there]
    return [[np.median(patch(seen, row, column), axis=0) for column in range(len(rows[0]))]
            for row in range(len(rows))]


def test_clipping_is_marked_where_the_sensor_is_saturated(bench, rawdev, chromium):
    rows = [[(1, .3, .3), (.3, 1, .3), (.3, .3, 1), (1, 1, 1)],
            [(.97, .3, .3), (.3, .97, .3), (.3, .3, .97), (.5, .5, .5)]]
    raw = patches(bench.make("clipped") / "a.dng", rows)
    with served(bench, raw.parent) as server, page(chromium, server.url) as tune:
        tune.opened("a.dng").zoom("100 %")
        size = developed(rawdev, raw, bench.folder).shape
        plain = marked(tune, size, rows)
        tune.key("Shift+J")
        colors, found = legend(tune, "Clipped at the sensor"), marked(tune, size, rows)
        for column, name in enumerate(["Red", "Green", "Blue", "All"]):
            distance = np.abs(found[0][column] - colors[name]).max()
            check(f"{name} is marked", distance <= 2, [found[0][column].tolist(), str(colors)])
            distance = np.abs(found[1][column] - plain[1][column]).max()
            check(f"below saturation {name} is not", distance <= 1, found[1][column].tolist())
        tune.key("Shift+J")
        check("without marks it is as before", np.allclose(marked(tune, size, rows), plain, atol=1))


def test_zones_are_marked_by_the_light_of_the_file(bench, rawdev, chromium):
    levels = [2.0 ** -stop for stop in np.arange(0.25, 8.25, 0.5)]
    rows = [[(level,) * 3 for level in levels[:8]], [(level,) * 3 for level in levels[8:]]]
    raw = patches(bench.make("zones") / "a.dng", rows, baseline=5)
    give(raw, "boostAmount: 0")
    hdr = bench.folder / "hdr.png"
    run(rawdev, "develop", raw, "-o", hdr, "--format", "png")
    signal = imagecodecs.png_decode(hdr.read_bytes())[..., :3] / 65535
    nits = light.pq_light(signal) @ light.LUMINANCE
    with served(bench, raw.parent) as server, page(chromium, server.url) as tune:
        tune.opened("a.dng").zoom("100 %")
        plain = marked(tune, nits.shape, rows)
        tune.key("Shift+O")
        colors, found = legend(tune, "Stops above reference white"), marked(tune, nits.shape, rows)
        zones, seen = list(colors), set()
        for row, line in enumerate(rows):
            for column, _ in enumerate(line):
                area = nits[row * PATCH + 20:(row + 1) * PATCH - 20,
                            column * PATCH + 20:(column + 1) * PATCH - 20]
                stops = math.log2(max(float(np.median(area)), 1e-6))
                # At the border of two zones either is right.
                if abs(stops - round(stops)) < 0.03:
                    continue
                zone = min(math.floor(stops), len(zones) - 1)
                color = colors[zones[zone]] if zone >= 0 else plain[row][column]
                distance = np.abs(found[row][column] - color).max()
                seen.add(max(zone, -1))
                check(f"{stops:+.2f} stops are {zones[zone] if zone >= 0 else 'not marked'}",
                      distance <= 2, [found[row][column].tolist(), color.tolist()])
        check("several zones are seen", len(seen) >= 4, sorted(seen))


def test_colors_out_of_gamut_are_marked(bench, rawdev, chromium):
    rows = [[(.02, .5, .02), (.5, .02, .02), (.4, .4, .4), (.4, .36, .32)]]
    raw = patches(bench.make("gamut") / "a.dng", rows)
    with served(bench, raw.parent) as server, page(chromium, server.url) as tune:
        tune.opened("a.dng").zoom("100 %")
        size = developed(rawdev, raw, bench.folder).shape
        plain = marked(tune, size, rows)
        tune.key("Shift+G")
        outside, found = legend(tune, "Gamut of the output")["Outside"], marked(tune, size, rows)
        for column in (0, 1):
            check("primaries of BT.2020 are out of sRGB",
                  np.abs(found[0][column] - outside).max() <= 2, found[0][column].tolist())
        for column in (2, 3):
            check("grays are not", np.abs(found[0][column] - plain[0][column]).max() <= 1)


@pytest.mark.parametrize("limit", [None, 2])
def test_highlights_are_looked_at_stops_down(bench, rawdev, chromium, limit):
    rows = [[(.5, .5, .5), (.9, .9, .9)]]
    raw = patches(bench.make("down") / "a.dng", rows, baseline=3)
    if limit:
        material.sidecar(raw).write_text(f"render: {{headroomLimit: {limit}}}\n")
    with served(bench, raw.parent) as server, page(chromium, server.url) as tune:
        tune.opened("a.dng").zoom("100 %")
        check("that the display is SDR is said",
              tune.page.get_by_text("SDR display").is_visible())
        size = developed(rawdev, raw, bench.folder).shape
        hdr = bench.folder / "hdr.png"
        run(rawdev, "develop", raw, "-o", hdr, "--format", "png")
        signal = imagecodecs.png_decode(hdr.read_bytes())[..., :3] / 65535
        top = light.pq_light(np.median(patch(signal, 0, 1), axis=0)).mean()
        check("the limit acts", top <= 2.01 if limit else top > 2.2, top)
        for stops in (2, 4):
            tune.key("h")
            found = marked(tune, size, rows)
            for column in (0, 1):
                shown = light.srgb_light(found[0][column] / 255).mean()
                lit = light.pq_light(np.median(patch(signal, 0, column), axis=0)).mean()
                wanted = min(lit / 2 ** stops, 1)
                check(f"{stops} stops down", abs(shown - wanted) <= 0.02 * wanted + 0.005,
                      [shown, wanted])
        none("no failure is shown", tune.viewer.get_by_text("error").all_text_contents())
