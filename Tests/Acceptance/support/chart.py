"""Photographs of a ColorChecker Classic by a camera of known colors, and what is needed to judge
them, in float64: published colors, CIE L*a*b*, the CIEDE2000 difference, camera profiles as bytes.
Written from the publications, not from the product."""
import pathlib
import struct

import numpy as np
import tifffile

from readers.synthetic import BYTE, RATIONAL, SHORT, SRATIONAL, ASCII, tags
from support.program import run

D50 = np.array([0.3457 / 0.3585, 1, (1 - 0.3457 - 0.3585) / 0.3585])
# L*a*b* under D50 of charts made since November 2014 (X-Rite, 2016), row by row.
LAB = np.array([
    [37.54, 14.37, 14.92], [64.66, 19.27, 17.50], [49.32, -3.82, -22.54], [43.46, -12.74, 22.72],
    [54.94, 9.61, -24.79], [70.48, -32.26, -0.37], [62.73, 35.83, 56.50], [39.43, 10.75, -45.17],
    [50.57, 48.64, 16.67], [30.10, 22.54, -20.87], [71.77, -24.13, 58.19], [71.51, 18.24, 67.37],
    [28.37, 15.42, -49.80], [54.38, -39.72, 32.27], [42.43, 51.05, 28.62], [81.80, 2.67, 80.41],
    [50.63, 51.28, -14.12], [49.57, -29.71, -28.32], [95.19, -1.03, 2.93], [81.29, -0.57, 0.44],
    [66.89, -0.75, -0.06], [50.76, -0.13, 0.14], [35.63, -0.46, -0.48], [20.64, 0.07, -0.46]])
# The true camera: white-balanced values to XYZ under D50, and its values of a perfect white.
FORWARD = np.array([[0.6500, 0.2500], [0.2400, 0.8500], [0.0200, -0.1800]])
FORWARD = np.column_stack([FORWARD, D50 - FORWARD.sum(axis=1)])
NEUTRAL = np.array([0.55, 1.0, 0.62])
# What its files say instead, XYZ to camera: an error that a profile is to take away.
DECLARED = [0.70, -0.10, -0.05, -0.50, 1.30, 0.22, -0.08, 0.20, 0.55]
SIZE, ORIGIN, PITCH = (640, 448), (130, 110), 76  # pixels; dark skin is at the origin
WHITE_LEVEL = 60000
# Linear BT.2020 under D65 to XYZ under D50, by Bradford's matrix.
BRADFORD = np.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367],
                     [0.0389, -0.0685, 1.0296]])


def xyz(lab):
    f = (lab[:, :1] + 16) / 116 + lab * 0
    f[:, 0] += lab[:, 1] / 500
    f[:, 2] -= lab[:, 2] / 200
    return np.where(f > 6 / 29, f**3, 3 * (6 / 29)**2 * (f - 4 / 29)) * D50


def lab(values):
    t = values / D50
    f = np.where(t > (6 / 29)**3, np.cbrt(t), t / (3 * (6 / 29)**2) + 4 / 29)
    return np.column_stack([116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]),
                            200 * (f[:, 1] - f[:, 2])])


def difference(one, two):
    """CIEDE2000 of rows of L*a*b* (Sharma, Wu, Dalal 2005)."""
    mean = (np.hypot(*one[:, 1:].T) + np.hypot(*two[:, 1:].T)) / 2
    g = 0.5 * (1 - np.sqrt(mean**7 / (mean**7 + 25**7)))
    chroma, hue = [], []
    for each in (one, two):
        a = (1 + g) * each[:, 1]
        chroma.append(np.hypot(a, each[:, 2]))
        hue.append(np.arctan2(each[:, 2], a) % (2 * np.pi))
    turn = (hue[1] - hue[0] + np.pi) % (2 * np.pi) - np.pi
    dl, dc = two[:, 0] - one[:, 0], chroma[1] - chroma[0]
    dh = 2 * np.sqrt(chroma[0] * chroma[1]) * np.sin(turn / 2)
    ml, mc, mh = (one[:, 0] + two[:, 0]) / 2, (chroma[0] + chroma[1]) / 2, hue[0] + turn / 2
    t = (1 - 0.17 * np.cos(mh - np.radians(30)) + 0.24 * np.cos(2 * mh)
         + 0.32 * np.cos(3 * mh + np.radians(6)) - 0.20 * np.cos(4 * mh - np.radians(63)))
    sl = 1 + 0.015 * (ml - 50)**2 / np.sqrt(20 + (ml - 50)**2)
    sc, sh = 1 + 0.045 * mc, 1 + 0.015 * mc * t
    away = (np.degrees(mh) % 360 - 275) / 25
    rotation = (-2 * np.sqrt(mc**7 / (mc**7 + 25**7))
                * np.sin(np.radians(60) * np.exp(-away**2)))
    l, c, h = dl / sl, dc / sc, dh / sh
    return np.sqrt(l**2 + c**2 + h**2 + rotation * c * h)


def from_bt2020(values):
    """XYZ under D50 of linear BT.2020."""
    corners = np.array([[0.708, 0.292], [0.170, 0.797], [0.131, 0.046]])
    columns = np.array([[x / y, 1, (1 - x - y) / y] for x, y in corners]).T
    d65 = np.array([0.3127 / 0.3290, 1, (1 - 0.3127 - 0.3290) / 0.3290])
    to_xyz = columns * np.linalg.solve(columns, d65)
    scale = np.diag((BRADFORD @ D50) / (BRADFORD @ d65))
    return values @ (np.linalg.inv(BRADFORD) @ scale @ BRADFORD @ to_xyz).T


def seen(colors):
    """Camera values, 1 for a perfect white in green, of XYZ under D50."""
    return colors @ np.linalg.inv(FORWARD).T * NEUTRAL


def place(patch):
    return ORIGIN[0] + patch % 6 * PITCH, ORIGIN[1] + patch // 6 * PITCH


def picture(kind="chart"):
    """Camera values of a photograph: `chart`, or `page`, which has the patches' colors in other
    places and sizes, so that no chart is in it."""
    colors = seen(xyz(LAB))
    pixels = np.full((SIZE[1], SIZE[0], 3), seen(0.3 * D50[None])[0])
    if kind == "page":
        for index, color in enumerate(colors[[1, 3, 6, 13, 20]]):
            pixels[60 + 70 * index:110 + 70 * index, 90:500] = color
        return pixels
    edge = int(0.8 * PITCH)
    pixels[ORIGIN[1] - edge:place(18)[1] + edge, ORIGIN[0] - edge:place(5)[0] + edge] = (
        seen(0.035 * D50[None])[0])
    for patch, color in enumerate(colors):
        (x, y), half = place(patch), int(0.43 * PITCH)
        pixels[y - half:y + half, x - half:x + half] = color
    return pixels


def photograph(path, kind="chart", light=0.7, camera="rawdev chart", declared=DECLARED,
               as_shot=(0.6, 1, 0.5), matrix=None, **exif):
    """An RGGB DNG; a perfect white's green is `light` of the white level; `exif` by exiftool's
    names."""
    seed = np.random.default_rng(len(pathlib.Path(path).name))
    values = picture(kind) * light
    if matrix is not None:
        values = values @ matrix.T
    mosaic = values[..., 1].copy()
    mosaic[::2, ::2], mosaic[1::2, 1::2] = values[::2, ::2, 0], values[1::2, 1::2, 2]
    noise = seed.normal(0, 1, mosaic.shape) * np.sqrt(mosaic * 2e-5)
    codes = np.clip((mosaic + noise) * WHITE_LEVEL + 0.5, 0, WHITE_LEVEL).astype(np.uint16)
    fractions = [part for number in declared for part in (round(number * 10**6), 10**6)]
    whites = [part for number in as_shot for part in (round(number * 10**6), 10**6)]
    tifffile.imwrite(path, codes, byteorder="<", photometric=32803, **tags(
        (33421, SHORT, 2, (2, 2)), (33422, BYTE, 4, b"\0\1\1\2"), (50706, BYTE, 4, b"\1\4\0\0"),
        (50707, BYTE, 4, b"\1\1\0\0"), (50708, ASCII, 0, camera), (50717, SHORT, 1, WHITE_LEVEL),
        (50721, SRATIONAL, 9, fractions), (50728, RATIONAL, 3, whites), (50778, SHORT, 1, 23)))
    if exif:
        run("exiftool", "-q", "-overwrite_original",
            *[f"-{name}={value}" for name, value in exif.items()], path)
    return path


def patches(pixels):
    """Means of the middles of a developed chart's patches."""
    found = []
    for patch in range(24):
        (x, y), half = place(patch), PITCH // 5
        found.append(pixels[y - half:y + half, x - half:x + half].astype(float).mean((0, 1)))
    return np.array(found)


def dcp(path):
    """Tags of a .dcp as numbers or text: DNG 1.7.1, chapter 6."""
    data = pathlib.Path(path).read_bytes()
    order, magic, start = struct.unpack_from("<2sHI", data)
    assert (order, magic) == (b"II", 0x4352), (order, magic)
    count, = struct.unpack_from("<H", data, start)
    found = {}
    for at in range(start + 2, start + 2 + 12 * count, 12):
        tag, kind, number = struct.unpack_from("<HHI", data, at)
        size = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 10: 8, 11: 4}[kind] * number
        where = at + 8 if size <= 4 else struct.unpack_from("<I", data, at + 8)[0]
        value = data[where:where + size]
        assert len(value) == size, (tag, size)
        if kind == 2:
            found[tag] = value.rstrip(b"\0").decode()
        elif kind in (5, 10):
            pairs = np.frombuffer(value, "<i4").reshape(-1, 2)
            found[tag] = pairs[:, 0] / pairs[:, 1]
        else:
            found[tag] = np.frombuffer(value, {1: "u1", 3: "<u2", 4: "<u4", 11: "<f4"}[kind])
    return found
