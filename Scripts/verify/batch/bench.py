"""What every case needs: checks that count, runs of rawdev with what they took, reports as they stand."""
import ctypes
import hashlib
import json
import os
import pathlib
import resource
import signal
import subprocess
import threading
import time
from dataclasses import dataclass, field

PAGE = os.sysconf("SC_PAGE_SIZE")
MARK = "RAWDEV_BATCH_CHECK"


class Bench:
    """One run of batch.py: the program, a folder for each case, and the tally."""

    def __init__(self, rawdev, folder, count, timing, python):
        self.rawdev, self.folder, self.count, self.timing = rawdev, folder, count, timing
        self.python = python
        self.checks = self.failed = 0
        self.case = ""
        self.mark = f"{os.getpid()}-{time.time_ns()}"

    def check(self, name, good, detail=""):
        self.checks += 1
        self.failed += not good
        text = "" if detail == "" else f": {ascii(detail)[:700] if not isinstance(detail, str) else detail[:700]}"
        print(f"{'ok    ' if good else 'FAILED'} {self.case}: {name}{text}", flush=True)
        return good

    def note(self, text):
        print(f"       {self.case}: {text}", flush=True)

    def make(self, name):
        """An empty folder of this name."""
        path = self.folder / self.case / name
        path.mkdir(parents=True)
        return path

    def environment(self, preload=None, **more):
        values = dict(os.environ, **{MARK: self.mark}, **more)
        if preload:
            values["LD_PRELOAD"] = str(preload)
        return values

    def start(self, *arguments, env=None, **options):
        """A process of rawdev; standard output and error are files beside the case's folders."""
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        options.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.Popen([self.rawdev, *map(os.fspath, arguments)],
                                env=env or self.environment(), **options)

    def run(self, *arguments, limit=300, **options):
        """Runs to the end: exit code (None after `limit` seconds), output, messages, seconds."""
        began = time.monotonic()
        process = self.start(*arguments, **options)
        try:
            out, err = process.communicate(timeout=limit)
            code = process.returncode
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            code = None
        return Ended(code, out or b"", err or b"", time.monotonic() - began)

    def batch(self, *arguments, **options):
        return self.run("batch", *arguments, **options)

    def alive(self):
        """Processes of this check that are neither this one nor dead: identifier and command."""
        found = []
        for entry in os.listdir("/proc"):
            if not entry.isdigit() or int(entry) == os.getpid():
                continue
            try:
                values = pathlib.Path(f"/proc/{entry}/environ").read_bytes()
                command = pathlib.Path(f"/proc/{entry}/cmdline").read_bytes()
                state = pathlib.Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()[0]
            except OSError:
                continue
            if f"{MARK}={self.mark}".encode() in values and state != "Z":
                found.append((int(entry), command.replace(b"\0", b" ").decode(errors="replace")))
        return found

    def workers(self):
        return [number for number, command in self.alive() if " worker" in command]


@dataclass
class Ended:
    code: int | None
    out: bytes
    err: bytes
    seconds: float
    measured: dict = field(default_factory=dict)

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

    def count(self, status):
        return sum(item["status"] == status for item in self.items.values())

    def summary(self):
        keep = {key: self.end.get(key) for key in ("done", "skipped", "failed", "interrupted")}
        return f"code {self.code}, {keep}, stderr {self.messages[:3]}"


def lines(data):
    found = []
    for line in data.split(b"\n"):
        try:
            found.append(json.loads(line))
        except ValueError:
            pass
    return found


def digest(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def files(folder, hidden=False):
    """Every file below, by its path; without what batches keep for themselves unless `hidden`."""
    found = {}
    for place, folders, names in os.walk(os.fsencode(folder)):
        if not hidden and b".rawdev" in folders:
            folders.remove(b".rawdev")
        for name in names:
            path = os.path.join(place, name)
            relative = os.path.relpath(path, os.fsencode(folder))
            if hidden or not (place == os.fsencode(folder) and name.startswith(b"rawdev-report")):
                found[relative] = path
    return found


def digests(folder):
    return {name: hashlib.sha256(open(path, "rb").read()).hexdigest()
            for name, path in files(folder).items()}


def times(folder):
    return {name: os.stat(path).st_mtime_ns for name, path in files(folder).items()}


class Watch:
    """Memory of a process and all below it, every `step` seconds; its processor time at the end."""

    def __init__(self, process, step=0.05):
        self.process, self.step = process, step
        self.peak = self.main_peak = 0
        self.wanted, self.samples = 0, 0
        self.before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.idle = idle()
        self.began = time.monotonic()
        self.thread = threading.Thread(target=self.sample, daemon=True)
        self.thread.start()

    def sample(self):
        while self.process.poll() is None:
            total = 0
            for number in tree(self.process.pid):
                size = proportional(number)
                total += size
                if number == self.process.pid:
                    self.main_peak = max(self.main_peak, size)
            self.peak = max(self.peak, total)
            self.wanted += min(runnable(tree(self.process.pid)), len(os.sched_getaffinity(0)))
            self.samples += 1
            time.sleep(self.step)

    def finish(self):
        """Seconds, processor seconds, share of the cores that was busy; of those that no other had in `free`;
        share of the cores that threads worked on or waited for in `wanted`."""
        self.process.wait()
        seconds = time.monotonic() - self.began
        self.thread.join()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = sum(getattr(after, k) - getattr(self.before, k) for k in ("ru_utime", "ru_stime"))
        self.free = cpu / max(cpu + idle() - self.idle, 1e-9)
        self.wanted /= max(self.samples, 1) * len(os.sched_getaffinity(0))
        return seconds, cpu, cpu / seconds / len(os.sched_getaffinity(0))


def idle():
    """Seconds that cores had nothing to do or waited for disks, since the machine started."""
    numbers = pathlib.Path("/proc/stat").read_text().split("\n")[0].split()[1:]
    return (int(numbers[3]) + int(numbers[4])) / os.sysconf("SC_CLK_TCK")


def runnable(processes):
    """Threads that work or would if a core were free."""
    count = 0
    for number in processes:
        for path in pathlib.Path(f"/proc/{number}/task").glob("*/stat"):
            try:
                count += path.read_text().rpartition(")")[2].split()[0] == "R"
            except OSError:
                pass
    return count


def tree(root):
    """A process and all below it."""
    found, rest = [], [root]
    while rest:
        number = rest.pop()
        found.append(number)
        for path in pathlib.Path(f"/proc/{number}/task").glob("*/children"):
            try:
                rest += map(int, path.read_text().split())
            except OSError:
                pass
    return found


def proportional(number):
    """Memory of one process, pages that it shares with others divided among them, bytes."""
    try:
        for line in pathlib.Path(f"/proc/{number}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) << 10
    except OSError:
        pass
    return 0


def wait_for(condition, seconds, step=0.02):
    """Whether `condition` came true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(step)
    return bool(condition())


def mount(target, *options):
    """Mounts for the length of a case; False where that is not allowed."""
    return subprocess.run(["mount", *options, str(target)], capture_output=True).returncode == 0


def unmount(target):
    ctypes.CDLL(None, use_errno=True).umount2(os.fsencode(target), 2)


SIGNALS = {"SIGTERM": signal.SIGTERM, "SIGINT": signal.SIGINT, "SIGUSR1": signal.SIGUSR1}
