"""What lies in folders besides files; folders within each other; two batches; bare surroundings."""
import os
import signal
import socket
import stat
import subprocess

from batch import material
from batch.bench import Ended, files, lines
from support.program import PATIENCE, wait_for


def test_special(bench):
    """Pipes, sockets, devices, folders and links that are called raws must not hang or lead astray."""
    folder, out = bench.make("in"), bench.folder / "out"
    material.copies(folder, 2)
    os.mkfifo(folder / "pipe.dng")
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(folder / "socket.dng"))
    if os.geteuid() == 0:
        os.mknod(folder / "zero.dng", stat.S_IFCHR | 0o666, os.makedev(1, 5))
    (folder / "dangling.dng").symlink_to("nowhere")
    (folder / "self.dng").symlink_to("self.dng")
    (folder / "again").symlink_to(".")
    (folder / "up").symlink_to("..")
    (folder / "shoot.raw").mkdir()
    material.variant(material.FIXTURES[0], folder / "shoot.raw" / "inside.dng", 9)
    ended = bench.batch(folder, "-o", out, "--format", "jpeg")
    states = {k: (v["status"], v.get("error", {}).get("message", "")[:70]) for k, v in ended.items.items()}
    bench.check("pipes, sockets and devices do not hang it", ended.code is not None, ended.code)
    bench.soon("pipes, sockets and devices are passed over", ended.seconds, 20)
    if ended.code is None:
        for name in ("pipe.dng", "zero.dng"):
            (folder / name).unlink(missing_ok=True)
        ended = bench.batch(folder, "-o", out, "--format", "jpeg", limit=PATIENCE)
        states = {k: (v["status"], v.get("error", {}).get("message", "")[:70]) for k, v in ended.items.items()}
    developed = {k for k, v in states.items() if v[0] in ("done", "skipped")}
    bench.check("raws beside them are developed once, not again by links", len(
        [k for k in developed if "raw-00" in k]) == 2, sorted(states))
    bench.check("a folder called like a raw is a folder", "shoot.raw/inside.dng" in developed,
                states.get("shoot.raw"))
    bench.check("links to nowhere are named", all(states.get(n, "?")[0] == "failed"
                for n in ("dangling.dng", "self.dng")), {n: states.get(n) for n in ("dangling.dng", "self.dng")})
    server.close()


def test_nested(bench):
    """The output folder inside the input folder, and the same."""
    folder = bench.make("in")
    material.copies(folder, 3)
    for out in (folder / "out", folder):
        for status in ("done", "skipped"):
            ended = bench.batch(folder, "-o", out, "--format", "jpeg")
            bench.check(f"output in {out.name}: three are {status}", ended.code == 0
                        and ended.count(status) == 3 and len(ended.items) == 3, ended.summary())
    ended = bench.batch(".", "-o", ".", "--format", "jpeg", cwd=folder)
    bench.check("by relative paths it is the same folder", ended.count("skipped") == 3, ended.summary())


def test_two(bench):
    """Two batches at once in one folder."""
    folder, out = bench.make("in"), bench.folder / "out"
    material.copies(folder, 20, material.FIXTURES)
    first = bench.start_and_stop(folder, "-o", out, "--format", "jpeg", renames=2)
    second = bench.batch(folder, "-o", out, "--format", "jpeg")
    bench.check("the second ends with 73 and one line", second.code == 73 and len(second.messages) == 1,
                (second.code, second.messages))
    bench.soon("the second ends", second.seconds, 5)
    first.send_signal(signal.SIGCONT)
    stdout, _ = first.communicate()
    ended = Ended(first.returncode, stdout, b"", 0)
    bench.check("the first does not notice", ended.code == 0 and ended.count("done") == 20, ended.summary())
    report = lines((out / "rawdev-report.jsonl").read_bytes())
    bench.check("the report is the first one's", sum(e["event"] == "item" for e in report) == 20
                and report[-1]["event"] == "end", len(report))
    ended = bench.batch(folder, "-o", out, "--format", "jpeg")
    bench.check("afterwards the folder is free", ended.count("skipped") == 20, ended.summary())


def test_surroundings(bench):
    """No home, no environment, no standard output, a reader that goes away, no standard error."""
    folder = bench.make("in")
    material.copies(folder, 12)
    run = 0

    def out():
        nonlocal run
        run += 1
        return bench.folder / f"out-{run}"

    target = out()
    ended = bench.batch(folder, "-o", target, "--format", "jpeg", env={"NOTHING": "1"})
    bench.check("without environment", ended.code == 0 and ended.count("done") == 12, ended.summary())
    words = [str(bench.rawdev), "batch", str(folder), "--format", "jpeg", "-o"]

    def shell(command, target):
        process = subprocess.run(["bash", "-c", command, "bash", *words, str(target)], env=bench.environment(),
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=PATIENCE)
        return process

    for name, command in {
        "standard output closed": '"$@" >&-', "standard error closed": '"$@" 2>&-',
        "all of them closed": '"$@" <&- >&- 2>&-',
    }.items():
        target = out()
        ended = shell(command, target)
        made = len(list(target.glob("*.jpg")))
        records = sum(p.read_bytes().count(b'{"done"') for p in target.glob(".rawdev/journal-*"))
        whole = all(isinstance(e, dict) for e in lines((target / "rawdev-report.jsonl").read_bytes())) \
            if (target / "rawdev-report.jsonl").exists() else False
        bench.check(f"{name}: all is done and written down", ended.returncode == 0 and made == 12
                    and records == 12 and whole, (ended.returncode, made, records, ended.stderr[-300:]))
    for name, command in {
        "a reader that goes away": '"$@" | head -c 10 >/dev/null; exit ${PIPESTATUS[0]}',
        "standard output on a full disk": '"$@" >/dev/full',
    }.items():
        target = out()
        ended = shell(command, target)
        made = len(list(target.glob("*.jpg")))
        bench.check(f"{name}: the night goes on", made == 12 and ended.returncode == 0,
                    (ended.returncode, f"{made} of 12", ended.stderr[-300:]))
        left = [n for n in files(target) if os.path.basename(n).startswith(b".")]
        bench.check(f"{name}: no half file", not left, left)
        bench.check(f"{name}: no worker is left", wait_for(lambda: not bench.workers()), bench.alive())
    target = out()
    process = bench.start("batch", folder, "-o", target, "--format", "jpeg", stdout=subprocess.PIPE)
    # Nobody reads: the pipe fills, at the latest after some hundred raws, and the batch has to wait.
    process.stdout.close()
    process.stderr.read()
    process.wait()
    bench.check("a pipe that was closed: the night goes on", process.returncode == 0, process.returncode)


def test_codes(bench):
    """Every exit code by the trouble that it stands for."""
    folder, bad = bench.make("in"), bench.make("bad")
    material.copies(folder, 2)
    (bad / "bad.dng").write_text("no raw")
    (folder.parent / "broken.jsonl").write_text('{"in": "x.dng"}\nnonsense\n')
    (folder.parent / "twice.jsonl").write_text('{"id": "a", "in": "x.dng"}\n{"id": "a", "in": "y.dng"}\n')
    (folder.parent / "outside.jsonl").write_text(
        f'{{"in": "{folder}/raw-000.dng", "out": "../../escaped"}}\n')
    out = bench.make("out")
    cases = [
        (0, [folder, "-o", out, "--format", "jpeg"]), (0, [bench.make("empty"), "-o", out]),
        (2, [folder]), (2, [folder, "-o", out, "--jobs", "0"]), (2, [folder, "-o", out, "--shard", "3/3"]),
        (2, [folder, "-o", out, "--watch", "--dry-run"]), (2, [folder, "-o", out, "--format", "gif"]),
        (2, ["-o", out]), (2, [folder, "-o", out, "--timeout", "nan"]), (2, [folder, "-o", out, "--set", "raw.nothing=1"]),
        (2, [folder, "-o", out, "-r", "no-such-recipe"]),
        (3, [folder, bad, "-o", out, "--format", "jpeg"]), (4, [bad, "-o", out]),
        (4, ["--manifest", folder.parent / "outside.jsonl", "-o", out]),
        (65, ["--manifest", folder.parent / "broken.jsonl", "-o", out]),
        (65, ["--manifest", folder.parent / "twice.jsonl", "-o", out]),
        (66, ["--manifest", folder.parent / "none.jsonl", "-o", out]), (66, [folder / "none", "-o", out]),
        (73, [folder, "-o", "/proc/none"]),
    ]
    for number, (expected, arguments) in enumerate(cases):
        # A target of its own for each.
        arguments = [out / str(number) if a is out else a for a in arguments]
        ended = bench.batch(*arguments)
        words = " ".join(str(a).replace(str(folder.parent), "…") for a in arguments)
        bench.check(f"exit code {expected}: {words}", ended.code == expected,
                    f"{ended.code} {ended.messages[:2]}")
    for kind in ("jpeg", "tiff", "jpeg"):
        ended = bench.batch(folder, "-o", out / "kinds", "--format", kind)
    bench.check("going back to an earlier format knows its own files", ended.code == 0, [
        ended.summary(), *(i["error"]["message"][-110:] for i in ended.items.values() if i.get("error"))])
    bench.check("nothing was written outside the target", not (folder.parent.parent / "escaped.heic").exists())
    locked = bench.make("locked")
    (locked / "inner").mkdir()
    material.copies(locked / "inner", 1)
    if os.geteuid() == 0:
        program = bench.open_program()
        (locked / "inner").chmod(0)
        open_to_all = bench.make("open")
        open_to_all.chmod(0o777)
        material.copies(locked, 1)
        process = subprocess.run(
            ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", str(program), "batch", str(locked), "-o",
             str(open_to_all), "--format", "jpeg"], env=bench.environment(), capture_output=True)
        bench.check("a folder that cannot be read is not passed over with success", process.returncode in (3, 66),
                    (process.returncode, process.stderr[-200:]))
