"""Damages stills, the same way for the same number: bits, runs, ends, blocks, and the size fields of
boxes, chunks, segments and directories, found by the structure of the file."""
import random
import struct
import zlib

BRANCHES = {b"meta": 4, b"iprp": 0, b"ipco": 0, b"iinf": 6, b"iref": 4, b"dinf": 0, b"moov": 0,
            b"grpl": 0}
TABLES = {b"ftyp", b"pitm", b"iloc", b"infe", b"ipma", b"ispe", b"clap", b"irot", b"imir", b"pixi",
          b"hvcC", b"av1C", b"colr", b"auxC", b"cdsc", b"dimg", b"auxl", b"thmb", b"altr", b"idat",
          b"jxlp", b"Exif"}


def boxes(data, start, end, found):
    """Sizes of ISO boxes (HEIF, AVIF, JPEG XL), and every second byte of small tables."""
    while start + 8 <= end:
        size, kind = struct.unpack_from(">I4s", data, start)
        found += [(start, 4), (start, 4), (start, 4)]
        if size < 8 or start + size > end:
            return
        if kind in BRANCHES:
            boxes(data, start + 8 + BRANCHES[kind], start + size, found)
        elif kind in TABLES:
            for at in range(start + 8, min(start + size, start + 72), 2):
                found.append((at, random.Random(at).choice([2, 4, 8])))
        start += size


def chunks(data, found):
    at = 8
    while at + 12 <= len(data):
        size = int.from_bytes(data[at:at + 4], "big")
        found += [(at, 4), (at, 4)] + [(at + 8 + i, 4) for i in range(0, min(size, 16), 4)]
        at += 12 + size


def segments(data, found):
    at = data.find(b"\xff\xd8")
    while 0 <= at:
        at += 2
        while at + 4 <= len(data) and data[at] == 0xFF and data[at + 1] != 0xD9:
            size = int.from_bytes(data[at + 2:at + 4], "big")
            marker = data[at + 1]
            found += [(at + 2, 2)] * 3
            if 0xC0 <= marker < 0xD0 or marker == 0xDA:
                found += [(at + 4 + i, 2) for i in range(0, size - 2, 2)] * 2
            for magic in (b"MPF\0", b"Exif\0\0"):
                if data.startswith(magic, at + 4):
                    directories(data, at + 4 + len(magic), found)
            at += 2 + size
            if marker == 0xDA:
                break
        at = data.find(b"\xff\xd8\xff", at)


def directories(data, base, found):
    order = "<" if data[base:base + 2] == b"II" else ">"
    at = struct.unpack_from(order + "I", data, base + 4)[0]
    found.append((base + 4, 4))
    for _ in range(8):
        if not at or base + at + 2 > len(data):
            return
        count = struct.unpack_from(order + "H", data, base + at)[0]
        found.append((base + at, 2))
        end = base + at + 2 + 12 * count
        if end + 4 > len(data):
            return
        for entry in range(base + at + 2, end, 12):
            found += [(entry, 2), (entry + 2, 2), (entry + 4, 4), (entry + 8, 4), (entry + 8, 2)]
        found.append((end, 4))
        at = struct.unpack_from(order + "I", data, end)[0]


def fields(data):
    """(offset, bytes) of what may be a size, a count or a place."""
    found = []
    if data.startswith(b"\x89PNG"):
        chunks(data, found)
    elif data.startswith(b"\xff\xd8"):
        segments(data, found)
    elif data[:4] in (b"II*\0", b"MM\0*"):
        directories(data, 0, found)
    elif data[4:8] in (b"ftyp", b"JXL "):
        boxes(data, 0, len(data), found)
    found = [(at, width) for at, width in found if at + width <= len(data)]
    return found or [(at, 4) for at in range(0, min(64, len(data) - 4))]


def with_sums(data):
    """A PNG whose checksums fit what is in its chunks, so that damage gets behind them."""
    data, at = bytearray(data), 8
    while at + 12 <= len(data):
        size = int.from_bytes(data[at:at + 4], "big")
        if at + 12 + size > len(data):
            break
        data[at + 8 + size:at + 12 + size] = zlib.crc32(data[at + 4:at + 8 + size]).to_bytes(4, "big")
        at += 12 + size
    return bytes(data)


def edit(data, chance):
    """One size, count or place, by a value that is extreme or nearly right."""
    at, width = chance.choice(fields(data))
    old, top = int.from_bytes(data[at:at + width], "big"), 256 ** width - 1
    new = chance.choice([0, 1, 2, 7, 8, 15, 16, top, top - 1, top >> 1, (top >> 1) + 1, old + 1,
                         old - 1, 2 * old, old // 2, old ^ 1 << chance.randrange(8 * width),
                         len(data), len(data) + 1, len(data) - at, chance.randrange(top + 1)])
    data[at:at + width] = (new & top).to_bytes(width, "big")


def damaged(seed, number):
    """Variant `number` of the bytes `seed`, and what was done."""
    chance = random.Random(f"hostile {number} {len(seed)}")
    data = bytearray(seed)

    def run():
        at = chance.randrange(len(data))
        return at, min(len(data), at + chance.choice([1, 4, 16, 64, 512, 4096]))

    way = chance.choice(["bits", "bits", "bytes", "cut", "zeros", "noise", "field", "field", "field",
                         "fields", "twice", "less", "swap", "head"])
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
    elif way in ("zeros", "noise"):
        a, b = run()
        data[a:b] = bytes(b - a) if way == "zeros" else chance.randbytes(b - a)
    elif way in ("field", "fields"):
        for _ in range(1 if way == "field" else 4):
            edit(data, chance)
    elif way == "twice":
        a, b = run()
        data[b:b] = data[a:b] * chance.choice([1, 1, 2, 50])
    elif way == "less":
        a, b = run()
        del data[a:b]
    else:
        size = chance.choice([2, 8, 64, 1024])
        a, b = (chance.randrange(max(1, len(data) - size)) for _ in range(2))
        data[a:a + size], data[b:b + size] = data[b:b + size], data[a:a + size]
    if data.startswith(b"\x89PNG") and chance.random() < 0.6:
        data = with_sums(data)
    return bytes(data), way
