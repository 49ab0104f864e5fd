"""Pictures through every pair of formats that hold them, and what is left of their colors."""
import re

import imagecodecs
import numpy as np
import OpenEXR
import pytest
import tifffile

from support import light
from support.checks import check, same
from support.program import attempt

pytestmark = pytest.mark.full
FORMATS = {
    "sdr": ["heif-sdr", "tiff", "tiff-float", "exr", "npy", "png-sdr", "jpeg-sdr", "jxl-sdr",
            "avif-sdr"],
    "hdr": ["heif-hlg", "heif-pq", "heic-gainmap", "tiff-float", "exr", "npy", "png", "png-hlg",
            "jpeg-gainmap", "jxl", "jxl-hlg", "jxl-gainmap", "avif", "avif-hlg", "avif-gainmap"]}
# Written, and not read.
NOT_READ = {"planes", "dng"}
# What a format costs a color, in codes as below; those that are not named cost nothing. JPEG has
# eight bits, the others the coder's quantization at quality 1, which dark colors show most in PQ.
COST = {"sdr": {"heif-sdr": 0.8, "jpeg-sdr": 2.1, "avif-sdr": 0.6},
        "hdr": {"heif-pq": 5.5, "avif": 5.5, "heic-gainmap": 7, "jpeg-gainmap": 7,
                "avif-gainmap": 7, "jxl-gainmap": 0.6, "heif-hlg": 5.5, "avif-hlg": 5.5}}
# BT.2087.
TO_BT2020 = np.array([[0.6274, 0.3293, 0.0433], [0.0691, 0.9195, 0.0114], [0.0164, 0.0880, 0.8956]])


@pytest.fixture(scope="module")
def sources(folder):
    """Patches of eight colors in eight steps of a stop, inside sRGB: up to white, and up to 1000
    cd/m2; a file and its light."""
    step, hue = np.mgrid[:64, :64] // 8
    colors = np.array([(1, 1, 1), (1, .25, .25), (.25, 1, .25), (.25, .25, 1), (1, .9, .3),
                       (.3, .9, 1), (1, .4, 1), (.8, .6, .5)])[hue]
    colors = colors * 2.0 ** -step[..., None]
    codes = np.round(light.srgb_signal(colors) * 65535).astype(np.uint16)
    (folder / "sdr.png").write_bytes(imagecodecs.png_encode(codes))
    bright = (colors * 1000 / light.WHITE).astype(np.float32)
    OpenEXR.File({"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage},
                 {"RGB": bright}).write(str(folder / "hdr.exr"))
    return {"sdr": (folder / "sdr.png", light.srgb_light(codes / 65535)),
            "hdr": (folder / "hdr.exr", bright)}


def options(kind):
    """What loses least."""
    words = []
    if re.match("heif|heic|avif|jpeg|jxl", kind):
        words += ["--quality", "1"]
    if re.match("heif|heic|avif|jpeg", kind):
        words += ["--chroma", "444"]
    if kind in ("exr", "npy"):
        words += ["--bits", "32"]
    if "gainmap" in kind:
        words += ["--gain-map-channels", "3", "--gain-map-scale", "full"]
    return words


def patches(pixels):
    """The middle of each patch: what its edges lose is not its color."""
    return pixels.reshape(8, 8, 8, 8, 3)[:, 2:6, :, 2:6].mean((1, 3))


def held(kinds, colors):
    """Whether the formats hold a color: HLG does up to 1000 cd/m2, in a solid of its own; what is
    above is rolled off."""
    if not any("hlg" in kind for kind in kinds):
        return np.ones(colors.shape[:2], bool)
    return light.hlg_scene_of(colors @ TO_BT2020.T).max(-1) <= 0.99


@pytest.mark.parametrize("kind, first", [
    (kind, each) for kind, formats in FORMATS.items() for each in formats])
def test_pairs(session, sources, record, kind, first):
    path, wanted = sources[kind]
    middle = session.convert(path, first, *options(first))
    row = {}
    for second in FORMATS[kind]:
        last = session.convert(middle, second, *options(second))
        found = tifffile.imread(session.convert(last, "tiff-float", "--color-space", "linear-srgb"))
        signal, codes = (light.srgb_signal, 255) if kind == "sdr" else (light.pq_signal, 1023)
        found = signal(np.maximum(patches(found), 0))
        kept = held((first, second), patches(wanted))
        off = codes * np.abs(found - signal(patches(wanted)))[kept]
        row[second] = f"{off.max():.2f}"
        most = COST[kind].get(first, 0) + COST[kind].get(second, 0) + 0.05
        check(f"{first}, {second}", off.max() <= most, f"{off.max():.2f}")
    unit = "sRGB, in codes of 8 bits" if kind == "sdr" else "PQ, in codes of 10 bits"
    table = f"Round trips, {kind.upper()}: largest difference of {unit}"
    record(f"{table} (stills/test_round_trips.py)", **{"first, then": first}, **row)


def test_no_format_is_left_out(session):
    said = attempt(session.rawdev, "develop", "a.dng", "--format", "none").stderr
    same("formats", {*re.findall(r"^  - (\S+)$", said, re.M)} - NOT_READ,
         {*FORMATS["sdr"], *FORMATS["hdr"]})
