#!/usr/bin/env python3
"""Measures reconstructed highlights against scenes whose truth is known, beside RawTherapee and
darktable.

  highlight_quality.py --rawdev PATH [--keep FOLDER]

Scenes of lamps, a sky with a sun, a window behind leaves, and glossy skin, lit by lights of 2,500
to 12,000 K, are recorded behind an RGGB filter with noise, so that channels saturate, and written
as DNGs whose camera space is BT.2020 times the white. The white in use is that of the light, or
daylight where the light is a lamp or shade; in the rows "moved" rawdev gets a file that says 5500 K
and the white in use by option, the others a file that says the white in use. Every program develops
to linear BT.2020 in floating point, RawTherapee by its color reconstructions (inpaint opposed and
color propagation), darktable by its default (inpaint opposed). One factor is fitted where nothing
is saturated. Where a channel is saturated and another is not, the table has the mean error of color
(stops of the channels relative to their sum) and of light (stops of the sum).
Fails where rawdev's color or light is not the best of a row. Packages: numpy, tifffile.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np
import tifffile

from denoise_quality import noisy_mosaic, write_dng

SIDE = 512
RESPONSE = np.array([0.5, 1, 0.625])
LIGHTS = [(5500, 5500), (3000, 3000), (2500, 2500), (8000, 8000), (12000, 12000), (2500, 5500),
          (12000, 5500)]
Y, X = np.mgrid[0:SIDE, 0:SIDE] / SIDE * 192


def light(kelvin):
    bands = np.array([600e-9, 540e-9, 460e-9])
    c = 1.4388e-2
    v = (np.exp(c / (bands * 5500)) - 1) / (np.exp(c / (bands * kelvin)) - 1)
    return v / v[1]


def glow(cx, cy, r):
    return np.exp(-((X - cx) ** 2 + (Y - cy) ** 2) / (2 * r * r))[..., None]


def lamps():
    return (2.5 * glow(45, 45, 9) + 1.8 * glow(140, 50, 15) + 1.4 * glow(70, 145, 22)
            + 0.25 * np.array([1.05, 1, 0.9]))


def sky():
    sun = 2.5 * np.exp(-np.hypot(X - 125, Y - 60) / 30)[..., None]
    blue = np.array([0.55, 0.75, 1]) * (0.6 + 0.5 * Y / 192)[..., None]
    branch = np.clip(6 * np.sin(X * 0.11 + Y * 0.07) * np.sin(Y * 0.09) - 4, 0, 1)[..., None]
    return (blue + sun) * (1 - branch) + branch * np.array([0.06, 0.09, 0.03])


def window():
    pane = (1.3 + 0.2 * np.sin(X * 0.4) * np.sin(Y * 0.33)) * (0.8 + 0.7 * X / 192)
    leaf = np.clip(2 * np.sin(X * 0.05 + 1) * np.sin(Y * 0.06) + 0.3, 0, 1)[..., None]
    return pane[..., None] * (1 - leaf) + leaf * np.array([0.18, 0.32, 0.06])


def skin():
    shade = 0.6 + 0.38 * np.cos((X - 95) / 40) * np.cos((Y - 95) / 45)
    gloss = 1.8 * (glow(75, 75, 7) + glow(115, 120, 11))
    return np.array([1, 0.68, 0.52]) * (1.1 * shade)[..., None] + gloss


def neutral(kelvin):
    value = RESPONSE * light(kelvin)
    return value / value.max()


def run(command, home):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True,
                          env={"HOME": str(home), "PATH": "/usr/local/bin:/usr/bin:/bin"})
    if done.returncode:
        raise SystemExit(f"{command[0]}: {done.stderr.strip() or done.stdout.strip()}")


def rawdev(binary, *options):
    def develop(raw, out, folder):
        run([binary, "develop", raw, "-o", out, "--format", "tiff-float", "--boost-amount", "0",
             "--baseline-exposure", "0", "--no-gamut-mapping", "--sharpness-amount", "0",
             "--luminance-noise-reduction-amount", "0", "--color-noise-reduction-amount", "0",
             "--overwrite", *options], folder)
    return develop


def rawtherapee(method):
    def develop(raw, out, folder):
        profile = folder / "highlights.pp3"
        profile.write_text("\n".join([
            "[HLRecovery]", "Enabled=true", f"Method={method}", "[Exposure]", "Compensation=-3",
            "[Color Management]", "InputProfile=(cameraICC)", "WorkingProfile=Rec2020",
            "OutputProfile=RTv4_Rec2020", "[RAW]", "CA=false"]))
        run(["rawtherapee-cli", "-Y", "-p", profile, "-o", out, "-t", "-b32", "-c", raw], folder)
    return develop


def darktable(raw, out, folder):
    out.unlink(missing_ok=True)
    run(["darktable-cli", raw, out, "--icc-type", "LIN_REC2020", "--core", "--configdir",
         folder / "dt", "--cachedir", folder / "dt", "--library", ":memory:", "--conf",
         "plugins/imageio/format/tiff/bpp=32", "--conf", "plugins/imageio/format/tiff/compress=0",
         "--conf", "plugins/darkroom/workflow=none", "--conf",
         "plugins/darkroom/chromatic-adaptation=legacy"], folder)


def linear(path):
    pixels = tifffile.imread(path)[..., :3].astype(np.float64)
    if "rawtherapee" in path.name:  # RTv4_Rec2020 has the curve of sRGB
        return np.where(pixels <= 0.03929, pixels * 0.07739,
                        (np.maximum(pixels, 0) * 0.94786 + 0.05214) ** 2.4)
    return pixels


def errors(found, truth, partly, free):
    def middle(picture):
        # Programs that cut a border cut the same on all sides.
        top, left = ((n - SIDE) // 2 + 16 for n in picture.shape[:2])
        return picture[top:top + SIDE - 32, left:left + SIDE - 32]
    found, truth, partly, free = (middle(p) for p in (found, truth, partly, free))
    found = np.maximum(found * np.median(truth[free].sum(1) / found[free].sum(1)), 1e-5)
    found, truth = found[partly], truth[partly]
    color = np.log2((found / found.sum(1, keepdims=True)) / (truth / truth.sum(1, keepdims=True)))
    return np.abs(color).mean(), np.abs(np.log2(found.sum(1) / truth.sum(1))).mean()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rawdev", required=True, type=pathlib.Path)
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the developed pictures")
    args = parser.parse_args()
    missing = [p for p in ("rawtherapee-cli", "darktable-cli") if not shutil.which(p)]
    if missing:
        print("MISSING, nothing was compared: " + ", ".join(missing))
        return 1
    folder = (args.keep or pathlib.Path(tempfile.mkdtemp())).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    binary = args.rawdev.resolve()
    peers = {"rawtherapee, opposed": rawtherapee("Coloropp"),
             "rawtherapee, propagation": rawtherapee("Color"), "darktable": darktable}
    print("| scene | light | white | rawdev | rawdev, moved | " + " | ".join(peers) + " |")
    print("|---" * (5 + len(peers)) + "|")
    good = True
    for scene in (lamps, sky, window, skin):
        for kelvin, used in LIGHTS:
            camera = scene() * RESPONSE * light(kelvin)
            said, moved = folder / "said.dng", folder / "moved.dng"
            mosaic = noisy_mosaic(camera, np.ones(3), 2e-5, 1e-6, 7)
            for path, kelvins in ((said, used), (moved, 5500)):
                write_dng(path, mosaic, neutral(kelvins))
            # The camera's space is BT.2020 divided by the white that the file says, so the white
            # in use has this chromaticity in the other file.
            truth = camera / neutral(used)
            saturated = (camera >= 0.985).sum(axis=2)
            partly, free = (saturated > 0) & (saturated < 3), camera.max(axis=2) < 0.8
            row = {}
            xy = chromaticity(neutral(used) / neutral(5500))
            runs = {"rawdev": (rawdev(binary), said),
                    "rawdev, moved": (rawdev(binary, "--neutral-chromaticity", xy), moved),
                    **{name: (develop, said) for name, develop in peers.items()}}
            for name, (develop, raw) in runs.items():
                out = folder / (name.replace(", ", "-").replace(" ", "-") + ".tif")
                develop(raw, out, folder)
                row[name] = errors(linear(out), truth, partly, free)
            print(f"| {scene.__name__} | {kelvin} K | {used} K | "
                  + " | ".join(f"{c:.3f} / {v:.3f}" for c, v in row.values()) + " |", flush=True)
            for i in (0, 1):
                good &= row["rawdev"][i] <= min(row[name][i] for name in peers)
    print("\n" + ("passed" if good else "FAILED"))
    return 0 if good else 1


def chromaticity(rgb):
    """CIE xy of a color in linear BT.2020."""
    xyz = np.array([[0.6369580, 0.1446169, 0.1688810], [0.2627002, 0.6779981, 0.0593017],
                    [0, 0.0280727, 1.0609851]]) @ rgb
    return f"{xyz[0] / xyz.sum():.5f},{xyz[1] / xyz.sum():.5f}"


if __name__ == "__main__":
    sys.exit(main())
