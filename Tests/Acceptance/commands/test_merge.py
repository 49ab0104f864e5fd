"""Brackets: merged by rawdev merge and by batches, read by libtiff, Pillow and exiftool."""
import json
import shutil

import numpy as np
import pytest
import rawpy
import tifffile
from PIL import Image

from support.checks import check, same
from support.program import FIXTURES, SHARED, attempt, run, tags
from support.tiers import few

LINEAR = ["--format", "tiff-float", "--boost-amount", "0", "--sharpness-amount", "0",
          "--luminance-noise-reduction-amount", "0", "--color-noise-reduction-amount", "0"]
SIZE = ["--width", "480", "--height", "320"]


def bracket(generator, folder, *options):
    folder.mkdir(exist_ok=True)
    run(generator, "bracket", folder, *SIZE, *options)
    return sorted(folder.glob("bracket-*.dng"))


@pytest.fixture(scope="module")
def still(generator, folder):
    return bracket(generator, folder / "still", "--noise", "4e-4", "--truth")


def merged(rawdev, frames, target, *options):
    done = attempt(rawdev, "merge", *frames, "-o", target, "--json", *options)
    same(f"exit code, {done.stderr}", done.returncode, 0)
    return json.loads(done.stdout)


def test_light_and_noise(rawdev, tmp, still):
    report = merged(rawdev, still[::-1], tmp / "a.tif", *LINEAR)
    frames = report["bracket"]["frames"]
    check("stops", np.allclose([f["stops"] for f in frames], [-2, 0, 2], atol=0.02), frames)
    same("reference", report["bracket"]["reference"], str(still[1]))
    same("no ghosts", report["bracket"]["ghostShare"], 0)
    run(rawdev, "develop", still[1], "-o", tmp / "b.tif", *LINEAR)
    run(rawdev, "develop", still[1].with_name("truth-2.dng"), "-o", tmp / "c.tif", *LINEAR)
    ours, alone, truth = (tifffile.imread(tmp / name).astype(float) for name in (
        "a.tif", "b.tif", "c.tif"))
    check("more range", ours.max() > 2 * alone.max(), (ours.max(), alone.max()))
    blocks = [p[:320, :480].reshape(20, 16, 30, 16, 3).mean((1, 3)) for p in (ours, alone)]
    measured = (blocks[1] > 0.02) & (blocks[1] < 1)
    ratio = np.median(blocks[0][measured] / blocks[1][measured])
    check("as bright as the reference", abs(ratio - 1) < 0.01, ratio)
    shown = (truth.min(axis=2) > 0.006) & (truth.max(axis=2) < 1)
    errors = [np.median(np.abs(p[shown] / truth[shown] - 1)) for p in (ours, alone)]
    check("less noise", errors[0] < 0.75 * errors[1], errors)


@pytest.mark.parametrize("name", ["a.heic", "a.jpg", "a.avif", "a.png", "a.jxl"])
def test_formats(rawdev, tmp, still, name):
    report = merged(rawdev, still, tmp / name)
    check("headroom", report["fileHeadroom"] > 4, report["fileHeadroom"])
    exif = tags(tmp / name)
    same("exposure time of the reference", exif.get("ExifIFD:ExposureTime"), 0.01)


def test_hand_held(rawdev, generator, tmp):
    frames = bracket(generator, tmp / "in", "--shake", "6", "--moves")
    report = merged(rawdev, frames, tmp / "a.png", "--format", "png-sdr",
                    "--ghost-map", tmp / "map.png")
    places = [frame["placement"] for frame in report["bracket"]["frames"]]
    check("frames were moved", all(abs(p["right"]) > 0.3 for p in (places[0], places[2])), places)
    check("and the ball", 0.005 < report["bracket"]["ghostShare"] < 0.15, report["bracket"])
    with Image.open(tmp / "map.png") as picture:
        same("kind of map", (picture.mode, picture.size), ("L", (120, 80)))
        check("it shows ghosts", 0 < np.mean(np.array(picture) > 0) < 0.15)
    report = merged(rawdev, frames, tmp / "b.png", "--no-align", "--no-deghost", "--format",
                    "png-sdr")
    check("left as they lie", "ghostShare" not in report["bracket"], report["bracket"])


def test_what_is_refused(rawdev, tmp, still):
    silent, damaged = tmp / "silent.dng", tmp / "damaged.dng"
    shutil.copy(still[0], silent)
    run("exiftool", "-q", "-overwrite_original", "-ExposureTime=", silent)
    damaged.write_bytes(still[2].read_bytes()[:-40_000])
    text = tmp / "text.dng"
    text.write_text("no raw\n")
    out = tmp / "out"
    out.mkdir()
    for frames, word in [
            ([still[0]], still[0]), ([*still, FIXTURES / "sunset-bayer.dng"], "sunset-bayer.dng"),
            ([still[1], silent], silent), ([*still[:2], damaged], damaged),
            ([still[0], text], text), ([still[0], tmp / "none.dng"], "none.dng"),
            ([still[0], still[1], still[0]], still[0])]:
        done = attempt(rawdev, "merge", *frames, "-o", out / "a.heic")
        check(f"{word}: refused", done.returncode not in (0, -6, -11), done.returncode)
        lines = done.stderr.strip().splitlines()
        check("in one line that names it", len(lines) == 1 and str(word) in lines[0], lines)
        same("nothing is written", list(out.iterdir()), [])
    done = attempt(rawdev, "merge", *still, "-o", still[0])
    check("no frame is overwritten", done.returncode == 2 and still[0].stat().st_size > 100_000)


def test_beside_the_reference(rawdev, generator, tmp):
    frames = bracket(generator, tmp / "in")
    done = attempt(rawdev, "merge", *frames, "--dry-run")
    check("a dry run", "bracket-2-merged.heic" in done.stdout and done.returncode == 0, done)
    run(rawdev, "merge", *frames, "-q")
    check("its name", (tmp / "in/bracket-2-merged.heic").exists())


def test_batch(rawdev, generator, tmp):
    """Two brackets and a raw between them, found by Exif."""
    raws = tmp / "raws"
    raws.mkdir()
    for number in (1, 2):
        for path in bracket(generator, tmp / f"in{number}"):
            copy = raws / f"{number}-{path.name}"
            shutil.copy(path, copy)
            run("exiftool", "-q", "-overwrite_original",
                f"-DateTimeOriginal=2026:06:21 2{number}:00:00", copy)
    shutil.copy(FIXTURES / "sunset-bayer.dng", raws)
    batch = [rawdev, "batch", raws, "-o", tmp / "out", "--merge", "auto", "--format", "jpeg-sdr",
             "--no-report", "--json"]
    done = attempt(*batch, "--dry-run")
    for number in (1, 2):
        names = " + ".join(f"{number}-bracket-{frame}.dng" for frame in (1, 2, 3))
        check(f"bracket {number} is reported", f"bracket: {names}" in done.stderr, done.stderr)
    check("nothing is written", not (tmp / "out").exists())
    run(*batch)
    same("outputs", sorted(p.name for p in (tmp / "out").glob("*.jpg")),
         ["1-bracket-2-merged.jpg", "2-bracket-2-merged.jpg", "sunset-bayer.jpg"])
    done = attempt(rawdev, "batch", raws, "-o", tmp / "dng", "--merge", "auto", "--format", "dng",
                   "--no-report", "--json")
    same("brackets are no DNGs", (done.returncode, done.stdout.count("a merged bracket")), (3, 2))
    same("the others are", [p.name for p in (tmp / "dng").glob("*.dng")], ["sunset-bayer.dng"])

    def ends():
        lines = [json.loads(line) for line in run(*batch, text=True).splitlines()]
        return sorted((line["id"], line["status"]) for line in lines if "status" in line)

    same("up to date", {status for _, status in ends()}, {"skipped"})
    run("exiftool", "-q", "-overwrite_original", "-Artist=someone", raws / "1-bracket-3.dng")
    same("a changed frame", [name for name, status in ends() if status == "done"],
         ["1-bracket-2.dng"])
    (raws / "2-bracket-1.dng").write_bytes((raws / "2-bracket-1.dng").read_bytes()[:-30_000])
    done = attempt(*batch)
    failed = [json.loads(line) for line in done.stdout.splitlines() if '"failed"' in line]
    check("a damaged frame fails its bracket alone and is named",
          done.returncode == 3 and "2-bracket-1.dng" in json.dumps(failed), done.stdout)


def complaints(path):
    """What exiftool has to say of a file, without names of directories."""
    text = run("exiftool", "-validate", "-warning", "-error", "-a", path, text=True)
    return {line.split(":", 1)[1].strip() for line in text.splitlines()[1:]}


def to_dng(rawdev, frames, target, *options):
    done = attempt(rawdev, "merge", *frames, "-o", target, "--json", *options)
    same(f"exit code, {done.stderr}", done.returncode, 0)
    return json.loads(done.stdout)


def developed(rawdev, command, inputs, target, *options):
    run(rawdev, command, *inputs, "-o", target, "--overwrite", "-q", *options)
    return tifffile.imread(target).astype(float)


KINDS = {
    "still": ["--noise", "4e-4"], "shaken, a ball moves": ["--shake", "6", "--moves"],
    "X-Trans, shaken": ["--shake", "3", "--x-trans"]}
RECIPES = [["--format", "tiff-float"], ["--format", "tiff-float", "--look", "scene"],
           [*LINEAR, "--exposure", "-1.5"]]


@pytest.mark.parametrize("kind", few(1, KINDS))
def test_dng_develops_as_the_bracket(rawdev, generator, tmp, kind):
    """The same values as without the DNG, as bright, for several recipes; in halves nearly."""
    frames = bracket(generator, tmp / "in", *KINDS[kind])
    report = to_dng(rawdev, frames, tmp / "a.dng")
    check("verified", report["isVerified"], report)
    to_dng(rawdev, frames, tmp / "h.dng", "--bits", "16")
    for options in RECIPES:
        direct = developed(rawdev, "merge", frames, tmp / "a.tif", *options)
        for name, limit in [("a", 1e-5), ("h", 1e-3)]:
            own = developed(rawdev, "develop", [tmp / f"{name}.dng"], tmp / "b.tif", *options)
            same("size", own.shape, direct.shape)
            error = np.abs(own - direct) / np.maximum(np.abs(direct), 0.01)
            # Halves are rounded by 2^-12: the demosaic of some pixels goes another way.
            worst = error.max() if name == "a" else np.median(error)
            check(f"{name}, {options}: the same values", worst <= limit, worst)
    same("complaints of exiftool", complaints(tmp / "a.dng") - complaints(frames[1]), set())


@pytest.mark.full
def test_dng_of_camera_raws(rawdev, tmp):
    """Tags are made of what the raw says where it is no DNG."""
    source = SHARED / "raws/canon30d_IMG_0848.CR2"
    if not source.exists():
        print("no files in ../shared: merged DNGs of CR2s are NOT tested")
        return
    other = tmp / "other.CR2"
    shutil.copy(source, other)
    run("exiftool", "-q", "-overwrite_original", "-ExposureTime=1/4000", other)
    to_dng(rawdev, [source, other], tmp / "a.dng")
    for options in RECIPES[1:]:
        direct = developed(rawdev, "merge", [source, other], tmp / "a.tif", *options)
        own = developed(rawdev, "develop", [tmp / "a.dng"], tmp / "b.tif", *options)
        same("size", own.shape, direct.shape)
        error = np.abs(own - direct) / np.maximum(np.abs(direct), 0.01)
        check(f"{options}: the same values", error.max() <= 1e-5, error.max())
    same("model", tags(tmp / "a.dng").get("IFD0:Model"), tags(source).get("IFD0:Model"))
    same("complaints of exiftool", complaints(tmp / "a.dng") - complaints(source), set())


def test_dng_for_others(rawdev, tmp, still):
    """LibRaw reads the merged mosaic; levels, exposure, noise and previews are in its tags."""
    to_dng(rawdev, still, tmp / "a.dng", "--ghost-map", tmp / "map.png")
    check("the map beside it", (tmp / "map.png").exists())
    found, own = tags(tmp / "a.dng"), tags(still[1])
    same("levels", (str(found["SubIFD:WhiteLevel"]), set(str(found["SubIFD:BlackLevel"]).split())),
         ("1", {"0"}))
    check("exposure", abs(found["IFD0:BaselineExposure"] - own.get("IFD0:BaselineExposure", 0) - 2)
          < 0.05, found["IFD0:BaselineExposure"])
    same("exposure time of the reference", found["ExifIFD:ExposureTime"], 0.01)
    check("another unique ID", found.get("IFD0:RawDataUniqueID") != own.get("IFD0:RawDataUniqueID"))
    check("less noise", float(str(found["SubIFD:NoiseProfile"]).split()[1]) < 1e-4)
    check("a preview", 128 < found["IFD0:ImageWidth"] <= 256, found["IFD0:ImageWidth"])
    settings = {"use_camera_wb": True, "no_auto_bright": True, "gamma": (1, 1), "output_bps": 16,
                "half_size": True}
    with rawpy.imread(str(tmp / "a.dng")) as merged, rawpy.imread(str(still[0])) as short:
        means = [raw.postprocess(**settings).reshape(-1, 3).mean(0) for raw in (merged, short)]
    # Both saturate at the same exposure.
    check("values of LibRaw", np.max(np.abs(means[0] / means[1] - 1)) < 0.05, means)


def test_dng_is_not_developed(rawdev, tmp, still):
    """Options of the development are refused in one line, and no file is left."""
    out = tmp / "out"
    out.mkdir()
    for options in (["--exposure", "1"], ["--format", "heif-hlg"], ["--recipe", "hdr-delivery"],
                    ["--bits", "12"], ["--set", "raw.exposure=1"], ["--content-light", "100,50"]):
        done = attempt(rawdev, "merge", *still, "-o", out / "a.dng", *options)
        check(f"{options}: refused", done.returncode in (2, 64), done.returncode)
        same(f"{options}: nothing is left", list(out.iterdir()), [])
    damaged = tmp / "damaged.dng"
    damaged.write_bytes(still[2].read_bytes()[:-40_000])
    done = attempt(rawdev, "merge", *still[:2], damaged, "-o", out / "a.dng")
    check("a damaged frame", done.returncode != 0 and str(damaged) in done.stderr, done.stderr)
    same("nothing is left", list(out.iterdir()), [])
    done = attempt(rawdev, "merge", *still, "-o", out / "a.dng", "--dry-run")
    check("a dry run", "a.dng" in done.stdout and not list(out.iterdir()), done.stdout)
