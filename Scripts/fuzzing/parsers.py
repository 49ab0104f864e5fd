"""Fuzz/parsers.toml: which target of rawdev-fuzz reaches which parser of Sources. Run by itself it
fails for a parser that no target names."""
import pathlib
import re
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "Sources"
MAP = ROOT / "Fuzz/parsers.toml"


def found(pattern):
    """Paths below Sources of a pattern; `**` is all files below."""
    paths = SOURCES.glob(pattern + "/*" if pattern.endswith("**") else pattern)
    return {str(path.relative_to(SOURCES)) for path in paths if path.suffix in (".swift", ".c")}


def read():
    """The target that owns each parser, and what is wrong with the map."""
    table = tomllib.loads(MAP.read_text())
    named = [(owner, pattern) for part in ("targets", "others")
             for owner, patterns in table[part].items() for pattern in patterns]
    faults = [f"{pattern}: no such file" for _, pattern in named if not found(pattern)]
    # A pattern without a star wins over one with it, whoever is first.
    owners = {}
    for owner, pattern in sorted(named, key=lambda each: "*" in each[1]):
        for path in found(pattern):
            owners.setdefault(path, owner)
    every = set().union(*(found(pattern) for pattern in table["folders"]))
    faults += [f"{path}: neither a target nor `others` names it" for path in sorted(
        every - owners.keys())]
    known = set(table["targets"])
    return {path: owner for path, owner in sorted(owners.items()) if owner in known}, faults


def targets_without():
    """Targets of FuzzTarget.swift that the map lacks, and the other way round."""
    code = (ROOT / "Fuzz/FuzzTarget.swift").read_text()
    cases = set()
    for line in re.findall(r"^  case ([a-z].*)$", code, re.M):
        for each in line.split(", "):
            name, _, raw = each.partition(" = ")
            cases.add(raw.strip('"') or name)
    return cases ^ set(tomllib.loads(MAP.read_text())["targets"])


if __name__ == "__main__":
    wrong = [*read()[1], *(f"{name}: not in both Fuzz/FuzzTarget.swift and the map"
                           for name in sorted(targets_without()))]
    if wrong:
        sys.exit("Fuzz/parsers.toml:\n" + "\n".join(wrong))
