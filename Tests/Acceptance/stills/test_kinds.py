"""What kinds of pictures each format holds, and which of them `convert` reads, writes in the same
format, and keeps to the sample: files by others, read again by others."""
import imagecodecs
import numpy as np
import OpenEXR
import pillow_heif
import pytest
import tifffile
from PIL import Image

from support import light
from support.checks import check, near
from support.program import attempt, run

pytestmark = pytest.mark.full
WIDTH, HEIGHT = 96, 64
Y, X = np.mgrid[:HEIGHT, :WIDTH]
# Smooth, so that lossy coders cost little; each channel its own.
SMOOTH = np.stack([0.15 + 0.7 * X / WIDTH, 0.2 + 0.6 * Y / HEIGHT,
                   0.5 + 0.3 * np.sin(X / 15) * np.cos(Y / 13)], -1)
ALPHA = np.clip(1.3 - np.hypot(X - 48, Y - 32) / 40, 0, 1)[..., None]
HIGH = 6 * light.srgb_light(SMOOTH)


def codes(picture, bits):
    return np.round(picture * (2 ** bits - 1)).astype(np.uint8 if bits == 8 else np.uint16)


def samples(kind, bits):
    """Signal of 0...1 as codes: gray, RGB, with or without alpha."""
    colors = SMOOTH[..., 1:2] if kind.startswith("gray") else SMOOTH
    return codes(np.concatenate([colors, ALPHA], -1) if "alpha" in kind else colors, bits)


def squeezed(pixels):
    return pixels[..., 0] if pixels.shape[-1] == 1 else pixels


def by_imagecodecs(codec, **options):
    def write(path, pixels):
        encode = getattr(imagecodecs, f"{codec}_encode")
        path.write_bytes(encode(np.ascontiguousarray(squeezed(pixels)), **options))
    return write, lambda path: getattr(imagecodecs, f"{codec}_decode")(path.read_bytes())


def by_tifffile():
    def write(path, pixels):
        channels = pixels.shape[-1]
        kind = "rgb" if channels > 2 else "minisblack"
        tifffile.imwrite(path, squeezed(pixels), photometric=kind,
                         extrasamples=["unassalpha"] if channels == 4 else None)
    return write, tifffile.imread


def by_openexr():
    def write(path, pixels):
        name = {1: "Y", 3: "RGB", 4: "RGBA"}[pixels.shape[-1]]
        OpenEXR.File({"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage},
                     {name: np.ascontiguousarray(squeezed(pixels))}).write(str(path))

    def read(path):
        channels = OpenEXR.File(str(path)).channels()
        return next(channels[name].pixels for name in ("RGBA", "RGB", "Y") if name in channels)
    return write, read


def by_pillow_heif():
    def write(path, pixels):
        pillow_heif.from_pillow(Image.fromarray(squeezed(pixels))).save(path, quality=-1,
                                                                        chroma=444)
    return write, lambda path: np.asarray(pillow_heif.open_heif(path).to_pillow())


def by_pillow(**options):
    def write(path, pixels):
        Image.fromarray(squeezed(pixels)).save(path, **options)
    return write, lambda path: np.asarray(Image.open(path))


def by_cjxl():
    def write(path, pixels):
        source = path.with_suffix(".png")
        source.write_bytes(imagecodecs.png_encode(np.ascontiguousarray(squeezed(pixels))))
        run("cjxl", source, path, "-d", "0", "--quiet")
    return write, lambda path: imagecodecs.jpegxl_decode(path.read_bytes())


def by_numpy():
    return (lambda path, pixels: np.save(path, squeezed(pixels)), np.load)


PNG, TIFF, EXR = by_imagecodecs("png"), by_tifffile(), by_openexr()
HIGH_HALF, HIGH_FLOAT = HIGH.astype(np.float16), HIGH.astype(np.float32)
# Format, kind, its writer and reader by others, samples, format and options that keep most, and
# how much a sample may be off in the file that convert makes, as a fraction of its range.
BEST = ("--quality", "1", "--chroma", "444")
CASES = [
    *[("PNG", f"{kind}, {bits} bits", PNG, samples(kind, bits), "png-sdr",
       ("--bits", str(bits)), 0) for bits in (8, 16)
      for kind in ("gray", "RGB", "RGB and alpha", "gray and alpha")],
    *[("TIFF", f"{kind}, {bits} bits", TIFF, samples(kind, bits), "tiff",
       ("--bits", str(bits)), 0) for bits in (8, 16)
      for kind in ("gray", "RGB", "RGB and alpha")],
    ("TIFF", "RGB, halves", TIFF, HIGH_HALF, "tiff-float", ("--bits", "16"), 0),
    ("TIFF", "RGB, floats", TIFF, HIGH_FLOAT, "tiff-float", ("--bits", "32"), 0),
    ("TIFF", "gray, floats", TIFF, HIGH_FLOAT[..., :1], "tiff-float", ("--bits", "32"), 0),
    ("OpenEXR", "RGB, halves", EXR, HIGH_HALF, "exr", ("--bits", "16"), 0),
    ("OpenEXR", "RGB, floats", EXR, HIGH_FLOAT, "exr", ("--bits", "32"), 0),
    ("OpenEXR", "RGB and alpha, halves", EXR,
     np.concatenate([HIGH * ALPHA, ALPHA], -1).astype(np.float16), "exr", ("--bits", "16"), 0),
    ("OpenEXR", "gray, halves", EXR, HIGH_HALF[..., :1], "exr", ("--bits", "16"), 0),
    ("NPY", "RGB, floats", by_numpy(), HIGH_FLOAT, "npy", ("--bits", "32"), 0),
    *[("JPEG XL", f"{kind}, {bits} bits", by_cjxl(), samples(kind, bits), "jxl-sdr",
       ("--quality", "1"), 0) for bits in (8, 16) for kind in ("gray", "RGB", "RGB and alpha")],
    ("JPEG", "gray, 8 bits", by_imagecodecs("jpeg8", level=100), samples("gray", 8), "jpeg-sdr",
     BEST, 2 / 255),
    ("JPEG", "RGB, 8 bits", by_imagecodecs("jpeg8", level=100, subsampling="444"),
     samples("RGB", 8), "jpeg-sdr", BEST, 4 / 255),
    *[("AVIF", f"{kind}, 8 bits", by_imagecodecs("avif", level=100), samples(kind, 8), "avif-sdr",
       (*BEST, "--bits", "8"), 4 / 255) for kind in ("gray", "RGB", "RGB and alpha")],
    *[("HEIF", f"{kind}, 8 bits", by_pillow_heif(), samples(kind, 8), "heif-sdr",
       (*BEST, "--bits", "8"), 4 / 255) for kind in ("gray", "RGB", "RGB and alpha")],
    ("WebP", "RGB, 8 bits", by_pillow(lossless=True), samples("RGB", 8), None, (), 0),
    ("WebP", "RGB and alpha, 8 bits", by_pillow(lossless=True, exact=True),
     samples("RGB and alpha", 8), None, (), 0),
]
SUFFIXES = {"PNG": "png", "TIFF": "tif", "OpenEXR": "exr", "NPY": "npy", "JPEG XL": "jxl",
            "JPEG": "jpg", "AVIF": "avif", "HEIF": "heic", "WebP": "webp"}


def color_of(pixels):
    """Three channels of a picture, on white or black by its kind."""
    values = np.atleast_3d(np.asarray(pixels))
    return np.repeat(values[..., :1], 3, -1) if values.shape[-1] < 3 else values[..., :3]


def top(pixels):
    return np.iinfo(pixels.dtype).max if pixels.dtype.kind == "u" else 1


@pytest.mark.parametrize("format, kind, tools, pixels, target, options, most", CASES,
                         ids=[f"{case[0]}, {case[1]}" for case in CASES])
def test_kind(session, record, tmp, format, kind, tools, pixels, target, options, most):
    write, read = tools
    path = tmp / f"source.{SUFFIXES[format]}"
    write(path, pixels)
    stored = np.atleast_3d(read(path))
    # As light, by the program, beside the samples as the other reader has them. Arrays say no
    # space, and are taken for BT.2020.
    linear = "linear-bt2020" if format == "NPY" else "linear-srgb"
    found = tifffile.imread(session.convert(path, "tiff-float", "--color-space", linear))
    light_of = light.srgb_light if stored.dtype.kind == "u" else np.asarray
    wanted = light_of(color_of(stored).astype(np.float64) / top(stored))
    seen = np.ones(wanted.shape[:2], bool) if "alpha" not in kind else stored[..., -1] > 0
    off = np.abs(found[..., :3] - wanted)[seen].max()
    # Chroma of lossy coders is brought up to full size in more than one way.
    near("read", off, 0, absolute=2e-2 if most else 1e-5 * max(wanted.max(), 1))
    row = {"format": format, "kind": kind, "reads": "yes"}
    if target is None:
        record("Kinds of pictures (stills/test_kinds.py)", **row, writes="no", keeps="–")
        return
    space = linear if stored.dtype.kind == "f" else "srgb"
    made = session.convert(path, target, "--color-space", space, *options)
    kept = np.atleast_3d(read(made))
    check("type", kept.dtype.itemsize >= stored.dtype.itemsize, kept.dtype)
    # Floats are three channels; a gray of three equal ones is gray.
    flat = kept if kept.shape == stored.shape else None
    if flat is None and stored.shape[-1] == 1 and np.ptp(kept[..., :3], -1).max() == 0:
        flat, row["kind"] = kept[..., :1], f"{kind}, as RGB"
    check("channels", flat is not None, (stored.shape, kept.shape))
    differ = np.abs(flat.astype(np.float64) / top(kept) - stored.astype(np.float64) / top(stored))
    differ = differ[seen]
    near("kept", differ.max(), 0, absolute=most)
    exactly = "to the bit" if differ.max() == 0 else f"within {255 * differ.max():.1f} of 255"
    record("Kinds of pictures (stills/test_kinds.py)", **row, writes="yes", keeps=exactly)


@pytest.mark.parametrize("format, kind, said", [
    ("WebP", "animation", "WebP is an animation"), ("JPEG", "12 bits", "a JPEG of 12 bits"),
    ("JPEG", "lossless", "lossless"), ("TIFF", "complex numbers", "complex")])
def test_refused(session, rawdev, record, tmp, format, kind, said):
    """Kinds that are refused, by their names."""
    path = tmp / f"refused.{SUFFIXES[format]}"
    if kind == "animation":
        picture = Image.fromarray(samples("RGB", 8))
        picture.save(path, save_all=True, append_images=[picture.rotate(90)])
    elif format == "JPEG":
        lossless = kind == "lossless"
        path.write_bytes(imagecodecs.ljpeg_encode(samples("gray", 8)[..., 0]) if lossless
                         else imagecodecs.jpeg8_encode(samples("RGB", 16) >> 4, bitspersample=12))
    else:
        tifffile.imwrite(path, (HIGH[..., 0] + 1j).astype(np.complex64))
    done = attempt(rawdev, "convert", path, tmp / "out.tif")
    check("exit code", done.returncode == 65, done.returncode)
    check("message", said in done.stderr, done.stderr)
    record("Kinds of pictures (stills/test_kinds.py)", format=format, kind=kind,
           reads="no, by name", writes="no", keeps="–")
