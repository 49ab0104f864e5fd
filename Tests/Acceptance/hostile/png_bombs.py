"""PNG files that ask for too much."""
import struct
import zlib

from hostile import xmp_bombs

XMP = b"XML:com.adobe.xmp\0\1\0\0\0"


def chunk(kind, *parts):
    data = b"".join(parts)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def header(width, height, bits, color, interlaced=0):
    fields = struct.pack(">IIBBBBB", width, height, bits, color, 0, 0, interlaced)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", fields)


def zeros(count):
    """A number of zeros, deflated to a thousandth of that."""
    packer = zlib.compressobj(9)
    blocks = [bytes(1 << 20)] * (count >> 20) + [bytes(count % (1 << 20))]
    return b"".join(map(packer.compress, blocks)) + packer.flush()


def bombs(seed):
    body, end = seed.index(b"IDAT") - 4, chunk(b"IEND")

    def beside(*chunks):
        return seed[:body] + b"".join(chunks) + seed[body:]

    top = 2**31 - 1
    for width, height in [(top, top), (2**32 - 1, 2**32 - 1), (65535, 65535), (20000, 20000),
                          (top, 1), (1, top), (0, 0)]:
        for interlaced in (0, 1):
            start = header(width, height, 16, 2, interlaced)
            name = f"size {width} {height}" + " interlaced" * interlaced
            yield name, start + seed[33:]
            yield name + " of one byte", start + chunk(b"IDAT", b"x") + end
    for name, side, interlaced, count, allowed in [
            ("interlaced 5000 5000 of zeros", 5000, 1, 75_100_000, 24 * 25),
            ("5000 5000 of zeros that end early", 5000, 0, 40_000_000, 24 * 25),
            ("400 megabytes behind a small picture", 16, 0, 400 << 20, 0)]:
        data = chunk(b"IDAT", zeros(count))
        yield name, header(side, side, 8, 2, interlaced) + data + end, allowed
    bomb = zeros(300 << 20)
    yield "profile of 300 MB", beside(chunk(b"iCCP", b"a\0\0", bomb))
    for name, kind, head in [("text", b"zTXt", b"a\0\0"), ("xmp", b"iTXt", XMP)]:
        yield f"{name} of 300 MB", beside(chunk(kind, head, bomb))
        yield f"20 times {name} of 300 MB", beside(chunk(kind, head, bomb) * 20)
    yield from xmp_bombs.held(
        15 << 20, xmp=lambda packet: beside(chunk(b"iTXt", XMP, zlib.compress(packet, 1))),
        exif=lambda block: beside(chunk(b"eXIf", block)),
        icc=lambda data: beside(chunk(b"iCCP", b"a\0\0", zlib.compress(data))))
    for kind in ("IDAT", "tEXt", "iCCP", "PLTE", "fdAT", "IHDR", "abcd"):
        yield f"300000 empty {kind}", beside(chunk(kind.encode()) * 300_000)
    yield "cICP of 2 GB", beside(struct.pack(">I", top) + b"cICP")
    yield "chunk of 4 GB", beside(b"\xff" * 4 + b"tEXt")
    yield "animation of 2^32 pictures", beside(chunk(b"acTL", b"\xff" * 8))
    yield "palette without colors", header(100, 100, 8, 3) + seed[33:]
