"""Reads the boxes of a HEIF still (ISO/IEC 23008-12) as far as the checks need them: brands, items,
properties, and the HEVC stream of an item in the form that ffmpeg takes. Shares no code with the
writer."""
import struct


def boxes(data, start=0, end=None):
    """(type, payload start, payload end) of the boxes in data[start:end]."""
    end = len(data) if end is None else end
    while start + 8 <= end:
        size, kind = struct.unpack(">I4s", data[start:start + 8])
        head = 8
        if size == 1:
            size, head = struct.unpack(">Q", data[start + 8:start + 16])[0], 16
        if size == 0:
            size = end - start
        if size < head or start + size > end:
            raise ValueError(f"box {kind} of {size} bytes leaves its parent")
        yield kind.decode("latin1"), start + head, start + size
        start += size
    if start != end:
        raise ValueError("bytes after the last box")


class Still:
    """A HEIF file in memory."""

    def __init__(self, path):
        self.data = data = open(path, "rb").read()
        top = {kind: (a, b) for kind, a, b in boxes(data)}
        a, b = top["ftyp"]
        self.major = data[a:a + 4].decode()
        self.brands = [data[i:i + 4].decode() for i in range(a + 8, b, 4)]
        meta = {kind: (x, y) for kind, x, y in boxes(data, top["meta"][0] + 4, top["meta"][1])}
        self.primary = struct.unpack(">H", data[meta["pitm"][0] + 4:meta["pitm"][0] + 6])[0]
        self._types(*meta["iinf"])
        self._locations(*meta["iloc"])
        self.idat = meta.get("idat", (0, 0))
        self._properties(*meta["iprp"])

    def _types(self, a, b):
        self.types = {}
        for kind, x, y in boxes(self.data, a + 6, b):
            number = struct.unpack(">H", self.data[x + 4:x + 6])[0]
            self.types[number] = self.data[x + 8:x + 12].decode()

    def _locations(self, a, b):
        d, self.places = self.data, {}
        count = struct.unpack(">H", d[a + 6:a + 8])[0]
        for i in range(count):  # version 1, offsets and lengths of four bytes, one extent
            number, method, _, _, offset, length = struct.unpack(
                ">HHHHII", d[a + 8 + 16 * i:a + 24 + 16 * i])
            self.places[number] = (method, offset, length)

    def _properties(self, a, b):
        parts = {kind: (x, y) for kind, x, y in boxes(self.data, a, b)}
        every = [(kind, self.data[x:y]) for kind, x, y in boxes(self.data, *parts["ipco"])]
        self.properties = {}
        at = parts["ipma"][0] + 8
        while at < parts["ipma"][1]:
            number, count = struct.unpack(">HB", self.data[at:at + 3])
            indices = self.data[at + 3:at + 3 + count]
            self.properties[number] = [every[(i & 0x7F) - 1] for i in indices]
            at += 3 + count

    def property(self, kind, item=None):
        """The payload of the first property `kind` of an item, None when it has none."""
        for name, payload in self.properties[item or self.primary]:
            if name == kind:
                return payload

    def item(self, number):
        method, offset, length = self.places[number]
        offset += self.idat[0] if method == 1 else 0
        return self.data[offset:offset + length]

    def stream(self, number):
        """Parameter sets and pictures of an hvc1 item with start codes."""
        record, out = self.property("hvcC", number), b""
        at = 23
        for _ in range(record[22]):
            count = struct.unpack(">H", record[at + 1:at + 3])[0]
            at += 3
            for _ in range(count):
                size = struct.unpack(">H", record[at:at + 2])[0]
                out += b"\0\0\0\1" + record[at + 2:at + 2 + size]
                at += 2 + size
        data, at = self.item(number), 0
        while at < len(data):
            size = struct.unpack(">I", data[at:at + 4])[0]
            out += b"\0\0\0\1" + data[at + 4:at + 4 + size]
            at += 4 + size
        return out
