#!/usr/bin/env python3
"""Measures how sharp rawdev's pictures are: MTF50 and overshoot of slanted edges (ISO 12233).

  sharpening_quality.py --rawdev PATH [--option=--sharpness-amount] [--cfa bayer|xtrans]
                        [--photos FOLDER]
  sharpening_quality.py PICTURE... [--angle 5]

The first form makes raws of an edge 5 degrees off the vertical, blurred by Gaussians of several
widths, with the noise of a sensor of 40,000 electrons at several ISO speeds, of a camera whose
neutral is far from (1, 1, 1), as all cameras' are. It develops each with the amounts 0, the default
and 1 to linear light, and, where it is installed, by RawTherapee's capture sharpening at its
defaults. It fails unless MTF50 at the default is 25 % above that at 0 and at most 2 % below
RawTherapee's, with an overshoot of at most 5 % of the step. With --photos, every fourth picture of
FOLDER (sRGB) is blurred likewise and developed from a mosaic: mean sRGB PSNR in dB over them,
against the picture before the blur, at the median of its green; it fails unless the default is at
least as near as RawTherapee, and nearer than 0. The second form measures an edge through the center
of each PICTURE (linear TIFF or PPM). The edge is projected along itself to quarter pixels; MTF50 is
in cycles per pixel, overshoot and undershoot are in percent of the step, measured on the projected
profile against the mean of its ends. Needs numpy, scipy, tifffile and Pillow.
"""

import argparse
import math
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

import numpy as np

from demosaic_quality import cpsnr
from denoise_quality import FILTERS, NEUTRALS, noisy_mosaic, write_dng
from remosaic import read_picture

SIZE = 512
REACH = 16
LEAST_GAIN = 1.25
LEAST_OF_PEER = 0.98
MOST_OVERSHOOT = 0.05
SIGMAS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
SPEEDS = (100, 1600, 3200)
ELECTRONS, READ_ELECTRONS = 40000, 3
SRGB_TO_BT2020 = np.array([
    [0.627404, 0.329283, 0.043313], [0.069097, 0.919540, 0.011362], [0.016391, 0.088013, 0.895595]])
PEER = """[Exposure]
Auto=false
HistogramMatching=false
[HLRecovery]
Enabled=false
[PostDemosaicSharpening]
Enabled=true
AutoContrast=true
AutoRadius=true
[Color Management]
ToneCurve=false
OutputProfile=RTv4_Rec2020
[RAW]
CA=false
[RAW Bayer]
Method=amaze
[White Balance]
Setting=Camera
"""
LINEAR = "--boost-amount 0 --no-gamut-mapping --baseline-exposure 0 --no-highlight-recovery"


def distance(height, width, angle):
    slope = math.tan(math.radians(angle))
    y, x = np.mgrid[0:height, 0:width]
    return (x - width / 2 - (y - height / 2) * slope) * math.cos(math.radians(angle))


def edge(sigma, low=0.05, high=0.8, angle=5.0):
    """Rows x columns x 3 of a neutral edge."""
    erf = np.vectorize(math.erf)
    light = low + (high - low) * 0.5 * (1 + erf(distance(SIZE, SIZE, angle) / (sigma * 2**0.5)))
    return np.repeat(light[..., None], 3, axis=2)


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
        [args.rawdev, "develop", str(raw), "-o", str(out), "--format", "tiff-float", "--overwrite",
         *options],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return read_picture(out)


def peer(raw, out):
    """RawTherapee's picture; RTv4_Rec2020 has the curve of sRGB."""
    profile = raw.with_suffix(".pp3")
    profile.write_text(PEER)
    subprocess.run(
        ["rawtherapee-cli", "-q", "-Y", "-p", profile, "-b16", "-t", "-o", out, "-c", raw],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return read_picture(out, srgb=True)


def developed(args, light, speed, measured, seed=20):
    """What `measured` finds in the pictures of each amount, and of the peer, by name."""
    cfa, neutral = FILTERS[args.cfa], NEUTRALS["tinted"]
    shot = speed / 100 / ELECTRONS
    with tempfile.TemporaryDirectory() as folder:
        raw, out = pathlib.Path(folder) / "a.dng", pathlib.Path(folder) / "a.tif"
        mosaic = noisy_mosaic(light, cfa, neutral, shot, (READ_ELECTRONS * shot) ** 2, seed)
        write_dng(raw, mosaic, cfa, neutral)
        found = {name: measured(develop(args, raw, out, amount))
                 for name, amount in (("off", 0), ("default", None), ("full", 1))}
        if args.has_peer:
            found["RawTherapee"] = measured(peer(raw, out))
    return found


def check_photos(args):
    from PIL import Image
    from scipy.ndimage import gaussian_filter1d

    def distance_of(truth):
        def measured(picture):
            rows, columns = (have - got for have, got in zip(truth.shape, picture.shape[:2]))
            part = truth[rows // 2:, columns // 2:][:picture.shape[0], :picture.shape[1]]
            level = np.median(part[..., 1]) / np.median(picture[..., 1])
            return cpsnr(picture * level, part)
        return measured

    failures = 0
    paths = sorted(pathlib.Path(args.photos).glob("*.webp"))[::4]
    for sigma in (0.6, 0.8):
        for speed in SPEEDS[:2]:
            found = []
            for seed, path in enumerate(paths):
                codes = np.asarray(Image.open(path).convert("RGB")) / 255
                linear = np.where(codes <= 0.04045, codes / 12.92, ((codes + 0.055) / 1.055) ** 2.4)
                height, width = (side // 2 * 2 for side in linear.shape[:2])
                truth = linear[:height, :width] @ SRGB_TO_BT2020.T
                seen = gaussian_filter1d(gaussian_filter1d(truth, sigma, 0), sigma, 1)
                found.append(developed(args, seen, speed, distance_of(truth), seed))
            means = {name: float(np.mean([f[name] for f in found])) for name in found[0]}
            print(f"photographs, ISO {speed} sigma {sigma}: "
                  + "  ".join(f"{name} {mean:.2f} dB" for name, mean in means.items()), flush=True)
            if means["default"] < max(means["off"], means.get("RawTherapee", 0)):
                print("FAILED: the default is farther from the picture")
                failures += 1
    return failures


def check(args):
    failures = 0
    for speed in SPEEDS:
        for sigma in SIGMAS:
            found = developed(args, edge(sigma), speed, measure)
            for name, values in found.items():
                report(f"ISO {speed} sigma {sigma} {name}", values)
            sharp = found["default"]
            worse = max(sharp[i] - found["off"][i] for i in (1, 2))
            least = LEAST_GAIN * found["off"][0]
            if args.has_peer:
                least = max(least, LEAST_OF_PEER * found["RawTherapee"][0])
            if sharp[0] < least or worse > MOST_OVERSHOOT:
                print(f"FAILED: MTF50 below {least:.3f}, or {100 * worse:.1f} % more overshoot")
                failures += 1
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pictures", nargs="*")
    parser.add_argument("--angle", type=float, default=5.0)
    parser.add_argument("--rawdev", help="the rawdev binary")
    parser.add_argument("--option", default="--sharpness-amount")
    parser.add_argument("--cfa", choices=FILTERS, default="bayer")
    parser.add_argument("--photos", help="folder of sharp pictures in sRGB, in WebP")
    args = parser.parse_args()
    args.has_peer = args.cfa == "bayer" and shutil.which("rawtherapee-cli") is not None
    if not args.pictures and not args.rawdev:
        parser.error("give pictures, or --rawdev")
    for path in args.pictures:
        report(path, measure(read_picture(path), args.angle))
    failures = check(args) if args.rawdev else 0
    if args.rawdev and args.photos:
        failures += check_photos(args)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
