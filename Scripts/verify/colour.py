#!/usr/bin/env python3
"""Compares scene-linear developments of camera raws with LibRaw's grid means; DNGs are compared by
dng-reference.

usage: colour.py RAWDEV SHARED    (SHARED holds raws/ with NAME.reference.json)

Means over 8 x 6 cells in linear BT.2020 against LibRaw's half-size development, in the cells in
which fewer than 0.01 % of the photosites reach 98 % of white (counted in the mosaic by rawpy).
Prints a Markdown table. Limit 2 % of the cell's largest channel; the column "strict" is relative to
the channel itself.
"""
import glob
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import tifffile

OPTIONS = ["--format", "tiff-float", "--boost-amount", "0", "--no-gamut-mapping",
           "--no-highlight-recovery", "--tiff-compression", "none", "--baseline-exposure", "0"]


def grid(picture):
    h, w = picture.shape[:2]
    return np.array([[picture[i * h // 6:(i + 1) * h // 6, j * w // 8:(j + 1) * w // 8]
                      .mean(axis=(0, 1)) for j in range(8)] for i in range(6)])


def unclipped(path, flip):
    """Which cells of the upright picture hold next to no saturated photosites."""
    import rawpy
    with rawpy.imread(path) as raw:
        full = raw.raw_image_visible >= 0.98 * raw.white_level
    full = {0: full, 3: full[::-1, ::-1], 5: np.rot90(full), 6: np.rot90(full, -1)}[flip]
    return grid(full.astype(np.float64)[..., None])[..., 0] < 1e-4


def compare(rawdev, path, doc):
    """A row of the table, and whether the file is as it should be."""
    name = os.path.basename(path)
    with tempfile.TemporaryDirectory() as folder:
        out = folder + "/x.tif"
        subprocess.run([rawdev, "develop", path, "-o", out, *OPTIONS], check=True,
                       capture_output=True)
        picture = tifffile.imread(out).astype(np.float64)
    # LibRaw's scale has the largest multiplier at 1.
    white = doc["camera_whitebalance"][:3]
    wanted = np.array(doc["development"]["grid"]) * max(white) / min(white)
    use = unclipped(path, doc["sizes"]["flip"])
    got = grid(picture)
    difference = np.abs(got - wanted)
    small = difference <= 5e-4
    strict = np.where(small, 0, difference / np.maximum(np.abs(wanted), 1e-9))[use].max()
    cell = np.where(small, 0, difference / np.maximum(
        np.abs(wanted).max(axis=2, keepdims=True), 1e-9))[use].max()
    mean = np.abs(got[use].mean(axis=0) / wanted[use].mean(axis=0) - 1).max()
    sizes = (doc["development"]["width"] * 2, doc["development"]["height"] * 2)
    good = mean <= 0.02 and cell <= 0.02 and max(
        abs(picture.shape[1] - sizes[0]), abs(picture.shape[0] - sizes[1])) <= 1
    return (f"| {name} | {mean * 100:.3f} % | {cell * 100:.2f} % | {strict * 100:.2f} %"
            f" | {use.sum()} | {'' if good else '**MISSES**'} |"), good


def main():
    rawdev, shared = sys.argv[1:3]
    good, count = True, 0
    print("| file | mean | worst cell | strict | cells | remarks |")
    print("|---|---|---|---|---|---|")
    for path in sorted(glob.glob(shared + "/raws/*")):
        reference = os.path.splitext(path)[0] + ".reference.json"
        if path.endswith(".json") or not os.path.exists(reference):
            continue
        doc = json.load(open(reference))
        if "development" not in doc:
            continue
        row, is_good = compare(rawdev, path, doc)
        print(row, flush=True)
        good &= is_good
        count += 1
    if not count:
        print("MISSING ../shared: nothing was compared")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
