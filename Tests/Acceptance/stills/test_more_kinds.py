"""Kinds of pictures that others make: OpenEXR, Radiance, WebP, arrays, pictures with alpha; against
OpenEXR, OpenImageIO, Pillow and formulas."""
import io
import json

import OpenEXR
import OpenImageIO as oiio
import imagecodecs
import numpy as np
import pillow_heif
import pytest
import tifffile
from PIL import Image

from support import light
from support.checks import check, near, same
from support.program import attempt, run

RAMP = np.linspace(0, 6, 30 * 40 * 3).reshape(30, 40, 3)
TYPES = {"half": np.float16, "float": np.float32, "uint": np.uint32}
COMPRESSIONS = ["NO", "RLE", "ZIPS", "ZIP", "PIZ", "PXR24", "B44", "B44A", "DWAA", "DWAB"]


def floats(session, path, space="linear-srgb"):
    """Its light, without alpha."""
    made = session.convert(path, "tiff-float", "--color-space", space)
    return tifffile.imread(made)[..., :3]


def exr(path, channels, **header):
    header = {"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage} | header
    OpenEXR.File(header, channels).write(str(path))
    return path


def tiles(width, height):
    description = OpenEXR.TileDescription()
    description.xSize, description.ySize = width, height
    return {"type": OpenEXR.tiledimage, "tiles": description}


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_openexr(session, rawdev, tmp, compression, kind):
    """Every compression, in lines and tiles, as OpenEXR reads them itself; what the core library of
    version 3.1 does not decode is refused by its name."""
    if compression[:3] == "B44" and kind != "half":
        path = exr(tmp / "a.exr", {"RGB": RAMP.astype(TYPES[kind])},
                   compression=getattr(OpenEXR, f"{compression}_COMPRESSION"))
        done = attempt(rawdev, "convert", path, "-o", tmp / "a.png", "--format", "png")
        refused = done.returncode == 65 and compression[:3] in done.stderr
        check("refused or read", refused or done.returncode == 0, done.stderr)
        return
    for name, layout in (("lines", {}), ("tiles", tiles(16, 8))):
        pixels = (np.round(RAMP * 9) if kind == "uint" else RAMP).astype(TYPES[kind])
        path = exr(tmp / f"{name}.exr", {"RGB": pixels},
                   compression=getattr(OpenEXR, f"{compression}_COMPRESSION"), **layout)
        wanted = OpenEXR.File(str(path)).channels()["RGB"].pixels.astype(np.float32)
        # Coefficients of DWA become halves on the way.
        close = 2e-3 * wanted.max() if compression[:3] == "DWA" and kind != "uint" else 1e-6
        near(name, np.abs(floats(session, path) - wanted).max(), 0, absolute=close)


@pytest.mark.parametrize("kind", ["half", "float"])
@pytest.mark.parametrize("compression", ["DWAA", "DWAB"])
def test_openexr_dwa(session, tmp, compression, kind):
    """As other programs write it: a photograph's edges, lights and noise, alpha in run lengths, a
    layer, depth and an index without loss, pictures of one line and of several chunks."""
    random = np.random.default_rng(7)
    for width, height in ((301, 290), (8, 8), (33, 1), (1, 9)):
        y, x = np.mgrid[:height, :width]
        light = (np.sin(x / 9) + 1.02) * (1 + 30 * (np.hypot(x - 150, y - 140) < 20)) * (y > 20)
        pixels = light[..., None] * [0.9, 0.5, 0.2] + random.normal(0, 0.02, (height, width, 3))
        pixels = pixels.astype(TYPES[kind])
        alpha = np.ascontiguousarray(((x // 7 + y // 5) % 2).astype(TYPES[kind]))
        channels = {"RGB": pixels, "key.R": pixels[..., 2].copy(), "key.G": pixels[..., 0].copy(),
                    "key.B": pixels[..., 1].copy(), "A": alpha,
                    "Z": (x * 7 + y).astype(np.float32), "id": (x % 5).astype(np.uint32)}
        path = exr(tmp / f"{width}.exr", channels,
                   compression=getattr(OpenEXR, f"{compression}_COMPRESSION"))
        # Alpha of an OpenEXR is multiplied in already: on black the picture is as stored.
        wanted = OpenEXR.File(str(path)).channels()["RGBA"].pixels.astype(np.float32)
        found = floats(session, path)[..., :3]
        # The next half before the curve is undone.
        bound = 5e-3 * np.abs(wanted[..., :3]) + 2e-3
        near(f"{width} x {height}", (np.abs(found - wanted[..., :3]) / bound).max(), 0, absolute=1)


@pytest.mark.parametrize("name, data, display", [
    ("smaller", ((3, 2), (22, 21)), ((0, 0), (39, 29))),
    ("larger", ((-7, -4), (32, 25)), ((0, 0), (19, 19))),
    ("apart", ((50, 50), (89, 79)), ((0, 0), (9, 9)))])
def test_openexr_windows(session, tmp, name, data, display):
    """The picture is the display window; where there are no pixels it is black."""
    (left, top), (right, bottom) = data
    pixels = RAMP[:bottom - top + 1, :right - left + 1].astype(np.float32)
    path = exr(tmp / f"{name}.exr", {"RGB": pixels},
               dataWindow=tuple(np.array(corner, np.int32) for corner in data),
               displayWindow=tuple(np.array(corner, np.int32) for corner in display))
    wide = np.zeros((300, 300, 3), np.float32)
    wide[100 + top:101 + bottom, 100 + left:101 + right] = pixels
    (left, top), (right, bottom) = display
    found = floats(session, path)
    near("pixels", np.abs(found - wide[100:101 + bottom, 100:101 + right]).max(), 0, absolute=1e-6)


def test_openexr_colors(session, rawdev, tmp):
    """Chromaticities, layers, single channels, and values that are none."""
    p3 = (0.68, 0.32, 0.265, 0.69, 0.15, 0.06, 0.3127, 0.3290)
    pixels = RAMP.astype(np.float32)
    path = exr(tmp / "p3.exr", {"RGB": pixels}, chromaticities=p3)
    near("P3", np.abs(floats(session, path, "linear-p3") - pixels).max(), 0, absolute=1e-6)
    layer = exr(tmp / "layer.exr", {f"diffuse.{c}": pixels[..., i].copy()
                                    for i, c in enumerate("RGB")} | {"Z": pixels[..., 0].copy()})
    near("layer", np.abs(floats(session, layer) - pixels).max(), 0, absolute=1e-6)
    check("its note", "diffuse" in attempt(rawdev, "identify", layer).stdout)
    gray = exr(tmp / "gray.exr", {"Y": pixels[..., 1].copy()})
    near("gray", np.abs(floats(session, gray) - pixels[..., 1:2]).max(), 0, absolute=1e-6)
    odd = pixels.copy()
    odd[0, 0], odd[1, 1], odd[2, 2] = np.nan, np.inf, -np.inf
    path = exr(tmp / "odd.exr", {"RGB": odd})
    found = floats(session, path)
    check("finite", np.isfinite(found).all())
    same("what they are", [found[0, 0, 0], found[1, 1, 0], found[2, 2, 0]], [0, 6, 0])
    done = attempt(rawdev, "convert", path, "-o", tmp / "odd.png", "--format", "png")
    check("note", "9 of its values are infinite or NaN" in done.stderr, done.stderr)
    facts = json.loads(run(rawdev, "identify", "--json", path))
    same("headroom", round(facts["contentHeadroom"], 3), 6)


def test_openexr_luminance_chroma(session, shared):
    """By the formula, where chroma has its samples."""
    source = shared / "more/hdr/exr_XYZ_YC.exr"
    channels = OpenEXR.File(str(source)).channels()
    y = channels["Y"].pixels.astype(np.float64)[::2, ::2]
    # Without gaps, in an array of the whole picture's size.
    ry, by = (channels[name].pixels.ravel()[:y.size].reshape(y.shape).astype(np.float64)
              for name in ("RY", "BY"))
    xyz = np.stack([(ry + 1) * y, y, (by + 1) * y], -1)
    bradford = np.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367],
                         [0.0389, -0.0685, 1.0296]])
    cone = bradford @ np.array([0.3127 / 0.3290, 1, 0.3583 / 0.3290]) / (bradford @ np.ones(3))
    adapted = xyz @ (np.linalg.inv(bradford) @ np.diag(cone) @ bradford).T
    to_srgb = np.linalg.inv(np.array([[0.4123908, 0.3575843, 0.1804808],
                                      [0.2126390, 0.7151687, 0.0721923],
                                      [0.0193308, 0.1191948, 0.9505322]]))
    wanted = adapted @ to_srgb.T
    found = floats(session, source)[::2, ::2]
    near("at its samples", np.abs(found - wanted).max(), 0, absolute=2e-3)


def test_openexr_of_others(session, shared):
    for name in ("exr_chcaus2_bloom", "exr_WideFloatRange"):
        source = shared / f"more/hdr/{name}.exr"
        wanted = next(iter(OpenEXR.File(str(source)).channels().values())).pixels
        wanted = np.atleast_3d(wanted.astype(np.float64))
        found = floats(session, source)
        with np.errstate(invalid="ignore"):
            known = np.isfinite(wanted).all(-1) & (np.abs(wanted).max(-1) < 1e30)
        off = np.abs(found - wanted)[known] / np.maximum(np.abs(wanted[known]), 1)
        near(name, off.max(), 0, absolute=2e-6)


def test_radiance(session, shared, tmp):
    """Of both run-length codes, and what OpenImageIO writes."""
    made = tmp / "made.hdr"
    pixels = RAMP.astype(np.float32)
    out = oiio.ImageOutput.create(str(made))
    out.open(str(made), oiio.ImageSpec(40, 30, 3, "float"))
    out.write_image(pixels)
    out.close()
    # OpenImageIO does not read runs of whole pixels.
    old = floats(session, shared / "more/hdr/radiance_old_rle.hdr")
    check("old runs", np.isfinite(old).all() and old.min() >= 0 and old.std() > 0)
    for source in (made, shared / "more/hdr/radiance_lavender_night.hdr"):
        wanted = oiio.ImageBuf(str(source)).get_pixels(oiio.FLOAT)
        found = floats(session, source)
        near(source.name, np.abs(found - wanted).max() / wanted.max(), 0, absolute=1e-6)


def on_white(pixels):
    """8-bit sRGB of straight alpha, over white in linear light."""
    alpha = pixels[..., 3:].astype(float) / 255
    lit = light.srgb_light(pixels[..., :3] / 255) * alpha + 1 - alpha
    return 255 * light.srgb_signal(lit)


def sdr(session, path):
    made = session.convert(path, "png-sdr", "--bits", "8", "--color-space", "srgb")
    return imagecodecs.png_decode(made.read_bytes()).astype(float)


def jxl(session, path):
    """Its colors and alpha in a lossless JPEG XL, as libjxl has them."""
    made = session.convert(path, "jxl-sdr", "--color-space", "srgb", "--quality", "1")
    path.with_suffix(".kept.jxl").write_bytes(made.read_bytes())
    return imagecodecs.jpegxl_decode(made.read_bytes()).astype(float) / 257


def heif(path):
    """Its colors and alpha in the best quality, as libheif or libavif have them."""
    if path.suffix == ".avif":
        return imagecodecs.avif_decode(path.read_bytes()).astype(float)
    return np.asarray(pillow_heif.open_heif(path).to_pillow()).astype(float)


def check_alpha(session, path, pixels, most):
    """Colors and alpha stay; in a format that has none here the picture lies on white."""
    wide = session.convert(path, "tiff", "--color-space", "srgb")
    narrow = session.convert(path, "tiff", "--color-space", "srgb", "--bits", "8")
    with tifffile.TiffFile(wide) as file:
        same("kind of alpha", file.pages[0].extrasamples[0].name, "UNASSALPHA")
    for name, kept in (("png", sdr(session, path)), ("16 bits", tifffile.imread(wide) / 257),
                       ("8 bits", tifffile.imread(narrow).astype(float)),
                       ("and back", sdr(session, wide)), ("JPEG XL", jxl(session, path)),
                       ("JPEG XL and back", sdr(session, path.with_suffix(".kept.jxl")))):
        same(f"{name}: channels", kept.shape, pixels.shape)
        off = np.abs(kept - pixels) * (pixels[..., 3:] > 0)
        near(f"{name}: colors and alpha", off.max(), 0, absolute=most)
    for kind, bits, coded in (("avif-sdr", 8, 3), ("avif-sdr", 10, 3), ("heif-sdr", 10, 3)):
        made = session.convert(path, kind, "--color-space", "srgb", "--quality", "1", "--chroma",
                               "444", "--bits", str(bits))
        kept = heif(made)
        kept /= 1023 / 255 if kept.max() > 255 else 1
        same(f"{kind}: channels", kept.shape, pixels.shape)
        off = np.abs(kept - pixels)
        near(f"{kind} of {bits} bits: alpha", off[..., 3].max(), 0, absolute=coded)
        near(f"{kind} of {bits} bits: colors", np.median(off[..., :3][pixels[..., 3] > 0]), 0,
             absolute=coded)
        back = sdr(session, made)
        near(f"{kind} of {bits} bits: and back", np.abs(back - kept)[..., 3].max(), 0, absolute=1)
    check_multiplied(session, path, pixels, most)
    flat = 255 * light.srgb_signal(np.load(session.convert(path, "npy", "--color-space",
                                                           "linear-srgb")))
    near("on white", np.abs(flat - on_white(pixels)).max(), 0, absolute=most)


def check_multiplied(session, path, pixels, most):
    """In a TIFF of floats colors are as they are, in an OpenEXR multiplied by alpha."""
    wide = session.convert(path, "tiff-float", "--color-space", "linear-srgb")
    with tifffile.TiffFile(wide) as file:
        same("alpha of floats", file.pages[0].extrasamples[0].name, "UNASSALPHA")
        kept = file.asarray()
    alpha = pixels[..., 3] / 255
    near("alpha in TIFF", np.abs(kept[..., 3] - alpha).max(), 0, absolute=most / 255)
    codes = 255 * light.srgb_signal(kept[..., :3])
    near("colors in TIFF", (np.abs(codes - pixels[..., :3]).max(-1) * (alpha > 0)).max(), 0,
         absolute=most)
    made = session.convert(path, "exr", "--color-space", "linear-srgb")
    stored = OpenEXR.File(str(made)).channels()["RGBA"].pixels.astype(np.float32)
    near("multiplied", np.abs(stored[..., :3] - kept[..., :3] * kept[..., 3:]).max(), 0,
         absolute=1e-3)
    near("alpha in OpenEXR", np.abs(stored[..., 3] - kept[..., 3]).max(), 0, absolute=1e-3)


def clear():
    """Colors over alpha of 0...255."""
    random = np.random.default_rng(3)
    pixels = random.integers(0, 256, (32, 64, 4)).astype(np.uint8)
    pixels[..., 3] = np.linspace(0, 255, 64).astype(np.uint8)
    return pixels


def test_webp(session, rawdev, tmp):
    """Lossless, lossy and transparent, with a profile; an animation is refused by its name."""
    picture = Image.fromarray(clear()[..., :3])
    for name, options in (("lossless", {"lossless": True}), ("lossy", {"quality": 80})):
        path = tmp / f"{name}.webp"
        profile = imagecodecs.cms_profile("srgb")
        picture.save(path, icc_profile=profile, **options)
        wanted = np.asarray(Image.open(path).convert("RGB")).astype(float)
        near(name, np.abs(sdr(session, path) - wanted).max(), 0, absolute=1)
    path = tmp / "clear.webp"
    Image.fromarray(clear()).save(path, lossless=True, exact=True)
    check_alpha(session, path, clear(), 0.6)
    moving = tmp / "moving.webp"
    picture.save(moving, save_all=True, append_images=[picture.rotate(90)])
    done = attempt(rawdev, "identify", moving)
    check("animation", done.returncode == 65 and "WebP is an animation" in done.stderr, done.stderr)


def test_arrays(session, rawdev, shared):
    """An array that rawdev wrote holds what the picture held."""
    source = shared / "hdr/pq_libavif_seine_hdr_rec2020.avif"
    array = session.convert(source, "npy")
    same("pixels", floats(session, array, "linear-bt2020").tolist(), np.load(array).tolist())


@pytest.mark.parametrize("kind", ["png", "png16", "palette", "tiff", "jxl", "avif", "heic"])
def test_alpha(session, rawdev, tmp, kind):
    """It stays where the format holds it; elsewhere what is transparent lies on white, and a note
    says so."""
    pixels, path = clear(), tmp / f"{kind}.{kind[:3] if kind != 'palette' else 'png'}"
    if kind == "png":
        Image.fromarray(pixels).save(path)
    elif kind == "png16":
        path.write_bytes(imagecodecs.png_encode(pixels.astype(np.uint16) * 257))
    elif kind == "palette":
        indices = np.arange(64, dtype=np.uint8)[None].repeat(32, 0)
        picture = Image.fromarray(indices, "P")
        picture.putpalette(pixels[0, :, :3].ravel().tolist())
        picture.save(path, transparency=bytes(pixels[0, :, 3]))
        pixels = pixels[:1].repeat(32, 0)
    elif kind == "tiff":
        path = tmp / "alpha.tif"
        tifffile.imwrite(path, pixels, photometric="rgb", extrasamples=["unassalpha"])
    elif kind == "jxl":
        path.write_bytes(imagecodecs.jpegxl_encode(pixels, lossless=True))
    else:
        path = tmp / f"alpha.{kind}"
        if kind == "avif":
            Image.fromarray(pixels).save(path, quality=100, subsampling="4:4:4")
        else:
            pillow_heif.from_pillow(Image.fromarray(pixels)).save(path, quality=-1, chroma=444)
        pixels = np.asarray(Image.open(path).convert("RGBA") if kind == "avif"
                            else pillow_heif.open_heif(path).to_pillow())
    most = 3 if kind in ("avif", "heic") else 0.6
    check_alpha(session, path, pixels, most)
    check("note", "shown on white" in attempt(rawdev, "identify", path).stdout)
    small = session.convert(path, "png-sdr", "--max-size", "16")
    same("smaller", imagecodecs.png_decode(small.read_bytes()).shape, (8, 16, 4))


def test_opaque_alpha_is_none(session, tmp):
    Image.new("RGBA", (16, 8), (200, 90, 10, 255)).save(tmp / "opaque.png")
    same("PNG", sdr(session, tmp / "opaque.png").shape, (8, 16, 3))
    same("TIFF", tifffile.imread(session.convert(tmp / "opaque.png", "tiff")).shape, (8, 16, 3))


def test_light_over_alpha(session, rawdev, tmp, shared):
    """Floats that are multiplied by alpha keep the light that is there where alpha is 0."""
    pixels = np.concatenate([RAMP, np.linspace(0, 1, 40)[None, :, None].repeat(30, 0)], -1)
    path = exr(tmp / "flame.exr", {"RGBA": pixels.astype(np.float32)})
    near("light", np.abs(floats(session, path) - RAMP).max(), 0, absolute=1e-6)
    check("note", "shown on black" in attempt(rawdev, "identify", path).stdout)
    candle = sdr(session, shared / "more/hdr/jxl_float16_linear_candle.jxl")
    same("channels", candle.shape, (810, 1000, 3))
    check("dark around the candle", np.median(candle) < 2)


@pytest.mark.parametrize("kind", ["half", "float"])
@pytest.mark.parametrize("compression", ["none", "zips", "zip", "piz", "dwaa", "dwab"])
def test_openexr_alpha(session, tmp, kind, compression):
    """Light and alpha of an OpenEXR are the same in another, and in a TIFF of floats; colors that
    cover pixels are those of a PNG, divided by alpha."""
    y, x = np.mgrid[:300, :70].astype(np.float32)
    alpha = np.clip(1.4 - np.hypot(x - 35, y - 150) / 100, 0, 1)
    colors = np.stack([0.2 + 6 * (y > 150), 0.5 + x / 70, 0.1 + y / 300], -1)
    pixels = np.concatenate([colors * alpha[..., None], alpha[..., None]], -1).astype(TYPES[kind])
    path = exr(tmp / "cover.exr", {"RGBA": pixels})
    bits = ("--bits", "16" if kind == "half" else "32")
    for tiles in ((), ("--exr-layout", "tiles")):
        made = session.convert(path, "exr", "--color-space", "linear-srgb",
                               "--exr-compression", compression, *bits, *tiles)
        found = OpenEXR.File(str(made)).channels()["RGBA"].pixels
        same("type", found.dtype, pixels.dtype)
        same("alpha", bool((found[..., 3] == pixels[..., 3]).all()), True)
        wanted = pixels[..., :3].astype(np.float32)
        bound = 0.02 * wanted + 0.02 if "dwa" in compression else 0 * wanted
        check("light", (np.abs(found[..., :3].astype(np.float32) - wanted) <= bound).all())
    if compression != "zip":
        return
    for squeezed in ("none", "lzw", "deflate", "zstd"):
        made = session.convert(path, "tiff-float", "--color-space", "linear-srgb",
                               "--tiff-compression", squeezed, *bits)
        with tifffile.TiffFile(made) as file:
            same("kind of alpha", file.pages[0].extrasamples[0].name, "ASSOCALPHA")
            same("samples", bool((file.asarray() == pixels).all()), True)
        same("read back", bool((floats(session, made) == pixels[..., :3]).all()), True)
    png = sdr(session, path)
    same("channels of a PNG", png.shape, (300, 70, 4))
    near("alpha of a PNG", np.abs(png[..., 3] / 255 - pixels[..., 3]).max(), 0, absolute=3e-3)
    wanted = 255 * light.srgb_signal(colors[150:, :, 2:])
    off = np.abs(png[150:, :, 2:3] - wanted)[alpha[150:] > 0.1]
    check("colors are not darker toward the edge", np.ptp(png[200, 10:60, 2]) <= 2, off.max())
    flat = session.convert(path, "jpeg-sdr", "--quality", "1", "--chroma", "444")
    check("on black", imagecodecs.jpeg8_decode(flat.read_bytes())[0, 0].max() <= 1)


@pytest.mark.parametrize("kind", ["png", "png-sdr", "tiff", "jxl-sdr", "jpeg-sdr", "avif-sdr"])
def test_gray_stays_gray(session, rawdev, tmp, kind):
    codes = np.linspace(0, 65535, 64 * 32).reshape(32, 64).astype(np.uint16)
    path = tmp / "gray.png"
    path.write_bytes(imagecodecs.png_encode(codes))
    coded = kind in ("jpeg-sdr", "avif-sdr")
    best = ("--quality", "1") if coded or kind == "jxl-sdr" else ()
    made = session.convert(path, kind, *best)
    decode = {"png": imagecodecs.png_decode, "tif": imagecodecs.tiff_decode,
              "jxl": imagecodecs.jpegxl_decode, "jpg": imagecodecs.jpeg8_decode,
              "avi": imagecodecs.avif_decode}[made.suffix[1:4]]
    found = decode(made.read_bytes()).squeeze()
    same("shape", found.shape, codes.shape)
    if kind != "png":
        scale, most = (65535 / (1023 if kind == "avif-sdr" else 255), 257 * 2) if coded else (1, 1)
        near("codes", np.abs(found * scale - codes).max(), 0, absolute=most)
    back = session.convert(made, "png-sdr", "--bits", "16")
    again = imagecodecs.png_decode(back.read_bytes()).squeeze().astype(int)
    near("read back", np.abs(again - codes).max(), 0, absolute=257 * 2 if coded else 2)
    facts = json.loads(run(rawdev, "identify", "--json", made))
    same("channels", facts["channels"], 1)


@pytest.mark.parametrize("kind", ["jpeg", "png", "webp"])
def test_allow_damaged(session, rawdev, tmp, kind):
    """Of a file that is cut the rows that are there are read, where that is asked for."""
    pixels = np.kron(clear()[..., :3], np.ones((8, 8, 1), np.uint8))
    data = {"jpeg": lambda: imagecodecs.jpeg8_encode(pixels, level=95),
            "png": lambda: imagecodecs.png_encode(pixels),
            "webp": lambda: imagecodecs.webp_encode(pixels, level=95)}[kind]()
    path, out = tmp / f"cut.{kind}", tmp / f"out-{kind}.png"
    path.write_bytes(data[:len(data) * 3 // 4])
    same("refused", attempt(rawdev, "convert", path, "-o", out).returncode, 65)
    done = attempt(rawdev, "convert", path, "-o", out, "--allow-damaged", "--format", "png-sdr",
                   "--bits", "8", "--color-space", "srgb")
    same("exit code", done.returncode, 0)
    note = {"jpeg": "as far as", "png": "as far as", "webp": "of 256 rows are read"}[kind]
    check("note", note in done.stderr, done.stderr)
    same("notes on the damage", done.stderr.count("truncated") + done.stderr.count("damaged"), 1)
    whole = tmp / f"whole.{kind}"
    whole.write_bytes(data)
    found, wanted = imagecodecs.png_decode(out.read_bytes()).astype(int), sdr(session, whole)
    near("rows that are there", np.abs(found - wanted)[:150].max(), 0, absolute=1)
    check("rows that are not", np.abs(found - wanted)[-8:].max() > 20)


@pytest.mark.parametrize("kind, source, fraction", [
    ("heic", "apple_greyhounds.heic", 0.58), ("jxl-sdr", None, 0.8), ("exr", None, 0.7)])
def test_allow_damaged_parts(session, rawdev, shared, tmp, kind, source, fraction):
    """Of parts that are coded by themselves those that are there are read, where that is asked for;
    what only looks at a file shows them without being asked."""
    # SDR, so that what is missing changes no tone mapping.
    plain = session.convert(shared / "hdr/hlg_hdr_room.png", "png-sdr")
    whole = shared / "hdr" / source if source else session.convert(plain, kind)
    data = whole.read_bytes()
    path, out = tmp / f"cut{whole.suffix}", tmp / f"out-{kind}.png"
    path.write_bytes(data[:int(len(data) * fraction)])
    options = ("--format", "png-sdr", "--bits", "8", "--max-size", "512")
    refused = attempt(rawdev, "convert", path, "-o", out, *options)
    check("refused", refused.returncode == 65 and not out.exists(), refused.stderr)
    for extra in ((), ("--isolated",)):
        done = attempt(
            rawdev, "convert", path, "-o", out, *options, "--allow-damaged", "--overwrite", *extra)
        same("exit code", done.returncode, 0)
        check("note", "damaged" in done.stderr or "as far as" in done.stderr, done.stderr)
    entire = tmp / f"whole-{kind}.png"
    run(rawdev, "convert", whole, "-o", entire, *options)
    found, wanted = (imagecodecs.png_decode(p.read_bytes()).astype(int) for p in (out, entire))
    alike = (np.abs(found - wanted).max(axis=2) < 4).mean()
    check("a part is there", 0.3 < alike < 0.995, alike)
    shown = attempt(rawdev, "thumbnail", path, tmp / f"small-{kind}.png")
    same("thumbnail", shown.returncode, 0)
    same("identify", attempt(rawdev, "identify", path).returncode, 0)


def test_tile_ends_are_not_looked_for(rawdev, shared, tmp):
    """Where a tile of AV1 ends only a second decoder sees, which what is shown is not given to."""
    data = bytearray((shared / "hdr/pq_libavif_seine_hdr_rec2020.avif").read_bytes())
    data[22000] ^= 0x10
    path, out = tmp / "tile.avif", tmp / "tile.png"
    path.write_bytes(data)
    same("refused", attempt(rawdev, "convert", path, "-o", out).returncode, 65)
    for words in (("thumbnail", path, tmp / "tile-small.png"),
                  ("convert", path, "-o", out, "--allow-damaged")):
        done = attempt(rawdev, *words)
        # Of version 1.5 on libdav1d refuses tiles that it reads beyond their end.
        check("read", done.returncode == 0 or "libdav1d" in done.stderr, done.stderr)


@pytest.mark.parametrize("kind, fields", [
    ("png", 4), ("heif-pq", 6), ("avif", 6), ("jxl", 0), ("tiff", 0)])
def test_stated_light(session, rawdev, shared, kind, fields):
    """What is stated of a picture's light is in the files that have a place for it."""
    source = shared / "hdr/pq_libavif_seine_hdr_rec2020.avif"
    options = ["--color-space", "bt2100-pq"] if kind == "tiff" else []
    if fields:
        options += ["--content-light", "640,120", "--mastering-display", "display-p3,700,0.005"]
    if fields > 4:
        options += ["--ambient", "320", "--diffuse-white", "180"]
    path = session.convert(source, kind, *options)
    found = json.loads(run(rawdev, "identify", "--json", path))["light"]
    stated = {"maximumContentNits": 640, "averageContentNits": 120, "masteringPeakNits": 700,
              "masteringBlackNits": 0.005, "ambientLux": 320, "diffuseWhiteNits": 180}
    for name, value in list(stated.items())[:fields]:
        near(name, found.get(name, -1), value, relative=1e-4)
    if not fields:
        done = attempt(rawdev, "convert", source, "-o", path, "--format", kind, "--overwrite",
                       "--mastering-display", "display-p3,700,0.005")
        check("refused by name", done.returncode == 2 and "mastering" in done.stderr, done.stderr)


def test_compose_over(rawdev, tmp):
    """A picture is laid over another by its alpha, in linear light."""
    red = np.zeros((8, 256, 4), np.uint8)
    red[..., 0], red[..., 3] = 255, np.arange(256)
    gray = np.full((8, 256, 3), 118, np.uint8)
    Image.fromarray(red).save(tmp / "red.png")
    Image.fromarray(gray).save(tmp / "gray.png")
    out = tmp / "out.png"
    done = attempt(rawdev, "compose", tmp / "gray.png", tmp / "red.png", "-o", out, "--layout",
                   "over", "--format", "png-sdr", "--bits", "8", "--color-space", "srgb")
    same("exit code", done.returncode, 0)
    check("no note", "white" not in done.stderr, done.stderr)
    alpha = np.arange(256)[:, None] / 255
    lit = np.array([1.0, 0, 0]) * alpha + light.srgb_light(118 / 255) * (1 - alpha)
    found = imagecodecs.png_decode(out.read_bytes())[3].astype(float)
    near("codes", np.abs(found - 255 * light.srgb_signal(lit)).max(), 0, absolute=0.6)


@pytest.mark.parametrize("name, words", [
    ("a.gif", "a GIF"), ("a.bmp", "a BMP"), ("a.jp2", "a JPEG 2000"), ("a.jxr", "a JPEG XR")])
def test_refused_by_name(rawdev, tmp, name, words):
    pixels = clear()[..., :3]
    if name in ("a.gif", "a.bmp"):
        Image.fromarray(pixels).save(tmp / name)
    else:
        encode = imagecodecs.jpeg2k_encode if name == "a.jp2" else imagecodecs.jpegxr_encode
        data = encode(pixels)
        (tmp / name).write_bytes(data)
    done = attempt(rawdev, "convert", tmp / name, "-o", tmp / "out.png")
    check(name, done.returncode == 65 and f"this is {words}, which is not supported" in done.stderr,
          done.stderr)
    same("lines", len(done.stderr.strip().splitlines()), 1)


def test_matrix_of_primaries(session, shared):
    source = shared / "more/hdr/libavif_cosmos1650_yuv444_10bpc_p3pq.avif"
    found = 255 * light.pq_signal(np.maximum(floats(session, source, "linear-p3"), 0))
    wanted = np.asarray(Image.open(io.BytesIO(source.read_bytes())).convert("RGB")).astype(float)
    near("codes off libavif's", np.abs(found - wanted).max(), 0, absolute=1.5)
