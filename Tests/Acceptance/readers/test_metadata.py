"""The table of Docs/metadata.md, cell by cell, by exiftool: a fixture with a sidecar, developed and
converted into every format; what has to stay out; recipes that come back; previews upright."""
import json
import re
import shutil

import pytest

from support.checks import check, none, same
from support.program import FIXTURES, ROOT, run, tags

TABLE = [[cell.strip(" `") for cell in line.strip("|\n").split("|")]
         for line in (ROOT / "Docs/metadata.md").read_text().splitlines()
         if line.startswith("|") and line.count("|") > 10]
FORMATS = TABLE[0][2:]
ROWS = [row for row in TABLE[2:]]
SUFFIXES = {"jpeg": "jpg", "heif": "heic", "tiff": "tif"}
# What the sidecar says: exiftool's tag, what to write, what to read.
SAID = {
    "XMP-xmp:Rating": 4, "XMP-xmp:Label": "Green", "XMP-dc:Subject": ["Ägypten", "Nil"],
    "XMP-lr:HierarchicalSubject": ["Afrika|Ägypten", "Fluss|Nil"], "XMP-dc:Title": "Abend",
    "XMP-dc:Description": "Am Nil", "XMP-dc:Creator": "Ada Ö.", "XMP-dc:Rights": "© Ada",
    "XMP-xmpRights:UsageTerms": "ask", "XMP-photoshop:City": "Luxor",
    "XMP-iptcCore:CountryCode": "EG",
}
WANTED = SAID | {
    "IFD0:Artist": "Ada Ö.", "IFD0:Copyright": "© Ada", "XMP-tiff:Orientation": 1,
    "IPTC:Keywords": ["Ägypten", "Nil"], "FujiFilm:Version": "0130",
}
NEVER = ("XMP-crs:", "XMP-darktable:", "XMP-crss:", "XMP-xmpMM:History", "XMP-xmp:MetadataDate",
         "XMP-xmp:Thumbnails", "XMP-photoshop:SidecarForExtension", "XMP-GCamera:")


def suffix(kind):
    return SUFFIXES.get(kind.split("-")[0], kind.split("-")[0])


def written(tags_and_values):
    """Arguments with which exiftool writes these tags."""
    words = []
    for tag, value in tags_and_values.items():
        words += [f"-{tag}={one}" for one in (value if isinstance(value, list) else [value])]
    return words


@pytest.fixture(scope="module")
def source(folder):
    """A raw with IPTC and a maker note that can be moved, and Lightroom's sidecar."""
    raw = folder / "photo.dng"
    shutil.copy(FIXTURES / "sunset-bayer.dng", raw)
    # Fujifilm's note: its name, the offset of its directory, one entry: version "0130".
    note = b"FUJIFILM\x0c\0\0\0\x01\0\0\0\x07\0\x04\0\0\x000130\0\0\0\0"
    (folder / "note").write_bytes(note)
    run("exiftool", "-q", "-m", "-overwrite_original", "-IPTC:Keywords=old", "-IPTC:City=old",
        "-IFD0:Make=FUJIFILM", f"-ExifIFD:MakerNotes<={folder / 'note'}", raw)
    sidecar = folder / "photo.xmp"
    run("exiftool", "-q", "-m", *written(SAID), "-XMP-crs:Exposure2012=+1.00",
        "-XMP-crs:AlreadyApplied=False", "-XMP-photoshop:SidecarForExtension=dng",
        "-XMP-xmp:MetadataDate=2024:01:01 00:00:00", "-XMP-GCamera:MotionPhoto=1", sidecar)
    return raw


def check_cells(kind, path):
    """Each row of the table for one format."""
    found, at = tags(path), 2 + FORMATS.index(kind)
    for row in ROWS:
        tag, cell = row[1], row[at]
        value = found.get(tag)
        if cell == "no":
            same(f"{kind} {tag}", value, None)
        elif tag in WANTED:
            same(f"{kind} {tag}", value, WANTED[tag])
        else:
            check(f"{kind} {tag}", value not in (None, ""), "missing")
    check(f"{kind} software", re.fullmatch(r"rawdev \d+\.\d+\.\d+", found["IFD0:Software"]),
          found["IFD0:Software"])
    none(f"{kind} never", [tag for tag in found if tag.startswith(NEVER)])
    none(f"{kind} warnings", [value for tag, value in found.items()
                              if tag.endswith(":Warning") and "APP2" not in str(value)])
    return found


@pytest.mark.parametrize("kind", FORMATS)
def test_every_cell(rawdev, folder, source, kind):
    path = folder / f"{kind}.{suffix(kind)}"
    run(rawdev, "develop", source, "-o", path, "--format", kind, "--max-size", "256",
        "--embed-recipe")
    found = check_cells(kind, path)
    again = folder / f"again-{kind}.{suffix(kind)}"
    run(rawdev, "develop", source, "-o", again, "--format", kind, "--max-size", "256",
        "--embed-recipe")
    check(f"{kind} twice", path.read_bytes() == again.read_bytes(), "the bytes differ")
    recipe = folder / "again.json"
    recipe.write_text(found["XMP-rawdev:Recipe"])
    run(rawdev, "develop", source, "-o", again, "--format", kind, "-r", recipe)
    check(f"{kind} by its recipe", path.read_bytes() == again.read_bytes(), "the bytes differ")


@pytest.mark.parametrize("kind", FORMATS)
def test_conversions(rawdev, folder, source, kind):
    """From an Ultra HDR JPEG into every format; the source of the copy is the JPEG."""
    first = folder / "first.jpg"
    if not first.exists():
        run(rawdev, "develop", source, "-o", first, "--format", "jpeg-gainmap", "--max-size", "256")
    path = folder / f"converted-{kind}.{suffix(kind)}"
    run(rawdev, "convert", first, path, "--format", kind)
    found, before = tags(path), tags(first)
    for tag, value in SAID.items():
        same(f"{kind} {tag}", found.get(tag), value)
    same(f"{kind} source", found["XMP-xmpMM:DerivedFromDocumentID"],
         before["XMP-xmpMM:DocumentID"])
    same(f"{kind} first", found["XMP-xmpMM:OriginalDocumentID"],
         before["XMP-xmpMM:OriginalDocumentID"])
    if "gainmap" not in kind:
        none(f"{kind} gain map", [tag for tag in found if "hdrgm" in tag or "Container" in tag])


@pytest.mark.parametrize("name", ["uhdr_gainmapjs_08.jpg", "iso_uhdr_vearutop.jpg"])
def test_foreign_ultra_hdr(rawdev, shared, tmp, name):
    """What other programs wrote of a picture comes through, the developing does not."""
    path = tmp / "out.png"
    run(rawdev, "convert", shared / "hdr" / name, path, "--format", "png", "--max-size", "256")
    before, after = tags(shared / "hdr" / name), tags(path)
    kept = [tag for tag in before if tag.startswith(("XMP-dc:", "XMP-xmpRights:", "XMP-aux:"))
            and tag != "XMP-dc:Format"]
    check("something to keep", len(kept) > 1, kept)
    for tag in kept:
        same(tag, after.get(tag), before[tag])
    none("developing", [tag for tag in after if tag.startswith(("XMP-crs", "XMP-hdrgm"))])


@pytest.mark.parametrize("turn", [1, 3, 6, 8])
def test_previews_are_upright(rawdev, shared, tmp, turn):
    """An extracted preview says how it lies; its coded picture is as it was."""
    raw = tmp / "a.cr2"
    shutil.copy(shared / "raws/canonG10_plant_window.cr2", raw)
    raw.chmod(0o644)
    run("exiftool", "-q", "-m", "-n", "-overwrite_original", f"-IFD0:Orientation={turn}", raw)
    done = json.loads(run(rawdev, "extract", raw, "-o", tmp, "--only", "preview", "--json"))
    same("orientation", tags(done["path"]).get("IFD0:Orientation", 1), turn)
    own = run("exiftool", "-b", "-PreviewImage", raw)
    data = open(done["path"], "rb").read()
    check("coded picture", data.endswith(own[own.index(b"\xff\xdb"):]), "differs")
    small = tmp / "small.png"
    run(rawdev, "thumbnail", raw, small, "--size", "128")
    t = tags(small)
    check("thumbnail", (t["PNG:ImageWidth"] > t["PNG:ImageHeight"]) == (turn in (1, 3)), t)


@pytest.mark.parametrize("command", ["develop", "convert"])
def test_policies(rawdev, tmp, source, command):
    """What each policy leaves out is nowhere in the file."""
    raw = source
    if command == "convert":
        raw = tmp / "whole.jpg"
        run(rawdev, "develop", source, "-o", raw, "--format", "jpeg-sdr", "--max-size", "256")
    for policy, kept, gone in [
            ("noLocation",
             ["XMP-dc:Rights", "XMP-xmp:Rating", "IFD0:Model", "XMP-xmpMM:DocumentID"],
             ["GPS:", "XMP-photoshop:City", "XMP-dc:Subject", "IPTC:", "FujiFilm:", "XMP-lr:"]),
            ("minimal", ["XMP-dc:Rights", "IFD0:Model", "ExifIFD:LensModel"],
             ["GPS:", "XMP-xmp:Rating", "XMP-xmpMM:", "IPTC:", "FujiFilm:"]),
            ("none", ["IFD0:Software"], ["GPS:", "XMP-dc:Rights", "IFD0:Model", "ExifIFD:Lens"])]:
        path = tmp / f"{policy}.jpg"
        run(rawdev, command, raw, "-o", path, "--format", "jpeg-sdr", "--metadata", policy)
        found = tags(path)
        for tag in kept:
            check(f"{policy} {tag}", tag in found, "missing")
        none(policy, [tag for tag in found if tag.startswith(tuple(gone))])


def test_batches_follow_the_sidecar(rawdev, tmp, source):
    """A batch develops again where what a sidecar says has changed, and only then."""
    folder, out = tmp / "in", tmp / "out"
    folder.mkdir()
    shutil.copy(source, folder / "photo.dng")
    sidecar = folder / "photo.dng.xmp"

    def rating(value, *more):
        sidecar.unlink(missing_ok=True)
        run("exiftool", "-q", "-m", f"-XMP-xmp:Rating={value}", *more, sidecar)
        run(rawdev, "batch", folder, "-o", out, "--format", "jpeg-sdr", "--max-size", "256",
            "--jobs", "1")
        picture = out / "photo.jpg"
        return tags(picture)["XMP-xmp:Rating"], picture.stat().st_mtime_ns

    first = rating(2)
    same("rating", first[0], 2)
    same("untouched", rating(2, "-XMP-xmp:MetadataDate=2024:01:01 00:00:00")[1], first[1])
    same("another rating", rating(3)[0], 3)


def test_gain_map_png_names_its_maker(rawdev, shared, tmp):
    path = tmp / "map.png"
    run(rawdev, "gainmap", "extract", shared / "hdr/uhdr_gainmapjs_08.jpg", "-o", path)
    check("software", str(tags(path).get("IFD0:Software", "")).startswith("rawdev "), tags(path))
    # Its own file is replaced without --overwrite.
    run(rawdev, "gainmap", "extract", shared / "hdr/uhdr_gainmapjs_08.jpg", "-o", path)
