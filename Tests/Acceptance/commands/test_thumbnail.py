"""Thumbnails as file managers ask for them: any file that opens, small, upright, SDR."""
import json

from PIL import Image

from support.checks import check, same
from support.program import FIXTURES, SHARED, attempt, run


def thumbnail(rawdev, tmp, source, size=128):
    target = tmp / "thumbnail.png"
    target.unlink(missing_ok=True)
    done = attempt(rawdev, "thumbnail", source, target, "--size", size, "--threads", "1")
    return done, target


def test_fixtures(rawdev, tmp):
    for source in sorted(FIXTURES.glob("*.dng")):
        done, target = thumbnail(rawdev, tmp, source)
        same(f"{source.name}: exit code", done.returncode, 0)
        with Image.open(target) as picture:
            same(f"{source.name}: kind", (picture.format, picture.mode), ("PNG", "RGB"))
            same(f"{source.name}: longer side", max(picture.size), 128)


def test_real_files(rawdev, tmp):
    """Raws and HDR stills of others are upright and have the shape of the whole picture."""
    sources = [path for folder in ("raws", "hdr") for path in sorted((SHARED / folder).glob("*"))
               if path.suffix.lower() in (".cr2", ".dng", ".heic", ".avif", ".jpg", ".png")]
    if not sources:
        print("no files in ../shared: thumbnails of real files are NOT tested")
    for source in sources:
        kind = "info" if source.suffix.lower() in (".cr2", ".dng") else "identify"
        known = attempt(rawdev, kind, "--json", source)
        if known.returncode or "header_only" in source.name:
            continue
        facts = json.loads(known.stdout)
        width, height = facts.get("size") or (facts["nativeWidth"], facts["nativeHeight"])
        if kind == "info" and facts["orientation"] > 4:
            width, height = height, width
        done, target = thumbnail(rawdev, tmp, source)
        same(f"{source.name}: exit code, {done.stderr}", done.returncode, 0)
        with Image.open(target) as picture:
            shape = picture.width / picture.height
            check(f"{source.name}: small", max(picture.size) <= 128, picture.size)
            check(f"{source.name}: shape {shape:.3f}",
                  abs(shape / (width / height) - 1) < 0.06, (width, height))


def test_bad_files(rawdev, tmp):
    text = tmp / "a.dng"
    text.write_text("no picture\n")
    done, target = thumbnail(rawdev, tmp, text)
    same("exit code", done.returncode, 65)
    same("lines on standard error", done.stderr.count("\n"), 1)
    check("nothing is written", not target.exists())
    same("a size out of range", thumbnail(rawdev, tmp, FIXTURES / "sunset-linear.dng", 5)[0]
         .returncode, 2)
    run(rawdev, "thumbnail", "--help")
