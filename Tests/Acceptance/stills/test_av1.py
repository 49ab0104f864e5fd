"""Streams of our AV1 coder in the decoders libaom and libdav1d and the header parser of FFmpeg."""
import re
import struct
import subprocess

import pytest

from support.boxes import Still
from support.checks import check, none, same
from support.program import run
from support.tiers import few

# A temporal delimiter, which items lack and streams begin with.
START = b"\x12\0"


@pytest.fixture(scope="module")
def source(generator, folder):
    run(generator, "benchmark", folder / "small.dng", "--width", "1500", "--height", "1100")
    return folder / "small.dng"


def decoded(data, decoder, pixels):
    done = subprocess.run(
        ["ffmpeg", "-v", "error", "-err_detect", "explode", "-f", "obu", "-c:v", decoder, "-i", "-",
         "-f", "rawvideo", "-pix_fmt", pixels, "-"], input=data, capture_output=True, check=True)
    none(f"complaints of {decoder}", done.stderr.decode().splitlines())
    return done.stdout


@pytest.mark.parametrize("options, pixels, profile", few(3, [
    (["--format", "avif-hlg"], "yuv420p10le", 0), (["--format", "avif"], "yuv420p10le", 0),
    (["--format", "avif-hlg", "--bits", "12"], "yuv420p12le", 2),
    (["--format", "avif-hlg", "--bits", "12", "--chroma", "444"], "yuv444p12le", 2),
    (["--format", "avif-sdr", "--bits", "8"], "yuv420p", 0),
    (["--format", "avif-sdr", "--bits", "8", "--quality", "0.2"], "yuv420p", 0),
    (["--format", "avif-hlg", "--chroma", "444"], "yuv444p10le", 1),
    (["--format", "avif-hlg", "--quality", "1"], "yuv420p10le", 0),
    (["--format", "avif-hlg", "--quality", "0"], "yuv420p10le", 0),
    (["--format", "avif-hlg", "--tiles", "grid"], "yuv420p10le", 0)]))
def test_streams(rawdev, tmp, source, options, pixels, profile):
    path = tmp / "a.avif"
    run(rawdev, "develop", source, "-o", path, "-q", *options)
    still = Still(path)
    coded = [number for number, kind in still.types.items() if kind == "av01"]
    check("coded pictures", coded)
    for number in coded:
        data = START + bytes(still.item(number))
        trace = subprocess.run(
            ["ffmpeg", "-f", "obu", "-i", "-", "-c", "copy", "-bsf:v", "trace_headers", "-f",
             "null", "-"], input=data, capture_output=True, check=True).stderr.decode()
        said = dict(re.findall(r"(\w+) +[01]+ = (\d+)", trace))
        same("profile", int(said["seq_profile"]), profile)
        same("a still picture", (said["still_picture"], said["reduced_still_picture_header"]),
             ("1", "1"))
        none("complaints of the parser", re.findall(r".*(?:[Ii]nvalid|[Ee]rror|missing).*", trace))
        size = struct.unpack_from(">II", still.property("ispe", number), 4)
        samples = [decoded(data, decoder, pixels) for decoder in ["libdav1d", "libaom-av1"]]
        columns, rows = [(side + 1) // 2 for side in size]
        chroma = size[0] * size[1] if "444" in pixels else columns * rows
        wanted = (size[0] * size[1] + 2 * chroma) * (2 if pixels.endswith("le") else 1)
        same("one whole picture", len(samples[0]), wanted)
        check("both decoders agree", samples[0] == samples[1])


def test_gain_map(rawdev, tmp, source):
    path = tmp / "a.avif"
    run(rawdev, "develop", source, "-o", path, "-q", "--format", "avif-gainmap")
    still = Still(path)
    coded = [number for number, kind in still.types.items() if kind == "av01"]
    gray = [number for number in coded if still.property("av1C", number)[2] & 0x10]
    same("picture and map", (len(coded), len(gray)), (2, 1))
    data = START + bytes(still.item(gray[0]))
    same("map", decoded(data, "libdav1d", "gray"), decoded(data, "libaom-av1", "gray"))
