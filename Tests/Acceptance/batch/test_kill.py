"""kill -9 at random moments, then the same command again."""
import os
import random
import signal
import time

from batch import material
from batch.bench import staged, whole
from batch.undisturbed import Undisturbed, count_whole
from support.checks import check
from support.program import wait_for

RAWS, KILLS = 40, 20


def test_between(bench):
    """Killed between two renames: some outputs of a raw are in place, others are not."""
    calm = Undisturbed(bench, 6)
    out = calm.out
    library, moments = material.faults(bench.folder), (1, 2, 1, 2, 3, 4, 1)

    def killed(out, moment, *more):
        return calm.batch(out, *more, env=bench.environment(library, KILL_AT_RENAME=str(moment)))

    for moment in moments:
        ended = killed(out, moment)
        if ended.code != -signal.SIGKILL:
            check(f"killed before rename {moment}", False, ended.code)
    check(f"killed before renames {moments}; nothing half has a name", whole(out).items() <= calm.whole.items())
    calm.settled(out)
    # The same, and before the next run the raw is touched, replaced, or its sidecar is edited.
    raw = calm.folder / "raw-000.dng"
    for what, disturb in {
        "touched": lambda: os.utime(raw), "replaced": lambda: material.variant(material.FIXTURES[0], raw, 123),
        "edited": lambda: raw.with_name(raw.name + ".rawdev.yaml").write_text("raw: {exposure: 0.5}\n"),
    }.items():
        out = bench.folder / what
        calm.batch(out, "--set", "raw.exposure=1")
        killed(out, 2, "--jobs", "1")
        disturb()
        calm.batch(out).expect(f"killed between renames, then {what}: goes on", 0)


def test_kill(bench, record):
    calm = Undisturbed(bench, RAWS)
    out = calm.out
    chance = random.Random(20)
    number = rounds = slow = left = 0
    wrong, moments = [], []
    while number < KILLS:
        process = bench.start("batch", *calm.words(out))
        # Twenty moments spread over one run: by the files that are new, then by the clock.
        began = time.monotonic()
        target = count_whole(out) + chance.randrange(2 * 2 * RAWS // KILLS)
        wait_for(lambda: count_whole(out) >= target or process.poll() is not None, step=0.005)
        time.sleep(chance.uniform(0, 1.5 * calm.seconds / RAWS))
        delay = time.monotonic() - began
        if process.poll() is not None:
            rounds += 1
            calm.settled(out, bench.finish(process))
            out = bench.folder / f"out-{rounds}"
            continue
        process.kill()
        process.communicate()
        number, killed = number + 1, time.monotonic()
        slow += not wait_for(lambda: not bench.workers())
        bench.soon("workers end", time.monotonic() - killed, 2)
        found = whole(out)
        wrong += [name for name, digest in found.items() if calm.whole.get(name) != digest]
        left += len(staged(out))
        moments.append((round(delay, 2), len(found)))
    check(f"killed {number} times, no file under its name was incomplete", not wrong, wrong)
    check("workers end with it", slow == 0, slow)
    print(f"seconds after the start, whole files then: {moments}; staged files that the kills left: {left}")
    calm.settled(out)
    calm.batch(out).expect("one more run skips all", 0, skipped=RAWS)
    record(bench.table, case=f"kill -9 at {KILLS} moments, {RAWS} raws of two outputs", result=(
        f"{len(wrong)} incomplete files, {slow} workers left, {left} staged files removed by the next runs"))
