"""What films are made of, and how they are read by programs that are not ours."""
import json
import os
import shutil
import subprocess

import numpy as np

from support.program import FIXTURES, SHARED, run

# A frame of a CinemaDNG clip: 30 frames per second, time code 02:16:10:01.
CINEMA = SHARED / "raws/bmpcc_coffee.dng"
BT2020 = (0.2627, 0.0593)


def clip(folder, count, raw=FIXTURES / "sunset-bayer.dng"):
    """A folder of as many links to a raw, numbered from 1."""
    folder.mkdir()
    first = folder / "frame-00001.dng"
    shutil.copy(raw, first)
    for number in range(2, count + 1):
        os.link(first, folder / f"frame-{number:05}.dng")
    return folder


def sidecar(folder, number, text):
    (folder / f"frame-{number:05}.dng.rawdev.yaml").write_text(text)


def probe(film, *options, frames=False):
    """The picture stream of a film as ffprobe reads it, or its first frame."""
    words = ["-show_frames", "-read_intervals", "%+#1"] if frames else ["-show_streams"]
    found = json.loads(run("ffprobe", "-v", "error", "-select_streams", "v:0", "-count_packets",
                           *words, *options, "-of", "json", film))
    return found["frames" if frames else "streams"][0]


def light(found):
    """MaxCLL and MaxFALL, and the largest luminance of the mastering display."""
    data = {}
    for entry in found.get("side_data_list", []):
        data |= entry
    numerator, _, denominator = data.get("max_luminance", "0/1").partition("/")
    return (data.get("max_content"), data.get("max_average"),
            float(numerator) / float(denominator or 1))


def planes(film, pixels, width, height, shapes):
    """All frames as decoded by ffmpeg: three planes each."""
    data = subprocess.run(["ffmpeg", "-v", "error", "-i", film, "-map", "0:v:0", "-f", "rawvideo",
                           "-pix_fmt", pixels, "-"], capture_output=True, check=True).stdout
    codes = np.frombuffer(data, "<u2" if pixels.endswith("le") else "u1")
    sizes = [width * height // shape for shape in shapes]
    frames = codes.reshape(-1, sum(sizes))
    return [np.split(frame, np.cumsum(sizes)[:-1]) for frame in frames]


def signal(luma, cb, cr, weights=BT2020, top=1023):
    """R', G', B' of planes of equal size in the limited range of 10 bits."""
    red, blue = weights
    y = (luma.astype(float) - 64) / 876
    cb, cr = ((plane.astype(float) - 512) / 896 for plane in (cb, cr))
    r, b = y + 2 * (1 - red) * cr, y + 2 * (1 - blue) * cb
    return np.stack([r, (y - red * r - blue * b) / (1 - red - blue), b], axis=-1)


def pq_nits(signal):
    m1, m2, c1, c2, c3 = 2610 / 16384, 78.84375, 0.8359375, 18.8515625, 18.6875
    n = np.clip(signal, 0, 1) ** (1 / m2)
    return 10_000 * (np.maximum(n - c1, 0) / (c2 - c3 * n)) ** (1 / m1)
