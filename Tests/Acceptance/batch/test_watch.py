"""rawdev batch --watch: files that are copied slowly, sidecars that are edited, an end by signal."""
import ctypes
import os
import signal
import struct
import threading
import time

from batch import material
from batch.bench import JPEG, lines, staged, times
from support.checks import check
from support.program import PATIENCE, wait_for

SETTLE = 2.0


class Looks:
    """Counts how often somebody opens a folder to list it (inotify)."""

    def __init__(self, folder):
        system = ctypes.CDLL(None, use_errno=True)
        self.descriptor, self.count, opened = system.inotify_init1(os.O_NONBLOCK), 0, 0x20
        if system.inotify_add_watch(self.descriptor, os.fsencode(folder), opened) < 0:
            raise OSError(ctypes.get_errno(), "inotify")

    def look(self):
        try:
            data = os.read(self.descriptor, 1 << 16)
        except BlockingIOError:
            return self.count
        at = 0
        while at < len(data):
            _, mask, _, length = struct.unpack_from("iIII", data, at)
            self.count += bool(mask & 0x4000_0000)  # a folder
            at += 16 + length
        return self.count

    def more(self, number):
        """Waits for `number` looks from now on."""
        wanted = self.look() + number
        assert wait_for(lambda: self.look() >= wanted), "nobody looks at the folder"


class Copying:
    """A file that is appended to without a pause, until it is told to end."""

    def __init__(self, path, data):
        self.path, self.data, self.longest = path, data, 0.0
        self.end, self.thread = threading.Event(), threading.Thread(target=self.append)
        self.thread.start()

    def append(self):
        """All but the last bytes in steps, then those. `longest`: the longest time without a change, so
        that of a machine that stalled more is not expected than can be."""
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


def start(bench, folder, out, settle):
    """A watching batch, and what it writes."""
    log, errors = bench.folder / "stdout.jsonl", bench.folder / "stderr.txt"
    with open(log, "wb") as stdout, open(errors, "wb") as stderr:
        return bench.start("batch", folder, "-o", out, *JPEG, "--watch", "--settle", str(settle), stdout=stdout,
                           stderr=stderr), log, errors


def test_watch(bench):
    folder, out = bench.raws(2)
    process, log, errors = start(bench, folder, out, SETTLE)

    def status(name):
        return [e["status"] for e in lines(log.read_bytes()) if e["event"] == "item" and e["id"] == name]

    def made(name):
        return wait_for(lambda: (out / name).exists())

    check("what is there is developed", made("raw-000.jpg") and made("raw-001.jpg"))
    looks = Looks(folder)
    # While it is copied the watcher looks more often than it takes for a file at rest to count as whole.
    for attempt in range(10):
        name = f"slow-{attempt}"
        copying = Copying(folder / f"{name}.dng", material.FIXTURES[1].read_bytes())
        looks.more(2 + int(2 * SETTLE))
        early = status(f"{name}.dng")
        copying.finish()
        if copying.longest < SETTLE:
            break
        # This machine let the copy rest for as long as a whole file: nothing is shown.
        made(f"{name}.jpg")
    check("a file is not looked at while it is copied", early == [], early)
    check("it is developed once it is whole", made(f"{name}.jpg") and wait_for(
        lambda: status(f"{name}.dng")[:1] == ["done"]), status(f"{name}.dng"))
    before, sidecar = times(out), folder / "raw-001.dng.rawdev.yaml"
    sidecar.write_text("raw: {exposure: 1}\n")
    check("an edited sidecar has its raw done again", wait_for(lambda: status("raw-001.dng").count("done") == 2)
          and {n for n, t in times(out).items() if before.get(n) != t} == {b"raw-001.jpg"}, status("raw-001.dng"))
    sidecar.unlink()
    check("a sidecar that is taken away, too", wait_for(lambda: status("raw-001.dng").count("done") == 3),
          status("raw-001.dng"))
    (folder / "bad.dng").write_text("no raw")
    check("a bad file is named", wait_for(lambda: set(status("bad.dng")) == {"failed"}), status("bad.dng"))
    material.variant(material.FIXTURES[0], bench.make("in/new folder") / "x.dng", 5)
    check("a new folder is seen", made("new folder/x.jpg"))
    (folder / "raw-000.dng").unlink()
    looks.more(3)
    check("a raw that is taken away is no trouble", process.poll() is None and (out / "raw-000.jpg").exists(),
          process.poll())
    process.send_signal(signal.SIGTERM)
    process.wait(timeout=PATIENCE)
    check("SIGTERM ends it with 75", process.returncode == 75, (process.returncode, errors.read_text()[-200:]))
    named = {e["id"] for e in lines((out / "rawdev-report.jsonl").read_bytes()) if e["event"] == "item"}
    slow = {f"slow-{n}.dng" for n in range(attempt + 1)}
    check("the report tells of all rounds", named == slow | {
        "raw-000.dng", "raw-001.dng", "bad.dng", "new folder/x.dng"}, named)
    check("nothing half is left", not staged(out), staged(out))


def test_waiting(bench):
    """A folder that is empty, and one that goes away and comes back, as network folders do."""
    empty, out = bench.make("empty"), bench.make("out")
    looks = Looks(empty)
    process, _, errors = start(bench, empty, out, 0)

    def developed(name):
        material.variant(material.FIXTURES[0], empty / f"{name}.dng", len(name))
        return wait_for(lambda: (out / f"{name}.jpg").exists())

    looks.more(2)
    check("an empty folder is waited for", developed("first"))
    for path in empty.iterdir():
        path.unlink()
    empty.rmdir()
    check("a folder that goes away is waited for", wait_for(
        lambda: b"waiting for it" in errors.read_bytes() or process.poll() is not None)
        and process.poll() is None, process.poll())
    empty.mkdir()
    check("it comes back", developed("second"), process.poll())
    process.kill()
    process.wait()
