"""Bombs – stills that claim, repeat or nest more than they hold – cost one clear error, quickly and
within bounded memory.

They are built by hand around a small picture of each kind, and each is given to `rawdev convert`
and `rawdev identify`. Each must end with exit code 0, 65 or 66 within 5 s of processor time and
512 MB, or what the bomb says itself, without a signal; failures say one line and leave no file.
Processor time grows with the work of others: without --timing four times as much is allowed.
Files damaged by number are in test_campaign.py.
"""
import math
import os
import pathlib
import struct
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import pytest

from hostile import heif_bombs, jpeg_bombs, jxl_bombs, png_bombs, tiff_bombs
from hostile.foreign import FOREIGN
from support.checks import check
from support.cost import measured
from support.program import PATIENCE

TABLE = "Hostile stills (hostile/test_bombs.py)"
SECONDS = 5
# Of a small file that is a whole picture of this size, as of any other: read, and packed as PNG.
SECONDS_PER_PIXEL = 40e-9
MEGABYTES = 512
# The formats of the pictures that bombs are built around.
KINDS = {"jpeg": ("jpeg-gainmap", jpeg_bombs), "heif": ("heif-pq", heif_bombs),
         "avif": ("avif", heif_bombs), "png": ("png", png_bombs), "jxl": ("jxl", jxl_bombs),
         "tiff": ("tiff --tiff-compression none", tiff_bombs)}


@dataclass
class Case:
    """A file to be read, and what came of it."""
    name: str
    path: pathlib.Path
    # Whole pictures that need more are allowed more.
    most_megabytes: float = MEGABYTES
    faults: list = field(default_factory=list)
    seconds: float = 0
    megabytes: float = 0
    accepted: bool = False

    def judge(self, rawdev, slack):
        for command in ("convert", "identify"):
            with tempfile.TemporaryDirectory(prefix="rawdev-hostile-") as folder:
                path = pathlib.Path(folder, "hostile")
                path.symlink_to(self.path)
                for fault in self.run(rawdev, command, path, slack):
                    self.faults.append(f"{command}: {fault}")
        return self

    def run(self, rawdev, command, path, slack):
        """What a command does wrong with the file."""
        out = path.with_name("out.png")
        words = [rawdev, command, path, *([out] if command == "convert" else [])]
        cost = measured(*words, cpu_limit=30 * slack, space_limit=16 << 30, timeout=PATIENCE)
        code, megabytes = cost.code, cost.kibibytes / 1024
        ours = [line for line in cost.errors.splitlines() if line and not line.startswith(FOREIGN)]
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
        if cost.cpu > slack * max(SECONDS, SECONDS_PER_PIXEL * pixels):
            yield f"{cost.cpu:.1f} s"
        if megabytes > self.most_megabytes:
            yield f"{megabytes:.0f} MB, allowed are {self.most_megabytes:.0f}"


@pytest.mark.parametrize("kind", KINDS)
def test_bombs(rawdev, session, tmp, pytestconfig, record, kind):
    form, maker = KINDS[kind]
    form, *options = form.split()
    picture, _ = session.develop("sunset-bayer", "heif-pq")
    seed = session.convert(picture, form, "--max-size", "160", *options).read_bytes()
    slack = 1 if pytestconfig.getoption("timing") else 4

    def cases():
        for number, (name, data, *allowed) in enumerate(maker.bombs(seed)):
            path = tmp / f"bomb-{number}"
            path.write_bytes(data)
            yield Case(name, path, MEGABYTES + sum(allowed))

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        done = list(pool.map(lambda case: case.judge(rawdev, slack), cases()))
    for case in done:
        check(f"{kind} {case.name}", not case.faults, "; ".join(case.faults))
    read = sum(case.accepted for case in done)
    record(TABLE, kind=kind, files=len(done), read=read, refused=len(done) - read,
           slowest=f"{max(case.seconds for case in done):.2f} s",
           largest=f"{max(case.megabytes for case in done):.0f} MB")
