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


def unpacked(data):
    return "".join(f"{byte:08b}" for byte in data)


def golomb(value):
    text = f"{value + 1:b}"
    return "0" * (len(text) - 1) + text


def joined(text):
    text += "0" * (-len(text) % 8)
    return bytes(int(text[i:i + 8], 2) for i in range(0, len(text), 8))


def escaped(data):
    """With the bytes that keep start codes out of a NAL unit."""
    return re.sub(rb"\0\0(?=[\0-\3])", b"\0\0\3", data)


def hevc_resized(unit, size, width, height):
    """A sequence parameter set (H.265 7.3.2.2) for another size than `size`, which x265 rounds up
    to its smallest coding block."""
    text = unpacked(unit[:2] + unit[2:].replace(b"\0\0\3", b"\0\0"))
    coded = "".join(golomb(-(-side // 8) * 8) for side in size)
    assert text.count(coded) == 1, "the size is not where it is expected"
    return escaped(joined(text.replace(coded, golomb(width) + golomb(height))))


def av1_resized(header, size, width, height):
    """A sequence header (AV1 5.5.1) for another size than `size`, of up to 65536."""
    text, most = unpacked(header), [side - 1 for side in size]
    coded = "".join(f"{side.bit_length() - 1:04b}" for side in most)
    coded += "".join(f"{side:b}" for side in most)
    assert text.count(coded) == 1, "the size is not where it is expected"
    return joined(text.replace(coded, "1" * 8 + f"{width - 1:016b}{height - 1:016b}"))


def hevc_arrays(record):
    """Arrays of parameter sets in a decoder configuration record: (first byte, units)."""
    at = 23
    for _ in range(record[22]):
        first, count = struct.unpack_from(">BH", record, at)
        at, units = at + 3, []
        for _ in range(count):
            size, = struct.unpack_from(">H", record, at)
            units.append(bytes(record[at + 2:at + 2 + size]))
            at += 2 + size
        yield first, units


class Seed:
    """The coded picture of a file: configuration, data, size."""

    def __init__(self, data):
        self.is_av1 = data[8:12] == b"avif"
        self.kind = b"av01" if self.is_av1 else b"hvc1"
        self.configuration = find(data, b"av1C" if self.is_av1 else b"hvcC")
        mdat = data.rindex(b"mdat")
        self.data = data[mdat + 4:]
        self.ispe = find(data, b"ispe")
        self.size = struct.unpack(">II", self.ispe[12:])

    def resized(self, width, height):
        """The configuration box of a picture of another size, and its data."""
        if self.is_av1:
            return self.configuration[:12], self.unit(width, height)
        record = self.configuration[8:]
        out = record[:23]
        for first, units in hevc_arrays(record):
            if first & 63 == 33:
                units = [hevc_resized(unit, self.size, width, height) for unit in units]
            out += struct.pack(">BH", first, len(units)) + b"".join(
                struct.pack(">H", len(unit)) + unit for unit in units)
        return box(b"hvcC", out), self.data

    def unit(self, width, height):
        """OBUs with the sequence header (0x0A and a length) changed."""
        at = self.data.index(b"\x0a") + 2
        end = at + self.data[at - 1]
        header = av1_resized(self.data[at:end], self.size, width, height)
        return self.data[:at - 1] + bytes([len(header)]) + header + self.data[end:]


class File:
    """Items with their properties (numbers from 1 of `properties`), references and bytes; `parts`
    are boxes in place of those made of them."""

    def __init__(self, seed, primary=1, **parts):
        self.seed, self.primary = seed, primary
        self.properties = [seed.configuration, seed.ispe]
        self.items = [(1, seed.kind, b"", [1, 2])]
        self.bytes = {1: seed.data}
        self.references, self.parts = [], parts

    def owning(self, *boxes):
        """With further properties of the first item."""
        self.properties += boxes
        self.items[0][3].extend(range(3, 3 + len(boxes)))
        return self

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
            self.parts.get("infos") or self.info(),
            self.reference_box() if self.references else b"",
            box(b"iprp", self.parts.get("properties") or box(b"ipco", *self.properties),
                self.parts.get("links") or self.link_box()), self.parts.get("more", b"")])
        places = self.parts.get("places")
        base = len(head) + 12 + len(fixed) + len(places or self.place_box(0)) + 8
        return head + full(b"meta", 0, fixed, places or self.place_box(base)) + box(
            b"mdat", *self.bytes.values())
