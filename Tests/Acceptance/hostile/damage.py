"""Damages stills and raws, the same way for the same number: bits, runs, ends, blocks, the size
fields of boxes, chunks, segments and directories, links between these, and boxes in boxes, found by
the structure of the file."""
import random
import struct
import zlib

from support.boxes import Broken, boxes

# Boxes of boxes, with the bytes in front of them; boxes with small tables.
BRANCHES = {"meta": 4, "iprp": 0, "ipco": 0, "iinf": 6, "iref": 4, "dinf": 0, "moov": 0, "grpl": 0}
TABLES = set("""ftyp pitm iloc infe ipma ispe clap irot imir pixi hvcC av1C colr auxC cdsc dimg auxl
    thmb altr idat jxlp Exif""".split())


def box_fields(data, start=0, end=None):
    """Sizes of ISO boxes (HEIF, AVIF, JPEG XL), and every second byte of small tables."""
    end = len(data) if end is None else end
    try:
        for kind, at, payload, stop in boxes(data, start, end):
            yield from [(at, 4)] * 3
            if kind in BRANCHES:
                yield from box_fields(data, payload + BRANCHES[kind], stop)
            elif kind in TABLES:
                for offset in range(payload, min(stop, at + 72), 2):
                    yield offset, random.Random(offset).choice([2, 4, 8])
    except Broken as broken:
        at, _ = broken.args
        if at + 8 <= end:
            yield from [(at, 4)] * 3


def chunks(data):
    """(offset, payload size) of the chunks of a PNG."""
    at = 8
    while at + 12 <= len(data):
        size = int.from_bytes(data[at:at + 4], "big")
        yield at, size
        at += 12 + size


def chunk_fields(data):
    for at, size in chunks(data):
        yield from [(at, 4), (at, 4)] + [(at + 8 + i, 4) for i in range(0, min(size, 16), 4)]


def segment_fields(data):
    at = data.find(b"\xff\xd8")
    while 0 <= at:
        at += 2
        while at + 4 <= len(data) and data[at] == 0xFF and data[at + 1] != 0xD9:
            marker, size = struct.unpack_from(">BH", data, at + 1)
            yield from [(at + 2, 2)] * 3
            if 0xC0 <= marker < 0xD0 or marker == 0xDA:
                yield from [(at + 4 + i, 2) for i in range(0, size - 2, 2)] * 2
            for magic in (b"MPF\0", b"Exif\0\0"):
                if data.startswith(magic, at + 4):
                    yield from directory_fields(data, at + 4 + len(magic))
            at += 2 + size
            if marker == 0xDA:
                break
        at = data.find(b"\xff\xd8\xff", at)


# Entries of a directory that point at others: SubIFDs, Exif, GPS, interoperability.
POINTERS = {330, 34665, 34853, 40965}


def directories(data, base=0):
    """(order, offset, its entries' offsets) of the directories of a TIFF, those of Exif and DNG
    among them."""
    order = "<" if data[base:base + 2] == b"II" else ">"
    queue, seen = [struct.unpack_from(order + "I", data, base + 4)[0]], set()
    while queue and len(seen) < 16:
        at = base + queue.pop(0)
        if at in seen or not base < at <= len(data) - 2:
            continue
        seen.add(at)
        count = struct.unpack_from(order + "H", data, at)[0]
        end = at + 2 + 12 * count
        if end + 4 > len(data):
            continue
        yield order, at, range(at + 2, end, 12)
        queue.append(struct.unpack_from(order + "I", data, end)[0])
        for entry in range(at + 2, end, 12):
            if struct.unpack_from(order + "H", data, entry)[0] in POINTERS:
                queue += values(data, base, order, entry)


def values(data, base, order, entry):
    """The integers of an entry of a directory."""
    _, kind, count = struct.unpack_from(order + "HHI", data, entry)
    letter, size = {1: ("B", 1), 3: ("H", 2), 4: ("I", 4), 7: ("B", 1), 13: ("I", 4)}.get(
        kind, ("", 0))
    at = entry + 8
    if size * count > 4:
        at = base + struct.unpack_from(order + "I", data, at)[0]
    if not letter or at + size * count > len(data):
        return ()
    return struct.unpack_from(f"{order}{count}{letter}", data, at)


def directory_fields(data, base=0):
    yield base + 4, 4
    for _, at, entries in directories(data, base):
        yield at, 2
        for entry in entries:
            yield from [(entry, 2), (entry + 2, 2), (entry + 4, 4), (entry + 8, 4), (entry + 8, 2)]
        yield entries.stop, 4


def pixels(data):
    """The ranges of bytes that hold coded pixels and nothing else."""
    if data.startswith(b"\x89PNG"):
        return [(at + 8, at + 8 + size) for at, size in chunks(data)
                if data[at + 4:at + 8] == b"IDAT"]
    if data.startswith(b"\xff\xd8"):
        at = 2
        while data[at + 1] != 0xDA:
            at += 2 + int.from_bytes(data[at + 2:at + 4], "big")
        start = at + 2 + int.from_bytes(data[at + 2:at + 4], "big")
        return [(start, data.find(b"\xff\xd9", start))]
    if data[:4] in (b"II*\0", b"MM\0*"):
        found = []
        for order, _, entries in directories(data):
            named = {struct.unpack_from(order + "H", data, each)[0]: each for each in entries}
            for starts, sizes in ((273, 279), (324, 325)):
                if starts in named and sizes in named:
                    found += zip(values(data, 0, order, named[starts]),
                                 values(data, 0, order, named[sizes]))
        return [(start, start + size) for start, size in found]
    if data[4:8] in (b"ftyp", b"JXL "):
        return [(payload, stop) for kind, _, payload, stop in boxes(data)
                if kind in ("mdat", "jxlc", "jxlp")]
    return []


def is_in_pixels(seed, data):
    """Whether all damage lies where `seed` has coded pixels."""
    if len(seed) == len(data):
        blocks = [at for at in range(0, len(seed), 4096)
                  if seed[at:at + 4096] != data[at:at + 4096]]
        changed = [at for start in blocks for at in range(start, min(start + 4096, len(seed)))
                   if seed[at] != data[at]]
    else:
        low, high = 0, min(len(seed), len(data))
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if seed[:middle] == data[:middle] else (low, middle - 1)
        changed = [low]
    ranges = pixels(seed)
    return bool(changed) and all(any(a <= at < b for a, b in ranges) for at in changed)


# How a file begins, at an offset, and what finds the fields of such files.
BEGINNINGS = [(0, (b"\x89PNG",), chunk_fields), (0, (b"\xff\xd8",), segment_fields),
              (0, (b"II*\0", b"MM\0*"), directory_fields), (4, (b"ftyp", b"JXL "), box_fields)]


def fields(data):
    """(offset, bytes) of what may be a size, a count or an offset."""
    found = [(at, width) for offset, words, find in BEGINNINGS if data.startswith(words, offset)
             for at, width in find(data) if at + width <= len(data)]
    return found or [(at, 4) for at in range(min(64, len(data) - 4))]


def correct_sums(data):
    """Makes checksums fit what is in the chunks of a PNG, so that damage gets behind them."""
    for at, size in chunks(data):
        if at + 12 + size <= len(data):
            struct.pack_into(">I", data, at + 8 + size, zlib.crc32(data[at + 4:at + 8 + size]))


def edit(data, chance):
    """One size, count or offset, by a value that is extreme or nearly right."""
    at, width = chance.choice(fields(data))
    old, top = int.from_bytes(data[at:at + width], "big"), 256 ** width - 1
    new = chance.choice([0, 1, 2, 7, 8, 15, 16, top, top - 1, top >> 1, (top >> 1) + 1, old + 1,
                         old - 1, 2 * old, old // 2, old ^ 1 << chance.randrange(8 * width),
                         len(data), len(data) + 1, len(data) - at, chance.randrange(top + 1)])
    data[at:at + width] = (new & top).to_bytes(width, "big")


def link(data, chance):
    """One field gets the value of another: offsets that point at structures of another kind, at
    what holds them, or at each other."""
    (to, width), (source, _) = chance.choice(fields(data)), chance.choice(fields(data))
    data[to:to + width] = data[source:source + width]


def nest(data, chance):
    """A box in boxes of its kind, or one of 2^31, 2^63 or 2^64 - 1 bytes."""
    if data[4:8] not in (b"ftyp", b"JXL "):
        return edit(data, chance)
    every = [each for each in boxes(bytes(data)) if each[0] != "mdat"]
    kind, at, payload, stop = chance.choice(every)
    name = kind.encode("latin1")
    if chance.random() < 0.5:
        size = chance.choice([1 << 31, 1 << 32, (1 << 63) - 1, 1 << 63, (1 << 64) - 1])
        data[at:payload] = struct.pack(">I4sQ", 1, name, size)
        return
    inner = bytes(data[at:stop])
    for _ in range(chance.choice([1, 8, 100, 2000])):
        head = bytes(payload - at - 8)
        # Full boxes have their version in front, meta among them.
        version = b"\0\0\0\0" if kind in ("meta", "iinf", "iref") else b""
        inner = struct.pack(">I4s", len(inner) + 8 + len(head) + len(version), name) \
            + head + version + inner
    data[at:stop] = inner


def damaged(seed, number):
    """Variant `number` of the bytes `seed`, and what was done."""
    chance = random.Random(f"hostile {number} {len(seed)}")
    data = bytearray(seed)
    way = chance.choice("bits bits bytes cut zeros noise field field field fields link nest twice "
                        "less swap head".split())
    if way == "bits":
        for _ in range(chance.choice([1, 1, 2, 8, 64])):
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    elif way == "bytes":
        for _ in range(chance.randrange(1, 16)):
            data[chance.randrange(len(data))] = chance.choice([0, 1, 127, 128, 255])
    elif way == "head":
        for _ in range(3):
            data[chance.randrange(min(len(data), 512))] = chance.randrange(256)
    elif way == "cut":
        del data[chance.randrange(1, len(data)):]
    elif way in ("field", "fields"):
        for _ in range(1 if way == "field" else 4):
            edit(data, chance)
    elif way == "link":
        for _ in range(chance.choice([1, 1, 3])):
            link(data, chance)
    elif way == "nest":
        nest(data, chance)
    elif way == "swap":
        size = chance.choice([2, 8, 64, 1024])
        a, b = (chance.randrange(max(1, len(data) - size)) for _ in range(2))
        data[a:a + size], data[b:b + size] = data[b:b + size], data[a:a + size]
    else:
        at = chance.randrange(len(data))
        end = min(len(data), at + chance.choice([1, 4, 16, 64, 512, 4096]))
        if way == "zeros":
            data[at:end] = bytes(end - at)
        elif way == "noise":
            data[at:end] = chance.randbytes(end - at)
        elif way == "twice":
            data[at:end] *= 1 + chance.choice([1, 1, 2, 50])
        else:
            del data[at:end]
    if data.startswith(b"\x89PNG") and chance.random() < 0.6:
        correct_sums(data)
    return bytes(data), way
