#!/usr/bin/env python3
"""Compares demosaic results with the truth: CPSNR in dB of the sRGB-encoded pictures.

  demosaic_quality.py PICTURE... [--srgb] [--cfa bayer|xtrans] [--rawdev PATH] [--options "..."]

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

from remosaic import default_generator, read_picture, remosaic

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


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pictures", nargs="+")
    parser.add_argument("--srgb", action="store_true", help="pictures are sRGB-encoded")
    parser.add_argument("--cfa", choices=["bayer", "xtrans"], default="bayer")
    parser.add_argument("--rawdev", help="the rawdev binary; without it only LibRaw is measured")
    parser.add_argument("--generator", default=default_generator())
    parser.add_argument(
        "--options",
        default="--boost-amount 0 --no-gamut-mapping --sharpness-amount 0"
        " --luminance-noise-reduction-amount 0 --color-noise-reduction-amount 0"
        " --moire-reduction-amount 0 --detail-amount 0 --contrast-amount 0",
        help="rawdev options that leave everything but the demosaic out",
    )
    args = parser.parse_args()
    methods = BAYER if args.cfa == "bayer" else XTRANS
    columns = (["ours"] if args.rawdev else []) + methods
    width = max(len(pathlib.Path(p).name) for p in args.pictures + ["mean"])
    print(" " * width + "".join(f"{c:>8}" for c in columns))
    table, seconds = [], dict.fromkeys(columns, 0.0)
    for picture in args.pictures:
        with tempfile.TemporaryDirectory() as folder:
            dng = pathlib.Path(folder) / "mosaic.dng"
            truth = remosaic(read_picture(picture, args.srgb), dng, args.cfa, args.generator)
            row = []
            for column in columns:
                start = time.perf_counter()
                if column == "ours":
                    result = ours(dng, args.rawdev, args.options, folder)
                else:
                    result = libraw(dng, column)
                seconds[column] += time.perf_counter() - start
                row.append(cpsnr(result, truth))
        table.append(row)
        print(f"{pathlib.Path(picture).name:<{width}}" + "".join(f"{v:8.2f}" for v in row))
    if len(table) > 1:
        mean = np.mean(table, axis=0)
        print(f"{'mean':<{width}}" + "".join(f"{v:8.2f}" for v in mean))
    print(f"{'seconds':<{width}}" + "".join(f"{seconds[c]:8.2f}" for c in columns))
    return 0


if __name__ == "__main__":
    sys.exit(main())
