#!/usr/bin/env python3
"""Shows that hostile stills cost one clear error, quickly and within bounded memory.

usage: hostile-stills.py RAWDEV [VARIANTS] [KIND...]

Makes a small picture of every kind that rawdev writes from a fixture, takes the small files of
../shared/hdr besides, damages each kind VARIANTS times (400, the same way on every run), adds bombs
built by hand, and gives each to `rawdev convert`, every tenth to `rawdev identify` too. Each must end
with exit code 0, 65 or 66 within 5 s of processor time (120 s of the clock on a busy machine) and 512 MB (or thrice the
time and 1.5 times the memory of the undamaged picture; a picture that comes out whole may take 40 ns a
pixel), without a signal; failures say one line and
leave no file. Ends with "N passed, M failed" and fails when M is
not 0; files that failed are kept. AVIF needs imagecodecs where rawdev does not write it.
"""
import multiprocessing
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass

from hostile import damage, heif_bombs, jpeg_bombs, jxl_bombs, png_bombs, tiff_bombs

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared" / "hdr"
SECONDS, PATIENCE = 5, 120
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


def measured(command, folder):
    """Exit code, standard error, seconds of processor time, megabytes."""
    with open(folder / "stderr", "wb") as errors:
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)
    resource.prlimit(child.pid, resource.RLIMIT_CPU, (30, 30))
    resource.prlimit(child.pid, resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    alarm = threading.Timer(PATIENCE, child.kill)
    alarm.start()
    _, status, usage = os.wait4(child.pid, 0)
    alarm.cancel()
    child.returncode = os.waitstatus_to_exitcode(status)
    text = (folder / "stderr").read_text("utf8", "replace")
    return child.returncode, text, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def judged(rawdev, case):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="case-", dir=WORK))
    try:
        path = case.path or str(folder / "hostile")
        if not case.path:
            data, way = damage.damaged(pathlib.Path(case.seed).read_bytes(), case.number)
            pathlib.Path(path).write_bytes(data)
            case.name += f" {case.number} {way}"
        result = Outcome(case, [])
        for command in case.commands:
            judge(rawdev, command, path, folder, result)
        if result.faults and not case.path:
            kept = pathlib.Path(WORK) / f"failed-{case.kind}-{case.number}"
            shutil.copy(path, kept)
            case.path = str(kept)
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


def run(*command):
    return subprocess.run([str(c) for c in command], capture_output=True)


def make_seeds(rawdev, folder):
    """Kind to the paths of its seeds."""
    picture = folder / "picture.heic"
    done = run(rawdev, "develop", ROOT / "Fixtures" / "sunset-bayer.dng", "-o", picture,
               "--format", "heif-pq")
    if done.returncode:
        sys.exit(f"cannot develop the fixture: {done.stderr[-400:]!r}")
    seeds = {}
    for kind, forms in SEEDS.items():
        for index, (suffix, form, *options) in enumerate(forms):
            path = folder / f"seed-{kind}-{index}.{suffix}"
            done = run(rawdev, "convert", "--max-size", "160", picture, path, "--format", form,
                       *options)
            if done.returncode == 0:
                seeds.setdefault(kind, []).append(str(path))
            elif kind != "avif":
                sys.exit(f"cannot make {path.name}: {done.stderr[-400:]!r}")
    if "avif" not in seeds:
        foreign_avif(seeds, folder)
    small = sorted(p for p in SHARED.glob("*") if p.suffix != ".json" and p.stat().st_size < 400_000)
    if small:
        seeds["shared"] = [str(p) for p in small]
    else:
        print(f"MISSING {SHARED}: pictures of other programs are left out", flush=True)
    return seeds


def foreign_avif(seeds, folder):
    try:
        import imagecodecs
        import numpy
    except ImportError:
        print("MISSING imagecodecs, and this rawdev writes no AVIF: AVIF is left out", flush=True)
        return
    ramp = numpy.mgrid[0:107, 0:160]
    picture = numpy.stack([ramp[0] * 2, ramp[1], ramp.sum(0) // 2], -1).astype(numpy.uint8)
    path = folder / "seed-avif.avif"
    path.write_bytes(imagecodecs.avif_encode(picture, level=60))
    seeds["avif"] = [str(path)]


def bombs(seeds, folder):
    """The bombs of each kind, written one by one into `folder`."""
    makers = {"jpeg": jpeg_bombs, "heic-pq": heif_bombs, "avif": heif_bombs, "png": png_bombs,
              "jxl": jxl_bombs, "tiff": tiff_bombs}
    for kind, maker in makers.items():
        if kind not in seeds:
            continue
        for name, data, *allowed in maker.bombs(pathlib.Path(seeds[kind][0]).read_bytes()):
            path = folder / f"bomb-{kind}-{name.replace(' ', '-')}"
            path.write_bytes(data)
            megabytes = (allowed or [MEGABYTES])[0]
            yield Case(kind + " bomb", name, path=str(path), megabytes=megabytes,
                       commands=("convert", "identify"))


class Tally:
    def __init__(self):
        self.of, self.failed, self.slowest, self.largest, self.lines = {}, 0, None, None, 0

    def add(self, result):
        case = result.case
        row = self.of.setdefault(case.kind, [0, 0, 0])
        row[0] += 1
        row[1] += result.accepted
        row[2] += bool(result.faults)
        self.lines += result.foreign_lines
        if not self.slowest or result.seconds > self.slowest.seconds:
            self.slowest = result
        if not self.largest or result.megabytes > self.largest.megabytes:
            self.largest = result
        if result.faults:
            self.failed += 1
            print(f"FAILED {case.kind} {case.name}: {'; '.join(result.faults)}\n"
                  f"  kept: {case.path}", flush=True)

    def show(self):
        for kind, (count, accepted, failed) in self.of.items():
            print(f"{kind:22} {count:5} files: {accepted} read, {count - accepted} refused, "
                  f"{failed} failed")
        for word, result in [("slowest", self.slowest), ("largest", self.largest)]:
            print(f"{word}: {result.case.kind}, {result.case.name}: {result.seconds:.2f} s, "
                  f"{result.megabytes:.0f} MB")
        if self.lines:
            print(f"libjxl and dav1d said {self.lines} lines of their own on standard error")


def chosen(seeds, number):
    """One after the other; large pictures, which would take most of the time, for the first 50 only."""
    quick = [seed for seed in seeds if seed.seconds < 1]
    seeds = quick if quick and number >= 50 else seeds
    return seeds[number % len(seeds)]


def variant(kind, seed, number):
    if not seed.accepted:
        sys.exit(f"{seed.case.path} is not read undamaged: {seed.faults}")
    return Case(kind, pathlib.Path(seed.case.path).name, seed.case.path, number,
                megabytes=max(MEGABYTES, 1.5 * seed.megabytes),
                seconds=max(SECONDS, 3 * seed.seconds),
                commands=("convert", "identify") if number % 10 == 0 else ("convert",))


def work(job):
    return judged(*job)


def main():
    global WORK
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    rawdev = os.path.abspath(sys.argv[1])
    variants = int(sys.argv[2]) if len(sys.argv) > 2 else 400
    kinds = sys.argv[3:]
    WORK = tempfile.mkdtemp(prefix="hostile-stills-")
    folder = pathlib.Path(WORK)
    start, tally = time.monotonic(), Tally()
    # Children are counted at least the memory of what started them: these are started while it is small.
    with multiprocessing.Pool(2) as pool:
        seeds = make_seeds(rawdev, folder)
        seeds = {kind: paths for kind, paths in seeds.items() if not kinds or kind in kinds}
        whole = {result.case.path: result for result in pool.imap(
            work, [(rawdev, Case(kind, "undamaged", path=path, megabytes=4096, seconds=PATIENCE))
                   for kind, paths in seeds.items() for path in paths])}
        cases = [variant(kind, seed, n) for n in range(variants) for kind, paths in seeds.items()
                 for seed in [chosen([whole[path] for path in paths], n)]]
        for result in pool.imap(work, ((rawdev, case) for case in cases)):
            tally.add(result)
        for case in bombs(seeds, folder):
            result = pool.apply(work, ((rawdev, case),))
            tally.add(result)
            if not result.faults:
                os.unlink(case.path)
    tally.show()
    count = sum(row[0] for row in tally.of.values())
    print(f"{time.monotonic() - start:.0f} s")
    if not tally.failed:
        shutil.rmtree(WORK)
    print(f"{count - tally.failed} passed, {tally.failed} failed")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
