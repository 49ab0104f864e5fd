"""Raws and what they hold: every storage of a DNG, lists of opcodes, maps and profiles."""
import itertools
import struct
import zlib

from fuzzing.blocks import described, exif, ifd, page, tiff


class Raw:
    """A DNG: its raw picture in the main directory, others in sub-directories."""
    width, height = 24, 16

    def __init__(self, order="<"):
        self.order, self.data, self.subs = order, bytearray(), []

    def numbers(self, kind, *values):
        letter = {1: "B", 3: "H", 4: "I", 11: "f", 12: "d"}.get(kind)
        if letter:
            return kind, len(values), struct.pack(f"{self.order}{len(values)}{letter}", *values)
        whole = [round(1000 * value) for value in values]
        pairs = itertools.chain.from_iterable((each, 1000) for each in whole)
        letter = "i" if kind == 10 else "I"
        return kind, len(values), struct.pack(f"{self.order}{2 * len(values)}{letter}", *pairs)

    def picture(self, chunks, bits=16, samples=1, photometric=32803, form=1, kind=1, planar=1,
                tile=None, size=None):
        """The tags of a picture, whose data are put into the file."""
        width, height = size or (self.width, self.height)
        places = []
        for each in chunks:
            places.append(8 + len(self.data))
            self.data += each + bytes(len(each) % 2)
        n, counts = self.numbers, [len(each) for each in chunks]
        tags = {254: n(4, 0), 256: n(4, width), 257: n(4, height), 258: n(3, *[bits] * samples),
                259: n(3, form), 262: n(3, photometric), 277: n(3, samples), 284: n(3, planar),
                339: n(3, *[kind] * samples)}
        if tile:
            tags |= {322: n(4, tile[0]), 323: n(4, tile[1]), 324: n(4, *places),
                     325: n(4, *counts)}
        else:
            rows = -(-height // max(len(chunks) // (samples if planar == 2 else 1), 1))
            tags |= {273: n(4, *places), 278: n(4, rows), 279: n(4, *counts)}
        if photometric == 32803:
            tags |= {33421: n(3, 2, 2), 33422: n(1, 0, 1, 1, 2)}
        return tags

    def camera(self):
        n = self.numbers
        matrix = n(10, 0.9, -0.3, -0.1, -0.4, 1.2, 0.2, -0.1, 0.2, 0.7)
        return {50706: n(1, 1, 7, 1, 0), 50707: n(1, 1, 7, 1, 0), 271: (2, 7, b"rawdev\0"),
                272: (2, 6, b"shell\0"), 50708: (2, 6, b"shell\0"), 274: n(3, 6), 50721: matrix,
                50778: n(3, 21), 50728: n(5, 0.5, 1, 0.7)}

    def sub(self, tags):
        self.subs.append(tags)

    def file(self, tags):
        """The file of these tags in the main directory."""
        data, places = bytes(self.data), []
        for each in self.subs:
            places.append(8 + len(data))
            data += ifd(self.order, [(tag, *value) for tag, value in each.items()], places[-1])
            data += bytes(len(data) % 2)
        if places:
            tags = tags | {330: self.numbers(4, *places)}
        at = 8 + len(data)
        mark = (b"II" if self.order == "<" else b"MM") + struct.pack(self.order + "HI", 42, at)
        return mark + data + ifd(self.order, [(tag, *value) for tag, value in tags.items()], at)


def dngs(folder):
    def noise(count):
        return bytes((n * 167 + n // 7) & 127 for n in range(count))

    area = Raw.width * Raw.height
    for order, mark in (("<", "II"), (">", "MM")):
        for bits, samples, kind in [(bits, samples, 1) for bits in (1, 7, 8, 10, 12, 14, 16, 24, 32)
                                    for samples in (1, 3)] + [
                                        (bits, 3, 3) for bits in (16, 24, 32)] + [(16, 2, 1)]:
            raw = Raw(order)
            row = -(-Raw.width * samples * bits // 8)
            tags = raw.picture([noise(row * Raw.height)], bits, samples,
                               32803 if samples == 1 else 34892, 1, kind)
            yield f"plain-{mark}-{bits}-{samples}-{kind}", raw.file(tags | raw.camera())
        for predictor, bits, kind in itertools.product((1, 2, 3, 34892, 34893, 34894, 34895),
                                                       (8, 16, 24, 32), (1, 3)):
            raw = Raw(order)
            packed = zlib.compress(noise(area * 3 * bits // 8))
            tags = raw.picture([packed], bits, 3, 34892, 8, kind) | {317: raw.numbers(3, predictor)}
            yield f"deflate-{mark}-{predictor}-{bits}-{kind}", raw.file(tags | raw.camera())
        for planar, tile, count in ((1, None, 4), (2, None, 3), (2, (16, 16), 6), (1, (16, 16), 2)):
            raw = Raw(order)
            size = (tile[0] * tile[1] if tile else area * 3 // count) * 2
            chunks = [noise(size * (3 if tile and planar == 1 else 1))] * count
            tags = raw.picture(chunks, 16, 3, 34892, planar=planar, tile=tile)
            yield f"parts-{mark}-{planar}-{count}", raw.file(tags | raw.camera())
        for tag, values in ((50974, (2, 2)), (50975, (2,)), (52547, (2,)), (50711, (2,)),
                            (50707, (1, 9, 0, 0)), (50829, (2, 2, 14, 22)), (50829, (9, 9, 1, 1)),
                            (50713, (2, 2)), (50713, (99, 99)), (50710, (0, 1, 3)),
                            (50714, (70000,)), (274, (99,)), (51089, (96, 64)), (51125, (0,)),
                            (33422, (0, 1, 2, 3)), (33421, (99, 2)), (258, (4, 4))):
            raw = Raw(order)
            tags = raw.picture([noise(2 * area)]) | raw.camera()
            kind = 1 if tag in (50707, 50710, 33422) else 4 if tag in (50829, 50714, 51089) else 3
            tags |= {tag: raw.numbers(kind, *values)}
            yield f"tag-{mark}-{tag}-{values[0]}", raw.file(tags)
        raw = Raw(order)
        n = raw.numbers
        tags = raw.picture([noise(2 * area)]) | raw.camera() | {
            50712: n(3, *range(0, 60000, 200)), 50713: n(3, 2, 2), 50714: n(5, 1, 2, 3, 4),
            50715: n(10, *[0.1 * k for k in range(20)]), 50716: n(10, *[0.1] * 12),
            50717: n(4, 60000), 50718: n(5, 1, 1), 50719: n(5, 2, 2), 50720: n(5, 16, 8),
            50829: n(4, 2, 2, 14, 22), 50830: n(4, 0, 0, 2, 24), 50730: n(10, 0.5),
            50734: n(5, 0.9), 50739: n(5, 1), 51125: n(5, 0.1, 0.1, 0.9, 0.9),
            51041: n(12, 1e-4, 1e-6), 50935: n(5, 0.5), 50727: n(5, 1, 1, 1), 50723: n(
                10, 1, 0, 0, 0, 1, 0, 0, 0, 1), 50936: (2, 2, b"a\0"), 50940: n(
                11, 0, 0, 0.5, 0.6, 1, 1), 50931: (2, 2, b"s\0"), 50932: (2, 2, b"s\0"),
            700: (1, len(described()), described('xmp:Rating="3"')), 50781: n(1, *range(16)),
            34665: n(4, 0), 50735: (2, 3, b"12\0"), 52525: (7, 100, bytes(100))}
        yield f"levels-{mark}", raw.file(tags)
        # Beside the raw: a preview, mattes, depth, a mask.
        raw = Raw(order)
        n = raw.numbers
        main = raw.picture([noise(2 * area)]) | raw.camera()
        small = (folder / "jpeg-sdr.still").read_bytes() if folder else b""
        preview = raw.picture([small], 8, 3, 6, 7, size=(64, 42)) | {254: n(4, 1)}
        raw.sub(preview | {50966: (2, 2, b"a\0"), 50971: (2, 2, b"b\0"), 50970: n(4, 2)})
        for photometric, kind, use, more in (
                (52527, 1, 0x10004, {52526: (2, 4, b"sky\0"), 52528: (2, 2, b"i\0"),
                                     52536: n(4, 1, 2, 40, 30)}),
                (52527, 1, 0x10004, {52526: (2, 30, b"com.apple.semanticskinmatte..\0")}),
                (52527, 1, 0x10004, {52536: n(4, 1, 2, 3, 4)}), (51177, 1, 8, {}),
                (51177, 1, 9, {}),
                (4, 1, 4, {}), (4, 1, 5, {}), (51177, 3, 8, {})):
            bits = 32 if kind == 3 else 8
            raw.sub(raw.picture([noise(area * bits // 8)], bits, 1, photometric, 1, kind)
                    | {254: n(4, use)} | more)
        yield f"beside-{mark}", raw.file(main | {
            51177: n(3, 1), 51178: n(5, 0.5), 51179: n(5, 9), 51180: n(3, 1), 51181: n(3, 1)})
        for units, form in ((2, 2), (1, 3), (0, 0), (9, 9)):
            yield f"depth-{mark}-{units}-{form}", raw.file(main | {
                51177: n(3, form), 51178: n(5, 0.5), 51179: n(5, 9), 51180: n(3, units),
                51181: n(3, 2)})
        # Further profiles, each a TIFF of its own within the file.
        raw = Raw(order)
        n = raw.numbers
        tags = raw.picture([noise(2 * area)]) | raw.camera()
        places = []
        for name, profile in profiles():
            if profile.startswith(mark.encode()):
                places.append(8 + len(raw.data))
                raw.data += profile + bytes(len(profile) % 2)
        yield f"profiles-{mark}", raw.file(tags | {50933: n(4, *places), 50934: (2, 2, b"a\0")})
    # Four colors, X-Trans.
    for name, pattern, side, planes in (
            ("four", (0, 1, 3, 2), 2, (0, 1, 2, 3)),
            ("xtrans", map(int, "101121212010101121121101010212121101"), 6, (0, 1, 2)),
            ("gray", (0,), 1, (0,))):
        raw = Raw()
        n = raw.numbers
        tags = raw.picture([noise(2 * area)]) | raw.camera() | {
            33421: n(3, side, side), 33422: n(1, *pattern), 50710: n(1, *planes)}
        if name == "four":
            tags |= {50721: n(10, 0.9, -0.3, -0.1, -0.4, 1.2, 0.2, -0.1, 0.2, 0.7, 0.1, 0.5, 0.3),
                     50728: n(5, 0.5, 1, 1, 0.7)}
        yield f"colors-{name}", raw.file(tags)
    tags = page(Raw.width, Raw.height, 16, 1, 32803) | {
        33421: (3, [2, 2]), 33422: (1, [0, 1, 1, 2]), 50706: (1, [1, 7, 1, 0])}
    yield "big", tiff(tags, noise(2 * area), wide=True)


def undecoded(folder):
    """Raws of makers that declare ways of storage that are identified and not decoded."""
    def with_tag(data, tag, old, new):
        for order in "<>":
            for kind in "HI":
                head = struct.pack(order + "HHI", tag, 3 if kind == "H" else 4, 1)
                row = head + struct.pack(order + kind, old)
                if row in data:
                    return data.replace(row, head + struct.pack(order + kind, new))
        return data

    def read(name):
        return (folder / f"{name}.raw").read_bytes()

    yield "sony-form", with_tag(read("arwUncompressed"), 259, 1, 32766)
    yield "sony-tiles", with_tag(read("arwLosslessJPEG"), 322, 512, 99)
    for form in (8, 9):
        for old in (4, 5, 6, 7):
            yield f"panasonic-{form}-{old}", with_tag(read(f"rw2Format{old}"), 0x2D, old, form)
    for old, form in itertools.product((1, 2, 3, 4, 6, 7), (13, 14)):
        for name in ("nefLossless", "nefLossy", "nefPacked"):
            changed = with_tag(read(name), 0x93, old, form)
            if changed != read(name):
                yield f"nikon-{name}-{form}", changed
    yield "olympus", read("orfPacked").replace(b"OLYMPUS CORPORATION", b"OM Digital Solution")
    canon = read("cr3")
    at = canon.index(b"CMP1") + 8
    for version in (2, 3):
        yield f"canon-{version}", canon[:at] + bytes([version, 0]) + canon[at + 2:]


def opcodes():
    def listing(*every):
        rows = b"".join(struct.pack(">IIII", number, 0x1030000, flags, len(data)) + data
                        for number, flags, data in every)
        return struct.pack(">I", len(every)) + rows

    def doubles(*numbers):
        return struct.pack(f">{len(numbers)}d", *numbers)

    area = struct.pack(">8I", 0, 0, 48, 64, 0, 1, 1, 1)
    part = struct.pack(">8I", 4, 4, 40, 50, 0, 1, 2, 2)
    lens = doubles(1, 0.02, -0.01, 0.005, 0.001, -0.001)
    every = {
        1: [struct.pack(">I", 1) + lens + doubles(0.5, 0.5),
            struct.pack(">I", 3) + lens * 3 + doubles(0.4, 0.6)],
        2: [struct.pack(">I", 1) + doubles(1, 0.01, 0.001, 0, 0.5, 0.5)],
        3: [doubles(0.3, -0.1, 0.02, 0, 0, 0.5, 0.5)],
        4: [struct.pack(">II", 0, 0), struct.pack(">II", 36, 1)],
        5: [struct.pack(">III", 0, 2, 1) + struct.pack(">4I", 3, 4, 9, 9)
            + struct.pack(">4I", 2, 2, 4, 4)],
        6: [struct.pack(">4I", 0, 0, 48, 64), struct.pack(">4I", 2, 2, 40, 60)],
        7: [part + struct.pack(">I4H", 4, 0, 100, 200, 300)],
        8: [area + struct.pack(">I", 2) + doubles(0, 1.1, -0.1),
            part + struct.pack(">I", 8) + doubles(0, 1, *[0.01] * 7)],
        9: [part + struct.pack(">II4dI4f", 2, 2, 1, 1, 0, 0, 1, 1, 1.1, 1.2, 1.3)],
        10: [area + struct.pack(">I48f", 48, *[n / 1e4 for n in range(48)])],
        11: [part + struct.pack(">I25f", 25, *[n / 1e4 for n in range(25)])],
        12: [part + struct.pack(">I20f", 20, *[1 + n / 100 for n in range(20)])],
        13: [area + struct.pack(">I64f", 64, *[1 + n / 100 for n in range(64)])],
        14: [struct.pack(">I", 1) + doubles(1, *[0.001] * 14, 1e-4, 1e-4, 0, 1, 0.5, 0.5)
             + struct.pack(">I", form) for form in (0, 1)]}
    for number, kinds in every.items():
        for at, data in enumerate(kinds):
            for place in range(3):
                yield f"{number}-{at}-{place}", bytes([place]) + listing((number, 0, data))
    for number in (1, 2, 14):
        # With half of the lens corrected.
        for at, data in enumerate(every[number]):
            for place in (128, 129, 130):
                yield f"half-{number}-{at}-{place}", bytes([place]) + listing((number, 0, data))
    several = [(number, 1, kinds[-1]) for number, kinds in every.items()]
    for place in range(3):
        yield f"all-{place}", bytes([place]) + listing(*several)
        yield f"unknown-{place}", bytes([place]) + listing((99, 0, b"a"), (98, 3, b"b"))
        yield f"cut-{place}", bytes([place]) + listing((9, 1, b"a"), (1, 0, lens))


def gain_maps():
    head = struct.pack("<IIddddI5f", 2, 3, 0.5, 0.4, 0.1, 0.1, 4, 0.2, 0.2, 0.2, 0.2, 0.2)
    yield "first", b"\0" + head + struct.pack("<24f", *[1 + n / 24 for n in range(24)])
    for kind, data in ((0, bytes(range(24))), (1, bytes(range(48))), (2, b"\0\x3c" * 24),
                       (3, struct.pack("<24f", *[1 + n / 24 for n in range(24)]))):
        yield f"second-{kind}", b"\1" + head + struct.pack("<Ifff", kind, 1, 0.5, 4) + data
    yield "one", b"\0" + struct.pack("<IIddddI5f", 1, 1, 0, 0, 0, 0, 1, *[0.2] * 5) + struct.pack(
        "<f", 2)


def profiles():
    """Camera profiles (.dcp): matrices, tables and curves of each kind, in both byte orders."""
    for order in "<>":
        def rationals(*numbers):
            return 10, len(numbers), struct.pack(
                f"{order}{2 * len(numbers)}i",
                *itertools.chain.from_iterable((round(1e4 * n), 10**4) for n in numbers))

        def floats(*numbers):
            return 11, len(numbers), struct.pack(f"{order}{len(numbers)}f", *numbers)

        def shorts(*numbers):
            return 3, len(numbers), struct.pack(f"{order}{len(numbers)}H", *numbers)

        def longs(*numbers):
            return 4, len(numbers), struct.pack(f"{order}{len(numbers)}I", *numbers)

        def text(string):
            return 2, len(string) + 1, string.encode() + b"\0"

        def raw(data):
            return 7, len(data), data

        matrix = rationals(0.9, -0.3, -0.1, -0.4, 1.2, 0.2, -0.1, 0.2, 0.7)
        identity = rationals(0.6, 0.3, 0.06, 0.3, 0.7, 0, 0, 0, 0.8)
        hues = floats(*([0.0, 1.0, 1.0] + [5.0, 1.1, 0.9] * 11))
        base = {50721: matrix, 50778: shorts(21), 50936: text("a"), 50708: text("rawdev shell"),
                50942: text("c"), 50941: longs(0)}
        def cube(name, kind, samples):
            head = struct.pack(order + "H", len(name)) + name + bytes([2, kind, 1, 2, 1])
            return head + struct.pack(f"{order}24{samples}", *(n % 2 for n in range(24)))

        cubes = cube(b"", 0, "B") + cube(b"sky", 1, "H") + cube(b"skin", 2, "f")
        cubes = struct.pack(order + "II", 3, 1) + cubes
        cases = {
            "one": base,
            "two": base | {50722: matrix, 50779: shorts(17), 50964: identity, 50965: identity},
            "three": base | {50722: matrix, 50779: shorts(17), 52531: matrix, 52529: shorts(24),
                             52532: identity},
            "hues": base | {50937: longs(3, 4, 1), 50938: hues, 50939: hues, 51107: longs(1),
                            50722: matrix, 50779: shorts(17)},
            "look": base | {50981: longs(3, 4, 1), 50982: hues, 51108: longs(0)},
            "curve": base | {50940: floats(0, 0, 0.2, 0.4, 0.7, 0.9, 1, 1), 51109: rationals(0.5),
                             51110: longs(1)},
            "range": base | {52551: raw(struct.pack(f"{order}HHf", 1, 1, 4))},
            "illuminant": base | {50778: shorts(255), 52533: raw(struct.pack(
                f"{order}HIIII", 0, 3127, 10**4, 3290, 10**4))},
            "spectrum": base | {50778: shorts(255), 52533: raw(struct.pack(
                f"{order}HI8i", 1, 3, 400, 1, 100, 1, 5, 10, 9, 10)
                + struct.pack(f"{order}2i", 6, 10))},
            "tables": base | {52543: raw(cubes)}, "light": base | {50778: shorts(99)},
            "singular": base | {50721: rationals(*[1] * 9)},
            "nameless": {tag: value for tag, value in base.items() if tag not in (50936, 50708)}}
        for name, tags in cases.items():
            entries = [(tag, *value) for tag, value in tags.items()]
            mark = b"IIRC" if order == "<" else b"MMCR"
            yield f"{name}-{'little' if order == '<' else 'big'}", (
                mark + struct.pack(order + "I", 8) + ifd(order, entries, 8))


def notes():
    own, _ = exif(">")
    note = next(value for tag, _, _, value in own if tag == 37500)
    yield "note", note
    yield "exif", b"MM\0*" + struct.pack(">I", 8) + ifd(">", own, 8)
    nested = ifd(">", [(34665, 4, 1, struct.pack(">I", 26))], 8)
    yield "block", b"MM\0*" + struct.pack(">I", 8) + nested + ifd(">", own, 26)
