"""Boxes of ISO base media files (ISO/IEC 14496-12), and of a HEIF still (ISO/IEC 23008-12) what
the checks need: brands, items, properties. Shares no code with the product."""
import struct


class Broken(ValueError):
    """Where a box begins that leaves its parent, and what is wrong with it."""


def boxes(data, start=0, end=None):
    """(type, start, payload start, end) of the boxes in data[start:end]."""
    end = len(data) if end is None else end
    while start + 8 <= end:
        size, kind = struct.unpack_from(">I4s", data, start)
        head = 8
        if size == 1 and start + 16 <= end:
            size, head = struct.unpack_from(">Q", data, start + 8)[0], 16
        if size == 0:
            size = end - start
        if size < head or start + size > end:
            raise Broken(start, f"box {kind} of {size} bytes leaves its parent")
        yield kind.decode("latin1"), start, start + head, start + size
        start += size
    if start != end:
        raise Broken(start, "bytes after the last box")


class Still:
    """A HEIF file in memory."""

    def __init__(self, path):
        self.data = data = open(path, "rb").read()
        top = self._spans(0)
        a, b = top["ftyp"]
        self.major = data[a:a + 4].decode()
        self.brands = [data[i:i + 4].decode() for i in range(a + 8, b, 4)]
        meta = self._spans(top["meta"][0] + 4, top["meta"][1])
        self.primary, = struct.unpack_from(">H", data, meta["pitm"][0] + 4)
        self.idat = meta.get("idat", (0, 0))[0]
        self.types = {struct.unpack_from(">H", data, x + 4)[0]: data[x + 8:x + 12].decode()
                      for _, _, x, _ in boxes(data, meta["iinf"][0] + 6, meta["iinf"][1])}
        a, b = meta["iloc"]  # version 1, offsets and lengths of four bytes, one extent
        self.extents = {row[0]: row for row in struct.iter_unpack(">HHHHII", data[a + 8:b])}
        parts = self._spans(*meta["iprp"])
        every = [(kind, data[x:y]) for kind, _, x, y in boxes(data, *parts["ipco"])]
        self.properties = {}
        at = parts["ipma"][0] + 8
        while at < parts["ipma"][1]:
            number, count = struct.unpack_from(">HB", data, at)
            at += 3 + count
            self.properties[number] = [every[(i & 0x7F) - 1] for i in data[at - count:at]]

    def _spans(self, *span):
        return {kind: (a, b) for kind, _, a, b in boxes(self.data, *span)}

    def property(self, kind, item=None):
        """The payload of the first property `kind` of an item, None when it has none."""
        return dict(self.properties[item or self.primary][::-1]).get(kind)

    def item(self, number):
        _, method, _, _, offset, length = self.extents[number]
        offset += self.idat if method == 1 else 0
        return self.data[offset:offset + length]
