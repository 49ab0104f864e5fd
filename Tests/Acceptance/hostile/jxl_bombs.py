"""JPEG XL files that ask for too much: headers (ISO/IEC 18181-1 clause D) and containers."""
import struct

from hostile import xmp_bombs
from hostile.heif_file import box

SIGNATURE = box(b"JXL ", b"\r\n\x87\n") + box(b"ftyp", b"jxl ", bytes(4), b"jxl ")
# Fields of a header: numbers and their bits. Upright, no own size, a preview of 2^12 and more.
PREVIEW = [(0, 1), (1, 1), (0, 3), (0, 1), (1, 1), (0, 1), (3, 2), (4095, 12), (0, 3), (3, 2),
           (4095, 12), (0, 1)]
# An animation of 2^30 ticks and loops.
MOTION = [(0, 1), (1, 1), (0, 3), (0, 1), (0, 1), (1, 1), (3, 2), (2**30 - 1, 30), (3, 2),
          (2**10 - 1, 10), (3, 2), (2**32 - 1, 32), (1, 1)]
# Depth of 8 bits, then 4096 and more further channels.
CHANNELS = [(0, 1), (0, 1), (0, 1), (0, 2), (1, 1), (3, 2), (4095, 12)]
# A profile of which there are 2^32 bytes follows the metadata.
PROFILE = [(0, 1), (0, 1), (0, 1), (0, 2), (1, 1), (0, 2), (1, 1), (0, 1), (1, 1)]


# Depth of 8 bits, no further channels, colors as stored and sRGB.
PLAIN = [(0, 1), (0, 1), (0, 1), (0, 2), (1, 1), (0, 2), (0, 1), (1, 1), (0, 2), (1, 1)]
# A part of a frame whose pixels are all 0, by a tree of one leaf and codes of no bits, and the
# parts of its groups behind it.
BLACK = [(3, 2), (0, 1), (1, 1), (0, 2), (1, 1), (15, 4), (0, 1), (0, 1), (1, 1), (15, 4), (0, 1)]
GROUP = [(1, 1), (1, 1), (0, 2)]
REGULAR, LOW_FREQUENCIES, REFERENCE = range(3)


def bits(*fields):
    """Numbers of given bits, lowest bits first, padded to a byte."""
    value = at = 0
    for number, count in fields:
        value |= number << at
        at += count
    return value.to_bytes(-(-at // 8), "little")


def codestream(width, height, *fields):
    """The signature, SizeHeader with 30 bits for each side, fields."""
    sides = [(0, 1), (3, 2), (height - 1, 30), (0, 3), (3, 2), (width - 1, 30)]
    return b"\xff\x0a" + bits(*sides, *fields)


def side(length):
    """Columns or rows of a frame."""
    selector = sum(length >= low for low in (256, 2304, 18688))
    low, count = [(0, 8), (256, 11), (2304, 14), (18688, 30)][selector]
    return [(selector, 2), (length - low, count)]


def frame(width, height, kind, *, store=0, crop=None, upsampling=3, parts=None, flags=0,
          more=()):
    """A black frame in groups of 1024, which stands for 2^upsampling times as many columns; with
    `parts` groups where it should have others, and what `flags` announce before all else."""
    coded = [(1, 2), (flags - 1, 4)] if flags else [(0, 2)]
    fields = [(0, 1), (kind, 2), (1, 1), *coded, (0, 1), (upsampling, 2), (3, 2)]
    if kind != REFERENCE:
        fields += [(0, 2)]
    if kind == LOW_FREQUENCIES:
        width, height = -(-width // 8), -(-height // 8)
        fields += [(0, 2)]
    else:
        fields += [(int(crop is not None), 1)]
    if crop:
        width, height = crop
        fields += [*side(width), *side(height)]
    if kind == REGULAR:
        fields += [(0, 2), (1, 1)]
    if kind == REFERENCE:
        fields += [(store, 2), (1, 1)]
    fields += [(0, 2), (0, 1), (0, 1), (0, 2), (0, 2), (0, 2), (0, 1)]

    def blocks(side):
        return -(-width // (side << upsampling)) * -(-height // (side << upsampling))
    first, groups = bits(*more, *BLACK, *GROUP), parts or blocks(1024)
    sizes = [len(first), *([0] * (blocks(8192) + 1) + [1] * groups if groups > 1 else [])]
    return (bits(*fields) + bits(*(field for size in sizes for field in ((0, 2), (size, 10))))
            + first + (bits(*GROUP) * groups if groups > 1 else b""))


def constant(value):
    """A prefix code of at least two symbols that has one of them alone, which takes no bits: the
    length of the alphabet, and the code."""
    length = max(value, 1)
    width = length.bit_length()
    return ([(1, 1), (width - 1, 4), (length - (1 << width - 1), width - 1)],
            [(1, 2), (0, 2), (value, width)])


def codes(*values):
    """Prefix codes of a symbol each: how numbers are split, lengths, codes."""
    each = [constant(value) for value in values]
    return ([(15, 4)] * len(each) + sum((length for length, _ in each), [])
            + sum((code for _, code in each), []))


def blocks(kind, passes, *, store=0):
    """A frame of one block of transformed coefficients, with tables of all quantizers, numbers
    that rise by 1, and in each pass an order of the coefficients of 256 x 256."""
    several = passes > 1
    fields = [(0, 1), (kind, 2), (0, 1), (0, 2), (0, 1), (0, 2)]
    if kind == REGULAR:
        fields += [(3, 2), (passes - 4, 3), *[(0, 2)] * passes] if several else [(0, 2)]
        fields += [(0, 1), (0, 2), (0, 1)]
    else:
        fields += [(1, 1), *side(8), *side(8)]
    fields += [(store, 2), (1, 1), (0, 2), (0, 1), (0, 1), (0, 2), (0, 2), (0, 2), (0, 1)]
    # A tree of one leaf, whose prediction is the weighted one, and numbers that are all 2: 1.
    leaf = [(1, 1), (0, 1), (1, 1), (1, 2), *((n == 2, 1) for n in range(6)), (1, 1), *codes(0, 6),
            (0, 1), (1, 1), *codes(2)]
    first = [(1, 1), (0, 2), (0, 11), (0, 2), (1, 1), (1, 1), *leaf]
    numbers = [(1, 1), (1, 1), (0, 2)]
    low = [(0, 2), *numbers, *numbers]
    tables = [(0, 1), *[(7, 3), (0x3C00, 16), *numbers] * 17]
    order = [(3, 2), (1 << 12, 13), (0, 1), (1, 1), (1, 2), *((n == 7, 1) for n in range(8)),
             (1, 1), *codes(0, 30000)]
    nothing = [(0, 1), (1, 1), (0, 2), (1, 1), (15, 4), (0, 1)]
    tables += [*order, *nothing] * passes
    parts = [first, low, tables, *[[(0, 8)]] * passes] if several else [first + low + tables]
    parts = [bits(*part) for part in parts]
    return bits(*fields) + bits(*(field for part in parts for field in ((0, 2), (len(part), 10)))
                                ) + b"".join(parts)


def patched(side, count):
    """A square with as many patches, each as large as it, of one before it."""
    # 0, 1, size and copies less one, by what they tell.
    more = [(0, 1), (1, 1), (2, 2), *((code, 2) for code in (1, 0, 2, 0, 0, 1, 0, 3, 0, 0)), (1, 1),
            *codes(0, 1, side - 1, count - 1)]
    return (codestream(side, side, *PLAIN) + frame(side, side, REFERENCE)
            + frame(side, side, REGULAR, upsampling=0, flags=2, more=more))


def hidden(width, height, count, kind, **rest):
    """A picture behind frames that are never shown."""
    frames = (frame(width, height, kind, store=number % 4, **rest) for number in range(count))
    return codestream(width, height, *PLAIN) + b"".join(frames) + frame(width, height, REGULAR)


def tabled(count, kind, passes):
    """A picture behind frames of a block, which are kept and never shown, or laid over another."""
    frames = (blocks(kind, passes, store=number % 4) for number in range(count))
    return codestream(8, 8, *PLAIN) + b"".join(frames) + frame(8, 8, REGULAR, upsampling=0)


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
    for name, data in [
            ("400 references of 8000 6000",
             hidden(64, 64, 400, REFERENCE, crop=(8000, 6000))),
            ("a reference of 40000 40000", hidden(64, 64, 1, REFERENCE, crop=(40000, 40000))),
            ("a reference of 2^30 2^30",
             hidden(64, 64, 1, REFERENCE, crop=(2**30, 2**30), parts=1)),
            ("32767 patches of 4000 4000", patched(4000, 32767)),
            ("splines", codestream(64, 64, *PLAIN) + frame(64, 64, REGULAR, flags=16)),
            ("20000 references of nothing", hidden(64, 64, 20000, REFERENCE, crop=(1, 1))),
            ("20000 references with tables", tabled(20000, REFERENCE, 1)),
            ("3000 layers with tables", tabled(3000, REGULAR, 11)),
            ("3000 low frequencies of 4000 4000", hidden(4000, 4000, 3000, LOW_FREQUENCIES))]:
        yield name, data
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
