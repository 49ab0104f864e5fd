"""Ends that are asked for, workers that are killed, runs whose records were torn, crew and clock."""
import json
import os
import random
import shutil
import signal
import subprocess
import time

from batch import material
from batch.bench import SIGNALS, Ended, digests, lines
from batch.undisturbed import journal, prepare, settled
from support.program import PATIENCE, wait_for


def test_interrupted(bench):
    """SIGTERM, SIGINT and SIGUSR1 end a run within 10 s with 75; the same command goes on."""
    folder, whole, _ = prepare(bench, 16)
    for name, number in SIGNALS.items():
        out = bench.folder / name
        process = bench.start_and_stop(folder, "-o", out, "-r", folder / "night.yaml", renames=3)
        began = time.monotonic()
        process.send_signal(number)
        process.send_signal(signal.SIGCONT)
        stdout, stderr = process.communicate()
        took = time.monotonic() - began
        events = lines(stdout)
        items = [e for e in events if e["event"] == "item"]
        bench.check(f"{name} ends with 75", process.returncode == 75, process.returncode)
        bench.soon(f"{name} ends it", took, 10)
        bench.check(f"{name}: every raw is accounted for once", len(items) == 16
                    and {i["status"] for i in items} <= {"done", "interrupted"}
                    and any(i["status"] == "interrupted" for i in items) and events[-1]["event"] == "end",
                    [i["status"] for i in items])
        bench.check(f"{name}: no staged file is left", not list(out.glob("**/.rawdev-*.part*")))
        settled(bench, folder, whole, out,
                bench.batch(folder, "-o", out, "-r", folder / "night.yaml"), 16)


def test_hanging(bench):
    """A signal while a decoder hangs, and --timeout for those that hang."""
    folder = bench.make("in")
    material.copies(folder, 3)
    material.variant(material.FIXTURES[0], folder / "aa-hang-me.dng", 50)
    env = bench.environment(material.faults(bench.folder))
    out = bench.folder / "out"
    process = bench.start("batch", folder, "-o", out, "--format", "jpeg", env=env)
    wait_for(lambda: len(list(out.glob("*.jpg"))) == 3)
    began = time.monotonic()
    process.send_signal(signal.SIGTERM)
    stdout, _ = process.communicate(timeout=PATIENCE)
    took = time.monotonic() - began
    bench.check("a hanging decoder does not hold up the end", process.returncode == 75,
                process.returncode)
    bench.soon("a hanging decoder", took, 10)
    log = bench.folder / "faults.log"
    process = bench.start("batch", folder, "-o", out, "--format", "jpeg", env=dict(env, FAULT_LOG=str(log)))
    wait_for(log.exists)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    bench.check("a hanging worker ends when the batch is killed", wait_for(lambda: not bench.workers()),
                bench.alive())
    ended = bench.batch(folder, "-o", out, "--format", "jpeg", "--timeout", "2", env=env)
    item = ended.items.get("aa-hang-me.dng", {})
    bench.check("--timeout costs the hanging file only", ended.code == 3 and ended.count("skipped") == 3
                and item.get("error", {}).get("code") == "timeout" and ended.end["timeouts"] == 1,
                (ended.summary(), item.get("error")))
    bench.soon("--timeout 2 ends it", ended.seconds, 8)


def test_workers(bench):
    """kill -9 of single workers, busy and idle ones, as the kernel does when memory runs out."""
    folder, whole, _ = prepare(bench, 24)
    out = bench.folder / "out"
    process = bench.start("batch", folder, "-o", out, "-r", folder / "night.yaml", "--jobs", "2")
    chance, killed = random.Random(3), 0
    # One that is killed gets its file once more, alone. The next is killed when five more are done: two are
    # in hand at most, so the file that was lost is among them.
    while process.poll() is None and killed < 4:
        wanted = len(journal(out)) + 5 * (killed > 0)
        wait_for(lambda: len(journal(out)) >= wanted and bench.workers() or process.poll() is not None)
        found = bench.workers()
        if found:
            try:
                os.kill(chance.choice(found), signal.SIGKILL)
                killed += 1
            except ProcessLookupError:
                pass
    stdout, stderr = process.communicate()
    ended = Ended(process.returncode, stdout, stderr, 0)
    bench.note(f"{killed} workers killed; crashes counted {ended.end.get('crashes')}")
    bench.check("every raw is done in the same run", ended.count("done") == 24,
                (ended.summary(), [i["error"]["message"] for i in ended.items.values() if i.get("error")][:2]))
    settled(bench, folder, whole, out, ended, 24)
    # An idle worker dies, then gets a task.
    server = bench.start("serve", "-o", bench.make("serve"), stdin=subprocess.PIPE, bufsize=0)
    request = {"id": "a", "in": str(folder / "raw-000.dng")}
    server.stdin.write(json.dumps(request).encode() + b"\n")
    first = b""
    while not any(e["event"] == "item" for e in lines(first)):
        first += server.stdout.readline()
    for number in bench.workers():
        os.kill(number, signal.SIGKILL)
    request = {"id": "b", "in": str(folder / "raw-001.dng")}
    stdout, _ = server.communicate(json.dumps(request).encode() + b"\n", timeout=PATIENCE)
    items = {e["id"]: e["status"] for e in lines(first + stdout) if e["event"] == "item"}
    bench.check("an idle worker's death costs nothing", server.returncode == 0
                and items == {"a": "done", "b": "done"}, (server.returncode, items))


def test_upgraded(bench):
    """The program is replaced by another while it works, as package managers do."""
    folder, whole, _ = prepare(bench, 12)
    program = bench.folder / "rawdev"
    shutil.copy(bench.rawdev, program)
    out = bench.folder / "out"
    process = bench.start_and_stop(folder, "-o", out, "-r", folder / "night.yaml", "--jobs", "1",
                                   renames=3, command=[program])
    program.unlink()
    program.write_text("#!/bin/sh\nexit 7\n")
    program.chmod(0o755)
    for number in bench.workers():
        os.kill(number, signal.SIGKILL)
    process.send_signal(signal.SIGCONT)
    stdout, stderr = process.communicate(timeout=PATIENCE)
    ended = Ended(process.returncode, stdout, stderr, 0)
    bench.check("workers of the old program are started to the end", ended.count("done") == 12, (
        ended.summary(), [i["error"]["message"][:120] for i in ended.items.values() if i.get("error")][:2]))


def test_memory(bench):
    """A decoder that swallows memory, and a limit that is too small for one file."""
    folder = bench.make("in")
    material.copies(folder, 4)
    material.variant(material.FIXTURES[0], folder / "bb-swallow-me.dng", 51)
    env = bench.environment(material.faults(bench.folder))
    out = bench.folder / "out"
    ended = bench.batch(folder, "-o", out, "--format", "jpeg", "--memory", "400M", env=env)
    item = ended.items.get("bb-swallow-me.dng", {})
    bench.check("who swallows memory fails alone", ended.code == 3 and ended.count("done") == 4
                and item.get("error", {}).get("code") == "tooLarge", (ended.summary(), item.get("error")))
    ended = bench.batch(folder, "-o", bench.make("small"), "--memory", "100M")
    bench.check("--memory too small for anything is refused", ended.code == 2 and len(ended.messages) == 1,
                (ended.code, ended.messages))
    bench.check("nonsense for --memory is refused", bench.batch(
        folder, "-o", out, "--memory", "lots").code == 2)


def test_torn(bench):
    """Journal and report cut off in the middle of a line, or filled with nonsense."""
    folder, whole, _ = prepare(bench, 6)
    out = bench.folder / "out"
    bench.batch(folder, "-o", out, "-r", folder / "night.yaml")
    journal, report = next(out.glob(".rawdev/journal-*")), out / "rawdev-report.jsonl"
    journal.write_bytes(journal.read_bytes()[:-40])
    report.write_bytes(report.read_bytes()[:-700])
    ended = bench.batch(folder, "-o", out, "-r", folder / "night.yaml")
    text = report.read_bytes()
    starts = [e for e in lines(text) if e["event"] == "start"]
    bench.check("a torn report is continued on a line of its own", len(starts) == 2,
                f"{len(starts)} starts in the report")
    bench.note(f"torn journal: {ended.summary()}; "
               f"{[i['error']['message'][:100] for i in ended.items.values() if i['status'] == 'failed']}")
    bench.check("a torn journal costs one raw at most", ended.count("skipped") == 5, ended.summary())
    bench.check("what stands under its name is still whole", digests(out) == digests(whole))
    with open(journal, "ab") as file:
        file.write(b"\0\xff nonsense\n{\"done\":{\"_0\":{}}}\n{\"begin\":{\"source\":\"x\",\"staged\":"
                   b"[\"../../raw-000.dng\",\"/etc/hostname.part\"]}}\n" + b"[" * 5000 + b"\n")
    ended = bench.batch(folder, "-o", out, "-r", folder / "night.yaml", "--overwrite")
    bench.check("nonsense in a journal is passed over", ended.code == 0, ended.summary())
    guard = bench.folder / "guard.txt"
    guard.write_text("not yours")
    with open(journal, "ab") as file:
        file.write(b'{"begin":{"source":"x","staged":["../guard.txt"]}}\n')
    bench.batch(folder, "-o", out, "-r", folder / "night.yaml")
    bench.check("a journal cannot have other files removed", guard.exists())
