"""Hostile stills cost one clear error, quickly and within bounded memory.

A small picture of every kind that rawdev writes, and the small files of ../shared/hdr, are damaged
(--variants times each kind, the same way on every run), bombs built by hand are added, and each is given
to `rawdev convert`, every tenth to `rawdev identify` too. Each must end with exit code 0, 65 or 66 within
5 s of processor time and 512 MB (or thrice the time and 1.5 times the memory of the undamaged picture; a
picture that comes out whole may take 40 ns a pixel), without a signal; failures say one line and leave no
file.
"""
import os
import pathlib
import re
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import pytest

from hostile import damage, heif_bombs, jpeg_bombs, jxl_bombs, png_bombs, tiff_bombs
from support.checks import check
from support.cost import measured
from support.program import FIXTURES, PATIENCE, run

pytestmark = pytest.mark.slow
TABLE = "Hostile stills (hostile/test_stills.py)"
SECONDS = 5
# Of a small file that is a whole picture of this size, as of any other: read, and packed as PNG.
SECONDS_PER_PIXEL = 40e-9
MEGABYTES = 512
ADDRESS_SPACE = 16 << 30
# What Debian's libjxl and the dav1d within libheif say on standard error of where they stopped.
FOREIGN = re.compile(r"\./lib/jxl/|$|Error parsing (OBU data|frame header|sequence header)|Frame size ")
SEEDS = {
    "jpeg": [("jpg", "jpeg-gainmap"), ("jpg", "jpeg-gainmap", "--chroma", "444"), ("jpg", "jpeg")],
    "heic-gainmap": [("heic", "heic-gainmap"), ("heic", "heic-gainmap", "--thumbnail", "64")],
    "heic-pq": [("heic", "heif-pq"), ("heic", "heif-hlg", "--thumbnail", "64")],
    "avif": [("avif", "avif"), ("avif", "avif-gainmap")],
    "png": [("png", "png"), ("png", "png-sdr", "--bits", "8")],
    "jxl": [("jxl", "jxl"), ("jxl", "jxl", "--quality", "1"), ("jxl", "jxl-sdr")],
    "tiff": [("tif", "tiff", "--tiff-compression", c) for c in ("none", "deflate", "zstd", "lzw")]
    + [("tif", "tiff-float")],
}
MAKERS = {"jpeg": jpeg_bombs, "heic-pq": heif_bombs, "avif": heif_bombs, "png": png_bombs,
          "jxl": jxl_bombs, "tiff": tiff_bombs}


@dataclass
class Case:
    """A file to be read, made by damage of `seed` or `path` as it is, and what came of it."""
    kind: str
    name: str
    seed: str = ""
    number: int = 0
    path: str = ""
    # Whole pictures that need more are allowed more.
    most_megabytes: float = MEGABYTES
    most_seconds: float = SECONDS
    commands: tuple = ("convert",)
    faults: list = field(default_factory=list)
    seconds: float = 0
    megabytes: float = 0
    accepted: bool = False


def judged(rawdev, case):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="rawdev-hostile-"))
    try:
        path = case.path or str(folder / "hostile")
        if not case.path:
            data, way = damage.damaged(pathlib.Path(case.seed).read_bytes(), case.number)
            pathlib.Path(path).write_bytes(data)
            case.name += f" {case.number} {way}"
        for command in case.commands:
            judge(rawdev, command, path, folder, case)
        if case.faults:
            kept = pathlib.Path(tempfile.gettempdir()) / f"rawdev-failed-{case.kind}-{case.number}"
            case.faults.append(f"kept: {shutil.copy(path, kept)}")
        return case
    finally:
        shutil.rmtree(folder)


def judge(rawdev, command, path, folder, case):
    out = folder / "out"
    out.mkdir()
    output = [str(out / "out.png")] if command == "convert" else []
    cost = measured(folder, rawdev, command, path, *output, cpu_limit=30, space_limit=ADDRESS_SPACE, timeout=PATIENCE)
    code, megabytes = cost.code, cost.kibibytes / 1024
    ours = [line for line in cost.errors.splitlines() if not FOREIGN.match(line)]
    case.seconds, case.megabytes = max(case.seconds, cost.cpu), max(case.megabytes, megabytes)
    faults = []
    if code not in (0, 65, 66):
        faults.append(f"ended by signal {-code}" if code < 0 else f"exit {code}")
    if code in (65, 66) and not (len(ours) == 1 and ours[0].startswith("rawdev: ")):
        faults.append(f"{len(ours)} lines of error: {' | '.join(ours)[:400]}")
    if code == 0 and any(": note: " not in line for line in ours):
        faults.append(f"words on success: {' | '.join(ours)[:400]}")
    if code != 0 and os.listdir(out):
        faults.append(f"left {os.listdir(out)}")
    pixels = 0
    if code == 0 and output:
        with open(output[0], "rb") as file:
            header = file.read(24)
        pixels = int.from_bytes(header[16:20], "big") * int.from_bytes(header[20:24], "big")
    if cost.cpu > max(case.most_seconds, SECONDS_PER_PIXEL * pixels):
        faults.append(f"{cost.cpu:.1f} s")
    if megabytes > case.most_megabytes:
        faults.append(f"{megabytes:.0f} MB, allowed are {case.most_megabytes:.0f}")
    case.faults += [f"{command}: {fault}" for fault in faults]
    case.accepted = case.accepted or code == 0
    shutil.rmtree(out)


def make_seeds(rawdev, kind, folder):
    """Paths of undamaged files of a kind."""
    picture = folder / "picture.heic"
    if not picture.exists():
        run(rawdev, "develop", FIXTURES / "sunset-bayer.dng", "-o", picture, "--format", "heif-pq")
    paths = []
    for index, (suffix, form, *options) in enumerate(SEEDS[kind]):
        path = folder / f"seed-{kind}-{index}.{suffix}"
        if not path.exists():
            run(rawdev, "convert", "--max-size", "160", picture, path, "--format", form, *options)
        paths.append(str(path))
    return paths


def undamaged(rawdev, kind, paths):
    """What the undamaged files take."""
    cases = [judged(rawdev, Case(kind, "undamaged", path=path, most_megabytes=4096, most_seconds=PATIENCE))
             for path in paths]
    for case in cases:
        assert case.accepted, f"{case.path} is not read undamaged: {case.faults}"
    return cases


def chosen(seeds, number):
    """One after the other; large pictures, which would take most of the time, for the first 50 only."""
    quick = [seed for seed in seeds if seed.seconds < 1]
    seeds = quick if quick and number >= 50 else seeds
    return seeds[number % len(seeds)]


def variant(kind, seed, number):
    return Case(kind, pathlib.Path(seed.path).name, seed.path, number,
                most_megabytes=max(MEGABYTES, 1.5 * seed.megabytes), most_seconds=max(SECONDS, 3 * seed.seconds),
                commands=("convert", "identify") if number % 10 == 0 else ("convert",))


def judge_all(rawdev, cases, record, kind):
    done = []
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for case in pool.map(lambda case: judged(rawdev, case), cases):
            check(f"{case.kind} {case.name}", not case.faults, "; ".join(case.faults))
            done.append(case)
    read = sum(case.accepted for case in done)
    record(TABLE, kind=kind, files=len(done), read=read, refused=len(done) - read,
           slowest=f"{max(case.seconds for case in done):.2f} s",
           largest=f"{max(case.megabytes for case in done):.0f} MB")


@pytest.mark.parametrize("kind", [*SEEDS, "shared"])
def test_damaged(rawdev, folder, request, pytestconfig, record, kind):
    if kind == "shared":
        paths = sorted(str(path) for path in (request.getfixturevalue("shared") / "hdr").glob("*")
                       if path.suffix != ".json" and path.stat().st_size < 400_000)
    else:
        paths = make_seeds(rawdev, kind, folder)
    seeds = undamaged(rawdev, kind, paths)
    judge_all(rawdev, [variant(kind, chosen(seeds, number), number)
                       for number in range(pytestconfig.getoption("variants"))], record, kind)


@pytest.mark.parametrize("kind", MAKERS)
def test_bombs(rawdev, folder, tmp, record, kind):
    seed = pathlib.Path(make_seeds(rawdev, kind, folder)[0]).read_bytes()

    def cases():
        for name, data, *allowed in MAKERS[kind].bombs(seed):
            path = tmp / f"bomb-{kind}-{name.replace(' ', '-')}"
            path.write_bytes(data)
            yield Case(f"{kind} bomb", name, path=str(path), most_megabytes=(allowed or [MEGABYTES])[0],
                       commands=("convert", "identify"))

    judge_all(rawdev, cases(), record, f"{kind} bombs")
