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
from support.program import FIXTURES, tags

CICP = {"heif-pq": (9, 16, 9), "heif-hlg": (9, 18, 9), "heif-sdr": (12, 13, 6)}
# Each Exif orientation as numpy turns a stored picture upright.
TURNED = {1: lambda p: p, 2: np.fliplr, 3: lambda p: np.rot90(p, 2), 4: np.flipud,
          5: lambda p: p.swapaxes(0, 1), 6: lambda p: np.rot90(p, -1),
          7: lambda p: np.rot90(p, 2).swapaxes(0, 1), 8: np.rot90}
# The capture that the fixtures' tags name: exact values and numbers.
CAPTURE = {"IFD0:Make": "rawdev", "IFD0:Orientation": 1, "ExifIFD:ISO": 200,
           "ExifIFD:FocalLength": 35, "ExifIFD:LensModel": "Simulated 35mm F2.8",
           "ExifIFD:OffsetTimeOriginal": "+03:00", "GPS:GPSAltitude": 148,
           "ExifIFD:DateTimeOriginal": "2025:06:21 20:27:00"}
NUMBERS = {"ExifIFD:ExposureTime": (0.004, 4e-7), "ExifIFD:FNumber": (5.6, 5.6e-4),
           "Composite:GPSLatitude": (36.46175, 1e-5), "Composite:GPSLongitude": (25.3753, 1e-4)}


def heif(path):
    """RGB codes as float64 0...1 and libheif's account of the file."""
    file = pillow_heif.open_heif(str(path), convert_hdr_to_8bit=False)
    pixels, bits = np.asarray(file), file.info["bit_depth"]
    codes = pixels >> (16 - bits) if pixels.dtype == np.uint16 else pixels
    return codes / float(2 ** bits - 1), file


def check_capture(path, fixture):
    """The capture's own facts; exiftool's numbers."""
    t, camera = tags(path), tags(FIXTURES / f"{fixture}.dng")["IFD0:Model"]
    for tag, value in {**CAPTURE, "IFD0:Model": camera}.items():
        same(tag, t.get(tag), value)
    for tag, (value, limit) in NUMBERS.items():
        near(tag, float(t.get(tag, "nan")), value, absolute=limit)
    if path.suffix == ".heic":
        check("XMP", "XMP-xmp:CreatorTool" in t, "no packet")
        same("XMP orientation", t.get("XMP-tiff:Orientation"), 1)
    words = {k: v for k, v in t.items() if k.endswith((":Warning", ":Error"))}
    check("exiftool is content", not words, str(words))


def check_jpeg_warning(name, facts):
    """exiftool does not know the segment of ISO 21496-1."""
    warning = facts.get("ExifTool:Warning", "none")
    check(f"{name} warning", warning in ("none", "[minor] Unknown APP2 segment"), warning)


def frame(path):
    """FFmpeg's decoder and profile, and a file's first picture with what its stream says of it."""
    with av.open(path) as file:
        context = file.streams.video[0].codec_context
        return f"{context.name} {context.profile}", next(file.decode(video=0))


def check_heif(session, raw, kind, chroma, bits, *options):
    """Path, report, libheif's codes and FFmpeg's luma of a raw, developed and looked at."""
    path, report = session.develop(raw, kind, "--chroma", chroma, "--bits", bits, *options)
    still, (codes, file), (profile, decoded) = Still(path), heif(path), frame(path)
    info, nclx, cicp = file.info, file.info["nclx_profile"], CICP[kind]
    size = (report["width"], report["height"])
    brand = "heic" if bits == 8 and chroma == "420" else "heix"
    check("compatible brands", {"mif1", brand} <= set(still.brands), still.brands)
    for what, got, wanted in [
            ("major brand", still.major, brand), ("bits", info["bit_depth"], bits),
            ("libheif chroma", str(info["chroma"]), chroma), ("size", file.size, size),
            ("ispe", struct.unpack(">II", still.property("ispe")[4:12]), size),
            ("pixi", list(still.property("pixi")[5:8]), [bits] * 3),
            ("CICP by libheif",
             (nclx["color_primaries"], nclx["transfer_characteristics"],
              nclx["matrix_coefficients"], nclx["full_range_flag"]), cicp + (1,)),
            ("colr box", still.property("colr"), b"nclx" + struct.pack(">HHHB", *cicp, 0x80)),
            ("profile", profile,
             "hevc " + ("Rext" if chroma == "444" else "Main 10" if bits == 10 else "Main")),
            ("pixels", decoded.format.name,
             f"yuv{chroma}p10le" if bits == 10 else f"yuvj{chroma}p"),
            # 2 is FFmpeg's full range.
            ("CICP in the stream", (decoded.color_primaries, decoded.color_trc, decoded.colorspace,
                                    decoded.color_range), cicp + (2,))]:
        same(what, got, wanted)
    if kind == "heif-sdr":
        same("no clli", still.property("clli"), None)
    else:
        levels, volume = info["content_light_level"], info["mastering_display_colour_volume"]
        for what, got, wanted in [
                ("MaxCLL", levels["max_content_light_level"], report["maxCLL"]),
                ("MaxFALL", levels["max_pic_average_light_level"], report["maxFALL"]),
                ("mdcv primaries, x", list(volume["display_primaries_x"]), [8500, 6550, 35400]),
                ("mdcv primaries, y", list(volume["display_primaries_y"]), [39850, 2300, 14600]),
                ("mdcv white", (volume["white_point_x"], volume["white_point_y"]), (15635, 16450))]:
            same(what, got, wanted)
        peak = volume["max_display_mastering_luminance"] / 10000
        check("mdcv peak holds the content", peak + 1 >= report["maxCLL"], peak)
    samples = np.frombuffer(decoded.planes[0], np.uint16 if bits == 10 else np.uint8)
    return path, report, codes, samples.reshape(decoded.height, -1)[:, :decoded.width]


def check_profile(path, space):
    with tifffile.TiffFile(path) as file:
        icc = file.pages[0].tags[34675].value
    same("profile length", struct.unpack(">I", icc[:4])[0], len(icc))
    profile = ImageCms.ImageCmsProfile(io.BytesIO(icc))
    check("profile name", len(ImageCms.getProfileDescription(profile)) > 2, "none")
    check("profile is RGB", profile.profile.xcolor_space.strip() == "RGB", "other")
    wanted = {"display-p3": (0.680, 0.320), "srgb": (0.640, 0.330), "adobe-rgb": (0.640, 0.330),
              "prophoto-rgb": (0.7347, 0.2653)}.get(space, (0.708, 0.292))
    adapted = profile.profile.red_primary and profile.profile.red_primary[1][:2]
    # Profiles hold colors adapted to D50; 0.02 tells most sets apart.
    check("profile red", adapted and math.dist(adapted, wanted) < 0.02, str(adapted))
    if space.startswith("bt2100"):
        at = icc.find(b"cicp", 128 + 4 + 12 * struct.unpack(">I", icc[128:132])[0])
        same("cicp tag", list(icc[at + 8:at + 12]) if at > 0 else None,
             [9, 16 if space == "bt2100-pq" else 18, 0, 1])
    else:
        check_curve(profile, space)


def check_curve(profile, space):
    """Little CMS on a gray ramp in the profile agrees with the space's curve (8-bit sRGB codes)."""
    ramp = np.repeat(np.arange(256, dtype=np.uint8)[None, :, None], 3, axis=2)
    with contextlib.redirect_stderr(io.StringIO()):
        to_srgb = ImageCms.profileToProfile(
            Image.fromarray(ramp), profile, ImageCms.createProfile("sRGB"), renderingIntent=1)
    curve = {"bt2020": light.bt2020_light, "linear-bt2020": np.asarray,
             "adobe-rgb": lambda signal: signal ** (563 / 256),
             "prophoto-rgb": light.romm_light}.get(space, light.srgb_light)
    wanted = 255 * light.srgb_signal(curve(np.arange(256) / 255))
    off = np.asarray(to_srgb)[0] - wanted[:, None]
    near("gray through the profile", np.abs(off).max(), 0, absolute=1.6)


def png(path):
    """Samples by Pillow and by libpng (imagecodecs), which must agree."""
    first = np.asarray(Image.open(path))
    second = imagecodecs.png_decode(path.read_bytes())
    check(f"{path.name} by both readers", np.array_equal(first, second), "differ")
    return first
