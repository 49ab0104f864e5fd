"""HEIF and AVIF files that ask for too much, or for themselves."""
import struct

from hostile import xmp_bombs
from hostile.heif_file import File, Seed, box, full, ispe

APPLE = b"urn:com:apple:photo:2020:aux:hdrgainmap\0"
XMP_TYPE = b"application/rdf+xml\0"


def grid(rows, columns, width, height):
    return bytes([0, 1, rows - 1, columns - 1]) + struct.pack(">II", width, height)


def extents(number, method, *parts):
    """iloc of version 1 with 64-bit numbers, its item first, then those of `parts` again."""
    rows = struct.pack(">HHHQH", number, method, 0, parts[0], len(parts) - 1)
    rows += b"".join(struct.pack(">QQQ", *part) for part in parts[1:])
    return full(b"iloc", 1, b"\x88\x88", struct.pack(">H", 1), rows)


def pictures(seed):
    """Enormous sizes: in the tables, in the coded data, in grids."""
    top = 2**32 - 1
    for width, height in [(top, top), (2**31, 2), (65535, 65535), (20000, 20000), (0, 0)]:
        file = File(seed)
        file.properties[1] = ispe(width, height)
        yield f"ispe {width} {height}", file
    for width, height in [(65535, 65535), (65535, 8), (20000, 20000), (6000, 5000)]:
        file = File(seed)
        configuration, file.bytes[1] = seed.resized(width, height)
        file.properties[:2] = [configuration, ispe(width, height)]
        # A picture of that size is decoded until its data end.
        yield f"coded {width} {height}", file, 512 + width * height * 24 // 10**6
    for rows, columns, size in [(256, 256, top), (256, 256, 20000), (64, 64, 6000), (1, 1, 0)]:
        file = File(seed, primary=2).item(2, b"grid", grid(rows, columns, size, size), [2])
        file.refer(b"dimg", 2, *[1] * min(rows * columns, 65535))
        yield f"grid {rows} {columns} {size}", file


def circles(seed):
    for name, kind, targets in [("itself", b"grid", {2: 2}), ("circle", b"grid", {2: 3, 3: 2}),
                                ("identity itself", b"iden", {2: 2}),
                                ("identity circle", b"iden", {2: 3, 3: 4, 4: 2}),
                                ("identity chain", b"iden", {n: n + 1 for n in range(2, 2000)})]:
        file = File(seed, primary=2)
        for number, target in targets.items():
            file.item(number, kind, grid(1, 1, 160, 107), [2]).refer(b"dimg", number, target)
        yield name, file
    for name, inputs, primary in [("tmap of tmap", {2: (3, 1), 3: (2, 1)}, 2),
                                  ("tmap of itself", {2: (2, 2)}, 2),
                                  ("tmap whose map is itself", {2: (1, 2)}, 1),
                                  ("tmap whose map is its base", {2: (1, 1)}, 2)]:
        file = File(seed, primary)
        for number, to in inputs.items():
            file.item(number, b"tmap", bytes(61)).refer(b"dimg", number, *to)
        yield name, file
    file = File(seed).item(2, seed.kind, seed.data, [1, 2, 3]).owning(full(b"auxC", 0, APPLE))
    yield "auxl circle", file.refer(b"auxl", 1, 2).refer(b"auxl", 2, 1).refer(b"auxl", 1, 1)
    file = File(seed).item(2, b"mime", b"<x:xmpmeta/>", tail=XMP_TYPE)
    yield "cdsc circle", file.refer(b"cdsc", 2, 1, 2).refer(b"cdsc", 1, 1, 2)


def crowds(seed):
    """Thousands of items, references, properties, extents."""
    for name, count, kind, properties, reference, to in [
            ("30000 maps over the same data", 30000, seed.kind, [1, 2, 3], b"auxl", (1,)),
            ("60000 tone maps", 60000, b"tmap", [], b"dimg", (1, 1)),
            ("40000 thumbnails", 40000, seed.kind, [1, 2], b"thmb", (1,))]:
        file = File(seed)
        if 3 in properties:
            file.properties.append(full(b"auxC", 0, APPLE))
        for number in range(2, count):
            file.item(number, kind, properties=properties).refer(reference, number, *to)
        yield name, file
    for name, kind, count, to in [("400000 references to the picture", b"dimg", 400_000, (1,)),
                                  ("100000 descriptions", b"cdsc", 100_000, (1,) * 20)]:
        file = File(seed)
        file.references = [(kind, number % 65536, to) for number in range(count)]
        yield name, file
    row = struct.pack(">HB", 1, 255) + bytes([3]) * 255
    light, turn = box(b"clli", struct.pack(">HH", 1000, 100)), box(b"irot", b"\1")
    for name, count, more in [("5 million properties of one picture", 20000, light),
                              ("a million turns", 4000, turn)]:
        head = struct.pack(">IHBBB", count + 1, 1, 2, 1, 2)
        yield name, File(seed, properties=box(b"ipco", seed.configuration, seed.ispe, more),
                         links=full(b"ipma", 0, head, row * count))
    yield "500000 properties", File(
        seed, properties=box(b"ipco", seed.configuration, seed.ispe, turn * 500_000))
    yield "300000 items", File(seed, infos=full(b"iinf", 1, struct.pack(">I", 300_000), *[
        full(b"infe", 3, struct.pack(">IH4s", n, 0, seed.kind), b"\0") for n in range(1, 300_000)]))
    yield "a million alternatives", File(seed, more=box(b"grpl", box(
        b"altr", struct.pack(">III", 0, 1, 10**6), struct.pack(">I", 1) * 10**6)))
    rows = [struct.pack(">HHHHII", 1, 0, 0, 1, 0, len(seed.data))]
    rows += [struct.pack(">HHHH8I", n, 0, 0, 4, *(0, 17 << 20) * 4) for n in range(2, 4000)]
    file = File(seed, places=full(b"iloc", 1, b"\x44\0", struct.pack(">H", len(rows)), *rows))
    for number in range(2, 4000):
        file.item(number, b"mime", tail=XMP_TYPE).refer(b"cdsc", number, 1)
    file.bytes[9] = bytes(18 << 20)
    yield "4000 descriptions of 68 MB each", file


def places(seed):
    top = 2**64 - 1
    for name, parts in [("beyond the file", (0, (0, 10**12, 100))), ("all of 64 bits", (0, (0, top, top))),
                        ("sums that wrap", (top // 2, (0, top // 2, top // 2))),
                        ("base that wraps", (top, (0, 1, 16))),
                        ("length that wraps", (0, (0, 16, 2**63 - 1))),
                        ("65535 whole files", (0, *[(0, 0, 0)] * 65535))]:
        yield "place " + name, File(seed, places=extents(1, 0, *parts))
    for name, targets in [("itself", {1: 1}), ("a circle", {1: 2, 2: 1})]:
        rows = [struct.pack(">HHHQH", n, 2, 0, 0, 8) + struct.pack(">QQQ", 1, 0, 0) * 8 for n in (1, 2)]
        file = File(seed, places=full(b"iloc", 1, b"\x88\x88", struct.pack(">H", 2), *rows))
        for start, target in targets.items():
            file.refer(b"iloc", start, target)
        yield "place within " + name, file.item(2, seed.kind, b"", [1, 2])
    yield "place count 2^32", File(
        seed, places=full(b"iloc", 2, b"\0\0", struct.pack(">I", 2**32 - 1), bytes(100)))


def nesting(seed):
    whole = File(seed).build()
    head, meta = whole[:24], whole.index(b"meta") - 4
    for kind in (b"meta", b"iprp", b"ipco", b"moov", b"zzzz"):
        deep = b""
        for _ in range(2000):
            deep = box(kind, deep)
        own = {"more": deep if kind != b"meta" else box(b"free", deep)}
        if kind == b"ipco":
            own = {"properties": box(b"ipco", seed.configuration, seed.ispe, deep)}
        yield f"nested {kind.decode()}", File(seed, **own).build()
        yield f"nested {kind.decode()} at the top", head + deep + whole[24:]
    for name, size in [("zero", 0), ("2 GB", 2**31), ("4 GB", 2**32 - 1), ("seven", 7)]:
        yield f"meta of size {name}", whole[:meta] + struct.pack(">I", size) + whole[meta + 4:]
    for size in (0, 15, 2**63 - 1, 2**63, 2**64 - 1, 2**64 - 16):
        for kind, rest in [("meta", whole[meta + 8:]), ("free", whole[meta:])]:
            yield f"{kind} of size {size} in 64 bits", (
                whole[:meta] + struct.pack(">I4sQ", 1, kind.encode(), size) + rest)
    yield "a million brands", box(b"ftyp", whole[8:16], b"mif1" * 10**6) + whole[24:]
    yield "a million boxes", head + box(b"free") * 10**6 + whole[24:]
    yield "many tables", head + whole[24:] * 200
    arrays = b"\1" * 22 + b"\xff" + b"\xa1\xff\xff" * 60000
    for name, data in [("empty", b""), ("255 arrays of 65535", arrays),
                       ("noise", bytes(range(256)) * 64)]:
        configuration = box(seed.configuration[4:8], data)
        own = box(b"ipco", configuration, seed.ispe)
        yield f"configuration {name}", File(seed, properties=own).build()


def texts(seed):
    def described(*item, tail=b""):
        return File(seed).item(2, *item, tail=tail).refer(b"cdsc", 2, 1).build()

    return xmp_bombs.held(
        60 << 20, xmp=lambda text: described(b"mime", text, tail=XMP_TYPE),
        exif=lambda block: described(b"Exif", bytes(4) + block),
        icc=lambda profile: File(seed).owning(box(b"colr", b"prof", profile)).build())


def bombs(data):
    seed = Seed(data)
    for part in (pictures, circles, crowds, places):
        for name, file, *allowed in part(seed):
            yield name, file.build(), *allowed
    yield from nesting(seed)
    yield from texts(seed)
