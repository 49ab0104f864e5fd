"""Raws whose raw picture nobody here decodes, or which end before it does: `thumbnail` and
`extract` give the preview that the camera put in."""
import io

import numpy
import pytest
from PIL import Image

from support.checks import check, same
from support.program import attempt


def jpeg(width, height):
    """Red at the left, blue below: shows how it lies."""
    pixels = numpy.zeros((height, width, 3), numpy.uint8)
    pixels[:, :width // 2, 0] = 255
    pixels[height // 2:, :, 2] = 255
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "JPEG", quality=95)
    return file.getvalue()


def directory(entries, values):
    """A TIFF with one directory of (tag, type, count, value), and what follows it."""
    packed = b"".join(n.to_bytes(w, "little") for entry in entries
                      for n, w in zip(entry, (2, 2, 4, 4)))
    return (b"II*\0\x08\0\0\0" + len(entries).to_bytes(2, "little") + packed + bytes(4) + values)


def nef(preview):
    """Nikon's High Efficiency: the preview in the first directory, a strip of JPEG XS."""
    make, model = b"NIKON CORPORATION\0", b"NIKON Z 8\0"
    start = 8 + 2 + 7 * 12 + 4
    strip = start + len(make) + len(model)
    return directory([
        (259, 3, 1, 34713), (271, 2, len(make), start), (272, 2, len(model), start + len(make)),
        (273, 4, 1, strip), (274, 3, 1, 6), (513, 4, 1, strip + 400),
        (514, 4, 1, len(preview))],
        make + model + bytes.fromhex("ff10ff50").ljust(400, b"\0") + preview)


def raf(preview):
    """Fujifilm's, cut behind its JPEG, which says itself how it lies."""
    exif = directory([(274, 3, 1, 6)], b"")
    block = b"Exif\0\0" + exif
    preview = (preview[:2] + b"\xff\xe1" + (len(block) + 2).to_bytes(2, "big") + block
               + preview[2:])
    head = b"FUJIFILMCCD-RAW 0201FF389501" + b"X-T5".ljust(32, b"\0") + b"0100"
    head = head.ljust(84, b"\0")
    numbers = (160, len(preview), 9_000_000, 400, 9_001_000, 40_000_000)
    return (head + b"".join(n.to_bytes(4, "big") for n in numbers)).ljust(160, b"\0") + preview


def box(kind, *contents):
    content = b"".join(contents)
    return (8 + len(content)).to_bytes(4, "big") + kind + content


def cr3(preview, in_track):
    """Canon's, of a codec that is not known, the JPEG in its own track or in the preview box."""
    canon = bytes.fromhex("85c0b687820f11e08111f4ce462b6a48")
    own = bytes.fromhex("eaf42b5e1c984b88b9fbb7dc406e4d16")
    block = directory([(274, 3, 1, 6)], b"")
    sizes = b"".join(n.to_bytes(2, "big") for n in (0, 0, 1, 96, 64, 1))
    prvw = box(b"uuid", own, bytes(8), box(
        b"PRVW", sizes, len(preview).to_bytes(4, "big"), preview))

    def movie(at):
        def track(coding, start, length):
            return box(b"trak", box(b"mdia", box(b"minf", box(
                b"stbl", box(b"stsd", bytes(8), box(b"CRAW", bytes(82), coding)),
                box(b"stsz", bytes(4), length.to_bytes(4, "big"), (1).to_bytes(4, "big")),
                box(b"co64", bytes(4), (1).to_bytes(4, "big"), start.to_bytes(8, "big"))))))
        raw = box(b"CMP1", bytes(4), (0x900).to_bytes(2, "big"), bytes(60))
        return box(b"moov", box(b"uuid", canon, box(b"CMT1", block)),
                   track(box(b"JPEG", bytes(4)), at, len(preview)),
                   track(raw, at + len(preview), 9_000_000))
    head = box(b"ftyp", b"crx isom")
    if not in_track:
        return head + movie(0) + prvw
    at = len(head) + len(movie(0)) + 8
    return head + movie(at) + (9_100_000).to_bytes(4, "big") + b"mdat" + preview


@pytest.mark.parametrize("kind", ["nef", "raf", "cr3-track", "cr3-box"])
def test_preview_instead(rawdev, tmp, kind):
    preview = jpeg(96, 64)
    data = {"nef": nef, "raf": raf}.get(kind, lambda p: cr3(p, kind == "cr3-track"))(preview)
    path = tmp / f"a.{kind[:3]}"
    path.write_bytes(data)
    done = attempt(rawdev, "develop", path, "-o", tmp / "x.tif")
    same("it is not developed", done.returncode, 65)
    target = tmp / "small.png"
    done = attempt(rawdev, "thumbnail", path, target)
    same(f"exit code, {done.stderr}", done.returncode, 0)
    same("notes", (done.stderr.count("\n"), "only the camera's preview" in done.stderr), (1, True))
    # Orientation 6: what was at the left is at the top.
    with Image.open(target) as picture:
        same("upright", picture.size, (64, 96))
        pixels = numpy.asarray(picture.convert("RGB")).astype(int)
        for x, y, color in ((48, 10, (255, 0, 0)), (10, 10, (255, 0, 255)), (10, 80, (0, 0, 255))):
            off = abs(pixels[y, x] - color).max()
            check(f"color at {x}, {y}: {pixels[y, x]}", off < 16)
    done = attempt(rawdev, "extract", path, "-o", tmp)
    same(f"extract, {done.stderr}", done.returncode, 0)
    with Image.open(tmp / "a-preview.jpg") as picture:
        same("its size and turn", (picture.size, picture.getexif()[274]), ((96, 64), 6))
    # Nothing whole: the reason of before.
    path.write_bytes(data.replace(preview[2:], preview[2:60]))
    done = attempt(rawdev, "thumbnail", path, tmp / "none.png")
    same("exit code without a whole preview", done.returncode, 65)
    check("nothing is written", not (tmp / "none.png").exists())


def test_cut_raw(rawdev, tmp, shared):
    """A copy that ended in the pixels."""
    whole = (shared / "raws/canon30d_IMG_0848.CR2").read_bytes()
    path = tmp / "cut.cr2"
    path.write_bytes(whole[:len(whole) * 2 // 3])
    done = attempt(rawdev, "thumbnail", path, tmp / "small.png")
    same(f"exit code, {done.stderr}", done.returncode, 0)
    check("it says why", "ends before its pixel data" in done.stderr, done.stderr)
