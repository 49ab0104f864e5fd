"""Raws with known linear values, written without any code of the product."""
import numpy as np
import tifffile

SHORT, LONG, ASCII, BYTE, FLOAT, RATIONAL, SRATIONAL = 3, 4, 2, 1, 11, 5, 10
TO_XYZ = [1.716651, -0.355671, -0.253366, -0.666684, 1.616481, 0.015769, 0.01764, -0.042771,
          0.942103]  # from BT.2020


def tags(*own):
    """What tifffile writes beside the pixels."""
    return {"extratags": [(*tag, True) for tag in own], "metadata": None, "software": False}


def linear_dng(camera, white, *own):
    """Tags of a linear DNG of a camera whose colors are BT.2020."""
    matrix = [part for number in TO_XYZ for part in (round(number * 10**6), 10**6)]
    return {"photometric": 34892} | tags(
        (50706, BYTE, 4, b"\1\6\0\0"), (50707, BYTE, 4, b"\1\3\0\0"), (50708, ASCII, 0, camera),
        (50717, SHORT, 1, white), (50721, SRATIONAL, 9, matrix), (50728, RATIONAL, 3, [1] * 6),
        (50778, SHORT, 1, 21), *own)


def flat_dng(path, width, height, level, white):
    """An uncompressed 16-bit DNG of one gray."""
    pixels = np.full((height, width, 3), level, np.uint16)
    tifffile.imwrite(path, pixels, byteorder="<", **linear_dng("rawdev flat", white))


def auxiliary_dng(path, orientation, profile="Curve"):
    """A big-endian ProRAW-like DNG: a skin matte of 8 bits, a depth map of 16 at half the size, a
    profile. Returns both pictures and the profile's curve as stored."""
    rows, columns = np.mgrid[0:48, 0:64]
    skin = ((rows * 5 + columns * 3) % 256).astype(np.uint8)
    depth = (rows[:24, :32] * 2000 + columns[:24, :32] * 555).astype(np.uint16)
    curve = np.linspace(0, 1, 20, dtype=np.float32) ** np.tile([1, 1.5], 10)
    own = linear_dng(
        "rawdev test", 60000, (274, SHORT, 1, orientation), (50936, ASCII, 0, profile),
        (50940, FLOAT, 20, curve.tolist()), (51177, SHORT, 1, 1), (51178, RATIONAL, 1, [1, 2]),
        (51179, RATIONAL, 1, [5, 1]), (51180, SHORT, 1, 1))
    name = "urn:com:apple:photo:2019:aux:semanticskinmatte"
    with tifffile.TiffWriter(path, byteorder=">") as file:
        file.write(np.full((48, 64, 3), 20000, np.uint16), subifds=2, **own)
        # tifffile knows no such NewSubfileType and takes it as a further tag only.
        file.write(skin, photometric=52527, **tags((254, LONG, 1, 65540), (52526, ASCII, 0, name)))
        file.write(depth, photometric=51177, **tags((254, LONG, 1, 8)))
    return skin, depth, curve
