"""What every test of rawdev batch needs: runs of rawdev, the reports and files that they leave,
what they took."""
import collections
import contextlib
import itertools
import json
import os
import pathlib
import signal
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import psutil
import xxhash

from batch import material
from support.checks import check
from support.cost import processor_seconds
from support.program import PATIENCE, wait_for

MARK = "RAWDEV_BATCH_CHECK"
JPEG = ["--format", "jpeg-sdr"]
# Peak memory of the main process and of all, processor seconds, busy fraction of the cores.
Took = collections.namedtuple("Took", "main_peak peak cpu busy")


class Bench:
    """The program, a folder for one test, and the batch that the test runs: `inputs`, `options`
    and `env` stand for all of its runs until they are changed."""
    table = "Batches (batch/test_night.py and others)"

    def __init__(self, rawdev, folder, count, timing):
        self.rawdev, self.folder, self.count, self.timing = rawdev, folder, count, timing
        self.inputs, self.options = [folder / "in"], JPEG
        self.mark = f"{os.getpid()}-{time.time_ns()}"
        self.env = os.environ | {MARK: self.mark}

    def soon(self, name, seconds, limit):
        """What must be quick: judged by the clock only on a machine without other work."""
        if self.timing:
            check(f"{name} within {limit} s", seconds < limit, f"{seconds:.2f} s")

    def make(self, name):
        path = self.folder / name
        path.mkdir(parents=True)
        return path

    def raws(self, count=0, sources=material.FIXTURES[:1]):
        """The folder `in` with `count` raws, and the folder `out`, which does not exist yet."""
        folder = self.make("in")
        for number, source in zip(range(count), itertools.cycle(sources)):
            material.raw(folder / f"raw-{number:03}.dng", source)
        return folder, self.folder / "out"

    def faulty(self, **more):
        """The environment in which decoders and batches fail as faults.c says."""
        return self.env | {"LD_PRELOAD": str(material.faults(self.folder))} | more

    def words(self, *more, out="out"):
        """The command of this test's batch, with its outputs in this folder."""
        return ["batch", *self.inputs, "-o", self.folder / out, *self.options, *more]

    def start(self, *arguments, program=None, **options):
        """A process of rawdev; standard output and error are pipes unless said otherwise."""
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        options = pipes | {"env": self.env} | options
        return subprocess.Popen([*(program or [self.rawdev]), *arguments], **options)

    def start_and_stop(self, *more, renames=1, **options):
        """A batch that stops itself before this rename of an output; `go_on` lets it go on."""
        env = self.faulty(STOP_AT_RENAME=str(renames))
        process = self.start(*self.words(*more), env=env, **options)
        watched = psutil.Process(process.pid)
        wait_for(lambda: process.poll() is not None or watched.status() == psutil.STATUS_STOPPED)
        assert process.poll() is None, "the batch ended before it could be stopped"
        return process

    def go_on(self, process):
        return self.finish(process, signal.SIGCONT)

    def finish(self, process, number=None, patience=PATIENCE):
        """What a process came to at its end, for which a signal of this number may ask."""
        began = time.monotonic()
        if number:
            process.send_signal(number)
        out, err = process.communicate(timeout=patience)
        return Ended(self, process.returncode, out or b"", err or b"", time.monotonic() - began)

    def run(self, *arguments, **options):
        return self.finish(self.start(*arguments, **options))

    def batch(self, *more, out="out", **options):
        return self.run(*self.words(*more, out=out), **options)

    def serve(self, *arguments):
        """A server that is asked by standard input, and its client."""
        process = self.start("serve", *arguments, stdin=subprocess.PIPE, bufsize=0)
        return process, Client(process.stdin.write, process.stdout.readline)

    def watched_batch(self, *more, step=0.05):
        """A batch, and what it took."""
        before, process = processor_seconds(), self.start(*self.words(*more))
        with ThreadPoolExecutor() as pool:
            memory = pool.submit(peaks, process, step)
            ended = self.finish(process, patience=None)
        cpu = processor_seconds() - before
        cores = len(os.sched_getaffinity(0))
        return ended, Took(*memory.result(), cpu, cpu / ended.seconds / cores)

    def alive(self):
        """Processes of this test that are neither this one nor dead: identifier and command."""
        seen = [each.info for each in psutil.process_iter(["pid", "environ", "cmdline", "status"])]
        return [(each["pid"], " ".join(each["cmdline"] or [])) for each in seen
                if (each["environ"] or {}).get(MARK) == self.mark
                and each["status"] != psutil.STATUS_ZOMBIE]

    def workers(self):
        return [number for number, command in self.alive() if " worker" in command]

    def kill_workers(self):
        for number in self.workers():
            os.kill(number, signal.SIGKILL)


class Said:
    """What rawdev has written so far to its standard output, `out`."""

    @property
    def events(self):
        return lines(self.out)

    @property
    def items(self):
        return {item["id"]: item for item in items(self.events)}

    def status(self, name):
        return self.items.get(name, {}).get("status")


class Client(Said):
    """Lines to and from a server; replies are collected as they come."""

    def __init__(self, write, read):
        self.write, self.out = write, b""
        self.thread = threading.Thread(target=self.collect, args=(read,), daemon=True)
        self.thread.start()

    def collect(self, read):
        for line in iter(read, b""):
            self.out += line

    def ask(self, id, raw=None, **request):
        request |= {"id": id} | ({"in": str(raw)} if raw else {})
        self.write(json.dumps(request).encode() + b"\n")

    def answered(self, *names):
        """Whether these requests come to an end."""
        return wait_for(lambda: set(names) <= self.items.keys())

    def count(self, kind):
        return sum(event["event"] == kind for event in self.events)

    def end(self, process):
        """The exit code of a server, whose input ends, and with it the replies."""
        process.stdin.close()
        code = process.wait(timeout=PATIENCE)
        self.thread.join(PATIENCE)
        return code


@dataclass
class Ended(Said):
    """A run of rawdev that has ended."""
    bench: Bench
    code: int
    out: bytes
    err: bytes
    seconds: float

    @property
    def end(self):
        return next((e for e in reversed(self.events) if e.get("event") == "end"), {})

    @property
    def messages(self):
        return self.err.decode(errors="replace").strip().splitlines()

    @property
    def errors(self):
        """Errors of the items that failed, by their identifiers."""
        items = self.items.items()
        return {name: item["error"] for name, item in items if item["status"] == "failed"}

    def named(self, status):
        return {name for name, item in self.items.items() if item["status"] == status}

    def fate(self, name):
        """What became of an item: its status, and the code of its error if it failed."""
        return {self.status(name), self.errors.get(name, {}).get("code")}

    def summary(self):
        kept = {key: self.end.get(key) for key in ("done", "skipped", "failed", "interrupted")}
        errors = [(name, error["message"][-110:]) for name, error in self.errors.items()]
        return f"code {self.code}, {kept}, stderr {self.messages[:3]}, {errors[:5]}"

    def expect(self, name, code=None, *, lines=None, total=None, fates=(), says="", also=True,
               soon=None, **by_status):
        """One check: the exit code; the number of lines on standard error; of items the number in
        all, the number or the names by status, `fates` by name, and what every error says; and
        whatever else must hold. `soon` adds one of the time."""
        found = {status: self.named(status) for status in by_status}
        check(name, code in (None, self.code) and lines in (None, len(self.messages))
              and total in (None, len(self.items)) and also
              and all(by_status[key] in (names, len(names)) for key, names in found.items())
              and all(self.end.get(key) in (None, len(names)) for key, names in found.items())
              and all(fate in self.fate(name) for name, fate in dict(fates).items())
              and all(says in error["message"].lower() for error in self.errors.values()),
              f"{self.summary()} {found}")
        if soon:
            self.bench.soon(name, self.seconds, soon)
        return self


def lines(data):
    found = []
    for line in data.split(b"\n"):
        with contextlib.suppress(ValueError):
            found.append(json.loads(line))
    return found


def items(events):
    return [event for event in events if event.get("event") == "item"]


def report(folder):
    return lines((folder / "rawdev-report.jsonl").read_bytes())


def named(folder):
    """Identifiers of the items in the report that a batch left."""
    return [item["id"] for item in items(report(folder))]


def journal(out):
    """Lines of all journals: sources by the number of times that they were done."""
    paths = pathlib.Path(out, ".rawdev").glob("journal-*.jsonl")
    written = [line for path in paths for line in lines(path.read_bytes())]
    return collections.Counter(line["done"]["_0"]["source"] for line in written if "done" in line)


def digest(path):
    return xxhash.xxh3_128_hexdigest(pathlib.Path(os.fsdecode(path)).read_bytes())


def files(folder, hidden=False):
    """Every file below, by its path; without what batches keep for themselves unless `hidden`."""
    top, own = os.fsencode(folder), (b".rawdev/", b"rawdev-report")
    paths = [os.path.join(folder, name) for folder, _, names in os.walk(top) for name in names]
    found = {os.path.relpath(path, top): path for path in paths}
    return {name: path for name, path in found.items() if hidden or not name.startswith(own)}


def staged(folder):
    """Files that are not complete: their names begin with a full stop."""
    return {name for name in files(folder) if os.path.basename(name).startswith(b".")}


def complete(folder):
    return files(folder).keys() - staged(folder)


def digests(folder):
    return {name: digest(path) for name, path in files(folder).items()}


def times(folder):
    return {name: os.stat(path).st_mtime_ns for name, path in files(folder).items()}


def changed(folder, before):
    """Files that are new or were written since `before`."""
    return {name for name, _ in times(folder).items() - before.items()}


def peaks(process, step):
    """The most memory of a process, and of it and all below it, by a look every `step` seconds."""
    main, alone, together = psutil.Process(process.pid), 0, 0
    while process.poll() is None:
        with contextlib.suppress(psutil.Error):
            sizes = [proportional(each) for each in [main, *main.children(recursive=True)]]
            alone, together = max(alone, sizes[0]), max(together, sum(sizes))
        time.sleep(step)
    return alone, together


def proportional(process):
    """Memory of one process, pages that it shares with others divided among them, bytes."""
    try:
        return process.memory_full_info().pss
    except psutil.Error:
        return 0
