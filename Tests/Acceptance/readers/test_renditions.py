"""Every kind of rendition of the fixtures, read by programs that are not ours: HEIF of every range
and chroma, TIFF in all spaces with all compressions; orientations, odd sizes, reference white."""
import math

import numpy as np
import pytest
from tifffile import imread

from readers.account import TURNED, check_capture, check_heif, check_profile, heif
from readers.synthetic import flat_dng
from support import light
from support.boxes import Still
from support.checks import check, near, same
from support.program import attempt, run, tags
from support.tiers import combined

TABLE = "One rendering as HLG, PQ and float is one light (readers/test_renditions.py)"
RAWS = ["sunset-linear", "sunset-bayer", "sunset-xtrans"]
BEST = ["--chroma", "444", "--quality", "1"]


def small(fixture):
    return ["--scale-factor", "0.5"] if fixture != "sunset-linear" else []


@combined(full=1, coding=[
    ("heif-hlg", "420", 10), ("heif-hlg", "444", 10), ("heif-pq", "420", 10),
    ("heif-pq", "444", 10), ("heif-sdr", "420", 8), ("heif-sdr", "420", 10),
    ("heif-sdr", "444", 10)], fixture=RAWS)
def test_heif(session, coding, fixture):
    kind, chroma, bits = coding
    # Unsharpened, because steep edges ring in the codec, and without noise where that is strong:
    # the codec smooths it, and its largest channel is above the mean.
    unsharp = ["--quality", "1", "--sharpness-amount", "0", "--output-sharpening", "none",
               *small(fixture)]
    if fixture == "sunset-xtrans":
        unsharp += ["--luminance-noise-reduction-amount", "1",
                    "--color-noise-reduction-amount", "1"]
    path, report, codes, _ = check_heif(
        session, fixture, kind, chroma, bits, *(unsharp if chroma == "444" else []))
    check_capture(path, fixture)
    if chroma == "444" and kind != "heif-sdr":
        shown = light.pq_light(codes) if kind == "heif-pq" else light.hlg_light(codes)
        top = shown.max(axis=2) * light.WHITE
        # One pixel on an edge may ring by ten codes, of 1.1 % each.
        near("MaxCLL of the decoded pixels", top.max(), report["maxCLL"], relative=0.12)
        # What is written is rounded to an integer.
        near("MaxFALL of the decoded pixels", top.mean(), report["maxFALL"],
             absolute=0.01 * report["maxFALL"] + 0.5)


def pictures_of(session, fixture):
    """Light of one rendition by what codes it, held to 4.9 times white: HLG needs no roll-off."""
    options = small(fixture)
    _, report = session.develop(fixture, "tiff-float", *options)
    amount = min(1, math.log(4.9) / math.log(max(report["fileHeadroom"], 1.001)))
    options += ["--edr", f"{amount:.6f}"]
    path, report = session.develop(fixture, "tiff-float", *options)
    pictures = {"tiff-float": np.maximum(imread(path).astype(np.float64), 0)}
    near("float headroom", pictures["tiff-float"].max(), report["contentHeadroom"], relative=1e-6)
    for transfer, decode in [("pq", light.pq_light), ("hlg", light.hlg_light)]:
        path, report = session.develop(fixture, f"heif-{transfer}", *BEST, *options)
        same(f"heif-{transfer} has no notes", report["warnings"], [])
        pictures[f"heif-{transfer}"] = decode(heif(path)[0])
        path, _ = session.develop(fixture, "tiff", "--color-space", f"bt2100-{transfer}", *options)
        pictures[f"tiff bt2100-{transfer}"] = decode(imread(path) / 65535)
    return pictures


@pytest.mark.parametrize("fixture", RAWS)
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
        name, errors = f"{a} and {b}", {}
        for side in [8, 32]:
            use = light.blocks(holds.astype(float), side)[..., 0] == 1
            scale = np.maximum(light.blocks(true, side).max(axis=2), 0.02)[..., None]
            errors[side] = (light.blocks(pictures[a] - pictures[b], side) / scale)[use]
        if a.startswith("tiff"):
            worst = np.abs(errors[8]).max()
            record(TABLE, fixture=fixture, compared=name, result=f"largest {worst:.4%}")
            near(name, worst, 0, absolute=5e-4)
            continue
        luminance, channels = np.abs(errors[8] @ light.LUMINANCE), np.abs(errors[32]).max(axis=1)
        most, widest = np.quantile(luminance, 0.99), np.quantile(channels, 0.95)
        bias = np.abs(errors[8].mean(axis=0)).max()
        record(TABLE, fixture=fixture, compared=name, result=(
            f"luminance of {len(luminance)} blocks median {np.median(luminance):.2%}, 99 % below "
            f"{most:.2%}; channels of {len(channels)} blocks 95 % below {widest:.2%}; "
            f"bias {bias:.3%}"))
        near(f"{name}, luminance", most, 0, absolute=0.01)
        near(f"{name}, channels", widest, 0, absolute=0.01)
        near(f"{name}, bias", bias, 0, absolute=2e-3)


@combined(full=1, space=[
    "display-p3", "srgb", "adobe-rgb", "prophoto-rgb", "bt2020", "linear-bt2020",
    "bt2100-pq", "bt2100-hlg", "float"], fixture=RAWS)
def test_tiff(session, space, fixture):
    """The 16-bit files of a color space, or those of 32-bit floating-point numbers."""
    kind, options = ("tiff", ["--color-space", space]) if space != "float" else ("tiff-float", [])
    few, plain = kind == "tiff" and fixture != "sunset-linear", None
    for compression in ["none", "deflate"] if few else ["none", "deflate", "zstd", "lzw"]:
        path, report = session.develop(fixture, kind, *options, "--tiff-compression", compression,
                                       *small(fixture))
        pixels, info = imread(path), attempt("tiffinfo", "-c", path)
        same(f"{compression} shape", (pixels.dtype.name, *pixels.shape),
             ("uint16" if kind == "tiff" else "float32", report["height"], report["width"], 3))
        check(f"{compression} tiffinfo", info.returncode == 0 and not info.stderr, info.stderr)
        if plain is None:
            plain = pixels
            check_capture(path, fixture)
            check_profile(path, "linear-bt2020" if space == "float" else space)
        check(f"{compression} is lossless", np.array_equal(pixels, plain), "differs")
    if space == "display-p3":
        path, _ = session.develop(fixture, "heif-sdr", *BEST, *small(fixture))
        difference = light.blocks(heif(path)[0]) - light.blocks(plain / 65535)
        near("heif-sdr is the same", np.abs(difference).max(), 0, absolute=0.006)


@pytest.mark.parametrize("number", TURNED)
def test_orientations(session, number):
    upright = imread(session.develop("sunset-linear", "tiff", "--orientation", 1)[0])
    path, _ = session.develop("sunset-linear", "tiff", "--orientation", number)
    check("pixels", np.array_equal(imread(path), TURNED[number](upright)), "differ")
    path, report = session.develop("sunset-linear", "heif-pq", "--orientation", number)
    same("heif size", heif(path)[1].size, (report["width"], report["height"]))
    same("tag", tags(path).get("IFD0:Orientation"), 1)
    turns = [Still(path).property(kind) for kind in ("irot", "imir")]
    same("no irot or imir", turns, [None, None])


@combined(gate=1, full=1, scale=[0.999, 0.731, 0.5021, 0.333, 0.1771, 0.0312],
          coding=[("heif-pq", "420"), ("heif-hlg", "444"), ("heif-sdr", "420"), ("tiff", None)])
def test_odd_sizes(session, scale, coding):
    kind, chroma = coding
    wanted = tuple(max(1, math.floor(n * scale + 0.5)) for n in (480, 320))
    coding = ["--chroma", chroma] if chroma else []
    path, report = session.develop("sunset-linear", kind, "--scale-factor", scale, *coding)
    size = imread(path).shape[1::-1] if kind == "tiff" else heif(path)[1].size
    same("report", (report["width"], report["height"]), wanted)
    same("decoded", tuple(size), wanted)


@combined(gate=1, size=[(256, 192), (601, 403)], exposed=[(60000, 0), (30000, 1), (15000, 2)],
          coding=[("heif-pq", 594), ("heif-hlg", 767)], chroma=["420", "444"])
def test_reference_white(session, size, exposed, coding, chroma):
    """Light of 1.0 is 203 cd/m2: code 594 of PQ and 767 of HLG, in both decoders."""
    (width, height), (level, exposure), (kind, code) = size, exposed, coding
    raw = session.folder / f"flat-{width}-{level}.dng"
    options = ["--boost-amount", "0", "--baseline-exposure", "0", "--exposure", exposure]
    flat_dng(raw, width, height, level, white=60000)
    path, _ = session.develop(raw, "tiff-float", *options)
    near("float", float(np.abs(imread(path) - 1).max()), 0, absolute=2e-5)
    _, report, codes, luma = check_heif(session, raw, kind, chroma, 10, *options, "--quality", "1")
    same("MaxCLL", report["maxCLL"], 203)
    near("libheif", np.abs(np.rint(codes * 1023) - code).max(), 0, absolute=1)
    near("ffmpeg", np.abs(luma.astype(int) - code).max(), 0, absolute=1)


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
