"""What programs that are not ours say of one file: libheif (pillow-heif), FFmpeg (PyAV), exiftool,
tifffile and Little CMS (Pillow). Two decoders see each HEVC stream."""
import contextlib
import io
import math
import struct

import av
import imagecodecs
import numpy as np
import pillow_heif
import tifffile
from PIL import Image, ImageCms

from support import light
from support.boxes import Still
from support.checks import check, near, same
from support.program import tags

CICP = {"heif-pq": (9, 16, 9), "heif-hlg": (9, 18, 9), "heif-sdr": (12, 13, 6)}
# Each Exif orientation as numpy turns a stored picture upright.
TURNED = {1: lambda p: p, 2: lambda p: p[:, ::-1], 3: lambda p: p[::-1, ::-1], 4: lambda p: p[::-1],
          5: lambda p: p.swapaxes(0, 1), 6: lambda p: np.rot90(p, -1),
          7: lambda p: p[::-1, ::-1].swapaxes(0, 1), 8: lambda p: np.rot90(p)}
# The capture that the fixtures' tags name: exact values and numbers.
CAPTURE = {"IFD0:Make": "rawdev", "IFD0:Orientation": 1, "ExifIFD:ISO": 200, "ExifIFD:FocalLength": 35,
    "ExifIFD:LensModel": "Simulated 35mm F2.8", "ExifIFD:OffsetTimeOriginal": "+03:00",
    "ExifIFD:DateTimeOriginal": "2025:06:21 20:27:00", "GPS:GPSAltitude": 148}
NUMBERS = {"ExifIFD:ExposureTime": (0.004, 4e-7), "ExifIFD:FNumber": (5.6, 5.6e-4),
           "Composite:GPSLatitude": (36.46175, 1e-5), "Composite:GPSLongitude": (25.3753, 1e-4)}


def heif(path):
    """RGB codes as float64 0...1 and libheif's account of the file."""
    file = pillow_heif.open_heif(str(path), convert_hdr_to_8bit=False)
    pixels, bits = np.asarray(file), file.info["bit_depth"]
    codes = pixels >> (16 - bits) if pixels.dtype == np.uint16 else pixels
    return codes / float(2 ** bits - 1), file


def check_capture(name, path, camera):
    """The capture's own facts; exiftool's numbers."""
    t = tags(path)
    for tag, value in {**CAPTURE, "IFD0:Model": camera}.items():
        same(f"{name} {tag}", t.get(tag), value)
    for tag, (value, limit) in NUMBERS.items():
        near(f"{name} {tag}", float(t.get(tag, "nan")), value, absolute=limit)
    if path.suffix == ".heic":
        check(f"{name} XMP", "XMP-xmp:CreatorTool" in t, "no packet")
        same(f"{name} XMP orientation", t.get("XMP-tiff:Orientation"), 1)
    words = {k: v for k, v in t.items() if k.endswith((":Warning", ":Error"))}
    check(f"{name} exiftool is content", not words, str(words))


def frame(path):
    """The first picture of a file as FFmpeg decodes it, with what the coded stream says of it, and
    the decoder and profile."""
    with av.open(path) as file:
        context = file.streams.video[0].codec_context
        return f"{context.name} {context.profile}", next(file.decode(video=0))


def luma(picture):
    """The luma codes of a frame."""
    plane = picture.planes[0]
    kind = np.uint16 if picture.format.components[0].bits > 8 else np.uint8
    return np.frombuffer(plane, kind).reshape(picture.height, -1)[:, :picture.width]


def check_heif(name, session, raw, kind, chroma, bits, options=()):
    path, report = session.develop(raw, kind, "--chroma", chroma, "--bits", bits, *options)
    still, (codes, file), (profile, decoded) = Still(path), heif(path), frame(path)
    info, nclx, cicp = file.info, file.info["nclx_profile"], CICP[kind]
    size = (report["width"], report["height"])
    brand = "heic" if bits == 8 and chroma == "420" else "heix"
    check(f"{name} compatible brands", {"mif1", brand} <= set(still.brands), still.brands)
    for what, got, wanted in [
        ("major brand", still.major, brand), ("bits", info["bit_depth"], bits),
        ("libheif chroma", str(info["chroma"]), chroma), ("size", file.size, size),
        ("ispe", struct.unpack(">II", still.property("ispe")[4:12]), size),
        ("pixi", list(still.property("pixi")[5:8]), [bits] * 3),
        ("CICP by libheif", (nclx["color_primaries"], nclx["transfer_characteristics"],
                             nclx["matrix_coefficients"], nclx["full_range_flag"]), cicp + (1,)),
        ("colr box", still.property("colr"), b"nclx" + struct.pack(">HHHB", *cicp, 0x80)),
        ("profile", profile,
         "hevc " + ("Rext" if chroma == "444" else "Main 10" if bits == 10 else "Main")),
        ("pixels", decoded.format.name, f"yuv{chroma}p10le" if bits == 10 else f"yuvj{chroma}p"),
        # 2 is FFmpeg's full range.
        ("CICP in the stream", (decoded.color_primaries, decoded.color_trc, decoded.colorspace,
                                decoded.color_range), cicp + (2,)),
    ]:
        same(f"{name} {what}", got, wanted)
    if kind == "heif-sdr":
        same(f"{name} no clli", still.property("clli"), None)
    else:
        levels, volume = info["content_light_level"], info["mastering_display_colour_volume"]
        same(f"{name} clli", (levels["max_content_light_level"], levels["max_pic_average_light_level"]),
             (report["maxCLL"], report["maxFALL"]))
        same(f"{name} mdcv primaries", list(zip(volume["display_primaries_x"], volume["display_primaries_y"])),
             [(8500, 39850), (6550, 2300), (35400, 14600)])
        same(f"{name} mdcv white", (volume["white_point_x"], volume["white_point_y"]), (15635, 16450))
        peak = volume["max_display_mastering_luminance"] / 10000
        same(f"{name} mdcv peak holds the content", peak + 1 >= report["maxCLL"], True)
    return path, report, codes, luma(decoded)


def check_profile(name, path, space):
    with tifffile.TiffFile(path) as file:
        icc = file.pages[0].tags[34675].value
    same(f"{name} profile length", struct.unpack(">I", icc[:4])[0], len(icc))
    profile = ImageCms.ImageCmsProfile(io.BytesIO(icc))
    check(f"{name} profile name", len(ImageCms.getProfileDescription(profile)) > 2, "none")
    check(f"{name} profile is RGB", profile.profile.xcolor_space.strip() == "RGB", "other")
    wanted = {"display-p3": (0.680, 0.320), "srgb": (0.640, 0.330)}.get(space, (0.708, 0.292))
    adapted = profile.profile.red_primary and profile.profile.red_primary[1][:2]
    # Profiles hold colors adapted to D50; 0.02 tells the three sets apart.
    check(f"{name} profile red", adapted and math.dist(adapted, wanted) < 0.02, str(adapted))
    if space.startswith("bt2100"):
        at = icc.find(b"cicp", 128 + 4 + 12 * struct.unpack(">I", icc[128:132])[0])
        same(f"{name} cicp tag", list(icc[at + 8:at + 12]) if at > 0 else None,
             [9, 16 if space == "bt2100-pq" else 18, 0, 1])
    else:
        check_curve(name, profile, space)


def check_curve(name, profile, space):
    """Little CMS on a gray ramp in the profile agrees with the space's curve (8-bit sRGB codes)."""
    ramp = np.repeat(np.arange(256, dtype=np.uint8)[None, :, None], 3, axis=2)
    with contextlib.redirect_stderr(io.StringIO()):
        to_srgb = ImageCms.profileToProfile(
            Image.fromarray(ramp), profile, ImageCms.createProfile("sRGB"), renderingIntent=1)
    signal = np.arange(256) / 255
    if space in ("display-p3", "srgb"):
        linear = light.srgb_light(signal)
    elif space == "linear-bt2020":
        linear = signal
    else:  # BT.2020: the inverse of its camera curve
        linear = np.where(signal < 0.0812428, signal / 4.5, ((signal + 0.0992968) / 1.0992968) ** (1 / 0.45))
    wanted = np.where(linear <= 0.0031308, 12.92 * linear,
                      1.055 * np.maximum(linear, 1e-9) ** (1 / 2.4) - 0.055) * 255
    got = np.asarray(to_srgb).astype(int)[0]
    near(f"{name} grey through the profile", np.abs(got - wanted[:, None]).max(), 0, absolute=1.6)


def png(path):
    """Samples by Pillow and by libpng (imagecodecs), which must agree."""
    first = np.asarray(Image.open(path))
    second = imagecodecs.png_decode(path.read_bytes())
    check(f"{path.name} by both readers", np.array_equal(first, second), "differ")
    return first
