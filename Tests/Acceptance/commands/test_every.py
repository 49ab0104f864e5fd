"""Every command does what it is for, once, and every format shows the same picture to a reader that
is not ours; those that rawdev lists, so that none is left out."""
import re
import shutil

import imagecodecs
import numpy as np
import OpenEXR
import pillow_heif
import pytest
from PIL import Image
from tifffile import imread

from support import chart, light
from support.checks import check, same
from support.program import FIXTURES, attempt, run

pillow_heif.register_heif_opener()
# In this order in one folder: what each writes or, in quotes, says.
RUNS = """
develop raw.dng -o still.jpg --format jpeg-gainmap: still.jpg
merge bracket-1.dng bracket-2.dng bracket-3.dng -o merged.heic: merged.heic
tune --help: 'Opens a page'
info raw.dng: 'rawdev'
extract raw.dng -o parts: 'parts'
properties: 'exposure'
cameras --matching 30d: 'Canon EOS 30D'
profile chart.dng -o camera.dcp: camera.dcp
doctor raw.dng: 'raw.dng'
bench raw.dng --runs 1: 'demosaic'
identify still.jpg: 'gain map'
convert still.jpg -o still.avif: still.avif
dng raw.dng -o copy.dng: copy.dng
compose still.jpg still.jpg -o two.png: two.png
film raws still.jpg -o film.mov: film.mov
gainmap extract still.jpg -o map.png --metadata map.json: map.png
gainmap discard still.jpg -o sdr.jpg: sdr.jpg
gainmap remove still.jpg -o bare.jpg: bare.jpg
gainmap replace bare.jpg --map map.png --metadata map.json -o again.jpg: again.jpg
gainmap check still.jpg still.jpg: 'preserved'
thumbnail raw.dng small.png: small.png
manifest raws -o list.jsonl: list.jsonl
batch --manifest list.jsonl -o out --format jpeg-sdr --max-size 64: out/raw.jpg
report merge out/rawdev-report.jsonl -o merged.jsonl: merged.jsonl
serve -o out: ''
recipe init raw.dng: raw.dng.rawdev.yaml
recipe set raw.dng exposure=1: raw.dng.rawdev.yaml
recipe explain raw.dng: 'exposure'
recipe list: 'web'
recipe show web: 'jpeg'
recipe validate raw.dng.rawdev.yaml: ''
recipe migrate raw.dng.rawdev.yaml: ''
recipe diff raw.dng.rawdev.yaml raw.dng.rawdev.yaml: ''
recipe schema: 'outputs'
recipe reference: 'exposure'
"""


def commands(rawdev, *words):
    """The commands that the help names, with their subcommands."""
    listed = run(rawdev, *words, "--help", text=True).partition("SUBCOMMANDS:")[2]
    names = re.findall(r"^  ([a-z]+) ", listed, re.M)
    return [each for name in names for each in commands(rawdev, *words, name)] or [words]


def test_every_command(rawdev, generator, tmp):
    for raw in (tmp / "raw.dng", tmp / "raws/raw.dng"):
        raw.parent.mkdir(exist_ok=True)
        shutil.copy(FIXTURES / "sunset-linear.dng", raw)
    run(generator, "bracket", tmp, "--width", "240", "--height", "160")
    chart.photograph(tmp / "chart.dng")
    listed, called = commands(rawdev), set()
    for line in RUNS.strip().splitlines():
        text, result = line.rsplit(": ", 1)
        words = text.split()
        called |= {each for each in listed if tuple(words[:len(each)]) == each}
        done = attempt(rawdev, *words, cwd=tmp, input="")
        same(f"{text}: exit code, {done.stderr[-300:]}", done.returncode, 0)
        if result.startswith("'"):
            check(f"{text}: says {result}", result.strip("'") in done.stdout, done.stdout[:300])
        else:
            check(f"{text}: writes", (tmp / result).is_file() and (tmp / result).stat().st_size)
    same("commands that were not called", set(listed) - called, set())


def pixels(path, shape):
    match path.suffix:
        case ".exr":
            with OpenEXR.File(str(path)) as file:
                return file.channels()["RGB"].pixels
        case ".npy":
            return np.load(path)
        case ".planes":
            return np.moveaxis(np.fromfile(path, "<f4").reshape(3, *shape), 0, 2)
        case ".tif":
            return imread(path)
        case ".png":
            return imagecodecs.png_decode(path.read_bytes())
        case ".jxl":
            return imagecodecs.jpegxl_decode(path.read_bytes())
    return np.asarray(Image.open(path))


def seen(samples):
    """Integers are signals already; linear values about as they are seen."""
    is_light = samples.dtype.kind == "f"
    return np.maximum(samples, 0) ** (1 / 2.4) if is_light else samples.astype(float)


def test_every_format(session):
    said = attempt(session.rawdev, "develop", FIXTURES / "sunset-linear.dng", "--format", "none")
    formats = re.findall(r"^  - (\S+)$", said.stderr, re.M)
    # A DNG is no picture yet: test_dng.py.
    check("formats", len(formats) > 20 and "dng" in formats, formats)
    formats.remove("dng")
    wanted = np.asarray(Image.open(session.develop("sunset-linear", "jpeg-sdr")[0]))
    for name in formats:
        path, report = session.develop("sunset-linear", name)
        shape = report["height"], report["width"]
        found = pixels(path, shape)
        same(f"{name}: shape", found.shape, (*shape, 3))
        alike = light.order(*(light.blocks(seen(each), 16).reshape(-1, 3)
                              for each in (found, wanted)))
        check(f"{name}: lightness has the order of a JPEG's", alike > 0.97, alike)
