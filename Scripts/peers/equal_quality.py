#!/usr/bin/env python3
"""Finds the qualities at which rawdev and the peer of rawpy_heif.py code a raw, without noise
reduction and sharpening, as a PQ HEIF of the same PSNR of luma, and prints them as JSON.

usage: equal_quality.py RAWDEV RAW FOLDER [--decibels 60]

Each side is compared with the 10-bit codes that went into its encoder; the quality is the lowest
that reaches the decibels.
"""
import argparse
import bisect
import functools
import json
import pathlib
import subprocess
import sys

import numpy as np
import pillow_heif
import tifffile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LUMA = np.array([0.2627, 0.6780, 0.0593], np.float32)
BARE = ["--luminance-noise-reduction-amount", "0", "--color-noise-reduction-amount", "0",
        "--sharpness-amount", "0"]
STEPS = 48


def luma_psnr(heif, source):
    """PSNR in dB of luma between a 10-bit HEIF and 10-bit RGB codes (rows x columns x 3)."""
    decoded = np.asarray(pillow_heif.open_heif(str(heif), convert_hdr_to_8bit=False)) >> 6
    difference = decoded.astype(np.float32) @ LUMA - source.astype(np.float32) @ LUMA
    return 10 * np.log10(1023**2 / np.square(difference, dtype=np.float64).mean())


def run(*command):
    subprocess.run([str(word) for word in command], check=True, stdout=sys.stderr)


def lowest(qualities, decibels, measure):
    """The lowest quality that reaches the decibels, else the highest, and what it reaches."""
    measure = functools.cache(measure)
    index = bisect.bisect_left(qualities, decibels, key=measure)
    quality = qualities[min(index, len(qualities) - 1)]
    return {"quality": quality, "decibels": measure(quality)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rawdev")
    parser.add_argument("raw")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--decibels", type=float, default=60)
    args = parser.parse_args()
    light, heif, codes = (args.folder / name for name in ("q.tif", "q.heic", "q.npy"))
    develop = [args.rawdev, "develop", args.raw, "--overwrite", *BARE]
    run(*develop, "-o", light, "--format", "tiff", "--tiff-compression", "none", "--color-space",
        "bt2100-pq")
    source = tifffile.imread(light).astype(np.float32) * (1023 / 65535)

    def ours(quality):
        run(*develop, "-o", heif, "--format", "heif-pq", "--quality", quality)
        return luma_psnr(heif, source)

    def theirs(quality):
        run(sys.executable, ROOT / "Scripts/peers/rawpy_heif.py", args.raw, heif, "--quality",
            quality, "--source", codes)
        return luma_psnr(heif, np.load(codes))

    found = {
        "ours": lowest([step / STEPS for step in range(STEPS + 1)], args.decibels, ours),
        "theirs": lowest(list(range(50, 101)), args.decibels, theirs),
    }
    for path in (light, heif, codes):
        path.unlink()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
