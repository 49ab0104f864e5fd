"""A JPEG XL with a gain map, seen by programs that are not ours: djxl, exiftool, libjxl in
imagecodecs. None of them knows the map; all show its base, and what the box holds is taken apart
here."""
import struct

import imagecodecs
import numpy as np
import pytest

from support.checks import check, same
from support.program import run, tags


def boxes(data):
    start, found = 0, {}
    while start < len(data):
        length, name = struct.unpack(">I4s", data[start:start + 8])
        header, length = (16, struct.unpack(">Q", data[start + 8:start + 16])[0]) \
            if length == 1 else (8, length or len(data) - start)
        found[name.decode("latin-1")] = data[start + header:start + length]
        start += length
    return found


@pytest.mark.parametrize("name", ["uhdr_gainmapjs_08.jpg", "iso_apple_IMG_4682.HEIC"])
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
