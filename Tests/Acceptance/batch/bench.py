"""What every case of rawdev batch needs: runs of rawdev with what they took, reports as they stand."""
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

from batch import material
from support.checks import check
from support.program import PATIENCE, wait_for

MARK = "RAWDEV_BATCH_CHECK"


class Bench:
    """The program, and a folder for one test."""

    def __init__(self, rawdev, folder, count=60, timing=False):
        self.rawdev, self.folder, self.count, self.timing = rawdev, folder, count, timing
        self.mark = f"{os.getpid()}-{time.time_ns()}"

    def check(self, name, good, detail=""):
        return check(name, good, detail)

    def soon(self, name, seconds, limit):
        """What must be quick: judged by the clock only on a machine without other work."""
        if self.timing:
            self.check(f"{name} within {limit} s", seconds < limit, f"{seconds:.2f} s")

    def note(self, text):
        """Something worth knowing when a check fails; pytest shows it only then."""
        print(text, flush=True)

    def open_program(self):
        """A copy of the program that other users can run."""
        path = self.folder / "rawdev"
        if not path.exists():
            path.write_bytes(pathlib.Path(self.rawdev).read_bytes())
            path.chmod(0o755)
        return path

    def make(self, name):
        """An empty folder of this name."""
        path = self.folder / name
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

    def start_and_stop(self, *arguments, renames=1, command=None):
        """A batch that stops itself before this rename of an output; SIGCONT lets it go on."""
        env = self.environment(material.faults(self.folder), STOP_AT_RENAME=str(renames))
        process = subprocess.Popen([*(command or [self.rawdev]), "batch", *map(os.fspath, arguments)],
                                   env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        stopped = wait_for(lambda: state(process.pid) in "TZ" or process.poll() is not None)
        assert stopped and process.poll() is None, "the batch ended before it could be stopped"
        return process

    def run(self, *arguments, limit=PATIENCE, **options):
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


def state(number):
    """The letter of a process's state: T for stopped, Z for ended."""
    try:
        return pathlib.Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"


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


def mount(target, *options):
    """Mounts for the length of a case; False where that is not allowed."""
    return subprocess.run(["mount", *options, str(target)], capture_output=True).returncode == 0


def unmount(target):
    ctypes.CDLL(None, use_errno=True).umount2(os.fsencode(target), 2)


SIGNALS = {"SIGTERM": signal.SIGTERM, "SIGINT": signal.SIGINT, "SIGUSR1": signal.SIGUSR1}
