"""Metadata that every kind of file can hold: XMP, Exif and ICC profiles that ask for too much."""
import struct

HEAD = (b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF '
        b'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description '
        b'xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0"')
TAIL = b"</rdf:Description></rdf:RDF></x:xmpmeta>"


def packets(size):
    """(name, packet), the large ones of about `size` bytes."""
    entities = b"".join(b'<!ENTITY l%d "%s">' % (n, b"&l%d;" % (n - 1) * 10) for n in range(1, 30))
    yield "billion laughs", (b'<!DOCTYPE x [<!ENTITY l0 "lol">' + entities + b"]>" + HEAD + b">&l29;" + TAIL)
    yield "laughs in a value", HEAD + b' hdrgm:GainMapMax="&l29;&l29;&#x110000;&#-1;">' + TAIL
    yield "long attribute", HEAD + b' hdrgm:GainMapMax="' + b"1" * size + b'">' + TAIL
    yield "long text", HEAD + b"><hdrgm:Gamma>" + b"2" * size + b"</hdrgm:Gamma>" + TAIL
    yield "long name", b"<" + b"a" * size
    yield "only opening", b"<" * (size // 8)
    yield "only quotes", b'<a b="' * (size // 16)
    yield "nested", HEAD + b"><hdrgm:Gamma>" + b"<rdf:Seq>" * (size // 20) + TAIL
    yield "open comments", b"<!--" * (size // 8)
    yield "open literals", HEAD + b"><hdrgm:Gamma>" + b"<![CDATA[" * (size // 20)
    yield "many attributes", HEAD + b"".join(b' a%d:b="1"' % n for n in range(size // 64)) + b">" + TAIL
    yield "many prefixes", HEAD + b"".join(
        b' xmlns:a%d="http://ns.adobe.com/hdr-gain-map/1.0/"' % n for n in range(size // 128)) + b">" + TAIL
    yield "many properties", HEAD + b">" + b"<hdrgm:Gamma>1</hdrgm:Gamma>" * (size // 40) + TAIL
    yield "many list items", HEAD + b"><hdrgm:Gamma><rdf:Seq>" + b"<rdf:li>1</rdf:li>" * (size // 32) + TAIL
    yield "many texts", HEAD + b"><hdrgm:Gamma>" + b"1<!---->" * (size // 16) + TAIL
    items = b'<rdf:li><C:Item xmlns:C="http://ns.google.com/photos/1.0/container/item/" C:Length="1"/></rdf:li>'
    yield "many container items", (
        HEAD + b' xmlns:D="http://ns.google.com/photos/1.0/container/"><D:Directory><rdf:Seq>'
        + items * (size // 200) + TAIL)
    yield "lengths that wrap", (
        HEAD + b' xmlns:D="http://ns.google.com/photos/1.0/container/"><D:Directory><rdf:Seq>'
        + (items.replace(b'"1"', b'"9223372036854775807" C:Semantic="GainMap"'
                         b' C:Padding="9223372036854775807"')) * 3 + TAIL)


def entry(tag, kind, count, value):
    return struct.pack(">HHII", tag, kind, count, value)


def directory(*entries, following=0):
    return struct.pack(">H", len(entries)) + b"".join(entries) + struct.pack(">I", following)


def exif_loops():
    head = b"MM\0*" + struct.pack(">I", 8)
    yield "directory that follows itself", head + directory(entry(0x112, 3, 1, 1 << 16), following=8)
    yield "its own sub-directory", head + directory(entry(0x8769, 4, 1, 8), entry(0x8825, 4, 1, 8))
    yield "circle of sub-directories", head + directory(entry(0x8769, 4, 1, 26)) + directory(
        entry(0x8769, 4, 1, 8), entry(0xA005, 4, 1, 8), following=26)
    yield "65535 entries", head + b"\xff\xff" + entry(0x9286, 7, 2**32 - 1, 8) * 5000
    yield "values that overlap", head + directory(
        *[entry(0x9000 + n, 7, 60000, 8) for n in range(2000)]) + bytes(60000)
    yield "counts that wrap", head + directory(
        entry(0x010F, 2, 2**32 - 1, 8), entry(0x829A, 5, 2**31, 8), entry(0x8769, 12, 2**29, 8))
    yield "sub-directories without end", head + directory(entry(0x14A, 4, 15000, 26)) + struct.pack(">I", 8) * 15000
    note = b"Apple iOS\0\0\1MM" + b"\xff\xff" + entry(33, 10, 1, 0xFFFFFFF8) * 5000
    yield "maker note of 65535 entries", head + directory(entry(0x8769, 4, 1, 26)) + directory(
        entry(0x927C, 7, len(note), 44)) + note


def profile(tags, tail=b""):
    table = struct.pack(">I", len(tags)) + b"".join(struct.pack(">4sII", *tag) for tag in tags)
    head = bytearray(128)
    head[8:12], head[12:24], head[36:40] = b"\4\x30\0\0", b"mntrRGB XYZ ", b"acsp"
    head[68:80] = struct.pack(">III", 0xF6D6, 0x10000, 0xD32D)
    data = bytes(head) + table + tail
    return struct.pack(">I", len(data)) + data[4:]


def profiles():
    yield "2^32 tags", profile([])[:128] + b"\xff\xff\xff\xff" + bytes(1000)
    yield "5000 tags", profile([(b"rTRC", 132, 40)] * 5000)
    curve = b"curv" + struct.pack(">II", 0, 2**32 - 1)
    points = [(name, 132 + 12 * 6 + 4 - 4, len(curve)) for name in (b"rTRC", b"gTRC", b"bTRC")]
    yield "curves of 2^32 values", profile(
        points + [(n, 220, 20) for n in (b"rXYZ", b"gXYZ", b"bXYZ")], curve + bytes(60))
    table = b"mft2" + bytes(4) + b"\3\3\xff\0" + bytes(36) + b"\xff\xff\xff\xff" + bytes(200)
    yield "table of 255^3", profile([(b"A2B0", 144, len(table))], table)
    table = b"mAB " + bytes(4) + b"\x0f\x0f\0\0" + struct.pack(">IIIII", 32, 32, 32, 32, 32) + b"\xff" * 300
    yield "table of 255^15", profile([(b"A2B0", 144, len(table))], table)
    yield "offsets that wrap", profile([(b"rTRC", 2**32 - 4, 2**32 - 1), (b"chad", 2**32 - 1, 44)])


def held(size, xmp=None, exif=None, icc=None):
    """All of these within files: functions put a packet, a block and a profile into one. With more memory allowed
    for packets where `size` is large."""
    for name, text in packets(size) if xmp else ():
        yield f"xmp {name}", xmp(text), 512 + 4 * len(text) // 10**6 * (size > 15 << 20)
    for name, block in exif_loops() if exif else ():
        yield f"exif {name}", exif(block)
    for name, data in profiles() if icc else ():
        yield f"profile {name}", icc(data)
