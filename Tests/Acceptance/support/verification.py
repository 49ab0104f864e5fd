"""Writes Docs/verification.md: tables of what the acceptance tests measured, each with its date and
machine. Tables that a run did not measure stay as they were."""
import datetime
import os
import pathlib
import platform
import re
import sys

HEAD = """# Verification

Measurements of rawdev's files by programs and references that are not ours. With
`--write-verification` the script that a table names writes it, with the date and the machine of the
run; the test in `Tests/Acceptance` that its heading names says what is compared, how, and within
which limits. The other tables were measured by hand. The limits of `Scripts/peers` are checked by
`Scripts/nightly`.
"""
RUNS = "Last runs of Scripts/test --full and Scripts/nightly"
# By the latest mark of the tests that fill a table.
SCRIPTS = {"nightly": "Scripts/nightly", "full": "Scripts/test --full"}


def table(rows):
    columns = list(dict.fromkeys(column for row in rows for column in row))
    lines = ["| " + " | ".join(columns) + " |", "|---" * len(columns) + "|"]
    lines += ["| " + " | ".join(str(row.get(c, "")) for c in columns) + " |" for row in rows]
    return "\n".join(lines)


def read(path):
    """The sections of the page by their headings."""
    return {part.split("\n", 1)[0][3:].strip(): part.strip()
            for part in re.split(r"^(?=## )", path.read_text(), flags=re.M)[1:]}


def save(path, sections):
    path.write_text(HEAD + "".join(f"\n{sections[name]}\n" for name in sorted(sections)))


def write(path, tables, marks):
    """Replaces or adds the sections that `tables` name; `marks` are those of their tests."""
    sections = read(path)
    cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    machine = f"{len(os.sched_getaffinity(0))} cores, {cpu[1] if cpu else platform.machine()}"
    for name, rows in tables.items():
        script = next((SCRIPTS[mark] for mark in SCRIPTS if mark in marks[name]), "Scripts/test")
        measured = f"Measured by `{script}` on {datetime.date.today()}, {machine}."
        sections[name] = f"## {name}\n\n{measured}\n\n{table(rows)}"
    save(path, sections)


def note(part, commit, result, time, counted):
    """What came of a part of Scripts/nightly, or of a tier of Scripts/test, when it last ran."""
    path = pathlib.Path(__file__).resolve().parents[3] / "Docs/verification.md"
    sections = read(path)
    cells = [line.strip("| ").split(" | ") for line in sections.get(RUNS, "").splitlines()[4:]]
    rows = {row[0]: row for row in cells}
    rows[part] = [part, str(datetime.date.today()), commit, result, time,
                  counted.replace("|", "/") or "–"]
    columns = ["part", "date", "commit", "result", "time", "counted"]
    sections[RUNS] = f"## {RUNS}\n\n" + table(
        [dict(zip(columns, rows[name])) for name in sorted(rows)])
    save(path, sections)


if __name__ == "__main__":
    note(*sys.argv[1:])
