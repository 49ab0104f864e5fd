"""Metadata, looks, recipes and lines of JSON that are taken apart in different ways."""
import json
import re
import struct
import zlib

from fuzzing.blocks import described, listed, tone_map
from fuzzing.parsers import SOURCES
from hostile import xmp_bombs
from hostile.png_bombs import chunk, header


def xmps():
    fields = set()
    for name in ("AdobeFields", "AdobeLook", "AdobeReading"):
        code = (SOURCES / f"Recipes/Sidecar/{name}.swift").read_text()
        fields |= set(re.findall(r'"([A-Z][A-Za-z0-9]+)"', code))
    fields |= {f"{name}2012" for name in ("Contrast", "Highlights", "Shadows", "Whites", "Blacks")}
    colors = ["Red", "Orange", "Yellow", "Green", "Aqua", "Blue", "Purple", "Magenta"]
    fields |= {kind + color for kind in (
        "HueAdjustment", "SaturationAdjustment", "LuminanceAdjustment", "GrayMixer")
        for color in colors}
    for value in ("12", "0", "True", "False", "a", "-30", "1.5"):
        for process in ("15.4", "5.7"):
            rest = fields - {"ProcessVersion", "AlreadyApplied"}
            yield f"fields-{value}-{process}", described(
                f'crs:ProcessVersion="{process}" crs:Version="15.4" '
                + " ".join(f'crs:{name}="{value}"' for name in sorted(rest)))
    base = 'crs:ProcessVersion="15.4" crs:Version="15.4" '
    crop = 'crs:HasCrop="True" crs:CropLeft="0.1" crs:CropTop="0.2" crs:CropRight="{}" ' \
           'crs:CropBottom="0.8" crs:CropAngle="{}" tiff:Orientation="{}" tiff:ImageWidth="600" ' \
           'tiff:ImageLength="400"'
    for right, angle, turn in (("0.9", "0", 1), ("0.9", "3", 6), ("1", "-40", 8), ("0.05", "0", 2),
                               ("1.5", "0", 3), ("0.9", "90", 4), ("a", "0", 5), ("0.9", "2", 7)):
        yield f"crop-{right}-{angle}", described(base + crop.format(right, angle, turn))
    for white in ("As Shot", "Auto", "Custom", "Daylight", "Cloudy", "odd"):
        for numbers in ("", 'crs:Temperature="5500" crs:Tint="10"', 'crs:Tint="10"',
                        'crs:Temperature="a"'):
            yield f"white-{white}-{len(numbers)}", described(
                base + f'crs:WhiteBalance="{white}" {numbers}')
    curve = listed("crs:ToneCurvePV2012", "Seq", "0, 0", "64, 80", "255, 255")
    odd = listed("crs:ToneCurvePV2012Red", "Seq", "0, 0", "a")
    look = '<crs:Look rdf:parseType="Resource"><crs:Name>a</crs:Name></crs:Look>'
    mask = '<crs:MaskGroupBasedCorrections><rdf:Seq><rdf:li rdf:parseType="Resource">' \
           "<crs:Active>true</crs:Active></rdf:li></rdf:Seq></crs:MaskGroupBasedCorrections>"
    profile = 'crs:CameraProfile="Adobe Standard"'
    yield "curves", described(base + profile, curve + odd + look + mask)
    yield "applied", described(base + 'crs:AlreadyApplied="True" crs:Exposure2012="1"')
    yield "hdr", described(base + 'crs:HDREditMode="1" crs:HDRMaxValue="+3" '
                           'crs:DefringePurpleAmount="3" crs:AutoLateralCA="1" crs:Sharpness="40"')
    history = "".join(
        f'<rdf:li darktable:operation="{name}" darktable:enabled="{on}" darktable:modversion="5" '
        f'darktable:multi_name="{label}" darktable:multi_priority="0"/>'
        for name, on, label in (("exposure", 1, ""), ("flip", 1, "a"), ("sharpen", 0, "")))
    yield "darktable", described(
        'darktable:xmp_version="5" darktable:history_end="3" tiff:Orientation="6"',
        f"<darktable:history><rdf:Seq>{history}</rdf:Seq></darktable:history>"
        + listed("darktable:colorlabels", "Seq", "1", "2"))
    yield "darktable-old", described('darktable:xmp_version="1"', listed(
        "darktable:history_operation", "Seq", "exposure", "flip") + listed(
        "darktable:history_enabled", "Seq", "1", "0"))
    texts = '<dc:title><rdf:Alt><rdf:li xml:lang="x-default">a &amp; b &#65; &#x42; &lt;&quot;' \
            "</rdf:li></rdf:Alt></dc:title><!-- c --><![CDATA[d]]><?pi e?>"
    yield "texts", b'\xef\xbb\xbf<?xpacket begin="a" id="b"?>' + described(
        'xmp:Rating="3" photoshop:City="x"', texts + listed("dc:subject", "Bag", "a", "b")
        ) + b'<?xpacket end="w"?>'
    for name in ("utf-16-le", "utf-16-be", "utf-32-le"):
        mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff", "utf-32-le": b""}[name]
        yield name, mark + described('xmp:Rating="3"').decode().encode(name)
    yield "nodes", described("", '<xmpMM:DerivedFrom rdf:parseType="Resource"><stRef:instanceID>'
                             + "md5:" + "0a" * 16 + "</stRef:instanceID></xmpMM:DerivedFrom>"
                             '<dc:relation rdf:resource="a"/><dc:source><rdf:Description><rdf:value'
                             ">v</rdf:value><dc:type>q</dc:type></rdf:Description></dc:source>")
    gains = " ".join(f'hdrgm:{name}="{value}"' for name, value in (
        ("Version", "1.0"), ("GainMapMin", "0"), ("Gamma", "1"), ("OffsetSDR", "0.015625"),
        ("OffsetHDR", "0.015625"), ("HDRCapacityMin", "0"), ("HDRCapacityMax", "2"),
        ("BaseRenditionIsHDR", "False")))
    yield "gains", described(gains, listed("hdrgm:GainMapMax", "Seq", "1", "2", "3"))
    yield "gains-odd", described(gains.replace('"1"', '"x"'))
    yield "apple", described('HDRGainMap:HDRGainMapVersion="131072" '
                             'HDRGainMap:HDRGainMapHeadroom="3.5"')
    for channels, version in ((1, 1), (3, 1), (2, 1), (1, 2)):
        yield f"tones-{channels}-{version}", tone_map(channels, version)
    for name, packet in xmp_bombs.packets(4000):
        yield name, packet


def parameters():
    """The parameters of a gain map as JSON, in each of their forms."""
    channel = {"gainMapMin": 0, "gainMapMax": 2, "gamma": 1, "baseOffset": 0.01,
               "alternateOffset": 0.01}
    iso = {"baseHeadroomStops": 0, "alternateHeadroomStops": 2, "usesBaseColorSpace": True,
           "channels": [channel]}
    ultra = {name: [1] for name in ("GainMapMin", "GainMapMax", "Gamma", "OffsetSDR", "OffsetHDR")}
    ultra |= {"HDRCapacityMin": 0, "HDRCapacityMax": 2, "BaseRenditionIsHDR": False}
    apple = {"HDRGainMapVersion": 131072, "HDRGainMapHeadroom": 3, "MakerApple33": 1,
             "MakerApple48": 0.5}
    for name, value in (
            ("all", {"iso": iso, "ultraHDR": ultra, "apple": apple}), ("none", {}),
            ("damaged", {"iso": iso | {"channels": []}}), ("odd", {"ultraHDR": ultra | {
                "GainMapMin": [3], "GainMapMax": [1]}})):
        yield f"json-{name}", json.dumps(value).encode()


def iptcs():
    def dataset(record, number, value):
        return struct.pack(">BBBH", 0x1C, record, number, len(value)) + value

    every = [dataset(1, 90, b"\x1b%G")]
    every += [dataset(2, number, b"text %d" % number) for number in (
        5, 10, 15, 20, 25, 25, 40, 65, 70, 80, 85, 90, 92, 95, 100, 101, 103, 105, 110, 115, 116,
        118, 120, 122)]
    every += [dataset(2, 55, b"20240621"), dataset(2, 60, b"183000+0100"), dataset(2, 62, b"20240"),
              dataset(2, 63, b"183000"), dataset(2, 30, b"00000000")]
    plain = b"".join(every)
    yield "all", plain
    yield "latin", b"".join(every[1:]) + dataset(2, 120, b"caf\xe9")
    yield "long", plain + struct.pack(">BBBHI", 0x1C, 2, 120, 0x8004, 4) + b"text"
    for name, mark, data in (("", b"\0\0", plain), ("-named", b"\1a", plain)):
        resource = b"8BIM\4\4" + mark + struct.pack(">I", len(data)) + data
        yield f"resources{name}", b"8BIM\4\x0c\0\0\0\0\0\1a\0" + resource


def looks():
    rows = "".join(f"{n & 1} {n >> 1 & 1} {n >> 2}\n" for n in range(8))
    yield "comments", f"# a\n\nTITLE \"a b\"\nLUT_3D_SIZE 2\nDOMAIN_MAX 4 4 4\n{rows}".encode()
    yield "range", f"LUT_3D_SIZE 2\nLUT_3D_INPUT_RANGE 0 1\n{rows}".encode()
    yield "windows", rows.join(["LUT_3D_SIZE 2\r\n", "\r\n"]).encode()
    for text in ("LUT_3D_SIZE 1\n", "LUT_3D_SIZE 300\n", "LUT_3D_SIZE x\n", "LUT_3D_SIZE 2\n0 0\n",
                 "LUT_3D_SIZE 2\n0 0 nan\n", "TITLE a\n", "LUT_3D_SIZE 2\nFOO 1\n" + rows,
                 f"LUT_3D_SIZE 2\n{rows}1 1 1\n", "LUT_3D_SIZE 2\nDOMAIN_MAX 0 0 0\n" + rows,
                 "LUT_1D_SIZE 2\nLUT_3D_SIZE 2\n"):
        yield f"odd-{len(text)}", text.encode()
    end = chunk(b"IEND")
    for bits, color, samples in ((8, 2, 3), (16, 2, 3), (8, 6, 4), (8, 0, 1), (8, 3, 1)):
        row = bytes(8 * samples * bits // 8)
        data = chunk(b"IDAT", zlib.compress((b"\0" + row) * 8))
        palette = chunk(b"PLTE", bytes(6)) if color == 3 else b""
        yield f"hald-{bits}-{color}", header(8, 8, bits, color) + palette + data + end
    yield "hald-9", header(9, 9, 8, 2) + chunk(b"IDAT", zlib.compress(bytes(9 * 28))) + end
    yield "hald-cut", header(8, 8, 8, 2)[:30]
    yield "hald-damaged", header(8, 8, 8, 2) + chunk(b"IDAT", b"abc") + end


def recipes():
    """Texts that YAML, JSON and the checks of keys take apart in different ways."""
    yield "json", json.dumps({"schema": 1, "raw": {"exposure": 0.5, "crop": None},
                              "outputs": [{"name": "a", "format": "heif-pq"}]}).encode()
    yield "flow", b"{schema: 1, raw: {exposure: 0.5, 'contrast': \"a\\u0041\\n\"}, name: 'a''b'}"
    yield "surrogates", b'{"name": "\\ud83d\\ude00 \\ud83d \\u0041", "schema": 1}'
    yield "scalars", b"""schema: 1
a: [~, null, Null, true, False, 0x1F, 0o17, 1e3, .5, -.inf, .nan, 1_000, 12:30, no, '', "", +1]
b: |
  text
  more
c: >-
  folded
  text
d: &x {e: 1}
f: *x
? g
: h
"""
    yield "windows", b"schema: 1\r\nraw:\r\n  exposure: 1\r\n  # c\r\n  contrast: 0.2\r\n"
    yield "old", b"""extendedDynamicRangeAmount: 1
raw: {exposure: 1}
output: {format: heif-hlg, path: a, quality: 0.9, tiffSpace: srgb}
"""
    yield "former", b"""schema: 1
render: {crop: [0.1, 0.1, 0.9, 0.9], angle: 2}
outputs: [{format: tiff, tiffSpace: adobe-rgb}]
"""
    yield "newer", b"schema: 99\n"
    yield "defaults", b"""root: true
rules:
  - match: {camera: "Canon*", lens: "*50mm*", iso: [1600, null]}
    raw: {luminanceNoiseReductionAmount: 0.5}
  - match: {iso: 3200}
    raw: {exposure: 1}
  - match: {camera: 1}
"""
    yield "extends", b"schema: 1\nextends: [hdr-delivery, ./base.yaml]\nraw: {exposure: 1}\n"
    for text in ("a: b: c", "[1, 2]", "a", "", "- a\n- b", "a: 1\na: 2", "? [a]\n: b", "!!binary a",
                 "!x {a: 1}", "a: &a [*a]", "schema: x", "schema: -1", "extends: 5", "rules: 1",
                 "root: 5", "raw: 5", "outputs: {}", "outputs: [{format: nope}]", "{", "a: 'b",
                 "schema: 0", "schema: 0\nraw: {extendedDynamicRangeAmount: 1}",
                 "outputs: [{name: a, format: jpeg-sdr, quality: x}]", "outputs: [5]", "outputs: 5",
                 "raw: {toneCurve: [0, 0, 1]}", "raw: {toneCurve: [0, 0, 0.5, 0.6, 1, 1]}",
                 "raw: {toneCurve: x, exposure: [1]}", "raw: {exposure: .nan}", "a: 1e999",
                 "a: 123456789012345678901", "a: 0xFFFFFFFFFFFFFFFFF", "a: 1e+5", "a: -1.5e-3",
                 "a: +.inf", "a: 0o777777777777777777777777", "a: 1.", "a: .",
                 "render: {headroomLimit: 4}", "outputs: [{format: tiff, bits: 16, path: x}]",
                 "raw: {lutPath: a.cube, profilePath: b.dcp}",
                 "raw: {expsure: 1}", "raw: {exposure: 99}", "--- \na: 1\n--- \nb: 2",
                 "%YAML 1.2\n---\nschema: 1\n...\n", "raw:\n\texposure: 1", "\ufeffschema: 1"):
        yield f"odd-{text[:20]}", text.encode()
    yield "latin", b"name: caf\xe9\n"


def folders():
    """Defaults, own sidecar, XMP, shared XMP, a base, and RawTherapee's profile of one picture."""
    rules = b"""rules:
  - match: {camera: "*R5", lens: "rf50*", iso: [1600, 6400]}
    raw: {exposure: 1}
  - match: {camera: "Canon*"}
    raw: {exposure: 0.5}
  - match: {iso: [null, 100]}
  - match: {other: 1, iso: 3200}
root: true
"""
    adobe = described('crs:ProcessVersion="15.4" crs:Version="15.4" crs:Exposure2012="+1.00" '
                      'crs:Clarity2012="10" crs:Texture="5" xmp:Rating="3"')
    dark = described('darktable:xmp_version="5" tiff:Orientation="6" xmp:Label="Red"')
    named = described('crs:RawFileName="a.nef" crs:Exposure2012="1"')
    owned = described('photoshop:SidecarForExtension="CR2" crs:Exposure2012="1"')
    therapee = b"[General]\nRank=3\nColorLabel=2\n[IPTC]\nCaption=a;\n"
    therapee += b"Keywords=a;b\\;c;\\n\\t\\r\\s;\n"
    own, base = b"extends: base.yaml\nraw: {exposure: 2}\n", b"raw: {contrast: 0.2}\n"
    json_own, empty = b'{"raw":{"exposure":1}}', b""
    cases = {
        "two": (empty, own, empty, empty, empty, empty, json_own),
        "two-defaults": (rules, empty, empty, empty, empty, empty, empty, b"{}"),
        "duplicate": (empty, empty, adobe, empty, empty, empty, empty, empty, dark),
        "plain": (empty, empty, described('xmp:Rating="3"'), dark), "long": (b"a: b\n" * 9,),
        "all": (rules, own, adobe, dark, base, therapee),
        "profile": (b"", b"", b"", b"", b"", therapee),
        "dark": (b"", b"", dark), "shared": (b"", b"", b"", named), "owned": (b"", b"", b"", owned),
        "both": (b"", b"", dark, adobe), "rival": (b"", b"", b"", adobe),
        "circle": (b"", own, b"", b"", b"extends: a.cr2.rawdev.yaml\n"),
        "lost": (b"", b"extends: [hdr-delivery, nope, ./nope.yaml]\n"),
        "odd": (b"rules: [1]\n", b"raw: 5", b"<x>", b"<x"), "names": (
            b"rules: [{match: {camera: [1]}}]",), "embedded": (adobe,),
        "ends": (b"rules: [{match: {iso: [5, 1]}}]",), "root": (b"root: 5",),
        "bytes": (b"\xff", b"\xff")}
    for name, parts in cases.items():
        yield name, b"\0".join(parts)


def lines(folder):
    """Lines of JSON, beside those that a batch writes."""
    reports = [path for path in folder.glob("out/**/*.jsonl") if "journal" not in path.name]
    entries = [line for path in sorted(reports) for line in path.read_text().splitlines()]
    for number, line in enumerate(entries):
        yield "report", f"line-{number}", line.encode() + b"\n"
        event = json.loads(line)
        for status in ("done", "skipped", "failed", "interrupted", "planned"):
            if "status" in event:
                changed = json.dumps(event | {"status": status})
                yield "report", f"{number}-{status}", changed.encode()
    every = "\n".join(entries)
    yield "report", "twice", f"{every}\n{every}\nnothing\n{every[:-20]}".encode()
    done = [json.loads(line) for line in entries if '"item"' in line]
    begin = [line for line in entries if '"start"' in line][:1]
    for number, item in enumerate(done):
        rows = []
        for second, status in enumerate(("failed", "done", "skipped", "interrupted", "done")):
            start = json.loads(begin[0]) | {"time": f"2026-01-31T22:15:0{second}.250Z",
                                            "node": f"n{second % 3}"}
            rows += [start, item | {"status": status, "upToDateAt": "2026-01-31T22:15:01Z"}]
        yield "report", f"history-{number}", "\n".join(map(json.dumps, rows)).encode()
        rows[-1] = rows[-1] | {"id": "a\u202e\n\u0007"}
        yield "report", f"odd-{number}", "\n".join(map(json.dumps, rows[::-1])).encode()
    yield "report", "future", b'{"event":"later","a":1}\n[]\n{"event":5}\n'
    starts = [json.loads(line) for line in entries if '"start"' in line[:4000]]
    for start in starts[:1]:
        shards = [start | {"shard": f"{k}/3", "time": f"2026-01-31T22:15:0{k}.250Z"}
                  for k in (1, 3)]
        yield "report", "shards", "\n".join(map(json.dumps, shards)).encode()
    entries = [{"in": "a.dng"}, {"in": "sub/b.dng", "id": "b", "out": "x", "place": "sub/b.dng",
                                 "recipe": {"raw": {"exposure": 1}}}, {"in": "file:///a%FF.dng"},
               {"in": "/abs/c.dng", "recipe": "hdr-delivery"}]
    text = "\n".join(map(json.dumps, entries))
    yield "manifest", "entries", f"{text}\n\n \t\r\n".encode()
    for entry in ({"in": ""}, {"in": "a", "place": "../a"}, {"in": "/"}, 5, {"in": 5}):
        yield "manifest", f"odd-{json.dumps(entry)}", json.dumps(entry).encode()
    yield "manifest", "twice", b'{"in":"a","id":"b"}\n{"in":"c","id":"b"}\n'
    recipe = {"raw": {"exposure": 1}, "outputs": [{"name": "main", "format": "heif-pq"}]}
    failure = {"code": "damaged", "message": "a", "stage": "open"}
    messages = [{"merge": {"paths": ["/a", "/b"]}},
                {"openRaw": {"path": "/a", "isHandedOver": True}},
                {"openPicture": {"path": "/a", "isHandedOver": False}},
                {"develop": {"_0": {"recipe": recipe, "keepsPictures": True, "threads": 2,
                                    "staged": {"main": "/s"}, "thumbnail": 64,
                                    "colorMatrix": [1, 0, 0, 0]}}},
                {"failed": {"_0": failure}},
                {"digests": {"_0": [{"xxh128": "00"}, {"error": "a"}]}},
                {"ready": {"version": "0.2.0", "isolation": None}},
                {"progress": {"fraction": "nan"}},
                {"opened": {"_0": {}}}, {"developed": {"_0": {}}}, {"converted": {"_0": {}}},
                {"convert": {"_0": {}}}, {"openedPicture": {"_0": {}}}, {}, {"open": 1}]
    yield "worker", "messages", "\n".join(map(json.dumps, messages)).encode()
    requests = [{"id": "1", "in": "/a.dng", "folder": "/o", "out": "b", "overwrite": True,
                 "recipe": "hdr-delivery"}, {"id": "2", "in": "/a", "recipe": recipe},
                {"id": "3", "cancel": True}, {"id": 4}, [], "a"]
    yield "serve", "requests", "\n".join(map(json.dumps, requests)).encode()


def exrs():
    def attribute(name, kind, value):
        return name + b"\0" + kind + b"\0" + struct.pack("<I", len(value)) + value

    start = struct.pack("<II", 20000630, 2)
    texts = attribute(b"owner", b"string", b"me") + attribute(b"xmp", b"string", described())
    yield "texts", start + texts + attribute(b"pixelAspectRatio", b"float", bytes(4)) + b"\0"
    yield "open", start + texts
    yield "long", start + b"a" * 300 + b"\0string\0\1\0\0\0a\0"
    yield "tiled", struct.pack("<II", 20000630, 0x202) + texts + b"\0"


def lights():
    yield "display", struct.pack(">8H2I", 35400, 14600, 8500, 39850, 6550, 2300, 15635, 16450,
                                 10**7, 50)
    yield "light", struct.pack(">II", 10**7, 10**6)
