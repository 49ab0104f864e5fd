"""Pictures of printing inks (CMYK), of CIE L*a*b*, of unusual samples: against Pillow's LittleCMS,
tifffile, libtiff and imagecodecs; what is not read is refused by its name."""
import io
import struct

import imagecodecs
import numpy as np
import pytest
import tifffile
from PIL import Image, ImageCms

from support.checks import check, near, same
from support.program import attempt, run

INKS = np.stack(np.meshgrid(*[[0, 60, 128, 200, 255]] * 4, indexing="ij"), -1)
# Eight by eight of each mix, as JPEG would blur what is smaller.
INKS = INKS.reshape(25, 25, 4).repeat(8, 0).repeat(8, 1).astype(np.uint8)
SRGB = ("--color-space", "srgb", "--bits", "8")


def ink_profile():
    """An output profile of four inks: A2B0 of a grid of 9 for each, 16 bits, to Lab."""
    axis = np.linspace(0, 1, 9)
    c, m, y, k = np.meshgrid(axis, axis, axis, axis, indexing="ij")
    bare = (1 - 0.85 * k) * (1 - 0.2 * c) * (1 - 0.3 * m) * (1 - 0.1 * y)
    color = 0.25 * (1 - k)
    lab = [bare, 128 / 255 + color * (m - c), 128 / 255 + color * (y - (c + m) / 2)]
    grid = np.clip(np.stack(lab, -1) * 65280, 0, 65535).astype(">u2").tobytes()
    identity = struct.pack(">9i", *(65536 * (i % 4 == 0) for i in range(9)))
    table = (b"mft2" + bytes(4) + bytes([4, 3, 9, 0]) + identity + struct.pack(">HH", 2, 2)
             + struct.pack(">HH", 0, 65535) * 4 + grid + struct.pack(">HH", 0, 65535) * 3)
    name = b"Inks"
    description = (b"desc" + bytes(4) + struct.pack(">I", len(name) + 1) + name + b"\0"
                   + bytes(4 + 4 + 2 + 1 + 67))
    white = b"XYZ " + bytes(4) + struct.pack(">3i", *(int(v * 65536) for v in (0.85, 0.88, 0.69)))
    tags = [(b"desc", description), (b"cprt", b"text" + bytes(4) + b"none\0"), (b"wtpt", white),
            (b"A2B0", table)]
    rows, body, start = b"", b"", 132 + 12 * len(tags)
    for signature, content in tags:
        rows += signature + struct.pack(">II", start + len(body), len(content))
        body += content + bytes(-len(content) % 4)
    header = bytearray(128)
    header[8:12] = bytes([2, 0x40, 0, 0])
    header[12:24] = b"prtrCMYKLab "
    header[36:40] = b"acsp"
    header[68:80] = struct.pack(">3i", 63190, 65536, 54061)
    header[:4] = struct.pack(">I", start + len(body))
    return bytes(header) + struct.pack(">I", len(tags)) + rows + body


def shown(inks, profile):
    """sRGB of 8 bits by LittleCMS, relative colorimetric with black point compensation."""
    transform = ImageCms.buildTransform(
        ImageCms.ImageCmsProfile(io.BytesIO(profile)), ImageCms.createProfile("sRGB"),
        "CMYK", "RGB", ImageCms.Intent.RELATIVE_COLORIMETRIC,
        ImageCms.Flags.BLACKPOINTCOMPENSATION | ImageCms.Flags.NOOPTIMIZE)
    return np.asarray(ImageCms.applyTransform(Image.fromarray(inks, "CMYK"), transform)).astype(int)


def pixels(session, path):
    return tifffile.imread(session.convert(path, "tiff", *SRGB)).astype(int)


def off(session, path, wanted):
    """The largest difference within sRGB: colors outside become others in each program."""
    inside = ((wanted > 0) & (wanted < 255)).all(-1)
    check("colors within sRGB", inside.mean() > 0.5)
    return np.abs(pixels(session, path) - wanted)[inside].max()


def test_ink_jpegs(session, rawdev, tmp):
    """CMYK and YCCK, as Pillow reads them."""
    profile = ink_profile()
    plain = tmp / "cmyk.jpg"
    Image.fromarray(INKS, "CMYK").save(plain, quality=100, icc_profile=profile)
    ycck = tmp / "ycck.jpg"
    coded = imagecodecs.jpeg8_encode(255 - INKS, level=100, colorspace="cmyk", outcolorspace="ycck",
                                     subsampling="444")
    app2 = b"ICC_PROFILE\0\x01\x01" + profile
    ycck.write_bytes(coded[:2] + b"\xff\xe2" + struct.pack(">H", len(app2) + 2) + app2 + coded[2:])
    for path in (plain, ycck):
        wanted = shown(np.asarray(Image.open(path)), profile)
        # Programs that convert 8 bits round twice.
        near(path.name, off(session, path, wanted), 0, absolute=1)
        text = attempt(rawdev, "identify", path).stdout
        check("said", "CMYK" in text and "Inks" in text, text)


@pytest.mark.parametrize("bits", [8, 16])
def test_ink_tiffs(session, tmp, bits):
    profile = ink_profile()
    stored = INKS if bits == 8 else INKS.astype(np.uint16) * 257
    wanted = shown(INKS, profile)
    for name, options in (("strips", {}), ("tiles", {"tile": (64, 64)}),
                          ("planes", {"planarconfig": "separate"})):
        path = tmp / f"{name}{bits}.tif"
        data = stored.transpose(2, 0, 1) if name == "planes" else stored
        tifffile.imwrite(path, data, photometric="separated", iccprofile=profile,
                         compression="zlib", **options)
        near(name, off(session, path, wanted), 0, absolute=1)


def test_inks_without_profile(session, rawdev, tmp):
    """The aims of offset printing: what publishers name as the sRGB of its solid inks."""
    solids = {(0, 0, 0, 0): (255, 255, 255), (255, 0, 0, 0): (0, 159, 227),
              (0, 255, 0, 0): (230, 0, 126), (0, 0, 255, 0): (255, 237, 0),
              (0, 0, 0, 255): (29, 29, 27), (0, 255, 255, 0): (227, 6, 19)}
    path = tmp / "bare.tif"
    tifffile.imwrite(path, np.array([list(solids)], np.uint8), photometric="separated")
    light = tifffile.imread(session.convert(path, "tiff-float", "--color-space", "linear-srgb"))
    # Cyan and magenta are outside sRGB; what is published of them is cut off.
    light = np.clip(light.reshape(-1, 3).astype(float), 0, 1)
    found = 255 * np.where(light < 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    near("solids", np.abs(found - np.array(list(solids.values()))).max(), 0, absolute=4)
    done = attempt(rawdev, "convert", path, "-o", tmp / "bare.png", "--format", "png")
    check("said", "no usable ICC profile" in done.stderr, done.stderr)


@pytest.mark.parametrize("kind", [8, 9])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_lab(session, tmp, kind, dtype):
    """By the formulas; libtiff's own of 8 bits, whose displays are near sRGB, is no truth."""
    rng = np.random.default_rng(3)
    lab = np.stack([rng.uniform(0, 100, (40, 50)), rng.uniform(-30, 30, (40, 50)),
                    rng.uniform(-30, 30, (40, 50))], -1)
    step = 1 if dtype is np.uint8 else 256
    top = 255 if step == 1 else 65535 if kind == 8 else 65280
    codes = np.round(lab * np.array([top / 100, step, step]))
    lab = codes / np.array([top / 100, step, step])
    stored = codes + (np.array([0, 128, 128]) * step if kind == 9 else 0)
    path = tmp / "lab.tif"
    tifffile.imwrite(path, (stored.astype(int) % (256 * step)).astype(dtype),
                     photometric="cielab" if kind == 8 else "icclab")
    fy = (lab[..., :1] + 16) / 116
    f = np.concatenate([fy + lab[..., 1:2] / 500, fy, fy - lab[..., 2:] / 200], -1)
    xyz = np.where(f > 6 / 29, f ** 3, (f - 4 / 29) * 108 / 841) * [0.9642, 1, 0.8249]
    # Bradford's, from D50, to linear sRGB.
    linear = xyz @ np.array([[3.1338561, -1.6168667, -0.4906146],
                             [-0.9787684, 1.9161415, 0.0334540],
                             [0.0719453, -0.2289914, 1.4052427]]).T
    found = tifffile.imread(session.convert(path, "tiff-float", "--color-space", "linear-srgb"))
    near("light", np.abs(found - linear).max(), 0, absolute=1e-3)


def test_unusual_floats(session, tmp):
    """24 bits, which tifffile decodes, and 64."""
    light = np.linspace(-0.5, 6, 30 * 40 * 3).reshape(30, 40, 3).astype(np.float32)
    path = tmp / "double.tif"
    tifffile.imwrite(path, light.astype(np.float64), photometric="rgb")
    found = tifffile.imread(session.convert(path, "tiff-float", "--color-space", "linear-srgb"))
    near("64 bits", np.abs(found - light).max(), 0, absolute=1e-6)
    # tifffile has no writer of 24 bits: as whole bytes, with the tags of floats.
    coded = np.frombuffer(imagecodecs.float24_encode(light, byteorder="<"), np.uint8)
    path = tmp / "float24.tif"
    tifffile.imwrite(path, coded.reshape(30, 40, 9), photometric="minisblack", metadata=None,
                     planarconfig="contig")
    data = bytearray(path.read_bytes())
    with tifffile.TiffFile(path) as file:
        tags = file.pages[0].tags
        offset, entry = tags["BitsPerSample"].valueoffset, {t.name: t.offset for t in tags.values()}
    data[offset:offset + 6] = struct.pack("<3H", 24, 24, 24)
    for name, count, value in (("BitsPerSample", 3, offset), ("SamplesPerPixel", 1, 3),
                               ("PhotometricInterpretation", 1, 2)):
        data[entry[name] + 4:entry[name] + 12] = struct.pack("<II", count, value)
    # In place of the extra samples.
    data[entry["ExtraSamples"]:entry["ExtraSamples"] + 12] = struct.pack("<HHIHH", 339, 3, 1, 3, 0)
    path.write_bytes(data)
    wanted = tifffile.imread(path)
    found = tifffile.imread(session.convert(path, "tiff-float", "--color-space", "linear-srgb"))
    near("24 bits", np.abs(found - wanted).max(), 0, absolute=1e-6)


def test_other_jpegs_are_named(rawdev, tmp):
    """What the installed libjpeg-turbo does not decode."""
    codes = (np.arange(64 * 64 * 3).reshape(64, 64, 3) * 7 % 4096).astype(np.uint16)
    few = (codes >> 4).astype(np.uint8)
    files = {"12 bits": imagecodecs.jpeg8_encode(codes, bitspersample=12, level=90),
             "lossless JPEG": imagecodecs.jpeg8_encode(few, lossless=True),
             "JPEG-LS": imagecodecs.jpegls_encode(few)}
    for name, data in files.items():
        path = tmp / "other.jpg"
        path.write_bytes(data)
        done = attempt(rawdev, "convert", path, "-o", tmp / "other.png", "--format", "png")
        same(name, done.returncode, 65)
        check("named", name in done.stderr and "convert it to PNG or TIFF" in done.stderr,
              done.stderr)
    path.write_bytes(imagecodecs.jpeg8_encode(few, level=95))
    run(rawdev, "convert", path, "-o", tmp / "eight.png", "--format", "png")
