"""rawdev batch --watch: files that are copied slowly, edited sidecars, an end by signal."""
import contextlib
import ctypes
import io
import itertools
import os
import select
import shutil
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from batch import material
from batch.bench import items, lines, named, staged
from support.checks import check, none, same
from support.program import PATIENCE, wait_for

pytestmark = pytest.mark.full
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


@contextlib.contextmanager
def copying(path, data):
    """A file that is appended to without a pause, then gets the rest at once; times of changes."""
    head, tail = io.BytesIO(data[:-1000]), data[-1000:]
    ended, changes = threading.Event(), [time.monotonic()]

    def append():
        with open(path, "wb", buffering=0) as file:
            while not ended.wait(0.05):
                file.write(head.read(100))
                # The time of change moves, whether or not there are bytes left to write.
                os.utime(path)
                changes.append(time.monotonic())
            file.write(head.read() + tail)
        changes.append(time.monotonic())

    with ThreadPoolExecutor() as pool:
        pool.submit(append)
        try:
            yield changes
        finally:
            ended.set()


class Watching:
    """A watching batch, and what it makes."""

    def __init__(self, bench, settle):
        self.put, self.folder, self.out = [], bench.folder / "in", bench.folder / "out"
        self.log, self.errors = bench.folder / "stdout.jsonl", bench.folder / "stderr.txt"
        words = bench.words("--watch", "--settle", str(settle))
        with open(self.log, "wb") as stdout, open(self.errors, "wb") as stderr:
            self.process = bench.start(*words, stdout=stdout, stderr=stderr)

    def runs(self):
        return self.process.poll() is None

    def statuses(self, name):
        events = lines(self.log.read_bytes())
        return [item["status"] for item in items(events) if item["id"] == f"{name}.dng"]

    def pictures(self):
        """Which are there and when each was written; what is not complete begins with a dot."""
        return {(path.name, path.stat().st_mtime_ns) for path in self.out.glob("[!.]*.jpg")}

    def made(self, name):
        return wait_for(lambda: (self.out / f"{name}.jpg").exists())

    def made_now(self, name):
        self.put.append(name)
        material.raw(self.folder / f"{name}.dng")
        return self.made(name)

    def look(self):
        """Waits until a raw that is put there now is developed, and another one after it: what
        the batch saw when it saw the first has been developed by then."""
        for _ in range(2):
            assert self.made_now(f"mark-{len(self.put)}"), "nobody looks at the folder"


def test_watch(bench):
    folder, out = bench.raws(2)
    watching = Watching(bench, SETTLE)
    statuses, made = watching.statuses, watching.made
    check("what is there is developed", made("raw-000") and made("raw-001"))
    for attempt in range(10):
        slow = f"slow-{attempt}"
        watching.put.append(slow)
        with copying(folder / f"{slow}.dng", material.FIXTURES[1].read_bytes()) as changes:
            watching.look()
            early = statuses(slow)
        if max(after - before for before, after in itertools.pairwise(changes)) < SETTLE:
            break
        # This machine let the copy rest for as long as a whole file: nothing is shown.
        made(slow)
    same("a file is not looked at while it is copied", early, [])
    check("it is developed once it is whole",
          made(slow) and wait_for(lambda: statuses(slow)[:1] == ["done"]), statuses(slow))
    before, sidecar = watching.pictures(), material.sidecar(folder / "raw-001.dng")
    sidecar.write_text("raw: {exposure: 1}\n")
    again = wait_for(lambda: statuses("raw-001").count("done") == 2)
    check("an edited sidecar has its raw done again", again, statuses("raw-001"))
    redone = {name for name, _ in watching.pictures() - before}
    same("nothing else is done again", redone, {"raw-001.jpg"})
    sidecar.unlink()
    again = wait_for(lambda: statuses("raw-001").count("done") == 3)
    check("a sidecar that is taken away, too", again, statuses("raw-001"))
    (folder / "bad.dng").write_text("no raw")
    check("a bad file is named", wait_for(lambda: set(statuses("bad")) == {"failed"}),
          statuses("bad"))
    bench.make("in/new folder")
    check("a new folder is seen", watching.made_now("new folder/x"))
    (folder / "raw-000.dng").unlink()
    watching.look()
    check("a raw that is taken away is no trouble", watching.runs())
    check("its output stays", (out / "raw-000.jpg").exists())
    ended = bench.finish(watching.process, signal.SIGTERM)
    check("SIGTERM ends it", ended.code == 75, (ended.code, watching.errors.read_text()[-200:]))
    found = {name.removesuffix(".dng") for name in named(out)}
    none("the report tells of all rounds", found ^ {"raw-000", "raw-001", "bad", *watching.put})
    none("nothing half is left", staged(out))


def test_waiting_for_a_folder(bench):
    folder, _ = bench.raws()
    watching = Watching(bench, 0)
    wait_for_listing(folder)
    check("an empty folder is waited for", watching.made_now("first"))
    shutil.rmtree(folder)
    wait_for(lambda: b"waiting for it" in watching.errors.read_bytes() or not watching.runs())
    check("a folder that goes away is waited for",
          b"waiting for it" in watching.errors.read_bytes() and watching.runs())
    folder.mkdir()
    check("it comes back", watching.made_now("second"))
    bench.finish(watching.process, signal.SIGKILL)
