#!/usr/bin/env python3
"""Measures noise reduction on simulated noise: sRGB PSNR in dB over none, beside non-local means.

  denoise_quality.py --rawdev PATH --shared SHARED [--cfa bayer|xtrans] [--no-nlm]
                     [--keep FOLDER]

Truth: the sharp raws of SHARED/raws developed to a quarter of their size, where each pixel is true
in all three channels. Each is put behind Bayer or X-Trans filters (one kind a run) of a camera with
the neutral (1, 1, 1) and of one with (0.5, 1, 0.65), given Poisson and Gaussian noise (variance
a x + b of light x before white balance), clipped at saturation and written as a DNG without
NoiseProfile; so rawdev has to estimate the noise itself. It develops that with both amounts 0 and
with its defaults. The camera's color matrix makes its balanced values BT.2020, so the result is
compared with the truth as it is: sRGB curve on values clipped to 0...1, 10 pixels from the edges,
10 log10(1 / mean square).

Non-local means: scikit-image's (5 x 5 patches, 17 x 17 area), on brightness and color differences
of generalized Anscombe values of rawdev's own picture without noise reduction, with the true noise;
the best strength of those tried, the same for all pictures of a noise level.

Fails unless the mean gain is 2.3 dB and 4.2 dB at the two noise levels, no more than 0.4 dB below
non-local means at a tenth of its time, and noise-free pictures lose less than 0.1 dB.
Packages: numpy, scipy, tifffile, scikit-image.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np
import tifffile

from demosaic_quality import SHARP, cpsnr
from remosaic import NEUTRAL, read_picture

LEVELS = {"none": (0, 0), "low": (2e-4, 1e-6), "middle": (2e-3, 1e-5), "high": (8e-3, 1e-4)}
LEAST = {"middle": 2.3, "high": 4.2}
FILTERS = {"bayer": ("RG", "GB"),
           "xtrans": ("GGRGGB", "GGBGGR", "BRGRBG", "GGBGGR", "GGRGGB", "RBGBRG")}
NEUTRALS = {"neutral": (1, 1, 1), "tinted": (0.5, 1, 0.65)}
STRENGTHS = (0.8, 1.0, 1.2)
OFF = ["--luminance-noise-reduction-amount", "0", "--color-noise-reduction-amount", "0"]
PLAIN = ["--sharpness-amount", "0", "--boost-amount", "0", "--baseline-exposure", "0",
         "--no-gamut-mapping", "--no-highlight-recovery"]
BLACK, WHITE = 4096, 65535
XYZ_TO_BT2020 = np.array([
    [1.7166512, -0.3556708, -0.2533663], [-0.6666844, 1.6164812, 0.0157685],
    [0.0176399, -0.0427706, 0.9421031]])
COLORS = np.array([[1, 1, 1], [1, 0, -1], [1, -2, 1]]) / np.sqrt([[3], [2], [6]])


def develop(rawdev, raw, out, options):
    start = time.perf_counter()
    subprocess.run([rawdev, "develop", str(raw), "--output", str(out), "--format", "tiff-float"]
                   + options, check=True, stdout=subprocess.DEVNULL)
    return read_picture(out), time.perf_counter() - start


def noisy_mosaic(truth, cfa, neutral, a, b, seed):
    """Counts behind the filters."""
    light = truth * neutral
    mosaic = np.empty(light.shape[:2])
    side = len(cfa)
    for y, row in enumerate(cfa):
        for x, c in enumerate(row):
            mosaic[y::side, x::side] = light[y::side, x::side, "RGB".index(c)]
    if a > 0:
        random = np.random.default_rng(seed)
        mosaic = random.poisson(mosaic / a) * a + random.normal(0, np.sqrt(b), mosaic.shape)
    return np.clip(np.round(BLACK + mosaic * (WHITE - BLACK)), 0, 65535).astype(np.uint16)


def write_dng(path, mosaic, cfa, neutral):
    def rationals(values):
        return [n for v in np.ravel(values) for n in (round(float(v) * 10**6), 10**6)]

    colors = tuple("RGB".index(c) for row in cfa for c in row)
    tags = [
        (50706, 1, 4, (1, 4, 0, 0)), (50708, 2, 0, "Noise simulation"),
        (33421, 3, 2, (len(cfa), len(cfa))), (33422, 1, len(colors), colors),
        (50714, 4, 1, BLACK), (50717, 4, 1, WHITE),
        (50721, 10, 9, rationals(np.diag(neutral) @ XYZ_TO_BT2020)),
        (50728, 5, 3, rationals(neutral)), (50778, 3, 1, 21), (274, 3, 1, 1),
    ]
    tifffile.imwrite(path, mosaic, photometric=32803, extratags=[t + (True,) for t in tags],
                     software=False, metadata=None, rowsperstrip=mosaic.shape[0])


def non_local_means(picture, a, b, strength):
    """Smoothed on the scale where the noise of the neutral's green has the same size everywhere."""
    from skimage.restoration import denoise_nl_means

    scale = (2 / a) * np.sqrt(np.maximum(a * picture + 0.375 * a * a + b, 0)) @ COLORS.T
    for c in range(3):
        scale[..., c] = denoise_nl_means(
            scale[..., c], patch_size=5, patch_distance=8, h=strength * (1 if c == 0 else 1.5),
            sigma=0.8, fast_mode=True)
    back = scale @ COLORS
    return a / 4 * (back * back + 0.6) - 0.375 * a - b / a


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rawdev", required=True)
    parser.add_argument("--shared", required=True)
    parser.add_argument("--cfa", choices=FILTERS, default="bayer")
    parser.add_argument("--no-nlm", action="store_true", help="leave out non-local means (minutes)")
    parser.add_argument("--keep", help="folder for the mosaics and results")
    args = parser.parse_args()
    folder = pathlib.Path(args.keep or tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    cfa = FILTERS[args.cfa]
    truths = {}
    for name in SHARP:
        raw = pathlib.Path(args.shared) / "raws" / name
        if not raw.exists():
            print(f"MISSING ../shared: {name}")
            continue
        picture, _ = develop(args.rawdev, raw, folder / f"{name}.tif",
                             ["--scale-factor", "0.25"] + NEUTRAL)
        height, width = (side // 2 * 2 for side in picture.shape[:2])
        truths[name] = np.clip(picture[:height, :width], 0, 1)
    good = bool(truths)
    for camera, neutral in NEUTRALS.items():
        for level, (a, b) in LEVELS.items():
            gains, seconds, nlm_gains, nlm_seconds = [], 0.0, [], 0.0
            for seed, (name, truth) in enumerate(truths.items()):
                dng = folder / f"{name}.{camera}.{level}.dng"
                write_dng(dng, noisy_mosaic(truth, cfa, neutral, a, b, seed), cfa, neutral)
                plain, slow = develop(args.rawdev, dng, folder / "plain.tif", PLAIN + OFF)
                ours, fast = develop(args.rawdev, dng, folder / "ours.tif", PLAIN)
                base = cpsnr(plain, truth)
                gains.append(cpsnr(ours, truth) - base)
                seconds += max(fast - slow, 0)
                if level in LEAST and camera == "neutral" and not args.no_nlm:
                    start = time.perf_counter()
                    nlm_gains.append([cpsnr(non_local_means(plain, a, b, h), truth) - base
                                      for h in STRENGTHS])
                    nlm_seconds += (time.perf_counter() - start) / len(STRENGTHS)
            mean = float(np.mean(gains))
            line = f"{camera} {level}: {mean:+.2f} dB (" + " ".join(f"{g:+.2f}" for g in gains)
            line += f") in {seconds:.2f} s"
            if nlm_gains:
                best = float(np.max(np.mean(nlm_gains, axis=0)))
                line += f"; non-local means {best:+.2f} dB in {nlm_seconds:.1f} s"
                good &= mean >= best - 0.4 and seconds <= nlm_seconds / 10
            good &= min(gains) > -0.1 if level == "none" else mean >= LEAST.get(level, 0)
            print(line, flush=True)
    print("passed" if good else "FAILED")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
