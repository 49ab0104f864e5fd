"""What lies in folders besides files; folders within each other; two batches; bare surroundings."""
import os
import socket
import stat

from batch import material
from batch.bench import JPEG, lines, named, staged
from support.checks import check
from support.program import NOBODY, attempt, open_copy, wait_for


def test_special(bench):
    """Pipes, sockets, devices, folders and links that are called raws must not lead astray."""
    folder, out = bench.raws(2)
    os.mkfifo(folder / "pipe.dng")
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(folder / "socket.dng"))
    if os.geteuid() == 0:
        os.mknod(folder / "zero.dng", stat.S_IFCHR | 0o666, os.makedev(1, 5))
    links = {"dangling.dng": "nowhere", "self.dng": "self.dng", "again": ".", "up": ".."}
    for name, target in links.items():
        (folder / name).symlink_to(target)
    inner = bench.make("in/shoot.raw") / "inside.dng"
    material.variant(material.FIXTURES[0], inner, 9)
    ended = bench.batch(folder, "-o", out, *JPEG)
    ended.expect("pipes, sockets and devices do not hang it", 3)
    bench.soon("pipes, sockets and devices are passed over", ended.seconds, 20)
    developed = ended.named("done")
    ended.expect("raws beside them are developed once, not again by links",
                 also=len([name for name in developed if "raw-00" in name]) == 2, detail=sorted(developed))
    ended.expect("a folder called like a raw is a folder", also="shoot.raw/inside.dng" in developed)
    ended.expect("links to nowhere are named", also={"dangling.dng", "self.dng"} <= set(ended.errors))
    server.close()


def test_nested(bench):
    """The output folder inside the input folder, and the same."""
    folder, _ = bench.raws(3)
    for out in (folder / "out", folder):
        for status in ("done", "skipped"):
            ended = bench.batch(folder, "-o", out, *JPEG)
            ended.expect(f"output in {out.name}: three are {status}", 0, **{status: 3}, also=len(ended.items) == 3)
    ended = bench.batch(".", "-o", ".", *JPEG, cwd=folder)
    ended.expect("by relative paths it is the same folder", skipped=3)


def test_two(bench):
    """Two batches at once in one folder."""
    folder, out = bench.raws(20, material.FIXTURES)
    first = bench.start_and_stop(folder, "-o", out, *JPEG, renames=2)
    second = bench.batch(folder, "-o", out, *JPEG)
    second.expect("the second ends with 73 and one line", 73, lines=1)
    bench.soon("the second ends", second.seconds, 5)
    bench.go_on(first).expect("the first does not notice", 0, done=20)
    last = lines((out / "rawdev-report.jsonl").read_bytes())[-1]
    check("the report is the first one's", len(named(out)) == 20 and last["event"] == "end", last)
    bench.batch(folder, "-o", out, *JPEG).expect("afterwards the folder is free", skipped=20)


def test_surroundings(bench):
    """No home, no environment, no standard output, a reader that goes away, no standard error."""
    folder, _ = bench.raws(12)

    def shell(name, command):
        """The target of a run by a shell, its end, and how many pictures it made."""
        target = bench.folder / name
        ended = attempt("bash", "-c", command, "bash", bench.rawdev, "batch", folder, *JPEG,
                        "-o", target, env=bench.environment())
        return target, ended, len(list(target.glob("*.jpg")))

    ended = bench.batch(folder, "-o", bench.folder / "bare", *JPEG, env={"NOTHING": "1"})
    ended.expect("without environment", 0, done=12)
    for name, command in {
        "standard output closed": '"$@" >&-', "standard error closed": '"$@" 2>&-',
        "all of them closed": '"$@" <&- >&- 2>&-',
    }.items():
        target, ended, made = shell(name, command)
        records = sum(p.read_bytes().count(b'{"done"') for p in target.glob(".rawdev/journal-*"))
        written = sorted(named(target))
        check(f"{name}: all is done and written down",
              ended.returncode == 0 and made == records == len(written) == 12,
              (ended.returncode, made, records, written, ended.stderr[-300:]))
    for name, command in {
        "a reader that goes away": '"$@" | head -c 10 >/dev/null; exit ${PIPESTATUS[0]}',
        "standard output on a full disk": '"$@" >/dev/full',
    }.items():
        target, ended, made = shell(name, command)
        check(f"{name}: the night goes on", made == 12 and ended.returncode == 0,
              (ended.returncode, f"{made} of 12", ended.stderr[-300:]))
        check(f"{name}: no half file", not staged(target), staged(target))
        check(f"{name}: no worker is left", wait_for(lambda: not bench.workers()), bench.alive())
    process = bench.start("batch", folder, "-o", bench.folder / "pipe", *JPEG)
    # Nobody reads any more.
    process.stdout.close()
    process.stderr.read()
    process.wait()
    check("a pipe that was closed: the night goes on", process.returncode == 0, process.returncode)


def test_codes(bench):
    """Every exit code by the trouble that it stands for."""
    folder, out = bench.raws(2)
    bad = bench.make("bad")
    (bad / "bad.dng").write_text("no raw")
    manifests = {
        "broken": '{"in": "x.dng"}\nnonsense\n',
        "outside": f'{{"in": "{folder}/raw-000.dng", "out": "../../escaped"}}\n',
        "twice": '{"id": "a", "in": "x.dng"}\n{"id": "a", "in": "y.dng"}\n'}
    for name, text in manifests.items():
        (bench.folder / f"{name}.jsonl").write_text(text)

    def manifest(name):
        return ["--manifest", bench.folder / f"{name}.jsonl"]

    def to_out(*options):
        return ["-o", out, *options]

    cases = [
        (0, [folder, *to_out(*JPEG)]), (0, [bench.make("empty"), *to_out()]), (2, [folder]),
        (2, to_out()), *((2, [folder, *to_out(*options.split())]) for options in [
            "--jobs 0", "--shard 3/3", "--watch --dry-run", "--format gif", "--timeout nan",
            "--set raw.nothing=1", "-r no-such-recipe"]),
        (3, [folder, bad, *to_out(*JPEG)]), (4, [bad, *to_out()]),
        (4, [*manifest("outside"), *to_out()]), (65, [*manifest("broken"), *to_out()]),
        (65, [*manifest("twice"), *to_out()]), (66, [*manifest("none"), *to_out()]),
        (66, [folder / "none", *to_out()]), (73, [folder, "-o", "/proc/none"]),
    ]
    for number, (expected, arguments) in enumerate(cases):
        # A target of its own for each.
        arguments = [out / str(number) if a is out else a for a in arguments]
        words = " ".join(str(a).replace(str(bench.folder), "…") for a in arguments)
        bench.batch(*arguments).expect(f"exit code {expected}: {words}", expected)
    for kind in ("jpeg", "tiff", "jpeg"):
        ended = bench.batch(folder, "-o", out / "kinds", "--format", kind)
    ended.expect("going back to an earlier format knows its own files", 0)
    check("nothing was written outside the target", not list(bench.folder.glob("escaped*")))
    locked = bench.make("locked/inner").parent
    material.copies(locked / "inner", 1)
    if os.geteuid() == 0:
        (locked / "inner").chmod(0)
        bench.make("open").chmod(0o777)
        material.copies(locked, 1)
        ended = bench.batch(locked, "-o", bench.folder / "open", *JPEG,
                            program=[*NOBODY, open_copy(bench.rawdev, bench.folder)])
        ended.expect("a folder that cannot be read is not passed over with success", also=ended.code in (3, 66))
