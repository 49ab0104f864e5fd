#!/usr/bin/env python3
"""Checks what kernels in C say of the samples around their rows (CK_MARGIN): the table of
Docs/kernels.md has the same numbers, and Swift asserts them where it calls the kernel. Scripts/lint
runs it."""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def declared():
    """Kernel → samples before and behind its rows."""
    found = {}
    for header in sorted((ROOT / "Sources/CKernels/include").glob("*.h")):
        for name, *numbers in re.findall(
                r"^CK_MARGIN\((\w+), (\d+), (\d+)\);$", header.read_text(), re.M):
            found[name] = tuple(map(int, numbers))
    return found


def documented():
    """The same by the table: a row names kernels, and both numbers."""
    found = {}
    text = (ROOT / "Docs/kernels.md").read_text()
    for names, *numbers in re.findall(
            r"^\| ((?:`ck_\w+`(?:, )?)+) \| (\d+) \| (\d+) \|", text, re.M):
        for name in re.findall(r"ck_\w+", names):
            found[name] = tuple(map(int, numbers))
    return found


def main():
    margins, table = declared(), documented()
    problems = [
        f"Docs/kernels.md has {table.get(name)} for {name}, CK_MARGIN {margins.get(name)}"
        for name in sorted(margins.keys() | table.keys()) if margins.get(name) != table.get(name)]
    swift = "\n".join(path.read_text() for path in (ROOT / "Sources").rglob("*.swift"))
    problems += [
        f"no caller of {name} asserts its margin: row.kernel(count, behind: {name}_behind)"
        for name in sorted(margins) if not re.search(rf"\b{name}_behind\b", swift)]
    if problems:
        sys.exit("\n".join(problems))
    print(f"kernels: {len(margins)} margins, each asserted")


if __name__ == "__main__":
    main()
