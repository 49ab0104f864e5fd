"""Stills that no program here writes, each for structures that the others do not have."""
import itertools
import struct
import zlib

from fuzzing.blocks import (described, exif, icc_profiles, ifd, iso_records, page, tiff,
                            tone_map)
from hostile import heif_bombs, jpeg_bombs, jxl_bombs
from hostile.heif_file import File, Seed, box, full, golomb, ispe
from hostile.jpeg_bombs import EXTENDED, NAME, XMP, frame, index, progressive, segment
from hostile.png_bombs import chunk, header


def tiffs():
    width, height = 20, 6

    def pixels(bits, samples):
        return bytes((7 * n) & 255 for n in range(-(-width * samples * bits // 8) * height))

    plain = [(bits, samples, photometric, kind) for bits in (1, 2, 4, 8, 12, 16, 32)
             for samples, photometric in ((1, 0), (1, 1), (3, 2)) for kind in (1,)]
    plain += [(16, 3, 2, 3), (32, 3, 2, 3), (64, 3, 2, 3), (32, 1, 1, 3), (8, 3, 2, 4),
              (24, 3, 2, 3), (8, 4, 5, 1), (8, 3, 8, 1), (16, 1, 32803, 1)]
    for order, wide in (("<", False), (">", False), ("<", True), (">", True)):
        for bits, samples, photometric, kind in plain:
            tags = page(width, height, bits, samples, photometric, 1, kind)
            name = f"{'big-' * wide}{'II' if order == '<' else 'MM'}-{bits}-{samples}"
            yield f"{name}-{photometric}-{kind}", tiff(tags, pixels(bits, samples), order, wide)
    for bits in (1, 2, 4, 8):
        colors = struct.pack(f"<{3 << bits}H", *((97 * n) & 0xFFFF for n in range(3 << bits)))
        tags = page(width, height, bits, 1, 3) | {320: (3, list(struct.unpack(
            f"<{3 << bits}H", colors)))}
        yield f"palette-{bits}", tiff(tags, pixels(bits, 1))
    for form in (8, 32946):
        for predictor, bits, kind in ((1, 8, 1), (2, 8, 1), (2, 16, 1), (2, 32, 1), (3, 32, 3),
                                      (3, 16, 3)):
            tags = page(width, height, bits, 3, 2, form, kind) | {317: (3, [predictor])}
            yield f"deflate-{form}-{predictor}-{bits}", tiff(
                tags, zlib.compress(pixels(bits, 3)))
    packed = b"".join(bytes([len(row) - 1]) + row for row in [pixels(8, 3)[:60]] * height)
    yield "packbits", tiff(page(width, height, 8, 3, 2, 32773), packed)
    for samples, planar in ((3, 2), (4, 2), (4, 1)):
        strip = pixels(8, 1)
        tags = page(width, height, 8, samples, 2, planar=planar)
        if planar == 2:
            tags |= {273: (4, [8 + len(strip) * n for n in range(samples)]),
                     279: (4, [len(strip)] * samples)}
        for extra in ((0, 1, 2) if samples == 4 else ((),)):
            more = {338: (3, [extra])} if samples == 4 else {}
            yield f"planes-{samples}-{planar}-{extra}", tiff(tags | more, strip * samples)
    for planar, bits in ((1, 8), (2, 8), (1, 16), (1, 4)):
        tile = bytes((5 * n) & 255 for n in range(16 * 16 * bits // 8 * (3 if planar == 1 else 1)))
        count = 2 * (3 if planar == 2 else 1)
        tags = page(width, height, bits, 3, 2, planar=planar) | {
            273: None, 278: None, 279: None, 322: (3, [16]), 323: (3, [16]),
            324: (4, [8] * count), 325: (4, [len(tile)] * count)}
        yield f"tiles-{planar}-{bits}", tiff(tags, tile)
    for factors in ((1, 1), (2, 2), (2, 1)):
        tags = page(16, 16, 8, 3, 6) | {530: (3, list(factors)), 284: (3, [1])}
        data = bytes((3 * n) & 255 for n in range(768))
        yield f"ycbcr-{factors[0]}{factors[1]}", tiff(tags, data)
    for form, photometric in ((34676, 32845), (34676, 32844), (34677, 32845)):
        tags = page(16, 2, 16, 3 if photometric == 32845 else 1, photometric, form, 2)
        yield f"logluv-{form}-{photometric}", tiff(tags, b"\x10\x41" * 40)
    own, place = exif()
    resources = b"8BIM\4\4\0\0" + struct.pack(">I", 12) + b"\x1c\2\5\0\7picture"
    tags = page(width, height, 8, 3, 2) | {
        270: (2, b"a picture\0"), 271: (2, b"maker\0"), 272: (2, b"model\0"), 274: (3, [6]),
        305: (2, b"rawdev\0"), 306: (2, b"2024:06:21 18:30:00\0"), 700: (1, described(
            'xmp:Rating="3"')), 34377: (7, resources), 34675: (7, icc_profiles()["matrix"])}
    data = pixels(8, 3)
    start = 8 + len(data)
    blocks = [ifd("<", own, start)]
    blocks.append(ifd("<", place, start + len(blocks[0])))
    tags |= {34665: (4, [start]), 34853: (4, [start + len(blocks[0])])}
    yield "metadata", tiff(tags | {279: (4, [len(data)])}, data + b"".join(blocks))
    # Pages: a thumbnail in front, and one behind.
    first = page(4, 2, 8) | {254: (4, [1])}
    whole = tiff(first, bytes(8))
    second = ifd("<", [(tag, kind, len(numbers), struct.pack(
        f"<{len(numbers)}{'H' if kind == 3 else 'I'}", *numbers))
        for tag, (kind, numbers) in (page(4, 2, 8) | {273: (4, [8]), 279: (4, [8])}).items()],
        len(whole))
    end = 16 + 2 + 12 * struct.unpack_from("<H", whole, 16)[0]
    yield "pages", whole[:end] + struct.pack("<I", len(whole)) + whole[end + 4:] + second


def pngs():
    colors = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
    samples = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
    width, height = 8, 8
    end = chunk(b"IEND")
    for color, depths in colors.items():
        for bits, interlaced in itertools.product(depths, (0, 1)):
            row = -(-width * samples[color] * bits // 8)
            # More than enough for the passes of an interlaced picture.
            data = chunk(b"IDAT", zlib.compress(bytes(2 * height * (row + 8))))
            if not interlaced:
                data = chunk(b"IDAT", zlib.compress((b"\1" + bytes(
                    (3 * n) & (1 << min(bits, 8)) - 1 for n in range(row))) * height))
            palette = b""
            if color == 3:
                palette = chunk(b"PLTE", bytes(n & 255 for n in range(3 << bits)))
            clear = {0: b"\0\1", 2: b"\0\1\0\1\0\1", 3: b"\0\x80"}.get(color)
            for name, more in (("", b""), ("-clear", chunk(b"tRNS", clear) if clear else None)):
                if more is not None:
                    yield (f"{color}-{bits}-{interlaced}{name}",
                           header(width, height, bits, color, interlaced) + palette + more + data
                           + end)
    data = chunk(b"IDAT", zlib.compress((b"\0" + bytes(range(24))) * height))
    profiles = icc_profiles()
    own, _ = exif(">")
    block = b"MM\0*" + struct.pack(">I", 8) + ifd(">", own, 8)
    packet = described('xmp:Rating="3"')
    white = struct.pack(">8I", 31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000)
    display = struct.pack(">8H2I", 35400, 14600, 8500, 39850, 6550, 2300, 15635, 16450, 10**7, 50)
    cases = {
        "cicp-pq": [(b"cICP", b"\x09\x10\0\1"), (b"mDCV", display), (b"cLLI", b"\0\0\x27\x10" * 2)],
        "cicp-hlg-narrow": [(b"cICP", b"\x09\x12\0\0")], "cicp-odd": [(b"cICP", b"\x42\x42\x42\1")],
        "cicp-p3": [(b"cICP", b"\x0c\x0d\0\1")], "srgb": [(b"sRGB", b"\0")],
        "gamma": [(b"gAMA", struct.pack(">I", 45455)), (b"cHRM", white)],
        "linear": [(b"gAMA", struct.pack(">I", 100000))], "primaries": [(b"cHRM", white)],
        "own": [(b"cHRM", struct.pack(">8I", 31270, 32900, 70000, 29000, 20000, 70000, 15000,
                                      5000))],
        "exif": [(b"eXIf", block)], "animation": [(b"acTL", bytes(8))],
        "xmp": [(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + packet)],
        "xmp-packed": [(b"iTXt", b"XML:com.adobe.xmp\0\1\0en\0a\0" + zlib.compress(packet))],
        "text": [(b"tEXt", b"Comment\0a"), (b"zTXt", b"a\0\0" + zlib.compress(b"b"))]}
    for name, profile in profiles.items():
        cases[f"icc-{name}"] = [(b"iCCP", b"p\0\0" + zlib.compress(profile))]
    for name, chunks in cases.items():
        every = [chunk(kind, each) for kind, each in chunks]
        yield name, header(width, height, 8, 2) + b"".join(every) + data + end
        # One bit of the last chunk is wrong: it is left out.
        damaged = every[-1][:-1] + bytes([every[-1][-1] ^ 1])
        yield f"{name}-damaged", header(width, height, 8, 2) + damaged + data + end


def jpegs(folder):
    for components, precise in ((1, False), (3, False), (1, True)):
        yield f"progressive-{components}-{precise}", progressive(16, components, precise)
    plain = (folder / "jpeg-sdr.still").read_bytes()
    own, _ = exif(">")
    block = b"MM\0*" + struct.pack(">I", 8) + ifd(">", own, 8)
    icc = icc_profiles()["matrix"]
    resources = b"Photoshop 3.0\x008BIM\4\4\0\0" + struct.pack(">I", 12) + b"\x1c\2\5\0\7picture"
    note = f'xmpNote:HasExtendedXMP="{NAME.decode()}"'
    further = described('xmp:Rating="3"')
    pieces = [segment(0xE1, EXTENDED, NAME, struct.pack(">II", len(further), at),
                      further[at:at + 200]) for at in range(0, len(further), 200)]
    directory = described('hdrgm:Version="1.0"', "<Container:Directory>" + "".join([
        "<rdf:Seq>", '<rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="Primary" '
        'Item:Mime="image/jpeg" Item:Padding="2"/></rdf:li>',
        '<rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="GainMap" '
        f'Item:Mime="image/jpeg" Item:Length="{len(plain)}"/></rdf:li></rdf:Seq>',
        "</Container:Directory>"]))
    gains = described('hdrgm:Version="1.0" hdrgm:GainMapMax="2" hdrgm:HDRCapacityMax="2"')
    apple = described('HDRGainMap:HDRGainMapVersion="65536" apdi:AuxiliaryImageType="urn:com:apple:'
                      'photo:2020:aux:hdrgainmap"')
    cases = {
        "exif": [segment(0xE1, b"Exif\0\0", block)], "xmp": [segment(0xE1, XMP, further)],
        "extended": [segment(0xE1, XMP, described(note)), *pieces],
        "extended-short": [segment(0xE1, XMP, described(note)), *pieces[1:]],
        "icc": [segment(0xE2, b"ICC_PROFILE\0\1\2", icc[:200]),
                segment(0xE2, b"ICC_PROFILE\0\2\2", icc[200:])],
        "icc-lost": [segment(0xE2, b"ICC_PROFILE\0\2\2", icc[200:])],
        "iptc": [segment(0xED, resources)], "restart": [segment(0xDD, b"\0\1")],
        "adobe": [segment(0xEE, b"Adobe\0\x64\0\0\0\0\1")],
        "adobe-rgb": [segment(0xEE, b"Adobe\0\x64\0\0\0\0\0")],
        "jfif": [segment(0xE0, b"JFIF\0\1\2\1\0\x48\0\x48\0\0")], "index": [index(0, len(plain))]}
    for name, segments in cases.items():
        yield name, jpeg_bombs.with_segments(plain, *segments)
    for name, of_map in (("hdrgm", gains), ("apple", apple)):
        coded = jpeg_bombs.with_segments(plain, segment(0xE1, XMP, of_map))
        for place, base in (("directory", [segment(0xE1, XMP, directory)]), ("behind", [])):
            yield f"map-{name}-{place}", jpeg_bombs.with_segments(plain, *base) + coded
        for at in (0, len(plain)):
            first = jpeg_bombs.with_segments(plain, index(0, at))
            yield f"map-{name}-index-{at}", first + coded
    for marker, components in ((0xC0, 4), (0xC1, 1), (0xC3, 3), (0xC9, 1), (0xC0, 2)):
        parts = b"".join(bytes([n + 1, 0x11, 0]) for n in range(components))
        at = plain.index(b"\xff\xc0")
        size = int.from_bytes(plain[at + 2:at + 4], "big")
        yield (f"frame-{marker:x}-{components}",
               plain[:at] + frame(marker, 64, 64, parts) + plain[at + 2 + size:])


def packed(bits):
    """Bytes of ones and zeros, the last filled up."""
    bits += "1" + "0" * (-(len(bits) + 1) % 8)
    return int(bits, 2).to_bytes(len(bits) // 8, "big")


def hevc_sequences():
    """Sequence parameter sets (H.265 7.3.2.2) with all that they may contain."""
    none = golomb(0)
    lists = "".join("0" + none if number == 0 else "1" + none * (min(64, 16 << 2 * size)
                                                                 + (size > 1))
                    for size in range(4) for number in range(2 if size == 3 else 6))
    references = golomb(3) + golomb(2) + golomb(1) + (none + "1") * 3
    references += "10" + none + "1" * 4 + "10" + none + "01" * 5
    codes = "".join(f"{code:08b}" for code in (9, 16, 9))
    for layers, chroma, margins in ((0, 1, "0"), (2, 3, "1" + golomb(1) * 4), (1, 0, "0")):
        bits = f"0000{layers:03b}1" + "0" * 96 + "11" * layers
        bits += "0" * (2 * (8 - layers) if layers else 0) + "0" * 96 * layers
        bits += none + golomb(chroma) + ("0" if chroma == 3 else "") + golomb(64) + golomb(32)
        bits += margins + golomb(2) * 2 + none + "1" + none * (3 * (layers + 1) + 6)
        bits += "11" + lists + "00" + "1" + "0" * 8 + none * 2 + "0" + references
        bits += "1" + golomb(2) + "0" * 10 + "00" + "1" + "1" + "1" * 8 + "0" * 32 + "10" + "1000"
        yield b"\x42\1" + packed(bits + "1" + "1" + codes)


def av1_sequences():
    """Sequence headers (AV1 5.5.1) of pictures that are not reduced ones."""
    points = ["0" + "0" + "00000" + "0" * 12 + "01000" + "0",
              "1" + "0" * 64 + "1" + "1" + "1" + "00100" + "0" * 42 + "1" + "00000" + "0" * 12
              + "00001" + "1" + "0" * 11 + "1" + "0000",
              "1" + "0" * 64 + "0" + "0" + "0" + "00001" + ("0" * 12 + "00001") * 2]
    for number, each in enumerate(points):
        size = "0101" + "0100" + f"{63:06b}{31:05b}"
        tools = "0000" + ("1" + "00" + "0" + "1" + "0" + "000" if number else "0" + "1")
        codes = "".join(f"{code:08b}" for code in (9, 16, 9))
        yield packed(f"{number:03b}00" + each + size + "0" + "000" + tools + "000"
                     + "1" + ("1" if number == 2 else "") + ("" if number == 1 else "0") + "1"
                     + codes + "1" + "0" * 8)


def heifs(folder):
    for kind in ("heif-pq", "avif"):
        seed = Seed((folder / f"{kind}.still").read_bytes())
        width, height = seed.size

        def put(*further, owned=(1, 2), **parts):
            return File(seed, *further, owned=owned, **parts)

        def grid(rows, columns, w, h):
            return bytes([0, 0, rows - 1, columns - 1]) + struct.pack(">HH", w, h)

        nclx = [box(b"colr", b"nclx", struct.pack(">HHHB", *points)) for points in (
            (9, 16, 9, 128), (9, 18, 9, 0), (12, 13, 6, 128), (1, 1, 1, 128), (2, 2, 2, 0),
            (9, 16, 0, 128))]
        profiles = [box(b"colr", b"prof", each) for each in icc_profiles().values()]
        light = [box(b"clli", struct.pack(">HH", 1000, 100)),
                 box(b"mdcv", struct.pack(">8H2I", 1, 2, 3, 4, 5, 6, 15635, 16450, 10**7, 50)),
                 box(b"cclv", b"\x3c", struct.pack(">6i3I", *range(1000, 7000, 1000), 1, 2, 3)),
                 box(b"amve", struct.pack(">IHH", 10**4, 15635, 16450)),
                 full(b"ndwt", 0, struct.pack(">I", 203 * 10**4)),
                 full(b"pixi", 0, b"\3\x0a\x0a\x0a"),
                 box(b"pasp", struct.pack(">II", 1, 1))]
        turns = [box(b"irot", bytes([n])) for n in range(4)]
        turns += [box(b"imir", bytes([n])) for n in range(2)]
        clap = [struct.pack(">IIIIiIiI", width - cut, 1, height - cut, 1, 0, 1, 0, 1)
                for cut in (0, 2, 10)]
        turns += [box(b"clap", each) for each in clap]
        turns.append(box(b"clap", struct.pack(">IIIIiIiI", 31, 2, 17, 2, -3, 2, 5, 2)))
        for number, property in enumerate([*nclx, *profiles, *light, *turns]):
            yield f"{kind}-property-{number}", put(property, owned=(1, 2, 3)).build()
        every = range(1, 3 + len(light) + 1)
        yield f"{kind}-light", put(nclx[0], *light, owned=tuple(every)).build()
        yield f"{kind}-turned", put(turns[1], turns[4], turns[8], owned=(1, 2, 3, 4, 5)).build()
        for rows, columns in ((1, 1), (1, 2), (2, 1), (2, 2)):
            file = put(ispe(width * columns, height * rows), primary=9)
            file.item(9, b"grid", grid(rows, columns, width * columns, height * rows), [3])
            yield f"{kind}-grid-{rows}{columns}", file.refer(b"dimg", 9, *[1] * rows * columns
                                                            ).build()
        file = put(turns[1], ispe(width - 3, height - 5), primary=9)
        file.item(9, b"grid", grid(1, 1, width - 3, height - 5), [4, 3]).refer(b"dimg", 9, 1)
        yield f"{kind}-grid-cut", file.build()
        wide = bytes([0, 1, 0, 0]) + struct.pack(">II", width, height)
        file = put(primary=9).item(9, b"grid", wide, [2]).refer(b"dimg", 9, 1)
        yield f"{kind}-grid-wide", file.build()
        file = put(turns[2], primary=9).item(9, b"iden", b"", [3]).refer(b"dimg", 9, 1)
        yield f"{kind}-identity", file.build()
        file = put().item(2, seed.kind, seed.data, [1, 2]).refer(b"thmb", 2, 1)
        yield f"{kind}-thumbnail", file.build()
        own, _ = exif(">")
        block = bytes(4) + b"MM\0*" + struct.pack(">I", 8) + ifd(">", own, 8)
        for number, data in enumerate((block, b"\0\0\0\6Exif\0\0" + block[4:], b"\xff" * 9)):
            file = put().item(2, b"Exif", data).refer(b"cdsc", 2, 1)
            yield f"{kind}-exif-{number}", file.build()
        packet = described('xmp:Rating="3"')
        for tail, data in ((b"application/rdf+xml\0\0", packet),
                           (b"application/rdf+xml\0deflate\0", zlib.compress(packet)),
                           (b"text/plain\0", b"a")):
            file = put().item(2, b"mime", data, tail=tail).refer(b"cdsc", 2, 1)
            yield f"{kind}-mime-{len(tail)}", file.build()
        for number, urn in enumerate((
                "urn:com:apple:photo:2020:aux:hdrgainmap", "urn:mpeg:hevc:2015:auxid:1",
                "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:iso:std:iso:ts:21496:-1",
                "urn:com:apple:photo:2018:aux:portraiteffectsmatte")):
            aux = full(b"auxC", 0, urn.encode() + b"\0")
            file = put(aux).item(2, seed.kind, seed.data, [1, 2, 3]).refer(b"auxl", 2, 1)
            gains = described('HDRGainMap:HDRGainMapVersion="65536" '
                              'HDRGainMap:HDRGainMapHeadroom="4"')
            file.item(3, b"mime", gains, tail=b"application/rdf+xml\0\0").refer(b"cdsc", 3, 2)
            yield f"{kind}-auxiliary-{number}", file.build()
        for number, record in iso_records():
            groups = box(b"grpl", full(b"altr", 0, struct.pack(">III", 2, 2, 9) + struct.pack(
                ">I", 1)))
            file = put(nclx[0], primary=1, more=groups)
            file.item(2, seed.kind, seed.data, [1, 2]).item(9, b"tmap", b"\0" + record, [2, 3])
            file.refer(b"dimg", 9, 1, 2).refer(b"auxl", 2, 1)
            file.item(4, b"mime", tone_map(1), tail=b"application/rdf+xml\0\0").refer(b"cdsc", 4, 9)
            yield f"{kind}-tone-map-{number}", file.build()
        if seed.is_av1:
            for number, header in enumerate(av1_sequences()):
                file = put()
                file.bytes[1] = b"\x0a" + bytes([len(header)]) + header + seed.data
                yield f"{kind}-sequence-{number}", file.build()
        else:
            for number, unit in enumerate(hevc_sequences()):
                units = b"".join(struct.pack(">BHH", 0x80 | each, 1, len(data)) + data
                                 for each, data in ((32, b"\x40\1"), (33, unit), (34, b"\x44\1")))
                file = put()
                file.properties[0] = box(b"hvcC", b"\1" + bytes(20) + b"\xff\3" + units)
                yield f"{kind}-sequence-{number}", file.build()
        # Where bytes are: in the table of data, in another item, in pieces, to the end.
        data = seed.data
        half = len(data) // 2
        idat = box(b"idat", data)
        for version in (1, 2):
            number = "I" if version == 2 else "H"
            head = struct.pack(f">BB{number}", 0x44, 0, 1)
            row = struct.pack(f">{number}HHHII", 1, 1, 0, 1, 0, len(data))
            file = put(locations=full(b"iloc", version, head, row), more=idat)
            yield f"{kind}-idat-{version}", file.build()
            row = struct.pack(f">{number}HHH4I", 1, 1, 0, 2, 0, half, half, len(data) - half)
            file = put(locations=full(b"iloc", version, head, row), more=idat)
            yield f"{kind}-pieces-{version}", file.build()
        head = struct.pack(">BBH", 0x44, 4 << 4 | 4, 2)
        rows = struct.pack(">HHHIHIII", 1, 2, 0, 0, 1, 1, 0, len(data))
        rows += struct.pack(">HHHIHIII", 2, 1, 0, 0, 1, 0, 0, len(data))
        file = put(locations=full(b"iloc", 1, head, rows), more=idat)
        file.item(2, b"mime", tail=b"a\0\0").refer(b"iloc", 1, 2)
        yield f"{kind}-item", file.build()
        infos = full(b"iinf", 1, struct.pack(">I", 1), full(
            b"infe", 3, struct.pack(">IH4s", 1, 0, seed.kind), b"name\0"))
        yield f"{kind}-infos", put(infos=infos).build()
        links = full(b"ipma", 1, struct.pack(">IIBHH", 1, 1, 2, 0x8001, 2), flags=1)
        yield f"{kind}-links", put(links=links).build()
        whole = put().build()
        yield f"{kind}-moov", whole + box(b"moov", bytes(8)) + box(b"free", b"a") + box(
            b"uuid", bytes(16))
        hidden = put()
        hidden.properties.append(box(b"zzzz", b"a"))
        yield f"{kind}-unknown-property", hidden.build()
        for name, file, *_ in itertools.chain(
                heif_bombs.circles(seed), heif_bombs.locations(seed), heif_bombs.pictures(seed)):
            yield f"{kind}-{name}", file.build()
        for name, data in heif_bombs.nesting(seed):
            yield f"{kind}-{name}", data


def jxls(folder):
    data = (folder / "jxl.still").read_bytes()
    stream = data[data.index(b"\xff\x0a", 32):] if data[4:8] == b"JXL " else data
    whole, start = box(b"jxlc", stream), jxl_bombs.SIGNATURE
    own, _ = exif(">")
    block = bytes(4) + b"MM\0*" + struct.pack(">I", 8) + ifd(">", own, 8)
    packet = described('xmp:Rating="3"')
    half = len(stream) // 2
    parts = box(b"jxlp", struct.pack(">I", 0), stream[:half])
    parts += box(b"jxlp", struct.pack(">I", 1 << 31 | 1), stream[half:])
    yield "pieces", start + parts
    yield "bare", stream
    yield "metadata", start + box(b"Exif", block) + box(b"xml ", packet) + whole
    yield "level", start + box(b"jxll", b"\x05") + whole
    for name, data, *_ in jxl_bombs.bombs(stream):
        yield name, data
    _, record = next(iso_records())
    for color in (b"", b"\1", b"\x05\x20", b"\xff\xff\xff"):
        for icc in (b"", icc_profiles()["matrix"]):
            bundle = b"\0" + struct.pack(">H", len(record)) + record + bytes([len(color)]) + color
            bundle += struct.pack(">I", len(icc)) + icc + stream
            yield f"map-{len(color)}-{len(icc)}", start + box(b"jhgm", bundle) + whole
