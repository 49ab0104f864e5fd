#!/usr/bin/env python3
"""Measures how sharp rawdev's pictures are: MTF50 and overshoot of slanted edges (ISO 12233).

  sharpening_quality.py --rawdev PATH [--option=--sharpness-amount] [--cfa bayer|xtrans]
  sharpening_quality.py PICTURE... [--angle 5]

The first form makes raws of an edge 5 degrees off the vertical, blurred by Gaussians of several
widths, with and without photon noise, behind color filters (remosaic.py), develops each with the
amounts 0, the default and 1 to linear light, and fails unless MTF50 at the default is 25 % above
that at 0 with an overshoot of at most 5 % of the step more. The second form measures an edge
through the center of each PICTURE (linear TIFF or PPM). The edge is projected along itself to
quarter pixels; MTF50 is in cycles per pixel, overshoot and undershoot are in percent of the step,
measured on the projected profile against the mean of its ends. Needs numpy and, for TIFF, tifffile.
"""

import argparse
import math
import pathlib
import shlex
import subprocess
import sys
import tempfile

import numpy as np

from remosaic import default_generator, read_picture, remosaic

SIZE = 512
REACH = 16
LEAST_GAIN = 1.25
MOST_OVERSHOOT = 0.05
LINEAR = "--boost-amount 0 --no-gamut-mapping --baseline-exposure 0"


def distance(height, width, angle):
    slope = math.tan(math.radians(angle))
    y, x = np.mgrid[0:height, 0:width]
    return (x - width / 2 - (y - height / 2) * slope) * math.cos(math.radians(angle))


def edge(sigma, noise, low=0.05, high=0.8, angle=5.0):
    """Rows x columns x 3 of a neutral edge; `noise` is the variance at 1.0."""
    erf = np.vectorize(math.erf)
    d = distance(SIZE, SIZE, angle)
    light = low + (high - low) * 0.5 * (1 + erf(d / (sigma * math.sqrt(2))))
    random = np.random.default_rng(20).standard_normal(light.shape)
    light = light + np.sqrt(noise * light) * random
    return np.repeat(np.clip(light, 0, 1)[..., None], 3, axis=2)


def measure(picture, angle=5.0):
    """MTF50 in cycles per pixel, overshoot and undershoot as fractions of the step."""
    light = picture[..., 1]
    d = distance(*light.shape, angle)
    inside = np.abs(d) < REACH
    inside[:8] = inside[-8:] = False
    bins = np.floor((d[inside] + REACH) * 4).astype(int)
    sums = np.bincount(bins, light[inside], REACH * 8)
    counts = np.bincount(bins, minlength=REACH * 8)
    profile = sums / np.maximum(counts, 1)
    low, high = profile[:20].mean(), profile[-20:].mean()
    slopes = np.diff(profile) * np.hamming(len(profile) - 1)
    contrast = np.abs(np.fft.rfft(slopes, 8192))
    contrast /= contrast[0]
    at = int(np.argmax(contrast < 0.5))
    part = (contrast[at - 1] - 0.5) / (contrast[at - 1] - contrast[at])
    step = high - low
    return (
        (at - 1 + part) * 4 / 8192,
        (profile.max() - high) / step,
        (low - profile.min()) / step,
    )


def report(name, values):
    mtf50, over, under = values
    print(f"{name:34} MTF50 {mtf50:.3f}  over {100 * over:5.1f} %  under {100 * under:5.1f} %")


def develop(args, raw, out, amount):
    options = shlex.split(LINEAR) + ([] if amount is None else [args.option, str(amount)])
    subprocess.run(
        [args.rawdev, "develop", str(raw), "-o", str(out), "--format", "tiff-float", *options],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return read_picture(out)


def check(args):
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for sigma in (0.6, 0.7, 0.8, 0.9, 1.0):
            for noise in (0.0, 0.001):
                raw = folder / "edge.dng"
                remosaic(edge(sigma, noise), raw, args.cfa, args.generator)
                found = {}
                for name, amount in (("off", 0), ("default", None), ("full", 1)):
                    out = folder / f"{name}.tif"
                    out.unlink(missing_ok=True)
                    found[name] = measure(develop(args, raw, out, amount))
                    report(f"sigma {sigma} noise {noise} {name}", found[name])
                gain = found["default"][0] / found["off"][0]
                worse = max(found["default"][i] - found["off"][i] for i in (1, 2))
                if gain < LEAST_GAIN or worse > MOST_OVERSHOOT:
                    print(f"FAILED: gain {gain:.2f}, overshoot {100 * worse:.1f} % more")
                    failures += 1
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pictures", nargs="*")
    parser.add_argument("--angle", type=float, default=5.0)
    parser.add_argument("--rawdev", help="the rawdev binary")
    parser.add_argument("--option", default="--sharpness-amount")
    parser.add_argument("--cfa", choices=["bayer", "xtrans"], default="bayer")
    parser.add_argument("--generator", default=default_generator())
    args = parser.parse_args()
    if not args.pictures and not args.rawdev:
        parser.error("give pictures, or --rawdev")
    for path in args.pictures:
        report(path, measure(read_picture(path), args.angle))
    return 1 if args.rawdev and check(args) else 0


if __name__ == "__main__":
    sys.exit(main())
