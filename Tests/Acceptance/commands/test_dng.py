"""Raws as DNG: the samples and facts of the source, by readers of others; nothing half written."""
import json
import re
import struct
import subprocess

import numpy
import pytest
import rawpy
import tifffile

from support.checks import check, same
from support.program import FIXTURES, SHARED, attempt, run, tags
from support.tiers import combined, few

RAWS = ["sunset-bayer", "sunset-xtrans", "sunset-linear"]


def camera_raws():
    found = [path for path in sorted((SHARED / "raws").glob("*"))
             if path.suffix.lower() in (".cr2", ".crw", ".dng", ".gpr")]
    if not found:
        print("no files in ../shared: DNGs of real files are NOT tested")
    return found


def fixtures():
    return sorted(FIXTURES.glob("*.dng"))


def dng(rawdev, source, target, *options):
    target.unlink(missing_ok=True)
    return attempt(rawdev, "dng", source, "-o", target, "--json", *options)


def stored(path):
    """All samples of a raw as LibRaw has them; None where it does not decode them."""
    try:
        with rawpy.imread(str(path)) as raw:
            return raw.raw_image.copy() if raw.raw_image is not None else None
    except (rawpy.LibRawError, AttributeError):
        return None


def is_lossy(path):
    """Whether samples are in lossy JPEG, whose curve LibRaw guesses."""
    return 34892 in [value for name, value in tags(path).items() if name.endswith(":Compression")]


def complaints(path):
    """What exiftool has to say of a file, without numbers and names of directories."""
    text = run("exiftool", "-validate", "-warning", "-error", "-a", path, text=True)
    lines = [line.split(":", 1)[1].strip() for line in text.splitlines()[1:]]
    return {re.sub(r"\[minor\] |\(\d+ times\)|(?<=SubIFD)\d+", "", line).strip() for line in lines}


def linear(rawdev, source, target):
    """The scene of a raw, developed by the defaults except for the look."""
    target.unlink(missing_ok=True)
    run(rawdev, "develop", source, "-o", target, "--format", "tiff-float", "--boost-amount", "0",
        "--scale-factor", "0.5")
    return tifffile.imread(target)


@pytest.mark.parametrize("sources", few(1, [fixtures, camera_raws]))
def test_samples_and_tags(rawdev, tmp, sources):
    """LibRaw finds the same samples in both; exiftool finds nothing wrong that the source has
    not; developing either gives the same values."""
    written = 0
    for source in sources():
        target = tmp / "a.dng"
        done = dng(rawdev, source, target)
        if done.returncode:
            same(f"{source.name}: refused in one line", done.stderr.count("\n"), 1)
            check(f"{source.name}: nothing is left", not list(tmp.glob("*a.dng*")))
            known = attempt(rawdev, "develop", source, "-o", tmp / "x.heic")
            check(f"{source.name}: not developed either", known.returncode != 0, done.stderr)
            print(f"{source.name}: {done.stderr.strip()}")
            continue
        written += 1
        facts = json.loads(done.stdout)
        check(f"{source.name}: verified", facts["isVerified"])
        old, new = stored(source), stored(target)
        if old is not None and new is not None and not is_lossy(source):
            check(f"{source.name}: samples of LibRaw", numpy.array_equal(old, new))
        fresh = complaints(target) - complaints(source)
        same(f"{source.name}: complaints of exiftool", fresh, set())
        a, b = linear(rawdev, source, tmp / "a.tif"), linear(rawdev, target, tmp / "b.tif")
        same(f"{source.name}: shape", a.shape, b.shape)
        worst = float(numpy.max(numpy.abs(a - b) / numpy.maximum(numpy.abs(a), 1e-3)))
        check(f"{source.name}: the same values", worst <= 1e-5, worst)
        print(f"{source.name}: {facts['bytes'] / facts['inputBytes']:.3f} of the source, "
              f"values within {worst:.1e}")
    check("some were written", written >= min(3, len(sources())), written)


def light(rawdev, source, target, *options):
    """Scene-linear values, without what sharpening and noise reduction would measure again."""
    target.unlink(missing_ok=True)
    run(rawdev, "develop", source, "-o", target, "--format", "tiff-float", "--look", "scene",
        *options)
    return tifffile.imread(target)


def apart(a, b):
    return numpy.abs(a - b) / numpy.maximum(numpy.abs(a), 1e-2)


# Tags of DNG 1.7, which exiftool 12 does not know.
NEWER = {"Unknown value for SubIFD:Compression"} | {
    f"Unknown SubIFD tag 0x{tag}" for tag in ("cd43", "cd49", "cd4a", "cd4b")}


@pytest.mark.parametrize("name", few(1, RAWS))
def test_jpeg_xl(rawdev, tmp, name):
    """Without loss the same values; with loss a fraction of the bytes, and values that are near."""
    source = FIXTURES / f"{name}.dng"
    whole = dng(rawdev, source, tmp / "a.dng", "--compression", "jpeg-xl")
    same(whole.stderr, whole.returncode, 0)
    check("verified", json.loads(whole.stdout)["isVerified"])
    check("complaints of exiftool", complaints(tmp / "a.dng") <= complaints(source) | NEWER,
          complaints(tmp / "a.dng"))
    a, b = light(rawdev, source, tmp / "a.tif"), light(rawdev, tmp / "a.dng", tmp / "b.tif")
    check("the same values", numpy.max(apart(a, b)) <= 1e-5, numpy.max(apart(a, b)))
    lossy = dng(rawdev, source, tmp / "c.dng", "--compression", "jpeg-xl", "--distance", "1")
    same(lossy.stderr, lossy.returncode, 0)
    sizes = [json.loads(done.stdout)["bytes"] for done in (whole, lossy)]
    check("smaller", sizes[1] < 0.6 * sizes[0], sizes)
    c = light(rawdev, tmp / "c.dng", tmp / "c.tif")
    same("shape", c.shape, a.shape)
    # Beyond white, which all channels lose, a guess stands; the coding lifts darks by a hundredth.
    means = [float(numpy.minimum(picture, 1).mean()) for picture in (a, c)]
    check("as bright", abs(means[1] / means[0] - 1) < 0.015, means)
    print(f"{name}: {sizes}, median difference {numpy.median(apart(a, c)):.4f}")


@combined(gate=1, name=RAWS, bits=["32f", "16f"])
def test_linear(rawdev, tmp, name, bits):
    """Developing the demosaiced picture gives what developing the mosaic gives."""
    source = FIXTURES / f"{name}.dng"
    done = dng(rawdev, source, tmp / "a.dng", "--linear", "--bits", bits)
    same(done.stderr, done.returncode, 0)
    same("complaints", complaints(tmp / "a.dng") - complaints(source), set())
    a, b = light(rawdev, source, tmp / "a.tif"), light(rawdev, tmp / "a.dng", tmp / "b.tif")
    same("shape", a.shape, b.shape)
    limit = 1e-5 if bits == "32f" else 2e-3
    check("the same values", numpy.max(apart(a, b)) <= limit, numpy.max(apart(a, b)))


def test_linear_for_others(rawdev, tmp):
    """LibRaw reads linear integers; they begin at 0, as others take them, and end at white."""
    source = FIXTURES / "sunset-bayer.dng"
    done = dng(rawdev, source, tmp / "a.dng", "--linear", "--bits", "16")
    same(done.stderr, done.returncode, 0)
    same("complaints", complaints(tmp / "a.dng") - complaints(source), set())
    found = tags(tmp / "a.dng")
    same("levels", (str(found["SubIFD:BlackLevel"]), str(found["SubIFD:WhiteLevel"])),
         ("0 0 0", "65535 65535 65535"))
    with rawpy.imread(str(tmp / "a.dng")) as linear, rawpy.imread(str(source)) as mosaic:
        settings = {"use_camera_wb": True, "no_auto_bright": True, "gamma": (1, 1),
                    "output_bps": 16, "half_size": True}
        means = [raw.postprocess(**settings).reshape(-1, 3).mean(0) for raw in (linear, mosaic)]
        # Demosaiced by others, highlights included.
        check("colors of LibRaw", numpy.max(numpy.abs(means[0] / means[1] - 1)) < 0.05, means)


def test_scene(rawdev, tmp):
    """Noise is reduced in it already, and is not again."""
    source = FIXTURES / "sunset-bayer.dng"
    done = dng(rawdev, source, tmp / "a.dng", "--scene", "--bits", "32f")
    same(done.stderr, done.returncode, 0)
    found = tags(tmp / "a.dng")
    same("tags", (float(found["SubIFD:NoiseReductionApplied"]),
                  [name for name in found if "Opcode" in name]), (1, []))
    same("integers", dng(rawdev, source, tmp / "b.dng", "--scene", "--bits", "16").returncode, 2)
    check("nothing is left", not (tmp / "b.dng").exists())


def test_names_its_source(rawdev, tmp):
    source = FIXTURES / "sunset-bayer.dng"
    facts = json.loads(dng(rawdev, source, tmp / "a.dng").stdout)
    digest = run("md5sum", source, text=True).split()[0]
    same("MD5", facts["inputMD5"], digest)
    found = tags(tmp / "a.dng")
    same("its name", found["IFD0:OriginalRawFileName"], source.name)
    same("its digest", str(found["IFD0:RawDataUniqueID"]).lower(), digest)


@pytest.mark.full
def test_checked_against_its_sources(rawdev, tmp):
    """The third command of Docs/for-archives.md, for raws and DNGs, also with IDs of their own."""
    (tmp / "raws").mkdir()
    chosen = [path for path in fixtures() + camera_raws() if path.stat().st_size < 4e6]
    for source in chosen:
        (tmp / "raws" / source.name).write_bytes(source.read_bytes())
    attempt(rawdev, "dng", tmp / "raws", "-o", tmp / "dng")
    made = sorted((tmp / "dng").glob("*.dng"))
    check("DNGs", len(made) >= 3, made)
    page = (FIXTURES.parent / "Docs/for-archives.md").read_text()
    command = re.search(r"^\((cd raws; .*)\)", page, re.M).group(1)
    done = subprocess.run(["sh", "-c", command], cwd=tmp, capture_output=True, text=True)
    same(done.stderr, (done.returncode, done.stdout.count(": OK\n")), (0, len(made)))
    changed = tmp / "raws" / "sunset-bayer.dng"
    changed.write_bytes(changed.read_bytes() + b" ")
    done = subprocess.run(["sh", "-c", command], cwd=tmp, capture_output=True, text=True)
    same("a changed source", (done.returncode, done.stdout.count("sunset-bayer.dng: FAILED")),
         (1, 1))
    # A run after it makes that one DNG again.
    again = attempt(rawdev, "dng", tmp / "raws", "-o", tmp / "dng", "--json")
    facts = [json.loads(line) for line in again.stdout.splitlines()]
    fresh = [fact["input"] for fact in facts if not fact["wasUpToDate"]]
    same("made again", fresh, [str(changed)])


@pytest.mark.full
def test_black_of_others(rawdev, tmp):
    """Masked borders that are named change no reader's black: LibRaw has that of the source."""
    named = 0
    for source in camera_raws():
        if source.suffix.lower() in (".dng", ".gpr"):
            continue
        done = dng(rawdev, source, tmp / "a.dng")
        same(done.stderr, done.returncode, 0)
        named += "SubIFD:MaskedAreas" in tags(tmp / "a.dng")
        with rawpy.imread(str(source)) as old, rawpy.imread(str(tmp / "a.dng")) as new:
            check(f"{source.name}: pattern", (old.raw_pattern == new.raw_pattern).all())
            # The order of LibRaw's two greens may differ.
            blacks = [sorted(raw.black_level_per_channel) for raw in (old, new)]
            same(f"{source.name}: black", blacks[1], blacks[0])
    print(f"masked borders are named in {named}")


@pytest.mark.parametrize("options", [
    ("--compression", "none"), ("--preview", "none"), ("--preview", "small"), ("--no-verify",)])
def test_options(rawdev, tmp, options):
    source = FIXTURES / "sunset-bayer.dng"
    done = dng(rawdev, source, tmp / "a.dng", *options)
    same(done.stderr, done.returncode, 0)
    check("samples", numpy.array_equal(stored(source), stored(tmp / "a.dng")))
    same("complaints", complaints(tmp / "a.dng") - complaints(source), set())


def test_bad_sources(rawdev, tmp):
    """Cut files and wrong wishes: one line, and no file."""
    whole = (FIXTURES / "sunset-bayer.dng").read_bytes()
    for part in (0.1, 0.5, 0.9, 0.999):
        cut = tmp / "cut.dng"
        cut.write_bytes(whole[:int(len(whole) * part)])
        done = dng(rawdev, cut, tmp / "a.dng")
        same(f"cut to {part}: exit code", done.returncode, 65)
        same(f"cut to {part}: lines", done.stderr.count("\n"), 1)
    # A white level just above black: samples lose more than the distance allows.
    white, low = (struct.pack("<HHII", 50717, 4, 1, level) for level in (16000, 600))
    same("white levels of the fixture", whole.count(white), 1)
    wrong = tmp / "white.dng"
    wrong.write_bytes(whole.replace(white, low))
    done = dng(rawdev, wrong, tmp / "a.dng", "--compression", "jpeg-xl", "--distance", "1")
    same("wrong levels", (done.returncode, done.stderr.count("\n")), (65, 1))
    check("names the source", "white.dng: its decoded samples" in done.stderr, done.stderr)
    done = dng(rawdev, FIXTURES / "sunset-bayer.dng", tmp / "a.dng", "--compression", "deflate")
    same("Deflate of integers", (done.returncode, done.stderr.count("\n")), (2, 1))
    same("left behind", [path.name for path in tmp.iterdir() if "a.dng" in path.name], [])


def test_folders_go_on(rawdev, tmp):
    """A second run leaves what is there; a bad file fails alone; others' files are not replaced."""
    shoot, out = tmp / "shoot", tmp / "out"
    shoot.mkdir()
    for name in ("a", "b"):
        (shoot / f"{name}.dng").write_bytes((FIXTURES / "sunset-bayer.dng").read_bytes())
    (shoot / "c.dng").write_bytes(b"no raw")
    first = attempt(rawdev, "dng", shoot, "-o", out)
    same("first run", (first.returncode, sorted(path.name for path in out.iterdir())),
         (3, ["a.dng", "b.dng"]))
    before = (out / "a.dng").stat().st_mtime_ns
    second = attempt(rawdev, "dng", shoot, "-o", out)
    same("up to date", second.stdout.count("up to date"), 2)
    same("not written again", (out / "a.dng").stat().st_mtime_ns, before)
    (out / "a.dng").write_bytes((FIXTURES / "sunset-bayer.dng").read_bytes())
    third = attempt(rawdev, "dng", shoot / "a.dng", "-o", out / "a.dng")
    same("a file of others", (third.returncode, third.stderr.count("\n")), (73, 1))
