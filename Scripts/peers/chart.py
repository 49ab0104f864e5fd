#!/usr/bin/env python3
"""Measures colour on a photographed 24-patch chart, beside darktable, RawTherapee and LibRaw.

  chart.py --rawdev PATH --file FILE [--corners X,Y X,Y X,Y X,Y] [--overlay PNG] [--patches]
           [--reference before|after|babelcolor] [--keep FOLDER] [--camera-profile DCP]

Each program develops the raw in its default look, rawdev in the look `faithful` too, which is the
one that is compared, and in its most colorimetric mode, for the white that the file states and for
the one that the chart shows: a copy of the DNG whose AsShotNeutral is the color of the gray patches
N8, N6.5 and N5 in LibRaw's unbalanced picture, so that no program's way of setting a white takes
part. Patches are means of the middle half of the values of a block, in each channel, at positions
given by the centers of the four corner patches; programs that crop are registered by phase
correlation. Embedded profiles (matrix and curve) lead to XYZ under D50; there one exposure factor
is fitted, by the smallest mean CIEDE2000 against the published values.

Columns, all means of 24 patches: exposure only, the one that is compared; with a white fitted too
(Bradford, from the three gray patches); with that and a plane of light in stops fitted to the
luminances of all patches; with the veil removed that bright windows behind the chart lay over it
(a line through the gray row); with a white and the tone of the gray row fitted, which leaves what a
look does to colors; with the tone alone fitted to all patches, by a monotone curve of luminance
through the gray row that keeps chromaticities: the floor of such curves, be they a look's or ours.
The chart is a ColorChecker Passport; --reference picks among the published sets.

Fails unless rawdev's mean is the lowest in every table. With --camera-profile each table has two
more rows, rawdev and RawTherapee with this profile (RawTherapee brings its own in dcpprofiles,
which the row without a file name uses by itself), and what must be lowest is rawdev with it, for
the white that the chart shows, in the colorimetric mode: programs on equal data. Packages: numpy,
tifffile, colour-science. Peers that are not installed are named and left out, and then it fails as
well.
"""

import argparse
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

import numpy as np
import tifffile

SETS = {"before": "ColorChecker24 - Before November 2014",
        "after": "ColorChecker24 - After November 2014", "babelcolor": "BabelColor Average"}
# Centers of dark skin, bluish green, white and black; native pixels.
CORNERS = {"canonKissX4_colorchart.dng": [(715, 624), (1253, 614), (704, 930), (1258, 922)]}
HALF = 20
GRAYS = (19, 20, 21)
OURS, THEIRS = "rawdev, profile", "rawtherapee, profile"
D50 = np.array([0.9642, 1.0, 0.8249])
BRADFORD = np.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367],
                     [0.0389, -0.0685, 1.0296]])


# The programs: raw, output → None.

def run(command, folder, **more):
    environment = dict(os.environ, HOME=str(folder), **more)
    done = subprocess.run([str(c) for c in command], env=environment, capture_output=True,
                          text=True)
    if done.returncode:
        raise SystemExit(f"{command[0]}: {done.stderr.strip() or done.stdout.strip()}")


def rawdev(binary, *options):
    def develop(raw, out, folder):
        run([binary, "develop", raw, "-o", out, "--tiff-compression", "none", *options], folder)
    return develop


def libraw(*options):
    def develop(raw, out, folder):
        run(["dcraw_emu", "-T", *options, "-Z", out, raw], folder)
    return develop


def darktable(*settings):
    def develop(raw, out, folder):
        out.unlink(missing_ok=True)
        command = ["darktable-cli", raw, out, "--icc-type", "LIN_REC2020", "--core",
                   "--configdir", folder / "darktable", "--cachedir", folder / "darktable",
                   "--library", ":memory:", "--conf", "plugins/imageio/format/tiff/bpp=32",
                   "--conf", "plugins/imageio/format/tiff/compress=0"]
        for setting in settings:
            command += ["--conf", setting]
        run(command, folder)
    return develop


def rawtherapee(*options, color=()):
    def develop(raw, out, folder):
        profile = folder / "colour.pp3"
        profile.write_text("\n".join(["[Color Management]", "OutputProfile=RTv4_Rec2020", *color]))
        run(["rawtherapee-cli", "-Y", *options, "-p", profile, "-o", out, "-t", "-b16", "-c", raw],
            folder)
    return develop


def programs(binary, profile=None):
    """Class → program → how it develops."""
    none = "plugins/darkroom/workflow=none"
    groups = {
        "default": {
            "rawdev": rawdev(binary, "--format", "tiff", "--look", "faithful"),
            "rawdev, standard": rawdev(binary, "--format", "tiff"),
            "dcraw_emu": libraw("-6", "-w", "-o", "4"),
            "darktable": darktable(),
            "rawtherapee": rawtherapee("-d"),
        },
        "colorimetric": {
            "rawdev": rawdev(binary, "--format", "tiff-float", "--boost-amount", "0"),
            "dcraw_emu": libraw("-4", "-w", "-o", "4"),
            "darktable": darktable(none, "plugins/darkroom/chromatic-adaptation=modern"),
            "darktable, legacy white": darktable(
                none, "plugins/darkroom/chromatic-adaptation=legacy"),
            "rawtherapee": rawtherapee(),
            "rawtherapee, matrix": rawtherapee(color=["InputProfile=(camera)"]),
        },
    }
    if profile:
        given = ["--camera-profile", profile]
        color = [f"InputProfile=file:{profile}", "ToneCurve=false", "ApplyLookTable=false",
                 "ApplyHueSatMap=true"]
        groups["default"][OURS] = rawdev(
            binary, "--format", "tiff", "--look", "faithful", *given)
        groups["default"][THEIRS] = rawtherapee("-d", color=color[:1])
        groups["colorimetric"][OURS] = rawdev(
            binary, "--format", "tiff-float", "--boost-amount", "0", *given)
        groups["colorimetric"][THEIRS] = rawtherapee(color=color)
    return groups


# Reading their files.

def curve(data):
    """Function from code 0…1 to light, of an ICC curve."""
    kind = data[:4]
    if kind == b"curv":
        count = struct.unpack(">I", data[8:12])[0]
        if count == 0:
            return lambda x: x
        values = np.frombuffer(data, ">u2", count, 12)
        if count == 1:
            return lambda x: np.power(np.maximum(x, 0), values[0] / 256)
        return lambda x: np.interp(x, np.linspace(0, 1, count), values / 65535)
    form = struct.unpack(">H", data[8:10])[0]
    p = np.frombuffer(data, ">i4", (1, 3, 4, 5, 7)[form], 12) / 65536
    if form == 0:
        return lambda x: np.sign(x) * np.abs(x) ** p[0]
    if form not in (3, 4):
        raise SystemExit(f"ICC curve of form {form} is not read here")
    g, a, b, c, d, e, f = (*p, 0, 0)[:7]
    return lambda x: np.where(x >= d, np.maximum(a * x + b, 0) ** g + e, c * x + f)


def read(path):
    """XYZ under D50 by the file's profile."""
    with tifffile.TiffFile(path) as file:
        page = file.pages[0]
        pixels, profile = page.asarray()[..., :3], page.tags[34675].value
    scale = 1 if pixels.dtype.kind == "f" else np.iinfo(pixels.dtype).max
    pixels = pixels.astype(np.float64) / scale
    tags = {}
    for i in range(struct.unpack(">I", profile[128:132])[0]):
        name, start, count = struct.unpack(">4sII", profile[132 + 12 * i:144 + 12 * i])
        tags[name] = profile[start:start + count]
    matrix = np.stack([np.frombuffer(tags[c + b"XYZ"], ">i4", 3, 8) / 65536
                       for c in (b"r", b"g", b"b")], axis=1)
    matrix *= (D50 / matrix.sum(axis=1))[:, None]
    light = np.stack([curve(tags[c + b"TRC"])(pixels[..., i])
                      for i, c in enumerate((b"r", b"g", b"b"))], axis=-1)
    return light @ matrix.T


def shift(picture, onto):
    """Position of the pixel (0, 0) of `picture` in `onto`, in whole pixels."""
    def edges(p, shape):
        y = np.log(np.maximum(p[..., 1], 1e-4))
        y = np.hypot(*np.gradient(y))
        out = np.zeros(shape)
        out[:y.shape[0], :y.shape[1]] = y - y.mean()
        return np.fft.rfft2(out)
    shape = onto.shape[:2]
    cross = edges(onto, shape) * np.conj(edges(picture, shape))
    peak = np.fft.irfft2(cross / np.maximum(np.abs(cross), 1e-9) ** 0.5, shape)
    y, x = np.unravel_index(np.argmax(peak), shape)
    return (x - shape[1] if x > shape[1] // 2 else x, y - shape[0] if y > shape[0] // 2 else y)


def centers(corners):
    """The 24 centers, by the projective map of the four."""
    grid = [(0, 0), (5, 0), (0, 3), (5, 3)]
    rows, values = [], []
    for (u, v), (x, y) in zip(grid, corners):
        rows += [[u, v, 1, 0, 0, 0, -u * x, -v * x], [0, 0, 0, u, v, 1, -u * y, -v * y]]
        values += [x, y]
    h = np.append(np.linalg.solve(rows, values), 1).reshape(3, 3)
    points = np.array([(u, v, 1) for v in range(4) for u in range(6)]) @ h.T
    return points[:, :2] / points[:, 2:]


def patches(picture, places):
    """Mean of the middle half of the pixels, in each channel."""
    def mean(x, y):
        block = picture[y - HALF:y + HALF + 1, x - HALF:x + HALF + 1].reshape(-1, 3)
        block = np.sort(block, axis=0)
        quarter = len(block) // 4
        return block[quarter:-quarter].mean(axis=0)
    return np.array([mean(*np.round(p).astype(int)) for p in places])


# Comparing.

def lab(xyz):
    t = xyz / D50
    f = np.where(t > 216 / 24389, np.cbrt(t), (24389 / 27 * t + 16) / 116)
    return np.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]),
                     200 * (f[..., 1] - f[..., 2])], axis=-1)


def errors(xyz, wanted):
    from colour.difference import delta_E_CIE2000
    return delta_E_CIE2000(lab(xyz), lab(wanted))


def exposed(xyz, wanted):
    """Multiplied by the factor of the smallest mean error."""
    stops = np.log2(np.median(wanted[:, 1] / np.maximum(xyz[:, 1], 1e-9)))
    step = 0.25
    while step > 1e-4:
        tries = stops + step * np.arange(-8, 9)
        stops = tries[np.argmin([errors(xyz * 2**t, wanted).mean() for t in tries])]
        step /= 4
    return xyz * 2**stops


def whitened(xyz, wanted):
    """Adapted by Bradford so that the gray patches have the color that they should."""
    def cones(patches):
        grays = patches[list(GRAYS)]
        return BRADFORD @ (grays / grays[:, 1:2]).mean(axis=0)
    gains = cones(wanted) / cones(xyz)
    return xyz @ (np.linalg.inv(BRADFORD) @ np.diag(gains) @ BRADFORD).T


def evened(xyz, wanted, places):
    """Divided by a plane of light in stops, the one of least squares over all patches but black."""
    use = np.arange(24) != 23
    at = (places - places.mean(axis=0)) / 500
    stops = np.log2(np.maximum(xyz[:, 1], 1e-6) / wanted[:, 1])
    basis = np.column_stack([at, np.ones(24)])
    plane = np.linalg.lstsq(basis[use], stops[use], rcond=None)[0]
    return xyz / 2 ** (at @ plane[:2])[:, None], plane[:2]


def unveiled(xyz, wanted):
    """Without the constant light that a straight line through the gray row leaves at black, and
    whitened by its slope."""
    cones, aims = xyz @ BRADFORD.T, wanted @ BRADFORD.T
    for i in range(3):
        weight = 1 / aims[18:, i] ** 0.67
        basis = np.column_stack([aims[18:, i], np.ones(6)]) * weight[:, None]
        slope, veil = np.linalg.lstsq(basis, cones[18:, i] * weight, rcond=None)[0]
        cones[:, i] = (cones[:, i] - veil) / slope
    return cones @ np.linalg.inv(BRADFORD).T


def toned(xyz, wanted):
    """With the luminances of the gray row set to the wanted, others by interpolation in stops."""
    y, aim = np.log(np.maximum(xyz[:, 1], 1e-6)), np.log(wanted[18:, 1][::-1])
    own = y[18:][::-1]
    return xyz * np.exp(np.interp(y, own, aim - own))[:, None]


def curved(xyz, wanted):
    """Smallest mean error by a monotone curve of luminance with knots at the gray row."""
    y = np.log2(np.maximum(xyz[:, 1], 1e-6))
    knots, best = np.sort(y[18:]), np.log2(np.sort(wanted[18:, 1]))

    def through(heights):
        return xyz * 2 ** (np.interp(y, knots, heights) - y)[:, None]
    # One knot, and all from one on, up and down: otherwise steep parts would be stuck.
    moves = np.concatenate([np.eye(6), np.triu(np.ones((6, 6)))])
    step, low = 0.25, errors(through(best), wanted).mean()
    while step > 1e-3:
        tries = [best + move for move in step * np.concatenate([moves, -moves])]
        tries = [t for t in tries if (np.diff(t) >= 0).all()]
        means = [errors(through(t), wanted).mean() for t in tries]
        if min(means) < low - 1e-6:
            low, best = min(means), tries[np.argmin(means)]
        else:
            step /= 2
    return low


def with_neutral(raw, neutral, out):
    """A copy of a little-endian DNG with another AsShotNeutral."""
    data = bytearray(raw.read_bytes())
    start = struct.unpack_from("<I", data, 4)[0]
    for i in range(struct.unpack_from("<H", data, start)[0]):
        tag, kind, count, at = struct.unpack_from("<HHII", data, start + 2 + 12 * i)
        if (tag, kind, count) == (50728, 5, 3):
            for c, value in enumerate(neutral):
                struct.pack_into("<II", data, at + 8 * c, round(float(value) * 10**6), 10**6)
            out.write_bytes(data)
            return
    raise SystemExit(f"{raw}: no AsShotNeutral of three rationals in its first directory")


def overlay(picture, places, path):
    from PIL import Image, ImageDraw
    rgb = picture @ np.array([[3.1339, -0.9788, 0.0720], [-1.6169, 1.9161, -0.2290],
                              [-0.4906, 0.0335, 1.4052]])
    rgb = np.clip(rgb / np.percentile(rgb, 99), 0, 1) ** (1 / 2.2)
    image = Image.fromarray((rgb * 255).astype(np.uint8))
    draw = ImageDraw.Draw(image)
    for x, y in places:
        draw.rectangle([x - HALF, y - HALF, x + HALF, y + HALF], outline="white")
    image.save(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rawdev", required=True, type=pathlib.Path)
    parser.add_argument("--file", required=True, type=pathlib.Path)
    parser.add_argument("--corners", nargs=4, help="centres of the corner patches")
    parser.add_argument("--reference", choices=SETS, default="before")
    parser.add_argument("--overlay", help="picture of where the patches were taken")
    parser.add_argument("--patches", action="store_true", help="print the error of each patch")
    parser.add_argument("--camera-profile", type=pathlib.Path, metavar="DCP",
                        help="compare rawdev and RawTherapee with this profile")
    parser.add_argument("--keep", help="folder for the developed pictures")
    args = parser.parse_args()
    if not args.file.exists():
        print(f"MISSING {args.file}: nothing was compared")
        return 1
    from colour import CCS_COLOURCHECKERS, xyY_to_XYZ
    chart = CCS_COLOURCHECKERS[SETS[args.reference]]
    names, wanted = list(chart.data), np.array([xyY_to_XYZ(v) for v in chart.data.values()])
    corners = ([tuple(map(float, c.split(","))) for c in args.corners] if args.corners
               else CORNERS.get(args.file.name))
    if corners is None:
        raise SystemExit("give --corners: where the patches lie in this file is not known")
    folder = pathlib.Path(args.keep or tempfile.mkdtemp()).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    binary = args.rawdev.resolve()
    profile = args.camera_profile and args.camera_profile.resolve()
    if profile and not profile.exists():
        print(f"MISSING {profile}: nothing was compared")
        return 1
    missing = [p for p in ("dcraw_emu", "darktable-cli", "rawtherapee-cli") if not shutil.which(p)]
    if missing:
        print("MISSING, left out: " + ", ".join(missing))

    # A copy of its own, because some programs write beside the raw.
    stated = folder / "stated.dng"
    shutil.copyfile(args.file, stated)
    libraw("-4", "-o", "0", "-r", "1", "1", "1", "1")(stated, folder / "camera.tif", folder)
    places = centers(corners)
    camera = patches(tifffile.imread(folder / "camera.tif").astype(np.float64), places)
    neutral = camera[list(GRAYS)].sum(axis=0)
    neutral /= neutral.max()
    shown = folder / "shown.dng"
    with_neutral(stated, neutral, shown)
    print("AsShotNeutral of the grey patches: " + " ".join(f"{v:.4f}" for v in neutral))

    base, good = None, not missing
    for raw in (stated, shown):
        for kind, group in programs(binary, profile).items():
            print(f"\nwhite {raw.stem}, {kind}\n")
            print("| program | exposure | + white | + light | - veil | + tone | curve | median"
                  " | max | worst patches |")
            print("|---|---|---|---|---|---|---|---|---|---|")
            table = {}
            for name, develop in group.items():
                if any(m.startswith(name.split(",")[0]) for m in missing):
                    continue
                out = folder / f"{raw.stem}-{kind}-{name.replace(', ', '-').replace(' ', '-')}.tif"
                develop(raw, out, folder)
                picture = read(out)
                if base is None:
                    base = picture
                    if args.overlay:
                        overlay(picture, places, args.overlay)
                moved = places - shift(picture, base)
                found = patches(picture, moved)
                plain = errors(exposed(found, wanted), wanted)
                white = whitened(found, wanted)
                fitted = errors(exposed(white, wanted), wanted)
                even, plane = evened(white, wanted, places)
                light = errors(exposed(even, wanted), wanted)
                clear = errors(exposed(unveiled(found, wanted), wanted), wanted).mean()
                tone = errors(exposed(toned(white, wanted), wanted), wanted).mean()
                floor = curved(found, wanted)
                table[name] = plain.mean()
                worst = np.argsort(-plain)[:3]
                print(f"| {name} | {plain.mean():.2f} | {fitted.mean():.2f} | {light.mean():.2f}"
                      f" | {clear:.2f} | {tone:.2f} | {floor:.2f} | {np.median(plain):.2f}"
                      f" | {plain.max():.2f} | "
                      + ", ".join(f"{names[i]} {plain[i]:.1f}" for i in worst) + " |", flush=True)
                if args.patches:
                    print("  light falls by %.2f stops right, %.2f down (500 pixels)"
                          % tuple(plane))
                    for i, patch in enumerate(names):
                        print(f"  {patch:16s} {plain[i]:5.2f} {fitted[i]:5.2f} {light[i]:5.2f}  "
                              + " ".join(f"{v:7.2f}" for v in
                                         lab(exposed(even, wanted))[i] - lab(wanted)[i]))
            ours = OURS if profile else "rawdev"
            lower = [name for name, mean in table.items()
                     if mean < table[ours] and not name.startswith("rawdev")]
            print("\n" + (f"lower than {ours}: " + ", ".join(lower) if lower
                          else f"{ours} is the lowest"))
            counts = not profile or (raw.stem, kind) == ("shown", "colorimetric")
            good &= not (lower and counts)
    print("\n" + ("passed" if good else "FAILED"))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
