"""The commands of the cookbook and of the README, run as they stand there, on small files under the
names that they use: each succeeds and leaves what the line above it says, of the kind that it says;
what the README says was printed is printed. A command that is none of rawdev and not known here
fails."""
import os
import pathlib
import re
import shutil
import signal
import socket
import urllib.request

import pytest
from PIL import ImageCms

from batch.bench import Client
from readers.synthetic import auxiliary_dng
from support import chart
from support.checks import check, same
from support.needed import built
from support.program import FIXTURES, ROOT, SHARED, attempt, run, wait_for

pytestmark = pytest.mark.full

COOKBOOK, README = (ROOT / name for name in ("Docs/cookbook.md", "README.md"))
PHONE = SHARED / "hdr/apple_iphone13pro_IMG_8563.HEIC"
CAMERA = SHARED / "raws/canon30d_IMG_0848.CR2"
STARTS = {
    ".heic": rb".{4}ftyp(heic|heix|mif1)", ".avif": rb".{4}ftypavif", ".jpg": rb"\xff\xd8\xff",
    ".png": rb"\x89PNG\r\n", ".jxl": rb".{4}JXL ", ".tif": rb"II\*\0|MM\0\*", ".dng": rb"II\*\0",
    ".exr": rb"\x76\x2f\x31\x01", ".dcp": rb"IIRC", ".yaml": rb"#|schema: 1\n",
    ".json": rb"[\[{]", ".jsonl": rb"\{|\Z", ".html": rb"<!doctype html>"}
STILLS = {".heic", ".avif", ".jpg", ".png", ".jxl", ".tif"}


def sections(document, kind):
    """The fenced blocks of this kind in a document, as lines, by their headings and numbers."""
    heading, found = "", {}
    parts = r"^#+ ([^\n]*)|^```" + kind + r"\n(.*?)^```$"
    for match in re.finditer(parts, document.read_text(), re.M | re.S):
        heading = match[1] or heading
        if match[2]:
            found[f"{heading} {len(found) + 1}"] = match[2].splitlines()
    return found


def stand_ins():
    """The files that commands use, with what the cookbook says stands for them."""
    table = COOKBOOK.read_text().split("## The files in these commands")[1]
    for row in re.findall(r"^\| (`.*)\|$", table, re.M):
        names, _, source = row.split("|")
        for name in re.findall(r"`(.*?)`", names):
            yield name, source.strip(" `")


@pytest.fixture(scope="module")
def kitchen(rawdev, generator, folder):
    """A folder with all files that commands use."""
    def camera_raw(path):
        run(generator, "cameras", folder, "--coding", "cr2")
        shutil.move(folder / "cr2.raw", path)

    def phone_picture(path):
        if PHONE.is_file():
            shutil.copy(PHONE, path)
        else:
            print("no pictures in ../shared: gain maps of phones are NOT tested")
            developed("heic-gainmap")(path)

    def portrait(path):
        if CAMERA.is_file():
            path.symlink_to(CAMERA)
        else:
            camera_raw(path)

    def developed(kind):
        return lambda path: run(rawdev, "develop", FIXTURES / "sunset-bayer.dng", "--format", kind,
                                "-o", path)

    def export(path):
        run(rawdev, "convert", path.parents[1] / "in.jpg", path, "--max-size", "600")

    def bracket(path):
        if not (folder / "bracket-1.dng").exists():
            run(generator, "bracket", folder, "--width", "480", "--height", "320")
        shutil.copy(folder / f"bracket-{path.stem[-1]}.dng", path)

    def profile(path):
        run(rawdev, "profile", path.with_name("chart.dng"), "-o", path)

    def look(path):
        colors = [f"{r} {g} {b * 0.9}\n" for b in (0, 1) for g in (0, 1) for r in (0, 1)]
        path.write_text("LUT_3D_SIZE 2\n" + "".join(colors))

    def device(path):
        path.write_bytes(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())

    made = {"IMG_0001.CR2": camera_raw, "IMG_0001.HEIC": phone_picture,
            "IMG_0001.DNG": lambda path: auxiliary_dng(path, 1, "HDR Tone Map"),
            "in.avif": developed("avif"), "in.jpg": developed("jpeg-gainmap"),
            "originals/b.jpg": developed("jpeg-gainmap"), "exports/b.jpg": export,
            "chart.dng": chart.photograph, "my.dcp": profile, "film.cube": look,
            "portraits/IMG_0005.CR2": portrait, "printer.icc": device}
    made |= {f"shoot/IMG_000{n}.dng": bracket for n in (1, 2, 3)}
    for name, source in stand_ins():
        path = folder / "kitchen" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if source.startswith("Fixtures/"):
            shutil.copy(ROOT / source, path)
        else:
            made.pop(name)(path)
    assert not made, f"the cookbook's table lacks {sorted(made)}"
    return folder / "kitchen"


@pytest.fixture
def shell(bench, kitchen):
    """Starts a command line in a folder of its own with these files, where rawdev is installed."""
    folder = shutil.copytree(kitchen, bench.folder / "kitchen", symlinks=True)
    environment = bench.env | {
        "PATH": f"{bench.rawdev.parent}:{bench.env['PATH']}", "XDG_RUNTIME_DIR": str(bench.folder),
        "XDG_STATE_HOME": str(bench.folder / "state")}

    def start(command):
        return bench.start("-c", command, program=["bash"], cwd=folder, env=environment)
    start.folder, start.bench = folder, bench
    return start


def contents(folder):
    """What shows of each file below whether it was written again, except for batches' journals."""
    return {str(path.relative_to(folder)): path.lstat().st_mtime_ns for path in folder.rglob("*")
            if not path.is_dir() and ".rawdev" not in path.parts}


def light(data):
    """The light of a still, by the marks of its gain map or its code points."""
    if any(mark in data for mark in (b"urn:iso:std:iso:ts:21496:-1", b"tmap", b"jhgm")):
        return "gain map"
    coded = re.search(rb"(?:nclx\0.\0|cICP.)([\x10\x12])", data, re.S)
    return {b"\x10": "PQ", b"\x12": "HLG"}[coded[1]] if coded else "SDR"


def kept(command, names, said, folder, before):
    """That a command wrote the files that were promised, and nothing that is not what its name
    says."""
    written = {name for name, time in contents(folder).items() if before.get(name) != time}
    wanted = re.search(r"\b(HLG|PQ|SDR|gain map)\b", said)
    for name in names:
        found = [each for each in sorted(written) if pathlib.PurePath(each).match(name)]
        check(f"{command}: {name}", found, sorted(written))
        if wanted and pathlib.PurePath(name).suffix in STILLS:
            kinds = {light((folder / each).read_bytes()) for each in found}
            same(f"{command}: light of {name}", kinds, {wanted[1]})
    for name in sorted(written):
        data = (folder / name).read_bytes()
        start = STARTS.get(pathlib.PurePath(name).suffix, rb"a kind that is not known here")
        check(f"{command}: kind of {name}", re.match(start, data, re.S), data[:40])
    return written


def watch(shell, command, folder):
    """A batch that goes on until it is interrupted."""
    process = shell(f"exec {command}")
    wait_for(lambda: [*folder.glob("watched/*.heic")] or process.poll() is not None)
    same(f"{command}: Ctrl-C", shell.bench.finish(process, signal.SIGINT).code, 75)


def tune(shell, command, folder):
    """A page: its address is printed, and answers."""
    built(shell.bench.rawdev, "rawdev-tune")
    process = shell(f"exec {command} --no-open")
    address = process.stdout.readline().decode().strip()
    check(f"{command}: an address", address.startswith("http://"), address)
    # The address gives a cookie, and the page only with it.
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    with browser.open(address) as page:
        check(f"{command}: a page", b"<html" in page.read())
    same(f"{command}: Ctrl-C", shell.bench.finish(process, signal.SIGINT).code, 0)


def serve(shell, command, folder):
    """A server: it develops what it is asked for."""
    process = shell(f"exec {command}")
    address = str(folder / "rawdev.sock")
    with socket.socket(socket.AF_UNIX) as link:
        wait_for(lambda: link.connect_ex(address) == 0 or process.poll() is not None)
        client = Client(link.sendall, link.makefile("rb").readline)
        client.ask("a", folder / "a.dng")
        check(f"{command}: an answer", client.answered("a"))
        same(f"{command}: what became of it", client.status("a"), "done")
        link.shutdown(socket.SHUT_RDWR)
    same(f"{command}: Ctrl-C", shell.bench.finish(process, signal.SIGINT).code, 75)


# Commands that go on until they are ended.
ENDLESS = {"rawdev batch .* --watch": watch, "rawdev tune .*": tune, "rawdev serve .*": serve}


def try_out(shell, command, names, said):
    """One command, and what it promises."""
    folder, before = shell.folder, contents(shell.folder)
    endless = [act for pattern, act in ENDLESS.items() if re.fullmatch(pattern, command)]
    if not check(f"{command}: is of rawdev", re.match("rawdev [a-z]", command), "not known here"):
        return
    if " --from-previews " in command and not CAMERA.is_file():
        print(f"no raws in ../shared: {command} is NOT tested")
        return
    if endless:
        endless[0](shell, command, folder)
    else:
        ended = shell.bench.finish(shell(f"set -o pipefail; {command}"))
        same(f"{command}: exit code, {ended.messages[-3:]}", ended.code, 0)
        check(f"{command}: prints something", ended.out or names != ["printed"])
    words = {"printed", "opened"} & {*names}
    written = kept(command, [name for name in names if name not in words], said, folder, before)
    if "printed" in words:
        same(f"{command}: writes nothing", written, set())


RECIPES = sections(COOKBOOK, "sh")


@pytest.mark.parametrize("title", RECIPES)
def test_cookbook(shell, title):
    """Each command has a line above it: the files that it writes, or a word, and what they are."""
    promises, commands = RECIPES[title][::2], RECIPES[title][1::2]
    for promise, command in zip(promises, commands, strict=True):
        match = re.fullmatch(r"# (\S+(?:, \S+)*?): (.*)", promise)
        if check(f"{command}: has an expectation", match, promise):
            try_out(shell, command, match[1].split(", "), match[2])


def test_nothing_else():
    """No commands are in blocks of another kind, which would not be tried."""
    for document, kinds in ((COOKBOOK, {"sh"}), (README, {"sh", "console", "swift"})):
        found = set(re.findall(r"^```(.+)", document.read_text(), re.M))
        same(f"{document.name}: kinds of blocks", found, kinds)


def printed(text):
    """A text without the numbers that differ from run to run and from library to library."""
    return re.sub(r"\d[\d.]* (bytes|s|%)(?=\W|$)", r"… \1", text)


@pytest.mark.parametrize("block", sections(README, "console").values())
def test_printed(shell, block):
    """What the README shows, from its folder."""
    folder = shutil.copytree(FIXTURES, shell.folder / "Fixtures").parent
    shown = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", "\n".join(block) + "\n", re.M)
    same("README: all lines are of commands", sum(1 + text.count("\n") for _, text in shown),
         len(block))
    for command, text in shown:
        before = contents(folder)
        ended = shell.bench.finish(shell(f"exec 2>&1; {command}"))
        same(f"{command}: exit code", ended.code, 0)
        same(f"{command}: printed", printed(ended.out.decode()), printed(text))
        kept(command, [], "", folder, before)


def script(shell, command):
    """A script of the package, without options."""
    check(f"{command}: there", os.access(ROOT / command, os.X_OK))
    same(f"{command}: syntax", attempt("bash", "-n", ROOT / command).returncode, 0)


def package(shell, command):
    """Packages that Scripts/package makes of this version."""
    version = run(shell.bench.rawdev, "--version", text=True).strip()
    check(f"{command}: version", f"rawdev_{version}_" in command, version)
    check(f"{command}: name", "rawdev_${version}_$architecture.deb"
          in (ROOT / "Scripts/package").read_text())


def container(shell, command):
    """The command of a container of this version, given to the program itself."""
    image = "localhost/rawdev:" + run(shell.bench.rawdev, "--version", text=True).strip()
    check(f"{command}: version", f" {image} " in command, image)
    try_out(shell, "rawdev " + command.partition(f" {image} ")[2], ["IMG_0001.heic"], "HLG")


OTHERS = {r"Scripts/\w+": script, r"sudo apt install \S+": package, r"podman run .*": container}


@pytest.mark.parametrize("block", sections(README, "sh").values())
def test_other_commands(shell, block):
    """Installing and building: as far as that goes without doing it."""
    for line in block:
        command = line.partition("  #")[0].strip()
        acts = [act for pattern, act in OTHERS.items() if re.fullmatch(pattern, command)]
        if check(f"{command}: known here", acts):
            acts[0](shell, command)
