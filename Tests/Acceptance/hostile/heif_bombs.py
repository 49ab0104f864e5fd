"""HEIF and AVIF files that ask for too much, or for themselves."""
import struct

from hostile import xmp_bombs
from hostile.heif_file import File, Seed, box, full, ispe

AUXILIARY = full(b"auxC", 0, b"urn:com:apple:photo:2020:aux:hdrgainmap\0")
LIGHT, TURN = box(b"clli", struct.pack(">HH", 1000, 100)), box(b"irot", b"\1")
XMP_TYPE = b"application/rdf+xml\0"


def grid(rows, columns, width, height):
    return bytes([0, 1, rows - 1, columns - 1]) + struct.pack(">II", width, height)


def iloc(*items):
    """iloc of version 1 with 64-bit numbers, of items: number, method, base, extents."""
    rows = b"".join(struct.pack(">HHHQH", number, method, 0, base, len(extents))
                    + b"".join(struct.pack(">QQQ", *extent) for extent in extents)
                    for number, method, base, *extents in items)
    return full(b"iloc", 1, b"\x88\x88", struct.pack(">H", len(items)), rows)


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
        file.properties = [configuration, ispe(width, height)]
        # A picture of that size is decoded until its data end.
        yield f"coded {width} {height}", file, 24 * width * height // 10**6
    for rows, columns, size in [(256, 256, top), (256, 256, 20000), (64, 64, 6000), (1, 1, 0)]:
        file = File(seed, primary=2).item(2, b"grid", grid(rows, columns, size, size), [2])
        file.refer(b"dimg", 2, *[1] * min(rows * columns, 65535))
        yield f"grid {rows} {columns} {size}", file


def circles(seed):
    whole, table = (grid(1, 1, 160, 107), [2]), (bytes(61), [])
    for name, primary, kind, item, inputs in [
            ("itself", 2, b"grid", whole, {2: [2]}),
            ("circle", 2, b"grid", whole, {2: [3], 3: [2]}),
            ("identity itself", 2, b"iden", whole, {2: [2]}),
            ("identity circle", 2, b"iden", whole, {2: [3], 3: [4], 4: [2]}),
            ("identity chain", 2, b"iden", whole, {n: [n + 1] for n in range(2, 2000)}),
            ("tmap of tmap", 2, b"tmap", table, {2: [3, 1], 3: [2, 1]}),
            ("tmap of itself", 2, b"tmap", table, {2: [2, 2]}),
            ("tmap whose map is itself", 1, b"tmap", table, {2: [1, 2]}),
            ("tmap whose map is its base", 2, b"tmap", table, {2: [1, 1]})]:
        file = File(seed, primary=primary)
        for number, to in inputs.items():
            file.item(number, kind, *item).refer(b"dimg", number, *to)
        yield name, file
    file = File(seed, AUXILIARY, owned=[1, 2, 3]).item(2, seed.kind, seed.data, [1, 2, 3])
    yield "auxl circle", file.refer(b"auxl", 1, 2).refer(b"auxl", 2, 1).refer(b"auxl", 1, 1)
    file = File(seed).item(2, b"mime", b"<x:xmpmeta/>", tail=XMP_TYPE)
    yield "cdsc circle", file.refer(b"cdsc", 2, 1, 2).refer(b"cdsc", 1, 1, 2)


def crowds(seed):
    """Thousands of items, references, properties, extents."""
    for name, count, kind, properties, reference, to in [
            ("30000 maps over the same data", 30000, seed.kind, [1, 2, 3], b"auxl", [1]),
            ("60000 tone maps", 60000, b"tmap", [], b"dimg", [1, 1]),
            ("40000 thumbnails", 40000, seed.kind, [1, 2], b"thmb", [1])]:
        file = File(seed, *([AUXILIARY] if reference == b"auxl" else []))
        for number in range(2, count):
            file.item(number, kind, properties=properties).refer(reference, number, *to)
        yield name, file
    for name, kind, count, to in [("400000 references to the picture", b"dimg", 400_000, [1]),
                                  ("100000 descriptions", b"cdsc", 100_000, [1] * 20)]:
        file = File(seed)
        file.references = [(kind, number % 65536, to) for number in range(count)]
        yield name, file
    row = struct.pack(">HB", 1, 255) + bytes([3]) * 255
    for name, count, further in [("5 million properties of one picture", 20000, LIGHT),
                                 ("a million turns", 4000, TURN)]:
        head = struct.pack(">IHBBB", count + 1, 1, 2, 1, 2)
        yield name, File(seed, further, links=full(b"ipma", 0, head, row * count))
    yield "500000 properties", File(seed, TURN * 500_000)
    yield "300000 items", File(seed, infos=full(b"iinf", 1, struct.pack(">I", 300_000), *[
        full(b"infe", 3, struct.pack(">IH4s", n, 0, seed.kind), b"\0") for n in range(1, 300_000)]))
    numbers = struct.pack(">III", 0, 1, 10**6) + struct.pack(">I", 1) * 10**6
    yield "a million alternatives", File(seed, more=box(b"grpl", box(b"altr", numbers)))
    rows = [struct.pack(">HHHHII", 1, 0, 0, 1, 0, len(seed.data))]
    rows += [struct.pack(">HHHH8I", n, 0, 0, 4, *(0, 17 << 20) * 4) for n in range(2, 4000)]
    file = File(seed, locations=full(b"iloc", 1, b"\x44\0", struct.pack(">H", len(rows)), *rows))
    for number in range(2, 4000):
        file.item(number, b"mime", tail=XMP_TYPE).refer(b"cdsc", number, 1)
    file.bytes[9] = bytes(18 << 20)
    yield "4000 descriptions of 68 MB each", file


def locations(seed):
    top = 2**64 - 1
    for name, base, *extents in [
            ("beyond the file", 0, (0, 10**12, 100)), ("all of 64 bits", 0, (0, top, top)),
            ("sums that wrap", top // 2, (0, top // 2, top // 2)),
            ("base that wraps", top, (0, 1, 16)), ("length that wraps", 0, (0, 16, 2**63 - 1)),
            ("65535 whole files", 0, *[(0, 0, 0)] * 65535)]:
        yield f"location {name}", File(seed, locations=iloc((1, 0, base, *extents)))
    for name, targets in [("itself", {1: 1}), ("a circle", {1: 2, 2: 1})]:
        file = File(seed, locations=iloc(*[(n, 2, 0, *[(1, 0, 0)] * 8) for n in (1, 2)]))
        for start, target in targets.items():
            file.refer(b"iloc", start, target)
        yield f"location within {name}", file.item(2, seed.kind, b"", [1, 2])
    many = full(b"iloc", 2, b"\0\0", b"\xff" * 4, bytes(100))
    yield "location count 2^32", File(seed, locations=many)


def nesting(seed):
    whole = File(seed).build()
    head, meta = whole[:24], whole.index(b"meta") - 4
    for kind in (b"meta", b"iprp", b"ipco", b"moov", b"zzzz"):
        deep = b""
        for _ in range(2000):
            deep = box(kind, deep)
        inner = box(b"free", deep) if kind == b"meta" else deep
        file = File(seed, deep) if kind == b"ipco" else File(seed, more=inner)
        yield f"nested {kind.decode()}", file.build()
        yield f"nested {kind.decode()} at the top", head + deep + whole[24:]
    for name, size in [("zero", 0), ("2 GB", 2**31), ("4 GB", 2**32 - 1), ("seven", 7)]:
        yield f"meta of size {name}", whole[:meta] + struct.pack(">I", size) + whole[meta + 4:]
    for size in (0, 15, 2**63 - 1, 2**63, 2**64 - 1, 2**64 - 16):
        for kind, rest in [("meta", whole[meta + 8:]), ("free", whole[meta:])]:
            start = struct.pack(">I4sQ", 1, kind.encode(), size)
            yield f"{kind} of size {size} in 64 bits", whole[:meta] + start + rest
    yield "a million brands", box(b"ftyp", whole[8:16], b"mif1" * 10**6) + whole[24:]
    yield "a million boxes", head + box(b"free") * 10**6 + whole[24:]
    yield "many tables", head + whole[24:] * 200
    for name, data in [("empty", b""), ("noise", bytes(range(256)) * 64),
                       ("255 arrays of 65535", b"\1" * 22 + b"\xff" + b"\xa1\xff\xff" * 60000)]:
        file = File(seed)
        file.properties[0] = box(seed.configuration[4:8], data)
        yield f"configuration {name}", file.build()


def texts(seed):
    def described(*item, tail=b""):
        return File(seed).item(2, *item, tail=tail).refer(b"cdsc", 2, 1).build()

    def colored(profile):
        return File(seed, box(b"colr", b"prof", profile), owned=[1, 2, 3]).build()

    return xmp_bombs.held(60 << 20, xmp=lambda text: described(b"mime", text, tail=XMP_TYPE),
                          exif=lambda block: described(b"Exif", bytes(4) + block), icc=colored)


def bombs(data):
    seed = Seed(data)
    for part in (pictures, circles, crowds, locations):
        for name, file, *allowed in part(seed):
            yield name, file.build(), *allowed
    yield from nesting(seed)
    yield from texts(seed)
