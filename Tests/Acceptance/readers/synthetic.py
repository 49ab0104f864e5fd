"""Raws with known light, written without any code of the product."""
import struct

import numpy as np
import tifffile


def flat_dng(path, width, height, level, white):
    """An uncompressed 16-bit linear DNG of one grey in a camera whose colours are BT.2020."""
    xyz = [[1.7166511880, -0.3556707838, -0.2533662814], [-0.6666843518, 1.6164812366, 0.0157685458],
           [0.0176398574, -0.0427706133, 0.9421031212]]
    short, long, ascii_, byte, rational, srational = 3, 4, 2, 1, 5, 10
    ones = b"".join(struct.pack("<II", 1, 1) for _ in range(3))
    matrix = b"".join(struct.pack("<ii", round(v * 1e6), 10**6) for row in xyz for v in row)
    pixels = np.full((height, width, 3), level, "<u2").tobytes()
    fields = [(254, long, 1, 0), (256, long, 1, width), (257, long, 1, height),
              (258, short, 3, struct.pack("<HHH", 16, 16, 16)), (259, short, 1, 1),
              (262, short, 1, 34892), (271, ascii_, 7, b"rawdev\0"), (272, ascii_, 5, b"flat\0"),
              (273, long, 1, "pixels"), (274, short, 1, 1), (277, short, 1, 3),
              (278, long, 1, height), (279, long, 1, len(pixels)), (284, short, 1, 1),
              (50706, byte, 4, b"\1\4\0\0"), (50707, byte, 4, b"\1\4\0\0"),
              (50708, ascii_, 12, b"rawdev flat\0"), (50717, short, 1, white),
              (50721, srational, 9, matrix), (50728, rational, 3, ones), (50778, short, 1, 21)]
    extra_at = 8 + 2 + 12 * len(fields) + 4
    extra, entries = b"", b""
    total = sum((len(v) + 1) // 2 * 2 for *_, v in fields if isinstance(v, bytes) and len(v) > 4)
    for tag, kind, count, value in fields:
        if value == "pixels":
            value = extra_at + total
        if isinstance(value, bytes):
            if len(value) > 4:
                where = struct.pack("<I", extra_at + len(extra))
                extra += value + b"\0" * (len(value) % 2)
            else:
                where = value.ljust(4, b"\0")
        else:
            where = struct.pack("<H2x" if kind == short else "<I", value)
        entries += struct.pack("<HHI", tag, kind, count) + where
    path.write_bytes(b"II*\0\x08\0\0\0" + struct.pack("<H", len(fields)) + entries + b"\0" * 4
                     + extra + pixels)


def auxiliary_dng(path, orientation):
    """A big-endian ProRAW-like DNG by tifffile: a skin matte of 8 bits, a depth map of 16 at half the
    size, an opened profile. Returns both pictures as stored."""
    rows, columns = np.mgrid[0:48, 0:64]
    skin = ((rows * 5 + columns * 3) % 256).astype(np.uint8)
    depth = (rows[:24, :32] * 2000 + columns[:24, :32] * 555).astype(np.uint16)
    raw = np.full((48, 64, 3), 20000, np.uint16)
    curve = np.linspace(0, 1, 20, dtype=np.float32) ** np.tile([1, 1.5], 10)
    matrix = [v for row in [[17166, -3557, -2534], [-6667, 16165, 158], [176, -428, 9421]]
              for n in row for v in (n, 10000)]
    common = [(50706, 1, 4, bytes([1, 6, 0, 0]), True), (50707, 1, 4, bytes([1, 3, 0, 0]), True),
              (50708, 2, 0, "rawdev test", True), (274, 3, 1, orientation, True),
              (50721, 10, 9, matrix, True), (50728, 5, 3, [1] * 6, True),
              (50778, 3, 1, 21, True), (50717, 3, 1, 60000, True),
              (50936, 2, 0, "Curve", True), (50940, 11, 20, curve.tolist(), True),
              (51177, 3, 1, 1, True), (51178, 5, 1, [1, 2], True), (51179, 5, 1, [5, 1], True),
              (51180, 3, 1, 1, True)]
    name = "urn:com:apple:photo:2019:aux:semanticskinmatte"
    with tifffile.TiffWriter(path, byteorder=">") as file:
        plain = {"metadata": None, "software": False}
        file.write(raw, photometric=34892, subifds=2, extratags=common, **plain)
        # tifffile knows no such NewSubfileType and takes it as a further tag only.
        file.write(skin, photometric=52527,
                   extratags=[(254, 4, 1, 65540, True), (52526, 2, 0, name, True)], **plain)
        file.write(depth, photometric=51177, extratags=[(254, 4, 1, 8, True)], **plain)
    return skin, depth, curve
