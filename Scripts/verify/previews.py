#!/usr/bin/env python3
"""Compares the default look in standard range with the previews that cameras put into their raws.

usage: previews.py RAWDEV SHARED    (SHARED holds raws/)

Each raw with a preview is developed small to a Display P3 TIFF; picture and preview are averaged
over the same 24 x 16 boxes (turned alike) and compared: EV is log2 of the ratio of mean luminance,
dL* the difference of mean CIE L*. Prints a Markdown table; the last row is the median of |EV|.
Fails when the median exceeds 0.5 EV: a look is a choice, but not a stop away from the camera's.
"""
import glob
import io
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import numpy as np
import tifffile
from PIL import Image, ImageOps

import light

P3_LUMINANCE = np.array([0.2290, 0.6917, 0.0793])
SRGB_LUMINANCE = np.array([0.2126, 0.7152, 0.0722])


def preview(path):
    """The largest embedded JPEG, upright, None without one."""
    best = None
    for tag in ["JpgFromRaw", "PreviewImage", "OtherImage", "ThumbnailImage"]:
        data = subprocess.run(["exiftool", "-b", "-a", "-" + tag, path], capture_output=True).stdout
        try:
            picture = Image.open(io.BytesIO(data))
            picture.load()
        except (OSError, ValueError):
            continue
        if best is None or picture.width > best.width:
            best = picture
    if best is None or best.width < 100:
        return None
    own = best.getexif().get(274)
    if own is None:
        tags = subprocess.run(["exiftool", "-j", "-n", "-Orientation", path], capture_output=True)
        best.getexif()[274] = json.loads(tags.stdout)[0].get("Orientation", 1)
    return ImageOps.exif_transpose(best).convert("RGB")


def boxes(luminance):
    rows = np.array_split(luminance, 16, axis=0)
    return np.array([[part.mean() for part in np.array_split(row, 24, axis=1)] for row in rows])


def lightness(y):
    y = np.maximum(y, 0)
    return np.where(y > 216 / 24389, 116 * np.cbrt(y) - 16, y * 24389 / 27)


def main():
    rawdev, shared = sys.argv[1:3]
    stops = []
    print("| file | preview | baseline EV | EV | dL* | L* ours | L* preview | correlation |")
    print("|---|---|---|---|---|---|---|---|")
    for path in sorted(glob.glob(shared + "/raws/*")):
        if path.endswith(".json"):
            continue
        name, other = os.path.basename(path), preview(path)
        if other is None:
            print(f"| {name} | none | | | | | | |")
            continue
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "small.tif"
            run = subprocess.run(
                [rawdev, "develop", path, "-o", out, "--format", "tiff", "--tiff-compression",
                 "none", "--scale-factor", "0.125", "--json"], capture_output=True, text=True)
            if run.returncode:
                print(f"| {name} | {other.width}x{other.height} | refused: "
                      f"{run.stderr.strip().splitlines()[-1].split(': ', 2)[-1][:80]} | | | | | |")
                continue
            report = json.loads(run.stdout)
            ours = light.srgb_light(tifffile.imread(out) / 65535) @ P3_LUMINANCE
        theirs = light.srgb_light(np.asarray(other) / 255) @ SRGB_LUMINANCE
        a, b = boxes(ours), boxes(theirs)
        ev = np.log2(a.mean() / b.mean())
        la, lb = lightness(a).mean(), lightness(b).mean()
        stops.append(abs(ev))
        print(f"| {name} | {other.width}x{other.height} | {report['baselineExposure']:+.2f} | "
              f"{ev:+.2f} | {la - lb:+.1f} | {la:.1f} | {lb:.1f} | "
              f"{np.corrcoef(lightness(a).ravel(), lightness(b).ravel())[0, 1]:.3f} |")
    if not stops:
        print("MISSING ../shared: no raw with a preview was found")
        return 0
    middle = statistics.median(stops)
    print(f"| median of absolute EV | | | {middle:.2f} | | | | |")
    return 1 if middle > 0.5 else 0


if __name__ == "__main__":
    sys.exit(main())
