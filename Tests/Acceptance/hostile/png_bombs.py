"""PNG files that ask for too much."""
import struct
import zlib

from hostile import xmp_bombs


def chunk(kind, *parts):
    data = b"".join(parts)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def header(width, height, bits=8, colour=0, interlaced=0):
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0,
                                                             interlaced))


def zeros(count, behind=b""):
    """`count` zeros and `behind`, deflated; a thousandth of that."""
    packer, parts = zlib.compressobj(9), []
    while count > 0:
        parts.append(packer.compress(bytes(min(count, 1 << 20))))
        count -= 1 << 20
    return b"".join(parts) + packer.compress(behind) + packer.flush()


END = chunk(b"IEND")


def bombs(seed):
    body = seed.index(b"IDAT") - 4

    def beside(*chunks):
        return seed[:body] + b"".join(chunks) + seed[body:]

    for width, height in [(2**31 - 1, 2**31 - 1), (2**32 - 1, 2**32 - 1), (65535, 65535), (20000, 20000),
                          (2**31 - 1, 1), (1, 2**31 - 1), (0, 0)]:
        for interlaced in (0, 1):
            start = header(width, height, 16, 2, interlaced)
            name = f"size {width} {height}" + " interlaced" * interlaced
            yield name, start + seed[33:]
            yield name + " of one byte", start + chunk(b"IDAT", b"x") + END
    yield "interlaced 5000 5000 of zeros", (
        header(5000, 5000, 8, 2, 1) + chunk(b"IDAT", zeros(75_100_000)) + END), 512 + 25 * 24
    yield "5000 5000 of zeros that end early", (
        header(5000, 5000, 8, 2) + chunk(b"IDAT", zeros(40_000_000)) + END), 512 + 25 * 24
    yield "400 megabytes behind a small picture", (header(16, 16, 8, 2) + chunk(b"IDAT", zeros(400 << 20)) + END)
    bomb = zeros(300 << 20)
    yield "profile of 300 MB", beside(chunk(b"iCCP", b"a\0\0", bomb))
    yield "text of 300 MB", beside(chunk(b"zTXt", b"a\0\0", bomb))
    yield "100 texts of 300 MB", beside(*[chunk(b"zTXt", b"a\0\0", bomb)] * 20)
    yield "xmp of 300 MB", beside(chunk(b"iTXt", b"XML:com.adobe.xmp\0\1\0\0\0", bomb))
    yield "100 xmp of 300 MB", beside(*[chunk(b"iTXt", b"XML:com.adobe.xmp\0\1\0\0\0", bomb)] * 20)
    yield from xmp_bombs.held(
        15 << 20, xmp=lambda text: beside(chunk(b"iTXt", b"XML:com.adobe.xmp\0\1\0\0\0", zlib.compress(text, 1))),
        exif=lambda block: beside(chunk(b"eXIf", block)),
        icc=lambda profile: beside(chunk(b"iCCP", b"a\0\0", zlib.compress(profile))))
    for kind in (b"IDAT", b"tEXt", b"iCCP", b"PLTE", b"fdAT", b"IHDR", b"abcd"):
        yield f"300000 empty {kind.decode()}", beside(chunk(kind) * 300_000)
    yield "cICP of 2 GB", seed[:body] + struct.pack(">I", 2**31 - 1) + b"cICP" + seed[body:]
    yield "chunk of 4 GB", seed[:body] + struct.pack(">I", 2**32 - 1) + b"tEXt" + seed[body:]
    yield "animation of 2^32 pictures", beside(chunk(b"acTL", b"\xff" * 8))
    yield "palette without colours", header(100, 100, 8, 3) + seed[33:]
