"""JPEG files that ask for too much, or for themselves."""
import itertools
import re
import struct

from hostile import xmp_bombs

START = b"\xff\xd8"
XMP = b"http://ns.adobe.com/xap/1.0/\0"
EXTENDED = b"http://ns.adobe.com/xmp/extension/\0"
NAME = b"0123456789ABCDEF0123456789ABCDEF"


def segment(marker, *parts):
    data = b"".join(parts)
    return struct.pack(">BBH", 0xFF, marker, len(data) + 2) + data


def frame(marker, width, height, components=b"\1\x11\0"):
    """Components are their number, sampling factors and quantization table."""
    count = len(components) // 3
    return segment(marker, struct.pack(">BHHB", 8, height, width, count), components)


def with_segments(seed, *segments):
    return seed[:2] + b"".join(segments) + seed[2:]


def progressive(side, components, precise, repeat=1):
    """Scans of one end-of-band run after the other, for each coefficient, by bits if `precise`."""
    tables = segment(0xDB, b"\0" + bytes([1]) * 64)
    tables += segment(0xC4, b"\0\1" + bytes(15) + b"\0")  # DC: category 0
    tables += segment(0xC4, b"\x10\1" + bytes(15) + b"\xe0")  # AC: runs of 2^14 and more
    blocks = (-(-side // 8)) ** 2
    # Eight runs of 32767 blocks in 15 bytes.
    runs = int("011111111111111" * 8, 2).to_bytes(15, "big").replace(b"\xff", b"\xff\0")
    runs *= blocks // (8 * 32767) + 1
    head = frame(0xC2, side, side, b"\1\x11\0\2\x11\0\3\x11\0"[:3 * components])
    parts = [START, tables, head]
    numbers = range(1, components + 1)
    for component in numbers:
        parts.append(segment(0xDA, bytes([1, component, 0, 0, 0, 0])) + bytes(blocks // 8 + 1))
    # The bits of a scan: those above it, which are there already, and its own.
    bits = [13, *((low + 1) << 4 | low for low in range(12, -1, -1))] if precise else [0]
    for _, component, at, bit in itertools.product(range(repeat), numbers, range(1, 64), bits):
        parts.append(segment(0xDA, bytes([1, component, 0, at, at, bit])) + runs)
    return b"".join(parts) + b"\xff\xd9"


def index(*entries, following=0):
    """The segment of a picture index whose pictures start at `entries`, from its own header."""
    table = b"".join(struct.pack(">IIIHH", 0x20000, 100, at, 0, 0) for at in entries)
    tags = [(0xB000, 7, 4, 0x30313030), (0xB001, 4, 1, len(entries)), (0xB002, 7, len(table), 50)]
    head = b"MPF\0MM\0*" + struct.pack(">I", 8)
    return segment(0xE2, head, xmp_bombs.directory(tags, following), table)


def extended(pieces, total):
    """The packet that names an extension, and pieces (offset, bytes) of it."""
    note = b' xmlns:xmpNote="http://ns.adobe.com/xmp/note/" xmpNote:HasExtendedXMP="' + NAME + b'"'
    packet = xmp_bombs.HEAD.replace(b" hdrgm:V", note + b" hdrgm:V") + b">" + xmp_bombs.TAIL
    return [segment(0xE1, XMP, packet), *[
        segment(0xE1, EXTENDED, NAME, struct.pack(">II", total, at), data) for at, data in pieces]]


def indices(seed):
    itself = index(*[0] * 64)
    own = with_segments(seed, itself)
    header, scan = own.index(b"MPF\0") + 4, own.index(b"\xff\xda")
    for name, wrong in [
            ("of itself", itself), ("of its header", index(2**32 - 1, 2**31, 0, 1, 2, 8)),
            ("of its scan", index(*[scan - header + 14 + n for n in range(64)])),
            ("of 65535 entries", index(0).replace(b"\0\3\xb0\0", b"\xff\xff\xb0\0")),
            ("whose directory follows itself", index(0, following=8))]:
        yield f"index {name}", with_segments(seed, wrong)
    # 64 pictures that start behind each other and share all that follows.
    start = with_segments(seed, index(*[len(own) - header + 6 * n for n in range(64)]))
    start += b"".join(START + struct.pack(">BBH", 0xFF, 0xEF, 2 + 6 * n) for n in range(63, -1, -1))
    filler = b"<rdf:RDF xmlns:rdf='r'>" + b"<a b='1'/>" * 6000
    pieces = [(60000 * n, (filler * 2)[:60000]) for n in range(80)]
    tail = b"".join(extended(pieces, 60000 * 80))
    yield "64 pictures with one extension", start + tail + seed[2:]
    yield "64 pictures of 16000 segments", start + segment(0xEF) * 16000 + seed[2:]


def segments():
    """Segments in front of those of a file."""
    piece = b"<x>" * 20000
    for name, pieces, total in [
            ("with gaps", [(0, piece), (10**6, piece)], 2 * 10**6),
            ("of 4 GB", [(0, piece)], 2**32 - 1),
            ("that wraps", [(2**32 - 1, piece)], len(piece) - 1),
            ("in 16000 empty pieces", [(0, b"")] * 16000, 0),
            ("in pieces of a byte", [(n, b"<") for n in range(16000)], 16000),
            ("all over itself", [(0, piece)] * 100, len(piece)),
            ("of 8 MB", [(60000 * n, piece) for n in range(140)], 60000 * 140)]:
        yield f"extension {name}", extended(pieces, total)
    for name, text in xmp_bombs.packets(6 << 20):
        pieces = [(at, text[at:at + 60000]) for at in range(0, len(text), 60000)]
        yield f"extended xmp {name}", extended(pieces, len(text))
    profile = b"ICC_PROFILE\0"
    yield "profile in 255 pieces of one", [segment(0xE2, profile, b"\1\xff", bytes(65000))] * 255
    yield "16 MB of profile", [
        segment(0xE2, profile, bytes([n, 255]), bytes(65000)) for n in range(1, 256)]
    yield "100000 segments", [segment(0xEF)] * 100_000
    yield from xmp_bombs.held(
        60000, xmp=lambda text: [segment(0xE1, XMP, text[:65000])],
        exif=lambda block: [segment(0xE1, b"Exif\0\0", block[:65000])],
        icc=lambda data: [segment(0xE2, profile, b"\1\1", data[:65000])])


def bombs(seed):
    size = re.search(rb"\xff[\xc0-\xc2]\0\x11\x08", seed).end()
    for width, height in [(65535, 65535), (65535, 1), (1, 65535), (20000, 20000), (0, 0),
                          (5000, 5000)]:
        sides = struct.pack(">HH", height, width)
        yield f"size {width} {height}", seed[:size] + sides + seed[size + 4:]
    scan = segment(0xDA, b"\1\1\0\0\x3f\0")
    for name, data in [("zeros", bytes(10**6)), ("restarts", b"\xff\xd0" * 500_000),
                       ("fills", b"\xff" * 10**6)]:
        # Pictures of 64 megapixels are allowed, and the memory for them.
        for side, allowed in [(65535, 0), (8000, 24 * 64)]:
            picture = START + frame(0xC0, side, side) + scan + data
            yield f"{side} {side} and one scan of {name}", picture, allowed
    for name, allowed, *values in [
            ("882 scans", 0, 2000, 1, True), ("2646 scans", 0, 2000, 3, True),
            ("6300 scans", 0, 2000, 1, False, 100),
            ("490 scans of 400 megapixels", 24 * 400, 20000, 1, False, 8)]:
        yield f"progressive in {name}", progressive(*values), allowed
    arithmetic = frame(0xC9, 20000, 20000)
    yield "arithmetic coding of 400 megapixels", START + arithmetic + scan + bytes(100)
    for count in (2, 4, 255):
        components = frame(0xC0, 100, 100, b"\1\x11\0" * count)
        yield f"{count} components", START + components + seed[2:]
    factors = frame(0xC0, 65500, 7600, b"\1\x44\0\2\x44\0\3\x44\0")
    yield "samples of 4 by 4", START + factors + seed[2:]
    yield "100000 start markers", START * 100_000 + seed
    yield "100000 pictures", seed + (START + b"\xff\xe0\0\2") * 100_000
    yield from indices(seed)
    for name, own, *allowed in segments():
        yield name, with_segments(seed, *own), *allowed
