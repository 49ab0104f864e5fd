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
         f"{original}: all kept")


def test_editor_without_gain_maps(rawdev, original, tmp):
    """Decoded and written anew by libjpeg-turbo, and stripped by exiftool."""
    flat = tmp / "flat.jpg"
    flat.write_bytes(imagecodecs.jpeg8_encode(imagecodecs.jpeg8_decode(original.read_bytes())))
    check("flat", ("lost", "gain-map") in findings(rawdev, original, flat))
    stripped = shutil.copy(original, tmp / "stripped.jpg")
    run("exiftool", "-q", "-overwrite_original", "-trailer:all=", stripped)
    check("stripped", ("lost", "gain-map") in findings(rawdev, original, stripped))


@pytest.mark.full
def test_own_exports(rawdev, original, tmp):
    """What rawdev converts is kept in every kind of file that holds a gain map."""
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
