"""Ends that are asked for, kill -9 of batches and workers at any moment, decoders that hang, runs
whose records were torn; then the same command again."""
import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import time

from batch import material
from batch.bench import JPEG, digests, files, lines, staged, whole
from batch.undisturbed import Undisturbed, journal
from support.checks import check
from support.program import PATIENCE, wait_for

RAWS, KILLS = 40, 20


def test_interrupted(bench):
    """SIGTERM, SIGINT and SIGUSR1 end a run within 10 s with 75; the same command goes on."""
    calm = Undisturbed(bench, 16)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1):
        name, out = number.name, bench.folder / number.name
        process = bench.start_and_stop(*calm.words(out), renames=3)
        process.send_signal(number)
        ended = bench.go_on(process)
        items = [event["status"] for event in ended.events if event["event"] == "item"]
        ended.expect(f"{name} ends with 75", 75)
        bench.soon(f"{name} ends it", ended.seconds, 10)
        check(f"{name}: every raw is accounted for once", len(items) == 16
              and {"interrupted"} <= set(items) <= {"done", "interrupted"}
              and ended.events[-1]["event"] == "end", items)
        check(f"{name}: no staged file is left", not list(out.glob("**/.rawdev-*.part*")))
        calm.settled(out)


def test_hanging(bench):
    """A signal while a decoder hangs, and --timeout for those that hang."""
    folder, out = bench.raws(3)
    material.variant(material.FIXTURES[0], folder / "aa-hang-me.dng", 50)
    words, env = [folder, "-o", out, *JPEG], bench.environment(material.faults(bench.folder))
    process = bench.start("batch", *words, env=env)
    wait_for(lambda: len(list(out.glob("*.jpg"))) == 3)
    process.send_signal(signal.SIGTERM)
    ended = bench.finish(process)
    ended.expect("a hanging decoder does not hold up the end", 75)
    bench.soon("a hanging decoder", ended.seconds, 10)
    log = bench.folder / "faults.log"
    process = bench.start("batch", *words, env=dict(env, FAULT_LOG=str(log)))
    wait_for(log.exists)
    process.kill()
    process.communicate()
    check("a hanging worker ends when the batch is killed", wait_for(lambda: not bench.workers()), bench.alive())
    ended = bench.batch(*words, "--timeout", "2", env=env)
    ended.expect("--timeout costs the hanging file only", 3, skipped=3, also=ended.end.get(
        "timeouts") == 1 and ended.errors["aa-hang-me.dng"]["code"] == "timeout")
    bench.soon("--timeout 2 ends it", ended.seconds, 8)


def test_workers(bench):
    """kill -9 of single workers, busy and idle ones, as the kernel does when memory runs out."""
    calm = Undisturbed(bench, 24)
    process = bench.start("batch", *calm.words(calm.out, "--jobs", "2"))
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
    ended = bench.finish(process)
    ended.expect("every raw is done in the same run", done=24)
    calm.settled(calm.out, ended)
    # An idle worker dies, then gets a task.
    server = bench.start("serve", "-o", bench.make("serve"), stdin=subprocess.PIPE, bufsize=0)

    def request(name, raw):
        return json.dumps({"id": name, "in": str(calm.folder / raw)}).encode() + b"\n"

    server.stdin.write(request("a", "raw-000.dng"))
    first = b""
    while not any(event["event"] == "item" for event in lines(first)):
        first += server.stdout.readline()
    for number in bench.workers():
        os.kill(number, signal.SIGKILL)
    stdout, _ = server.communicate(request("b", "raw-001.dng"), timeout=PATIENCE)
    items = {e["id"]: e["status"] for e in lines(first + stdout) if e["event"] == "item"}
    check("an idle worker's death costs nothing", server.returncode == 0
          and items == {"a": "done", "b": "done"}, (server.returncode, items))


def test_upgraded(bench):
    """The program is replaced by another while it works, as package managers do."""
    calm, program = Undisturbed(bench, 12), bench.folder / "rawdev"
    shutil.copy(bench.rawdev, program)
    words = calm.words(calm.out, "--jobs", "1")
    process = bench.start_and_stop(*words, renames=3, program=[program])
    program.unlink()
    program.write_text("#!/bin/sh\nexit 7\n")
    program.chmod(0o755)
    for number in bench.workers():
        os.kill(number, signal.SIGKILL)
    bench.go_on(process).expect("workers of the old program are started to the end", done=12)


def test_memory(bench):
    """A decoder that swallows memory, and a limit that is too small for one file."""
    folder, out = bench.raws(4)
    material.variant(material.FIXTURES[0], folder / "bb-swallow-me.dng", 51)
    env = bench.environment(material.faults(bench.folder))
    ended = bench.batch(folder, "-o", out, *JPEG, "--memory", "400M", env=env)
    ended.expect("who swallows memory fails alone", 3, done=4,
                 also=ended.errors["bb-swallow-me.dng"]["code"] == "tooLarge")
    ended = bench.batch(folder, "-o", bench.make("small"), "--memory", "100M")
    ended.expect("--memory too small for anything is refused", 2, lines=1)
    bench.batch(folder, "-o", out, "--memory", "lots").expect("nonsense for --memory is refused", 2)


def test_torn(bench):
    """Journal and report cut off in the middle of a line, or filled with nonsense."""
    calm = Undisturbed(bench, 6)
    out = calm.out
    calm.batch(out)
    journal, report = next(out.glob(".rawdev/journal-*")), out / "rawdev-report.jsonl"
    journal.write_bytes(journal.read_bytes()[:-40])
    report.write_bytes(report.read_bytes()[:-700])
    ended = calm.batch(out)
    starts = [e for e in lines(report.read_bytes()) if e["event"] == "start"]
    check("a torn report is continued on a line of its own", len(starts) == 2, starts)
    ended.expect("a torn journal costs one raw at most", skipped=5)
    check("what stands under its name is still whole", digests(out) == calm.whole)
    with open(journal, "ab") as file:
        file.write(b'\0\xff nonsense\n{"done":{"_0":{}}}\n{"begin":{"source":"x","staged":'
                   b'["../../raw-000.dng","/etc/hostname.part"]}}\n' + b"[" * 5000 + b"\n")
    calm.batch(out, "--overwrite").expect("nonsense in a journal is passed over", 0)
    guard = bench.folder / "guard.txt"
    guard.write_text("not yours")
    with open(journal, "ab") as file:
        file.write(b'{"begin":{"source":"x","staged":["../guard.txt"]}}\n')
    calm.batch(out)
    check("a journal cannot have other files removed", guard.exists())


def test_between(bench):
    """Killed between two renames: some outputs of a raw are in place, others are not."""
    calm = Undisturbed(bench, 6)
    out = calm.out
    library, moments = material.faults(bench.folder), (1, 2, 1, 2, 3, 4, 1)

    def killed(out, moment, *more):
        env = bench.environment(library, KILL_AT_RENAME=str(moment))
        return calm.batch(out, *more, env=env)

    codes = {killed(out, moment).code for moment in moments}
    check(f"killed before renames {moments}; nothing half has a name",
          codes == {-signal.SIGKILL} and whole(out).items() <= calm.whole.items(), codes)
    calm.settled(out)
    # The same, and before the next run the raw is touched, replaced, or its sidecar is edited.
    raw = calm.folder / "raw-000.dng"
    for what, disturb in {
        "touched": lambda: os.utime(raw), "replaced": lambda: material.variant(material.FIXTURES[0], raw, 123),
        "edited": lambda: material.sidecar(raw).write_text("raw: {exposure: 0.5}\n"),
    }.items():
        out = bench.folder / what
        calm.batch(out, "--set", "raw.exposure=1")
        killed(out, 2, "--jobs", "1")
        disturb()
        calm.batch(out).expect(f"killed between renames, then {what}: goes on", 0)


def count_whole(out):
    return len(files(out)) - len(staged(out))


def test_kill(bench, record):
    calm = Undisturbed(bench, RAWS)
    out, chance = calm.out, random.Random(20)
    number = rounds = slow = left = 0
    wrong = []
    while number < KILLS:
        process = bench.start("batch", *calm.words(out))
        # Twenty moments spread over one run: by the files that are new, then anywhere in the
        # work on the next one. No moment is better than another, so that a clock may choose.
        target = count_whole(out) + chance.randrange(2 * 2 * RAWS // KILLS)
        wait_for(lambda: count_whole(out) >= target or process.poll() is not None, step=0.005)
        time.sleep(chance.uniform(0, 1.5 * calm.seconds / RAWS))
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
        wrong += [name for name, digest in whole(out).items() if calm.whole.get(name) != digest]
        left += len(staged(out))
    check(f"killed {number} times, no file under its name was incomplete", not wrong, wrong)
    check("workers end with it", slow == 0, slow)
    calm.settled(out)
    calm.batch(out).expect("one more run skips all", 0, skipped=RAWS)
    record(bench.table, case=f"kill -9 at {KILLS} moments, {RAWS} raws of two outputs", result=(
        f"{len(wrong)} incomplete files, {slow} workers left, "
        f"{left} staged files removed by the next runs"))
