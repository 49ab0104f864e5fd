"""rawdev batch --watch: files that are copied slowly, edited sidecars, an end by signal."""
import ctypes
import os
import select
import signal
import threading
import time

from batch import material
from batch.bench import JPEG, lines, named, staged, times
from support.checks import check
from support.program import PATIENCE, wait_for

SETTLE = 2.0


def wait_for_listing(folder):
    """Waits until somebody has listed an empty folder (inotify: it is opened a second time)."""
    system = ctypes.CDLL(None)
    descriptor, opened = system.inotify_init1(0), 0x20
    system.inotify_add_watch(descriptor, os.fsencode(folder), opened)
    for _ in range(2):
        assert select.select([descriptor], [], [], PATIENCE)[0], "nobody looks at the folder"
        os.read(descriptor, 1 << 16)
    os.close(descriptor)


class Copying:
    """A file that is appended to without a pause, until it is told to end."""

    def __init__(self, path, data):
        self.path, self.data, self.longest = path, data, 0.0
        self.end, self.thread = threading.Event(), threading.Thread(target=self.append)
        self.thread.start()

    def append(self):
        """All but the last bytes in steps, then those. `longest`: the longest time without a
        change, so that of a machine that stalled no more is expected than can be."""
        head, tail = self.data[:-1000], self.data[-1000:]
        at, changed = 0, time.monotonic()
        with open(self.path, "wb") as file:
            while not self.end.is_set() or at < len(head):
                step = len(head) if self.end.is_set() else 100
                file.write(head[at:at + step])
                at = min(at + step, len(head))
                file.flush()
                # The time of change moves, whether or not there are bytes left to write.
                os.utime(self.path)
                now = time.monotonic()
                self.longest, changed = max(self.longest, now - changed), now
                self.end.wait(0.05)
            file.write(tail)
        self.longest = max(self.longest, time.monotonic() - changed)

    def finish(self):
        self.end.set()
        self.thread.join()


class Watching:
    """A watching batch, and what it makes."""

    def __init__(self, bench, folder, out, settle):
        self.folder, self.out, self.put = folder, out, []
        self.log, self.errors = bench.folder / "stdout.jsonl", bench.folder / "stderr.txt"
        words = [folder, "-o", out, *JPEG, "--watch", "--settle", settle]
        with open(self.log, "wb") as stdout, open(self.errors, "wb") as stderr:
            self.process = bench.start("batch", *map(str, words), stdout=stdout, stderr=stderr)

    def status(self, name):
        return [event["status"] for event in lines(self.log.read_bytes())
                if event["event"] == "item" and event["id"] == f"{name}.dng"]

    def made(self, name):
        return wait_for(lambda: (self.out / f"{name}.jpg").exists())

    def made_now(self, name):
        self.put.append(name)
        path = self.folder / f"{name}.dng"
        material.variant(material.FIXTURES[0], path, 100 + len(self.put))
        return self.made(name)

    def look(self):
        """Waits until a raw that is put there now is developed, and another one after it: what
        the batch saw when it saw the first has been developed by then."""
        for _ in range(2):
            assert self.made_now(f"mark-{len(self.put)}"), "nobody looks at the folder"


def test_watch(bench):
    folder, out = bench.raws(2)
    watching = Watching(bench, folder, out, SETTLE)
    status, made, process = watching.status, watching.made, watching.process
    check("what is there is developed", made("raw-000") and made("raw-001"))
    for attempt in range(10):
        name = f"slow-{attempt}"
        copying = Copying(folder / f"{name}.dng", material.FIXTURES[1].read_bytes())
        watching.look()
        early = status(name)
        copying.finish()
        if copying.longest < SETTLE:
            break
        # This machine let the copy rest for as long as a whole file: nothing is shown.
        made(name)
    check("a file is not looked at while it is copied", early == [], early)
    check("it is developed once it is whole",
          made(name) and wait_for(lambda: status(name)[:1] == ["done"]), status(name))
    before, sidecar = times(out), folder / "raw-001.dng.rawdev.yaml"
    sidecar.write_text("raw: {exposure: 1}\n")
    check("an edited sidecar has its raw done again", wait_for(
        lambda: status("raw-001").count("done") == 2)
        and {n for n, t in times(out).items() if before.get(n) != t} == {b"raw-001.jpg"},
        status("raw-001"))
    sidecar.unlink()
    check("a sidecar that is taken away, too", wait_for(
        lambda: status("raw-001").count("done") == 3), status("raw-001"))
    (folder / "bad.dng").write_text("no raw")
    check("a bad file is named", wait_for(lambda: set(status("bad")) == {"failed"}), status("bad"))
    bench.make("in/new folder")
    check("a new folder is seen", watching.made_now("new folder/x"))
    (folder / "raw-000.dng").unlink()
    watching.look()
    check("a raw that is taken away is no trouble", process.poll() is None
          and (out / "raw-000.jpg").exists(), process.poll())
    process.send_signal(signal.SIGTERM)
    process.wait(timeout=PATIENCE)
    check("SIGTERM ends it with 75", process.returncode == 75,
          (process.returncode, watching.errors.read_text()[-200:]))
    slow = {f"slow-{n}" for n in range(attempt + 1)}
    wanted = {"raw-000", "raw-001", "bad", *slow, *watching.put}
    found = {name.removesuffix(".dng") for name in named(out)}
    check("the report tells of all rounds", found == wanted, found ^ wanted)
    check("nothing half is left", not staged(out), staged(out))


def test_waiting(bench):
    """A folder that is empty, and one that goes away and comes back, as network folders do."""
    empty = bench.make("empty")
    watching = Watching(bench, empty, bench.make("out"), 0)
    process = watching.process
    wait_for_listing(empty)
    check("an empty folder is waited for", watching.made_now("first"))
    for path in empty.iterdir():
        path.unlink()
    empty.rmdir()
    check("a folder that goes away is waited for", wait_for(
        lambda: b"waiting for it" in watching.errors.read_bytes() or process.poll() is not None)
        and process.poll() is None, process.poll())
    empty.mkdir()
    check("it comes back", watching.made_now("second"), process.poll())
    process.kill()
    process.wait()
