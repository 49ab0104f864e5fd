"""Profiles, white and exposure from a photographed ColorChecker: a simulated camera whose true
colors are known (support/chart.py), real charts, sets of pictures, and what is refused. Profiles
are read by exiftool and by the test's own parser, pictures by tifffile."""
import json
import os
import shutil

import numpy as np
import pytest
import tifffile

from batch.bench import digests, files
from support import chart
from support.checks import check, near, none, same
from support.program import attempt, run
from support.tiers import few

# Linear BT.2020, nothing measured in the picture but what is asked for.
LINEAR = ["--format", "tiff-float", "--look", "scene", "--no-lens-correction"]
CAPTURE = {"ExposureTime": 1 / 100, "FNumber": 8, "ISO": 100}
D50 = ["--illuminant", "0.3457,0.3585"]


def by_chart(path):
    return ["--white-from", path, "--white-patch", "chart", "--exposure-from", path,
            "--exposure-patch", "chart"]


@pytest.fixture(scope="module")
def photographed(folder):
    return chart.photograph(folder / "chart.dng", **CAPTURE)


@pytest.fixture(scope="module")
def profile(rawdev, folder, photographed):
    """The profile of the simulated camera, and the report."""
    path = folder / "camera.dcp"
    return path, json.loads(run(rawdev, "profile", photographed, "-o", path, *D50, "--json"))


def light(rawdev, raw, target, *options):
    run(rawdev, "develop", raw, "-o", target, *LINEAR, *options, "--overwrite")
    return tifffile.imread(target)


def differences(pixels):
    """CIEDE2000 of the patches of a developed chart."""
    return chart.difference(chart.LAB, chart.lab(chart.from_bt2020(chart.patches(pixels))))


def test_matrices_are_the_cameras(profile):
    path, report = profile
    tags = chart.dcp(path)
    forward, color = (tags[tag].reshape(3, 3) for tag in (50964, 50721))
    near("forward matrix", np.abs(forward - chart.FORWARD).max(), 0, absolute=0.002)
    # Neutral to white, exactly except for the rounding of the file.
    near("white", np.abs(forward.sum(axis=1) - chart.D50).max(), 0, absolute=2e-4)
    made = chart.xyz(chart.LAB) @ color.T
    seen = chart.seen(chart.xyz(chart.LAB))
    scale = (made * seen).sum() / (seen * seen).sum()
    near("color matrix", np.abs(made / scale - seen).max(), 0, absolute=0.003)
    same("light", tags[50778].tolist(), [23])
    same("camera and name", (tags[50708], tags[50936]),
         ("rawdev chart", "rawdev chart ColorChecker"))
    check("the report's matrix", np.allclose(report["forwardMatrix"], forward.ravel(), atol=1e-4),
          report["forwardMatrix"])
    for got, wanted in zip(np.ravel(report["corners"]),
                           np.ravel([chart.place(patch) for patch in (0, 5, 23, 18)])):
        near("corner", got, wanted, absolute=2)


def test_exiftool_reads_the_profile(profile):
    names = ["ForwardMatrix1", "ColorMatrix1", "UniqueCameraModel", "ProfileName", "FileType"]
    said = json.loads(run("exiftool", "-j", "-n", "-validate", *[f"-{n}" for n in names],
                          "-Warning", profile[0]))[0]
    tags = chart.dcp(profile[0])
    for name, tag in (("ForwardMatrix1", 50964), ("ColorMatrix1", 50721)):
        got = [float(number) for number in said[name].split()]
        check(name, np.allclose(got, tags[tag], atol=1e-6), (got, tags[tag]))
    same("kind", (said["FileType"], said["UniqueCameraModel"], said["ProfileName"]),
         ("DCP", "rawdev chart", "rawdev chart ColorChecker"))
    same("no warning", said.get("Warning"), None)


def test_colors_with_and_without(rawdev, tmp, photographed, profile):
    """The report has the differences of developed pictures."""
    path, report = profile
    same("patches", len(report["patches"]), 24)
    for key, options, tolerance in (("before", [], 0.15), ("after", ["--camera-profile", path],
                                                           0.15)):
        pixels = light(rawdev, photographed, tmp / "a.tif", *by_chart(photographed), *options)
        found = differences(pixels)
        near(f"mean {key}", found.mean(), report[key]["mean"], absolute=tolerance)
        near(f"maximum {key}", found.max(), report[key]["maximum"], absolute=3 * tolerance)
    check("better", report["after"]["mean"] < 0.1 < 2 < report["before"]["mean"], report["after"])
    check("other colors", report["leftOut"]["mean"] < 0.2, report["leftOut"])


def test_own_corners_and_illuminant(rawdev, tmp, photographed, profile):
    corners = ",".join(str(n) for p in (0, 5, 23, 18) for n in chart.place(p))
    run(rawdev, "profile", photographed, "-o", tmp / "a.dcp", *D50, "--chart-corners", corners,
        "--name", "By hand")
    tags = chart.dcp(tmp / "a.dcp")
    near("forward matrix", np.abs(tags[50964] - chart.dcp(profile[0])[50964]).max(), 0,
         absolute=0.001)
    same("name", tags[50936], "By hand")


@pytest.mark.full
@pytest.mark.parametrize("name, most", [("gopro_hero7_colorchecker.GPR", 2.3),
                                        ("canonKissX4_colorchart.dng", 2.9)])
def test_real_charts(rawdev, shared, tmp, name, most):
    report = json.loads(run(rawdev, "profile", shared / "raws" / name, "-o", tmp / "a.dcp",
                            "--json"))
    check("mean", report["after"]["mean"] < most, report["after"])
    check("better than the file's", report["after"]["mean"] < report["before"]["mean"] - 0.5,
          report["before"])
    check("no worse than the file's for other colors",
          report["leftOut"]["mean"] < report["before"]["mean"], report["leftOut"])
    check("light", 2500 < chart_temperature(report["light"]) < 6500, report["light"])
    same("matrix", chart.dcp(tmp / "a.dcp")[50964].shape, (9,))
    raw = shared / "raws" / name
    levels = [light(rawdev, raw, tmp / "a.tif", *by_chart(raw), *more, "--scale-factor", "0.25")
              for more in ([], ["--camera-profile", tmp / "a.dcp"])]
    check("the profile is applied", not np.array_equal(*levels), "it makes no difference")


def chart_temperature(light):
    """McCamy's estimate of the correlated color temperature."""
    n = (light["x"] - 0.3320) / (0.1858 - light["y"])
    return 449 * n**3 + 3525 * n**2 + 6823.3 * n + 5520.33


# Names, shutter, aperture, speed, and the light that they let in, of chart.dng's.
FRAMES = {"same": (1 / 100, 8, 100, 1), "longer": (1 / 50, 8, 100, 2), "open": (1 / 400, 4, 100, 1),
          "fast": (1 / 400, 8, 200, 0.5), "dark": (1 / 800, 8, 100, 0.125)}


@pytest.fixture(scope="module")
def pages(folder):
    """The same page, exposed in other ways and with other whites as shot, in two folders."""
    paths = []
    for number, (name, (time, f, speed, gain)) in enumerate(FRAMES.items()):
        target = folder / "pages" / ("even" if number % 2 == 0 else "odd") / f"{name}.dng"
        target.parent.mkdir(parents=True, exist_ok=True)
        paths.append(chart.photograph(
            target, "page", light=0.3 * gain, as_shot=(0.4 + 0.1 * number, 1, 0.7 - 0.1 * number),
            ExposureTime=time, FNumber=f, ISO=speed))
    return paths


def strips(pixels):
    return np.array([pixels[75 + 70 * n:95 + 70 * n, 120:470].astype(float).mean((0, 1))
                     for n in range(5)])


def test_set_agrees(rawdev, tmp, photographed, profile, pages):
    """Pages differ by their exposure and by what the camera took for white; developed by the chart,
    they have the colors of the truth."""
    truth = chart.xyz(chart.LAB[[1, 3, 6, 13, 20]]) * 0.3 / 0.7
    for page in pages:
        options = [*by_chart(photographed), "--camera-profile", profile[0]]
        found = strips(light(rawdev, page, tmp / "a.tif", *options))
        ratio = chart.from_bt2020(found) / truth
        near(f"{page.stem}: light", np.abs(ratio - 1).max(), 0, absolute=0.012)


def test_other_camera(rawdev, tmp, photographed, profile, pages):
    """A page by another camera gets the chromaticity of the light by its own matrix, and the
    exposure."""
    mix = np.array([[0.9, 0.1, 0], [0.05, 0.9, 0.05], [0, 0.15, 0.85]])
    color = chart.dcp(profile[0])[50721].reshape(3, 3)
    page = chart.photograph(tmp / "other.dng", "page", light=0.3, camera="rawdev other",
                            declared=(mix @ color).ravel(), matrix=mix, **CAPTURE)
    mine = strips(light(rawdev, pages[0], tmp / "a.tif", *by_chart(photographed),
                        "--camera-profile", profile[0]))
    # The chart is read by the colors of its own file, which are not the true ones.
    twin = chart.photograph(tmp / "twin.dng", declared=color.ravel(), **CAPTURE)
    found = strips(light(rawdev, page, tmp / "b.tif", *by_chart(twin)))
    away = chart.difference(*(chart.lab(chart.from_bt2020(each)) for each in (mine, found)))
    near("colors", away.max(), 0, absolute=1)


def recipe(folder, photographed, profile, name="set.yaml"):
    path = folder / name
    path.write_text(f"""schema: 1
raw:
  look: scene
  profilePath: {profile}
  whiteFrom: {photographed}
  whitePatch: chart
  exposureFrom: {photographed}
  exposurePatch: chart
outputs:
  master: {{format: tiff-float}}
""")
    return path


@pytest.mark.parametrize("workers", few(1, [4, 1]))
def test_batch(rawdev, tmp, photographed, profile, pages, workers):
    """Any number of workers and folders make what `develop` makes; another chart under the same
    name develops all again, and nothing else does."""
    card = shutil.copy(photographed, tmp / "chart.dng")
    words = ["batch", pages[0].parents[1], "-o", tmp / "out", "--recipe",
             recipe(tmp, card, profile[0]), "--jobs", workers, "--json"]

    def batch():
        done = attempt(rawdev, *words)
        same(f"exit code ({done.stderr})", done.returncode, 0)
        return [json.loads(line)["status"] for line in done.stdout.splitlines()
                if json.loads(line).get("event") == "item"]

    same("all are done", batch(), ["done"] * len(pages))
    made = {path.stem: path for path in (tmp / "out").rglob("*.tif")}
    same("names", sorted(made), sorted(FRAMES))
    for page in pages:
        alone = light(rawdev, page, tmp / "a.tif", *by_chart(card), "--camera-profile", profile[0])
        check(page.stem, np.array_equal(tifffile.imread(made[page.stem]), alone), "differs")
    before = digests(tmp / "out")
    same("nothing has changed", batch(), ["skipped"] * len(pages))
    os.utime(card)
    same("the same chart with another date", batch(), ["skipped"] * len(pages))
    chart.photograph(card, light=0.35, **CAPTURE)
    same("another chart", batch(), ["done"] * len(pages))
    none("pictures that stayed as they were", [name for name, digest in digests(
        tmp / "out").items() if before.get(name) == digest])
    mine = tifffile.imread(made["same"])
    again = light(rawdev, pages[0], tmp / "a.tif", *by_chart(card), "--camera-profile", profile[0])
    check("by the new chart", np.array_equal(mine, again), "differs")


@pytest.fixture(scope="module")
def broken(folder, photographed):
    """Files that give no white or exposure, by name: the raw, keys, and what is said of it."""
    folder /= "broken"
    folder.mkdir()
    cut = folder / "cut.dng"
    cut.write_bytes(photographed.read_bytes()[:200_000])
    (folder / "text.dng").write_text("no raw\n" * 99)
    page = chart.photograph(folder / "page.dng", "page", **CAPTURE)
    silent = chart.photograph(folder / "silent.dng")
    bright = chart.photograph(folder / "bright.dng", light=1.6, **CAPTURE)
    black = chart.photograph(folder / "black.dng", light=0, **CAPTURE)
    return {
        "missing": (folder / "missing.dng", "chart", "there is no such file"),
        "folder": (folder, "chart", "this is a folder"),
        "damaged": (cut, "chart", "beyond the end of the file"),
        "no raw": (folder / "text.dng", "chart", "not a supported raw format"),
        "no chart": (page, "chart", "no ColorChecker was found"),
        "clipped chart": (bright, "chart", "clipped at"),
        "black": (black, "40,20,30,30", "is black"),
        "outside": (photographed, "620,20,30,30", "lies outside"),
        "silent": (silent, "chart", "shutter time")}


KINDS = ["missing", "folder", "damaged", "no raw", "no chart", "clipped chart"]


@pytest.mark.parametrize("key, kind", [
    *((key, kind) for key in ("white", "exposure") for kind in (*KINDS, "black", "outside")),
    ("exposure", "silent")])
def test_refused(rawdev, tmp, broken, pages, kind, key):
    """One line that names the file at fault, and nothing written, by develop and by batch."""
    path, patch, said = broken[kind]
    options = [f"--{key}-from", path, f"--{key}-patch", patch]
    out = tmp / "out"
    out.mkdir()
    done = attempt(rawdev, "develop", pages[0], "-o", out / "a.tif", *LINEAR, *options)
    check("exit code", done.returncode in (2, 65, 66), done.returncode)
    same("lines", len(done.stderr.splitlines()), 1)
    check("reason", said in done.stderr and str(path) in done.stderr, done.stderr)
    check("no option of another command", "--chart-corners" not in done.stderr, done.stderr)
    same("nothing is left", list(out.iterdir()), [])
    document = tmp / "one.yaml"
    document.write_text(f"schema: 1\nraw:\n  {key}From: {path}\n  {key}Patch: '{patch}'\n"
                        "outputs:\n  a: {format: tiff-float}\n")
    done = attempt(rawdev, "batch", pages[0].parent, "-o", out, "--recipe", document, "--json")
    check("batch fails", done.returncode not in (0, 70), done.returncode)
    failed = [json.loads(line) for line in done.stdout.splitlines()]
    failed = [line for line in failed if line.get("event") == "item"]
    messages = [line["error"]["message"] for line in failed] or done.stderr.splitlines()
    said = {"missing": "No such file", "folder": "it is not a regular file"}.get(kind, said)
    check("each says why", messages and all(
        said in message and str(path) in message and "\n" not in message
        for message in messages), (messages, done.stderr))
    same("no picture is left", [name for name in files(out)], [])


@pytest.mark.parametrize("kind", KINDS)
def test_no_profile(rawdev, tmp, broken, kind):
    out = tmp / "out"
    out.mkdir()
    path, _, said = broken[kind]
    done = attempt(rawdev, "profile", path, "-o", out / "a.dcp")
    check("exit code", done.returncode in (2, 65, 66), done.returncode)
    same("lines", len(done.stderr.splitlines()), 1)
    check("reason", said in done.stderr and str(path) in done.stderr, done.stderr)
    same("nothing is left", list(out.iterdir()), [])


@pytest.mark.parametrize("options, said", [
    (["--chart-corners", "1,2,3,4,5,6,7,8"], "no quadrangle"),
    (["--chart-corners", "130,110,900,110,900,338,130,338"], "reaches beyond the picture"),
    (["--chart-corners", "1,2,3"], "eight comma-separated numbers"),
    (["--illuminant", "0.9,0.9"], "x and y of an illuminant"),
    (["--chart", "passport"], "after2014")])
def test_bad_options(rawdev, tmp, photographed, options, said):
    done = attempt(rawdev, "profile", photographed, "-o", tmp / "a.dcp", *options)
    check("refused", done.returncode in (2, 64), done.returncode)
    check("reason", said in done.stderr, done.stderr)
    same("nothing is left", list(tmp.iterdir()), [])


def test_other_files_are_kept(rawdev, tmp, photographed):
    """A profile never replaces the chart itself."""
    card = shutil.copy(photographed, tmp / "chart.dng")
    before = digests(tmp)
    done = attempt(rawdev, "profile", card, "-o", card)
    check("refused", done.returncode != 0 and "is the input itself" in done.stderr,
          done.stderr)
    same("kept", digests(tmp), before)
    done = attempt(rawdev, "profile", card, "-o", tmp / "none/a.dcp")
    check("no folder", "the folder does not exist" in done.stderr, done.stderr)


# Looks from previews

SERIES = ["canon_CRW_0104.CRW", "canon_CRW_0105.CRW", "canon_CRW_0113.CRW", "canon_CRW_0118.CRW"]


def test_looks_of_previews(rawdev, folder, shared):
    raws = [shared / "more/raws" / name for name in SERIES]
    for raw in raws:
        if not raw.exists():
            pytest.skip(f"{raw} is missing")
    look, cube = folder / "s40.rawlook", folder / "s40.cube"
    report = json.loads(run(rawdev, "profile", "--from-previews", *raws, "-o", look, "--style",
                            "standard", "--json"))
    same("camera", (report["camera"], report["style"]), ("Canon PowerShot S40", "standard"))
    held = [picture["heldOut"] for picture in report["pictures"]]
    check("held out", len(held) == 4 and np.mean(held) < 2, held)
    check("text", look.read_text().startswith("rawlook 1\n"), look)
    again = folder / "again.rawlook"
    run(rawdev, "profile", "--from-previews", *raws, "-o", again, "--style", "standard")
    same("the same again", again.read_bytes(), look.read_bytes())
    run(rawdev, "profile", "--from-previews", *raws, "-o", cube)
    check("cube", "LUT_3D_SIZE 33" in cube.read_text(), cube)

    def developed(name, *options):
        target = folder / f"{name}.tif"
        run(rawdev, "develop", raws[0], "-o", target, "--format", "tiff", "--color-space",
            "srgb", "--scale-factor", "0.25", *options)
        return tifffile.imread(target).astype(float) / 65535

    plain, by_look, by_cube = (developed(name, *options) for name, options in (
        ("plain", []), ("look", ["--look", look]), ("cube", ["--lut", cube])))
    check("it changes the picture", np.abs(by_look - plain).mean() > 0.005, "no change")
    near("the cube", np.abs(by_look - by_cube).mean(), 0, absolute=0.002)
    profile = folder / "s40.dcp"
    run(rawdev, "profile", "--from-previews", *raws, "-o", profile)
    by_profile = developed("profile", "--camera-profile", profile)
    near("the camera profile", np.abs(by_look - by_profile).mean(), 0, absolute=0.003)
    none = attempt(rawdev, "profile", "--from-previews", shared / "raws/canonKissX4_colorchart.dng",
                   "-o", folder / "dng.dcp")
    check("no camera profile of a DNG", none.returncode != 0, none.stderr)
    recipe = folder / "look.yaml"
    recipe.write_text("raw:\n  lutPath: s40.rawlook\n")
    same("by a recipe", developed("recipe", "--recipe", recipe).tolist(), by_look.tolist())
    recipe.write_text("raw:\n  look: s40.rawlook\n")
    same("as its look", developed("spelled", "--recipe", recipe).tolist(), by_look.tolist())
    recipe.write_text("raw:\n  look: none.rawlook\n")
    missing = attempt(rawdev, "develop", raws[0], "-o", folder / "none.tif", "--recipe", recipe)
    check("a look that is not there", missing.returncode != 0
          and f"{folder}/none.rawlook: cannot be read as a LUT" in missing.stderr, missing.stderr)
    other = attempt(rawdev, "profile", "--from-previews", raws[0],
                    shared / "raws/canon30d_IMG_0848.CR2", "-o", folder / "two.rawlook")
    check("two cameras", other.returncode != 0 and "one look for each camera" in other.stderr,
          other.stderr)
    check("nothing is left", not (folder / "two.rawlook").exists(), "a file")
