"""Which lines of the parsers the inputs of rawdev-fuzz reach, by LLVM's source-based coverage."""
import collections
import concurrent.futures
import itertools
import json
import os
import pathlib
import shutil
import subprocess

from fuzzing import parsers
from fuzzing.parsers import ROOT
from fuzzing.seeds import WORK

FOLDER = ROOT / ".build/fuzz-coverage"
# As many files as a process is given: what was counted is lost with a process that dies.
AT_ONCE = 100
FLAGS = ["-Xswiftc", "-profile-generate", "-Xswiftc", "-profile-coverage-mapping",
         "-Xcc", "-fprofile-instr-generate", "-Xcc", "-fcoverage-mapping"]


def tool(name):
    """A tool of LLVM that comes with Swift."""
    return pathlib.Path(shutil.which("swift")).resolve().with_name(name)


def run(program, target, files, folder, environment):
    """Runs a target once for each file. Counts go to `folder`; the files that ended the program,
    which are then left out."""
    files, ended = list(files), []
    environment = environment | {"LLVM_PROFILE_FILE": f"{folder}/{target}-%m.profraw"}
    while files:
        part = files[:AT_ONCE]
        done = subprocess.run(
            [program, target, "-timeout=60", f"-artifact_prefix={folder}/", *part], cwd=ROOT,
            env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            errors="replace")
        if done.returncode == 0:
            del files[:AT_ONCE]
            continue
        # The last one that was begun ended it; those before it are run again.
        begun = [line for line in done.stderr.splitlines() if line.startswith("Running: ")]
        ended.append(part[max(len(begun) - 1, 0)])
        files.remove(ended[-1])
    return ended


class Lines:
    """Lines of each file, and those of them that were reached."""

    def __init__(self, program, counts, profile):
        subprocess.run([tool("llvm-profdata"), "merge", "-sparse", *counts, "-o", profile],
                       check=True)
        self.command = [program, f"-instr-profile={profile}"]
        exported = subprocess.run([tool("llvm-cov"), "export", "-summary-only", *self.command],
                              check=True, stdout=subprocess.PIPE).stdout
        self.of = {}
        for file in json.loads(exported)["data"][0]["files"]:
            path = pathlib.Path(file["filename"])
            if path.is_relative_to(parsers.SOURCES):
                lines = file["summary"]["lines"]
                self.of[str(path.relative_to(parsers.SOURCES))] = lines["covered"], lines["count"]

    def write(self, owners, path):
        """The parsers with the count of each line."""
        with path.open("w") as out:
            subprocess.run([tool("llvm-cov"), "show", *self.command, *(
                parsers.SOURCES / each for each in owners if each in self.of)], check=True,
                stdout=out)


def percent(covered, count):
    return f"{covered / count:7.1%}" if count else "      –"


def measure(program, targets, environment):
    """Prints the lines that each parser of `targets` has, and those reached by their seeds and by
    seeds and corpus. Exit code 1 when the map of parsers is wrong or an input ended the program."""
    owners, faults = parsers.read()
    owners = {path: owner for path, owner in owners.items() if owner in targets}
    folder = FOLDER / "counts"
    shutil.rmtree(folder, ignore_errors=True)
    stages = []
    for stage in ("seeds", "corpus"):
        at = folder / stage
        at.mkdir(parents=True)

        def reach(target):
            inputs = WORK / stage / target
            files = sorted(inputs.iterdir()) if inputs.is_dir() else []
            return [f"{target}: {path.relative_to(ROOT)} ended the program"
                    for path in run(program, target, files, at, environment)]

        with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            faults += itertools.chain(*pool.map(reach, targets))
        stages.append(Lines(program, folder.rglob("*.profraw"), FOLDER / f"{stage}.profdata"))
    before, after = stages
    width = max(map(len, owners))
    print(f"{'parser':{width}}  {'target':15} lines  before   after")
    sums = collections.Counter()
    for path, owner in sorted(owners.items(), key=lambda each: (each[1], each[0])):
        if path not in after.of:
            continue  # declares and does nothing
        covered, count = after.of[path]
        first = before.of[path][0]
        sums.update(count=count, first=first, covered=covered)
        print(f"{path:{width}}  {owner:15} {count:5} {percent(first, count)} "
              f"{percent(covered, count)}")
    print(f"{'all':{width}}  {'':15} {sums['count']:5} {percent(sums['first'], sums['count'])} "
          f"{percent(sums['covered'], sums['count'])}")
    after.write(owners, folder.with_name("lines.txt"))
    print("\n".join([*faults, f"each line: {folder.with_name('lines.txt').relative_to(ROOT)}"]))
    return int(bool(faults))
