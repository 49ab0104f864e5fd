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
from support.checks import check, near, same
from support.heif_boxes import Still
from support.program import run, tags

PQ, HLG, P3 = (9, 16, 9), (9, 18, 9), (12, 13, 6)
# Each Exif orientation as numpy turns a stored picture upright.
TURNED = {1: lambda p: p, 2: lambda p: p[:, ::-1], 3: lambda p: p[::-1, ::-1],
          4: lambda p: p[::-1], 5: lambda p: p.swapaxes(0, 1),
          6: lambda p: np.rot90(p, -1), 7: lambda p: p[::-1, ::-1].swapaxes(0, 1),
          8: lambda p: np.rot90(p)}


class Session:
    """A folder of developed files; what was asked for twice is developed once."""

    def __init__(self, rawdev, folder):
        self.rawdev, self.folder, self.made = rawdev, folder, {}

    def develop(self, raw, kind, *options):
        """Path and JSON report of `raw` developed to `kind`."""
        key = (str(raw), raw.stat().st_mtime_ns, kind, *map(str, options))
        if key not in self.made:
            suffix = "tif" if kind.startswith("tiff") else "heic"
            path = self.folder / f"{len(self.made) + 1}.{suffix}"
            report = json.loads(run(self.rawdev, "develop", raw, "-o", path, "--format", kind,
                                    "--json", *options))
            self.made[key] = path, report
        return self.made[key]


def heif(path):
    """RGB codes as float64 0...1 and libheif's account of the file."""
    file = pillow_heif.open_heif(str(path), convert_hdr_to_8bit=False)
    pixels = np.asarray(file)
    bits = file.info["bit_depth"]
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
    wanted = {
        "IFD0:Make": "rawdev", "IFD0:Model": camera, "IFD0:Orientation": 1,
        "ExifIFD:ExposureTime": 0.004, "ExifIFD:FNumber": 5.6, "ExifIFD:ISO": 200,
        "ExifIFD:LensModel": "Simulated 35mm F2.8", "ExifIFD:FocalLength": 35,
        "ExifIFD:DateTimeOriginal": "2025:06:21 20:27:00",
        "ExifIFD:OffsetTimeOriginal": "+03:00", "GPS:GPSAltitude": 148,
    }
    for tag, value in wanted.items():
        got = t.get(tag)
        if isinstance(value, float) and isinstance(got, (int, float)):
            near(f"{name} {tag}", got, value, share=1e-4)
        else:
            same(f"{name} {tag}", got, value)
    near(f"{name} latitude", float(t.get("Composite:GPSLatitude", "nan")), 36.46175, absolute=1e-5)
    near(f"{name} longitude", float(t.get("Composite:GPSLongitude", "nan")), 25.3753,
         absolute=1e-4)
    if path.suffix == ".heic":
        check(f"{name} XMP", "XMP-xmp:CreatorTool" in t, "no packet")
        same(f"{name} XMP orientation", t.get("XMP-tiff:Orientation"), 1)
    check(f"{name} exiftool is content", not {k for k in t if k.endswith((":Warning", ":Error"))},
          str({k: v for k, v in t.items() if "Warning" in k or "Error" in k}))


def probe(stream, folder):
    """What ffprobe says of an elementary stream, and where that stream lies."""
    path = folder / "stream.hevc"
    path.write_bytes(stream)
    text = run("ffprobe", "-v", "error", "-select_streams", "v", "-show_streams", "-of", "json",
               path)
    return json.loads(text)["streams"][0], path


def check_heif(name, session, raw, kind, chroma, bits, options=()):
    path, report = session.develop(raw, kind, "--chroma", chroma, "--bits", bits, *options)
    still, (codes, file) = Still(path), heif(path)
    info = file.info
    cicp = {"heif-pq": PQ, "heif-hlg": HLG, "heif-sdr": P3}[kind]
    size = (report["width"], report["height"])
    brand = "heic" if bits == 8 and chroma == "420" else "heix"
    same(f"{name} major brand", still.major, brand)
    check(f"{name} compatible brands", {"mif1", brand} <= set(still.brands), still.brands)
    same(f"{name} bits", info["bit_depth"], bits)
    same(f"{name} libheif chroma", str(info["chroma"]), chroma)
    same(f"{name} size", file.size, size)
    same(f"{name} ispe", struct.unpack(">II", still.property("ispe")[4:12]), size)
    same(f"{name} pixi", list(still.property("pixi")[5:8]), [bits] * 3)
    nclx = info["nclx_profile"]
    same(f"{name} CICP by libheif", (nclx["color_primaries"], nclx["transfer_characteristics"],
                                     nclx["matrix_coefficients"], nclx["full_range_flag"]),
         cicp + (1,))
    same(f"{name} colr box", still.property("colr"),
         b"nclx" + struct.pack(">HHHB", *cicp, 0x80))
    stream, where = probe(still.stream(1), session.folder)
    same(f"{name} profile", stream.get("profile"),
         "Rext" if chroma == "444" else "Main 10" if bits == 10 else "Main")
    same(f"{name} pixels", stream.get("pix_fmt"),
         {("420", 10): "yuv420p10le", ("444", 10): "yuv444p10le",
          ("420", 8): "yuvj420p", ("444", 8): "yuvj444p"}[chroma, bits])
    names = {PQ: ("bt2020", "smpte2084", "bt2020nc"), HLG: ("bt2020", "arib-std-b67", "bt2020nc"),
             P3: ("smpte432", "iec61966-2-1", "smpte170m")}[cicp]
    same(f"{name} CICP in the stream", (stream.get("color_primaries"), stream.get("color_transfer"),
                                        stream.get("color_space"), stream.get("color_range")),
         names + ("pc",))
    if kind == "heif-sdr":
        same(f"{name} no clli", still.property("clli"), None)
    else:
        levels = info["content_light_level"]
        same(f"{name} clli", (levels["max_content_light_level"],
                              levels["max_pic_average_light_level"]),
             (report["maxCLL"], report["maxFALL"]))
        volume = info["mastering_display_colour_volume"]
        same(f"{name} mdcv primaries", list(zip(volume["display_primaries_x"],
                                                volume["display_primaries_y"])),
             [(8500, 39850), (6550, 2300), (35400, 14600)])
        same(f"{name} mdcv white", (volume["white_point_x"], volume["white_point_y"]),
             (15635, 16450))
        peak = volume["max_display_mastering_luminance"] / 10000
        same(f"{name} mdcv peak holds the content", peak + 1 >= report["maxCLL"], True)
    return path, report, codes, where


def luma(where, chroma, bits):
    """The luma codes of an elementary stream as ffmpeg decodes them."""
    text = run("ffprobe", "-v", "error", "-show_entries", "stream=width,height", "-of", "json",
               where)
    size = json.loads(text)["streams"][0]
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
    primaries = profile.profile.red_primary
    wanted = {"display-p3": (0.680, 0.320), "srgb": (0.640, 0.330)}.get(space, (0.708, 0.292))
    adapted = primaries and (primaries[1][0], primaries[1][1])
    # Profiles hold colours adapted to D50; 0.02 tells the three sets apart.
    check(f"{name} profile red", adapted and math.dist(adapted, wanted) < 0.02, str(adapted))
    code = {"bt2100-pq": 16, "bt2100-hlg": 18}.get(space)
    if code:
        at = icc.find(b"cicp", 128 + 4 + 12 * struct.unpack(">I", icc[128:132])[0])
        same(f"{name} cicp tag", list(icc[at + 8:at + 12]) if at > 0 else None, [9, code, 0, 1])
    else:
        matches_linear(name, icc, space)


def matches_linear(name, icc, space):
    """Little CMS on a grey ramp in the profile agrees with the space's curve (8-bit sRGB codes)."""
    ramp = np.repeat(np.arange(256, dtype=np.uint8)[None, :, None], 3, axis=2)
    with contextlib.redirect_stderr(io.StringIO()):
        to_srgb = ImageCms.profileToProfile(
            Image.fromarray(ramp), ImageCms.ImageCmsProfile(io.BytesIO(icc)),
            ImageCms.createProfile("sRGB"), renderingIntent=1)
    got = np.asarray(to_srgb).astype(int)[0]
    signal = np.arange(256) / 255
    if space in ("display-p3", "srgb"):
        linear = light.srgb_light(signal)
    elif space == "linear-bt2020":
        linear = signal
    else:  # BT.2020: the inverse of its camera curve, or the display's power of 2.4
        camera = np.where(signal < 0.0812428, signal / 4.5,
                          ((signal + 0.0992968) / 1.0992968) ** (1 / 0.45))
        linear = camera
    wanted = np.where(linear <= 0.0031308, 12.92 * linear,
                      1.055 * np.maximum(linear, 1e-9) ** (1 / 2.4) - 0.055) * 255
    near(f"{name} grey through the profile", np.abs(got - wanted[:, None]).max(), 0, absolute=1.6)


def png(path):
    """Samples by Pillow and by ffmpeg, which must agree."""
    first = np.asarray(Image.open(path))
    kind = "gray16le" if first.dtype != np.uint8 else "gray"
    second = np.frombuffer(run("ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt",
                               kind, "-"), "<u2" if kind == "gray16le" else np.uint8)
    check(f"{path.name} by both readers", np.array_equal(first.ravel(), second), "differ")
    return first
