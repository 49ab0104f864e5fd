"""What programs that are not ours say of one file: libheif (pillow-heif), ffmpeg, exiftool, libtiff's
tools, tifffile and Little CMS (Pillow). Two decoders see each HEVC stream."""
import contextlib
import io
import json
import math
import struct
import subprocess

import numpy as np
import pillow_heif
import tifffile
from PIL import Image, ImageCms

from support import light
from support.boxes import Still
from support.checks import check, near, same
from support.program import run, tags

# CICP of each kind, and ffmpeg's names of primaries, transfer and matrix.
CODING = {"heif-pq": ((9, 16, 9), ("bt2020", "smpte2084", "bt2020nc")),
          "heif-hlg": ((9, 18, 9), ("bt2020", "arib-std-b67", "bt2020nc")),
          "heif-sdr": ((12, 13, 6), ("smpte432", "iec61966-2-1", "smpte170m"))}
# Each Exif orientation as numpy turns a stored picture upright.
TURNED = {1: lambda p: p, 2: lambda p: p[:, ::-1], 3: lambda p: p[::-1, ::-1], 4: lambda p: p[::-1],
          5: lambda p: p.swapaxes(0, 1), 6: lambda p: np.rot90(p, -1),
          7: lambda p: p[::-1, ::-1].swapaxes(0, 1), 8: lambda p: np.rot90(p)}
# The capture that the fixtures' tags name: exact values and numbers.
CAPTURE = {"IFD0:Make": "rawdev", "IFD0:Orientation": 1, "ExifIFD:ISO": 200, "ExifIFD:FocalLength": 35,
           "ExifIFD:LensModel": "Simulated 35mm F2.8", "ExifIFD:DateTimeOriginal": "2025:06:21 20:27:00",
           "ExifIFD:OffsetTimeOriginal": "+03:00", "GPS:GPSAltitude": 148}
NUMBERS = {"ExifIFD:ExposureTime": (0.004, 4e-7), "ExifIFD:FNumber": (5.6, 5.6e-4),
           "Composite:GPSLatitude": (36.46175, 1e-5), "Composite:GPSLongitude": (25.3753, 1e-4)}


def heif(path):
    """RGB codes as float64 0...1 and libheif's account of the file."""
    file = pillow_heif.open_heif(str(path), convert_hdr_to_8bit=False)
    pixels, bits = np.asarray(file), file.info["bit_depth"]
    codes = pixels >> (16 - bits) if pixels.dtype == np.uint16 else pixels
    return codes / float(2 ** bits - 1), file


def tiff(path):
    """Samples, unpacked by libtiff's tiffcp where tifffile alone cannot."""
    try:
        return tifffile.imread(path)
    except (ValueError, ImportError):
        plain = str(path) + ".plain.tif"
        run("tiffcp", "-c", "none", path, plain)
        return tifffile.imread(plain)


def tiffinfo(path):
    return subprocess.run(["tiffinfo", "-c", str(path)], capture_output=True, text=True)


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


def probe(path, entries="-show_streams"):
    return json.loads(run("ffprobe", "-v", "error", "-select_streams", "v", *entries.split(), "-of", "json",
                          path))["streams"][0]


def check_heif(name, session, raw, kind, chroma, bits, options=()):
    path, report = session.develop(raw, kind, "--chroma", chroma, "--bits", bits, *options)
    still, (codes, file) = Still(path), heif(path)
    info, nclx = file.info, file.info["nclx_profile"]
    cicp, names = CODING[kind]
    size = (report["width"], report["height"])
    brand = "heic" if bits == 8 and chroma == "420" else "heix"
    where = session.folder / "stream.hevc"
    where.write_bytes(still.stream(1))
    stream = probe(where)
    check(f"{name} compatible brands", {"mif1", brand} <= set(still.brands), still.brands)
    for what, got, wanted in [
        ("major brand", still.major, brand), ("bits", info["bit_depth"], bits),
        ("libheif chroma", str(info["chroma"]), chroma), ("size", file.size, size),
        ("ispe", struct.unpack(">II", still.property("ispe")[4:12]), size),
        ("pixi", list(still.property("pixi")[5:8]), [bits] * 3),
        ("CICP by libheif", (nclx["color_primaries"], nclx["transfer_characteristics"],
                             nclx["matrix_coefficients"], nclx["full_range_flag"]), cicp + (1,)),
        ("colr box", still.property("colr"), b"nclx" + struct.pack(">HHHB", *cicp, 0x80)),
        ("profile", stream.get("profile"), "Rext" if chroma == "444" else "Main 10" if bits == 10 else "Main"),
        ("pixels", stream.get("pix_fmt"), {
            ("420", 10): "yuv420p10le", ("444", 10): "yuv444p10le",
            ("420", 8): "yuvj420p", ("444", 8): "yuvj444p"}[chroma, bits]),
        ("CICP in the stream", tuple(stream.get(f"color_{key}") for key in (
            "primaries", "transfer", "space", "range")), names + ("pc",)),
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
    return path, report, codes, where


def luma(where, chroma, bits):
    """The luma codes of an elementary stream as ffmpeg decodes them."""
    size = probe(where, "-show_entries stream=width,height")
    raw = run("ffmpeg", "-v", "error", "-i", where, "-f", "rawvideo", "-pix_fmt",
              f"yuv{chroma}p{'10le' if bits == 10 else ''}", "-")
    samples = np.frombuffer(raw, "<u2" if bits == 10 else "u1")
    return samples[:size["width"] * size["height"]].reshape(size["height"], size["width"])


def check_profile(name, path, space):
    with tifffile.TiffFile(path) as file:
        icc = file.pages[0].tags[34675].value
    same(f"{name} profile length", struct.unpack(">I", icc[:4])[0], len(icc))
    profile = ImageCms.ImageCmsProfile(io.BytesIO(icc))
    check(f"{name} profile name", len(ImageCms.getProfileDescription(profile)) > 2, "none")
    check(f"{name} profile is RGB", profile.profile.xcolor_space.strip() == "RGB", "other")
    wanted = {"display-p3": (0.680, 0.320), "srgb": (0.640, 0.330)}.get(space, (0.708, 0.292))
    adapted = profile.profile.red_primary and profile.profile.red_primary[1][:2]
    # Profiles hold colours adapted to D50; 0.02 tells the three sets apart.
    check(f"{name} profile red", adapted and math.dist(adapted, wanted) < 0.02, str(adapted))
    if space.startswith("bt2100"):
        at = icc.find(b"cicp", 128 + 4 + 12 * struct.unpack(">I", icc[128:132])[0])
        same(f"{name} cicp tag", list(icc[at + 8:at + 12]) if at > 0 else None,
             [9, 16 if space == "bt2100-pq" else 18, 0, 1])
    else:
        check_curve(name, profile, space)


def check_curve(name, profile, space):
    """Little CMS on a grey ramp in the profile agrees with the space's curve (8-bit sRGB codes)."""
    ramp = np.repeat(np.arange(256, dtype=np.uint8)[None, :, None], 3, axis=2)
    with contextlib.redirect_stderr(io.StringIO()):
        to_srgb = ImageCms.profileToProfile(Image.fromarray(ramp), profile, ImageCms.createProfile("sRGB"),
                                            renderingIntent=1)
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
    """Samples by Pillow and by ffmpeg, which must agree."""
    first = np.asarray(Image.open(path))
    kind, samples = ("gray", np.uint8) if first.dtype == np.uint8 else ("gray16le", "<u2")
    second = np.frombuffer(run("ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", kind, "-"), samples)
    check(f"{path.name} by both readers", np.array_equal(first.ravel(), second), "differ")
    return first
