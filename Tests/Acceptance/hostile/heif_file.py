"""HEIF and AVIF files put together item by item, right or wrong."""
import struct

from hostile import bits
from support.boxes import hevc_arrays


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


class Seed:
    """The coded picture of a file: configuration, data, size."""

    def __init__(self, data):
        self.is_av1 = data[8:12] == b"avif"
        self.kind = b"av01" if self.is_av1 else b"hvc1"
        self.configuration = find(data, b"av1C" if self.is_av1 else b"hvcC")
        mdat = data.rindex(b"mdat")
        self.data = data[mdat + 4:]
        self.ispe = find(data, b"ispe")

    def resized(self, width, height):
        """The configuration box of a picture of another size, and its data."""
        if self.is_av1:
            at = self.configuration.find(b"\x0a", 12)
            if at < 0:
                return self.configuration, self.unit(width, height, self.data)
            return self.configuration[:12], self.unit(width, height, self.data)
        record = self.configuration[8:]
        out = record[:23]
        for first, units in hevc_arrays(record):
            resized = [bits.hevc_resized(unit, width, height) if first & 63 == 33 else unit for unit in units]
            out += struct.pack(">BH", first, len(units)) + b"".join(
                struct.pack(">H", len(unit)) + unit for unit in resized)
        return box(b"hvcC", out), self.data

    @staticmethod
    def unit(width, height, data):
        """OBUs with the sequence header (0x0A and a length) changed."""
        at = data.index(b"\x0a")
        size = data[at + 1]
        header = bits.av1_resized(data[at + 2:at + 2 + size], width, height)
        return data[:at] + bytes([0x0A, len(header)]) + header + data[at + 2 + size:]


class File:
    """Items with their properties (numbers from 1 of `properties`), references and bytes."""

    def __init__(self, seed, primary=1):
        self.seed, self.primary = seed, primary
        self.properties = [seed.configuration, seed.ispe]
        self.items = [(1, seed.kind, b"", [1, 2])]
        self.bytes = {1: seed.data}
        self.references, self.more, self.places, self.links = [], b"", None, None
        self.infos, self.property_box = None, None

    def item(self, number, kind, data=None, properties=(), tail=b""):
        self.items.append((number, kind, tail, list(properties)))
        if data is not None:
            self.bytes[number] = data
        return self

    def refer(self, kind, start, *to):
        self.references.append((kind, start, to))
        return self

    def info(self):
        entries = [full(b"infe", 2, struct.pack(">HH4s", number, 0, kind), b"\0", tail)
                   for number, kind, tail, _ in self.items]
        return full(b"iinf", 0, struct.pack(">H", len(entries) & 0xFFFF), *entries)

    def reference_box(self):
        return full(b"iref", 0, *[box(kind, struct.pack(f">HH{len(to)}H", start, len(to), *to))
                                  for kind, start, to in self.references])

    def link_box(self):
        linked = [(number, indices) for number, _, _, indices in self.items if indices]
        return full(b"ipma", 0, struct.pack(">I", len(linked)), *[
            struct.pack(f">HB{len(i)}B", number, len(i), *i) for number, i in linked])

    def place_box(self, base):
        if self.places is not None:
            return self.places
        rows, at = [], base
        for number, data in self.bytes.items():
            rows.append(struct.pack(">HHHHII", number, 0, 0, 1, at, len(data)))
            at += len(data)
        return full(b"iloc", 1, b"\x44\0", struct.pack(">H", len(rows)), *rows)

    def build(self):
        brand = b"avif" if self.seed.is_av1 else b"heic"
        head = box(b"ftyp", brand, bytes(4), b"mif1", brand)
        fixed = b"".join([
            full(b"hdlr", 0, bytes(4), b"pict", bytes(13)),
            full(b"pitm", 0, struct.pack(">H", self.primary)),
            self.infos or self.info(), self.reference_box() if self.references else b"",
            box(b"iprp", self.property_box or box(b"ipco", *self.properties),
                self.links or self.link_box()), self.more])
        base = len(head) + 12 + len(fixed) + len(self.place_box(0)) + 8
        return head + full(b"meta", 0, fixed, self.place_box(base)) + box(b"mdat", *self.bytes.values())
