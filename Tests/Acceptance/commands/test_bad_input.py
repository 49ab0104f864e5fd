"""Abuse of the command line: whatever goes wrong costs one line on standard error and the documented
exit code, and leaves neither an output nor a temporary file."""
import hashlib
import os
import pathlib
import shutil
import signal
import subprocess

import pytest

from support.checks import check, same
from support.program import FIXTURES, PATIENCE, wait_for

SAMPLE = FIXTURES / "sunset-linear.dng"


class Abuse:
    """Folders for one case, and what every case must show."""

    def __init__(self, rawdev, folder):
        self.rawdev, self.folder, self.said = rawdev, folder, ""
        self.inputs, self.out = folder / "in", folder / "out"
        self.inputs.mkdir(exist_ok=True)
        self.out.mkdir(exist_ok=True)

    def ends(self, name, code, *arguments, before=(), lines=1):
        """Exit code, and exactly so many lines on standard error."""
        done = subprocess.run([*before, self.rawdev, *map(str, arguments)], capture_output=True,
                              timeout=PATIENCE, text=True, errors="replace")
        self.said = done.stderr
        same(f"{name}: exit code, {done.stderr[:300]}", done.returncode, code)
        same(f"{name}: lines on standard error, {done.stderr[:600]}", done.stderr.count("\n"), lines)

    def leaves(self, name, *names, folder=None):
        """Nothing of ours may be left in the folder but the files named."""
        same(f"{name}: left behind", sorted(os.listdir(folder or self.out)), sorted(names))


@pytest.fixture
def abuse(rawdev, tmp):
    return Abuse(rawdev, tmp)


@pytest.mark.parametrize("name, data", [
    ("empty", b""), ("text", b"This is no raw, whatever its name says.\n"),
    ("wild", b"II*\0\xff\xff\xff\x7f")])
def test_no_raw(abuse, name, data):
    raw = abuse.inputs / f"{name}.dng"
    raw.write_bytes(data)
    abuse.ends(name, 65, "develop", raw, "-o", abuse.out / "x.heic")
    abuse.leaves(name)


def test_nothing_there(abuse):
    abuse.ends("missing file", 66, "develop", abuse.inputs / "none.dng", "-o", abuse.out / "x.heic")
    abuse.leaves("missing file")
    (abuse.inputs / "folder.dng").mkdir()
    abuse.ends("a folder", 66, "develop", abuse.inputs / "folder.dng", "-o", abuse.out / "x.heic")
    abuse.leaves("a folder")


@pytest.mark.parametrize("share", [1, 50, 99])
@pytest.mark.parametrize("name", [
    "canon30d_IMG_0848.CR2", "canonKissX4_colorchart.dng", "bmpcc_coffee.dng", SAMPLE.name])
def test_cut(abuse, request, name, share):
    whole = SAMPLE if name == SAMPLE.name else request.getfixturevalue("shared") / "raws" / name
    cut = abuse.inputs / f"cut{whole.suffix}"
    data = whole.read_bytes()
    cut.write_bytes(data[:len(data) * share // 100])
    abuse.ends(f"{name} cut at {share} %", 65, "develop", cut, "-o", abuse.out / "x.heic")
    abuse.leaves(f"{name} cut at {share} %")


def test_permissions(abuse):
    """A file that may not be read, and a folder that may not be written."""
    secret, readable = abuse.inputs / "secret.dng", abuse.inputs / "open.dng"
    locked = abuse.folder / "locked"
    for path, mode in [(secret, 0), (readable, 0o644)]:
        shutil.copy(SAMPLE, path)
        path.chmod(mode)
    locked.mkdir(mode=0o555)
    abuse.out.chmod(0o777)
    before = []
    if os.geteuid() == 0:
        before = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        program = abuse.folder / "rawdev"
        shutil.copy(abuse.rawdev, program)
        program.chmod(0o755)
        abuse.rawdev = program
        if subprocess.run([*before, program, "--version"], capture_output=True).returncode:
            pytest.skip("no other user can run the program")
    abuse.ends("unreadable file", 66, "develop", secret, "-o", abuse.out / "x.heic", before=before)
    abuse.leaves("unreadable file")
    abuse.ends("folder without permission", 73, "develop", readable, "-o", locked / "x.heic",
               before=before)
    abuse.leaves("folder without permission", folder=locked)


@pytest.mark.root
@pytest.mark.parametrize("kind", ["tiff", "tiff-float", "heif-pq"])
def test_full_disk(abuse, kind):
    disk = abuse.folder / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk]).returncode:
        pytest.skip("mounting is not allowed here")
    try:
        # The HEIF of the fixture is smaller than the disk; most of it is taken.
        (disk / "ballast").write_bytes(bytes(900_000))
        large = ["--quality", "1"] if kind == "heif-pq" else ["--tiff-compression", "none"]
        abuse.ends(f"full disk, {kind}", 73, "develop", FIXTURES / "sunset-bayer.dng", "-o",
                   disk / "x.tif", "--format", kind, *large)
        abuse.leaves(f"full disk, {kind}", "ballast", folder=disk)
        check(f"full disk, {kind}: says that the disk is full", "full" in abuse.said, abuse.said)
    finally:
        subprocess.run(["umount", disk], check=True)


def test_outputs(abuse):
    out = abuse.out
    abuse.ends("output folder does not exist", 73, "develop", SAMPLE, "-o",
               abuse.folder / "none/x.heic")
    check("output folder does not exist: it is not made", not (abuse.folder / "none").exists())
    abuse.ends("several raws into a file's name", 2, "develop", SAMPLE, SAMPLE, "-o", SAMPLE)
    own = out / "self.dng"
    shutil.copy(SAMPLE, own)
    before = hashlib.sha256(own.read_bytes()).digest()
    abuse.ends("output is the raw itself", 2, "develop", own, "-o", own)
    abuse.ends("the raw itself by another way", 2, "develop", own, "-o",
               f"{out}/../{out.name}/self.dng")
    (out / "link.dng").symlink_to("self.dng")
    abuse.ends("the raw itself by a link", 2, "develop", out / "link.dng", "-o", own)
    (out / "link.dng").unlink()
    same("the raw itself is as it was", hashlib.sha256(own.read_bytes()).digest(), before)
    abuse.leaves("output is the raw itself", "self.dng")
    own.unlink()
    abuse.ends("two raws to one name", 2, "develop", SAMPLE, SAMPLE, "-o", f"{out}/")
    abuse.leaves("two raws to one name")
    abuse.ends("a folder as output takes the raw's own name", 0, "develop", SAMPLE, "-o", out,
               "--format", "heif-sdr", lines=0)
    abuse.leaves("output is a folder", "sunset-linear.heic")


def test_several(abuse):
    """One bad raw among good ones, and none that is good."""
    for name in ("a", "c"):
        shutil.copy(SAMPLE, abuse.inputs / f"{name}.dng")
    (abuse.inputs / "text.dng").write_text("no raw")
    (abuse.inputs / "empty.dng").touch()
    abuse.ends("one bad of three", 3, "develop", *(
        abuse.inputs / f"{name}.dng" for name in ("a", "text", "c")), "-o", abuse.out, "--format",
        "heif-sdr")
    abuse.leaves("one bad of three", "a.heic", "c.heic")
    for name in ("a", "c"):
        (abuse.out / f"{name}.heic").unlink()
    abuse.ends("all bad", 4, "develop", abuse.inputs / "empty.dng", abuse.inputs / "text.dng", "-o",
               abuse.out, lines=2)
    abuse.leaves("all bad")


@pytest.mark.parametrize("wrong", [
    "--quality 2", "--format gif", "--orientation 9", "--scale-factor 0", "--scale-factor nan",
    "--edr 1.5", "--bits 9", "--neutral-chromaticity 1,x", "--threads 0", "--decoder-version 99"])
def test_wrong_option(abuse, wrong):
    done = subprocess.run([abuse.rawdev, "develop", SAMPLE, "-o", abuse.out / "x.heic",
                           *wrong.split()], capture_output=True, timeout=PATIENCE)
    same("exit code", done.returncode, 2)
    check("a message on standard error only", done.stderr and not done.stdout, done.stdout[:300])
    abuse.leaves(wrong)


@pytest.fixture(scope="module")
def big(generator, folder):
    """A raw of 12 megapixels."""
    path = folder / "big.dng"
    subprocess.run([generator, "benchmark", path, "--width", "4000", "--height", "3000"], check=True, stdout=subprocess.DEVNULL)
    return path


def threads_ran(process, seconds):
    """Whether a process has used so much processor time, or has ended."""
    try:
        parts = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return True
    used = (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")
    return used >= seconds or process.poll() is not None


def stop(abuse, big, old, number, ready, *options):
    """Stops a run when it is `ready`; the old file stays, nothing half-written does."""
    old.write_text("old\n")
    process = subprocess.Popen([abuse.rawdev, "develop", big, "-o", old, *options],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    wait_for(lambda: ready(process), step=0.005)
    process.send_signal(number)
    _, said = process.communicate(timeout=PATIENCE)
    same("exit code", process.returncode, 75)
    same(f"lines on standard error, {said!r}", said.count(b"\n"), 1)
    same("the old file", old.read_text(), "old\n")
    abuse.leaves("stopped run", old.name)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("seconds", [0.1, 0.5, 1])
def test_stopped(abuse, big, number, seconds):
    """Stopped after so much processor time, of about three seconds that it takes."""
    stop(abuse, big, abuse.out / "big.heic", number, lambda process: threads_ran(process, seconds),
         "--format", "heif-pq", "--chroma", "444", "--quality", "1")


def test_stopped_while_it_writes(abuse, big):
    """A TIFF's temporary file grows from the start."""
    staged = abuse.out / ".big.tif.rawdev-tmp"
    stop(abuse, big, abuse.out / "big.tif", signal.SIGTERM,
         lambda process: staged.exists() or process.poll() is not None)
