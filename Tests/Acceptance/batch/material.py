"""Raws to develop: copies and variants of those at hand, damaged ones, faults put into decoders."""
import io
import itertools
import pathlib
import random
import shutil
import struct

import tifffile

from support import program
from support.program import SHARED

FIXTURES = [program.FIXTURES / f"sunset-{kind}.dng" for kind in ("linear", "bayer", "xtrans")]
numbers = itertools.count()


def faults(folder):
    """The library that makes files called …-segv-me… crash whoever decodes them (faults.c)."""
    library = folder / "faults.so"
    if not library.exists():
        program.run(shutil.which("cc") or "clang", "-shared", "-fPIC", "-w", "-o", library,
                    pathlib.Path(__file__).with_name("faults.c"), "-ldl")
    return library


def variant(source, path, number):
    """A copy whose content nobody has seen: bytes behind the end, which no reader looks at."""
    path.write_bytes(source.read_bytes() + struct.pack("<8sQ", b"variant ", number))
    return path


def raw(path, source=FIXTURES[0]):
    return variant(source, path, next(numbers))


def sidecar(raw):
    return raw.with_name(raw.name + ".rawdev.yaml")


def good(count):
    """Raws for a night: large ones a few times, small ones for the rest; the fixtures alone where
    there are no others."""
    raws = [p for p in sorted((SHARED / "raws").glob("*"))
            if p.suffix.lower() in (".dng", ".cr2") and "header_only" not in p.name]
    large = [p for p in raws if p.stat().st_size >= 3e6]
    others = [p for p in raws if p not in large]
    small = [*FIXTURES, *sorted((SHARED / "dng").glob("*.dng")), *others]
    if count < 200:
        # A short look takes one large raw only.
        large = [p for p in large if p.suffix.lower() == ".cr2"][:1] if count >= 40 else []
    chosen = large + [p for p in large if p.stat().st_size < 8e6]
    return list(itertools.islice(itertools.chain(chosen, itertools.cycle(small)), count))


def entries(data, tag):
    """Offsets of the entries of `tag` in the directories of a TIFF and their sub-directories."""
    with tifffile.TiffFile(io.BytesIO(data)) as file:
        pages = [page for top in file.pages for page in (top, *(top.pages or ()))]
        return [page.tags[tag].offset for page in pages if tag in page.tags]


def changed(data, **tags):
    """With other values, of type LONG, for tags named t256 and so on."""
    changed = bytearray(data)
    for tag, value in tags.items():
        for entry in entries(data, int(tag[1:])):
            struct.pack_into("<HII", changed, entry + 2, 4, 1, value)
    return bytes(changed)


def damaged(folder):
    """Files that are called raws and are none that can be developed; more than ten kinds."""
    linear, bayer, xtrans = (path.read_bytes() for path in FIXTURES)
    chance = random.Random(7)

    def flipped(data, low, high, number):
        data = bytearray(data)
        for _ in range(number):
            data[chance.randrange(low, min(high, len(data)))] ^= 1 << chance.randrange(8)
        return bytes(data)

    first = struct.unpack_from("<I", bayer, 4)[0]
    for name, data in {
        "truncated-header": bayer[:100], "truncated-data": xtrans[:len(xtrans) * 6 // 10],
        "zeros": bytes(300_000), "text": b"This is not a raw.\n" * 500,
        "flipped-header": bytes(b ^ 0x55 for b in bayer[:64]) + bayer[64:],
        "flipped-data": flipped(bayer, len(bayer) // 2, len(bayer), 4000),
        "huge": changed(bayer, t256=0x7FFFFFFF, t257=0x7FFFFFFF), "empty": b"",
        "strips-outside": changed(bayer, t273=0xFFFFFF00), "loop": changed(bayer, t330=first),
        "truncated-directory": bayer[:400], "truncated-tiles": linear[:len(linear) // 2],
        "odd-compression": changed(bayer, t259=12345),
        "flipped-directory": flipped(bayer, 8, 500, 60),
        "heic-like": b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(5000),
    }.items():
        path = folder / f"bad-{name}.dng"
        path.write_bytes(data)
        yield path
