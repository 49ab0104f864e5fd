"""Disks that are full or read-only, sources and sidecars that cannot be read, outputs that are taken."""
import os
import shutil
import subprocess

import pytest

from batch import material
from batch.bench import JPEG, files, mount, staged, times, unmount
from support.checks import check
from support.program import NOBODY


@pytest.mark.root
def test_full(bench):
    """The disk fills up in the middle: one message, no half file, 73; with room the rest is done."""
    folder, _ = bench.raws(8, material.FIXTURES)
    small = bench.make("small")
    if not mount(small, "-t", "tmpfs", "-o", "size=1500k", "rawdev-check"):
        pytest.skip("mounting is not allowed here")
    try:
        out, words = small / "out", ["--format", "tiff", "--max-size", "400"]
        ended = bench.batch(folder, "-o", out, *words)
        ended.expect("a full disk ends with 73", 73)
        ended.expect("it is said once on standard error, with what to do", lines=1,
                     also="rawdev" in " ".join(ended.messages))
        failed = ended.count("failed")
        ended.expect("few fail for it, the rest waits for the next run", also=failed <= 3
                     and ended.count("interrupted") + ended.count("done") + failed == 8)
        check("no half file", not staged(out), staged(out))
        done = {name for name, item in ended.items.items() if item["status"] == "done"}
        subprocess.run(["mount", "-o", "remount,size=64M", str(small)], check=True)
        again = bench.batch(folder, "-o", out, *words)
        again.expect("with room the rest is done, what was done stays", 0, also=done == {
            name for name, item in again.items.items() if item["status"] == "skipped"})
        check("every raw has its output", len(files(out)) == 8, sorted(files(out)))
        disk = os.statvfs(small)
        size = (disk.f_blocks - disk.f_bfree) * disk.f_frsize + (300 << 10)
        subprocess.run(["mount", "-o", f"remount,size={size}", str(small)], check=True)
        ended = bench.batch(folder, "-o", small / "watched", *words, "--watch", "--settle", "0")
        ended.expect("--watch on a full disk ends with 73", 73)
    finally:
        unmount(small)


def test_readonly(bench):
    """A target that cannot be written to: one line, 73."""
    folder, _ = bench.raws(2)
    target = bench.make("target")
    if os.geteuid() == 0 and mount(target, "-t", "tmpfs", "-o", "size=1M,ro", "rawdev-check"):
        try:
            for place in (target, target / "below"):
                bench.batch(folder, "-o", place).expect("a read-only disk ends with 73 and one line", 73, lines=1)
        finally:
            unmount(target)
    file = folder / "file"
    file.write_text("no folder")
    for name, place in [("a file", file), ("/proc", "/proc/rawdev")]:
        bench.batch(folder, "-o", place).expect(f"{name} as target ends with 73 and one line", 73, lines=1)


def test_vanished(bench):
    """A raw that goes between the listing and the work."""
    folder, out = bench.raws(30)
    raws = sorted(folder.iterdir())
    process = bench.start_and_stop(folder, "-o", out, *JPEG, "--jobs", "1")
    for path in raws[-5:]:
        path.unlink()
    raws[-6].rename(folder / "renamed.dng")
    ended = bench.go_on(process)
    ended.expect("vanished raws cost themselves", 3, failed=6, done=24)
    ended.expect("the message says it", also=all(
        "no such file" in error["message"].lower() for error in ended.errors.values()))
    bench.batch(folder, "-o", out, *JPEG).expect("the next run does the renamed one", 0, done=1)
    bench.batch(folder / "nowhere", "-o", out).expect("a folder that is not there is one line", 66, lines=1)


def test_sidecars(bench):
    """Sidecars that cannot be read, are broken, or extend each other in a circle."""
    folder = bench.make("in")
    texts = {
        "good": None, "locked": "raw: {exposure: 1}\n", "broken": "raw: {exposure: 1\noutputs: [",
        "circle": "extends: a.yaml\n", "range": "raw:\n  exposure: 99\n", "type": "raw:\n  exposure: bright\n",
        "folder": None, "huge": "name: " + "x" * (2 << 20), "binary": b"\xff\xfe\0\x01raw: \x80",
        "unknown": "raw: {exposuer: 1}\n", "newer": "schema: 99\n"}
    for number, (name, text) in enumerate(texts.items()):
        material.variant(material.FIXTURES[0], folder / f"{name}.dng", number)
        if text:
            (folder / f"{name}.dng.rawdev.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
    (folder / "folder.dng.rawdev.yaml").mkdir()
    (folder / "a.yaml").write_text("extends: b.yaml\n")
    (folder / "b.yaml").write_text("extends: a.yaml\n")
    out, program = bench.make("out"), [bench.open_program()]
    expected = set(texts) - {"good", "unknown"}
    if os.geteuid() == 0 and shutil.which("setpriv"):
        # Root may read everything: the program runs as nobody.
        (folder / "locked.dng.rawdev.yaml").chmod(0)
        out.chmod(0o777)
        program = [*NOBODY, *program]
    else:
        print("a locked sidecar is no trouble for this user")
        expected -= {"locked"}
    ended = bench.batch(folder, "-o", out, *JPEG, program=program)
    failed = {name[:-4]: error for name, error in ended.errors.items()}
    ended.expect("broken sidecars cost their raws only", 3, also=set(failed) == expected,
                 detail=sorted(expected ^ set(failed)))
    for name, error in sorted(failed.items()):
        check(f"{name}: one line that names the file", "\n" not in error["message"]
              and "yaml" in error["message"], f"{error['code']}: {error['message'][:230]}")
    warned = ended.items.get("unknown.dng", {}).get("warnings", [])
    check("an unknown key is a warning with the nearest key", any("exposure" in w for w in warned), warned)
    before = times(folder)
    (folder / ".rawdev").mkdir()
    (folder / ".rawdev" / "defaults.yaml").write_text("raw: [")
    ended = bench.batch(folder, "-o", bench.make("out-2"), *JPEG)
    ended.expect("broken folder defaults are named", 4, also=all(
        "defaults.yaml" in item["error"]["message"] for item in ended.items.values()))
    ended = bench.batch(folder, "-o", bench.make("out-3"), "-r", folder / "a.yaml")
    ended.expect("a circle in --recipe is an error before any work", 2, lines=1, also=not ended.items)
    check("nothing is written to the folder of raws", times(folder) == before)


def test_taken(bench):
    """Outputs that are there already, were changed by hand, or cannot be replaced."""
    folder, out = bench.raws(5)
    out.mkdir()

    def batch(*more):
        return bench.batch(folder, "-o", out, *JPEG, *more)

    foreign, changed = out / "raw-000.jpg", out / "raw-001.jpg"
    foreign.write_text("somebody's holiday")
    ended = batch()
    ended.expect("a file of others is not replaced", 3, done=4, also=foreign.read_text() == "somebody's holiday"
                 and ended.items["raw-000.dng"]["error"]["code"] == "exists")
    changed.write_bytes(changed.read_bytes() + b"retouched")
    (out / "raw-002.jpg").unlink()
    ended = batch()
    ended.expect("an output changed by hand is not destroyed", also=changed.read_bytes().endswith(b"retouched")
                 and ended.status("raw-001.dng") == "failed")
    ended.expect("an output that was removed is made again", also=ended.status("raw-002.dng") == "done")
    batch("--overwrite").expect("--overwrite replaces both", 0, done=2)
    (folder / "raw-003.dng.rawdev.yaml").write_text("raw: {exposure: 1}\n")
    (out / "raw-004.jpg").unlink()
    (out / "raw-004.jpg").mkdir()
    locked = subprocess.run(["chattr", "+i", out / "raw-003.jpg"], capture_output=True).returncode == 0
    try:
        material.variant(material.FIXTURES[0], folder / "zz-last.dng", 99)
        ended = batch("--overwrite")
        ended.expect(f"a folder{' and a locked file' * locked} in the way costs those raws, not the night", 3, also=(
            ended.status("zz-last.dng"), ended.status("raw-004.dng")) == ("done", "failed"))
    finally:
        subprocess.run(["chattr", "-i", out / "raw-003.jpg"], capture_output=True)
    check("no half file is left", not staged(out), staged(out))


def test_verified(bench):
    """--verify finds what length and time do not tell: raws that were exchanged, outputs that rotted."""
    folder, out = bench.raws(3)

    def batch(*more):
        return bench.batch(folder, "-o", out, *JPEG, *more)

    def exchange(path, offset):
        before, data = os.stat(path), bytearray(path.read_bytes())
        data[offset] ^= 1
        path.write_bytes(data)
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    batch()
    exchange(folder / "raw-000.dng", -1)
    batch().expect("without --verify nobody notices", skipped=3)
    ended = batch("--verify")
    ended.expect("--verify: a raw that was exchanged is done again", 0, also=ended.status("raw-000.dng") == "done")
    exchange(out / "raw-001.jpg", 500)
    ended = batch("--verify")
    ended.expect("--verify: an output that rotted is named, not replaced", also=ended.status("raw-001.dng") == "failed")
    ended = batch("--verify", "--overwrite")
    ended.expect("with --overwrite it is made anew", 0, also=ended.status("raw-001.dng") == "done")
