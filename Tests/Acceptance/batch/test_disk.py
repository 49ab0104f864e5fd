"""Disks that are full or read-only, sources and sidecars that cannot be read, taken outputs."""
import os
import shutil

import pytest

from batch import material
from batch.bench import JPEG, files, staged, times
from support.checks import check
from support.program import NOBODY, attempt, disk, open_copy, run


@pytest.mark.root
def test_full(bench):
    """The disk fills up: one message, no half file, 73; with room the rest is done."""
    folder, _ = bench.raws(8, material.FIXTURES)
    small = bench.make("small")
    out, words = small / "out", ["--format", "tiff", "--max-size", "400"]
    with disk(small, "size=1500k"):
        ended = bench.batch(folder, "-o", out, *words)
        ended.expect("a full disk ends with 73", 73)
        ended.expect("it is said once on standard error, with what to do", lines=1,
                     also="rawdev" in " ".join(ended.messages))
        failed, done = ended.count("failed"), ended.named("done")
        ended.expect("few fail for it, the rest waits for the next run", also=failed <= 3
                     and ended.count("interrupted") + len(done) + failed == 8)
        check("no half file", not staged(out), staged(out))
        run("mount", "-o", "remount,size=64M", small)
        again = bench.batch(folder, "-o", out, *words)
        again.expect("with room the rest is done, what was done stays", 0,
                     also=done == again.named("skipped"))
        check("every raw has its output", len(files(out)) == 8, sorted(files(out)))
        space = os.statvfs(small)
        size = (space.f_blocks - space.f_bfree) * space.f_frsize + (300 << 10)
        run("mount", "-o", f"remount,size={size}", small)
        ended = bench.batch(folder, "-o", small / "watched", *words, "--watch", "--settle", "0")
        ended.expect("--watch on a full disk ends with 73", 73)


def test_readonly(bench):
    """A target that cannot be written to: one line, 73."""
    folder, _ = bench.raws(2)
    file, target = folder / "file", bench.make("target")
    file.write_text("no folder")

    def refused(name, place):
        bench.batch(folder, "-o", place).expect(f"{name} ends with 73 and one line", 73, lines=1)

    refused("a file as target", file)
    refused("/proc as target", "/proc/rawdev")
    if os.geteuid() == 0:
        with disk(target, "size=1M,ro"):
            refused("a read-only disk", target)
            refused("a folder on a read-only disk", target / "below")


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
    ended = bench.batch(folder / "nowhere", "-o", out)
    ended.expect("a folder that is not there is one line", 66, lines=1)


def test_sidecars(bench):
    """Sidecars that cannot be read, are broken, or extend each other in a circle."""
    folder, out, program = bench.make("in"), bench.make("out"), [bench.rawdev]
    texts = {
        "good": None, "locked": b"raw: {exposure: 1}\n", "huge": b"name: " + b"x" * (2 << 20),
        "broken": b"raw: {exposure: 1\noutputs: [", "circle": b"extends: a.yaml\n",
        "range": b"raw:\n  exposure: 99\n", "type": b"raw:\n  exposure: bright\n",
        "folder": None, "binary": b"\xff\xfe\0\x01raw: \x80",
        "unknown": b"raw: {exposuer: 1}\n", "newer": b"schema: 99\n"}
    for number, (name, text) in enumerate(texts.items()):
        material.variant(material.FIXTURES[0], folder / f"{name}.dng", number)
        if text:
            (folder / f"{name}.dng.rawdev.yaml").write_bytes(text)
    (folder / "folder.dng.rawdev.yaml").mkdir()
    (folder / "a.yaml").write_text("extends: b.yaml\n")
    (folder / "b.yaml").write_text("extends: a.yaml\n")
    expected = set(texts) - {"good", "unknown"}
    if os.geteuid() == 0 and shutil.which("setpriv"):
        # Root may read everything: the program runs as nobody.
        (folder / "locked.dng.rawdev.yaml").chmod(0)
        out.chmod(0o777)
        program = [*NOBODY, open_copy(bench.rawdev, bench.folder)]
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
    check("an unknown key is a warning with the nearest key",
          any("exposure" in warning for warning in warned), warned)
    before = times(folder)
    (folder / ".rawdev").mkdir()
    (folder / ".rawdev" / "defaults.yaml").write_text("raw: [")
    ended = bench.batch(folder, "-o", bench.make("out-2"), *JPEG)
    ended.expect("broken folder defaults are named", 4, also=all(
        "defaults.yaml" in error["message"] for error in ended.errors.values()))
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
    ended.expect("a file of others is not replaced", 3, done=4, also=ended.errors["raw-000.dng"][
        "code"] == "exists" and foreign.read_text() == "somebody's holiday")
    changed.write_bytes(changed.read_bytes() + b"retouched")
    (out / "raw-002.jpg").unlink()
    ended = batch()
    ended.expect("an output changed by hand is not destroyed", also=ended.status(
        "raw-001.dng") == "failed" and changed.read_bytes().endswith(b"retouched"))
    ended.expect("an output that was removed is made again", also=ended.status("raw-002.dng") == "done")
    batch("--overwrite").expect("--overwrite replaces both", 0, done=2)
    (folder / "raw-003.dng.rawdev.yaml").write_text("raw: {exposure: 1}\n")
    (out / "raw-004.jpg").unlink()
    (out / "raw-004.jpg").mkdir()
    material.variant(material.FIXTURES[0], folder / "zz-last.dng", 99)
    locked = attempt("chattr", "+i", out / "raw-003.jpg").returncode == 0
    try:
        ended = batch("--overwrite")
    finally:
        attempt("chattr", "-i", out / "raw-003.jpg")
    what = f"a folder{' and a locked file' * locked}"
    ended.expect(f"{what} in the way costs those raws, not the night", 3, also=(
        ended.status("zz-last.dng"), ended.status("raw-004.dng")) == ("done", "failed"))
    check("no half file is left", not staged(out), staged(out))


def test_verified(bench):
    """--verify finds what length and time do not tell: exchanged raws, rotten outputs."""
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
