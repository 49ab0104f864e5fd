#!/usr/bin/env python3
"""The HDR still that can be made without rawdev: rawpy (AHD), a PQ table, pillow-heif (x265
ultrafast, 10 bits, 4:2:0).

usage: rawpy_heif.py RAW OUT.heic [--quality 90] [--source OUT.npy]

--source also stores the PQ codes (10 bits) that went into the encoder, for a comparison.
"""
import argparse
import sys

import numpy as np
import pillow_heif
import rawpy


def pq_table():
    """10-bit PQ code of each linear 16-bit value, where 65535 is 203 cd/m2 x 4."""
    light = np.arange(65536) / 65535 * 4 * 203 / 10000
    m1, m2 = 2610 / 16384, 2523 / 4096 * 128
    c1, c2, c3 = 3424 / 4096, 2413 / 4096 * 32, 2392 / 4096 * 32
    y = light**m1
    return (np.round(((c1 + c2 * y) / (1 + c3 * y)) ** m2 * 1023)).astype(np.uint16)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("raw")
    parser.add_argument("heif")
    parser.add_argument("--quality", type=int, default=90)
    parser.add_argument("--source")
    args = parser.parse_args()
    with rawpy.imread(args.raw) as raw:
        linear = raw.postprocess(
            demosaic_algorithm=rawpy.DemosaicAlgorithm.AHD, use_camera_wb=True, output_bps=16,
            gamma=(1, 1), no_auto_bright=True, output_color=rawpy.ColorSpace.Rec2020)
    codes = pq_table()[linear]
    if args.source:
        np.save(args.source, codes)
    height, width = codes.shape[:2]
    codes <<= 6
    image = pillow_heif.from_bytes("RGB;16", (width, height), codes.data)
    pillow_heif.options.SAVE_HDR_TO_12_BIT = False
    image.save(
        args.heif, quality=args.quality, chroma=420, enc_params={"preset": "ultrafast"},
        color_primaries=9, transfer_characteristics=16, matrix_coefficients=9, full_range_flag=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
