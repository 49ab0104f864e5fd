#!/usr/bin/env python3
"""Turns a developed picture into a mosaic whose demosaic can be compared with the picture itself.

  remosaic.py PICTURE OUT.dng [--cfa bayer|xtrans] [--srgb] [--truth OUT.ppm] [--generator PATH]

PICTURE is a TIFF (float or 16 bit) or PPM of linear BT.2020 values, 1.0 = white, e.g. from
  rawdev develop RAW --scale-factor 0.25 --format tiff-float NEUTRAL
with the options below. Developing at a quarter of the size averages the filters away, so each pixel
of the picture is true in all three channels. --srgb takes an sRGB-encoded picture instead (test
images); its primaries do not matter for the comparison. Needs numpy and tifffile; make-fixtures
writes the DNG.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

# Linear light of the camera: no tone curve, nothing reduced, sharpened or corrected.
NEUTRAL = ["--boost-amount", "0", "--no-gamut-mapping", "--luminance-noise-reduction-amount", "0",
           "--color-noise-reduction-amount", "0", "--sharpness-amount", "0",
           "--output-sharpening", "none", "--no-lens-correction",
           "--no-lateral-color-correction"]


def read_ppm(path):
    data = pathlib.Path(path).read_bytes()
    fields, position = [], 0
    while len(fields) < 4:
        end = position
        while data[end : end + 1] not in (b" ", b"\n", b"\t", b"\r"):
            end += 1
        if data[position : position + 1] == b"#":
            end = data.index(b"\n", position)
        elif end > position:
            fields.append(data[position:end])
        position = end + 1
    width, height, peak = (int(f) for f in fields[1:])
    kind = ">u2" if peak > 255 else "u1"
    pixels = np.frombuffer(data, kind, width * height * 3, position)
    return pixels.reshape(height, width, 3).astype(np.float64) / peak


def read_picture(path, srgb=False):
    """Linear values, 1.0 = white, rows × columns × 3."""
    if str(path).lower().endswith((".tif", ".tiff")):
        import tifffile

        pixels = tifffile.imread(path)
        if pixels.ndim == 3 and pixels.shape[0] == 3 and pixels.shape[2] != 3:
            pixels = np.moveaxis(pixels, 0, 2)
        scale = 1.0 if pixels.dtype.kind == "f" else float(np.iinfo(pixels.dtype).max)
        pixels = pixels[..., :3].astype(np.float64) / scale
    elif str(path).lower().endswith((".ppm", ".pnm")):
        pixels = read_ppm(path)
    else:
        with tempfile.TemporaryDirectory() as folder:
            ppm = pathlib.Path(folder) / "picture.ppm"
            subprocess.run(["convert", str(path), "-depth", "16", str(ppm)], check=True)
            pixels = read_ppm(ppm)
    if srgb:
        pixels = np.where(pixels <= 0.04045, pixels / 12.92, ((pixels + 0.055) / 1.055) ** 2.4)
    return pixels


def write_ppm(path, pixels):
    """16-bit binary PPM of values in 0…1."""
    codes = np.round(np.clip(pixels, 0, 1) * 65535).astype(">u2")
    header = f"P6\n{codes.shape[1]} {codes.shape[0]}\n65535\n".encode()
    pathlib.Path(path).write_bytes(header + codes.tobytes())
    return codes.astype(np.float64) / 65535


def default_generator():
    root = pathlib.Path(__file__).resolve().parents[2]
    return str(root / ".build" / "release" / "make-fixtures")


def remosaic(pixels, path, cfa, generator, truth=None):
    """Writes the DNG; returns the values that it was made from."""
    with tempfile.TemporaryDirectory() as folder:
        ppm = truth or str(pathlib.Path(folder) / "truth.ppm")
        stored = write_ppm(ppm, pixels)
        subprocess.run(
            [generator, "remosaic", ppm, str(path), "--cfa", cfa],
            check=True,
            stdout=subprocess.DEVNULL,
        )
    return stored


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("picture")
    parser.add_argument("dng")
    parser.add_argument("--cfa", choices=["bayer", "xtrans"], default="bayer")
    parser.add_argument("--srgb", action="store_true")
    parser.add_argument("--truth")
    parser.add_argument("--generator", default=default_generator())
    args = parser.parse_args()
    remosaic(read_picture(args.picture, args.srgb), args.dng, args.cfa, args.generator, args.truth)
    return 0


if __name__ == "__main__":
    sys.exit(main())
