"""What `convert` keeps of pictures of other programs beside their pixels, and where it would show
that it did not."""
import imagecodecs
import numpy as np
import pytest
import tifffile
from PIL import Image, PngImagePlugin

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
    """Apple's maker note stays, but for what speaks of the gain map that a TIFF has not."""
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
