"""Signals to light in float64, 1.0 = reference white (203 cd/m2): ITU-R BT.2100-2 tables 4 and 5,
IEC 61966-2-1. Written from the standards, not from the product."""
import numpy as np

WHITE = 203.0
LUMINANCE = np.array([0.2627, 0.6780, 0.0593])
M1, M2 = 2610 / 16384, 2523 / 4096 * 128
HLG_A = 0.17883277
HLG_B, HLG_C = 1 - 4 * HLG_A, 0.5 - HLG_A * np.log(4 * HLG_A)
C1, C2, C3 = 3424 / 4096, 2413 / 4096 * 32, 2392 / 4096 * 32


def pq_light(signal):
    p = np.clip(signal, 0, 1) ** (1 / M2)
    return 10000 / WHITE * (np.maximum(p - C1, 0) / (C2 - C3 * p)) ** (1 / M1)


def pq_signal(light):
    y = np.clip(np.asarray(light) * WHITE / 10000, 0, 1) ** M1
    return ((C1 + C2 * y) / (1 + C3 * y)) ** M2


def hlg_light(signal, peak=1000.0, gamma=1.2):
    """Light of the reference display: the OOTF of BT.2100 for its peak."""
    s = np.clip(signal, 0, 1)
    scene = np.where(s <= 0.5, s * s / 3, (np.exp((s - HLG_C) / HLG_A) + HLG_B) / 12)
    luminance = (scene @ LUMINANCE)[..., None]
    return scene * luminance ** (gamma - 1) * peak / WHITE


def hlg_scene_of(light, peak=1000.0, gamma=1.2):
    """Scene light, 0...1 where HLG can hold it, of light on the reference display."""
    display = np.maximum(light, 0) * WHITE / peak
    luminance = np.maximum(display @ LUMINANCE, 1e-12)[..., None]
    return display * luminance ** ((1 - gamma) / gamma)


def hlg_signal(light):
    scene = np.clip(hlg_scene_of(light), 0, 1)
    bright = HLG_A * np.log(np.maximum(12 * scene - HLG_B, HLG_B)) + HLG_C
    return np.where(scene <= 1 / 12, np.sqrt(3 * scene), bright)


def srgb_light(signal):
    s = np.asarray(signal, np.float64)
    return np.where(s <= 0.04045, s / 12.92, ((s + 0.055) / 1.055) ** 2.4)


def srgb_signal(light):
    return np.where(light <= 0.0031308, 12.92 * light,
                    1.055 * np.maximum(light, 1e-9) ** (1 / 2.4) - 0.055)


def bt2020_light(signal):
    """The inverse of the camera's curve."""
    bent = ((signal + 0.0992968) / 1.0992968) ** (1 / 0.45)
    return np.where(signal < 0.0812428, signal / 4.5, bent)


def romm_light(signal):
    """ISO 22028-2."""
    return np.where(signal < 1 / 32, signal / 16, signal ** 1.8)


def blocks(picture, side=8):
    """Means over squares; what is left over at the right and below is dropped."""
    h, w = picture.shape[0] // side, picture.shape[1] // side
    cut = picture[:h * side, :w * side].reshape(h, side, w, side, -1)
    return cut.mean(axis=(1, 3))


def order(a, b):
    """Rank correlation of the lightness of two sets of colors."""
    ranks = [np.argsort(np.argsort(v @ [0.2126, 0.7152, 0.0722])) for v in (a, b)]
    return np.corrcoef(*ranks)[0, 1]


def cells(picture, rows, columns):
    """Means over a grid that covers the picture."""
    h, w = picture.shape[:2]
    down = [slice(i * h // rows, (i + 1) * h // rows) for i in range(rows)]
    across = [slice(i * w // columns, (i + 1) * w // columns) for i in range(columns)]
    return np.array([[picture[y, x].mean(axis=(0, 1)) for x in across] for y in down])
