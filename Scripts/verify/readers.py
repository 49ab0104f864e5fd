#!/usr/bin/env python3
"""Reads what rawdev writes with programs that are not ours.

usage: readers.py RAWDEV

Develops the fixtures to every kind of file and reads them with libheif (pillow-heif), ffmpeg,
exiftool, libtiff's tools, tifffile and Little CMS (Pillow). Two decoders see each HEVC stream. Ends
with "N passed, M failed" and fails when M is not 0. Docs/verification.md says what is compared.
"""
import contextlib
import io
import json
import math
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

import numpy as np
import pillow_heif
import tifffile
from PIL import ImageCms

import light
from heif_boxes import Still

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ["sunset-bayer", "sunset-xtrans", "sunset-linear"]
PQ, HLG, P3 = (9, 16, 9), (9, 18, 9), (12, 13, 6)
TIFF_SPACES = ["display-p3", "srgb", "bt2020", "linear-bt2020", "bt2100-pq", "bt2100-hlg"]
# Each Exif orientation as numpy turns a stored picture upright.
TURNED = {1: lambda p: p, 2: lambda p: p[:, ::-1], 3: lambda p: p[::-1, ::-1],
          4: lambda p: p[::-1], 5: lambda p: p.swapaxes(0, 1),
          6: lambda p: np.rot90(p, -1), 7: lambda p: p[::-1, ::-1].swapaxes(0, 1),
          8: lambda p: np.rot90(p)}
LINEAR = ["--boost-amount", "0", "--baseline-exposure", "0"]

passed = failed = 0


def check(name, good, detail=""):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print(f"FAILED {name}: {detail}", flush=True)
    return good


def same(name, got, wanted):
    return check(name, got == wanted, f"got {got!r}, wanted {wanted!r}")


def near(name, got, wanted, share=0.0, absolute=0.0):
    difference = abs(got - wanted)
    return check(name, difference <= max(share * abs(wanted), absolute),
                 f"got {got:.6g}, wanted {wanted:.6g}")


def run(*command, **options):
    done = subprocess.run([str(c) for c in command], capture_output=True, **options)
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed: {done.stderr[-400:]!r}")
    return done.stdout


class Session:
    """A folder of developed files."""

    def __init__(self, rawdev, folder):
        self.rawdev, self.folder, self.count = rawdev, pathlib.Path(folder), 0

    def develop(self, raw, kind, *options):
        """Path and JSON report of `raw` developed to `kind`."""
        self.count += 1
        path = self.folder / f"{self.count}.{'tif' if kind.startswith('tiff') else 'heic'}"
        report = json.loads(run(self.rawdev, "develop", raw, "-o", path, "--format", kind,
                                "--json", *options))
        return path, report


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


def tags(path):
    return json.loads(run("exiftool", "-j", "-G1", "-a", "-n", path))[0]


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


def fixtures(session):
    for fixture in FIXTURES:
        raw = ROOT / "Fixtures" / f"{fixture}.dng"
        camera = tags(raw)["IFD0:Model"]
        small = ["--scale-factor", "0.5"] if fixture != "sunset-linear" else []
        for kind, chroma, bits in [("heif-hlg", "420", 10), ("heif-hlg", "444", 10),
                                   ("heif-pq", "420", 10), ("heif-pq", "444", 10),
                                   ("heif-sdr", "420", 8), ("heif-sdr", "420", 10),
                                   ("heif-sdr", "444", 10)]:
            name = f"{fixture} {kind} {chroma} {bits}"
            # Unsharpened, because steep edges ring in the codec.
            best = ["--quality", "1", "--sharpness-amount", "0"] if chroma == "444" else []
            path, report, codes, _ = check_heif(name, session, raw, kind, chroma, bits,
                                                best + (small if chroma == "444" else []))
            check_capture(name, path, camera)
            if best and kind != "heif-sdr":
                shown = light.pq_light(codes) if kind == "heif-pq" else light.hlg_light(codes)
                top = shown.max(axis=2)
                # One pixel on an edge may ring by ten codes, of 1.1 % each.
                near(f"{name} MaxCLL of the decoded pixels", top.max() * light.WHITE,
                     report["maxCLL"], share=0.12)
                near(f"{name} MaxFALL of the decoded pixels", top.mean() * light.WHITE,
                     report["maxFALL"], share=0.01, absolute=1)
        agreement(session, raw, fixture, small)
        tiffs(session, raw, fixture, camera, small)


def agreement(session, raw, fixture, options):
    """One rendering as HLG, PQ, float and 16-bit codes is one light.

    The rendering is held to 4.9 times white, so HLG needs no roll-off. The 16-bit TIFF files know no
    codec: each channel within 0.05 %. For the HEIF files (4:4:4, quality 1) an average over 8 x 8
    pixels does not take the codec's noise out, because the codec rounds that very average (to about
    two codes, of 1 % each); so the rule is: luminance over 8 x 8 pixels within 1 % in 99 % of the
    blocks, each channel over 32 x 32 pixels within 1 % in 95 %, and no bias above 0.2 %. An error is
    relative to the block's largest channel, or to 0.02 where it is darker. Blocks in which HLG
    cannot hold a pixel's colour (scene light above 0.99) are left out.
    """
    _, report = session.develop(raw, "tiff-float", *options)
    share = min(1, math.log(4.9) / math.log(max(report["fileHeadroom"], 1.001)))
    options = [*options, "--edr", f"{share:.6f}"]
    pictures = {}
    for kind, decode in [("heif-hlg", light.hlg_light), ("heif-pq", light.pq_light)]:
        path, report = session.develop(raw, kind, "--chroma", "444", "--quality", "1", *options)
        same(f"{fixture} {kind} has no notes", report["warnings"], [])
        pictures[kind] = decode(heif(path)[0])
    path, report = session.develop(raw, "tiff-float", *options)
    true = np.maximum(tiff(path).astype(np.float64), 0)
    near(f"{fixture} float headroom", true.max(), report["contentHeadroom"], share=1e-6)
    for space, decode in [("bt2100-pq", light.pq_light), ("bt2100-hlg", light.hlg_light)]:
        path, _ = session.develop(raw, "tiff", "--tiff-space", space, *options)
        pictures[f"tiff {space}"] = decode(tiff(path) / 65535)
    pictures["tiff-float"] = true
    holds = light.hlg_scene_of(true).max(axis=2, keepdims=True) <= 0.99
    for a, b in [("heif-hlg", "heif-pq"), ("heif-pq", "tiff-float"), ("heif-hlg", "tiff-float"),
                 ("tiff bt2100-pq", "tiff-float"), ("tiff bt2100-hlg", "tiff-float"),
                 ("tiff bt2100-hlg", "tiff bt2100-pq")]:
        name = f"{fixture} light of {a} and {b}"
        errors = {}
        for side in [8, 32]:
            use = light.blocks(holds.astype(float), side)[..., 0] == 1
            scale = np.maximum(light.blocks(true, side).max(axis=2), 0.02)[..., None]
            difference = light.blocks(pictures[a] - pictures[b], side) / scale
            errors[side] = difference[use]
        channels = np.abs(errors[32]).max(axis=1)
        luminance = np.abs(errors[8] @ light.LUMINANCE)
        bias = np.abs(errors[8].mean(axis=0)).max()
        if a.startswith("tiff"):
            worst = np.abs(errors[8]).max()
            print(f"  {name}: largest {worst * 100:.4f} %")
            near(name, worst, 0, absolute=5e-4)
            continue
        print(f"  {name}: luminance of {len(luminance)} blocks median "
              f"{np.median(luminance) * 100:.2f} %, 99 % below "
              f"{np.quantile(luminance, 0.99) * 100:.2f} %; channels of {len(channels)} blocks "
              f"95 % below {np.quantile(channels, 0.95) * 100:.2f} %; bias {bias * 100:.3f} %")
        near(f"{name}, luminance", np.quantile(luminance, 0.99), 0, absolute=0.01)
        near(f"{name}, channels", np.quantile(channels, 0.95), 0, absolute=0.01)
        near(f"{name}, bias", bias, 0, absolute=2e-3)


def tiffs(session, raw, fixture, camera, options):
    reference = {}
    for space in TIFF_SPACES:
        for compression in ["none", "deflate", "zstd", "lzw"]:
            if fixture != "sunset-linear" and compression not in ("none", "deflate"):
                continue
            name = f"{fixture} tiff {space} {compression}"
            path, report = session.develop(raw, "tiff", "--tiff-space", space,
                                           "--tiff-compression", compression, *options)
            pixels = tiff(path)
            same(f"{name} shape", (pixels.dtype.name, pixels.shape),
                 ("uint16", (report["height"], report["width"], 3)))
            info = subprocess.run(["tiffinfo", "-c", str(path)], capture_output=True, text=True)
            check(f"{name} tiffinfo", info.returncode == 0 and not info.stderr,
                  info.stderr[-200:])
            if space not in reference:
                reference[space] = pixels
                check_capture(name, path, camera)
                check_profile(name, path, space)
            check(f"{name} is lossless", np.array_equal(pixels, reference[space]), "differs")
    plain = None
    for compression in ["none", "deflate", "zstd", "lzw"]:
        path, report = session.develop(raw, "tiff-float", "--tiff-compression", compression,
                                       *options)
        pixels = tiff(path)
        plain = pixels if plain is None else plain
        same(f"{fixture} float {compression} kind", pixels.dtype.name, "float32")
        check(f"{fixture} float {compression} is lossless", np.array_equal(pixels, plain), "differs")
    path, _ = session.develop(raw, "heif-sdr", "--chroma", "444", "--quality", "1", *options)
    difference = light.blocks(heif(path)[0]) - light.blocks(reference["display-p3"] / 65535)
    near(f"{fixture} heif-sdr and tiff display-p3", np.abs(difference).max(), 0, absolute=0.006)


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
    from PIL import Image
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


def shapes(session):
    """Orientations and odd sizes."""
    raw = ROOT / "Fixtures" / "sunset-linear.dng"
    upright = None
    for number, turn in TURNED.items():
        path, report = session.develop(raw, "tiff", "--orientation", number)
        pixels = tiff(path)
        upright = pixels if number == 1 else upright
        check(f"orientation {number} pixels", np.array_equal(pixels, turn(upright)), "differ")
        path, report = session.develop(raw, "heif-pq", "--orientation", number)
        same(f"orientation {number} heif size", heif(path)[1].size,
             (report["width"], report["height"]))
        same(f"orientation {number} tag", tags(path).get("IFD0:Orientation"), 1)
        same(f"orientation {number} no irot or imir",
             [p for p, _ in Still(path).properties[Still(path).primary] if p in ("irot", "imir")],
             [])
    for scale in [0.999, 0.731, 0.5021, 0.333, 0.1771, 0.0312]:
        wanted = tuple(max(1, math.floor(n * scale + 0.5)) for n in (480, 320))
        for kind, chroma in [("heif-pq", "420"), ("heif-hlg", "444"), ("heif-sdr", "420"),
                             ("tiff", "420")]:
            name = f"scale {scale} {kind} {chroma}"
            path, report = session.develop(raw, kind, "--scale-factor", scale, "--chroma", chroma)
            same(f"{name} report", (report["width"], report["height"]), wanted)
            size = tiff(path).shape[1::-1] if kind == "tiff" else heif(path)[1].size
            same(f"{name} decoded", tuple(size), wanted)


def flat_dng(path, width, height, level, white):
    """An uncompressed 16-bit linear DNG of one grey in a camera whose colours are BT.2020."""
    xyz = [[1.7166511880, -0.3556707838, -0.2533662814], [-0.6666843518, 1.6164812366, 0.0157685458],
           [0.0176398574, -0.0427706133, 0.9421031212]]
    short, long, ascii_, byte, rational, srational = 3, 4, 2, 1, 5, 10
    ones = b"".join(struct.pack("<II", 1, 1) for _ in range(3))
    matrix = b"".join(struct.pack("<ii", round(v * 1e6), 10**6) for row in xyz for v in row)
    pixels = np.full((height, width, 3), level, "<u2").tobytes()
    fields = [(254, long, 1, 0), (256, long, 1, width), (257, long, 1, height),
              (258, short, 3, struct.pack("<HHH", 16, 16, 16)), (259, short, 1, 1),
              (262, short, 1, 34892), (271, ascii_, 7, b"rawdev\0"), (272, ascii_, 5, b"flat\0"),
              (273, long, 1, "pixels"), (274, short, 1, 1), (277, short, 1, 3),
              (278, long, 1, height), (279, long, 1, len(pixels)), (284, short, 1, 1),
              (50706, byte, 4, b"\1\4\0\0"), (50707, byte, 4, b"\1\4\0\0"),
              (50708, ascii_, 12, b"rawdev flat\0"), (50717, short, 1, white),
              (50721, srational, 9, matrix), (50728, rational, 3, ones), (50778, short, 1, 21)]
    extra_at = 8 + 2 + 12 * len(fields) + 4
    extra, entries = b"", b""
    total = sum((len(v) + 1) // 2 * 2 for *_, v in fields if isinstance(v, bytes) and len(v) > 4)
    for tag, kind, count, value in fields:
        if value == "pixels":
            value = extra_at + total
        if isinstance(value, bytes):
            if len(value) > 4:
                where = struct.pack("<I", extra_at + len(extra))
                extra += value + b"\0" * (len(value) % 2)
            else:
                where = value.ljust(4, b"\0")
        else:
            where = struct.pack("<H2x" if kind == short else "<I", value)
        entries += struct.pack("<HHI", tag, kind, count) + where
    path.write_bytes(b"II*\0\x08\0\0\0" + struct.pack("<H", len(fields)) + entries + b"\0" * 4
                     + extra + pixels)


def reference_white(session):
    """Light of 1.0 is 203 cd/m2: code 594 of PQ and 767 of HLG, in both decoders."""
    for width, height in [(256, 192), (601, 403)]:
        for level, white, exposure in [(60000, 60000, 0), (30000, 60000, 1), (15000, 60000, 2)]:
            raw = session.folder / "flat.dng"
            flat_dng(raw, width, height, level, white)
            options = [*LINEAR, "--exposure", exposure, "--quality", "1"]
            path, report = session.develop(raw, "tiff-float", *LINEAR, "--exposure", exposure)
            near(f"white {level} float", float(np.abs(tiff(path) - 1).max()), 0, absolute=2e-5)
            for kind, code in [("heif-pq", 594), ("heif-hlg", 767)]:
                for chroma in ["420", "444"]:
                    name = f"white {level} of {width}x{height} {kind} {chroma}"
                    path, report, codes, where = check_heif(name, session, raw, kind, chroma, 10,
                                                            options)
                    same(f"{name} MaxCLL", report["maxCLL"], 203)
                    off = np.abs(np.rint(codes * 1023) - code).max()
                    check(f"{name} by libheif", off <= 1, f"{off} codes from {code}")
                    plane = luma(where, chroma, 10).astype(int)
                    off = np.abs(plane - code).max()
                    check(f"{name} by ffmpeg", off <= 1, f"{off} codes from {code}")


def auxiliary_dng(path, orientation):
    """A big-endian ProRAW-like DNG by tifffile: a skin matte of 8 bits, a depth map of 16 at half the
    size, an opened profile. Returns both pictures as stored."""
    rows, columns = np.mgrid[0:48, 0:64]
    skin = ((rows * 5 + columns * 3) % 256).astype(np.uint8)
    depth = (rows[:24, :32] * 2000 + columns[:24, :32] * 555).astype(np.uint16)
    raw = np.full((48, 64, 3), 20000, np.uint16)
    curve = np.linspace(0, 1, 20, dtype=np.float32) ** np.tile([1, 1.5], 10)
    matrix = [v for row in [[17166, -3557, -2534], [-6667, 16165, 158], [176, -428, 9421]]
              for n in row for v in (n, 10000)]
    common = [(50706, 1, 4, bytes([1, 6, 0, 0]), True), (50707, 1, 4, bytes([1, 3, 0, 0]), True),
              (50708, 2, 0, "rawdev test", True), (274, 3, 1, orientation, True),
              (50721, 10, 9, matrix, True), (50728, 5, 3, [1] * 6, True),
              (50778, 3, 1, 21, True), (50717, 3, 1, 60000, True),
              (50936, 2, 0, "Curve", True), (50940, 11, 20, curve.tolist(), True),
              (51177, 3, 1, 1, True), (51178, 5, 1, [1, 2], True), (51179, 5, 1, [5, 1], True),
              (51180, 3, 1, 1, True)]
    name = "urn:com:apple:photo:2019:aux:semanticskinmatte"
    with tifffile.TiffWriter(path, byteorder=">") as file:
        plain = {"metadata": None, "software": False}
        file.write(raw, photometric=34892, subifds=2, extratags=common, **plain)
        # tifffile knows no such NewSubfileType and takes it as a further tag only.
        file.write(skin, photometric=52527,
                   extratags=[(254, 4, 1, 65540, True), (52526, 2, 0, name, True)], **plain)
        file.write(depth, photometric=51177, extratags=[(254, 4, 1, 8, True)], **plain)
    return skin, depth, curve


def png(path):
    """Samples by Pillow and by ffmpeg, which must agree."""
    from PIL import Image
    first = np.asarray(Image.open(path))
    kind = "gray16le" if first.dtype != np.uint8 else "gray"
    second = np.frombuffer(run("ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt",
                               kind, "-"), "<u2" if kind == "gray16le" else np.uint8)
    check(f"{path.name} by both readers", np.array_equal(first.ravel(), second), "differ")
    return first


def extracted(session):
    """Files of `rawdev extract`: PNG by two decoders, camera profiles by exiftool, maps by numpy."""
    for number, turn in TURNED.items():
        raw = session.folder / f"aux{number}.dng"
        skin, depth, curve = auxiliary_dng(raw, number)
        folder = session.folder / f"aux{number}"
        lines = run(session.rawdev, "extract", raw, "-o", folder, "--json", text=True).splitlines()
        parts = sorted(json.loads(line)["part"] for line in lines)
        same(f"extract {number} parts", parts, ["depth", "mattes", "profiles"])
        for name, stored in [("matte-skin", skin), ("depth", depth)]:
            pixels = png(folder / f"aux{number}-{name}.png")
            same(f"{name} {number} kind", (pixels.dtype.itemsize, pixels.shape),
                 (stored.dtype.itemsize, turn(stored).shape))
            check(f"{name} {number} pixels", np.array_equal(pixels, turn(stored)), "differ")
    profile = folder / f"aux{number}-profile-Curve.dcp"
    t = tags(profile)
    same("profile type", t.get("File:FileType"), "DCP")
    same("profile camera", t.get("IFD0:UniqueCameraModel"), "rawdev test")
    same("profile matrix", t.get("IFD0:ColorMatrix1"),
         "1.7166 -0.3557 -0.2534 -0.6667 1.6165 0.0158 0.0176 -0.0428 0.9421")
    got = np.array(run("exiftool", "-b", "-ProfileToneCurve", profile).split(), float)
    check("profile curve", got.shape == curve.shape and np.allclose(got, curve, atol=1e-6), got)
    report = json.loads(run(session.rawdev, "info", "--json", raw))
    same("info depth", {k: report["depth"][k] for k in ("format", "near", "far", "units")},
         {"format": "linear", "near": 0.5, "far": 5, "units": "meters"})
    shared_maps(session)


def shared_maps(session):
    """Gain table maps of files outside the package against the tag's own bytes."""
    shared = pathlib.Path(os.environ.get("RAWDEV_SHARED", ROOT / ".." / "shared")) / "dng"
    for name in ["proraw_unc16", "c_proraw_unc16", "synth_proraw_10bit"]:
        raw = shared / f"{name}.dng"
        if not raw.exists():
            print(f"  MISSING {raw}: its gain table map is not checked")
            continue
        run(session.rawdev, "extract", raw, "-o", session.folder, "--only",
            "gain-table-map,preview")
        stored = (session.folder / f"{name}-gain-table-map.bin").read_bytes()
        other = run("exiftool", "-b", "-ProfileGainTableMap", raw)
        check(f"{name} map as exiftool reads it", stored == other, "differs")
        numbers = json.loads((session.folder / f"{name}-gain-table-map.json").read_text())
        order = ">" if numbers["byteOrder"] == "big" else "<"
        gains = np.array(numbers["gains"], np.float32)
        same(f"{name} map size", gains.shape, struct.unpack(order + "II", stored[:8])
             + struct.unpack(order + "I", stored[40:44]))
        check(f"{name} map gains", np.array_equal(
            gains.ravel(), np.frombuffer(stored[64:], order + "f4")), "differ")


def own_curves():
    """The curves used here against published values, and HLG against zimg where ffmpeg has it."""
    near("PQ of 1000 cd/m2", float(light.pq_signal(1000 / 203)), 0.751827, absolute=1e-6)
    near("PQ code 594", float(light.pq_light(594 / 1023)) * 203, 203, absolute=2)
    near("HLG of 203 cd/m2", float(light.hlg_light(np.full(3, 0.7499))[0]), 1, absolute=2e-3)
    if "zscale" not in run("ffmpeg", "-v", "error", "-filters", text=True):
        print("  this ffmpeg has no zscale: HLG is not compared with zimg")
        return
    ramp = np.linspace(0.02, 1, 64)
    picture = np.stack([ramp, ramp * 0.8, ramp * 0.5], axis=1)  # R, G, B
    planes = np.concatenate([picture[:, 1], picture[:, 2], picture[:, 0]]).astype("<f4")
    text = run("ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", "gbrpf32le", "-s", "64x1",
               "-i", "-", "-vf", "zscale=tin=arib-std-b67:pin=2020:min=gbr:rin=full:t=linear:"
               "p=2020:m=gbr:r=full:npl=1000:agamma=0,format=gbrpf32le", "-f", "rawvideo", "-",
               input=planes.tobytes())
    g, b, r = np.frombuffer(text, "<f4").reshape(3, 64)
    other = np.stack([r, g, b], axis=1) * 1000 / 203
    mine = light.hlg_light(picture)
    near("HLG light and zimg's", float((np.abs(other - mine) / mine.max(axis=1)[:, None]).max()),
         0, absolute=2e-3)


def main():
    rawdev = pathlib.Path(sys.argv[1]).resolve()
    for tool in ["ffmpeg", "ffprobe", "exiftool", "tiffinfo", "tiffcp"]:
        if not shutil.which(tool):
            sys.exit(f"{tool} is missing; run Scripts/install --with-readers")
    with tempfile.TemporaryDirectory(prefix="rawdev-readers-") as folder:
        session = Session(rawdev, folder)
        for part in [own_curves, extracted, reference_white, shapes, fixtures]:
            before = passed
            part(session) if part is not own_curves else part()
            print(f"{part.__name__}: {passed - before} checks passed", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C.UTF-8")
    sys.exit(main())
