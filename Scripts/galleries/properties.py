#!/usr/bin/env python3
"""Makes the pictures that Docs/gallery.md judges: crops of real raws with each property off and on.

  Scripts/gallery properties --out FOLDER [--rawdev PATH] [--shared SHARED] [--only NAME]

Writes FOLDER/NAME.png, off on the left and on on the right, for each entry: 8-bit sRGB, enlarged by
whole factors without smoothing. Nothing of SHARED may enter the repository, so neither do these.
Packages: numpy, tifffile, pillow (Scripts/install --for test).
"""

import argparse
import pathlib
import subprocess
import tempfile

import numpy as np
import tifffile
from PIL import Image

ROOT = pathlib.Path(__file__).resolve().parents[2]
QUIET = ["--luminance-noise-reduction-amount", "0", "--color-noise-reduction-amount", "0"]
SOFT = ["--sharpness-amount", "0"]
# Name, raw, centre as shares of width and height, side in pixels (0: whole), off, on.
ENTRIES = [
    ("luminance-noise", "canonG10_plant_window.cr2", (0.62, 0.60), 320,
     SOFT + ["--luminance-noise-reduction-amount", "0"], SOFT),
    ("color-noise", "canonKissX4_colorchart.dng", (0.25, 0.75), 240,
     SOFT + QUIET, SOFT + QUIET[:2]),
    ("noise-linear", "adobe_12_ImageStats_WeightedAverage.dng", (0.5, 0.5), 320,
     SOFT + QUIET, SOFT),
    ("despeckle", "canonG10_plant_window.cr2", (0.5, 0.3), 240,
     QUIET, QUIET + ["--despeckle-amount", "1"]),
    ("moire", "derived_hdrmerge_float16.dng", (0.65, 0.33), 320, [],
     ["--moire-reduction-amount", "1"]),
    ("sharpness", "canon30d_IMG_0848.CR2", (0.55, 0.56), 240, SOFT, []),
    ("sharpness-full", "derived_hdrmerge_float16.dng", (0.22, 0.5), 240, SOFT,
     ["--sharpness-amount", "1"]),
    ("detail", "canon30d_IMG_0848.CR2", (0.86, 0.36), 480, [], ["--detail-amount", "1.5"]),
    ("contrast", "derived_hdrmerge_float16.dng", (0.5, 0.5), 0, [], ["--contrast-amount", "1"]),
    ("local-tone", "canonG10_plant_window.cr2", (0.5, 0.5), 0, [],
     ["--local-tone-map-amount", "1"]),
    ("local-tone-hdr", "derived_hdrmerge_float16.dng", (0.5, 0.5), 0, [],
     ["--local-tone-map-amount", "1"]),
    ("lens", "canon30d_IMG_0848.CR2", (0.5, 0.5), 0, ["--no-lens-correction"], []),
    ("lens-gopro", "derived_gopro_Fusion_GPFR7066.dng", (0.5, 0.5), 0,
     ["--no-lens-correction"], []),
    ("highlights", "canonG10_plant_window.cr2", (0.5, 0.15), 640,
     ["--no-highlight-recovery", "--exposure", "-1"], ["--exposure", "-1"]),
    ("demosaic", "canonKissX4_colorchart.dng", (0.5, 0.65), 200,
     ["--demosaic-method", "fast"], ["--demosaic-method", "best"]),
    ("dual", "canonKissX4_colorchart.dng", (0.5, 0.65), 240,
     QUIET + ["--demosaic-method", "fast"], QUIET + ["--demosaic-method", "dual"]),
    ("highlights-down", "canonG10_plant_window.cr2", (0.5, 0.5), 0, [], ["--highlights=-1"]),
    ("shadows-up", "canonG10_plant_window.cr2", (0.5, 0.5), 0, [], ["--shadows", "1"]),
    ("contrast-up", "canon30d_IMG_0848.CR2", (0.5, 0.5), 0, [],
     ["--contrast", "1", "--highlights", "1", "--whites", "1"]),
    ("saturation", "canon30d_IMG_0848.CR2", (0.5, 0.5), 0, [], ["--saturation", "1"]),
    ("blue-luminance", "canon30d_IMG_0848.CR2", (0.37, 0.55), 400, [], ["--blue-luminance=-1"]),
    ("black-and-white", "canonG10_plant_window.cr2", (0.5, 0.5), 0, ["--black-and-white"],
     ["--black-and-white", "--green-gray", "1", "--yellow-gray", "1"]),
    ("grading", "canonG10_plant_window.cr2", (0.5, 0.5), 0, [],
     ["--shadow-hue", "220", "--shadow-saturation", "0.6", "--highlight-hue", "40",
      "--highlight-saturation", "0.6"]),
    ("vignette", "canonG10_plant_window.cr2", (0.5, 0.5), 0, [], ["--vignette-amount=-1"]),
    ("grain", "canon30d_IMG_0848.CR2", (0.37, 0.55), 400, [], ["--grain-amount", "0.6"]),
    ("white", "bmpcc_coffee.dng", (0.5, 0.5), 0, [], ["--auto-white-balance"]),
    ("output-sharpening", "canonG10_plant_window.cr2", (0.62, 0.6), 240,
     ["--scale-factor", "0.25", "--output-sharpening", "none"], ["--scale-factor", "0.25"]),
    ("lateral-color", "canonG10_plant_window.cr2", (0.3, 0.23), 240,
     ["--no-lateral-color-correction"], []),
    ("lateral-color-branches", "derived_hdrmerge_float16.dng", (0.85, 0.1), 240,
     ["--no-lateral-color-correction"], []),
    ("straighten", "canon30d_IMG_0848.CR2", (0.5, 0.72), 400, [], ["--straighten=-2"]),
    ("perspective", "canon30d_IMG_0848.CR2", (0.5, 0.5), 2000, [],
     ["--vertical-perspective", "10"]),
    ("lens-strengths", "canon30d_IMG_0848.CR2", (0.3, 0.8), 640,
     ["--lens-distortion-amount", "0"], []),
]


def develop(rawdev, raw, options, folder):
    out = pathlib.Path(folder) / "out.tif"
    subprocess.run([rawdev, "develop", str(raw), "-o", str(out), "--format", "tiff",
                    "--color-space", "srgb", "--tiff-compression", "none", *options], check=True,
                   stdout=subprocess.DEVNULL)
    return (tifffile.imread(out) >> 8).astype(np.uint8)


def crop(picture, center, side):
    height, width = picture.shape[:2]
    if side == 0:
        step = max(1, max(height, width) // 900)
        picture = picture[:height // step * step, :width // step * step].astype(np.float32)
        cells = picture.reshape(height // step, step, width // step, step, 3)
        return cells.mean(axis=(1, 3)).astype(np.uint8)
    left = min(max(int(width * center[0]) - side // 2, 0), max(width - side, 0))
    top = min(max(int(height * center[1]) - side // 2, 0), max(height - side, 0))
    part = picture[top:top + side, left:left + side]
    factor = max(1, 720 // side)
    return part.repeat(factor, axis=0).repeat(factor, axis=1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rawdev", default=ROOT / ".build/release/rawdev")
    parser.add_argument("--shared", type=pathlib.Path, default=ROOT.parent / "shared")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--only")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    for name, raw, center, side, off, on in ENTRIES:
        if args.only and args.only != name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            source = args.shared / "raws" / raw
            pair = [crop(develop(args.rawdev, source, options, folder), center, side)
                    for options in (off, on)]
        # A turned picture may be smaller.
        height, width = (min(picture.shape[axis] for picture in pair) for axis in (0, 1))
        pair = [picture[:height, :width] for picture in pair]
        gap = np.full((pair[0].shape[0], 8, 3), 255, np.uint8)
        Image.fromarray(np.concatenate([pair[0], gap, pair[1]], axis=1)).save(
            args.out / f"{name}.png")
        change = np.abs(pair[0].astype(int) - pair[1]).mean()
        print(f"{name}: {raw}, {' '.join(off) or 'default'} | {' '.join(on) or 'default'}: "
              f"mean change {change:.2f} codes", flush=True)


main()
