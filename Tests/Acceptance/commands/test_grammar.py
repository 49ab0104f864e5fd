"""The same words mean the same in all commands: names of formats, frames, folders, what a line says
about a file, and how much is said."""
import json
import os
import pty
import shutil
import subprocess

import pytest
from PIL import Image

from support.checks import check, same
from support.program import FIXTURES, PATIENCE, attempt, run, tags

SAMPLE = FIXTURES / "sunset-linear.dng"
WIDTH, HEIGHT = 480, 320


@pytest.fixture(scope="module")
def png(rawdev, folder):
    run(rawdev, "develop", SAMPLE, "-o", folder / "a.png", "--format", "png-sdr", "-q")
    return folder / "a.png"


@pytest.mark.parametrize("name, kind", [
    ("jpg", "JPEG"), ("JPG", "JPEG"), ("tif", "TIFF"), ("tif-float", "TIFF"), ("heic", "HEIC"),
    ("heif", "HEIC"), ("heic-pq", "HEIC"), ("jpg-gainmap", "JPEG"), ("avif-pq", None)])
def test_names_of_formats(rawdev, tmp, name, kind):
    done = attempt(rawdev, "develop", SAMPLE, "-o", f"{tmp}/", "--format", name)
    same("exit code", done.returncode, 0 if kind else 2)
    files = [tags(path)["File:FileType"] for path in tmp.iterdir()]
    check("kind of file", files in ([kind] if kind else [], ["HEIF"] if kind == "HEIC" else [kind]),
          files)


def test_info_decodes_pixels_when_asked(rawdev):
    for options, words in [([], "not decoded; levels and"), (["--pixels"], "headroom  ")]:
        text = run(rawdev, "info", SAMPLE, *options, text=True)
        check(f"{options}: {words}", words in text, text)
        report = json.loads(run(rawdev, "info", "--json", SAMPLE, *options))
        same(f"{options}: levels", "sensor" in report, bool(options))


def test_options_without_effect(rawdev, tmp):
    """An option that can do nothing to a file says why; one that switches off does not."""
    done = attempt(rawdev, "develop", SAMPLE, "-o", tmp / "a.tif", "--lut-amount", "0.5",
                   "--demosaic-method", "fast", "--no-lens-correction", "--exposure", "1")
    same("exit code", done.returncode, 0)
    notes = [line.split("note: ")[1] for line in done.stderr.splitlines() if " no effect" in line]
    same("notes", notes, [
        "--demosaic-method has no effect: the file has no Bayer, X-Trans or four-color mosaic",
        "--lut-amount has no effect: needs --lut-path"])


def test_names_of_formats_in_recipes(rawdev, tmp):
    recipe = tmp / "web.yaml"
    recipe.write_text("outputs: {web: {format: jpg}}\n")
    run(rawdev, "develop", SAMPLE, "-r", recipe, "-o", f"{tmp}/", "-q")
    same("kind of file", tags(tmp / "sunset-linear.jpg")["File:FileType"], "JPEG")
    same("it is valid", attempt(rawdev, "recipe", "validate", recipe).returncode, 0)


@pytest.mark.parametrize("crop, size", [
    ("10,20,100,50", (100, 50)), ("25%,0%,50%,100%", (240, 320)), ("10%,10,100,50%", (100, 160))])
def test_crop(rawdev, tmp, png, crop, size):
    run(rawdev, "convert", png, tmp / "b.png", "--crop", crop)
    with Image.open(tmp / "b.png") as picture:
        same("size", picture.size, size)
    run(rawdev, "compose", png, png, "-o", tmp / "c.png", "--crop", crop)
    with Image.open(tmp / "c.png") as picture:
        same("size of two", picture.size, (2 * size[0], size[1]))


def test_frames_of_raws(rawdev, tmp):
    """In percent and in pixels, by the option, by --set and in a batch."""
    for name, *words in [
            ("option", "develop", SAMPLE, "--crop", "120,0,50%,320", "-o"),
            ("set", "develop", SAMPLE, "--set", "crop=25%,0%,50%,100%", "-o"),
            ("old", "develop", SAMPLE, "--set", "render.crop=[0.25, 0, 0.75, 1]", "-o"),
            ("batch", "batch", SAMPLE, "--crop", "25%,0%,50%,100%", "--no-report", "-o")]:
        run(rawdev, *words, f"{tmp / name}/", "--format", "png-sdr")
        with Image.open(tmp / name / "sunset-linear.png") as picture:
            same(name, picture.size, (240, 320))
    for wrong, status in [("0,0,9999,10", 2), ("1,2,3", 2), ("0,0,0%,10", 2)]:
        target = tmp / "x.png"
        done = attempt(rawdev, "develop", SAMPLE, "--crop", wrong, "-o", target)
        same(f"--crop {wrong}", done.returncode, status)
        check("one line", len(done.stderr.strip().splitlines()) <= 3, done.stderr)
        check("nothing is written", not target.exists())
    for option, size in [
            ("--crop-aspect=1:1", (320, 320)), ("--vertical-perspective=0", (480, 320))]:
        run(rawdev, "develop", SAMPLE, option, "-o", tmp / "a.png", "--overwrite")
        with Image.open(tmp / "a.png") as picture:
            same(option, picture.size, size)


def test_straighten(rawdev, tmp, png):
    run(rawdev, "convert", png, tmp / "b.png", "--straighten", "-3")
    with Image.open(tmp / "b.png") as picture:
        check("the frame is smaller, its shape the same",
              picture.width < WIDTH and abs(picture.width / picture.height - 1.5) < 0.02,
              picture.size)
    for wrong in ["46", "nan"]:
        done = attempt(rawdev, "convert", png, tmp / "c.png", "--straighten", wrong)
        same(f"--straighten {wrong}", done.returncode, 2)


@pytest.mark.parametrize("command", ["convert", "compose", "develop"])
def test_max_size(rawdev, tmp, png, command):
    source = SAMPLE if command == "develop" else png
    done = attempt(rawdev, command, source, "-o", tmp / "a.jpg", "--max-size", "100")
    same(f"exit code, {done.stderr}", done.returncode, 0)
    with Image.open(tmp / "a.jpg") as picture:
        same("longer side", max(picture.size), 100)
    done = attempt(rawdev, command, source, "-o", tmp / "b.jpg", "--max-size", "5")
    check("too small", done.returncode == 2 and "--max-size" in done.stderr, done.stderr)


def test_folders(rawdev, tmp):
    raws = tmp / "raws"
    (raws / "below").mkdir(parents=True)
    for path in (raws / "a.dng", raws / "b.dng", raws / "below/c.dng"):
        shutil.copy(SAMPLE, path)
    (raws / "text.txt").write_text("no raw\n")
    run(rawdev, "develop", raws, "-o", tmp / "out", "--format", "jpg", "-q")
    same("the raws of the folder", sorted(os.listdir(tmp / "out")), ["a.jpg", "b.jpg"])
    run(rawdev, "develop", "--recursive", raws, "-o", tmp / "all", "--format", "jpg", "-q")
    same("and those below", sorted(os.listdir(tmp / "all")), ["a.jpg", "b.jpg", "c.jpg"])
    run(rawdev, "develop", raws, SAMPLE, "--format", "jpg", "-o", tmp / "more", "-q")
    same("with a file", len(os.listdir(tmp / "more")), 3)
    done = attempt(rawdev, "develop", tmp / "out")
    check("a folder without a raw", done.returncode == 66 and done.stderr.count("\n") == 1,
          done.stderr)


def test_dry_run(rawdev, tmp):
    raw = shutil.copy(SAMPLE, tmp)
    (tmp / "sunset-linear.dng.rawdev.yaml").write_text("raw: {exposure: 1}\n")
    before = sorted(os.listdir(tmp))
    said = run(rawdev, "develop", raw, "-r", "web", "-o", f"{tmp}/new/", "--dry-run", text=True)
    same("lines", said.count("\n"), 1)
    for part in ("new/sunset-linear.jpg", "jpeg-gainmap", "recipe web", "sidecar"):
        check(f"names {part}", part in said, said)
    same("nothing is written", sorted(os.listdir(tmp)), before)
    planned = json.loads(run(rawdev, "develop", raw, "--dry-run", "--json", text=True))
    same("as JSON", planned["format"], "heif-hlg")


@pytest.mark.parametrize("name, words", [
    ("a.heic", "heif-hlg (HLG HDR, BT.2020)"), ("a.png", "png (PQ HDR, BT.2020)"),
    ("a.jpg", "jpeg-gainmap (SDR with a gain map, Display P3)"),
    ("a.avif", "avif (PQ HDR, BT.2020)"), ("a.tif", "tiff (SDR, Display P3)")])
def test_the_line_about_a_file(rawdev, tmp, name, words):
    said = run(rawdev, "develop", SAMPLE, "-o", tmp / name, text=True)
    check("range and primaries", words in said, said)


def test_headroom_of_a_map_that_is_kept(rawdev, shared, tmp):
    """Of the HDR rendition, also where the map is not made again."""
    said = json.loads(run(rawdev, "convert", shared / "hdr/iso_apple_IMG_4682.HEIC",
                          tmp / "a.jpg", "--json", text=True))
    check("headroom", 1.5 < said["contentHeadroom"] < 3.3, said)


def test_one_question_for_the_format(rawdev, tmp, png):
    for words in (["-o", tmp / "x.what"], ["-o", f"{tmp}/"], ["-o", "-"]):
        done = attempt(rawdev, "convert", png, *words)
        check(f"{words}", done.returncode == 2 and done.stderr.count("--format") == 1, done.stderr)


def terminal(*command, **environment):
    """What a program writes to a terminal on standard error."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL,
                               stderr=theirs, env=os.environ | {"TERM": "xterm"} | environment)
    os.close(theirs)
    said = b""
    try:
        while piece := os.read(ours, 1 << 16):
            said += piece
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    process.wait(timeout=PATIENCE)
    return said.decode()


def test_color(rawdev, tmp):
    wrong = [rawdev, "develop", tmp / "none.dng"]
    check("on a terminal", "\x1b[" in terminal(*wrong, NO_COLOR=""))
    check("not with NO_COLOR", "\x1b[1" not in terminal(*wrong, NO_COLOR="1"))
    check("not on a dumb one", "\x1b[1" not in terminal(*wrong, TERM="dumb", NO_COLOR=""))
    check("never", "\x1b[1" not in terminal(*wrong, "--color", "never", NO_COLOR=""))
    check("always", "\x1b[1" in attempt(*wrong, "--color", "always").stderr)
    check("not in a file", "\x1b" not in attempt(*wrong).stderr)


@pytest.fixture(scope="module")
def big(generator, folder):
    run(generator, "benchmark", folder / "big.dng", "--width", "8000", "--height", "6000")
    return folder / "big.dng"


@pytest.mark.full
def test_progress(rawdev, tmp, big):
    """Work of more than a second is shown on a terminal, and nowhere else."""
    said = terminal(rawdev, "develop", big, "-o", tmp / "a.tif", "--threads", "1")
    check("a bar, a percentage and the time left", "[#" in said and "%" in said and "left" in said,
          said)
    check("the line is taken away", said.endswith("\r\x1b[K"), said)
    same("quiet", terminal(rawdev, "develop", big, "-o", tmp / "a.tif", "-q"), "")
    same("no terminal", attempt(rawdev, "develop", big, "-o", tmp / "a.tif").stderr, "")


def test_save(rawdev, tmp):
    raw = shutil.copy(SAMPLE, tmp)
    sidecar = tmp / "sunset-linear.dng.rawdev.yaml"
    sidecar.write_text("# mine\nraw:\n  exposure: 2 # too much\n")
    run(rawdev, "develop", raw, "--exposure", "0.5", "--temperature", "4000", "--save",
        "--set", "angle=1", "-o", tmp / "a.jpg", "-q")
    same("sidecar", sidecar.read_text(), "# mine\nraw:\n  exposure: 0.5 # too much\n"
         "  neutralTemperature: 4000\n  straightenAngle: 1\n")
    run(rawdev, "develop", raw, "-o", tmp / "b.jpg", "-q")
    same("the same picture", *((tmp / f"{name}.jpg").read_bytes() for name in "ab"))
    done = attempt(rawdev, "develop", raw, "--save", "-o", tmp / "c.jpg")
    same("nothing to save", done.returncode, 2)


def test_recipe_set(rawdev, tmp):
    raw = shutil.copy(SAMPLE, tmp)
    sidecar = tmp / "sunset-linear.dng.rawdev.yaml"
    said = run(rawdev, "recipe", "set", raw, "exposure=0.5", "raw.sharpnessAmount=0.2",
               "outputs.web.format=jpg", text=True)
    same("which file", said, f"{sidecar}\n")
    text = "schema: 1\nraw:\n  exposure: 0.5\n  sharpnessAmount: 0.2\noutputs:\n" \
        "  web:\n    format: jpg\n"
    same("a new one", sidecar.read_text(), text)
    run(rawdev, "recipe", "set", sidecar, "--unset", "exposure")
    same("without a key", sidecar.read_text(), text.replace("  exposure: 0.5\n", ""))
    before = sidecar.read_text()
    for wrong in (["exposure=99"], ["exposur=1"], ["exposure"], [], ["exposure=1", "quality=7"]):
        done = attempt(rawdev, "recipe", "set", sidecar, *wrong)
        same(f"{wrong}: exit code", done.returncode, 2)
        check(f"{wrong}: a line", 0 < done.stderr.count("\n") <= (1 if wrong else 5), done.stderr)
        same(f"{wrong}: nothing is written", sidecar.read_text(), before)
    same("no recipe there", attempt(rawdev, "recipe", "set", tmp / "no.yaml", "exposure=1")
         .returncode, 66)
    same("no raw there", attempt(rawdev, "recipe", "set", tmp / "no.dng", "exposure=1").returncode,
         66)
    same("nothing left behind", sorted(os.listdir(tmp)), sorted([sidecar.name, SAMPLE.name]))
