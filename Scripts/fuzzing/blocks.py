"""Pieces of which first inputs are made: XMP packets, directories of TIFFs, Exif, profiles."""
import struct

RDF = (b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF '
       b'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">%s</rdf:RDF></x:xmpmeta>')
NAMES = {
    "crs": "http://ns.adobe.com/camera-raw-settings/1.0/", "dc": "http://purl.org/dc/elements/1.1/",
    "tiff": "http://ns.adobe.com/tiff/1.0/", "xmp": "http://ns.adobe.com/xap/1.0/",
    "photoshop": "http://ns.adobe.com/photoshop/1.0/", "darktable": "http://darktable.sf.net/",
    "hdrgm": "http://ns.adobe.com/hdr-gain-map/1.0/", "xmpNote": "http://ns.adobe.com/xmp/note/",
    "Container": "http://ns.google.com/photos/1.0/container/",
    "Item": "http://ns.google.com/photos/1.0/container/item/",
    "xmpMM": "http://ns.adobe.com/xap/1.0/mm/", "stRef": "http://ns.adobe.com/xap/1.0/sType/"
    "ResourceRef#", "HDRGainMap": "http://ns.apple.com/HDRGainMap/1.0/",
    "HDRToneMap": "http://ns.apple.com/HDRToneMap/1.0/",
    "apdi": "http://ns.apple.com/pixeldatainfo/1.0/"}


def described(attributes="", content=""):
    """An XMP packet of attributes and elements of one description."""
    names = "".join(f' xmlns:{name}="{uri}"' for name, uri in NAMES.items())
    return RDF % f"<rdf:Description{names} {attributes}>{content}</rdf:Description>".encode()


def listed(name, kind, *items):
    every = "".join(f"<rdf:li>{item}</rdf:li>" for item in items)
    return f"<{name}><rdf:{kind}>{every}</rdf:{kind}></{name}>"


def exif(order="<"):
    """Exif and GPS directories with a maker note of Apple's."""
    fraction = struct.pack(">ii", 7, 8)
    note = b"Apple iOS\0\0\1MM" + struct.pack(">H", 2)
    note += struct.pack(">HHII", 33, 10, 1, 44) + struct.pack(">HHII", 48, 10, 1, 52)
    note += bytes(4) + fraction * 2
    ratio = struct.pack(order + "II", 1, 125)
    own = [(33434, 5, 1, ratio), (33437, 5, 1, ratio), (34855, 3, 1, struct.pack(order + "H", 200)),
           (36867, 2, 20, b"2024:06:21 18:30:00\0"), (37500, 7, len(note), note),
           (42034, 5, 4, ratio * 4), (37510, 7, 12, b"ASCII\0\0\0note"), (37121, 7, 4, b"\1\2\3\0")]
    place = [(1, 2, 2, b"N\0"), (2, 5, 3, ratio * 3), (3, 2, 2, b"E\0"), (4, 5, 3, ratio * 3)]
    return own, place


def ifd(order, entries, at, following=0, wide=False):
    """A directory at `at` of tags, types, counts and the bytes of values, and what follows it."""
    size, head = (20, 8) if wide else (12, 2)
    behind = at + head + size * len(entries) + (8 if wide else 4)
    room, rows, data = (8 if wide else 4), b"", b""
    for tag, kind, count, value in sorted(entries):
        if len(value) > room:
            place = struct.pack(order + ("Q" if wide else "I"), behind + len(data))
            data += value + bytes(len(value) % 2)
        else:
            place = value.ljust(room, b"\0")
        rows += struct.pack(order + ("HHQ" if wide else "HHI"), tag, kind, count) + place
    return (struct.pack(order + ("Q" if wide else "H"), len(entries)) + rows
            + struct.pack(order + ("Q" if wide else "I"), following) + data)


def tiff(tags, data, order="<", wide=False, further=()):
    """A TIFF of one page, its data in one strip, of tags: type and numbers or bytes."""
    def value(kind, numbers):
        letter = {1: "B", 3: "H", 4: "I", 7: "B", 13: "I", 16: "Q"}.get(kind)
        if isinstance(numbers, bytes):
            return len(numbers) // {2: 1, 5: 8, 10: 8, 12: 8, 11: 4}.get(kind, 1), numbers
        return len(numbers), struct.pack(f"{order}{len(numbers)}{letter}", *numbers)

    start = 16 if wide else 8
    tags = {273: (4, [start]), 279: (4, [len(data)])} | tags
    entries = [(tag, each[0], *value(*each)) for tag, each in tags.items() if each]
    entries += further
    at = start + len(data) + len(data) % 2
    mark = (b"II" if order == "<" else b"MM")
    if wide:
        mark += struct.pack(order + "HHHQ", 43, 8, 0, at)
    else:
        mark += struct.pack(order + "HI", 42, at)
    return mark + data + bytes(len(data) % 2) + ifd(order, entries, at, wide=wide)


def page(width, height, bits, samples=1, photometric=1, form=1, kind=1, planar=1):
    return {256: (4, [width]), 257: (4, [height]), 258: (3, [bits] * samples), 259: (3, [form]),
            262: (3, [photometric]), 277: (3, [samples]), 278: (4, [height]), 284: (3, [planar]),
            339: (3, [kind] * samples)}


def elements():
    """Processing elements of a profile (mpet): curves, a matrix, a table."""
    def listed(head, parts):
        """Parts behind where each is and how long."""
        at, table = len(head) + 8 * len(parts), b""
        for part in parts:
            table += struct.pack(">II", at, len(part))
            at += len(part)
        return head + table + b"".join(parts)

    def element(name):
        return name + struct.pack(">IHH", 0, 3, 3)

    formula = b"parf" + struct.pack(">IHH4f", 0, 0, 0, 1, 1, 0, 0)
    log = b"parf" + struct.pack(">IHH5f", 0, 1, 0, 1, 1, 1, 1, 0)
    drawn = b"samf" + struct.pack(">II4f", 0, 4, 0.25, 0.5, 0.75, 1)
    curve = b"curf" + struct.pack(">IHH2f", 0, 3, 0, 0, 1) + formula + drawn + log
    matrix = element(b"matf") + struct.pack(">12f", 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)
    table = element(b"clut") + b"\2\2\2" + bytes(13) + struct.pack(
        ">24f", *(n >> shift & 1 for n in range(8) for shift in (2, 1, 0)))
    parts = [listed(element(b"cvst"), [curve] * 3), matrix, table]
    return listed(element(b"mpet") + struct.pack(">I", len(parts)), parts)


def icc_profiles():
    """ICC profiles of each kind of curve and table."""
    def fixed(*numbers):
        return struct.pack(f">{len(numbers)}i", *(round(65536 * each) for each in numbers))

    def tags(tagged, version=4, space=b"RGB ", pcs=b"XYZ ", kind=b"mntr"):
        table, data, at = b"", b"", 132 + 12 * len(tagged)
        for name, value in tagged:
            table += struct.pack(">4sII", name, at + len(data), len(value))
            data += value + bytes(-len(value) % 4)
        head = bytearray(128)
        head[8:24] = bytes([version, 0x20 if version == 4 else 0x10, 0, 0]) + kind + space + pcs
        head[36:40] = b"acsp"
        head[68:80] = fixed(0.9642, 1, 0.8249)
        whole = bytes(head) + struct.pack(">I", len(tagged)) + table + data
        return struct.pack(">I", len(whole)) + whole[4:]

    text = b"mluc" + struct.pack(">IIIHHII", 0, 1, 12, 0x656E, 0x5553, 4, 28) + b"\0a\0b"
    old = b"desc" + struct.pack(">II", 0, 3) + b"ab\0" + bytes(78)
    points = [(b"rXYZ", (0.4361, 0.2225, 0.0139)), (b"gXYZ", (0.3851, 0.7169, 0.0971)),
              (b"bXYZ", (0.1431, 0.0606, 0.7141))]
    primaries = [(name, b"XYZ " + bytes(4) + fixed(*each)) for name, each in points]
    white = [(b"wtpt", b"XYZ " + bytes(4) + fixed(0.9642, 1, 0.8249)),
             (b"chad", b"sf32" + bytes(4) + fixed(1.0479, 0.0229, -0.0502, 0.0296, 0.9904, -0.0171,
                                                  -0.0092, 0.0151, 0.7517))]
    srgb = fixed(2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)
    curves = {"matrix": b"para" + struct.pack(">IHH", 0, 3, 0) + srgb,
              "gamma": b"curv" + struct.pack(">IIH", 0, 1, 0x0233),
              "identity": b"curv" + bytes(8),
              "table": b"curv" + struct.pack(">II64H", 0, 64, *(16 * n * n for n in range(64))),
              "para-0": b"para" + struct.pack(">IHH", 0, 0, 0) + fixed(1.8),
              "para-1": b"para" + struct.pack(">IHH", 0, 1, 0) + fixed(2, 1, 0.1),
              "para-4": b"para" + struct.pack(">IHH", 0, 4, 0) + srgb + fixed(0, 0)}
    def three(curve):
        return [(kind, curve) for kind in (b"rTRC", b"gTRC", b"bTRC")]

    found = {}
    for name, curve in curves.items():
        found[name] = tags([(b"desc", text), *white, *primaries, *three(curve)])
    gamma = three(curves["gamma"])
    found["version-2"] = tags([(b"desc", old), *white[:1], *primaries, *gamma], version=2)
    found["gray"] = tags([(b"desc", text), *white, (b"kTRC", curves["gamma"])], space=b"GRAY")
    for points in ((9, 16), (9, 18), (12, 13), (1, 8), (66, 66)):
        cicp = b"cicp" + bytes(4) + bytes([*points, 0, 1])
        found[f"cicp-{points[0]}-{points[1]}"] = tags(
            [(b"desc", text), (b"cicp", cicp), *white, *primaries, *gamma])
    found["elements"] = tags(
        [(b"desc", text), *white, (b"D2B0", elements()), *primaries, *gamma])
    grid = b"".join(struct.pack(">3H", *(65535 * (n >> shift & 1) for shift in (2, 1, 0)))
                    for n in range(8))
    lut = b"mft2" + bytes(4) + b"\3\3\2\0" + fixed(1, 0, 0, 0, 1, 0, 0, 0, 1)
    lut += struct.pack(">HH", 2, 2) + b"\0\0\xff\xff" * 3 + grid + b"\0\0\xff\xff" * 3
    found["lut"] = tags([(b"desc", text), *white, (b"A2B0", lut)], pcs=b"Lab ")
    found["lut-printer"] = tags([(b"desc", text), *white, (b"A2B0", lut)], space=b"RGB ",
                                pcs=b"Lab ", kind=b"prtr")
    found["cmyk"] = tags([(b"desc", text), *white], space=b"CMYK", pcs=b"Lab ", kind=b"prtr")
    return found


def iso_records():
    """ISO 21496-1, with names: one and three channels, plain and with a common denominator."""
    fraction = struct.pack(">II", 1, 2)
    for channels, flags in ((1, 0), (3, 0x80), (1, 0x40), (3, 0xC0)):
        body = fraction * 2 + struct.pack(">iIiIIIiIiI", 0, 1, 3, 1, 1, 1, 1, 64, 1, 64) * channels
        yield f"plain-{flags}", struct.pack(">HHB", 0, 0, flags) + body
    for channels, flags in ((1, 0x08), (3, 0x88)):
        body = struct.pack(">III", 64, 0, 128) + struct.pack(">iiIii", 0, 128, 64, 1, 1) * channels
        yield f"common-{flags}", struct.pack(">HHB", 0, 0, flags) + body
    yield "newer", struct.pack(">HHB", 9, 9, 0) + bytes(56)


def tone_map(channels, version=1):
    """The parameters in Apple's HDRToneMap, of a number of channels."""
    item = " ".join(f'HDRToneMap:{name}="{value}"' for name, value in (
        ("GainMapMin", 0), ("GainMapMax", 2), ("Gamma", 1), ("BaseOffset", 0.01),
        ("AlternateOffset", 0.01)))
    items = f"<rdf:li><rdf:Description {item}/></rdf:li>" * channels
    return described(
        f'HDRToneMap:Version="{version}" HDRToneMap:BaseHeadroom="0" '
        'HDRToneMap:AlternateHeadroom="2"',
        f"<HDRToneMap:ChannelMetadata><rdf:Seq>{items}</rdf:Seq></HDRToneMap:ChannelMetadata>")
