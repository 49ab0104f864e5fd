"""What lies in folders besides files; folders within each other; two batches; bare surroundings."""
import os
import socket
import stat

import pytest

from batch import material
from batch.bench import journal, named, report, staged
from support.checks import check, none, same
from support.program import NOBODY, attempt, open_copy, wait_for


def test_special_files(bench):
    folder, _ = bench.raws(2)
    os.mkfifo(folder / "pipe.dng")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(folder / "socket.dng"))
    if os.geteuid() == 0:
        os.mknod(folder / "zero.dng", stat.S_IFCHR | 0o666, os.makedev(1, 5))
    links = {"dangling.dng": "nowhere", "self.dng": "self.dng", "again": ".", "up": ".."}
    for name, target in links.items():
        (folder / name).symlink_to(target)
    material.raw(bench.make("in/shoot.raw") / "inside.dng")
    ended = bench.batch().expect("pipes, sockets and devices do not hang it", 3, soon=20)
    ended.expect("raws beside them are developed once, not again by links",
                 done={"raw-000.dng", "raw-001.dng", "shoot.raw/inside.dng"})
    ended.expect("a folder called like a raw is a folder", fates={"shoot.raw/inside.dng": "done"})
    ended.expect("dead links are named", fates={"dangling.dng": "failed", "self.dng": "failed"})


def test_output_in_input(bench):
    folder, _ = bench.raws(3)
    for out in ("in/out", "in"):
        for status in ("done", "skipped"):
            bench.batch(out=out).expect(f"output in {out}: {status}", 0, total=3, **{status: 3})
    ended = bench.run("batch", ".", "-o", ".", *bench.options, cwd=folder)
    ended.expect("by relative paths it is the same folder", skipped=3)


def test_two_batches(bench):
    _, out = bench.raws(20, material.FIXTURES)
    first = bench.start_and_stop(renames=2)
    bench.batch().expect("the second ends with 73 and one line", 73, lines=1, soon=5)
    bench.go_on(first).expect("the first does not notice", 0, done=20)
    found = len(named(out)), report(out)[-1]["event"]
    same("the report is the first one's", found, (20, "end"))
    bench.batch().expect("afterwards the folder is free", skipped=20)


@pytest.mark.full
def test_surroundings(bench):
    bench.raws(12)
    bench.batch(out="bare", env={"NOTHING": "1"}).expect("without environment", 0, done=12)
    for name, command in [
            ("standard output closed", '"$@" >&-'), ("standard error closed", '"$@" 2>&-'),
            ("all of them closed", '"$@" <&- >&- 2>&-'),
            ("a reader that goes away", '"$@" | head -c 10 >/dev/null; exit ${PIPESTATUS[0]}'),
            ("standard output on a full disk", '"$@" >/dev/full')]:
        out = bench.folder / name
        ended = attempt("bash", "-c", command, "bash", bench.rawdev, *bench.words(out=name),
                        env=bench.env)
        check(f"{name}: the night goes on", ended.returncode == 0, ended.stderr[-300:])
        same(f"{name}: all is done", len(list(out.glob("*.jpg"))), 12)
        same(f"{name}: all is written down", (journal(out).total(), len(named(out))), (12, 12))
        none(f"{name}: no half file", staged(out))
        check(f"{name}: no worker is left", wait_for(lambda: not bench.workers()), bench.alive())
    process = bench.start(*bench.words(out="pipe"))
    # Nobody reads any more.
    process.stdout.close()
    process.stderr.read()
    same("a pipe that was closed: the night goes on", process.wait(), 0)


def test_exit_codes(bench):
    bench.raws(2)
    bench.make("empty")
    (bench.make("bad") / "bad.dng").write_text("no raw")
    folder = bench.folder
    (folder / "broken.jsonl").write_text('{"in": "x.dng"}\nnonsense\n')
    (folder / "twice.jsonl").write_text('{"id": "a", "in": "x.dng"}\n{"id": "a", "in": "y.dng"}\n')
    (folder / "outside.jsonl").write_text('{"in": "in/raw-000.dng", "out": "../../escaped"}\n')
    refused = ["--jobs 0", "--shard 3/3", "--watch --dry-run", "--format gif", "--timeout nan",
               "--set raw.nothing=1", "-r no-such-recipe"]
    for number, (code, words) in enumerate([
            (0, "in -o OUT --format jpeg-sdr"), (0, "empty -o OUT"), (2, "in"), (2, "-o OUT"),
            *((2, f"in -o OUT {options}") for options in refused),
            (3, "in bad -o OUT --format jpeg-sdr"), (4, "bad -o OUT"),
            (4, "--manifest outside.jsonl -o OUT"), (65, "--manifest broken.jsonl -o OUT"),
            (65, "--manifest twice.jsonl -o OUT"), (66, "--manifest none.jsonl -o OUT"),
            (66, "none -o OUT"), (73, "in -o /proc/none")]):
        # A target of its own for each.
        arguments = words.replace("OUT", f"out/{number}").split()
        bench.run("batch", *arguments, cwd=folder).expect(f"exit code {code}: {words}", code)
    for kind in ("jpeg", "tiff", "jpeg"):
        bench.options = ["--format", kind]
        ended = bench.batch(out="kinds")
    ended.expect("going back to an earlier format knows its own files", 0)
    none("nothing was written outside the target", list(folder.glob("escaped*")))
    if os.geteuid() == 0:
        inner = bench.make("locked/inner")
        material.raw(inner / "raw.dng")
        material.raw(inner.parent / "raw.dng")
        inner.chmod(0)
        bench.make("open").chmod(0o777)
        bench.inputs = [inner.parent]
        ended = bench.batch(out="open", program=[*NOBODY, open_copy(bench.rawdev, bench.folder)])
        ended.expect("a folder that cannot be read is an error", also=ended.code in (3, 66))
