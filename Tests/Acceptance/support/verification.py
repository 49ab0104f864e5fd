"""Writes Docs/verification.md: tables of what the acceptance tests measured, each with its date and
machine. Tables that a run did not measure stay as they were."""
import datetime
import os
import pathlib
import platform
import re

HEAD = """# Verification

Measurements of rawdev's files by programs and references that are not ours. With
`--write-verification` the script that a table names writes it, with the date and the machine of the
run; the test in `Tests/Acceptance` that its heading names says what is compared, how, and within
which limits. The other tables were measured by hand. The limits of `Scripts/peers` are checked by
`Scripts/nightly`.
"""
# By the latest mark of the tests that fill a table.
SCRIPTS = {"nightly": "Scripts/nightly", "full": "Scripts/test --full"}


def table(rows):
    columns = list(dict.fromkeys(column for row in rows for column in row))
    lines = ["| " + " | ".join(columns) + " |", "|---" * len(columns) + "|"]
    lines += ["| " + " | ".join(str(row.get(c, "")) for c in columns) + " |" for row in rows]
    return "\n".join(lines)


def write(path, tables, marks):
    """Replaces or adds the sections that `tables` name; `marks` are those of their tests."""
    sections = {}
    if path.exists():
        for part in re.split(r"^(?=## )", path.read_text(), flags=re.M)[1:]:
            sections[part.split("\n", 1)[0][3:].strip()] = part.strip()
    cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    machine = f"{len(os.sched_getaffinity(0))} cores, {cpu[1] if cpu else platform.machine()}"
    for name, rows in tables.items():
        script = next((SCRIPTS[mark] for mark in SCRIPTS if mark in marks[name]), "Scripts/test")
        measured = f"Measured by `{script}` on {datetime.date.today()}, {machine}."
        sections[name] = f"## {name}\n\n{measured}\n\n{table(rows)}"
    path.write_text(HEAD + "".join(f"\n{sections[name]}\n" for name in sorted(sections)))
