"""Abuse of the command line: whatever goes wrong costs one line on standard error and the
documented exit code, and leaves neither an output nor a temporary file."""
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess

import psutil
import pytest

from support.checks import check, same
from support.program import FIXTURES, NOBODY, PATIENCE, attempt, disk, open_copy, run, wait_for
from support.tiers import combined

SAMPLE = FIXTURES / "sunset-linear.dng"
SDR = ["--format", "heif-sdr"]


class Abuse:
    """Folders for one case, and what every case must show."""

    def __init__(self, rawdev, folder):
        self.rawdev, self.folder, self.said = rawdev, folder, ""
        self.inputs, self.out = folder / "in", folder / "out"
        self.inputs.mkdir()
        self.out.mkdir()

    def raw(self, name, data):
        """An input file."""
        path = self.inputs / name
        path.write_bytes(data)
        return path

    def develops(self, name, code, *options, to=None, before=(), lines=1, left=(), folder=None):
        """Exit code, number of lines on standard error, nothing in the folder except `left`."""
        to = to or self.out / "x.heic"
        done = attempt(*before, self.rawdev, "develop", *options, "-o", to, errors="replace")
        self.fails(name, done, code, lines)
        self.leaves(name, *left, folder=folder)

    def fails(self, name, done, code, lines=1):
        self.said = done.stderr
        same(f"{name}: exit code, {self.said[:300]}", done.returncode, code)
        same(f"{name}: lines on standard error, {self.said[:600]}", self.said.count("\n"), lines)

    def leaves(self, name, *names, folder=None):
        same(f"{name}: left behind", sorted(os.listdir(folder or self.out)), sorted(names))


@pytest.fixture
def abuse(rawdev, tmp):
    return Abuse(rawdev, tmp)


def test_library_that_cannot_be_loaded(abuse, monkeypatch):
    library = re.search(rb"libjxl\.so\.[\d.]+", pathlib.Path(abuse.rawdev).read_bytes())[0].decode()
    abuse.raw(library, b"This is no library.\n")
    monkeypatch.setenv("LD_LIBRARY_PATH", str(abuse.inputs))
    abuse.develops("jxl", 73, SAMPLE, to=abuse.out / "x.jxl")
    check("which one", f"x.jxl: JPEG XL needs {library}" in abuse.said, abuse.said)


@pytest.mark.parametrize("name, data", [
    ("empty", b""), ("text", b"This is no raw, whatever its name says.\n"),
    ("wild", b"II*\0\xff\xff\xff\x7f")])
def test_no_raw(abuse, name, data):
    abuse.develops(name, 65, abuse.raw(f"{name}.dng", data))


def test_nothing_there(abuse):
    abuse.develops("missing file", 66, abuse.inputs / "none.dng")
    (abuse.inputs / "folder.dng").mkdir()
    abuse.develops("a folder", 66, abuse.inputs / "folder.dng")


@pytest.mark.parametrize("percent", [1, 50, 99])
@pytest.mark.parametrize("name", [
    "canon30d_IMG_0848.CR2", "canonKissX4_colorchart.dng", "bmpcc_coffee.dng", SAMPLE.name])
def test_cut(abuse, request, name, percent):
    whole = SAMPLE if name == SAMPLE.name else request.getfixturevalue("shared") / "raws" / name
    data = whole.read_bytes()[:whole.stat().st_size * percent // 100]
    abuse.develops("cut", 65, abuse.raw(f"cut{whole.suffix}", data))


def test_permissions(abuse):
    """A file that may not be read, and a folder that may not be written."""
    secret = abuse.raw("secret.dng", SAMPLE.read_bytes())
    secret.chmod(0)
    readable, locked = open_copy(SAMPLE, abuse.inputs), abuse.folder / "locked"
    locked.mkdir(mode=0o555)
    abuse.out.chmod(0o777)
    before = []
    if os.geteuid() == 0:
        before, abuse.rawdev = NOBODY, open_copy(abuse.rawdev, abuse.folder)
        if attempt(*before, abuse.rawdev, "--version").returncode:
            pytest.skip("no other user can run the program")
    abuse.develops("unreadable file", 66, secret, before=before)
    abuse.develops("folder without permission", 73, readable, to=locked / "x.heic", before=before,
                   folder=locked)


@pytest.mark.root
@pytest.mark.parametrize("kind", ["tiff", "tiff-float", "heif-pq"])
def test_full_disk(abuse, kind):
    small = abuse.folder / "disk"
    small.mkdir()
    with disk(small, "size=1m"):
        # The HEIF of the fixture is smaller than the disk; most of it is taken.
        (small / "ballast").write_bytes(bytes(900_000))
        large = ["--quality", "1"] if kind == "heif-pq" else ["--tiff-compression", "none"]
        name = "x.heic" if kind == "heif-pq" else "x.tif"
        abuse.develops("full disk", 73, FIXTURES / "sunset-bayer.dng", "--format", kind, *large,
                       to=small / name, left=["ballast"], folder=small)
        check("says that the disk is full", "full" in abuse.said, abuse.said)


def test_full_disk_for_a_recipe(abuse):
    """A limit on the size of files ends a write as a full disk does, without the right to mount."""
    def limited():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))

    done = attempt(abuse.rawdev, "recipe", "init", abuse.out / "a.dng", preexec_fn=limited)
    abuse.fails("a recipe larger than the disk", done, 73)
    check("names the reason", "File too large" in abuse.said, abuse.said)
    abuse.leaves("a recipe larger than the disk")


def test_outputs(abuse):
    out, own, link = abuse.out, abuse.out / "self.dng", abuse.inputs / "link.dng"
    shutil.copy(SAMPLE, own)
    link.symlink_to(own)
    for name, code, *raws, to in [
            ("output folder does not exist", 73, SAMPLE, abuse.folder / "none/x.heic"),
            ("several raws into a file's name", 2, SAMPLE, SAMPLE, SAMPLE),
            ("output is the raw itself", 2, own, own),
            ("the raw itself by a link", 2, link, own),
            ("the raw itself by another way", 2, own, f"{out}/../{out.name}/self.dng")]:
        abuse.develops(name, code, *raws, to=to, left=["self.dng"])
    check("output folder does not exist: it is not made", not (abuse.folder / "none").exists())
    check("the raw itself is as it was", own.read_bytes() == SAMPLE.read_bytes())
    own.unlink()
    abuse.develops("two raws to one name", 2, SAMPLE, SAMPLE, to=f"{out}/")
    abuse.develops("a folder as output takes the raw's own name", 0, SAMPLE, *SDR, to=out, lines=0,
                   left=["sunset-linear.heic"])


def test_what_is_not_replaced(abuse):
    other, link = abuse.out / "a.jpg", abuse.out / "b.jpg"
    other.write_bytes(b"not ours")
    link.symlink_to("nothing.jpg")
    for name, code, to in [
            ("a file of another program", 73, other), ("a dangling link", 73, link),
            ("another kind's extension", 2, abuse.out / "c.heic"),
            ("one name for two", 2, abuse.out / "d.jpg")]:
        raws = [SAMPLE, FIXTURES / "sunset-bayer.dng"] if name == "one name for two" else [SAMPLE]
        abuse.develops(name, code, *raws, "--format", "jpeg-sdr", to=to, left=["a.jpg", "b.jpg"])
    same("it stays", other.read_bytes(), b"not ours")
    abuse.develops("asked to", 0, SAMPLE, "--overwrite", to=other, lines=0,
                   left=["a.jpg", "b.jpg"])
    abuse.develops("its own file", 0, SAMPLE, to=other, lines=0, left=["a.jpg", "b.jpg"])
    other.chmod(0o444)
    abuse.develops("a protected file", 73, SAMPLE, to=other, left=["a.jpg", "b.jpg"])
    link.unlink()
    link.symlink_to("a.jpg")
    other.chmod(0o640)
    before = other.stat()
    abuse.develops("through a link", 0, SAMPLE, "--exposure", "1", to=link, lines=0,
                   left=["a.jpg", "b.jpg"])
    check("the link stays", link.is_symlink())
    same("permissions stay", other.stat().st_mode, before.st_mode)
    check("what it names is new", other.stat().st_ino != before.st_ino)
    pipe = abuse.out / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
        abuse.develops("a FIFO", 0, SAMPLE, "--format", "jpeg-sdr", to=pipe, lines=0,
                       left=["a.jpg", "b.jpg", "pipe"])
        check("a FIFO's reader gets a JPEG", reader.communicate()[0][:3] == b"\xff\xd8\xff")
    check("it stays a FIFO", pipe.is_fifo())
    (abuse.out / "sunset-linear.jpg").symlink_to("/dev/null")
    abuse.develops("a link that nobody named", 73, SAMPLE, "--format", "jpeg-sdr", "--overwrite",
                   to=abuse.out, left=["a.jpg", "b.jpg", "pipe", "sunset-linear.jpg"])


def test_standard_streams(abuse, rawdev):
    done = attempt(rawdev, "develop", "-", "-o", "-", "--format", "png", text=False,
                   input=SAMPLE.read_bytes())
    same("exit code", done.returncode, 0)
    check("a PNG", done.stdout[:8] == b"\x89PNG\r\n\x1a\n")
    check("what was done is said", b"/dev/stdout: 480x320 png" in done.stderr, done.stderr)
    still = attempt(rawdev, "convert", "-", "-o", "-", "--format", "jpeg-sdr", text=False,
                    input=done.stdout).stdout
    check("a JPEG", still[:3] == b"\xff\xd8\xff")
    for name, words in [("no name", ["develop", "-"]), ("twice", ["develop", "-", "-", "-o", "x/"]),
                        ("no format", ["convert", "-", "-o", "-"])]:
        abuse.fails(name, attempt(rawdev, *words, input=""), {"no format": 65}.get(name, 2))


def test_several(abuse):
    """One bad raw among good ones, and none that is good."""
    a, c = (abuse.raw(name, SAMPLE.read_bytes()) for name in ("a.dng", "c.dng"))
    text, empty = abuse.raw("text.dng", b"no raw"), abuse.raw("empty.dng", b"")
    abuse.develops("all bad", 4, empty, text, to=abuse.out, lines=2)
    abuse.develops("one bad of three", 3, a, text, c, *SDR, to=abuse.out, left=["a.heic", "c.heic"])


@pytest.mark.parametrize("wrong", [
    "--quality 101", "--format gif", "--orientation 9", "--scale-factor 0", "--scale-factor nan",
    "--edr 1.5", "--bits 9", "--neutral-chromaticity 1,x", "--threads 0", "--decoder-version 99",
    "--contrast 1.5", "--contrast nan", "--highlights x", "--red-hue -2", "--shadow-hue 400",
    "--tone-curve 0,0,1", "--tone-curve 0,0,0.5,2", "--tone-curve 0.5,0,0.4,1",
    "--tone-curve 0,nan,1,1", "--tone-curve 0.5,0.5", "--lut-space lab", "--lut-amount -1",
    "--vignette-amount 2", "--grain-seed 1e9"])
def test_wrong_option(abuse, wrong):
    done = attempt(abuse.rawdev, "develop", SAMPLE, "-o", abuse.out / "x.heic", *wrong.split())
    same("exit code", done.returncode, 2)
    check("a message on standard error only", done.stderr and not done.stdout, done.stdout[:300])
    abuse.leaves(wrong)


@pytest.mark.parametrize("options, name", [
    ("--quality 0.5", "x.png"), ("--chroma 444", "x.tif"), ("--bits 8", "x.jpg"),
    ("--color-space srgb", "x.heic"), ("--tiff-space srgb", "x.heic"),
    ("--color-space bt2100-pq", "x.jpg"), ("--icc a.icc", "x.jpg"),
    ("--intent perceptual", "x.tif"),
    ("--tiff-compression none", "x.heic"),
    ("--gain-map-scale full", "x.avif"), ("--content-light 400,1000", "x.heic"),
    ("--lensfun-db /nowhere", "x.heic"), ("--temperature nan", "x.heic")])
def test_options_without_effect(abuse, options, name):
    """Refused by the name that was typed, before any work."""
    done = attempt(abuse.rawdev, "develop", SAMPLE, "-o", abuse.out / name, *options.split())
    same("exit code", done.returncode, 2)
    check("names the option", options.split()[0] in done.stderr, done.stderr)
    abuse.leaves(options)


def test_short_ways(abuse, rawdev):
    """The same picture by a longer and a shorter way of saying it."""
    ways = [["--neutral-temperature", "4000", "--neutral-tint", "5", "--quality", "0.8"],
            ["--temperature", "4000", "--tint", "5", "--quality", "80"]]
    for index, words in enumerate(ways):
        done = attempt(rawdev, "develop", SAMPLE, "-o", abuse.out / f"{index}.jpg", "-q",
                       "--max-size", "200", *words)
        same("nothing is printed", (done.returncode, done.stdout, done.stderr), (0, "", ""))
    same("bytes", *((abuse.out / f"{index}.jpg").read_bytes() for index in (0, 1)))
    check("size", b"" != run("exiftool", "-if", "$ImageWidth == 200", abuse.out / "0.jpg"))


def test_folders_that_are_links(abuse):
    """A sidecar names a folder beside the raw, and that leads elsewhere; one that -o names may."""
    raw = abuse.raw("a.dng", SAMPLE.read_bytes())
    abuse.raw("a.dng.rawdev.yaml", b"outputs: {main: {format: jpeg-sdr, name: 'web/{stem}'}}\n")
    other = abuse.folder / "other"
    other.mkdir()
    (abuse.inputs / "web").symlink_to(other)
    done = attempt(abuse.rawdev, "develop", raw)
    abuse.fails("link beside the raw", done, 73)
    check("the link is named", "in/web is a link that leads out" in abuse.said, abuse.said)
    abuse.leaves("link beside the raw", folder=other)
    (abuse.folder / "linked").symlink_to(other)
    run(abuse.rawdev, "develop", raw, "-o", f"{abuse.folder}/linked/")
    abuse.leaves("link of the user", "web", folder=other)
    abuse.leaves("link of the user", "a.jpg", folder=other / "web")


@pytest.fixture(scope="module")
def big(generator, folder):
    """A raw of 35 megapixels."""
    run(generator, "benchmark", folder / "big.dng", "--width", "7200", "--height", "4800")
    return folder / "big.dng"


def worked(process, seconds):
    """Whether a process has used so much processor time, or has ended."""
    if process.poll() is not None:
        return True
    used = psutil.Process(process.pid).cpu_times()
    return used.user + used.system >= seconds


def stop(abuse, big, old, number, ready, *options):
    """Stops a run when it is `ready`; the old file stays, nothing half-written does. A run that has
    come to its end by then, on a machine that stalled, shows nothing."""
    for _ in range(10):
        old.write_text("old\n")
        process = subprocess.Popen([abuse.rawdev, "develop", big, "-o", old, "--overwrite",
                                    *options], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        wait_for(lambda: ready(process), step=0.005)
        process.send_signal(number)
        _, said = process.communicate(timeout=PATIENCE)
        if process.returncode != 0:
            break
    same("exit code", process.returncode, 75)
    same(f"lines on standard error, {said!r}", said.count(b"\n"), 1)
    same("the old file", old.read_text(), "old\n")
    abuse.leaves("stopped run", old.name)


@combined(full=1, number=[signal.SIGINT, signal.SIGTERM, signal.SIGHUP], seconds=[0.1, 0.5, 1])
def test_stopped(abuse, big, number, seconds):
    """Stopped after so much processor time, of about three seconds that it takes."""
    stop(abuse, big, abuse.out / "big.heic", number, lambda process: worked(process, seconds),
         "--format", "heif-pq", "--chroma", "444", "--quality", "1")


@pytest.mark.full
def test_stopped_while_it_writes(abuse, big):
    """A TIFF's temporary file grows from the start."""
    stop(abuse, big, abuse.out / "big.tif", signal.SIGTERM,
         lambda process: any(abuse.out.glob(".big.tif.*rawdev-tmp"))
         or process.poll() is not None)


@pytest.mark.full
def test_killed_while_it_writes(abuse, big):
    """What a killed run left is gone after the next."""
    new, left = abuse.out / "big.tif", abuse.out / ".big.tif.rawdev-tmp"
    process = subprocess.Popen([abuse.rawdev, "develop", big, "-o", new],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(lambda: left.exists() or process.poll() is not None, step=0.005)
    process.kill()
    process.wait(timeout=PATIENCE)
    abuse.leaves("killed run", left.name)
    run(abuse.rawdev, "develop", big, "-o", new)
    abuse.leaves("the next run", new.name)
