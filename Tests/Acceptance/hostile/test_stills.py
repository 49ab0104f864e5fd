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
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest

from hostile import damage, heif_bombs, jpeg_bombs, jxl_bombs, png_bombs, tiff_bombs
from support.checks import check
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
    """A file to be read: made by damage of `seed`, or `path` as it is."""
    kind: str
    name: str
    seed: str = ""
    number: int = 0
    path: str = ""
    # Whole pictures that need more are allowed more.
    megabytes: float = MEGABYTES
    seconds: float = SECONDS
    commands: tuple = ("convert",)


@dataclass
class Outcome:
    case: Case
    faults: list
    seconds: float = 0
    megabytes: float = 0
    accepted: bool = False
    foreign_lines: int = 0


# A program inherits the peak memory of the process that starts it, so a small one starts it.
STARTER = """
import os, resource, sys
errors = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
space = int(sys.argv[3])
resource.setrlimit(resource.RLIMIT_CPU, (30, 30))
resource.setrlimit(resource.RLIMIT_AS, (space, space))
process = os.posix_spawn(sys.argv[4], sys.argv[4:], os.environ, file_actions=[
    (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0), (os.POSIX_SPAWN_DUP2, errors, 2)])
_, status, usage = os.wait4(process, 0)
with open(sys.argv[2], "w") as file:
    print(os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss, file=file)
"""


def measured(command, folder):
    """Exit code, standard error, seconds of processor time, megabytes."""
    errors, result = folder / "stderr", folder / "cost"
    subprocess.run([sys.executable, "-I", "-S", "-c", STARTER, errors, result, str(ADDRESS_SPACE),
                    *map(str, command)], check=True, timeout=PATIENCE)
    code, seconds, kibibytes = result.read_text().split()
    return (int(code), errors.read_text("utf8", "replace"), float(seconds), int(kibibytes) / 1024)


def judged(rawdev, case):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="rawdev-hostile-"))
    try:
        path = case.path or str(folder / "hostile")
        if not case.path:
            data, way = damage.damaged(pathlib.Path(case.seed).read_bytes(), case.number)
            pathlib.Path(path).write_bytes(data)
            case.name += f" {case.number} {way}"
        result = Outcome(case, [])
        for command in case.commands:
            judge(rawdev, command, path, folder, result)
        if result.faults:
            kept = pathlib.Path(tempfile.gettempdir()) / f"rawdev-failed-{case.kind}-{case.number}"
            shutil.copy(path, kept)
            result.faults.append(f"kept: {kept}")
        return result
    finally:
        shutil.rmtree(folder)


def judge(rawdev, command, path, folder, result):
    out = folder / "out"
    out.mkdir(exist_ok=True)
    output = [str(out / "out.png")] if command == "convert" else []
    code, text, seconds, megabytes = measured([rawdev, command, path, *output], folder)
    lines = text.splitlines()
    ours = [line for line in lines if not FOREIGN.match(line)]
    result.foreign_lines += len(lines) - len(ours)
    result.seconds = max(result.seconds, seconds)
    result.megabytes = max(result.megabytes, megabytes)
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
    if seconds > max(result.case.seconds, SECONDS_PER_PIXEL * pixels):
        faults.append(f"{seconds:.1f} s")
    if megabytes > result.case.megabytes:
        faults.append(f"{megabytes:.0f} MB, allowed are {result.case.megabytes:.0f}")
    result.faults += [f"{command}: {fault}" for fault in faults]
    result.accepted = result.accepted or code == 0
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


def whole(rawdev, kind, paths):
    """What the undamaged files take."""
    results = [judged(rawdev, Case(kind, "undamaged", path=path, megabytes=4096, seconds=PATIENCE))
               for path in paths]
    for result in results:
        assert result.accepted, f"{result.case.path} is not read undamaged: {result.faults}"
    return results


def chosen(seeds, number):
    """One after the other; large pictures, which would take most of the time, for the first 50 only."""
    quick = [seed for seed in seeds if seed.seconds < 1]
    seeds = quick if quick and number >= 50 else seeds
    return seeds[number % len(seeds)]


def variant(kind, seed, number):
    return Case(kind, pathlib.Path(seed.case.path).name, seed.case.path, number,
                megabytes=max(MEGABYTES, 1.5 * seed.megabytes),
                seconds=max(SECONDS, 3 * seed.seconds),
                commands=("convert", "identify") if number % 10 == 0 else ("convert",))


def judge_all(rawdev, cases, record, kind):
    results = []
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for result in pool.map(lambda case: judged(rawdev, case), cases):
            check(f"{result.case.kind} {result.case.name}", not result.faults,
                  "; ".join(result.faults))
            results.append(result)
    slowest = max(results, key=lambda result: result.seconds)
    largest = max(results, key=lambda result: result.megabytes)
    read = sum(result.accepted for result in results)
    record(TABLE, kind=kind, files=len(results), read=read, refused=len(results) - read,
           slowest=f"{slowest.seconds:.2f} s", largest=f"{largest.megabytes:.0f} MB")


@pytest.mark.parametrize("kind", [*SEEDS, "shared"])
def test_damaged(rawdev, folder, request, pytestconfig, record, kind):
    if kind == "shared":
        paths = sorted(str(path) for path in (request.getfixturevalue("shared") / "hdr").glob("*")
                       if path.suffix != ".json" and path.stat().st_size < 400_000)
    else:
        paths = make_seeds(rawdev, kind, folder)
    seeds = whole(rawdev, kind, paths)
    judge_all(rawdev, [variant(kind, chosen(seeds, number), number)
                       for number in range(pytestconfig.getoption("variants"))], record, kind)


@pytest.mark.parametrize("kind", MAKERS)
def test_bombs(rawdev, folder, tmp, record, kind):
    seed = pathlib.Path(make_seeds(rawdev, kind, folder)[0]).read_bytes()

    def cases():
        for name, data, *allowed in MAKERS[kind].bombs(seed):
            path = tmp / f"bomb-{kind}-{name.replace(' ', '-')}"
            path.write_bytes(data)
            yield Case(f"{kind} bomb", name, path=str(path),
                       megabytes=(allowed or [MEGABYTES])[0], commands=("convert", "identify"))

    judge_all(rawdev, cases(), record, f"{kind} bombs")
