"""kill -9 at random moments, then the same command again."""
import os
import random
import signal
import time

from batch import material
from batch.bench import Ended, digests, files
from batch.undisturbed import KILLS, RAWS, prepare, settled, whole_files
from support.program import wait_for

def test_between(bench):
    """Killed between two renames: some outputs of a raw are in place, others are not."""
    folder, whole, _ = prepare(bench, 6)
    library = material.faults(bench.folder)
    out = bench.folder / "out"
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
        out = bench.folder / what
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


def test_kill(bench):
    folder, whole, ended = prepare(bench)
    expected = digests(whole)
    length = ended.seconds
    out = bench.folder / "out"
    chance = random.Random(20)
    number = rounds = slow = half = staged = 0
    moments = []
    while number < KILLS:
        process = bench.start("batch", folder, "-o", out, "-r", folder / "night.yaml")
        # Twenty moments spread over one run: by the files that are new, then by the clock.
        began = time.monotonic()
        target = whole_files(out) + chance.randrange(2 * 2 * RAWS // KILLS)
        wait_for(lambda: whole_files(out) >= target or process.poll() is not None, step=0.005)
        time.sleep(chance.uniform(0, 1.5 * length / RAWS))
        delay = time.monotonic() - began
        if process.poll() is not None:
            process.communicate()
            rounds += 1
            settled(bench, folder, whole, out, Ended(process.returncode, b"", b"", 0))
            out = bench.folder / f"out-{rounds}"
            continue
        process.send_signal(signal.SIGKILL)
        process.communicate()
        number += 1
        killed = time.monotonic()
        gone = wait_for(lambda: not bench.workers())
        slow += not gone
        bench.soon("workers end", time.monotonic() - killed, 2)
        found = {n: d for n, d in digests(out).items()
                 if not os.path.basename(n).startswith(b".")} if out.exists() else {}
        wrong = [n for n, d in found.items() if expected.get(n) != d]
        half += len(wrong)
        staged += sum(1 for n in files(out) if os.path.basename(n).startswith(b".")) if out.exists() else 0
        moments.append((round(delay, 2), len(found)))
    bench.check(f"killed {number} times, no file under its name was incomplete", half == 0, half)
    bench.check("workers end with it", slow == 0, slow)
    bench.note(f"seconds after the start, whole files then: {moments}")
    bench.note(f"staged files that the kills left: {staged}")
    again = bench.batch(folder, "-o", out, "-r", folder / "night.yaml")
    settled(bench, folder, whole, out, again)
    third = bench.batch(folder, "-o", out, "-r", folder / "night.yaml")
    bench.check("one more run skips all", third.count("skipped") == RAWS and third.code == 0, third.summary())
