"""Metadata that every kind of file can hold: XMP, Exif and ICC profiles that ask for too much."""
import struct

HEAD = (b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF '
        b'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description '
        b'xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0"')
TAIL = b"</rdf:Description></rdf:RDF></x:xmpmeta>"
GAMMA = HEAD + b"><hdrgm:Gamma>"


def packets(size):
    """(name, packet), the large ones of about `size` bytes."""
    entities = b"".join(b'<!ENTITY l%d "%s">' % (n, b"&l%d;" % (n - 1) * 10) for n in range(1, 30))
    types = b'<!DOCTYPE x [<!ENTITY l0 "lol">' + entities + b"]>"
    yield "billion laughs", types + HEAD + b">&l29;" + TAIL
    yield "laughs in a value", HEAD + b' hdrgm:GainMapMax="&l29;&l29;&#x110000;&#-1;">' + TAIL
    yield "long attribute", HEAD + b' hdrgm:GainMapMax="' + b"1" * size + b'">' + TAIL
    yield "long text", GAMMA + b"2" * size + b"</hdrgm:Gamma>" + TAIL
    yield "long name", b"<" + b"a" * size
    yield "only opening", b"<" * (size // 8)
    yield "only quotes", b'<a b="' * (size // 16)
    yield "nested", GAMMA + b"<rdf:Seq>" * (size // 20) + TAIL
    yield "open comments", b"<!--" * (size // 8)
    yield "open literals", GAMMA + b"<![CDATA[" * (size // 20)
    for name, attribute, count in [
            ("attributes", b' a%d:b="1"', size // 64),
            ("prefixes", b' xmlns:a%d="http://ns.adobe.com/hdr-gain-map/1.0/"', size // 128)]:
        yield f"many {name}", HEAD + b"".join(attribute % n for n in range(count)) + b">" + TAIL
    yield "many properties", HEAD + b">" + b"<hdrgm:Gamma>1</hdrgm:Gamma>" * (size // 40) + TAIL
    yield "many list items", GAMMA + b"<rdf:Seq>" + b"<rdf:li>1</rdf:li>" * (size // 32) + TAIL
    yield "many texts", GAMMA + b"1<!---->" * (size // 16) + TAIL
    container = b"http://ns.google.com/photos/1.0/container/"
    start = HEAD + b' xmlns:D="' + container + b'"><D:Directory><rdf:Seq>'
    item = b'<rdf:li><C:Item xmlns:C="' + container + b'item/" C:Length="1"/></rdf:li>'
    yield "many container items", start + item * (size // 200) + TAIL
    wraps = b'"9223372036854775807" C:Semantic="GainMap" C:Padding="9223372036854775807"'
    yield "lengths that wrap", start + item.replace(b'"1"', wraps) * 3 + TAIL


def directory(entries, following=0, order=">"):
    """Of a TIFF file or of Exif: entries of tag, type, count and value."""
    rows = b"".join(struct.pack(f"{order}HHII", *entry) for entry in entries)
    return struct.pack(f"{order}H", len(entries)) + rows + struct.pack(f"{order}I", following)


def exif_loops():
    further = directory([(0x8769, 4, 1, 26)])
    note = b"Apple iOS\0\0\1MM\xff\xff" + directory([(33, 10, 1, 0xFFFFFFF8)] * 5000)[2:-4]
    overlapping = [(0x9000 + n, 7, 60000, 8) for n in range(2000)]
    wrapping = [(0x010F, 2, 2**32 - 1, 8), (0x829A, 5, 2**31, 8), (0x8769, 12, 2**29, 8)]
    for name, block in [
            ("directory that follows itself", directory([(0x112, 3, 1, 1 << 16)], following=8)),
            ("its own sub-directory", directory([(0x8769, 4, 1, 8), (0x8825, 4, 1, 8)])),
            ("circle of sub-directories",
             further + directory([(0x8769, 4, 1, 8), (0xA005, 4, 1, 8)], following=26)),
            ("65535 entries", b"\xff\xff" + directory([(0x9286, 7, 2**32 - 1, 8)] * 5000)[2:-4]),
            ("values that overlap", directory(overlapping) + bytes(60000)),
            ("counts that wrap", directory(wrapping)),
            ("sub-directories without end",
             directory([(0x14A, 4, 15000, 26)]) + struct.pack(">I", 8) * 15000),
            ("maker note of 65535 entries",
             further + directory([(0x927C, 7, len(note), 44)]) + note)]:
        yield name, b"MM\0*" + struct.pack(">I", 8) + block


def profile(tags, tail=b""):
    table = struct.pack(">I", len(tags)) + b"".join(struct.pack(">4sII", *tag) for tag in tags)
    head = bytearray(128)
    head[8:12], head[12:24], head[36:40] = b"\4\x30\0\0", b"mntrRGB XYZ ", b"acsp"
    head[68:80] = struct.pack(">III", 0xF6D6, 0x10000, 0xD32D)
    data = bytes(head) + table + tail
    return struct.pack(">I", len(data)) + data[4:]


def profiles():
    yield "2^32 tags", profile([])[:128] + b"\xff" * 4 + bytes(1000)
    yield "5000 tags", profile([(b"rTRC", 132, 40)] * 5000)
    curve = b"curv" + struct.pack(">II", 0, 2**32 - 1)
    tags = [(name, 204, len(curve)) for name in (b"rTRC", b"gTRC", b"bTRC")]
    tags += [(name, 220, 20) for name in (b"rXYZ", b"gXYZ", b"bXYZ")]
    yield "curves of 2^32 values", profile(tags, curve + bytes(60))
    for name, kind, table in [
            ("3", b"mft2", b"\3\3\xff\0" + bytes(36) + b"\xff" * 4 + bytes(200)),
            ("15", b"mAB ", b"\x0f\x0f\0\0" + struct.pack(">I", 32) * 5 + b"\xff" * 300)]:
        tag = (b"A2B0", 144, len(table) + 8)
        yield f"table of 255^{name}", profile([tag], kind + bytes(4) + table)
    yield "offsets that wrap", profile([(b"rTRC", 2**32 - 4, 2**32 - 1), (b"chad", 2**32 - 1, 44)])


def held(size, xmp, exif, icc=None):
    """All of these within files, into which functions put a packet, a block and a profile; where
    packets are large, megabytes that reading one may take besides."""
    for name, text in packets(size):
        yield f"xmp {name}", xmp(text), 4 * len(text) // 10**6 if size > 15 << 20 else 0
    for name, block in exif_loops():
        yield f"exif {name}", exif(block)
    for name, data in profiles() if icc else ():
        yield f"profile {name}", icc(data)
