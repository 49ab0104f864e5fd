"""A LibRaw with faults put into it (decoder_faults.c): each costs one file in a batch, a server and
`develop --isolated`, and nothing outside. And the same bytes with and without isolation."""
import contextlib
import json
import math
import os
import pathlib
import shutil
import socket

import pytest

from batch.bench import digest, digests, files
from support import program
from support.checks import check, none, same
from support.program import FIXTURES

CRASHES = ("null", "overflow", "files", "net", "programs", "processes")
FAULTS = {**dict.fromkeys(CRASHES, "crashed"), "loop": "timeout", "eater": "tooLarge"}
GOOD = ("a", "m", "z")
SMALL = ["--format", "jpeg-sdr", "--max-size", "200"]


class Outside:
    """What a decoder may not reach: files that are precious to others, a port, a local socket."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "precious").write_text("precious")
        self.before = sorted(os.listdir(folder)) + ["socket"]
        self.visits = []
        self.tcp, self.udp = socket.socket(), socket.socket(type=socket.SOCK_DGRAM)
        self.local = socket.socket(socket.AF_UNIX)
        self.tcp.bind(("127.0.0.1", 0))
        self.port = self.tcp.getsockname()[1]
        self.udp.bind(("127.0.0.1", self.port))
        self.local.bind(str(folder / "socket"))
        self.tcp.listen(), self.local.listen()

    def reached(self):
        """What was reached since the last call."""
        found = sorted(set(os.listdir(self.folder)) ^ set(self.before))
        for each, visit in ((self.tcp, "accept"), (self.local, "accept"), (self.udp, "recv")):
            each.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                getattr(each, visit)(*([1] if visit == "recv" else []))
                found.append(visit)
        precious = self.folder / "precious"
        if not precious.exists() or precious.read_text() != "precious":
            found.append("precious")
        return found

    def close(self):
        for each in (self.tcp, self.udp, self.local):
            each.close()


@pytest.fixture
def outside(bench):
    outside = Outside(bench.make("outside"))
    library = bench.folder / "decoder_faults.so"
    program.run(shutil.which("cc") or "clang", "-shared", "-fPIC", "-w", "-o", library,
                pathlib.Path(__file__).with_name("decoder_faults.c"), "-ldl")
    bench.env |= {"LD_PRELOAD": str(library), "PROBES": str(outside.folder),
                  "PROBE_PORT": str(outside.port)}
    yield outside
    outside.close()


@pytest.fixture
def raws(bench, shared):
    """Raws that LibRaw opens: good ones, and one for each fault."""
    folder = bench.make("in")
    raw = (shared / "raws/canon30d_IMG_0848.CR2").read_bytes()
    for name in GOOD:
        (folder / f"{name}.CR2").write_bytes(raw + name.encode())
    for name in FAULTS:
        (folder / f"{name}.CR2").write_bytes(raw + b"FAULT:" + name.encode())
    return folder


@pytest.fixture
def limits(bench, raws, outside):
    """Of memory, and of time: by what a good raw takes on this machine as busy as it is."""
    took = bench.run("develop", raws / "a.CR2", "-o", bench.folder / "good.jpg", *SMALL,
                     "--isolated").seconds
    return ["--memory", "700M", "--timeout", str(max(4, math.ceil(6 * took)))]


def refused(name, error):
    """That nothing of what a decoder tried succeeded, as it says itself."""
    if name not in ("files", "net", "programs", "processes"):
        return True
    return error["message"].endswith(f"{name}: done:")


def test_faults_can_reach_outside(bench, raws, outside):
    """Without isolation they do: what follows can fail."""
    for name in ("files", "net", "programs"):
        bench.run("develop", raws / f"{name}.CR2", "-o", bench.folder / "a.jpg", *SMALL)
        check(f"{name} reaches outside where nothing holds it", outside.reached(), name)
        for path in outside.folder.iterdir():
            if path.name != "socket":
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        (outside.folder / "precious").write_text("precious")


def test_batch(bench, raws, outside, limits):
    ended = bench.batch(*SMALL, *limits, "--jobs", "2")
    ended.expect("each fault costs its file", 3, total=len(GOOD) + len(FAULTS),
                 done={f"{name}.CR2" for name in GOOD},
                 fates={f"{name}.CR2": code for name, code in FAULTS.items()})
    same("the end tells the crashes", ended.end.get("crashes"), len(CRASHES))
    none("each has a message of one line", [
        error for error in ended.errors.values() if len(error["message"].splitlines()) != 1])
    none("what they tried was refused", [
        error for name, error in ended.errors.items() if not refused(name[:-4], error)])
    none("nothing was reached outside", outside.reached())
    same("the good ones are there, and nothing else",
         sorted(files(bench.folder / "out")), [f"{name}.jpg".encode() for name in GOOD])
    same("items say how workers are confined",
         {ended.items[f"{name}.CR2"].get("isolation") for name in GOOD}, {"seccomp+landlock"})


@pytest.mark.full
def test_serve(bench, raws, outside, limits):
    bench.make("out")
    process, client = bench.serve("-o", bench.folder / "out", "--jobs", "2", *limits)
    recipe = {"outputs": {"web": {"format": "jpeg-sdr", "maxSize": 200}}}
    names = [*FAULTS, *GOOD]
    for name in names:
        client.ask(name, raws / f"{name}.CR2", recipe=recipe)
    client.answered(*names)
    same("good ones are done", {client.status(name) for name in GOOD}, {"done"})
    errors = {name: client.items[name]["error"] for name in FAULTS}
    same("each fault costs its request", {n: e["code"] for n, e in errors.items()}, FAULTS)
    none("what they tried was refused", [n for n, e in errors.items() if not refused(n, e)])
    none("nothing was reached outside", outside.reached())
    same("the server lives, and ends", (process.poll(), client.end(process)), (None, 0))
    same("the good ones are there, and nothing else",
         sorted(files(bench.folder / "out")), [f"{name}.jpg".encode() for name in GOOD])


def test_develop(bench, raws, outside, limits):
    names = sorted([*FAULTS, *GOOD])
    arguments = [raws / f"{name}.CR2" for name in names]
    ended = bench.run("develop", *arguments, "-o", f"{bench.folder}/out/", *SMALL, *limits,
                      "--json")
    same("some failed", ended.code, 3)
    lines = [json.loads(line) for line in ended.out.splitlines()]
    found = {pathlib.Path(line["input"]).stem: line for line in lines}
    same("each fault costs its file",
         {name: found[name].get("code") for name in names},
         {name: FAULTS.get(name) for name in names})
    none("what they tried was refused", [
        name for name in FAULTS if not refused(name, found[name])])
    none("nothing was reached outside", outside.reached())
    same("the good ones are there, and nothing else",
         sorted(files(bench.folder / "out")), [f"{name}.jpg".encode() for name in GOOD])
    for name, code in (("null", 65), ("loop", 70), ("eater", 70), ("a", 0)):
        ended = bench.run("develop", raws / f"{name}.CR2", "-o", bench.folder / "one.jpg", *SMALL,
                          *limits, "--quiet")
        same(f"exit code of one file, {name}", ended.code, code)
        same("one line says why", len(ended.messages), int(code > 0))


def test_same_bytes(bench):
    """Of every format, with what recipes name beside the raw; and in pipes."""
    raw, out = FIXTURES / "sunset-bayer.dng", bench.folder
    formats = ["heif-hlg", "heif-pq", "heif-gainmap", "avif", "avif-gainmap", "jpeg-sdr",
               "jpeg-gainmap", "png", "jxl", "jxl-gainmap", "tiff", "tiff-float", "exr", "npy"]
    recipe = {"outputs": {name: {"format": name, "maxSize": 300} for name in formats}}
    (out / "all.yaml").write_text(json.dumps(recipe))
    for folder, more in (("own", ()), ("apart", ("--isolated",))):
        bench.run("develop", raw, "-o", f"{out}/{folder}/", "-r", out / "all.yaml",
                  *more).expect(f"develop, {folder}", 0)
    own, apart = digests(out / "own"), digests(out / "apart")
    same("all formats were written", len(own), len(formats))
    same("develop --isolated writes the same bytes", apart, own)
    bench.inputs = [raw]
    bench.options = ["-r", out / "all.yaml"]
    bench.batch(out="many").expect("batch", 0, done=1)
    same("so does a batch", digests(out / "many"), own)
    for name in own:
        source = out / "own" / os.fsdecode(name)
        if source.suffix in (".exr", ".npy") or "float" in source.stem:
            continue
        options = ["--format", "jpeg-gainmap", "--crop", "5%,5%,80%,80%", "--straighten", "1",
                   "--rotate", "90", "--exposure", "-0.3", "--max-size", "120", "--overwrite"]
        for target, more in (("c-own.jpg", ()), ("c-apart.jpg", ("--isolated",))):
            bench.run("convert", source, out / target, *options, *more).expect(
                f"convert {source.name} to {target}", 0)
        same(f"convert --isolated writes the same bytes of {source.name}",
             digest(out / "c-apart.jpg"), digest(out / "c-own.jpg"))
    with open(raw) as stdin:
        piped = bench.run("develop", "-", "-o", "-", *SMALL, "--isolated", stdin=stdin)
    bench.run("develop", raw, "-o", out / "p.jpg", *SMALL).expect("a plain one", 0)
    same("in a pipe as well", piped.out, (out / "p.jpg").read_bytes())
    ended = bench.run("convert", out / "p.jpg", out / "q.png", "--timeout", "60", "--json")
    same("results say how the worker was confined", json.loads(ended.out).get("isolation"),
         "seccomp+landlock")


def test_options(bench):
    raw = FIXTURES / "sunset-linear.dng"
    for more in (["--memory", "1"], ["--timeout", "0"], ["--memory", "lots"]):
        bench.run("develop", raw, "-o", bench.folder / "a.jpg", *more).expect(
            f"{more} is refused", 2)
    bench.run("develop", raw, "-o", "/proc/no/a.jpg", "--isolated").expect(
        "outputs that cannot be written", 73, lines=1)
    bench.run("develop", bench.folder / "none.dng", "-o", bench.folder / "a.jpg",
              "--isolated").expect("inputs that are not there", 66, lines=1)
