"""Streams of our HEVC coder in the decoder and the header parser of FFmpeg, beside libheif's."""
import re
import struct
import subprocess

import numpy as np
import pillow_heif
import pytest

from support.boxes import Still
from support.checks import check, none, same
from support.program import run
from support.tiers import few

START = b"\0\0\0\1"


@pytest.fixture(scope="module")
def source(generator, folder):
    run(generator, "benchmark", folder / "small.dng", "--width", "700", "--height", "460")
    return folder / "small.dng"


def stream(still, number):
    """The coded picture `number` with its parameter sets, behind start codes."""
    record, units, at = still.property("hvcC", number), [], 23
    for _ in range(record[22]):
        count, = struct.unpack_from(">H", record, at + 1)
        at += 3
        for _ in range(count):
            length, = struct.unpack_from(">H", record, at)
            units.append(record[at + 2:at + 2 + length])
            at += 2 + length
    data, at = still.item(number), 0
    while at < len(data):
        length, = struct.unpack_from(">I", data, at)
        units.append(data[at + 4:at + 4 + length])
        at += 4 + length
    return b"".join(START + unit for unit in units)


def ffmpeg(data, *options):
    done = subprocess.run(["ffmpeg", "-v", "error", "-f", "hevc", "-i", "-", *options],
                          input=data, capture_output=True, check=True)
    none("complaints of ffmpeg", done.stderr.decode().splitlines())
    return done.stdout


@pytest.mark.parametrize("options, pixels, profile", few(4, [
    (["--format", "heif-hlg"], "yuv420p10le", 2), (["--format", "heif-pq"], "yuv420p10le", 2),
    (["--format", "heif-sdr"], "yuv420p10le", 2),
    (["--format", "heif-sdr", "--bits", "8"], "yuv420p", 1),
    (["--format", "heif-sdr", "--bits", "8", "--quality", "0.2"], "yuv420p", 1),
    (["--format", "heif-hlg", "--chroma", "444"], "yuv444p10le", 4),
    (["--format", "heif-hlg", "--quality", "1"], "yuv420p10le", 2),
    (["--format", "heif-hlg", "--tiles", "single"], "yuv420p10le", 2)]))
def test_streams(rawdev, tmp, source, options, pixels, profile):
    path = tmp / "a.heic"
    run(rawdev, "develop", source, "-o", path, "-q", *options)
    still = Still(path)
    coded = [number for number, kind in still.types.items() if kind == "hvc1"]
    check("coded pictures", coded)
    for number in coded:
        data = stream(still, number)
        trace = subprocess.run(
            ["ffmpeg", "-f", "hevc", "-i", "-", "-c", "copy", "-bsf:v", "trace_headers", "-f",
             "null", "-"], input=data, capture_output=True, check=True).stderr.decode()
        said = dict(re.findall(r"(\w+) +[01]+ = (\d+)", trace))
        same("profile", int(said["general_profile_idc"]), profile)
        same("one intra slice", (said["first_slice_segment_in_pic_flag"], said["slice_type"]),
             ("1", "2"))
        none("complaints of the parser", re.findall(r".*(?:[Ii]nvalid|[Ee]rror|missing).*", trace))
        size = struct.unpack_from(">II", still.property("ispe", number), 4)
        samples = ffmpeg(data, "-err_detect", "explode", "-f", "rawvideo", "-pix_fmt", pixels, "-")
        planes = 3 if "444" in pixels else 1.5
        wanted = size[0] * size[1] * planes * (2 if "10le" in pixels else 1)
        same("one whole picture", len(samples), int(wanted))


def test_gain_map_in_both_decoders(rawdev, tmp, source):
    """A picture of one channel has no color to convert: both show the decoder's own samples."""
    path = tmp / "a.heic"
    run(rawdev, "develop", source, "-o", path, "-q", "--format", "heic-gainmap")
    still = Still(path)
    picture = pillow_heif.open_heif(path)
    shown = [np.asarray(picture.get_aux_image(number)).astype(int)
             for numbers in picture.info["aux"].values() for number in numbers]
    coded = [number for number, kind in still.types.items()
             if kind == "hvc1" and still.property("hvcC", number)[16] & 3 == 0]
    same("maps, in one piece each", (len(shown), len(coded)), (1, 1))
    columns, rows = struct.unpack_from(">II", still.property("ispe", coded[0]), 4)
    ours = ffmpeg(stream(still, coded[0]), "-f", "rawvideo", "-pix_fmt", "gray", "-")
    ours = np.frombuffer(ours, np.uint8).reshape(rows, columns).astype(int)
    height, width = shown[0].shape[:2]
    same("samples", np.abs(ours[:height, :width] - shown[0].reshape(height, width)).max(), 0)
