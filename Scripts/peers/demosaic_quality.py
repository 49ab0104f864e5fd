#!/usr/bin/env python3
"""Compares demosaic results with the truth: CPSNR in dB of the sRGB-encoded pictures.

  demosaic_quality.py --rawdev PATH --shared SHARED
  demosaic_quality.py PICTURE... [--srgb] [--cfa bayer|xtrans] [--rawdev PATH] [--options "..."]

The first form takes its pictures from rawdev itself: the sharp raws of SHARED/raws developed to a
quarter of their size, where each pixel is true in all three channels, and the simulated scene. It
measures both kinds of filters and fails unless the mean beats LibRaw's AHD by 1 dB, DCB, AAHD, and
on X-Trans both of LibRaw's methods.

Each PICTURE (linear BT.2020 TIFF or PPM; any sRGB picture with --srgb) is put behind colour filters
by remosaic.py and developed by LibRaw's methods (through rawpy) and, with --rawdev, by rawdev. The
mosaic's camera space is the picture's own space and its neutral (1, 1, 1), so no colour conversion
takes part: rawpy gives raw colours, rawdev's BT.2020 output is the camera's RGB. The error is taken
after the sRGB curve on values clipped to 0…1, without rounding, 10 pixels from the edges; CPSNR is
10 log10(1 / mean over pixels and channels). LibRaw's X-Trans method (its VNG and AHD choices) is
Markesteijn with one and three passes, and it needs both sides to be at least 512.
"""

import argparse
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time

import numpy as np
import rawpy

from remosaic import NEUTRAL, default_generator, read_picture, remosaic

BAYER = ["AHD", "DCB", "AAHD", "VNG", "PPG", "DHT"]
XTRANS = ["VNG", "AHD"]
BORDER = 10


def encode(linear):
    x = np.clip(linear, 0, 1)
    return np.where(x <= 0.0031308, 12.92 * x, 1.055 * x ** (1 / 2.4) - 0.055)


def cpsnr(result, truth):
    if result.shape != truth.shape:
        raise SystemExit(f"sizes differ: {result.shape} and {truth.shape}")
    difference = (encode(result) - encode(truth))[BORDER:-BORDER, BORDER:-BORDER]
    return 10 * np.log10(1 / np.mean(difference**2))


def libraw(dng, method):
    with rawpy.imread(str(dng)) as raw:
        pixels = raw.postprocess(
            demosaic_algorithm=rawpy.DemosaicAlgorithm[method],
            output_color=rawpy.ColorSpace.raw,
            output_bps=16,
            gamma=(1, 1),
            no_auto_bright=True,
            no_auto_scale=True,
            adjust_maximum_thr=0,
            user_wb=[1, 1, 1, 1],
            user_black=0,
            user_sat=65535,
            user_flip=0,
        )
    return pixels.astype(np.float64) / 65535


def ours(dng, binary, options, folder):
    out = pathlib.Path(folder) / "ours.tif"
    command = [binary, "develop", str(dng), "--output", str(out), "--format", "tiff-float"]
    subprocess.run(command + shlex.split(options), check=True, stdout=subprocess.DEVNULL)
    return read_picture(out)


SHARP = ["canon30d_IMG_0848.CR2", "canonG10_plant_window.cr2", "canonKissX4_colorchart.dng",
         "derived_gopro_Fusion_GPFR7066.dng"]


def own_pictures(args, folder):
    """Quarter-size developments of the sharp raws, and the simulated scene."""
    pictures = []
    for name in SHARP:
        raw, out = pathlib.Path(args.shared) / "raws" / name, pathlib.Path(folder) / f"{name}.tif"
        if not raw.exists():
            print(f"MISSING ../shared: {name}")
            continue
        subprocess.run(
            [args.rawdev, "develop", raw, "-o", out, "--format", "tiff-float", "--scale-factor",
             "0.25", *NEUTRAL],
            check=True, capture_output=True)
        pictures.append(out)
    scene = pathlib.Path(folder) / "simulated scene.ppm"
    subprocess.run([args.generator, "truth", scene, "--peak", "4"], check=True, capture_output=True)
    return pictures + [scene]


def table(pictures, cfa, args):
    """Prints one row for each picture and returns the mean of each column."""
    methods = BAYER if cfa == "bayer" else XTRANS
    columns = (["ours"] if args.rawdev else []) + methods
    names = {"VNG": "1 pass", "AHD": "3 passes"} if cfa == "xtrans" else {}
    print(f"\n| {cfa} | " + " | ".join(names.get(c, c) for c in columns) + " |")
    print("|---" * (len(columns) + 1) + "|")
    rows, seconds = [], dict.fromkeys(columns, 0.0)
    for picture in pictures:
        with tempfile.TemporaryDirectory() as folder:
            dng = pathlib.Path(folder) / "mosaic.dng"
            source = read_picture(picture, args.srgb)
            if cfa == "xtrans" and min(source.shape[:2]) < 512:
                continue
            truth = remosaic(source, dng, cfa, args.generator)
            row = []
            for column in columns:
                start = time.perf_counter()
                if column == "ours":
                    result = ours(dng, args.rawdev, args.options, folder)
                else:
                    result = libraw(dng, column)
                seconds[column] += time.perf_counter() - start
                row.append(cpsnr(result, truth))
        rows.append(row)
        name = pathlib.Path(picture).name.removesuffix(".tif")
        print(f"| {name} | " + " | ".join(f"{v:.2f}" for v in row) + " |", flush=True)
    mean = dict(zip(columns, np.mean(rows, axis=0)))
    print("| **mean** | " + " | ".join(f"**{mean[c]:.2f}**" for c in columns) + " |")
    print("| seconds | " + " | ".join(f"{seconds[c]:.1f}" for c in columns) + " |")
    return mean


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pictures", nargs="*")
    parser.add_argument("--shared", help="folder with raws/, for the first form")
    parser.add_argument("--srgb", action="store_true", help="pictures are sRGB-encoded")
    parser.add_argument("--cfa", choices=["bayer", "xtrans"], help="only one kind of filters")
    parser.add_argument("--rawdev", help="the rawdev binary; without it only LibRaw is measured")
    parser.add_argument("--generator", default=default_generator())
    parser.add_argument(
        "--options",
        default="--boost-amount 0 --baseline-exposure 0 --no-gamut-mapping --no-highlight-recovery"
        " --luminance-noise-reduction-amount 0 --color-noise-reduction-amount 0"
        " --sharpness-amount 0",
        help="rawdev options that leave everything but the demosaic out",
    )
    args = parser.parse_args()
    if not args.pictures and not (args.shared and args.rawdev):
        parser.error("give pictures, or --rawdev and --shared")
    good = True
    with tempfile.TemporaryDirectory() as folder:
        pictures = args.pictures or own_pictures(args, folder)
        for cfa in [args.cfa] if args.cfa else ["bayer", "xtrans"]:
            mean = table(pictures, cfa, args)
            if "ours" in mean and cfa == "bayer":
                good &= mean["ours"] >= mean["AHD"] + 1
                good &= mean["ours"] > max(mean["DCB"], mean["AAHD"])
            elif "ours" in mean:
                good &= mean["ours"] > max(mean[m] for m in XTRANS)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
