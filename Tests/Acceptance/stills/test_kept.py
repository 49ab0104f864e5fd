"""What `convert` keeps of pictures of other programs beside their pixels, and where it would show
that it did not."""
import json
import struct
import zlib

import imagecodecs
import numpy as np
import OpenEXR
import pytest
import tifffile
from PIL import Image, PngImagePlugin

from support.boxes import Still
from support.checks import check, near, same
from support.program import attempt, run, tags

EDGES = [("--max-size", "21"), ("--size", "150,150"), ("--straighten", "10")]


@pytest.mark.parametrize("edit", EDGES, ids=[words[0] for words in EDGES])
def test_edges_of_what_is_transparent(session, tmp, edit):
    """A white disc on transparent black has no dark edge, whatever averages its pixels."""
    y, x = np.mgrid[:64, :64]
    pixels = np.zeros((64, 64, 4), np.uint8)
    pixels[(x - 31.5) ** 2 + (y - 31.5) ** 2 < 24 ** 2] = 255
    Image.fromarray(pixels).save(tmp / "disc.png")
    made = imagecodecs.png_decode(session.convert(
        tmp / "disc.png", "png-sdr", "--bits", "8", "--color-space", "srgb", *edit).read_bytes())
    seen = made[..., 3] > 8
    check("some edge", ((made[..., 3] > 8) & (made[..., 3] < 247)).any())
    near("darkest color", made[..., :3][seen].min(), 255, absolute=2)


def test_adobe_rgb_by_exif(session, tmp):
    """JPEGs of cameras name Adobe RGB by Exif alone (DCF 2.0)."""
    pixels = np.full((16, 16, 3), (212, 42, 148), np.uint8)
    Image.fromarray(pixels).save(tmp / "a.jpg", quality=100, subsampling=0)
    run("exiftool", "-overwrite_original", "-ColorSpace=Uncalibrated", "-InteropIndex=R03",
        tmp / "a.jpg")
    made = tifffile.imread(session.convert(tmp / "a.jpg", "tiff", "--color-space", "adobe-rgb"))
    near("codes", np.abs(made / 257 - pixels).max(), 0, absolute=1)
    check("named", "Adobe RGB (exif)" in run(session.rawdev, "identify", tmp / "a.jpg", text=True))


@pytest.mark.parametrize("kind", ["jpg", "png", "tif"])
def test_resolution(session, tmp, kind):
    path = tmp / f"scan.{kind}"
    Image.new("RGB", (32, 16), (90, 120, 30)).save(path, dpi=(600, 600))
    for name in ("jpeg-sdr", "png-sdr", "tiff", "heif-sdr"):
        found = tags(session.convert(path, name))
        inch = 0.0254 if name == "png-sdr" else 1
        value = found["PNG-pHYs:PixelsPerUnitX"] if inch < 1 else found["IFD0:XResolution"]
        near(f"{kind} to {name}", value * inch, 600, absolute=0.1)
    jpeg = tags(session.convert(path, "jpeg-sdr"))
    same("JFIF", (jpeg["JFIF:XResolution"], jpeg["JFIF:ResolutionUnit"]), (600, 1))


def raw_profile(kind, data):
    """A block as ImageMagick writes it."""
    digits = data.hex()
    lines = "\n".join(digits[at:at + 72] for at in range(0, len(digits), 72))
    return f"\n{kind}\n{len(data):8d}\n{lines}\n"


def test_texts_of_a_png(session, tmp):
    picture = Image.new("RGB", (16, 8), (90, 120, 30))
    texts = PngImagePlugin.PngInfo()
    texts.add_text("Author", "Jörg")
    texts.add_text("Author", "the second of a keyword", zip=True)
    texts.add_text("Copyright", "2026 me", zip=True)
    texts.add_itxt("Description", "Zürich", zip=True)
    picture.save(tmp / "texts.png", pnginfo=texts)
    found = tags(session.convert(tmp / "texts.png", "jpeg-sdr"))
    names = ("Artist", "Copyright", "ImageDescription")
    same("texts", [found.get(f"IFD0:{name}") for name in names], ["Jörg", "2026 me", "Zürich"])
    exif = Image.Exif()
    exif[0x010F], exif[0x8298], exif[0x0112] = "Canon", "2026 me", 6
    xmp = (b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-'
           b'rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/"'
           b' xmp:Rating="5"/></rdf:RDF></x:xmpmeta>')
    keyword = b"\x1c\x02\x19\0\x03key"
    blocks = {"exif": exif.tobytes(), "xmp": xmp,
              "iptc": b"8BIM\x04\x04\0\0" + len(keyword).to_bytes(4, "big") + keyword + b"\0"}
    texts = PngImagePlugin.PngInfo()
    for kind, data in blocks.items():
        texts.add_text(f"Raw profile type {kind}", raw_profile(kind, data), zip=kind != "xmp")
    picture.save(tmp / "magick.png", pnginfo=texts)
    made = session.convert(tmp / "magick.png", "jpeg-sdr")
    found = tags(made)
    names = ("IFD0:Make", "XMP-xmp:Rating", "IPTC:Keywords")
    same("blocks", [found.get(name) for name in names], ["Canon", 5, "key"])
    same("turned upright", Image.open(made).size, (8, 16))


def test_comment_in_unicode(session, tmp):
    """It has the byte order of its block."""
    Image.new("RGB", (16, 8)).save(tmp / "a.png")
    run("exiftool", "-overwrite_original", "-ExifByteOrder=MM", "-UserComment=Grüße", tmp / "a.png")
    for kind in ("jpeg-sdr", "tiff", "png-sdr"):
        made = session.convert(tmp / "a.png", kind)
        found = tags(made)
        same(kind, found.get("ExifIFD:UserComment"), "Grüße")
        check("no warning", "Warning" not in str(found), str(found)[:400])


def test_apples_note_in_a_tiff(session, shared):
    """Apple's maker note is preserved, except for the tags of the gain map, as a TIFF has none."""
    source = shared / "hdr/apple_greyhounds.heic"
    before, after = tags(source), tags(session.convert(source, "tiff", "--max-size", "64"))
    for name in ("Apple:RunTimeValue", "Apple:AccelerationVector"):
        same(name, after.get(name), before[name])
    check("headroom", "Apple:HDRHeadroom" not in after)


def test_names_that_begin_with_a_dash(rawdev, tmp):
    Image.new("RGB", (16, 8)).save(tmp / "-dash.png")
    done = attempt(rawdev, "convert", "-dash.png", "o.jpg", cwd=tmp)
    check("refused", done.returncode != 0 and "./-dash.png" in done.stderr, done.stderr)
    done = attempt(rawdev, "convert", "./-dash.png", "o.jpg", cwd=tmp)
    same("by its path", done.returncode, 0)


def test_sizes_keep_proportions(session, shared):
    """A size that is asked for is that of the whole picture, rounded: 4416 to 3312 is 4 to 3."""
    made, _ = session.develop(shared / "raws/canonG10_plant_window.cr2", "png-sdr",
                              "--max-size", "1000")
    same("size", Image.open(made).size, (750, 1000))


def test_sdr_stays_sdr_or_a_note_says_so(rawdev, tmp):
    Image.new("RGB", (16, 8)).save(tmp / "a.png")
    done = attempt(rawdev, "convert", tmp / "a.png", "-o", tmp / "b.png", "--format", "png")
    check("note", "--format png-sdr keeps it SDR" in done.stderr, done.stderr)
    done = attempt(rawdev, "convert", tmp / "a.png", "-o", tmp / "c.png")
    check("no note", "keeps it SDR" not in done.stderr, done.stderr)


def test_more_texts_of_a_png(session, tmp):
    """A title beside a description, a comment, when it was made."""
    texts = PngImagePlugin.PngInfo()
    for name, text in (("Title", "A title"), ("Description", "What it shows"), ("Comment", "Grüße"),
                       ("Creation Time", "Mon, 06 May 2024 07:08:09 +0200")):
        texts.add_itxt(name, text)
    Image.new("RGB", (16, 8)).save(tmp / "texts.png", pnginfo=texts)
    found = tags(session.convert(tmp / "texts.png", "jpeg-sdr"))
    names = ("IFD0:XPTitle", "IFD0:ImageDescription", "ExifIFD:UserComment",
             "ExifIFD:DateTimeOriginal")
    same("texts", [found.get(name) for name in names],
         ["A title", "What it shows", "Grüße", "2024:05:06 07:08:09"])


def exif_block(*entries):
    """A little-endian structure of one directory: tag, type and bytes of each entry."""
    head, body = struct.pack("<H", len(entries)), b""
    for tag, kind, data in entries:
        place = 8 + 2 + 12 * len(entries) + 4 + len(body)
        head += struct.pack("<HHII", tag, kind, len(data), place)
        body += data + b"\0" * (len(data) % 2)
    return b"II*\0" + struct.pack("<I", 8) + head + bytes(4) + body


def with_chunk(path, name, data):
    """A PNG of 16 × 8 with this chunk in front of its pixels."""
    Image.new("RGB", (16, 8), (90, 120, 30)).save(path)
    png, chunk = path.read_bytes(), name + data
    chunk = struct.pack(">I", len(data)) + chunk + struct.pack(">I", zlib.crc32(chunk))
    path.write_bytes(png[:33] + chunk + png[33:])
    return path


def test_exif_in_utf8(session, tmp):
    """Type 129 of Exif 3.0, which readers of version 2 know as ASCII."""
    block = exif_block((0x013B, 129, "Jörg Müller\0".encode()), (0x8298, 2, b"2026 somebody\0"))
    found = tags(session.convert(with_chunk(tmp / "a.png", b"eXIf", block), "jpeg-sdr"))
    same("texts", [found.get("IFD0:Artist"), found.get("IFD0:Copyright")],
         ["Jörg Müller", "2026 somebody"])


def test_long_exif(session, rawdev, tmp):
    """What is longer than a JPEG holds stays in other files, and a JPEG is written without it."""
    block = exif_block((0x010E, 2, b"x" * 100_000 + b"\0"), (0x013B, 2, b"somebody\0"))
    path = with_chunk(tmp / "a.png", b"eXIf", block)
    for kind in ("heif-sdr", "tiff", "png-sdr"):
        same(kind, len(tags(session.convert(path, kind))["IFD0:ImageDescription"]), 100_000)
    done = attempt(rawdev, "convert", path, tmp / "a.jpg")
    same("exit code", done.returncode, 0)
    check("note", "Exif is longer than a JPEG holds" in done.stderr, done.stderr)
    found = tags(tmp / "a.jpg")
    same("the rest", [found.get("IFD0:ImageDescription"), found["IFD0:Artist"]], [None, "somebody"])


def test_names_of_drafts(rawdev, tmp):
    """Chunks of light as PNGs had them before the third edition was finished."""
    levels = struct.pack(">II", 40_000_000, 5_000_000)
    said = [json.loads(run(rawdev, "identify", "--json", with_chunk(tmp / "a.png", name, levels)))
            for name in (b"cLLI", b"cLLi")]
    same("content light", [facts["light"].get("maximumContentNits") for facts in said],
         [4000, 4000])


def test_linear_whole_numbers_are_sdr(rawdev, tmp):
    """Nothing in them is above white, so they need no HDR format."""
    path = with_chunk(tmp / "a.png", b"gAMA", struct.pack(">I", 100_000))
    for name in ("a.heic", "a.avif", "a.jpg"):
        done = attempt(rawdev, "convert", path, tmp / name)
        check(name, "(SDR," in done.stdout and "note" not in done.stderr, done.stdout + done.stderr)


def test_the_whole_of_a_render(session, rawdev, tmp):
    """Passes of a renderer that stand before its picture are not taken for it."""
    channels = {f"ViewLayer.{layer}.{c}": np.full((8, 8), value, np.float32)
                for layer, value in (("AO", 0.9), ("Combined", 0.25)) for c in "RGB"}
    OpenEXR.File({"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage},
                 channels).write(str(tmp / "render.exr"))
    made = tifffile.imread(session.convert(tmp / "render.exr", "tiff-float", "--color-space",
                                           "linear-srgb"))
    near("light", np.abs(made - 0.25).max(), 0, absolute=1e-6)


@pytest.mark.parametrize("exposure, isSaid", [(b"1.0000000000000", False), (b"2.0", True)])
def test_exposures_of_a_radiance_picture(rawdev, tmp, exposure, isSaid):
    path = tmp / "a.hdr"
    path.write_bytes(b"#?RADIANCE\nEXPOSURE=          " + exposure + b"\nFORMAT=32-bit_rle_rgbe\n\n"
                     b"-Y 4 +X 4\n" + bytes([128, 128, 128, 129]) * 16)
    same("note", "EXPOSURE" in attempt(rawdev, "identify", path).stdout, isSaid)


def test_turned_tone_maps(rawdev, shared, tmp):
    """A tone map is made of its inputs as they are shown: of their upright size, without turns."""
    source = shared / "hdr/apple_iphone15pro.heic"
    run(rawdev, "gainmap", "extract", source, "-o", tmp / "map.png", "--metadata", tmp / "map.json")
    channel = {"gainMapMin": 0, "gainMapMax": 2, "gamma": 1, "baseOffset": 0.015625,
               "alternateOffset": 0.015625}
    parameters = json.loads((tmp / "map.json").read_text())
    parameters["iso"] = {"baseHeadroomStops": 0, "alternateHeadroomStops": 2,
                         "usesBaseColorSpace": True, "channels": [channel]}
    (tmp / "iso.json").write_text(json.dumps(parameters))
    run(rawdev, "gainmap", "replace", source, "--map", tmp / "map.png", "--metadata",
        tmp / "iso.json", "-o", tmp / "new.heic")
    still = Still(tmp / "new.heic")
    tone = next(number for number, kind in still.types.items() if kind == "tmap")
    wide, high = struct.unpack(">II", still.property("ispe", tone)[-8:])
    same("size", (wide, high), (3024, 4032))
    same("turn", still.property("irot", tone), None)
