"""A JPEG XL with a gain map, seen by programs that are not ours: djxl, exiftool, libjxl in
imagecodecs. None of them knows the map; all show its base, and what the box holds is taken apart
here; written with the picture, or put into a file that is there."""
import struct

import imagecodecs
import numpy as np
import pytest

from support.checks import check, same
from support.program import run, tags
from support.tiers import few


def boxes(data):
    start, found = 0, {}
    while start < len(data):
        length, name = struct.unpack(">I4s", data[start:start + 8])
        header, length = (16, struct.unpack(">Q", data[start + 8:start + 16])[0]) \
            if length == 1 else (8, length or len(data) - start)
        found[name.decode("latin-1")] = data[start + header:start + length]
        start += length
    return found


@pytest.mark.parametrize("name", few(1, ["uhdr_gainmapjs_08.jpg", "iso_apple_IMG_4682.HEIC"]))
def test_base_and_box(rawdev, shared, tmp, name):
    path, bare = tmp / "a.jxl", tmp / "b.jxl"
    run(rawdev, "convert", shared / "hdr" / name, path, "--max-size", "1000")
    data = path.read_bytes()
    # The base, with the map and without it.
    run(rawdev, "gainmap", "remove", path, "-o", bare)
    check("the map is gone", b"jhgm" not in bare.read_bytes())
    shown = imagecodecs.jpegxl_decode(data)
    check("imagecodecs", np.array_equal(shown, imagecodecs.jpegxl_decode(bare.read_bytes())))
    run("djxl", path, tmp / "a.png")
    same("djxl", imagecodecs.png_decode((tmp / "a.png").read_bytes()).shape, shown.shape)
    known = tags(path)
    check("exiftool", known["File:MIMEType"] == "image/jxl" and "ExifTool:Warning" not in known,
          str(known)[:400])
    # jhgm: version, record, color encoding, profile, codestream.
    box = boxes(data)["jhgm"]
    version, record = struct.unpack(">BH", box[:3])
    same("version", version, 0)
    check("record", record in (61, 141) and box[3:7] == bytes(4), f"{record}")
    color = box[3 + record]
    profile = 4 + record + color
    same("profile", box[profile:profile + 4], bytes(4))
    samples = imagecodecs.jpegxl_decode(box[profile + 4:])
    run(rawdev, "gainmap", "extract", path, "-o", tmp / "map.png")
    map_ = imagecodecs.png_decode((tmp / "map.png").read_bytes())
    check("samples", np.array_equal(np.squeeze(samples), np.squeeze(map_)),
          f"{samples.shape} {map_.shape}")


@pytest.mark.full
@pytest.mark.parametrize("bare", [False, True])
def test_map_put_in(rawdev, shared, tmp, bare):
    """The map of an Ultra HDR JPEG put into a JPEG XL that has none, as a file or as a bare
    codestream by libjxl: the base is as it was, and so are the samples and their meaning."""
    source, path, put = shared / "hdr/uhdr_gainmapjs_08.jpg", tmp / "a.jxl", tmp / "b.jxl"
    run(rawdev, "gainmap", "extract", source, "-o", tmp / "map.png", "--metadata", tmp / "map.json")
    if bare:
        picture = imagecodecs.jpeg8_decode(source.read_bytes())
        path.write_bytes(imagecodecs.jpegxl_encode(picture, usecontainer=False))
        same("bare", path.read_bytes()[:2], b"\xff\x0a")
    else:
        run(rawdev, "convert", source, path, "--gain-map", "drop")
    words = ["--map", tmp / "map.png", "--metadata", tmp / "map.json", "-o", put]
    run(rawdev, "gainmap", "replace", path, *words)
    found = boxes(put.read_bytes())
    same("one map in front of the picture", [name for name in found if name in (
        "jhgm", "jxlc", "jxlp")][0], "jhgm")
    old, new = (imagecodecs.jpegxl_decode(each.read_bytes()) for each in (path, put))
    check("the base by libjxl", np.array_equal(old, new), "differs")
    run("djxl", put, tmp / "a.png")
    check("exiftool", "ExifTool:Warning" not in tags(put), "warns")
    run(rawdev, "gainmap", "extract", put, "-o", tmp / "again.png", "--metadata", tmp / "b.json")
    check("samples", (tmp / "again.png").read_bytes() == (tmp / "map.png").read_bytes(), "differ")
    # Another map over it, and out again.
    run(rawdev, "gainmap", "replace", put, *words[:-1], tmp / "c.jxl")
    check("the same again", (tmp / "c.jxl").read_bytes() == put.read_bytes(), "differs")
    run(rawdev, "gainmap", "remove", put, "-o", tmp / "d.jxl")
    if not bare:
        check("as it was", (tmp / "d.jxl").read_bytes() == path.read_bytes(), "differs")
