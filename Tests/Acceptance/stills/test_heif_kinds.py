"""AVIF in color matrices that lead through light, and sequences without a still: coded by avifenc
of libavif, which passes planes on as they are; against the formulas of H.273."""
import numpy as np
import pillow_heif
import pytest
import tifffile
from PIL import Image

from support.checks import check, near, same
from support.program import attempt, run

M1, M2 = 2610 / 16384, 2523 / 4096 * 128
C1, C2, C3 = 3424 / 4096, 2413 / 4096 * 32, 2392 / 4096 * 32
A, B, C = 0.17883277, 1 - 4 * 0.17883277, 0.5 - 0.17883277 * np.log(4 * 0.17883277)
ALPHA, BETA = 1.09929682680944, 0.018053968510807
CONES = np.array([[1688, 2146, 262], [683, 2951, 462], [99, 309, 3688]]) / 4096
ICTCP = {16: np.array([[2048, 2048, 0], [6610, -13613, 7003], [17933, -17390, -543]]) / 4096,
         18: np.array([[2048, 2048, 0], [3625, -7465, 3840], [9500, -9212, -288]]) / 4096}


def pq(light):
    y = light ** M1
    return ((C1 + C2 * y) / (1 + C3 * y)) ** M2


def hlg(light):
    logarithm = A * np.log(np.maximum(12 * light - B, 1e-9)) + C
    return np.where(light <= 1 / 12, np.sqrt(3 * light), logarithm)


def bt709(light):
    return np.where(light < BETA, 4.5 * light, ALPHA * light ** 0.45 - (ALPHA - 1))


CURVES = {16: pq, 18: hlg, 14: bt709}


def coded(light, matrix, transfer):
    """Luma, Cb and Cr as signals."""
    curve = CURVES[transfer]
    if matrix == 14:
        return curve(light @ CONES.T) @ ICTCP[transfer].T
    luma = curve(light @ np.array([0.2627, 0.6780, 0.0593]))
    blue, red = curve(light[..., 2]) - luma, curve(light[..., 0]) - luma
    spans = [np.where(part < 0, 2 * curve(np.array(1 - weight)), 2 - 2 * curve(np.array(weight)))
             for part, weight in ((blue, 0.0593), (red, 0.2627))]
    return np.stack([luma, blue / spans[0], red / spans[1]], -1)


@pytest.mark.parametrize("matrix, transfer", [(14, 16), (14, 18), (10, 14), (13, 14), (10, 16)])
def test_matrices(session, tmp, matrix, transfer):
    """Colors in 12 bits, without loss: what comes back is within the steps of codes."""
    rng = np.random.default_rng(4)
    light = rng.uniform(0.05, 0.9, (48, 64, 3)) * (0.2 if transfer == 16 else 1)
    ycc = coded(light, matrix, transfer)
    codes = np.round(16 * (ycc * [219, 224, 224] + [16, 128, 128])).astype("<u2")
    y4m = tmp / "a.y4m"
    y4m.write_bytes(b"YUV4MPEG2 W64 H48 F1:1 Ip C444p12 XYSCSS=444P12\nFRAME\n"
                    + codes.transpose(2, 0, 1).tobytes())
    path = tmp / "a.avif"
    run("avifenc", "--min", 0, "--max", 0, "-s", 6, "--cicp", f"9/{transfer}/{matrix}", "-r",
        "limited", "-d", 12, y4m, path)
    space = {16: "bt2100-pq", 18: "bt2100-hlg", 14: "bt2020"}[transfer]
    found = tifffile.imread(session.convert(path, "tiff", "--color-space", space)) / 65535
    wanted = CURVES[transfer](light)
    near("signals", np.abs(found.reshape(wanted.shape) - wanted).max(), 0, absolute=4e-3)
    near("in the mean", np.abs(found.reshape(wanted.shape) - wanted).mean(), 0, absolute=4e-4)


def test_sequences(session, rawdev, tmp):
    """The first of two pictures, when the tables of the still beside them are taken away."""
    for name, value in (("1", 60), ("2", 200)):
        Image.fromarray(np.full((48, 64, 3), value, np.uint8)).save(tmp / f"{name}.png")
    path = tmp / "both.avif"
    run("avifenc", tmp / "1.png", tmp / "2.png", path)
    data = bytearray(path.read_bytes())
    at = data.index(b"meta")
    data[at:at + 4] = b"free"
    bare = tmp / "bare.avif"
    bare.write_bytes(data)
    wanted = tifffile.imread(session.convert(path, "tiff"))
    same("first", np.array_equal(tifffile.imread(session.convert(bare, "tiff")), wanted), True)
    text = attempt(rawdev, "identify", bare).stdout
    check("said", "sequence of 2 pictures" in text, text)


def test_several_pictures(rawdev, tmp):
    """What is left out is said: other pictures of a file, and the rest of an animation that has a
    still; thumbnails, alpha and tiles are no pictures of their own."""
    image = Image.effect_noise((96, 64), 80).convert("RGB")
    file = pillow_heif.from_pillow(image)
    file.add_from_pillow(image.rotate(180))
    file.save(tmp / "two.heic", thumbnails=[48])
    image.save(tmp / "two.avif", save_all=True, append_images=[image.rotate(180)])
    transparent = image.copy()
    transparent.putalpha(128)
    pillow_heif.from_pillow(transparent).save(tmp / "one.heic", thumbnails=[48])
    for name, note in (("two.heic", "the file has 2 pictures; the primary one is read"),
                       ("two.avif", "the file is an animation; its still picture is read"),
                       ("one.heic", None)):
        done = attempt(rawdev, "convert", tmp / name, tmp / f"{name}.png", "--format", "png-sdr")
        same("exit code", done.returncode, 0)
        check(name, (note or "") in done.stderr and (note or "note" not in done.stderr),
              done.stderr)
