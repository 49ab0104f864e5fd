"""JPEG XL files that ask for too much: headers (ISO/IEC 18181-1 clause D) and containers."""
import struct

from hostile import xmp_bombs
from hostile.heif_file import box

SIGNATURE = box(b"JXL ", b"\r\n\x87\n") + box(b"ftyp", b"jxl ", bytes(4), b"jxl ")
# Fields of a header, numbers of so many bits. Upright, no own size, a preview of 2^12 and more.
PREVIEW = [(0, 1), (1, 1), (0, 3), (0, 1), (1, 1), (0, 1), (3, 2), (4095, 12), (0, 3), (3, 2),
           (4095, 12), (0, 1)]
# An animation of 2^30 ticks and loops.
MOTION = [(0, 1), (1, 1), (0, 3), (0, 1), (0, 1), (1, 1), (3, 2), (2**30 - 1, 30), (3, 2),
          (2**10 - 1, 10), (3, 2), (2**32 - 1, 32), (1, 1)]
# Depth of 8 bits, then 4096 and more further channels.
CHANNELS = [(0, 1), (0, 1), (0, 1), (0, 2), (1, 1), (3, 2), (4095, 12)]
# A profile of which there are 2^32 bytes follows the metadata.
PROFILE = [(0, 1), (0, 1), (0, 1), (0, 2), (1, 1), (0, 2), (1, 1), (0, 1), (1, 1)]


def codestream(width, height, *fields):
    """The signature, SizeHeader with 30 bits for each side, fields: lowest bits first."""
    value = at = 0
    sides = [(0, 1), (3, 2), (height - 1, 30), (0, 3), (3, 2), (width - 1, 30)]
    for number, count in [*sides, *fields]:
        value |= number << at
        at += count
    return b"\xff\x0a" + value.to_bytes(at // 8 + 1, "little")


def headers(stream):
    most, small, large = 1 << 30, (160, 107), (5000, 5000)
    for size in [(most, most), (most, 1), (65535, 65535), (20000, 20000), large]:
        start, allowed = codestream(*size, (1, 1)), 24 * 25 if size == large else 0
        for name, tail in [("no more", b""), ("zeros", bytes(50000)),
                           ("another picture", stream[4:])]:
            yield "size {} {} and {}".format(*size, name), start + tail, allowed
    for name, size, fields, tail in [
            ("preview of 5441 5441", small, PREVIEW, bytes(5000)),
            ("animation without end", small, MOTION, bytes(5000)),
            ("animation of 5000 5000", large, MOTION, bytes(5000)),
            ("4097 further channels", small, CHANNELS, bytes(5000)),
            ("4097 further channels of 5000 5000", large, CHANNELS, b"\xff" * 50000),
            ("profile of zeros", small, PROFILE, bytes(50000)),
            ("profile of ones", small, PROFILE, b"\xff" * 50000)]:
        yield name, codestream(*size, *fields) + tail
    yield "bytes of noise", b"\xff\x0a" + bytes((n * 167 + n // 256) & 255 for n in range(100000))


def pieces(parts):
    return b"".join(box(b"jxlp", struct.pack(">I", number), data) for number, data in parts)


def containers(stream):
    whole = box(b"jxlc", stream)
    for length in (0, 1, 7, 2**31, 2**32 - 1):
        yield f"box of size {length}", struct.pack(">I", length) + b"jxlc" + stream
    for length in (0, 15, 2**63, 2**64 - 1):
        for name, kind, rest in [("box", b"jxlc", stream), ("free", b"free", whole)]:
            start = struct.pack(">I4sQ", 1, kind, length)
            yield f"{name} of size {length} in 64 bits", start + rest
    yield "pieces of a byte", pieces((n, stream[n:n + 1]) for n in range(len(stream)))
    yield "pieces in disorder", pieces((n ^ 1, stream[1000 * n:1000 * n + 1000]) for n in range(9))
    deep = b""
    for _ in range(5000):
        deep = box(b"jumb", deep)
    for name, boxes in [
            ("200000 empty pieces", pieces((n, b"") for n in range(200_000))),
            ("300000 boxes", box(b"free") * 300_000),
            ("50000 metadata boxes", (box(b"xml ", b"<a/>") + box(b"Exif", bytes(8))) * 50_000),
            ("level 255", box(b"jxll", b"\xff")),
            ("JPEG of nothing", box(b"jbrd", b"\xff" * 50000)),
            *((f"packed box of a packed box {kind}", box(b"brob", kind.encode(), b"\xff" * 1000))
              for kind in ("xml ", "Exif", "jumb", "brob")), ("5000 boxes within boxes", deep)]:
        yield name, boxes + whole
    yield from xmp_bombs.held(60 << 20, xmp=lambda text: box(b"xml ", text) + whole,
                              exif=lambda block: box(b"Exif", bytes(4), block) + whole)


def bombs(seed):
    stream = seed[seed.index(b"\xff\x0a", 32):] if seed[4:8] == b"JXL " else seed
    yield from headers(stream)
    for name, boxes, *allowed in containers(stream):
        yield name, SIGNATURE + boxes, *allowed
