"""Looks, tone and finish judged by programs and formulas that are not ours."""
import numpy as np
import pytest
from tifffile import imread

from support.checks import check, near, same
from support.program import FIXTURES, attempt, run

FIXTURE = "sunset-linear"
SRGB = ["--tiff-space", "srgb", "--edr", "0"]


def film(red, green, blue):
    """A look without corners, of signals 0…1."""
    return red ** 0.9 * 0.9 + 0.06, green * 0.94 + 0.03, blue ** 1.1 * 0.8 + 0.1


def cube(path, side):
    axis = np.linspace(0, 1, side)
    blue, green, red = np.meshgrid(axis, axis, axis, indexing="ij")
    colors = np.stack(film(red, green, blue), axis=-1).reshape(-1, 3)
    path.write_text(f'TITLE "film"\nLUT_3D_SIZE {side}\n'
                    + "\n".join(" ".join(f"{v:.6f}" for v in color) for color in colors) + "\n")
    return path


def signals(session, *options):
    """An SDR rendition in sRGB, as signals 0…1."""
    return imread(session.develop(FIXTURE, "tiff", *SRGB, *options)[0]) / 65535


def inside(picture):
    """Pixels that gamut mapping and clipping leave alone."""
    return (picture.max(axis=2) < 0.95) & (picture.min(axis=2) > 0.4 * picture.max(axis=2) + 0.02)


def by_ffmpeg(picture, filters, *inputs):
    """16-bit pixels behind ffmpeg's filters."""
    height, width, _ = picture.shape
    data = np.round(picture * 65535).astype("<u2").tobytes()
    out = run("ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb48le", "-s",
              f"{width}x{height}", "-i", "-", *inputs, "-filter_complex", filters, "-f",
              "rawvideo", "-pix_fmt", "rgb48le", "-", input=data)
    return np.frombuffer(out, "<u2").reshape(picture.shape) / 65535


def test_cube_by_ffmpeg(session, tmp):
    """A .cube file does what ffmpeg's tetrahedral lookup does."""
    look = cube(tmp / "film.cube", 17)
    plain, looked = signals(session), signals(session, "--lut", look)
    expected = by_ffmpeg(plain, f"lut3d=file={look}:interp=tetrahedral")
    near("largest difference", np.abs(looked - expected)[inside(plain)].max(), 0, absolute=1e-4)
    check("it does something", np.abs(looked - plain).mean() > 0.01)
    half = signals(session, "--lut", look, "--lut-amount", "0.5")
    check("half is between", np.abs(half - plain).mean() < np.abs(looked - plain).mean())


def test_hald_by_ffmpeg(session, tmp):
    """A HaldCLUT, that ffmpeg made, does what ffmpeg does with it."""
    look = tmp / "film.png"
    run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "haldclutsrc=6", "-vf",
        "format=rgb48,curves=r='0/0.05 0.5/0.6 1/0.95':b='0/0.1 1/0.9'", "-frames:v", "1", look)
    plain, looked = signals(session), signals(session, "--lut", look)
    expected = by_ffmpeg(
        plain, "[0][1]haldclut=interp=tetrahedral", "-i", look)
    near("largest difference", np.abs(looked - expected)[inside(plain)].max(), 0, absolute=2e-4)


def test_point_curve(session):
    """A curve of all channels is met by grays, one of a channel by that channel."""
    plain = signals(session)
    red = signals(session, "--red-tone-curve", "0,0,1,0.5")
    same("green and blue of colors inside stay", True, bool(
        np.abs((red - plain)[inside(plain) & inside(red)][:, 2]).mean() < 0.02))
    check("red is lower", red[..., 0].mean() < plain[..., 0].mean())
    curve = signals(session, "--tone-curve", "0,0.1,1,0.9")
    grays = np.ptp(plain, axis=2) < 0.003
    grays &= plain.max(axis=2) < 0.99
    check("there are grays", grays.sum() > 10, int(grays.sum()))
    near("grays on the line", np.abs(curve - (0.1 + 0.8 * plain))[grays].max(), 0, absolute=0.006)


def test_black_and_white(session):
    for options in (["--black-and-white"], ["--saturation", "-1"]):
        picture = signals(session, *options)
        near(f"{options[0]}: channels", np.ptp(picture, axis=2).max(), 0, absolute=2e-4)


def test_vignette(session):
    """The corners lose two stops, the center none, on linear values; a crop has its own corners."""
    linear = ["--boost-amount", "0"]
    def values(*options):
        return imread(session.develop(FIXTURE, "tiff-float", *linear, *options)[0])
    plain, dark = values(), values("--vignette-amount", "-1")
    ratio = dark.sum(axis=2) / plain.sum(axis=2)
    height, width = ratio.shape
    near("center", ratio[height // 2, width // 2], 1, absolute=1e-3)
    for y, x in ((0, 0), (0, -1), (-1, 0), (-1, -1)):
        near("corner", ratio[y, x], 0.25, relative=0.02)
    crop = ["--crop", "50%,50%,50%,50%"]
    part = values(*crop, "--vignette-amount", "-1") / values(*crop)
    near("corner of the crop", part[0, 0, 1], 0.25, relative=0.03)


def test_grain(session):
    """The same by one seed, of no color, and of no mean."""
    options = ["--boost-amount", "0", "--grain-amount", "1", "--grain-size", "1"]
    def ratio(*more):
        grain = imread(session.develop(FIXTURE, "tiff-float", *options, *more)[0])
        plain = imread(session.develop(FIXTURE, "tiff-float", "--boost-amount", "0")[0])
        return np.log2(np.maximum(grain, 1e-6) / np.maximum(plain, 1e-6)), plain
    stops, plain = ratio("--grain-seed", "7")
    bright = (plain.min(axis=2) > 0.01) & (plain.max(axis=2) < 0.5 * plain.max())
    near("channels", np.ptp(stops[bright], axis=1).max(), 0, absolute=1e-3)
    near("mean stops", stops[bright].mean(), 0, absolute=0.02)
    check("deviation", 0.05 < stops[bright].std() < 0.6, float(stops[bright].std()))
    other, _ = ratio("--grain-seed", "8")
    check("another seed, another grain", np.abs(other - stops)[bright].mean() > 0.05)


@pytest.mark.parametrize("look", [
    ["--highlights", "1", "--whites", "1"], ["--saturation", "1", "--contrast", "1"],
    ["--highlight-luminance", "1", "--vignette-amount", "1"], ["--tone-curve", "0,0.2,0.5,1,1,1"]])
def test_headroom(session, look):
    """Nothing exceeds the headroom of the amount, and the midtones do not depend on it."""
    pictures = {}
    for amount in (0, 0.5, 1):
        path, report = session.develop(FIXTURE, "tiff-float", "--edr", amount, *look)
        pictures[amount] = imread(path)
        limit = report["fileHeadroom"] ** amount
        check(f"amount {amount}", pictures[amount].max() <= limit * 1.0001, limit)
    # Gamut mapping, which knows the headroom, may have brought brighter colors below gray.
    dark = pictures[0].max(axis=2) < 0.12
    near("midtones", np.abs(pictures[1] - pictures[0])[dark].max(), 0, absolute=1e-4)


def test_bad_looks(rawdev, tmp):
    """One line, exit 65 or 66, nothing written."""
    files = {"short.cube": b"LUT_3D_SIZE 2\n0 0 0\n", "none.cube": b"",
             "noise.cube": bytes(range(1, 250)) * 9, "size.cube": b"LUT_3D_SIZE 9999\n",
             "half.png": b"\x89PNG\r\n\x1a\n" + b"\0" * 9}
    for name, data in files.items():
        (tmp / name).write_bytes(data)
    for name, code in [(name, 65) for name in files] + [("missing.cube", 66)]:
        done = attempt(rawdev, "develop", FIXTURES / f"{FIXTURE}.dng", "-o", tmp / "x.heic",
                       "--lut", tmp / name)
        same(f"{name}: exit code and lines", (done.returncode, done.stderr.count("\n")), (code, 1))
        check(f"{name}: the file is named", name in done.stderr, done.stderr)
        check(f"{name}: nothing is written", not (tmp / "x.heic").exists())
