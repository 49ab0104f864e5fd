"""Hostile stills cost one clear error, quickly and within bounded memory.

A small picture of every kind that rawdev writes, and the small files of ../shared/hdr, are damaged
(--variants times each kind, the same way on every run), bombs built by hand are added, and each is
given to `rawdev convert`, every tenth to `rawdev identify` too. Each must end with exit code 0, 65
or 66 within 5 s of processor time and 512 MB (or thrice the time and 1.5 times the memory of the
undamaged picture; a picture that comes out whole may take 40 ns a pixel), without a signal;
failures say one line and leave no file. Processor time grows with the work of others: without
--timing four times as much is allowed.
"""
import os
import pathlib
import re
import struct
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

    def judge(self, rawdev, slack):
        data = pathlib.Path(self.path or self.seed).read_bytes()
        if self.seed:
            data, way = damage.damaged(data, self.number)
            self.name += f" {self.number} {way}"
        for command in self.commands:
            with tempfile.TemporaryDirectory(prefix="rawdev-hostile-") as folder:
                path = pathlib.Path(folder, "hostile")
                path.write_bytes(data)
                self.faults += [f"{command}: {fault}"
                                for fault in self.run(rawdev, command, path, slack)]
        if self.faults:
            name = f"rawdev-failed-{self.kind}-{self.number}"
            kept = pathlib.Path(tempfile.gettempdir(), name)
            kept.write_bytes(data)
            self.faults.append(f"kept: {kept}")
        return self

    def run(self, rawdev, command, path, slack):
        """What a command does wrong with the file."""
        out = path.parent / "out.png"
        words = [rawdev, command, path, *([out] if command == "convert" else [])]
        cost = measured(path.parent, *words, cpu_limit=30 * slack,
                        space_limit=ADDRESS_SPACE, timeout=PATIENCE)
        code, megabytes = cost.code, cost.kibibytes / 1024
        ours = [line for line in cost.errors.splitlines() if not FOREIGN.match(line)]
        self.seconds, self.megabytes = max(self.seconds, cost.cpu), max(self.megabytes, megabytes)
        self.accepted = self.accepted or code == 0
        if code not in (0, 65, 66):
            yield f"ended by signal {-code}" if code < 0 else f"exit {code}"
        if code in (65, 66) and not (len(ours) == 1 and ours[0].startswith("rawdev: ")):
            yield f"{len(ours)} lines of error: {' | '.join(ours)[:400]}"
        if code == 0 and any(": note: " not in line for line in ours):
            yield f"words on success: {' | '.join(ours)[:400]}"
        left = set(os.listdir(path.parent)) - {"hostile", "cost", "errors"}
        if code != 0 and left:
            yield f"left {left}"
        pixels = 0
        if code == 0 and command == "convert":
            width, height = struct.unpack_from(">II", out.read_bytes(), 16)
            pixels = width * height
        if cost.cpu > slack * max(self.most_seconds, SECONDS_PER_PIXEL * pixels):
            yield f"{cost.cpu:.1f} s"
        if megabytes > self.most_megabytes:
            yield f"{megabytes:.0f} MB, allowed are {self.most_megabytes:.0f}"


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


@pytest.fixture
def slack(pytestconfig):
    return 1 if pytestconfig.getoption("timing") else 4


def undamaged(rawdev, kind, paths, slack):
    """What the undamaged files take."""
    cases = [Case(kind, "undamaged", path=path, most_megabytes=4096, most_seconds=PATIENCE)
             .judge(rawdev, slack) for path in paths]
    for case in cases:
        assert case.accepted, f"{case.path} is not read undamaged: {case.faults}"
    return cases


def chosen(seeds, number):
    """One after the other; large pictures, which take most of the time, for the first 50 only."""
    quick = [seed for seed in seeds if seed.megabytes < 200]
    seeds = quick if quick and number >= 50 else seeds
    return seeds[number % len(seeds)]


def variant(kind, seed, number):
    return Case(kind, pathlib.Path(seed.path).name, seed.path, number,
                most_megabytes=max(MEGABYTES, 1.5 * seed.megabytes), most_seconds=max(SECONDS, 3 * seed.seconds),
                commands=("convert",) if number % 10 else ("convert", "identify"))


def judge_all(rawdev, cases, record, kind, slack):
    done = []
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for case in pool.map(lambda case: case.judge(rawdev, slack), cases):
            check(f"{case.kind} {case.name}", not case.faults, "; ".join(case.faults))
            done.append(case)
    read = sum(case.accepted for case in done)
    record(TABLE, kind=kind, files=len(done), read=read, refused=len(done) - read,
           slowest=f"{max(case.seconds for case in done):.2f} s",
           largest=f"{max(case.megabytes for case in done):.0f} MB")


@pytest.mark.parametrize("kind", [*SEEDS, "shared"])
def test_damaged(rawdev, folder, request, pytestconfig, record, slack, kind):
    if kind == "shared":
        files = (request.getfixturevalue("shared") / "hdr").glob("*")
        paths = sorted(str(path) for path in files
                       if path.suffix != ".json" and path.stat().st_size < 400_000)
    else:
        paths = make_seeds(rawdev, kind, folder)
    seeds = undamaged(rawdev, kind, paths, slack)
    cases = [variant(kind, chosen(seeds, number), number)
             for number in range(pytestconfig.getoption("variants"))]
    judge_all(rawdev, cases, record, kind, slack)


@pytest.mark.parametrize("kind", MAKERS)
def test_bombs(rawdev, folder, tmp, record, slack, kind):
    seed = pathlib.Path(make_seeds(rawdev, kind, folder)[0]).read_bytes()

    def cases():
        for name, data, *allowed in MAKERS[kind].bombs(seed):
            path = tmp / f"bomb-{kind}-{name.replace(' ', '-')}"
            path.write_bytes(data)
            yield Case(f"{kind} bomb", name, path=str(path), commands=("convert", "identify"),
                       most_megabytes=(allowed or [MEGABYTES])[0])

    judge_all(rawdev, cases(), record, f"{kind} bombs", slack)
