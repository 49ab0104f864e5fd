"""What every case of rawdev batch needs: runs of rawdev, the reports and files that they leave,
what they took."""
import contextlib
import hashlib
import json
import os
import pathlib
import signal
import subprocess
import threading
import time
from dataclasses import dataclass

import psutil

from batch import material
from support.checks import check
from support.cost import processor_seconds
from support.program import PATIENCE, wait_for

MARK = "RAWDEV_BATCH_CHECK"
JPEG = ["--format", "jpeg"]


class Bench:
    """The program, and a folder for one test."""
    table = "Batches (batch/test_night.py and others)"

    def __init__(self, rawdev, folder, count=60, timing=False):
        self.rawdev, self.folder, self.count, self.timing = rawdev, folder, count, timing
        self.mark = f"{os.getpid()}-{time.time_ns()}"

    def soon(self, name, seconds, limit):
        """What must be quick: judged by the clock only on a machine without other work."""
        if self.timing:
            check(f"{name} within {limit} s", seconds < limit, f"{seconds:.2f} s")

    def make(self, name):
        """An empty folder of this name."""
        path = self.folder / name
        path.mkdir(parents=True)
        return path

    def raws(self, count, sources=material.FIXTURES[:1]):
        """The folder `in` with so many raws, and a folder for outputs, which is not there yet."""
        folder = self.make("in")
        material.copies(folder, count, sources)
        return folder, self.folder / "out"

    def environment(self, preload=None, **more):
        values = dict(os.environ, **{MARK: self.mark}, **more)
        if preload:
            values["LD_PRELOAD"] = str(preload)
        return values

    def start(self, *arguments, env=None, program=None, **options):
        """A process of rawdev; standard output and error are pipes unless said otherwise."""
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen([*(program or [self.rawdev]), *map(os.fspath, arguments)],
                                env=env or self.environment(), **(pipes | options))

    def start_and_stop(self, *arguments, renames=1, program=None):
        """A batch that stops itself before this rename of an output; `go_on` lets it go on."""
        env = self.environment(material.faults(self.folder), STOP_AT_RENAME=str(renames))
        process = self.start("batch", *arguments, env=env, program=program)
        watched = psutil.Process(process.pid)
        wait_for(lambda: process.poll() is not None or watched.status() == psutil.STATUS_STOPPED)
        assert process.poll() is None, "the batch ended before it could be stopped"
        return process

    def go_on(self, process):
        process.send_signal(signal.SIGCONT)
        return self.finish(process)

    def finish(self, process):
        """What a process came to at its end."""
        began = time.monotonic()
        out, err = process.communicate(timeout=PATIENCE)
        return Ended(process.returncode, out or b"", err or b"", time.monotonic() - began)

    def run(self, *arguments, **options):
        return self.finish(self.start(*arguments, **options))

    def batch(self, *arguments, **options):
        return self.run("batch", *arguments, **options)

    def alive(self):
        """Processes of this check that are neither this one nor dead: identifier and command."""
        found = []
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error):
                if (process.environ().get(MARK) == self.mark
                        and process.status() != psutil.STATUS_ZOMBIE):
                    found.append((process.pid, " ".join(process.cmdline())))
        return found

    def workers(self):
        return [number for number, command in self.alive() if " worker" in command]


@dataclass
class Ended:
    """A run of rawdev that has ended."""
    code: int
    out: bytes
    err: bytes
    seconds: float

    @property
    def events(self):
        return lines(self.out)

    @property
    def items(self):
        return {e["id"]: e for e in self.events if e.get("event") == "item"}

    @property
    def end(self):
        return next((e for e in reversed(self.events) if e.get("event") == "end"), {})

    @property
    def messages(self):
        return self.err.decode(errors="replace").strip().splitlines()

    @property
    def errors(self):
        """Errors of the items that failed, by their identifiers."""
        return {name: self.items[name]["error"] for name in self.named("failed")}

    def named(self, status):
        """Identifiers of the items of a status."""
        return {name for name, item in self.items.items() if item["status"] == status}

    def count(self, status):
        return len(self.named(status))

    def status(self, name):
        return self.items.get(name, {}).get("status")

    def summary(self):
        kept = {key: self.end.get(key) for key in ("done", "skipped", "failed", "interrupted")}
        errors = {name: self.errors[name]["message"][-110:] for name in list(self.errors)[:5]}
        return f"code {self.code}, {kept}, stderr {self.messages[:3]}, {errors}"

    def expect(self, name, code=None, also=True, lines=None, detail="", **counts):
        """One check: the exit code, lines on standard error, how many items are done, skipped,
        failed, and whatever else must hold."""
        good = code in (None, self.code) and lines in (None, len(self.messages)) and also
        found = {status: self.count(status) for status in counts}
        return check(name, good and found == counts, f"{self.summary()} {detail}")


def lines(data):
    found = []
    for line in data.split(b"\n"):
        with contextlib.suppress(ValueError):
            found.append(json.loads(line))
    return found


def named(folder):
    """Identifiers of the items in the report that a batch left."""
    report = (folder / "rawdev-report.jsonl").read_bytes()
    return [event["id"] for event in lines(report) if event["event"] == "item"]


def digest(path):
    return hashlib.sha256(pathlib.Path(os.fsdecode(path)).read_bytes()).hexdigest()


def files(folder, hidden=False):
    """Every file below, by its path; without what batches keep for themselves unless `hidden`."""
    top, own = os.fsencode(folder), (b".rawdev/", b"rawdev-report")
    paths = [os.path.join(place, name) for place, _, names in os.walk(top) for name in names]
    found = {os.path.relpath(path, top): path for path in paths}
    return {name: path for name, path in found.items() if hidden or not name.startswith(own)}


def staged(folder):
    """Files that are not complete: their names begin with a full stop."""
    return [name for name in files(folder) if os.path.basename(name).startswith(b".")]


def digests(folder):
    return {name: digest(path) for name, path in files(folder).items()}


def whole(folder):
    """Digests of the files that stand under their own names."""
    found, incomplete = digests(folder), staged(folder)
    return {name: value for name, value in found.items() if name not in incomplete}


def times(folder):
    return {name: os.stat(path).st_mtime_ns for name, path in files(folder).items()}


class Watch:
    """Memory of a process and all below it, every `step` seconds; its processor time at the end."""

    def __init__(self, process, step=0.05):
        self.process, self.step = process, step
        self.peak = self.main_peak = 0
        self.before, self.began = processor_seconds(), time.monotonic()
        self.thread = threading.Thread(target=self.sample, daemon=True)
        self.thread.start()

    def sample(self):
        main = psutil.Process(self.process.pid)
        while self.process.poll() is None:
            with contextlib.suppress(psutil.Error):
                sizes = [proportional(each) for each in [main, *main.children(recursive=True)]]
                self.main_peak = max(self.main_peak, sizes[0])
                self.peak = max(self.peak, sum(sizes))
            time.sleep(self.step)

    def finish(self):
        """Seconds, processor seconds, fraction of the cores that was busy."""
        self.process.wait()
        seconds = time.monotonic() - self.began
        self.thread.join()
        cpu = processor_seconds() - self.before
        return seconds, cpu, cpu / seconds / len(os.sched_getaffinity(0))


def proportional(process):
    """Memory of one process, pages that it shares with others divided among them, bytes."""
    try:
        return process.memory_full_info().pss
    except psutil.Error:
        return 0
