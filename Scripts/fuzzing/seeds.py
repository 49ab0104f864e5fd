"""The first inputs of rawdev-fuzz: small files that rawdev and make-fixtures write, files put
together here (fuzzing.made), and those parts of ../shared that are small."""
import hashlib
import json
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tomllib

from fuzzing.parsers import MAP, ROOT

sys.path.insert(0, str(ROOT / "Tests/Acceptance"))

from fuzzing import made  # noqa: E402
from hostile import damage  # noqa: E402

WORK = ROOT / ".build/fuzz"
SHARED = ROOT.parent / "shared"
# Larger inputs are slower than they are worth; whole pictures need room.
LONGEST = {"raw": 320_000, "still": 100_000, "remux": 100_000, "look": 20_000}
LONGEST_ELSE = 16_384
# Targets that take what another one takes.
LIKE = {"dng": "raw", "convert": "still"}
LONGEST |= {target: LONGEST[like] for target, like in LIKE.items()}


def keep(target, name, content):
    folder = WORK / "seeds" / target
    folder.mkdir(parents=True, exist_ok=True)
    if 0 < len(content) <= LONGEST.get(target, LONGEST_ELSE):
        (folder / re.sub(r"[^\w.-]", "_", name)).write_bytes(content)


def run(*command):
    return subprocess.run([str(each) for each in command], cwd=ROOT, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)


def raws(rawdev, make, folder):
    for cfa in ("bayer", "xtrans"):
        for compression in ("none", "lossless-jpeg", "jpeg-xl", "deflate", "vc-5"):
            path = folder / f"{cfa}-{compression}.dng"
            if run(make, "benchmark", path, "--width", 96, "--height", 64, "--cfa", cfa,
                   "--compression", compression).returncode == 0:
                keep("raw", path.name, path.read_bytes())
    run(make, "cameras", folder)
    for path in [*sorted(folder.glob("*.raw")), *sorted(SHARED.glob("raws/*")),
                 *sorted(SHARED.glob("dng/*.dng"))]:
        keep("raw", path.name, path.read_bytes())
    # The streams and lists inside of them.
    targets = {7: "lossless-jpeg", 9: "vc5", 34892: "lossy-jpeg", 8: "deflate", 52546:
               "jpeg-xl-tile"}
    for path in [*sorted(folder.glob("*.dng")), *sorted(SHARED.glob("dng/*.dng")),
                 *sorted(SHARED.glob("raws/*"))]:
        for tags in directories(path.read_bytes()):
            offsets, counts = tags.get(324, tags.get(273, ())), tags.get(325, tags.get(279, ()))
            target = targets.get(tags.get(259, [0])[0])
            data = path.read_bytes()
            if target and offsets and counts:
                stream = data[offsets[0]:offsets[0] + counts[0]]
                keep(target, path.name, stream)
                if target == "lossless-jpeg":
                    for name, other in made.predicted(stream):
                        keep(target, f"{path.name}-{name}", other)
            for number, tag in enumerate((51008, 51009, 51022)):
                if tag in tags:
                    keep("opcodes", f"{path.name}-{tag}", bytes([number, *tags[tag]]))
            for tag in (52525, 52544):
                if tag in tags:
                    keep("gain-table-map", f"{path.name}-{tag}", bytes(tags[tag]))
    recipes = [*ROOT.glob("Examples/**/*.yaml"), *ROOT.glob("Docs/**/*.yaml")]
    texts = [path.read_bytes() for path in recipes]
    for name in ("starter", "schema"):
        texts.append(run(rawdev, "recipe", name).stdout)
    for page in ROOT.glob("Docs/*.md"):
        texts += [each.encode() for each in re.findall(r"```yaml\n(.*?)```", page.read_text(),
                                                       re.S)]
    # What the starter names and comments out.
    texts.append(re.sub(rb"(?m)^( *)# ?([A-Za-z]+:)", rb"\1\2", texts[len(recipes)]))
    for number, text in enumerate(texts):
        keep("recipe", f"recipe-{number}.yaml", text)
        keep("sidecar", f"recipe-{number}.yaml", text)


def directories(data):
    """The fields of each directory of a TIFF that IFD 0 leads to, integers and bytes alone."""
    if data[:2] not in (b"II", b"MM"):
        return
    for order, _, entries in damage.directories(data):
        yield {struct.unpack_from(order + "H", data, entry)[0]: found for entry in entries
               if (found := damage.values(data, 0, order, entry))}


# Formats and further options.
FORMS = ["heif-hlg", "heif-hlg --thumbnail 32", "heif-pq", "heif-pq --chroma 444", "heif-sdr",
         "tiff", "tiff --tiff-compression none", "tiff --tiff-compression zstd",
         "tiff --tiff-compression lzw", "tiff --tiff-compression deflate", "tiff-float", "exr",
         "png", "png-hlg", "png-sdr", "png-sdr --bits 8", "jpeg-sdr", "jpeg-sdr --chroma 444",
         "jpeg-gainmap", "jpeg-gainmap --chroma 444", "heic-gainmap", "heic-gainmap --thumbnail 32",
         "jxl", "jxl --quality 1", "jxl-hlg", "jxl-sdr", "jxl-gainmap", "avif", "avif --bits 12",
         "avif-hlg", "avif-sdr", "avif-gainmap", "jpeg-sdr --color-space prophoto-rgb",
         "png-sdr --color-space adobe-rgb", "jxl-sdr --color-space prophoto-rgb",
         "heif-sdr --color-space adobe-rgb", "tiff --color-space bt2020",
         "tiff-float --color-space acescg", "avif-sdr --color-space srgb"]


def stills(rawdev, folder):
    source = ROOT / "Fixtures/sunset-bayer.dng"
    for form in FORMS:
        path = folder / f"{form.replace(' ', '_')}.still"
        run(rawdev, "develop", source, "-o", path, "--max-size", 64, "--format", *form.split())
    small = [path for path in SHARED.glob("hdr/*") if path.suffix != ".json"]
    for path in [*sorted(folder.glob("*.still")), *sorted(small)]:
        data = path.read_bytes()
        for target in ("still", "remux"):
            keep(target, path.name, data)
        for start, target in ((b"\xff\xd8", "jpeg"), (b"\x89PNG", "png"), (b"II", "tiff"),
                              (b"MM", "tiff"), (b"\x76\x2f\x31\x01", "exr")):
            if data.startswith(start):
                keep(target, path.name, data[:LONGEST_ELSE])
        if data[4:8] == b"ftyp":
            keep("heif", path.name, data[:LONGEST_ELSE])
        if path.name.startswith("jxl"):
            keep("jpegxl", path.name, data[:LONGEST_ELSE])
        for number, packet in enumerate(re.findall(rb"<x:xmpmeta.*?</x:xmpmeta>", data, re.S)):
            keep("xmp", f"{path.name}-{number}", packet)
        box = data.find(b"jhgm")
        if box > 0:
            keep("jpegxl", path.name, data[box + 4:])
        for at in [each.start() for each in re.finditer(rb"acsp", data)]:
            length = struct.unpack_from(">I", data, max(at - 36, 0))[0]
            keep("icc", f"{path.name}-{at}", data[at - 36:at - 36 + length])
        record = data.find(b"urn:iso:std:iso:ts:21496:-1\0")
        while record >= 0:
            keep("iso-gain-map", f"{path.name}-{record}", data[record + 28:record + 28 + 141])
            record = data.find(b"urn:iso:std:iso:ts:21496:-1\0", record + 1)
        note = data.find(b"Apple iOS\0")
        if note >= 0:
            keep("apple-note", path.name, data[note:note + 4096])
        iptc = data.find(b"8BIM")
        if iptc >= 0:
            keep("iptc", path.name, data[iptc:iptc + 1024])
    for name in ("jpeg-gainmap", "heic-gainmap"):
        metadata = folder / f"{name}.json"
        run(rawdev, "gainmap", "extract", folder / f"{name}.still", "-o", folder / f"{name}.png",
            "--metadata", metadata)
        if metadata.exists():
            keep("iso-gain-map", metadata.name, metadata.read_bytes())
    keep("iptc", "own", bytes([0x1c, 2, 120, 0, 5]) + b"hello" + bytes([0x1c, 2, 25, 0, 1]) + b"a")


def texts(rawdev, make, folder):
    night = folder / "night"
    night.mkdir(exist_ok=True)
    run(make, "benchmark", night / "a.dng", "--width", 96, "--height", 64)
    (night / "b.dng").write_bytes(b"no raw")
    run(rawdev, "batch", night, "-o", folder / "out")
    for path in folder.glob("out/**/*.jsonl"):
        keep("journal" if path.name.startswith("journal") else "report", path.name,
             path.read_bytes())
    keep("serve", "request", b'{"id":"1","in":"/a.dng","out":"a","recipe":{"raw":{"exposure":1}}}\n'
         b'{"id":"1","cancel":true}\n')
    keep("worker", "requests", b'{"open":{"path":"/a.dng"}}\n{"digest":{"paths":["/a"]}}\n'
         b'{"ready":{"version":"0.2.0"}}\n{"progress":{"fraction":0.5}}\n')
    cube = "TITLE \"a\"\nLUT_3D_SIZE 2\nDOMAIN_MIN 0 0 0\nDOMAIN_MAX 1 1 1\n"
    for number in range(8):
        cube += f"{number & 1} {number >> 1 & 1} {number >> 2}\n"
    keep("look", "identity.cube", cube.encode())
    keep("look", "line.cube", b"LUT_1D_SIZE 2\n0 0 0\n1 1 1\n")
    keep("look", "series.json", json.dumps({"rawdevSeries": 1, "entries": [{
        "camera": "A", "style": "129/", "flash": False, "light": [-1, -0.5], "source": "a.CR2",
        "exposure": 0.5, "faithfulExposure": 0.25, "white": [0.3127, 0.329],
        "look": "rawlook 1\n"}]}).encode())
    rows = {"cast": 2, "tone": 10, "lightness": 486, "stretch": 486, "turn": 486}
    keep("look", "identity.rawlook", "\n".join(
        ["rawlook 1", "name a", "camera a"]
        + [f"{row} {' '.join(['0'] * count)}" for row, count in rows.items()]).encode())


def programs():
    """rawdev and make-fixtures."""
    found = ROOT / ".build/release/rawdev", ROOT / ".build/release/make-fixtures"
    if not all(path.exists() for path in found):
        sys.exit("no rawdev to write the first inputs with; run Scripts/build --tests")
    return found


def make():
    """Writes them where they are not there, or were made by another version of this."""
    parts = [pathlib.Path(__file__).with_name(f"{name}.py")
             for name in ("seeds", "made", "blocks", "pictures", "raws", "texts")]
    digest = hashlib.md5(b"".join(path.read_bytes() for path in parts)).hexdigest()
    stamp = WORK / "seeds.md5"
    if stamp.exists() and stamp.read_text() == digest:
        return
    for name in ("seeds", "made"):
        shutil.rmtree(WORK / name, ignore_errors=True)
    folder = WORK / "made"
    folder.mkdir(parents=True)
    rawdev, fixtures = programs()
    raws(rawdev, fixtures, folder)
    stills(rawdev, folder)
    texts(rawdev, fixtures, folder)
    for target, name, data in made.files(folder):
        keep(target, name, data)
    for target, like in LIKE.items():
        shutil.copytree(WORK / "seeds" / like, WORK / "seeds" / target)
    for target in tomllib.loads(MAP.read_text())["targets"]:
        if not (WORK / "seeds" / target).exists():
            keep(target, "empty", b"\0")
    stamp.write_text(digest)
