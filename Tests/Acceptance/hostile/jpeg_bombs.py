"""JPEG files that ask for too much, or for themselves."""
import struct

from hostile import xmp_bombs

XMP = b"http://ns.adobe.com/xap/1.0/\0"
EXTENDED = b"http://ns.adobe.com/xmp/extension/\0"
NAME = b"0123456789ABCDEF0123456789ABCDEF"


def segment(marker, *parts):
    data = b"".join(parts)
    return struct.pack(">BBH", 0xFF, marker, len(data) + 2) + data


def frame(marker, width, height, components=1, factors=0x11):
    return segment(marker, struct.pack(">BHHB", 8, height, width, components), *[
        bytes([n + 1, factors, 0]) for n in range(components)])


def with_segments(seed, *segments):
    return seed[:2] + b"".join(segments) + seed[2:]


def sized(seed, width, height):
    at = next(seed.index(bytes([0xFF, marker])) for marker in (0xC0, 0xC1, 0xC2)
              if bytes([0xFF, marker, 0, 17, 8]) in seed)
    return seed[:at + 5] + struct.pack(">HH", height, width) + seed[at + 9:]


def progressive(width, height, components, precise, repeat=1):
    """Scans of one end-of-band run after the other, for each coefficient, bit by bit if `precise`."""
    tables = segment(0xDB, b"\0" + bytes([1]) * 64)
    tables += segment(0xC4, b"\0\1" + bytes(15) + b"\0")  # DC: category 0
    tables += segment(0xC4, b"\x10\1" + bytes(15) + b"\xe0")  # AC: runs of 2^14 and more
    blocks = -(-width // 8) * -(-height // 8)
    # Eight runs of 32767 blocks in 15 bytes.
    runs = int("011111111111111" * 8, 2).to_bytes(15, "big").replace(b"\xff", b"\xff\0")
    runs *= blocks // (8 * 32767) + 1
    parts = [b"\xff\xd8", tables, frame(0xC2, width, height, components)]
    for component in range(1, components + 1):
        parts.append(segment(0xDA, bytes([1, component, 0, 0, 0, 0])) + bytes(blocks // 8 + 1))
    for _ in range(repeat):
        for component in range(1, components + 1):
            for coefficient in range(1, 64):
                for low in range(13, -1, -1) if precise else [0]:
                    high = 0 if low == 13 or not precise else low + 1
                    parts.append(segment(0xDA, bytes([1, component, 0, coefficient, coefficient,
                                                      high << 4 | low])) + runs)
    return b"".join(parts) + b"\xff\xd9"


def index(entries, order=b"MM\0*"):
    """The segment of a picture index whose pictures start at `entries`, from its own header."""
    table = b"".join(struct.pack(">IIIHH", 0x20000, 100, at, 0, 0) for at in entries)
    body = order + struct.pack(">I", 8) + xmp_bombs.directory(
        xmp_bombs.entry(0xB000, 7, 4, 0x30313030), xmp_bombs.entry(0xB001, 4, 1, len(entries)),
        xmp_bombs.entry(0xB002, 7, len(table), 50)) + table
    return segment(0xE2, b"MPF\0", body)


def extended(pieces, total):
    """The packet that names an extension, and pieces (place, bytes) of it."""
    packet = xmp_bombs.HEAD.replace(b" hdrgm:V", b' xmlns:xmpNote="http://ns.adobe.com/xmp/note/" '
                                    b'xmpNote:HasExtendedXMP="' + NAME + b'" hdrgm:V')
    return [segment(0xE1, XMP, packet + b">" + xmp_bombs.TAIL)] + [
        segment(0xE1, EXTENDED, NAME, struct.pack(">II", total, place), data) for place, data in pieces]


def indices(seed):
    yield "index of itself", with_segments(seed, index([0] * 64))
    yield "index of its header", with_segments(seed, index([2**32 - 1, 2**31, 0, 1, 2, 8]))
    own = with_segments(seed, index([0] * 64))
    at = own.index(b"MPF\0") + 4
    scan = own.index(b"\xff\xda")
    yield "index of its scan", with_segments(seed, index([scan - at + 14 + n for n in range(64)]))
    loop = index([0]).replace(struct.pack(">I", 0) + b"\0\2\0\0", struct.pack(">I", 8) + b"\0\2\0\0")
    yield "index whose directory follows itself", with_segments(seed, loop)
    yield "index of 65535 entries", with_segments(seed, index([0]).replace(b"\0\3\xb0\0", b"\xff\xff\xb0\0"))
    # 64 pictures that start behind each other and share all that follows.
    place = len(with_segments(seed, index([0] * 64))) - at
    places = [place + 6 * n for n in range(64)]
    data = b"".join(b"\xff\xd8" + struct.pack(">BBH", 0xFF, 0xEF, 2 + 6 * (63 - n)) for n in range(64))
    filler = b"<rdf:RDF xmlns:rdf='r'>" + b"<a b='1'/>" * 6000
    pieces = [(60000 * n, (filler * 2)[:60000]) for n in range(80)]
    tail = b"".join(extended(pieces, 60000 * 80)) + seed[2:]
    yield "64 pictures with one extension", with_segments(seed, index(places)) + data + tail
    many = segment(0xEF) * 16000 + seed[2:]
    yield "64 pictures of 16000 segments", with_segments(seed, index(places)) + data + many


def extensions(seed):
    piece = b"<x>" * 20000
    yield "extension with gaps", with_segments(seed, *extended([(0, piece), (10**6, piece)], 2 * 10**6))
    yield "extension of 4 GB", with_segments(seed, *extended([(0, piece)], 2**32 - 1))
    yield "extension that wraps", with_segments(seed, *extended([(2**32 - 1, piece)], len(piece) - 1))
    yield "extension in 16000 empty pieces", with_segments(seed, *extended([(0, b"")] * 16000, 0))
    yield "extension in pieces of a byte", with_segments(seed, *extended([(n, b"<") for n in range(16000)], 16000))
    yield "extension all over itself", with_segments(seed, *extended([(0, piece)] * 100, len(piece)))
    yield "extension of 8 MB", with_segments(seed, *extended([(60000 * n, piece) for n in range(140)], 60000 * 140))
    yield from xmp_bombs.held(
        60000, xmp=lambda text: with_segments(seed, segment(0xE1, XMP, text[:65000])),
        exif=lambda block: with_segments(seed, segment(0xE1, b"Exif\0\0", block[:65000])),
        icc=lambda profile: with_segments(seed, segment(0xE2, b"ICC_PROFILE\0\1\1", profile[:65000])))
    for name, text in xmp_bombs.packets(6 << 20):
        cut = [(60000 * n, text[60000 * n:60000 * (n + 1)]) for n in range(-(-len(text) // 60000))]
        yield f"extended xmp {name}", with_segments(seed, *extended(cut, len(text)))
    yield "profile in 255 pieces of one", with_segments(
        seed, *[segment(0xE2, b"ICC_PROFILE\0\1\xff", bytes(65000))] * 255)
    yield "16 MB of profile", with_segments(
        seed, *[segment(0xE2, b"ICC_PROFILE\0", bytes([n, 255]), bytes(65000)) for n in range(1, 256)])


def bombs(seed):
    for width, height in [(65535, 65535), (65535, 1), (1, 65535), (20000, 20000), (0, 0), (5000, 5000)]:
        yield f"size {width} {height}", sized(seed, width, height)
    for name, data in [("of zeros", bytes(10**6)), ("of restarts", b"\xff\xd0" * 500_000),
                       ("of fills", b"\xff" * 10**6)]:
        scan = segment(0xDA, b"\1\1\0\0\x3f\0")
        yield f"65535 65535 and one scan {name}", b"\xff\xd8" + frame(0xC0, 65535, 65535) + scan + data
        # Pictures of that size are allowed, and the memory for them.
        yield f"8000 8000 and one scan {name}", (b"\xff\xd8" + frame(0xC0, 8000, 8000) + scan + data), 512 + 64 * 24
    yield "progressive in 882 scans", progressive(2000, 2000, 1, True)
    yield "progressive in 2646 scans", progressive(2000, 2000, 3, True)
    yield "progressive in 6300 scans", progressive(2000, 2000, 1, False, 100)
    yield "progressive in 490 scans of 400 megapixels", progressive(
        20000, 20000, 1, False, 8)[:-2] + b"\xff\xd9", 512 + 400 * 24
    yield "arithmetic coding of 400 megapixels", (
        b"\xff\xd8" + frame(0xC9, 20000, 20000) + segment(0xDA, b"\1\1\0\0\x3f\0") + bytes(100))
    for components in (2, 4, 255):
        yield f"{components} components", b"\xff\xd8" + segment(
            0xC0, struct.pack(">BHHB", 8, 100, 100, components), b"\1\x11\0" * components) + seed[2:]
    yield "samples of 4 by 4", b"\xff\xd8" + frame(0xC0, 65500, 7600, 3, 0x44) + seed[2:]
    yield "100000 segments", with_segments(seed, segment(0xEF) * 100_000)
    yield "100000 start markers", b"\xff\xd8" * 100_000 + seed
    yield "100000 pictures", seed + b"\xff\xd8\xff\xe0\0\2" * 100_000
    yield from indices(seed)
    yield from extensions(seed)
