"""What exports lost of their originals' HDR, as `rawdev gainmap check` tells programs: its exit
codes and its JSON. The losses are made by programs that are not ours."""
import json
import shutil

import imagecodecs
import pytest

from support.checks import check, same
from support.program import attempt, run


def findings(rawdev, original, export):
    done = attempt(rawdev, "gainmap", "check", "--json", original, export)
    same("messages", done.stderr, "")
    facts = json.loads(done.stdout)
    same("exit code", done.returncode, 0 if facts["isKept"] else 1)
    return [(one["effect"], one["subject"]) for one in facts["findings"]]


@pytest.fixture
def original(shared, tmp):
    return shutil.copy(shared / "hdr/uhdr_gainmapjs_08.jpg", tmp / "original.jpg")


def test_copy_is_kept(rawdev, original):
    same("findings", findings(rawdev, original, original), [])
    same("line", attempt(rawdev, "gainmap", "check", original, original).stdout.strip(),
         f"{original}: all preserved")


def test_editor_without_gain_maps(rawdev, original, tmp):
    """Decoded and encoded again by libjpeg-turbo, and stripped by exiftool."""
    flat = tmp / "flat.jpg"
    flat.write_bytes(imagecodecs.jpeg8_encode(imagecodecs.jpeg8_decode(original.read_bytes())))
    check("flat", ("lost", "gain-map") in findings(rawdev, original, flat))
    stripped = shutil.copy(original, tmp / "stripped.jpg")
    run("exiftool", "-q", "-overwrite_original", "-trailer:all=", stripped)
    check("stripped", ("lost", "gain-map") in findings(rawdev, original, stripped))


@pytest.mark.parametrize("name", [
    "hdr/apple_iphone13pro_IMG_8566.JPG", "hdr/apple_jpeg_gainmap.jpg", "hdr/iso_uhdr_vearutop.jpg",
    "hdr/uhdr_vips.jpg", "hdr/iso_libavif_seine_sdr_gainmap.avif", "hdr/iso_apple_IMG_4682.HEIC",
    "more/hdr/libavif_seine_sdr_gainmap_srgb.jpg",
    "more/hdr/libavif_seine_sdr_gainmap_big_srgb.avif",
    "more/hdr/libavif_paris_exif_xmp_gainmap_littleendian.jpg", "more/hdr/uhdr_pixel_lamps.jpg",
    "more/hdr/uhdr_hdrgainmap_canal.jpg"])
def test_converted(rawdev, shared, tmp, name):
    """Space, channels, size, headroom and forms of the map are those of the source; a JPEG has the
    forms that browsers read beside Apple's."""
    source = shared / name
    out = tmp / ("out" + source.suffix)
    run(rawdev, "convert", source, out)
    found = findings(rawdev, source, out)
    same("changes", [one for one in found if one[0] != "note"], [])
    before, after = (json.loads(run(rawdev, "identify", "--json", path))["gainMap"]
                     for path in (source, out))
    # Sides count in the upright picture.
    same("size", sorted(after["size"]), sorted(before["size"]))
    alone = before["forms"] == ["apple"] and source.suffix.lower() == ".jpg"
    same("forms", after["forms"], ["iso", "ultra-hdr", "apple"] if alone else before["forms"])
    done = attempt(rawdev, "convert", source, tmp / "wide.jpg", "--color-space", "bt2020")
    check("made again, with a note", "made again" in done.stderr, done.stderr)


def test_samsung(rawdev, shared):
    facts = json.loads(
        run(rawdev, "identify", "--json", shared / "more/hdr/samsung_S24Ultra_200MP_gainmap.heic"))
    same("forms", facts["gainMap"]["forms"], ["ultra-hdr"])
    same("headroom in stops", round(facts["gainMap"]["maximumStops"][0], 3), 2.3)


@pytest.mark.full
def test_own_exports(rawdev, original, tmp):
    """What rawdev converts is preserved in every kind of file that holds a gain map."""
    for name in ("a.jpg", "a.heic", "a.avif", "a.jxl"):
        run(rawdev, "convert", original, tmp / name)
        check(name, all(effect == "note" for effect, _ in findings(
            rawdev, original, tmp / name)), str(findings(rawdev, original, tmp / name)))
    run(rawdev, "convert", original, tmp / "s.jpg", "--format", "jpeg-sdr")
    check("SDR", ("lost", "gain-map") in findings(rawdev, original, tmp / "s.jpg"))


def test_folders_and_exit_codes(rawdev, original, tmp):
    old, new = tmp / "old", tmp / "new"
    for folder in (old, new):
        folder.mkdir()
        shutil.copy(original, folder / "a.jpg")
    shutil.copy(original, old / "b.jpg")
    (new / "c.jpg").write_bytes(b"c")

    def code():
        return attempt(rawdev, "gainmap", "check", old, new)

    same("kept", code().returncode, 0)
    check("notes", "b.jpg: note: it has no export" in code().stderr
          and "c.jpg: note: no original has its name" in code().stderr, code().stderr)
    run(rawdev, "gainmap", "remove", original, "-o", new / "b.jpg")
    same("lost", code().returncode, 1)
    (old / "c.jpg").write_bytes(b"c")
    same("one of three is unreadable", code().returncode, 3)
    same("unreadable", attempt(rawdev, "gainmap", "check", original, new / "c.jpg").returncode, 65)
    same("missing", attempt(rawdev, "gainmap", "check", original, new / "d.jpg").returncode, 66)
    same("a file and a folder", attempt(rawdev, "gainmap", "check", original, new).returncode, 2)
