#!/usr/bin/env python3
"""Compares scene-linear developments with the reference renderer's grid means.

usage: colour.py RAWDEV SHARED    (SHARED holds raws/ and dng/ with NAME.reference.json)

For each file that decodes: means over 8 x 6 cells in linear BT.2020. DNGs are compared with Adobe's
reference renderer, clipped photosites as recorded, every cell; camera raws with LibRaw's half-size
development, cells in which fewer than 0.01 % of the photosites reach 98 % of white (counted in the
mosaic by rawpy). Prints a Markdown table.

Limits: DNG 0.5 % on the picture's mean, 2 % (or 5e-4) in each cell and channel; camera raws 2 %. The
reference demosaics bilinearly, which smears an edge on a cell's border into the next cell; so in
the cells of mosaics an error is taken relative to the cell's largest channel (the column "strict"
is relative to the channel itself). Fails when a file misses its limits without a note that says
what of it is not applied.
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
           "--no-highlight-recovery"]
VARIANTS = ["linear_bt2020_without_gain_table_map",
            "linear_bt2020_without_huesatmap_and_looktable", "linear_bt2020"]


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


def expected(doc, path):
    """Means, variant, cells that count, limit of the mean, whether the file is a mosaic."""
    if "development" in doc:  # LibRaw's scale has the largest multiplier at 1
        white = doc["camera_whitebalance"][:3]
        means = np.array(doc["development"]["grid"]) * max(white) / min(white)
        return means, "camera raw", unclipped(path, doc["sizes"]["flip"]), 0.02, True
    key = next(k for k in VARIANTS if k in doc)
    return (np.array(doc[key]["grid"]), key.replace("linear_bt2020", "").strip("_") or "-",
            np.ones((6, 8), bool), 0.005, doc.get("kind") == "CFA")


def compare(rawdev, path):
    """A row of the table, and whether the file is as it should be."""
    base, name = os.path.splitext(path)[0], os.path.basename(path)
    doc = json.load(open(base + ".reference.json"))
    with tempfile.TemporaryDirectory() as folder:
        out = folder + "/x.tif"
        command = [rawdev, "develop", path, "-o", out, *OPTIONS]
        if "development" in doc:
            command += ["--baseline-exposure", "0"]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode:
            reason = run.stderr.strip().splitlines()[-1].split(": ", 2)[-1].split(";")[0]
            return f"| {name} | refused: {reason} | | | | | |", True
        picture = tifffile.imread(out).astype(np.float64)
    wanted, variant, use, limit, is_mosaic = expected(doc, path)
    got = grid(picture)
    difference = np.abs(got - wanted)
    small = difference <= 5e-4
    strict = np.where(small, 0, difference / np.maximum(np.abs(wanted), 1e-9))[use].max()
    cell = np.where(small, 0, difference / np.maximum(
        np.abs(wanted).max(axis=2, keepdims=True), 1e-9))[use].max()
    mean = np.abs(got[use].mean(axis=0) / wanted[use].mean(axis=0) - 1).max()
    good = mean <= limit and (cell if is_mosaic else strict) <= 0.02
    reference = doc.get("development") or doc["linear_bt2020"]
    scale = 2 if variant == "camera raw" else 1
    sizes = (reference["width"] * scale, reference["height"] * scale)
    good &= max(abs(picture.shape[1] - sizes[0]), abs(picture.shape[0] - sizes[1])) <= scale - 1
    notes = [line.split("note: ", 1)[1] for line in run.stderr.splitlines() if "note: " in line]
    remark = "; ".join(["" if good else "**MISSES**"] + notes).strip("; ")
    return (f"| {name} | {variant} | {mean * 100:.3f} % | {cell * 100:.2f} % | {strict * 100:.2f} %"
            f" | {use.sum()} | {remark} |"), good or bool(notes)


def main():
    rawdev, shared = sys.argv[1:3]
    good, count = True, 0
    print("| file | variant | mean | worst cell | strict | cells | remarks |")
    print("|---|---|---|---|---|---|---|")
    for path in sorted(glob.glob(shared + "/raws/*") + glob.glob(shared + "/dng/*")):
        if path.endswith(".json"):
            continue
        row, is_good = compare(rawdev, path)
        print(row, flush=True)
        good &= is_good
        count += 1
    if not count:
        print("MISSING ../shared: nothing was compared")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
