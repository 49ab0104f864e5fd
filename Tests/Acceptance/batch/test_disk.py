"""Disks that are full or read-only, sources and sidecars that cannot be read, taken outputs."""
import os
import shutil

import pytest

from batch import material
from batch.bench import files, staged, times
from support.checks import check, none, same
from support.program import NOBODY, attempt, disk, open_copy, run


@pytest.mark.root
def test_full_disk(bench):
    bench.raws(8, material.FIXTURES)
    bench.options = ["--format", "tiff", "--max-size", "400"]
    small = bench.make("small")
    out = small / "out"
    with disk(small, "size=1500k"):
        ended = bench.batch(out=out).expect("a full disk ends with 73", 73)
        ended.expect("it is said once on standard error, with what to do", lines=1,
                     also="rawdev" in " ".join(ended.messages))
        ended.expect("few fail, the rest waits", total=8, also=len(ended.named("failed")) <= 3)
        none("no half file", staged(out))
        run("mount", "-o", "remount,size=64M", small)
        bench.batch(out=out).expect("with room the rest is done", 0, skipped=ended.named("done"))
        same("every raw has its output", len(files(out)), 8)
        space = os.statvfs(small)
        size = (space.f_blocks - space.f_bfree) * space.f_frsize + (300 << 10)
        run("mount", "-o", f"remount,size={size}", small)
        ended = bench.batch("--watch", "--settle", "0", out=small / "watched")
        ended.expect("--watch on a full disk ends with 73", 73)


def test_read_only_target(bench):
    folder, _ = bench.raws(2)
    file, target = folder / "file", bench.make("target")
    file.write_text("no folder")

    def refused(name, folder):
        bench.batch(out=folder).expect(f"{name} ends with 73 and one line", 73, lines=1)

    refused("a file as target", file)
    refused("/proc as target", "/proc/rawdev")
    if os.geteuid() == 0:
        with disk(target, "size=1M,ro"):
            refused("a read-only disk", target)
            refused("a folder on a read-only disk", target / "below")


def test_raws_that_vanish(bench):
    folder, _ = bench.raws(30)
    raws = sorted(folder.iterdir())
    process = bench.start_and_stop("--jobs", "1")
    for path in raws[-5:]:
        path.unlink()
    raws[-6].rename(folder / "renamed.dng")
    ended = bench.go_on(process).expect("vanished raws cost themselves", 3, failed=6, done=24)
    ended.expect("the message says it", says="no such file")
    bench.batch().expect("the next run does the renamed one", 0, done=1)
    bench.inputs = [folder / "nowhere"]
    bench.batch().expect("a folder that is not there is one line", 66, lines=1)


def test_bad_sidecars(bench):
    folder, _ = bench.raws()
    texts = {
        "good": None, "folder": None, "locked": b"raw: {exposure: 1}\n",
        "huge": b"name: " + b"x" * (2 << 20), "circle": b"extends: a.yaml\n",
        "broken": b"raw: {exposure: 1\noutputs: [", "newer": b"schema: 99\n",
        "range": b"raw:\n  exposure: 99\n", "type": b"raw:\n  exposure: bright\n",
        "binary": b"\xff\xfe\0\x01raw: \x80", "unknown": b"raw: {exposuer: 1}\n"}
    sidecars = {name: material.sidecar(material.raw(folder / f"{name}.dng")) for name in texts}
    for name, text in texts.items():
        if text:
            sidecars[name].write_bytes(text)
    sidecars["folder"].mkdir()
    (folder / "a.yaml").write_text("extends: b.yaml\n")
    (folder / "b.yaml").write_text("extends: a.yaml\n")
    broken, program = set(texts) - {"good", "unknown"}, None
    if os.geteuid() == 0 and shutil.which("setpriv"):
        # Root may read everything: the program runs as nobody.
        sidecars["locked"].chmod(0)
        bench.make("out").chmod(0o777)
        program = [*NOBODY, open_copy(bench.rawdev, bench.folder)]
    else:
        broken.remove("locked")
    ended = bench.batch(program=program)
    ended.expect("bad sidecars cost their raws only", 3, failed={f"{name}.dng" for name in broken})
    for name, error in sorted(ended.errors.items()):
        said = error["message"]
        check(f"{name}: one line that names the file", "\n" not in said and "yaml" in said, error)
    warned = ended.items.get("unknown.dng", {}).get("warnings", [])
    check("an unknown key is a warning with the nearest key",
          any("exposure" in warning for warning in warned), warned)
    before = times(folder)
    (bench.make("in/.rawdev") / "defaults.yaml").write_text("raw: [")
    bench.batch(out="out-2").expect("broken folder defaults are named", 4, says="defaults.yaml")
    bench.options = ["-r", folder / "a.yaml"]
    bench.batch(out="out-3").expect("a circle in --recipe stops it at once", 2, lines=1, total=0)
    same("nothing is written to the folder of raws", times(folder), before)


def test_taken_outputs(bench):
    folder, out = bench.raws(5)
    out.mkdir()
    foreign, changed = out / "raw-000.jpg", out / "raw-001.jpg"
    foreign.write_text("somebody's holiday")
    bench.batch().expect("a file of others is not replaced", 3, fates={"raw-000.dng": "exists"},
                         done=4, also=foreign.read_text() == "somebody's holiday")
    changed.write_bytes(changed.read_bytes() + b"retouched")
    (out / "raw-002.jpg").unlink()
    ended = bench.batch()
    ended.expect("an output changed by hand is not destroyed", fates={"raw-001.dng": "failed"},
                 also=changed.read_bytes().endswith(b"retouched"))
    ended.expect("an output that was removed is made again", done={"raw-002.dng"})
    bench.batch("--overwrite").expect("--overwrite replaces both", 0, done=2)
    material.sidecar(folder / "raw-003.dng").write_text("raw: {exposure: 1}\n")
    (out / "raw-004.jpg").unlink()
    (out / "raw-004.jpg").mkdir()
    material.raw(folder / "zz-last.dng")
    locked = attempt("chattr", "+i", out / "raw-003.jpg").returncode == 0
    try:
        ended = bench.batch("--overwrite")
    finally:
        attempt("chattr", "-i", out / "raw-003.jpg")
    what = f"a folder{' and a locked file' * locked}"
    ended.expect(f"{what} in the way costs those raws, not the night", 3,
                 fates={"zz-last.dng": "done", "raw-004.dng": "failed"})
    none("no half file is left", staged(out))


def test_verify(bench):
    """--verify finds what length and time do not tell: exchanged raws, rotten outputs."""
    folder, out = bench.raws(3)

    def exchange(path, offset):
        before, data = os.stat(path), bytearray(path.read_bytes())
        data[offset] ^= 1
        path.write_bytes(data)
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    bench.batch()
    exchange(folder / "raw-000.dng", -1)
    bench.batch().expect("without --verify nobody notices", skipped=3)
    bench.batch("--verify").expect("an exchanged raw is done again", 0, done={"raw-000.dng"})
    exchange(out / "raw-001.jpg", 500)
    bench.batch("--verify").expect("a rotten output is named, not replaced", failed={"raw-001.dng"})
    bench.batch("--verify", "--overwrite").expect("it is developed again", 0, done={"raw-001.dng"})
