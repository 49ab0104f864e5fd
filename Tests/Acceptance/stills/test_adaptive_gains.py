"""Gains for other displays, in an ICC profile: preserved by `convert` where they still hold."""
import io
import json
import struct
import zlib

import pillow_heif
from PIL import Image, ImageCms

from support.checks import check, same
from support.program import attempt, run


def icc_tags(profile):
    """Elements of a profile by their tags."""
    count = struct.unpack(">I", profile[128:132])[0]
    rows = [struct.unpack(">4sII", profile[132 + 12 * i:144 + 12 * i]) for i in range(count)]
    return {tag.decode(): profile[at:at + size] for tag, at, size in rows}


def with_tag(profile, tag, element):
    """The profile with another element, as ICC.1:2022 has its table."""
    tags = icc_tags(profile) | {tag: element}
    at, table, body = 132 + 12 * len(tags), b"", b""
    for name, data in tags.items():
        table += struct.pack(">4sII", name.encode(), at + len(body), len(data))
        body += data + bytes(-len(data) % 4)
    whole = profile[4:128] + struct.pack(">I", len(tags)) + table + body
    return struct.pack(">I", len(whole) + 4) + whole


def png_with(path, profile):
    """The file with another profile."""
    data, out, at = path.read_bytes(), b"", 8
    while at < len(data):
        size, name = struct.unpack(">I4s", data[at:at + 8])
        chunk = data[at:at + 12 + size]
        if name == b"iCCP":
            content = name + b"PQ\0\0" + zlib.compress(profile)
            chunk = struct.pack(">I", len(content) - 4) + content
            chunk += struct.pack(">I", zlib.crc32(content))
        out, at = out + chunk, at + 12 + size
    return data[:8] + out


def test_adaptive_gains(session, rawdev, tmp, shared):
    """The gains for other displays (HAGC of ICC, SMPTE ST 2094-50) stay to the byte where the light
    stays, and a note says where they do not."""
    source = session.convert(shared / "hdr/pq_libavif_seine_hdr_rec2020.avif", "png")
    element = b"hagc\0\0\0\0" + bytes(range(37))
    path = tmp / "curve.png"
    profile = with_tag(Image.open(source).info["icc_profile"], "HAGC", element)
    path.write_bytes(png_with(source, profile))
    said = json.loads(run(rawdev, "identify", "--json", path))["light"]
    same("identify", said.get("adaptiveGainCurveBytes"), len(element))
    for kind, options in (("png", []), ("heif-pq", []), ("avif", ["--max-size", "200"])):
        made = session.convert(path, kind, *options)
        opened = pillow_heif.open_heif(made) if kind == "heif-pq" else Image.open(made)
        kept = opened.info["icc_profile"]
        same(f"{kind}: element", icc_tags(kept).get("HAGC"), element)
        check(f"{kind}: profile", ImageCms.ImageCmsProfile(io.BytesIO(kept)).profile is not None)
        same(f"{kind}: transfer", json.loads(run(rawdev, "identify", "--json", made))["highRange"],
             "pq")
    for kind in ("png-hlg", "jxl", "png-sdr"):
        out = tmp / f"other.{kind[:3]}"
        done = attempt(rawdev, "convert", path, "-o", out, "--format", kind, "--overwrite")
        check(f"{kind}: note", "HAGC" in done.stderr, done.stderr)
    check("no note", "HAGC" not in attempt(rawdev, "convert", path, "-o", tmp / "again.png").stderr)
