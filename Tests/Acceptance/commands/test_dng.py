"""Raws as DNG: the samples and facts of the source, by readers of others; nothing half written."""
import json
import re

import numpy
import pytest
import rawpy
import tifffile

from support.checks import check, same
from support.program import FIXTURES, SHARED, attempt, run, tags


def sources():
    """Raws that are decoded here, with the reason for which one is refused."""
    shared = [path for path in sorted((SHARED / "raws").glob("*"))
              if path.suffix.lower() in (".cr2", ".crw", ".dng", ".gpr")]
    if not shared:
        print("no files in ../shared: DNGs of real files are NOT tested")
    return sorted(FIXTURES.glob("*.dng")) + shared


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
    """The scene of a raw, developed by the defaults but for the look."""
    target.unlink(missing_ok=True)
    run(rawdev, "develop", source, "-o", target, "--format", "tiff-float", "--boost-amount", "0",
        "--scale-factor", "0.5")
    return tifffile.imread(target)


def test_samples_and_tags(rawdev, tmp):
    """LibRaw finds the same samples in both; exiftool finds nothing wrong that the source has
    not; developing either gives the same light."""
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
        check(f"{source.name}: the same light", worst <= 1e-5, worst)
        print(f"{source.name}: {facts['bytes'] / facts['inputBytes']:.3f} of the source, "
              f"light within {worst:.1e}")
    check("some were written", written > 3, written)


def test_names_its_source(rawdev, tmp):
    source = FIXTURES / "sunset-bayer.dng"
    facts = json.loads(dng(rawdev, source, tmp / "a.dng").stdout)
    digest = run("md5sum", source, text=True).split()[0]
    same("MD5", facts["inputMD5"], digest)
    found = tags(tmp / "a.dng")
    same("its name", found["IFD0:OriginalRawFileName"], source.name)
    same("its digest", str(found["IFD0:RawDataUniqueID"]).lower(), digest)


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
