#!/usr/bin/env python3
"""Compares merged brackets with the truth: rawdev's and those of hdrmerge (Debian's package).

  bracket_merge.py --rawdev PATH --generator PATH [--width 1200] [--height 800]

Makes brackets of the terrace scene (make-fixtures bracket): from a tripod, shaken, shaken with a
ball that moves, and one noisy; merges each with both programs; develops ours, hdrmerge's DNG, the
middle frame and the noiseless truth to linear light by one recipe without noise reduction and
sharpening; and prints for each the error of pixels of known light below the range of the shortest
frame, relative to the light (median and root mean square over the pixels, in percent, after the
median ratio to the truth is taken out), with CPU seconds and peak memory. hdrmerge runs without a
display (QT_QPA_PLATFORM=offscreen). Fails where rawdev's error is larger than the middle frame's or
hdrmerge's. Needs numpy and tifffile.
"""
import argparse
import os
import pathlib
import shutil
import sys
import tempfile

import numpy as np
import tifffile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Tests/Acceptance"))
from support.cost import measured  # noqa: E402

LINEAR = ["--format", "tiff-float", "--boost-amount", "0", "--no-gamut-mapping",
          "--sharpness-amount", "0", "--luminance-noise-reduction-amount", "0",
          "--color-noise-reduction-amount", "0", "--no-lens-correction", "--overwrite", "-q"]
CASES = [("tripod", []), ("tripod, noisy", ["--noise", "1e-3"]), ("shaken", ["--shake", "5"]),
         ("shaken, a ball moves", ["--shake", "5", "--moves"])]


def cost(*command):
    """Runs a command; its CPU seconds and peak memory in MB."""
    found = measured(*command)
    if found.code:
        raise RuntimeError(f"{command[0]}: {found.errors[-500:]}")
    return found.cpu, found.megabytes


def errors(picture, truth):
    """Median and root mean square of the relative error, in percent, where light is known."""
    shown = np.zeros(truth.shape[:2], bool)
    shown[24:-24, 24:-24] = True
    shown &= (truth.min(axis=2) > 0.003) & (truth.max(axis=2) < 8)
    ratio = picture[shown] / truth[shown]
    ratio /= np.median(ratio)
    error = np.abs(ratio - 1)
    return 100 * np.median(error), 100 * np.sqrt(np.mean(np.minimum(error, 1) ** 2))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rawdev", required=True)
    parser.add_argument("--generator", required=True)
    parser.add_argument("--width", type=int, default=1200)
    parser.add_argument("--height", type=int, default=800)
    options = parser.parse_args()
    peer = shutil.which("hdrmerge")
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    failures = []
    print(f"{'bracket':22} {'program':10} {'median %':>9} {'RMS %':>7} {'CPU s':>7} {'MB':>6}")
    for name, arguments in CASES:
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            cost(options.generator, "bracket", folder, "--width", options.width, "--height",
                 options.height, "--truth", *arguments)
            frames = sorted(folder.glob("bracket-*.dng"))
            rows = {}
            truths = []
            for path in sorted(folder.glob("truth-*.dng")):
                cost(options.rawdev, "develop", path, "-o", path.with_suffix(".tif"), *LINEAR)
                truths.append(tifffile.imread(path.with_suffix(".tif")))
            rows["middle"] = cost(options.rawdev, "develop", frames[len(frames) // 2], "-o",
                                  folder / "middle.tif", *LINEAR)
            rows["rawdev"] = cost(options.rawdev, "merge", *frames, "-o", folder / "rawdev.tif",
                                  *LINEAR)
            if peer:
                merged = cost(peer, "-b", "32", "-p", "none", "--no-crop", "-o",
                              folder / "hdrmerge.dng", *frames)
                developed = cost(options.rawdev, "develop", folder / "hdrmerge.dng", "-o",
                                 folder / "hdrmerge.tif", *LINEAR)
                rows["hdrmerge"] = (merged[0] + developed[0], max(merged[1], developed[1]))
            found = {}
            for program, (seconds, memory) in rows.items():
                picture = tifffile.imread(folder / f"{program}.tif")
                if picture.shape != truths[0].shape:
                    print(f"{name:22} {program:10} has another size: {picture.shape}")
                    continue
                # Each program has a frame of its own that it puts the others on.
                found[program] = min(errors(picture, truth) for truth in truths)
                median, mean = found[program]
                print(f"{name:22} {program:10} {median:9.2f} {mean:7.2f} {seconds:7.2f} "
                      f"{memory:6.0f}")
            for other in ("middle", "hdrmerge"):
                if other in found and found["rawdev"][0] > found[other][0]:
                    failures.append(f"{name}: rawdev's error is larger than that of {other}")
    print("\n".join(failures) or "rawdev's errors are the smallest")
    return 1 if failures or not peer else 0


if __name__ == "__main__":
    sys.exit(main())
