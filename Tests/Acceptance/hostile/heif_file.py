"""HEIF and AVIF files put together item by item, right or wrong."""
import re
import struct


def box(kind, *parts):
    data = b"".join(parts)
    return struct.pack(">I4s", len(data) + 8, kind) + data


def full(kind, version, *parts, flags=0):
    return box(kind, struct.pack(">I", version << 24 | flags), *parts)


def ispe(width, height):
    return full(b"ispe", 0, struct.pack(">II", width, height))


def find(data, kind):
    """The first box of `kind`, wherever it is."""
    at = data.index(kind) - 4
    return data[at:at + int.from_bytes(data[at:at + 4], "big")]


def golomb(value):
    text = f"{value + 1:b}"
    return "0" * (len(text) - 1) + text


def with_bits(data, old, new):
    """With other bits in place of those of the size, which are there once."""
    text = f"{int.from_bytes(data):0{8 * len(data)}b}"
    assert text.count(old) == 1, "the size is not where it is expected"
    text = text.replace(old, new)
    text += "0" * (-len(text) % 8)
    return int(text, 2).to_bytes(len(text) // 8)


def hevc_resized(unit, size, width, height):
    """A sequence parameter set (H.265 7.3.2.2) for another size than `size`, which x265 rounds up
    to its smallest coding block. Some of its bytes only keep start codes out."""
    coded = "".join(golomb(-(-side // 8) * 8) for side in size)
    plain = unit[:2] + unit[2:].replace(b"\0\0\3", b"\0\0")
    resized = with_bits(plain, coded, golomb(width) + golomb(height))
    return re.sub(rb"\0\0(?=[\0-\3])", b"\0\0\3", resized)


def av1_resized(header, size, width, height):
    """A sequence header (AV1 5.5.1) for another size than `size`, of up to 65536."""
    w, h = (side - 1 for side in size)
    coded = f"{w.bit_length() - 1:04b}{h.bit_length() - 1:04b}{w:b}{h:b}"
    return with_bits(header, coded, "1" * 8 + f"{width - 1:016b}{height - 1:016b}")


class Seed:
    """The coded picture of a file: configuration, data, size."""

    def __init__(self, data):
        self.is_av1 = data[8:12] == b"avif"
        self.kind = b"av01" if self.is_av1 else b"hvc1"
        self.configuration = find(data, b"av1C" if self.is_av1 else b"hvcC")
        self.data = data[data.rindex(b"mdat") + 4:]
        self.ispe = find(data, b"ispe")
        self.size = struct.unpack(">II", self.ispe[12:])

    def resized(self, width, height):
        """The configuration box of a picture of another size, and its data."""
        if self.is_av1:
            # OBUs: the sequence header is 0x0A, a length and as many bytes.
            at = self.data.index(b"\x0a") + 2
            end = at + self.data[at - 1]
            header = av1_resized(self.data[at:end], self.size, width, height)
            coded = self.data[:at - 1] + bytes([len(header)]) + header + self.data[end:]
            return self.configuration[:12], coded
        record, at = self.configuration[8:], 23
        out = record[:at]
        for _ in range(record[22]):
            # An array of parameter sets: its kind, their number, each with its length.
            kind, count = struct.unpack_from(">BH", record, at)
            out, at = out + record[at:at + 3], at + 3
            for _ in range(count):
                end = at + 2 + int.from_bytes(record[at:at + 2])
                unit, at = record[at + 2:end], end
                if kind & 63 == 33:
                    unit = hevc_resized(unit, self.size, width, height)
                out += struct.pack(">H", len(unit)) + unit
        return box(b"hvcC", out), self.data


class File:
    """Items with their properties (numbers from 1 of `properties`: the picture's own, then
    `further` ones), references and bytes; `parts` are boxes in place of those made of them."""

    def __init__(self, seed, *further, primary=1, owned=(1, 2), **parts):
        self.seed, self.primary = seed, primary
        self.properties = [seed.configuration, seed.ispe, *further]
        self.items = [(1, seed.kind, b"", owned)]
        self.bytes = {1: seed.data}
        self.references, self.parts = [], parts

    def item(self, number, kind, data=None, properties=(), tail=b""):
        self.items.append((number, kind, tail, properties))
        if data is not None:
            self.bytes[number] = data
        return self

    def refer(self, kind, start, *to):
        self.references.append((kind, start, to))
        return self

    def infos(self):
        entries = [full(b"infe", 2, struct.pack(">HH4s", number, 0, kind), b"\0", tail)
                   for number, kind, tail, _ in self.items]
        return full(b"iinf", 0, struct.pack(">H", len(entries) & 0xFFFF), *entries)

    def links(self):
        linked = [(number, indices) for number, _, _, indices in self.items if indices]
        return full(b"ipma", 0, struct.pack(">I", len(linked)), *[
            struct.pack(f">HB{len(i)}B", number, len(i), *i) for number, i in linked])

    def locations(self, base):
        rows, at = [], base
        for number, data in self.bytes.items():
            rows.append(struct.pack(">HHHHII", number, 0, 0, 1, at, len(data)))
            at += len(data)
        return full(b"iloc", 1, b"\x44\0", struct.pack(">H", len(rows)), *rows)

    def build(self):
        brand = b"avif" if self.seed.is_av1 else b"heic"
        head = box(b"ftyp", brand, bytes(4), b"mif1", brand)
        references = [box(kind, struct.pack(f">HH{len(to)}H", start, len(to), *to))
                      for kind, start, to in self.references]
        fixed = b"".join([
            full(b"hdlr", 0, bytes(4), b"pict", bytes(13)),
            full(b"pitm", 0, struct.pack(">H", self.primary)),
            self.parts.get("infos") or self.infos(),
            full(b"iref", 0, *references) if references else b"",
            box(b"iprp", box(b"ipco", *self.properties), self.parts.get("links") or self.links()),
            self.parts.get("more", b"")])
        locations = self.parts.get("locations")
        base = len(head) + 12 + len(fixed) + len(locations or self.locations(0)) + 8
        meta = full(b"meta", 0, fixed, locations or self.locations(base))
        return head + meta + box(b"mdat", *self.bytes.values())
