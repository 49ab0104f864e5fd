"""Hostile stills cost one clear error, quickly and within bounded memory.

A small picture of every kind that rawdev writes, and the small files of ../shared/hdr, are damaged
(--variants times each kind, the same way on every run), bombs are built by hand, and each is given
to `rawdev convert`, bombs and every tenth damaged file to `rawdev identify` too. Each must end with
exit code 0, 65 or 66 within 5 s of processor time and 512 MB (or thrice the time and 1.5 times the
memory of the undamaged picture), without a signal; failures say one line and leave no file.
Processor time grows with the work of others: without --timing four times as much is allowed.
"""
import math
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
from support.program import PATIENCE

pytestmark = pytest.mark.slow
TABLE = "Hostile stills (hostile/test_stills.py)"
SECONDS = 5
# Of a small file that is a whole picture of this size, as of any other: read, and packed as PNG.
SECONDS_PER_PIXEL = 40e-9
MEGABYTES = 512
# What Debian's libjxl and the dav1d within libheif say on standard error of where they stopped.
FOREIGN = re.compile(
    r"\./lib/jxl/|$|Error parsing (OBU data|frame header|sequence header)|Frame size ")
# Formats and options of undamaged pictures.
SEEDS = {
    "jpeg": ["jpeg-gainmap", "jpeg-gainmap --chroma 444", "jpeg"],
    "heic-gainmap": ["heic-gainmap", "heic-gainmap --thumbnail 64"],
    "heic-pq": ["heif-pq", "heif-hlg --thumbnail 64"],
    "avif": ["avif", "avif-gainmap"],
    "png": ["png", "png-sdr --bits 8"],
    "jxl": ["jxl", "jxl --quality 1", "jxl-sdr", "jxl-gainmap"],
    "tiff": ["tiff --tiff-compression none", "tiff --tiff-compression deflate",
             "tiff --tiff-compression zstd", "tiff --tiff-compression lzw", "tiff-float"]}
MAKERS = {"jpeg": jpeg_bombs, "heic-pq": heif_bombs, "avif": heif_bombs, "png": png_bombs,
          "jxl": jxl_bombs, "tiff": tiff_bombs}


@dataclass
class Case:
    """A file to be read, damaged in the way of `number` if there is one, and what came of it."""
    name: str
    path: pathlib.Path
    number: int | None = None
    commands: tuple = ("convert", "identify")
    # Whole pictures that need more are allowed more.
    most_megabytes: float = MEGABYTES
    most_seconds: float = SECONDS
    faults: list = field(default_factory=list)
    seconds: float = 0
    megabytes: float = 0
    accepted: bool = False

    def judge(self, rawdev, slack):
        data = self.path.read_bytes()
        if self.number is not None:
            data, way = damage.damaged(data, self.number)
            self.name += f" {self.number} {way}"
        for command in self.commands:
            with tempfile.TemporaryDirectory(prefix="rawdev-hostile-") as folder:
                path = pathlib.Path(folder, "hostile")
                path.write_bytes(data)
                for fault in self.run(rawdev, command, path, slack):
                    self.faults.append(f"{command}: {fault}")
        if self.faults:
            kept = pathlib.Path(tempfile.gettempdir(), f"rawdev-failed-{self.name}")
            kept.write_bytes(data)
            self.faults.append(f"kept: {kept}")
        return self

    def run(self, rawdev, command, path, slack):
        """What a command does wrong with the file."""
        out = path.with_name("out.png")
        words = [rawdev, command, path, *([out] if command == "convert" else [])]
        cost = measured(*words, cpu_limit=30 * slack, space_limit=16 << 30, timeout=PATIENCE)
        code, megabytes = cost.code, cost.kibibytes / 1024
        ours = [line for line in cost.errors.splitlines() if not FOREIGN.match(line)]
        self.seconds = max(self.seconds, cost.cpu)
        self.megabytes = max(self.megabytes, megabytes)
        self.accepted = self.accepted or code == 0
        if code not in (0, 65, 66):
            yield f"ended by signal {-code}" if code < 0 else f"exit {code}"
        if code in (65, 66) and not (len(ours) == 1 and ours[0].startswith("rawdev: ")):
            yield f"{len(ours)} lines of error: {' | '.join(ours)[:400]}"
        if code == 0 and any(": note: " not in line for line in ours):
            yield f"words on success: {' | '.join(ours)[:400]}"
        left = set(os.listdir(path.parent)) - {path.name}
        if code != 0 and left:
            yield f"left {left}"
        whole = code == 0 and command == "convert"
        pixels = math.prod(struct.unpack_from(">II", out.read_bytes(), 16)) if whole else 0
        if cost.cpu > slack * max(self.most_seconds, SECONDS_PER_PIXEL * pixels):
            yield f"{cost.cpu:.1f} s"
        if megabytes > self.most_megabytes:
            yield f"{megabytes:.0f} MB, allowed are {self.most_megabytes:.0f}"


def undamaged(session, kind):
    """Small files of a kind."""
    picture, _ = session.develop("sunset-bayer", "heif-pq")
    return [session.convert(picture, form, "--max-size", "160", *options)
            for form, *options in map(str.split, SEEDS[kind])]


def variant(seeds, number):
    """Of one seed after the other; of large ones, which take the most time, the first 50 only."""
    quick = [seed for seed in seeds if seed.megabytes < 200]
    seeds = quick if quick and number >= 50 else seeds
    seed = seeds[number % len(seeds)]
    return Case(seed.path.name, seed.path, number,
                commands=("convert",) if number % 10 else ("convert", "identify"),
                most_megabytes=max(MEGABYTES, 1.5 * seed.megabytes),
                most_seconds=max(SECONDS, 3 * seed.seconds))


def judged(rawdev, config, cases):
    """Cases after their runs, one for each core at once."""
    slack = 1 if config.getoption("timing") else 4
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return list(pool.map(lambda case: case.judge(rawdev, slack), cases))


def report(record, kind, done):
    for case in done:
        check(f"{kind} {case.name}", not case.faults, "; ".join(case.faults))
    read = sum(case.accepted for case in done)
    record(TABLE, kind=kind, files=len(done), read=read, refused=len(done) - read,
           slowest=f"{max(case.seconds for case in done):.2f} s",
           largest=f"{max(case.megabytes for case in done):.0f} MB")


@pytest.mark.parametrize("kind", [*SEEDS, "shared"])
def test_damaged(rawdev, session, request, pytestconfig, record, kind):
    if kind == "shared":
        files = sorted((request.getfixturevalue("shared") / "hdr").glob("*"))
        paths = [p for p in files if p.suffix != ".json" and p.stat().st_size < 400_000]
    else:
        paths = undamaged(session, kind)
    seeds = judged(rawdev, pytestconfig, [
        Case("undamaged", path, commands=("convert",), most_megabytes=4096, most_seconds=PATIENCE)
        for path in paths])
    for seed in seeds:
        assert seed.accepted, f"{seed.path} is not read undamaged: {seed.faults}"
    cases = [variant(seeds, number) for number in range(pytestconfig.getoption("variants"))]
    report(record, kind, judged(rawdev, pytestconfig, cases))


@pytest.mark.parametrize("kind", MAKERS)
def test_bombs(rawdev, session, tmp, pytestconfig, record, kind):
    seed = undamaged(session, kind)[0].read_bytes()

    def cases():
        for number, (name, data, *allowed) in enumerate(MAKERS[kind].bombs(seed)):
            path = tmp / f"bomb-{number}"
            path.write_bytes(data)
            yield Case(name, path, most_megabytes=MEGABYTES + sum(allowed))

    report(record, f"{kind} bombs", judged(rawdev, pytestconfig, cases()))
