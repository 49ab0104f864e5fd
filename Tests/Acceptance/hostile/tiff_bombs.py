"""TIFF files that ask for too much, or for themselves."""
import struct
import zlib

from hostile.png_bombs import zeros
from hostile.xmp_bombs import directory, held

TOP = 2**32 - 1
TAGS = {256: (4, 1, 100), 257: (4, 1, 100), 258: (3, 1, 8), 259: (3, 1, 1), 262: (3, 1, 1),
        273: (4, 1, 8), 277: (3, 1, 1), 278: (4, 1, 100), 279: (4, 1, 10000)}
DEFLATE = {259: (3, 1, 8)}


def tiff(tags={}, width=100, height=100, data=bytes(10000), following=0):
    """An 8-bit gray page in one strip, except for `tags`: type, count and value, None for none."""
    tags = TAGS | {256: (4, 1, width), 257: (4, 1, height), 278: (4, 1, height),
                   279: (4, 1, len(data))} | tags
    entries = [(tag, *value) for tag, value in sorted(tags.items()) if value]
    return b"II*\0" + struct.pack("<I", 8 + len(data)) + data + directory(entries, following, "<")


def pages():
    for width, height in [(TOP, TOP), (65535, 65535), (20000, 20000), (TOP, 1), (1, TOP), (0, 0)]:
        for form in (1, 5, 7, 8, 32773, 50000, 4, 34676):
            name = f"size {width} {height} compression {form}"
            yield name, tiff({259: (3, 1, form)}, width, height, bytes(100))
    tile = zlib.compress(bytes(64 * 64))
    for width, height, side in [(16384, 16384, 64), (6000, 4000, 16), (4096, 4096, 1 << 20),
                                (4096, 4096, TOP - 15), (16, 16, 65520), (16, 16, 1 << 23)]:
        count = min(-(-width // side) * -(-height // side), 300_000)
        data = tile + struct.pack("<I", 8) * count + struct.pack("<I", len(tile)) * count
        tags = {273: None, 278: None, 279: None, 322: (4, 1, side), 323: (4, 1, side),
                324: (4, count, 8 + len(tile)), 325: (4, count, 8 + len(tile) + 4 * count)}
        page = tiff(DEFLATE | tags, width, height, data)
        yield f"{width} {height} in tiles of {side}", page, 24 * width * height // 10**6
    yield "25 megapixels of zeros", tiff(DEFLATE, 5000, 5000, zeros(25_000_000)), 24 * 25
    yield "zeros of 400 MB for a small strip", tiff(DEFLATE, data=zeros(400 << 20))
    for rows in (1, TOP, 0):
        yield f"strips of {rows} rows", tiff({278: (4, 1, rows)}, 1000, 1000, bytes(4000))
    for samples in (0, 2, 64, 65535):
        for name, planes in [("", {}), (" in planes", {284: (3, 1, 2)})]:
            tags = {277: (3, 1, samples)} | planes
            yield f"{samples} samples{name}", tiff(tags, 3000, 3000, bytes(1000))
    for bits in (0, 1, 7, 31, 33, 64, 65535):
        yield f"{bits} bits", tiff({258: (3, 1, bits)}, 3000, 3000, bytes(1000))
    small_strips = {278: (4, 1, 1), 273: (4, 16_000_000, 8), 279: (4, 16_000_000, 8)}
    for name, tags, *page in [
            ("strip of 4 GB", {279: (4, 1, TOP)}), ("strip beyond the file", {273: (4, 1, TOP)}),
            ("2^32 strips", {273: (4, TOP, 8), 279: (4, TOP, 8)}),
            ("strips of 16 bytes that are 16 million", small_strips, 1, 16_000_000, bytes(100)),
            ("2^32 bits per sample", {258: (3, TOP, 8)}),
            ("YCbCr of 400 megapixels", {262: (3, 1, 6), 277: (3, 1, 3), 530: (3, 2, 0x00040004)},
             20000, 20000, bytes(1000)),
            ("palette without colors", {262: (3, 1, 3)}),
            ("palette of 2^32", {262: (3, 1, 3), 320: (3, TOP, 8)}),
            ("tags of 2^32 values",
             {700: (7, TOP, 8), 34675: (7, TOP, 8), 305: (2, TOP, 8), 33723: (4, TOP, 8)})]:
        yield name, tiff(tags, *page)


def loops():
    yield "page that follows itself", tiff(following=10008)
    yield "page in its pixels", tiff(following=9)
    itself, many = (4, 1, 10008), (4, 15000, 8)
    yield "directory that is its own sub-directory", tiff({330: itself, 34665: itself})
    yield "15000 sub-directories", tiff({330: many}, data=struct.pack("<I", 60008) * 15000)
    whole = tiff()
    page = whole[10008:-4]
    at = [10008 + (len(page) + 4) * n for n in range(60000)]
    for name, last in [("", 0), (" in a circle", at[0])]:
        chain = b"".join(page + struct.pack("<I", following) for following in [*at[1:], last])
        yield f"60000 pages{name}", whole[:10008] + chain
    tags = [(tag, *value) for tag, value in TAGS.items()] + [(0x9000, 7, 60000, 8)] * 65526
    yield "65535 tags", b"II*\0\x08\0\0\0" + directory(tags, order="<")
    yield "directory at the end of 32 bits", b"II*\0" + struct.pack("<I", TOP)


def big():
    """BigTIFF files."""
    top, start = 2**64 - 1, b"II+\0\x08\0\0\0"
    for name, changes in [("offset beyond 64 bits", {273: (16, 1, top)}),
                          ("strip of 2^64 bytes", {279: (16, 1, top)}),
                          ("2^61 strips", {273: (16, 2**61, 16), 279: (16, 2**61, 16)}),
                          ("width of 2^64", {256: (16, 1, top), 257: (16, 1, top)})]:
        tags = TAGS | {273: (16, 1, 16), 279: (16, 1, 10000)} | changes
        rows = b"".join(struct.pack("<HHQQ", tag, *value) for tag, value in tags.items())
        at, count = struct.pack("<Q", 10016), struct.pack("<Q", len(tags))
        yield f"big {name}", start + at + bytes(10000) + count + rows + bytes(8)
    yield "big 2^64 tags", start + struct.pack("<QQ", 16, top) + bytes(1000)
    yield "big directory at 2^63", start + struct.pack("<Q", 2**63)


def bombs(seed):
    def holding(tag):
        return lambda data: tiff({279: (4, 1, 10000), tag: (7, len(data), 10008)},
                                 data=bytes(10000) + data)

    yield from pages()
    yield from loops()
    yield from big()
    yield from held(100 << 20, xmp=holding(700), exif=lambda block: block, icc=holding(34675))
