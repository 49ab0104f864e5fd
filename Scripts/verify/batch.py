#!/usr/bin/env python3
"""Treats rawdev batch as a hostile studio would: damage, crashes, kills, full disks, odd names.

usage: batch.py RAWDEV [--count 500] [--only NAME,...] [--list] [--keep] [--timing]

Makes raws of the fixtures and of ../shared (copies whose content differs), damages some, makes some
crash, hang or swallow memory in the decoder (a library put before the program by LD_PRELOAD, built by
cc), kills what works on them, and looks at what is left: at every output, the journal, the report, the
exit code, processes, memory. --count is the number of raws of the night; --only runs some cases, of
those that --list names; --timing asserts what only a machine without other work can show; --keep leaves
the folders. Some cases need root, for mounts; they say so where they are left out. Needs cc, pillow,
pillow_heif, numpy, tifffile. Ends with "batch.py: N checks, M failed"; exit status 1 when M is not 0.
"""
import argparse
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import traceback

from batch import disk, kill, links, names, night, real, serve, shards, signals, watch
from batch.bench import Bench

CASES = {"night": night.night}
for module in (kill, signals, disk, names, links, watch, serve, shards, real):
    CASES.update(module.CASES)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("rawdev", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--only", default="")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--timing", action="store_true")
    choice = parser.parse_args()
    if choice.list:
        print("\n".join(CASES))
        return 0
    chosen = [name for name in choice.only.split(",") if name] or list(CASES)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="rawdev-night-"))
    os.chmod(folder, 0o755)
    bench = Bench(choice.rawdev.resolve(), folder, choice.count, choice.timing, sys.executable)
    try:
        for name in chosen:
            bench.case = name
            try:
                CASES[name](bench)
            except Exception as error:  # a case that cannot go on is a failure, the others go on
                bench.check("the case comes to its end", False, "".join(
                    traceback.format_exception(error)[-3:]))
            left = bench.alive()
            if left:
                bench.check("no process is left", False, left)
            for number, _ in left:
                os.kill(number, signal.SIGKILL)
            if not choice.keep:
                shutil.rmtree(folder / name, ignore_errors=True)
    finally:
        if choice.keep:
            print(f"left: {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    print(f"batch.py: {bench.checks} checks, {bench.failed} failed")
    return 1 if bench.failed else 0


if __name__ == "__main__":
    sys.exit(main())
