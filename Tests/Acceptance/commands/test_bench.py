"""Where `rawdev bench` says that the CPU time goes, against the clock of the process that the
kernel keeps, and the trace that it writes, read by Python. CPU clocks stand still while others
compute, so this holds on busy machines as well."""
import collections
import json
import os

import pytest

from support.checks import check, same
from support.cost import measured
from support.program import FIXTURES, attempt, run

FORMATS = ["tiff", "heif-hlg", "jpeg-gainmap", "avif"]


@pytest.fixture(scope="module")
def raw(generator, folder):
    run(generator, "benchmark", folder / "raw.dng", "--width", "3000", "--height", "2000")
    return folder / "raw.dng"


# Of the program that is installed: in that of the tests more time passes between the rows.
@pytest.mark.full
@pytest.mark.parametrize("name", FORMATS)
def test_rows_add_up(rawdev, raw, tmp, name):
    log = tmp / "report"
    cost = measured("sh", "-c", f"{rawdev} bench {raw} --runs 1 --format {name} --json > {log}")
    same("exit code", cost.code, 0)
    report = json.loads(log.read_text())
    rows = {row["name"]: row["cpuMilliseconds"] for row in report["stages"]}
    whole = report["cpuMilliseconds"]
    named = sum(rows.values()) - rows.get("other", 0)
    check("rows add up within 5 %", 0.95 * whole <= named <= 1.05 * whole, (rows, whole))
    check("no more than the process", whole <= cost.cpu * 1000 * 1.05, (whole, cost.cpu))
    # What follows the run: printing the report, and the shell.
    check("no less", whole >= cost.cpu * 1000 * 0.95 - 20, (whole, cost.cpu))
    for stage in ["start-up", "decode", "demosaic", "noise reduction", "sharpening", "scene",
                  "tone", "codes"]:
        check(f"{stage} takes time", rows.get(stage, 0) > 0, rows)


def test_trace(rawdev, raw, tmp):
    path = tmp / "trace.json"
    run(rawdev, "bench", raw, "--runs", "1", "--threads", "2", "--format", "heif-hlg",
        "--trace", path)
    events = json.loads(path.read_text())["traceEvents"]
    check("complete events", all(event["ph"] == "X" for event in events), len(events))
    check("durations", all(event["dur"] >= 0 and event["ts"] >= 0 for event in events), path)
    threads = collections.defaultdict(list)
    for event in events:
        threads[event["tid"]].append(event)
    for own in threads.values():
        opened = []
        for event in sorted(own, key=lambda event: (event["ts"], -event["dur"])):
            while opened and opened[-1]["ts"] + opened[-1]["dur"] <= event["ts"] + 1e-3:
                opened.pop()
            if opened:
                outer = opened[-1]
                check(f"{event['name']} lies in {outer['name']}",
                      event["ts"] + event["dur"] <= outer["ts"] + outer["dur"] + 1e-3,
                      (event, outer))
            opened.append(event)


def test_trace_is_refused_before_any_work(rawdev, tmp):
    raw, taken = FIXTURES / "sunset-linear.dng", tmp / "notes.json"
    taken.write_text("{}")
    for path, code in [(taken, 4), (tmp / "none/trace.json", 4), (tmp, 2)]:
        done = attempt(rawdev, "bench", raw, "--runs", "1", "--trace", path)
        check(f"{path}: exit code", done.returncode != 0, done.stderr)
        same(f"{path}: no report", done.stdout.strip(), "")
    same("the file is still there", taken.read_text(), "{}")
    run(rawdev, "bench", raw, "--runs", "1", "--trace", taken, "--overwrite")
    check("replaced", "traceEvents" in taken.read_text(), taken)
    same("nothing else", sorted(os.listdir(tmp)), ["notes.json"])


def test_digests(rawdev, tmp):
    raw = FIXTURES / "sunset-bayer.dng"

    def stages(*options):
        report = json.loads(run(rawdev, "bench", raw, "--digests", "--json", *options))
        return [(stage["name"], stage["xxh64"]) for stage in report["stages"]]

    plain = stages("--threads", "1")
    names = [name for name, _ in plain]
    same("the first and the last", (names[0], names[-1]), ("decode", "tone"))
    for name in ["levels", "defects", "demosaic", "noise reduction", "sharpening", "scene"]:
        check(f"a digest behind {name}", name in names, names)
    same("other threads", stages("--threads", "3"), plain)
    changed = stages("--saturation", "0.5")
    first = next(b[0] for a, b in zip(plain, changed) if a != b)
    same("the stage of the setting", first, "look")
    lines = run(rawdev, "bench", raw, "--digests", text=True).splitlines()
    same("the same for people", [line.split("  ")[0] for line in lines], names)
    refused = attempt(rawdev, "bench", raw, "--digests", "--trace", tmp / "trace.json")
    same("refused", refused.returncode, 2)
    same("nothing is written", os.listdir(tmp), [])
