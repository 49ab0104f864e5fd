"""Raws with known light, written without any code of the product."""
import numpy as np
import tifffile

SHORT, LONG, ASCII, BYTE, RATIONAL, SRATIONAL = 3, 4, 2, 1, 5, 10
PLAIN = {"metadata": None, "software": False}
# From BT.2020, with denominators.
TO_XYZ = [v for n in (1716651, -355671, -253366, -666684, 1616481, 15769, 17640, -42771, 942103)
          for v in (n, 10**6)]


def flat_dng(path, width, height, level, white):
    """An uncompressed 16-bit linear DNG of one gray in a camera whose colors are BT.2020."""
    tags = [(271, ASCII, 0, "rawdev"), (272, ASCII, 0, "flat"), (50706, BYTE, 4, b"\1\4\0\0"),
            (50707, BYTE, 4, b"\1\4\0\0"), (50708, ASCII, 0, "rawdev flat"),
            (50717, SHORT, 1, white), (50721, SRATIONAL, 9, TO_XYZ), (50728, RATIONAL, 3, [1] * 6),
            (50778, SHORT, 1, 21)]
    tifffile.imwrite(path, np.full((height, width, 3), level, np.uint16), byteorder="<",
                     photometric=34892, extratags=[(*tag, True) for tag in tags], **PLAIN)


def auxiliary_dng(path, orientation):
    """A big-endian ProRAW-like DNG: a skin matte of 8 bits, a depth map of 16 at half the size, a
    profile. Returns both pictures and the profile's curve as stored."""
    rows, columns = np.mgrid[0:48, 0:64]
    skin = ((rows * 5 + columns * 3) % 256).astype(np.uint8)
    depth = (rows[:24, :32] * 2000 + columns[:24, :32] * 555).astype(np.uint16)
    raw = np.full((48, 64, 3), 20000, np.uint16)
    curve = np.linspace(0, 1, 20, dtype=np.float32) ** np.tile([1, 1.5], 10)
    matrix = [v for row in [[17166, -3557, -2534], [-6667, 16165, 158], [176, -428, 9421]]
              for n in row for v in (n, 10000)]
    common = [(tag, kind, count, value, True) for tag, kind, count, value in [
        (50706, BYTE, 4, b"\1\6\0\0"), (50707, BYTE, 4, b"\1\3\0\0"),
        (50708, ASCII, 0, "rawdev test"), (274, SHORT, 1, orientation),
        (50721, SRATIONAL, 9, matrix), (50728, RATIONAL, 3, [1] * 6), (50778, SHORT, 1, 21),
        (50717, SHORT, 1, 60000), (50936, ASCII, 0, "Curve"), (50940, 11, 20, curve.tolist()),
        (51177, SHORT, 1, 1), (51178, RATIONAL, 1, [1, 2]), (51179, RATIONAL, 1, [5, 1]), (51180, SHORT, 1, 1)]]
    name = "urn:com:apple:photo:2019:aux:semanticskinmatte"
    with tifffile.TiffWriter(path, byteorder=">") as file:
        file.write(raw, photometric=34892, subifds=2, extratags=common, **PLAIN)
        # tifffile knows no such NewSubfileType and takes it as a further tag only.
        file.write(skin, photometric=52527,
                   extratags=[(254, LONG, 1, 65540, True), (52526, ASCII, 0, name, True)], **PLAIN)
        file.write(depth, photometric=51177, extratags=[(254, LONG, 1, 8, True)], **PLAIN)
    return skin, depth, curve
