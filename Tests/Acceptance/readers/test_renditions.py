"""Every kind of rendition of the fixtures, read by programs that are not ours.

HEIF (HLG and PQ, 4:2:0 and 4:4:4; SDR of 8 and 10 bits): brand, bits, CICP by libheif, in the
colr box and in the HEVC stream, profile, clli equal to the report and to the decoded pixels' own
levels, mdcv, sizes, capture facts, XMP. TIFF in all spaces with all compressions: the same pixels,
tiffinfo without a word, an ICC profile whose curve Little CMS follows within 1.6 codes of 8 bits.
Orientations, odd sizes, and the code of reference white in two decoders.
"""
import math

import numpy as np
import pytest
from tifffile import imread

from readers.account import TURNED, check_capture, check_heif, check_profile, heif
from readers.synthetic import flat_dng
from support import light
from support.boxes import Still
from support.checks import check, near, same
from support.program import FIXTURES, attempt, run, tags

LINEAR = ["--boost-amount", "0", "--baseline-exposure", "0"]
TIFF_SPACES = ["display-p3", "srgb", "bt2020", "linear-bt2020", "bt2100-pq", "bt2100-hlg"]
COMPRESSIONS = ["none", "deflate", "zstd", "lzw"]
FIXTURE = pytest.mark.parametrize("fixture", ["sunset-bayer", "sunset-xtrans", "sunset-linear"])
KINDS = [("heif-hlg", "420", 10), ("heif-hlg", "444", 10), ("heif-pq", "420", 10),
         ("heif-pq", "444", 10), ("heif-sdr", "420", 8), ("heif-sdr", "420", 10),
         ("heif-sdr", "444", 10)]
BEST = ["--chroma", "444", "--quality", "1"]


def small(fixture):
    return ["--scale-factor", "0.5"] if fixture != "sunset-linear" else []


@FIXTURE
def test_heif(session, fixture):
    raw = FIXTURES / f"{fixture}.dng"
    camera = tags(raw)["IFD0:Model"]
    # Unsharpened, because steep edges ring in the codec.
    unsharp = ["--quality", "1", "--sharpness-amount", "0", *small(fixture)]
    for kind, chroma, bits in KINDS:
        name, best = f"{fixture} {kind} {chroma} {bits}", unsharp if chroma == "444" else []
        path, report, codes, _ = check_heif(name, session, raw, kind, chroma, bits, best)
        check_capture(name, path, camera)
        if best and kind != "heif-sdr":
            shown = light.pq_light(codes) if kind == "heif-pq" else light.hlg_light(codes)
            top = shown.max(axis=2) * light.WHITE
            # One pixel on an edge may ring by ten codes, of 1.1 % each.
            near(f"{name} MaxCLL of the decoded pixels", top.max(), report["maxCLL"], share=0.12)
            near(f"{name} MaxFALL of the decoded pixels", top.mean(), report["maxFALL"], share=0.01, absolute=1)


TABLE = "One rendering as HLG, PQ and float is one light (readers/test_renditions.py)"


def pictures_of(session, fixture):
    """Light of one rendition by what codes it, held to 4.9 times white: HLG needs no roll-off."""
    raw, options = FIXTURES / f"{fixture}.dng", small(fixture)
    _, report = session.develop(raw, "tiff-float", *options)
    amount = min(1, math.log(4.9) / math.log(max(report["fileHeadroom"], 1.001)))
    options += ["--edr", f"{amount:.6f}"]
    path, report = session.develop(raw, "tiff-float", *options)
    pictures = {"tiff-float": np.maximum(imread(path).astype(np.float64), 0)}
    near(f"{fixture} float headroom", pictures["tiff-float"].max(), report["contentHeadroom"], share=1e-6)
    for transfer, decode in [("pq", light.pq_light), ("hlg", light.hlg_light)]:
        path, report = session.develop(raw, f"heif-{transfer}", *BEST, *options)
        same(f"{fixture} heif-{transfer} has no notes", report["warnings"], [])
        pictures[f"heif-{transfer}"] = decode(heif(path)[0])
        path, _ = session.develop(raw, "tiff", "--tiff-space", f"bt2100-{transfer}", *options)
        pictures[f"tiff bt2100-{transfer}"] = decode(imread(path) / 65535)
    return pictures


@FIXTURE
def test_light(session, record, fixture):
    """One rendering as HLG, PQ, float and 16-bit codes is one light.

    The 16-bit TIFF files know no codec: each channel within 0.05 %. For the HEIF files (4:4:4,
    quality 1) an average over 8 x 8 pixels does not take the codec's noise out, because the codec
    rounds that very average (to about two codes, of 1 % each); so the rule is: luminance over
    8 x 8 pixels within 1 % in 99 % of the blocks, each channel over 32 x 32 pixels within 1 % in
    95 %, and no bias above 0.2 %. An error is relative to the block's largest channel, or to 0.02
    where it is darker. Blocks in which HLG cannot hold a pixel's color (scene light above 0.99)
    are left out.
    """
    pictures = pictures_of(session, fixture)
    true = pictures["tiff-float"]
    holds = light.hlg_scene_of(true).max(axis=2, keepdims=True) <= 0.99
    for a, b in [("heif-hlg", "heif-pq"), ("heif-pq", "tiff-float"), ("heif-hlg", "tiff-float"),
                 ("tiff bt2100-pq", "tiff-float"), ("tiff bt2100-hlg", "tiff-float"),
                 ("tiff bt2100-hlg", "tiff bt2100-pq")]:
        name = f"{fixture} light of {a} and {b}"
        errors = {}
        for side in [8, 32]:
            use = light.blocks(holds.astype(float), side)[..., 0] == 1
            scale = np.maximum(light.blocks(true, side).max(axis=2), 0.02)[..., None]
            errors[side] = (light.blocks(pictures[a] - pictures[b], side) / scale)[use]
        if a.startswith("tiff"):
            worst = np.abs(errors[8]).max()
            record(TABLE, fixture=fixture, compared=f"{a} and {b}", result=f"largest {worst:.4%}")
            near(name, worst, 0, absolute=5e-4)
            continue
        luminance, channels = np.abs(errors[8] @ light.LUMINANCE), np.abs(errors[32]).max(axis=1)
        most, widest = np.quantile(luminance, 0.99), np.quantile(channels, 0.95)
        bias = np.abs(errors[8].mean(axis=0)).max()
        record(TABLE, fixture=fixture, compared=f"{a} and {b}", result=(
            f"luminance of {len(luminance)} blocks median {np.median(luminance):.2%}, 99 % below "
            f"{most:.2%}; channels of {len(channels)} blocks 95 % below {widest:.2%}; "
            f"bias {bias:.3%}"))
        near(f"{name}, luminance", most, 0, absolute=0.01)
        near(f"{name}, channels", widest, 0, absolute=0.01)
        near(f"{name}, bias", bias, 0, absolute=2e-3)


@FIXTURE
def test_tiff(session, fixture):
    raw, options = FIXTURES / f"{fixture}.dng", small(fixture)
    camera, reference = tags(raw)["IFD0:Model"], {}
    for space in TIFF_SPACES:
        for compression in COMPRESSIONS[:None if fixture == "sunset-linear" else 2]:
            name = f"{fixture} tiff {space} {compression}"
            path, report = session.develop(
                raw, "tiff", "--tiff-space", space, "--tiff-compression", compression, *options)
            pixels, info = imread(path), attempt("tiffinfo", "-c", path)
            same(f"{name} shape", (pixels.dtype.name, *pixels.shape),
                 ("uint16", report["height"], report["width"], 3))
            check(f"{name} tiffinfo", info.returncode == 0 and not info.stderr, info.stderr[-200:])
            if space not in reference:
                reference[space] = pixels
                check_capture(name, path, camera)
                check_profile(name, path, space)
            check(f"{name} is lossless", np.array_equal(pixels, reference[space]), "differs")
    for compression in COMPRESSIONS:
        name = f"{fixture} float {compression}"
        path, _ = session.develop(raw, "tiff-float", "--tiff-compression", compression, *options)
        pixels = imread(path)
        plain = reference.setdefault("float", pixels)
        same(f"{name} kind", pixels.dtype.name, "float32")
        check(f"{name} is lossless", np.array_equal(pixels, plain), "differs")
    path, _ = session.develop(raw, "heif-sdr", *BEST, *options)
    difference = light.blocks(heif(path)[0]) - light.blocks(reference["display-p3"] / 65535)
    near(f"{fixture} heif-sdr and tiff display-p3", np.abs(difference).max(), 0, absolute=0.006)


def test_orientations(session):
    raw = FIXTURES / "sunset-linear.dng"
    upright = imread(session.develop(raw, "tiff", "--orientation", 1)[0])
    for number, turn in TURNED.items():
        path, _ = session.develop(raw, "tiff", "--orientation", number)
        check(f"orientation {number} pixels", np.array_equal(imread(path), turn(upright)), "differ")
        path, report = session.develop(raw, "heif-pq", "--orientation", number)
        size = heif(path)[1].size
        same(f"orientation {number} heif size", size, (report["width"], report["height"]))
        same(f"orientation {number} tag", tags(path).get("IFD0:Orientation"), 1)
        turns = [Still(path).property(kind) for kind in ("irot", "imir")]
        same(f"orientation {number} no irot or imir", turns, [None, None])


@pytest.mark.parametrize("scale", [0.999, 0.731, 0.5021, 0.333, 0.1771, 0.0312])
def test_odd_sizes(session, scale):
    wanted = tuple(max(1, math.floor(n * scale + 0.5)) for n in (480, 320))
    for kind, chroma in [("heif-pq", "420"), ("heif-hlg", "444"), ("heif-sdr", "420"), ("tiff", "420")]:
        name = f"scale {scale} {kind} {chroma}"
        path, report = session.develop(
            FIXTURES / "sunset-linear.dng", kind, "--scale-factor", scale, "--chroma", chroma)
        size = imread(path).shape[1::-1] if kind == "tiff" else heif(path)[1].size
        same(f"{name} report", (report["width"], report["height"]), wanted)
        same(f"{name} decoded", tuple(size), wanted)


@pytest.mark.parametrize("width, height", [(256, 192), (601, 403)])
@pytest.mark.parametrize("level, white, exposure", [(60000, 60000, 0), (30000, 60000, 1), (15000, 60000, 2)])
def test_reference_white(session, width, height, level, white, exposure):
    """Light of 1.0 is 203 cd/m2: code 594 of PQ and 767 of HLG, in both decoders."""
    raw = session.folder / f"flat-{width}-{level}.dng"
    options = [*LINEAR, "--exposure", exposure]
    flat_dng(raw, width, height, level, white)
    path, _ = session.develop(raw, "tiff-float", *options)
    near(f"white {level} float", float(np.abs(imread(path) - 1).max()), 0, absolute=2e-5)
    for kind, code in [("heif-pq", 594), ("heif-hlg", 767)]:
        for chroma in ["420", "444"]:
            name = f"white {level} of {width}x{height} {kind} {chroma}"
            _, report, codes, luma = check_heif(
                name, session, raw, kind, chroma, 10, [*options, "--quality", "1"])
            same(f"{name} MaxCLL", report["maxCLL"], 203)
            for reader, plane in [("libheif", np.rint(codes * 1023)), ("ffmpeg", luma.astype(int))]:
                off = np.abs(plane - code).max()
                check(f"{name} by {reader}", off <= 1, f"{off} codes from {code}")


def test_own_curves():
    """The curves used here against published values, and HLG against zimg where ffmpeg has it."""
    near("PQ of 1000 cd/m2", float(light.pq_signal(1000 / 203)), 0.751827, absolute=1e-6)
    near("PQ code 594", float(light.pq_light(594 / 1023)) * 203, 203, absolute=2)
    near("HLG of 203 cd/m2", float(light.hlg_light(np.full(3, 0.7499))[0]), 1, absolute=2e-3)
    if "zscale" not in run("ffmpeg", "-v", "error", "-filters", text=True):
        return
    ramp = np.linspace(0.02, 1, 64)
    picture = np.stack([ramp, ramp * 0.8, ramp * 0.5], axis=1)
    planes = picture.T[[1, 2, 0]].astype("<f4").tobytes()  # ffmpeg's planes are G, B, R
    text = run("ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", "gbrpf32le", "-s", "64x1",
               "-i", "-", "-vf", "zscale=tin=arib-std-b67:pin=2020:min=gbr:rin=full:t=linear:"
               "p=2020:m=gbr:r=full:npl=1000:agamma=0,format=gbrpf32le", "-f", "rawvideo", "-",
               input=planes)
    other = np.frombuffer(text, "<f4").reshape(3, 64)[[2, 0, 1]].T * 1000 / 203
    mine = light.hlg_light(picture)
    worst = (np.abs(other - mine) / mine.max(axis=1)[:, None]).max()
    near("HLG light and zimg's", float(worst), 0, absolute=2e-3)
