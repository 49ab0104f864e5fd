#!/usr/bin/env python3
"""Checks that each target of Package.swift depends on the Swift modules of this package that its
files import, and on no others. A module that is imported but not named is built, where another
dependency brings it, but a change of its interface does not compile the importer again: the program
then has the code of before, or does not link. C modules and packages may follow from others.
Scripts/lint runs it."""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
IMPORT = re.compile(r"^ *(?:@\w+(?:\(\w+\))? )*(?:(?:public|package|internal) )?"
                    r"import (?:struct |class |enum |protocol |func )?(\w+)", re.M)


def main():
    dump = subprocess.run(["swift", "package", "dump-package"], cwd=ROOT, check=True,
                          env=os.environ | {"RAWDEV_FULL": "1"}, capture_output=True)
    targets = {target["name"]: target for target in json.loads(dump.stdout)["targets"]}
    sources = {}
    for name, target in targets.items():
        if target["type"] == "system":
            continue
        folder = ROOT / ("Tests" if target["type"] == "test" else "Sources") / name
        folder = ROOT / target["path"] if "path" in target else folder
        excluded = {folder / path for path in target["exclude"]}
        sources[name] = [path for path in folder.rglob("*.swift")
                         if path not in excluded and ".docc/" not in str(path)]
    modules = {name for name, files in sources.items() if files}
    problems = []
    for name in modules:
        imported = {module for path in sources[name]
                    for module in IMPORT.findall(path.read_text())} & modules - {name}
        named = {next(iter(entry.values()))[0]
                 for entry in targets[name]["dependencies"]} & modules
        problems += [f"{name} imports {module}: name it" for module in imported - named]
        problems += [f"{name} names {module}: no file imports it" for module in named - imported]
    if problems:
        sys.exit("\n".join(["dependencies in Package.swift:", *sorted(problems)]))


main()
