"""TIFF files that ask for too much, or for themselves."""
import struct
import zlib

from hostile import png_bombs, xmp_bombs

TOP = 2**32 - 1


def tiff(width, height, data=b"", extra=(), following=0, behind=b"", **changes):
    """An 8-bit gray page in one strip; `changes` and `extra` are tags (count and value)."""
    tags = {256: (4, 1, width), 257: (4, 1, height), 258: (3, 1, 8), 259: (3, 1, 1), 262: (3, 1, 1),
            273: (4, 1, 8), 277: (3, 1, 1), 278: (4, 1, height), 279: (4, 1, len(data))}
    tags |= {int(key[1:]): value for key, value in changes.items()}
    tags |= dict(extra)
    tags = {tag: value for tag, value in tags.items() if value}
    rows = b"".join(struct.pack("<HHI", tag, kind, count) + struct.pack(
        "<I" if kind != 3 or count > 1 else "<HH", *((value,) if kind != 3 or count > 1 else (value, 0)))
        for tag, (kind, count, value) in sorted(tags.items()))
    at = 8 + len(data)
    return (b"II*\0" + struct.pack("<I", at) + data + struct.pack("<H", len(tags)) + rows
            + struct.pack("<I", following) + behind)


def big(tag_rows, data=b""):
    """A BigTIFF with rows (tag, kind, count, value)."""
    rows = b"".join(struct.pack("<HHQQ", *row) for row in tag_rows)
    return b"II+\0\x08\0\0\0" + struct.pack("<Q", 16 + len(data)) + data + struct.pack(
        "<Q", len(tag_rows)) + rows + bytes(8)


def pages():
    for width, height in [(TOP, TOP), (65535, 65535), (20000, 20000), (TOP, 1), (1, TOP), (0, 0)]:
        for form in (1, 5, 7, 8, 32773, 50000, 4, 34676):
            yield f"size {width} {height} compression {form}", tiff(width, height, bytes(100), t259=(3, 1, form))
    tile = zlib.compress(bytes(64 * 64))
    for width, height, side in [(16384, 16384, 64), (6000, 4000, 16), (4096, 4096, 1 << 20),
                                (4096, 4096, TOP - 15), (16, 16, 65520), (16, 16, 1 << 23)]:
        count = min(-(-width // side) * -(-height // side), 300_000)
        data = tile + struct.pack("<I", 8) * count + struct.pack("<I", len(tile)) * count
        yield f"{width} {height} in tiles of {side}", tiff(
            width, height, data, t259=(3, 1, 8), t273=None, t278=None, t279=None, t322=(4, 1, side),
            t323=(4, 1, side), t324=(4, count, 8 + len(tile)),
            t325=(4, count, 8 + len(tile) + 4 * count)), 512 + width * height * 24 // 10**6
    for rows in (1, TOP, 0):
        yield f"strips of {rows} rows", tiff(1000, 1000, bytes(4000), t278=(4, 1, rows))
    yield "strip of 4 GB", tiff(100, 100, bytes(10000), t279=(4, 1, TOP))
    yield "strip beyond the file", tiff(100, 100, bytes(10000), t273=(4, 1, TOP))
    yield "2^32 strips", tiff(100, 100, bytes(10000), t273=(4, TOP, 8), t279=(4, TOP, 8))
    yield "strips of 16 bytes that are 16 million", tiff(
        1, 16_000_000, bytes(100), t278=(4, 1, 1), t273=(4, 16_000_000, 8), t279=(4, 16_000_000, 8))
    yield "zeros of 400 MB for a small strip", tiff(100, 100, png_bombs.zeros(400 << 20), t259=(3, 1, 8))
    yield "25 megapixels of zeros", tiff(5000, 5000, png_bombs.zeros(25_000_000), t259=(3, 1, 8)), 512 + 25 * 24
    for samples in (0, 2, 64, 65535):
        yield f"{samples} samples", tiff(3000, 3000, bytes(1000), t277=(3, 1, samples))
        yield f"{samples} samples in planes", tiff(3000, 3000, bytes(1000), t277=(3, 1, samples), t284=(3, 1, 2))
    for bits in (0, 1, 7, 31, 33, 64, 65535):
        yield f"{bits} bits", tiff(3000, 3000, bytes(1000), t258=(3, 1, bits))
    yield "2^32 bits per sample", tiff(100, 100, bytes(10000), t258=(3, TOP, 8))
    yield "YCbCr of 400 megapixels", tiff(
        20000, 20000, bytes(1000), t262=(3, 1, 6), t277=(3, 1, 3), t530=(3, 2, 0x00040004))
    yield "palette without colours", tiff(100, 100, bytes(10000), t262=(3, 1, 3))
    yield "palette of 2^32", tiff(100, 100, bytes(10000), t262=(3, 1, 3), t320=(3, TOP, 8))


def loops():
    whole = tiff(100, 100, bytes(10000))
    yield "page that follows itself", tiff(100, 100, bytes(10000), following=10008)
    yield "page in its pixels", tiff(100, 100, bytes(10000), following=9)
    yield "directory that is its own sub-directory", tiff(
        100, 100, bytes(10000), extra={330: (4, 1, 10008), 34665: (4, 1, 10008)}.items())
    yield "15000 sub-directories", tiff(
        100, 100, struct.pack("<I", 60008) * 15000, extra={330: (4, 15000, 8)}.items())
    page = 2 + 12 * 9 + 4
    chain = b"".join(whole[10008:-4] + struct.pack("<I", 10008 + page * (n + 1)) for n in range(60000))
    yield "60000 pages", whole[:10008] + chain[:-4] + bytes(4)
    yield "60000 pages in a circle", whole[:10008] + chain[:-4] + struct.pack("<I", 10008)
    yield "65535 tags", b"II*\0\x08\0\0\0\xff\xff" + whole[10010:-4] + struct.pack(
        "<HHII", 0x9000, 7, 60000, 8) * 65526 + bytes(4)
    yield "tags of 2^32 values", tiff(100, 100, bytes(10000), extra={
        700: (7, TOP, 8), 34675: (7, TOP, 8), 305: (2, TOP, 8), 33723: (4, TOP, 8)}.items())
    yield "directory at the end of 32 bits", b"II*\0" + struct.pack("<I", TOP)
    page = [(256, 4, 1, 100), (257, 4, 1, 100), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1),
            (273, 16, 1, 16), (277, 3, 1, 1), (278, 4, 1, 100), (279, 16, 1, 10000)]
    for name, changes in [("place beyond 64 bits", {273: (16, 1, 2**64 - 1)}),
                          ("strip of 2^64 bytes", {279: (16, 1, 2**64 - 1)}),
                          ("2^61 strips", {273: (16, 2**61, 16), 279: (16, 2**61, 16)}),
                          ("width of 2^64", {256: (16, 1, 2**64 - 1), 257: (16, 1, 2**64 - 1)})]:
        yield "big " + name, big([(tag, *changes.get(tag, rest)) for tag, *rest in page], bytes(10000))
    yield "big 2^64 tags", b"II+\0\x08\0\0\0" + struct.pack("<QQ", 16, 2**64 - 1) + bytes(1000)
    yield "big directory at 2^63", b"II+\0\x08\0\0\0" + struct.pack("<Q", 2**63)


def bombs(seed):
    def held(tag):
        return lambda data: tiff(100, 100, bytes(10000) + data, t279=(4, 1, 10000),
                                 extra={tag: (7, len(data), 10008)}.items())

    yield from pages()
    yield from loops()
    yield from xmp_bombs.held(100 << 20, xmp=held(700), exif=lambda block: block, icc=held(34675))
