"""Ends that are asked for, kill -9 of batches and workers at any moment, decoders that hang, runs
whose records were torn; then the same command again."""
import contextlib
import os
import pathlib
import random
import shutil
import signal
import time

import pytest

from batch import material
from batch.bench import complete, digests, items, journal, report, staged
from batch.undisturbed import Undisturbed
from support.checks import check, none, same
from support.program import wait_for
from support.tiers import few


@pytest.mark.parametrize("name", few(1, ["SIGTERM", "SIGINT", "SIGUSR1"]))
def test_interrupted(bench, name):
    calm = Undisturbed(bench, 16)
    process = bench.start_and_stop(renames=3)
    process.send_signal(signal.Signals[name])
    ended = bench.go_on(process).expect(f"{name} ends with 75", 75, soon=10)
    statuses = [item["status"] for item in items(ended.events)]
    check("every raw is accounted for once", len(statuses) == 16
          and {"interrupted"} <= set(statuses) <= {"done", "interrupted"}
          and ended.events[-1]["event"] == "end", statuses)
    none("no staged file is left", list(calm.out.glob("**/.rawdev-*.part*")))
    calm.settled()


def test_hanging(bench):
    folder, out = bench.raws(3)
    material.raw(folder / "aa-hang-me.dng")
    bench.env, log = bench.faulty(), bench.folder / "faults.log"
    process = bench.start(*bench.words())
    wait_for(lambda: len(list(out.glob("*.jpg"))) == 3)
    bench.finish(process, signal.SIGTERM).expect("a hanging decoder ends with it", 75, soon=10)
    process = bench.start(*bench.words(), env=bench.faulty(FAULT_LOG=str(log)))
    wait_for(lambda: log.exists() and log.stat().st_size)
    bench.finish(process, signal.SIGKILL)
    check("it ends after kill -9, too", wait_for(lambda: not bench.workers()), bench.alive())
    ended = bench.batch("--timeout", "2")
    ended.expect("--timeout costs the hanging file only", 3, skipped=3, soon=8,
                 fates={"aa-hang-me.dng": "timeout"}, also=ended.end.get("timeouts") == 1)


@pytest.mark.full
def test_killed_workers(bench):
    """kill -9 of single workers, busy and idle ones, as the kernel does when memory runs out."""
    calm = Undisturbed(bench, 24)
    process = bench.start(*bench.words("--jobs", "2"))
    chance, killed = random.Random(3), 0
    # One that is killed gets its file once more, alone. The next is killed when five more are done:
    # two are in hand at most, so the file that was lost is among them.
    while process.poll() is None and killed < 4:
        wanted = len(journal(calm.out)) + 5 * (killed > 0)
        wait_for(lambda: process.poll() is not None
                 or len(journal(calm.out)) >= wanted and bench.workers())
        with contextlib.suppress(ProcessLookupError, IndexError):
            os.kill(chance.choice(bench.workers()), signal.SIGKILL)
            killed += 1
    ended = bench.finish(process).expect("every raw is done in the same run", done=24)
    calm.settled(ended=ended)
    # An idle worker dies, then gets a task.
    server, client = bench.serve("-o", bench.make("serve"))
    client.ask("a", calm.folder / "raw-000.dng")
    client.answered("a")
    bench.kill_workers()
    client.ask("b", calm.folder / "raw-001.dng")
    same("an idle worker's death costs nothing", client.end(server), 0)
    replies = [(item["id"], item["status"]) for item in items(client.events)]
    same("each request is done once", replies, [("a", "done"), ("b", "done")])


def test_program_is_replaced(bench):
    Undisturbed(bench, 12)
    program = pathlib.Path(shutil.copy(bench.rawdev, bench.folder))
    process = bench.start_and_stop("--jobs", "1", renames=3, program=[program])
    program.unlink()
    program.write_text("#!/bin/sh\nexit 7\n")
    program.chmod(0o755)
    bench.kill_workers()
    bench.go_on(process).expect("workers of the old program are started to the end", done=12)


def test_memory(bench):
    folder, _ = bench.raws(4)
    material.raw(folder / "bb-swallow-me.dng")
    ended = bench.batch("--memory", "400M", env=bench.faulty())
    ended.expect("who swallows memory fails", 3, done=4, fates={"bb-swallow-me.dng": "tooLarge"})
    bench.batch("--memory", "100M", out="small").expect("too little is refused", 2, lines=1)
    bench.batch("--memory", "lots").expect("nonsense for --memory is refused", 2)


def test_torn_records(bench):
    calm = Undisturbed(bench, 6)
    bench.batch()
    written, path = next(calm.out.glob(".rawdev/journal-*")), calm.out / "rawdev-report.jsonl"
    written.write_bytes(written.read_bytes()[:-40])
    path.write_bytes(path.read_bytes()[:-700])
    ended = bench.batch()
    starts = [event for event in report(calm.out) if event["event"] == "start"]
    check("a torn report is continued on a line of its own", len(starts) == 2, starts)
    ended.expect("a torn journal costs one raw at most", skipped=5)
    same("what stands under its name is still whole", digests(calm.out), calm.whole)
    with open(written, "ab") as file:
        file.write(b'\0\xff nonsense\n{"done":{"_0":{}}}\n{"begin":{"source":"x","staged":'
                   b'["../../raw-000.dng","/etc/hostname.part"]}}\n' + b"[" * 5000 + b"\n")
    bench.batch("--overwrite").expect("nonsense in a journal is passed over", 0)
    guard = bench.folder / "guard.txt"
    guard.write_text("not yours")
    with open(written, "ab") as file:
        file.write(b'{"begin":{"source":"x","staged":["../guard.txt"]}}\n')
    bench.batch()
    check("a journal cannot have other files removed", guard.exists())


def test_killed_between_renames(bench):
    calm = Undisturbed(bench, 6)
    moments = (1, 2, 1, 2, 3, 4, 1)

    def killed(moment, *more, out="out"):
        return bench.batch(*more, out=out, env=bench.faulty(KILL_AT_RENAME=str(moment)))

    codes = {killed(moment).code for moment in moments}
    same(f"killed before renames {moments}", codes, {-signal.SIGKILL})
    none("nothing half has a name", calm.half(calm.out))
    calm.settled()
    # The same, and before the next run the raw is touched, replaced, or its sidecar is edited.
    raw = calm.folder / "raw-000.dng"
    for what, disturb in [
            ("touched", lambda: os.utime(raw)), ("replaced", lambda: material.raw(raw)),
            ("edited", lambda: material.sidecar(raw).write_text("raw: {exposure: 0.5}\n"))]:
        bench.batch("--set", "raw.exposure=1", out=what)
        killed(2, "--jobs", "1", out=what)
        disturb()
        bench.batch(out=what).expect(f"killed between renames, then {what}: goes on", 0)


@pytest.mark.parametrize("kills, raws", [
    (2, 6), pytest.param(5, 10, marks=pytest.mark.full),
    pytest.param(20, 40, marks=pytest.mark.nightly)])
def test_kill(bench, record, kills, raws):
    calm = Undisturbed(bench, raws)
    out, chance = calm.out, random.Random(20)
    killed = rounds = left = 0
    wrong = []
    while killed < kills:
        process = bench.start(*bench.words(out=out))
        # The moments are spread over one run: by the files that are new, then anywhere in the
        # work on the next one. No moment is better than another, so that a clock may choose.
        target = len(complete(out)) + chance.randrange(2 * 2 * raws // kills)
        wait_for(lambda: len(complete(out)) >= target or process.poll() is not None, step=0.005)
        time.sleep(chance.uniform(0, 1.5 * calm.seconds / raws))
        if process.poll() is not None:
            calm.settled(out, bench.finish(process))
            rounds += 1
            out = bench.folder / f"out-{rounds}"
            continue
        bench.finish(process, signal.SIGKILL)
        killed, began = killed + 1, time.monotonic()
        check("workers end with it", wait_for(lambda: not bench.workers()), bench.alive())
        bench.soon("workers end", time.monotonic() - began, 2)
        wrong += calm.half(out)
        left += len(staged(out))
    none(f"killed {killed} times, no file under its name was incomplete", wrong)
    calm.settled(out)
    bench.batch(out=out).expect("one more run skips all", 0, skipped=raws)
    record(bench.table, case=f"kill -9 at {kills} moments, {raws} raws of two outputs", result=(
        f"{len(wrong)} incomplete files, {left} staged files removed by the next runs"))
