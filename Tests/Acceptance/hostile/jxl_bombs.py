"""JPEG XL files that ask for too much: headers (ISO/IEC 18181-1 clause D) and containers."""
import struct

from hostile import xmp_bombs
from hostile.heif_file import box

SIGNATURE = box(b"JXL ", b"\r\n\x87\n") + box(b"ftyp", b"jxl ", bytes(4), b"jxl ")


def codestream(*fields):
    """Numbers of so many bits, least significant first, behind the signature."""
    value = at = 0
    for number, count in fields:
        value |= number << at
        at += count
    return b"\xff\x0a" + value.to_bytes(at // 8 + 1, "little")


def size(width, height):
    """SizeHeader with 30 bits for each side."""
    return [(0, 1), (3, 2), (height - 1, 30), (0, 3), (3, 2), (width - 1, 30)]


def bombs(seed):
    stream = seed[seed.index(b"\xff\x0a", 32):] if seed[4:8] == b"JXL " else seed
    for width, height in [(1 << 30, 1 << 30), (1 << 30, 1), (65535, 65535), (20000, 20000), (5000, 5000)]:
        for name, tail in [("and no more", b""), ("and zeros", bytes(50000)), ("and another picture", stream[4:])]:
            yield f"size {width} {height} {name}", codestream(*size(width, height), (1, 1)) + tail, (
                512 + 25 * 24 if width == 5000 else 512)
    # extra fields: upright, no own size, a preview of 2^12 and more.
    preview = [(0, 1), (1, 1), (0, 3), (0, 1), (1, 1), (0, 1), (3, 2), (4095, 12), (0, 3), (3, 2), (4095, 12)]
    yield "preview of 5441 5441", codestream(*size(160, 107), *preview, (0, 1)) + bytes(5000)
    # An animation of 2^30 ticks and loops.
    motion = [(0, 1), (1, 1), (0, 3), (0, 1), (0, 1), (1, 1), (3, 2), (2**30 - 1, 30), (3, 2), (2**10 - 1, 10),
              (3, 2), (2**32 - 1, 32), (1, 1)]
    yield "animation without end", codestream(*size(160, 107), *motion) + bytes(5000)
    yield "animation of 5000 5000", codestream(*size(5000, 5000), *motion) + bytes(5000)
    # Depth of 8 bits, then 4096 and more further channels.
    extra = [(0, 1), (0, 1), (0, 1), (0, 2), (1, 1), (3, 2), (4095, 12)]
    yield "4097 further channels", codestream(*size(160, 107), *extra) + bytes(5000)
    yield "4097 further channels of 5000 5000", codestream(*size(5000, 5000), *extra) + b"\xff" * 50000
    # A profile of which there are 2^32 bytes follows the metadata.
    wants = [(0, 1), (0, 1), (0, 1), (0, 2), (1, 1), (0, 2), (1, 1), (0, 1), (1, 1)]
    for name, fill in [("zeros", 0), ("ones", 255)]:
        yield f"profile of {name}", codestream(*size(160, 107), *wants) + bytes([fill]) * 50000
    yield "bytes of noise", b"\xff\x0a" + bytes((n * 167 + n // 256) & 255 for n in range(100000))
    whole = box(b"jxlc", stream)
    for length in (0, 1, 7, 2**31, 2**32 - 1):
        yield f"box of size {length}", SIGNATURE + struct.pack(">I", length) + b"jxlc" + stream
    for length in (0, 15, 2**63, 2**64 - 1):
        yield f"box of size {length} in 64 bits", (SIGNATURE + struct.pack(">I4sQ", 1, b"jxlc", length) + stream)
        yield f"free of size {length} in 64 bits", (SIGNATURE + struct.pack(">I4sQ", 1, b"free", length) + whole)
    pieces = [box(b"jxlp", struct.pack(">I", n), b"") for n in range(200_000)]
    yield "200000 empty pieces", SIGNATURE + b"".join(pieces) + whole
    yield "pieces of a byte", SIGNATURE + b"".join(
        box(b"jxlp", struct.pack(">I", n), stream[n:n + 1]) for n in range(len(stream)))
    yield "pieces in disorder", SIGNATURE + b"".join(
        box(b"jxlp", struct.pack(">I", n ^ 1), stream[1000 * n:1000 * n + 1000]) for n in range(9))
    yield "300000 boxes", SIGNATURE + box(b"free") * 300_000 + whole
    yield "50000 metadata boxes", SIGNATURE + (box(b"xml ", b"<a/>") + box(b"Exif", bytes(8))) * 50_000 + whole
    yield "level 255", SIGNATURE + box(b"jxll", b"\xff") + whole
    yield "JPEG of nothing", SIGNATURE + box(b"jbrd", b"\xff" * 50000) + whole
    for kind in (b"xml ", b"Exif", b"jumb", b"brob"):
        yield f"packed box of a packed box {kind.decode()}", SIGNATURE + box(b"brob", kind, b"\xff" * 1000) + whole
    deep = b""
    for _ in range(5000):
        deep = box(b"jumb", deep)
    yield "5000 boxes within boxes", SIGNATURE + deep + whole
    yield from xmp_bombs.held(60 << 20, xmp=lambda text: SIGNATURE + box(b"xml ", text) + whole,
                              exif=lambda block: SIGNATURE + box(b"Exif", bytes(4), block) + whole)
