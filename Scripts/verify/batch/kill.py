"""kill -9 at random moments, then the same command again."""
import json
import os
import pathlib
import random
import signal
import time

from . import material
from .bench import digests, files, wait_for

RECIPE = """outputs:
  hdr: {format: heif-hlg, maxSize: 400, name: "hdr/{stem}"}
  web: {format: jpeg, maxSize: 400, name: "web/{stem}"}
"""
RAWS, KILLS = 40, 20


def prepare(bench, raws=RAWS):
    """A folder of raws, and what comes of it undisturbed."""
    folder = bench.make("in")
    material.copies(folder, raws, material.FIXTURES)
    (folder / "night.yaml").write_text(RECIPE)
    whole = bench.folder / bench.case / "undisturbed"
    ended = bench.batch(folder, "-o", whole, "-r", folder / "night.yaml")
    bench.check("undisturbed run", ended.code == 0 and ended.count("done") == raws, ended.summary())
    return folder, whole, ended


def journal(out):
    """Lines of all journals: sources by the number of times that they were done."""
    done = {}
    for path in pathlib.Path(out, ".rawdev").glob("journal-*.jsonl"):
        for line in path.read_bytes().split(b"\n"):
            try:
                value = json.loads(line)
            except ValueError:
                continue
            if "done" in value:
                source = value["done"]["_0"]["source"]
                done[source] = done.get(source, 0) + 1
    return done


def settled(bench, folder, whole, out, ended, raws=RAWS):
    """What must hold after the last run."""
    expected, found = digests(whole), digests(out)
    bench.check("the run after it ends with 0", ended.code == 0, ended.summary())
    bench.check("outputs are those of the undisturbed run, byte by byte", found == expected,
                {"missing": sorted(set(expected) - set(found))[:3],
                 "stray": sorted(set(found) - set(expected))[:3],
                 "different": [n for n in expected if n in found and found[n] != expected[n]][:3]}
                if found != expected else f"{len(found)} files")
    kept = sorted(os.path.relpath(p, os.fsencode(out)) for n, p in files(out, hidden=True).items()
                  if b".rawdev/" in n or n.startswith(b"rawdev-report"))
    known = all(k.startswith((b".rawdev/journal-", b"rawdev-report.")) for k in kept)
    bench.check("nothing else is left but journal and report", known, kept)
    times = journal(out)
    bench.check("nothing was done twice", len(times) == raws and set(times.values()) == {1},
                {k: v for k, v in times.items() if v != 1} or len(times))


def whole_files(out):
    return sum(not os.path.basename(n).startswith(b".") for n in files(out)) if out.exists() else 0


def between(bench):
    """Killed between two renames: some outputs of a raw are in place, others are not."""
    folder, whole, _ = prepare(bench, 6)
    library = material.faults(bench.folder)
    out = bench.folder / bench.case / "out"
    moments = (1, 2, 1, 2, 3, 4, 1)
    for moment in moments:
        ended = bench.batch(folder, "-o", out, "-r", folder / "night.yaml",
                            env=bench.environment(library, KILL_AT_RENAME=str(moment)))
        if ended.code != -signal.SIGKILL:
            bench.check(f"killed before rename {moment}", False, ended.code)
    bench.check(f"killed before renames {moments}; nothing half has a name", all(
        digests(whole).get(n) == d for n, d in digests(out).items() if not os.path.basename(n).startswith(b".")))
    settled(bench, folder, whole, out, bench.batch(folder, "-o", out, "-r", folder / "night.yaml"), 6)
    # The same, and before the next run the raw is touched, replaced, or its sidecar is edited.
    for what in ("touched", "replaced", "edited"):
        out = bench.folder / bench.case / what
        bench.batch(folder, "-o", out, "-r", folder / "night.yaml", "--set", "raw.exposure=1")
        bench.batch(folder, "-o", out, "-r", folder / "night.yaml", "--jobs", "1",
                    env=bench.environment(library, KILL_AT_RENAME="2"))
        raw = folder / "raw-000.dng"
        if what == "touched":
            os.utime(raw)
        elif what == "replaced":
            material.variant(material.FIXTURES[0], raw, 123)
        else:
            raw.with_name(raw.name + ".rawdev.yaml").write_text("raw: {exposure: 0.5}\n")
        ended = bench.batch(folder, "-o", out, "-r", folder / "night.yaml")
        bench.check(f"killed between renames, then {what}: goes on", ended.code == 0, (ended.summary(), [
            i["error"]["message"][-130:] for i in ended.items.values() if i.get("error")]))


def kill(bench):
    folder, whole, ended = prepare(bench)
    expected = digests(whole)
    length = ended.seconds
    out = bench.folder / bench.case / "out"
    chance = random.Random(20)
    number = rounds = slow = half = staged = 0
    moments = []
    while number < KILLS:
        process = bench.start("batch", folder, "-o", out, "-r", folder / "night.yaml")
        # Twenty moments spread over one run: by the files that are new, then by the clock.
        began = time.monotonic()
        target = whole_files(out) + chance.randrange(2 * 2 * RAWS // KILLS)
        wait_for(lambda: whole_files(out) >= target or process.poll() is not None, 30, 0.005)
        time.sleep(chance.uniform(0, 1.5 * length / RAWS))
        delay = time.monotonic() - began
        if process.poll() is not None:
            process.communicate()
            rounds += 1
            settled(bench, folder, whole, out, type(ended)(process.returncode, b"", b"", 0))
            out = bench.folder / bench.case / f"out-{rounds}"
            continue
        process.send_signal(signal.SIGKILL)
        process.communicate()
        number += 1
        gone = wait_for(lambda: not bench.workers(), 2)
        slow += not gone
        found = {n: d for n, d in digests(out).items()
                 if not os.path.basename(n).startswith(b".")} if out.exists() else {}
        wrong = [n for n, d in found.items() if expected.get(n) != d]
        half += len(wrong)
        staged += sum(1 for n in files(out) if os.path.basename(n).startswith(b".")) if out.exists() else 0
        moments.append((round(delay, 2), len(found)))
    bench.check(f"killed {number} times, no file under its name was incomplete", half == 0, half)
    bench.check("workers end within 2 s of it", slow == 0, slow)
    bench.note(f"seconds after the start, whole files then: {moments}")
    bench.note(f"staged files that the kills left: {staged}")
    again = bench.batch(folder, "-o", out, "-r", folder / "night.yaml")
    settled(bench, folder, whole, out, again)
    third = bench.batch(folder, "-o", out, "-r", folder / "night.yaml")
    bench.check("one more run skips all", third.count("skipped") == RAWS and third.code == 0, third.summary())


CASES = {"kill": kill, "between": between}
