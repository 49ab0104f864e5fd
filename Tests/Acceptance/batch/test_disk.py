"""Disks that are full or read-only, sources and sidecars that cannot be read, outputs that are taken."""
import os
import shutil
import signal
import subprocess

import pytest

from batch import material
from batch.bench import Ended, files, mount, times, unmount


@pytest.mark.root
def test_full(bench):
    """The disk fills up in the middle: one message, no half file, 73; with room the rest is done."""
    folder, small = bench.make("in"), bench.make("small")
    material.copies(folder, 8, material.FIXTURES)
    if not mount(small, "-t", "tmpfs", "-o", "size=1500k", "rawdev-check"):
        pytest.skip("mounting is not allowed here")
    try:
        out = small / "out"
        ended = bench.batch(folder, "-o", out, "--format", "tiff", "--max-size", "400")
        bench.check("a full disk ends with 73", ended.code == 73, ended.summary())
        errors = [i for i in ended.items.values() if i["status"] == "failed"]
        bench.check("it is said once on standard error, with what to do",
                    len(ended.messages) == 1 and "rawdev" in ended.messages[0], ended.messages)
        bench.check("few fail for it, the rest waits for the next run", len(errors) <= 3
                    and ended.count("interrupted") + ended.count("done") + len(errors) == 8,
                    [(i["status"], i.get("error", {}).get("message", "")[:80]) for i in ended.items.values()])
        left = [n for n in files(out) if os.path.basename(n).startswith(b".")]
        bench.check("no half file", not left, left)
        done = {i["id"] for i in ended.items.values() if i["status"] == "done"}
        subprocess.run(["mount", "-o", "remount,size=64M", str(small)], check=True)
        again = bench.batch(folder, "-o", out, "--format", "tiff", "--max-size", "400")
        bench.check("with room the rest is done, what was done stays", again.code == 0
                    and {i["id"] for i in again.items.values() if i["status"] == "skipped"} == done,
                    again.summary())
        bench.check("every raw has its output", len(files(out)) == 8, sorted(files(out)))
        watcher = small / "watched"
        subprocess.run(["mount", "-o", f"remount,size={used(small) + (300 << 10)}", str(small)], check=True)
        ended = bench.run("batch", folder, "-o", watcher, "--format", "tiff", "--max-size", "400", "--watch",
                          "--settle", "0")
        bench.check("--watch on a full disk ends with 73", ended.code == 73,
                    (ended.code, ended.messages[:2]))
    finally:
        unmount(small)


def used(path):
    state = os.statvfs(path)
    return (state.f_blocks - state.f_bfree) * state.f_frsize


def test_readonly(bench):
    """A target that cannot be written to: one line, 73."""
    folder = bench.make("in")
    material.copies(folder, 2)
    if os.geteuid() == 0:
        target = bench.make("target")
        if mount(target, "-t", "tmpfs", "-o", "size=1M,ro", "rawdev-check"):
            try:
                for place in (target, target / "below"):
                    ended = bench.batch(folder, "-o", place)
                    bench.check("a read-only disk ends with 73 and one line",
                                ended.code == 73 and len(ended.messages) == 1, (ended.code, ended.messages))
            finally:
                unmount(target)
    file = folder / "file"
    file.write_text("no folder")
    ended = bench.batch(folder, "-o", file)
    bench.check("a file as target ends with 73 and one line",
                ended.code == 73 and len(ended.messages) == 1, (ended.code, ended.messages))
    ended = bench.batch(folder, "-o", "/proc/rawdev")
    bench.check("/proc as target ends with 73 and one line",
                ended.code == 73 and len(ended.messages) == 1, (ended.code, ended.messages))


def test_vanished(bench):
    """A raw that goes between the listing and the work."""
    folder = bench.make("in")
    raws = material.copies(folder, 30)
    out = bench.folder / "out"
    process = bench.start_and_stop(folder, "-o", out, "--format", "jpeg", "--jobs", "1")
    for path in raws[-5:]:
        path.unlink()
    raws[-6].rename(folder / "renamed.dng")
    process.send_signal(signal.SIGCONT)
    stdout, stderr = process.communicate()
    ended = Ended(process.returncode, stdout, stderr, 0)
    lost = [i for i in ended.items.values() if i["status"] == "failed"]
    bench.check("vanished raws cost themselves", ended.code == 3 and len(lost) == 6
                and ended.count("done") == 24, ended.summary())
    bench.check("the message says it", all("no such file" in i["error"]["message"].lower() for i in lost),
                {i["error"]["message"] for i in lost})
    ended = bench.batch(folder, "-o", out, "--format", "jpeg")
    bench.check("the next run does the renamed one", ended.code == 0 and ended.count("done") == 1,
                ended.summary())
    ended = bench.batch(folder / "nowhere", "-o", out)
    bench.check("a folder that is not there is one line", ended.code == 66 and len(ended.messages) == 1,
                (ended.code, ended.messages))


def test_sidecars(bench):
    """Sidecars that cannot be read, are broken, or extend each other in a circle."""
    folder = bench.make("in")
    names = ["good", "locked", "broken", "circle", "range", "type", "folder", "huge", "binary", "unknown", "newer"]
    for number, name in enumerate(names):
        material.variant(material.FIXTURES[0], folder / f"{name}.dng", number)
    text = {"broken": "raw: {exposure: 1\noutputs: [", "circle": "extends: a.yaml\n",
            "range": "raw:\n  exposure: 99\n", "type": "raw:\n  exposure: bright\n",
            "huge": "name: " + "x" * (2 << 20), "unknown": "raw: {exposuer: 1}\n", "newer": "schema: 99\n",
            "locked": "raw: {exposure: 1}\n"}
    for name, content in text.items():
        (folder / f"{name}.dng.rawdev.yaml").write_text(content)
    (folder / "binary.dng.rawdev.yaml").write_bytes(b"\xff\xfe\0\x01raw: \x80")
    (folder / "folder.dng.rawdev.yaml").mkdir()
    (folder / "a.yaml").write_text("extends: b.yaml\n")
    (folder / "b.yaml").write_text("extends: a.yaml\n")
    out = bench.make("out")
    prefix = []
    if os.geteuid() == 0 and shutil.which("setpriv"):
        # Root may read everything: the program runs as nobody.
        (folder / "locked.dng.rawdev.yaml").chmod(0)
        os.chmod(out, 0o777)
        prefix = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    else:
        bench.note("a locked sidecar is no trouble for this user")
    program = bench.open_program()
    process = subprocess.Popen(
        [*prefix, str(program), "batch", str(folder), "-o", str(out), "--format", "jpeg"],
        env=bench.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    stdout, stderr = process.communicate()
    ended = Ended(process.returncode, stdout, stderr, 0)
    failed = {i["id"][:-4]: i["error"] for i in ended.items.values() if i["status"] == "failed"}
    expected = set(names) - {"good", "unknown"} - (set() if prefix else {"locked"})
    bench.check("broken sidecars cost their raws only", ended.code == 3 and set(failed) == expected,
                {"not failed": sorted(expected - set(failed)), "failed": sorted(set(failed) - expected),
                 "code": ended.code, "stderr": ended.messages[:2]} if set(failed) != expected else ended.code)
    for name, error in sorted(failed.items()):
        bench.check(f"{name}: one line that names the file", "\n" not in error["message"]
                    and "yaml" in error["message"], f"{error['code']}: {error['message'][:230]}")
    warned = ended.items.get("unknown.dng", {}).get("warnings", [])
    bench.check("an unknown key is a warning with the nearest key", any("exposure" in w for w in warned), warned)
    before = times(folder)
    (folder / ".rawdev").mkdir()
    (folder / ".rawdev" / "defaults.yaml").write_text("raw: [")
    ended = bench.batch(folder, "-o", bench.make("out-2"), "--format", "jpeg")
    bench.check("broken folder defaults are named", ended.code == 4 and all(
        "defaults.yaml" in i["error"]["message"] for i in ended.items.values()),
        (ended.code, next(iter(ended.items.values()), {}).get("error"), ended.messages[:2]))
    ended = bench.batch(folder, "-o", bench.make("out-3"), "-r", folder / "a.yaml")
    bench.check("a circle in --recipe is an error before any work", ended.code == 2
                and len(ended.messages) == 1 and not ended.items, (ended.code, ended.messages))
    bench.check("nothing is written to the folder of raws", times(folder) == before)


def test_taken(bench):
    """Outputs that are there already, were changed by hand, or cannot be replaced."""
    folder, out = bench.make("in"), bench.make("out")
    material.copies(folder, 5)
    foreign = out / "raw-000.jpg"
    foreign.write_text("somebody's holiday")
    ended = bench.batch(folder, "-o", out, "--format", "jpeg")
    bench.check("a file of others is not replaced", ended.code == 3 and ended.count("done") == 4
                and foreign.read_text() == "somebody's holiday"
                and ended.items["raw-000.dng"]["error"]["code"] == "exists", ended.summary())
    changed = out / "raw-001.jpg"
    changed.write_bytes(changed.read_bytes() + b"retouched")
    (out / "raw-002.jpg").unlink()
    ended = bench.batch(folder, "-o", out, "--format", "jpeg")
    bench.check("an output changed by hand is not destroyed", changed.read_bytes().endswith(b"retouched")
                and ended.items["raw-001.dng"]["status"] == "failed", ended.items["raw-001.dng"].get("error"))
    bench.check("an output that was removed is made again", ended.items["raw-002.dng"]["status"] == "done",
                ended.items["raw-002.dng"].get("reason"))
    ended = bench.batch(folder, "-o", out, "--format", "jpeg", "--overwrite")
    bench.check("--overwrite replaces both", ended.code == 0 and ended.count("done") == 2, ended.summary())
    (folder / "raw-003.dng.rawdev.yaml").write_text("raw: {exposure: 1}\n")
    (out / "raw-004.jpg").unlink()
    (out / "raw-004.jpg").mkdir()
    blocked = "a folder"
    if subprocess.run(["chattr", "+i", out / "raw-003.jpg"], capture_output=True).returncode == 0:
        blocked = "a folder and a locked file"
    try:
        extra = material.variant(material.FIXTURES[0], folder / "zz-last.dng", 99)
        ended = bench.batch(folder, "-o", out, "--format", "jpeg", "--overwrite")
        bench.check(f"{blocked} in the way costs those raws, not the night",
                    ended.code == 3 and ended.items[extra.name]["status"] == "done"
                    and ended.items["raw-004.dng"]["status"] == "failed",
                    (ended.summary(), {k: v["error"]["message"][-90:] for k, v in ended.items.items()
                                       if v.get("error")}))
    finally:
        subprocess.run(["chattr", "-i", out / "raw-003.jpg"], capture_output=True)
    bench.check("no half file is left", not [n for n in files(out) if os.path.basename(n).startswith(b".")])


def test_verified(bench):
    """--verify finds what length and time do not tell: raws that were exchanged, outputs that rotted."""
    folder, out = bench.make("in"), bench.make("out")
    raws = material.copies(folder, 3)
    bench.batch(folder, "-o", out, "--format", "jpeg")

    def exchange(path, place):
        before = os.stat(path)
        data = bytearray(path.read_bytes())
        data[place] ^= 1
        path.write_bytes(data)
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    exchange(raws[0], -1)
    ended = bench.batch(folder, "-o", out, "--format", "jpeg")
    bench.check("without --verify nobody notices", ended.count("skipped") == 3, ended.summary())
    ended = bench.batch(folder, "-o", out, "--format", "jpeg", "--verify")
    bench.check("--verify: a raw that was exchanged is done again", ended.code == 0
                and ended.items["raw-000.dng"]["status"] == "done",
                (ended.summary(), ended.items["raw-000.dng"].get("error")))
    exchange(out / "raw-001.jpg", 500)
    ended = bench.batch(folder, "-o", out, "--format", "jpeg", "--verify")
    bench.check("--verify: an output that rotted is named, not replaced",
                ended.items["raw-001.dng"]["status"] == "failed",
                ended.items["raw-001.dng"].get("error"))
    ended = bench.batch(folder, "-o", out, "--format", "jpeg", "--verify", "--overwrite")
    bench.check("with --overwrite it is made anew", ended.code == 0
                and ended.items["raw-001.dng"]["status"] == "done", ended.summary())
