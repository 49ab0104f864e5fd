"""What commands write, and what they refuse to write over or through."""
import subprocess

import pytest

from support.checks import check, same
from support.program import FIXTURES, attempt, run

SAMPLE = FIXTURES / "sunset-linear.dng"


@pytest.fixture
def picture(rawdev, tmp):
    """An export of rawdev with a gain map, which it may replace without --overwrite."""
    path = tmp / "x.jpg"
    run(rawdev, "develop", SAMPLE, "-o", path, "--format", "jpg-gainmap", "-q")
    return path


def refused(name, done, code, path, before):
    same(f"{name}: exit code, {done.stderr}", done.returncode, code)
    same(f"{name}: lines, {done.stderr}", done.stderr.count("\n"), 1)
    check(f"{name}: it stays", path.read_bytes() == before)


def test_outputs_are_no_inputs(rawdev, tmp, picture):
    before = picture.read_bytes()
    extract = [rawdev, "gainmap", "extract", picture, "-o"]
    refused("the map", attempt(*extract, picture), 2, picture, before)
    refused("its metadata", attempt(*extract, tmp / "m.png", "--metadata", picture), 2, picture,
            before)
    done = attempt(*extract, tmp / "m.png", "--metadata", tmp / "m.png")
    same("both in one file", done.returncode, 2)
    refused("the other map", attempt(
        rawdev, "gainmap", "replace", tmp / "x.jpg", "--map", picture, "-o", picture,
        "--overwrite"), 2, picture, before)
    dng = tmp / "own.dng"
    run(rawdev, "dng", SAMPLE, "-o", dng, "-q")
    before = dng.read_bytes()
    refused("a profile", attempt(rawdev, "profile", dng, "-o", dng), 2, dng, before)


def test_lists_replace_lists_alone(rawdev, tmp):
    raw = tmp / "a.dng"
    raw.write_bytes(SAMPLE.read_bytes())
    refused("a raw", attempt(rawdev, "manifest", tmp, "-o", raw), 73, raw, SAMPLE.read_bytes())
    for _ in range(2):
        same("a list", attempt(rawdev, "manifest", tmp, "-o", tmp / "l.jsonl").returncode, 0)


def test_sidecars_that_lead_out(rawdev, tmp):
    shoot = tmp / "shoot"
    shoot.mkdir()
    raw = shoot / "a.dng"
    raw.write_bytes(SAMPLE.read_bytes())
    settings = tmp / "settings.json"
    settings.write_text("{}\n")
    (shoot / "a.dng.rawdev.json").symlink_to(settings)
    for name, words in [
            ("develop", ["develop", raw, "--no-defaults", "--exposure", "1", "--save", "-o",
                         tmp / "o.jpg"]),
            ("recipe set", ["recipe", "set", raw, "exposure=1"])]:
        refused(name, attempt(rawdev, *words), 73, settings, b"{}\n")
    check("nothing is developed", not (tmp / "o.jpg").exists())


@pytest.mark.parametrize("option", ["--size=-1,5", "--size=0,5", "--size=5,99999999"])
def test_sizes_out_of_range(rawdev, tmp, picture, option):
    same("convert", attempt(rawdev, "convert", picture, tmp / "b.png", option).returncode, 2)
    cell = option.replace("size", "cell")
    same("compose", attempt(
        rawdev, "compose", picture, picture, cell, "-o", tmp / "c.png").returncode, 2)


def test_names_cannot_make_lines(rawdev, tmp):
    raw = tmp / "a.dng\nrawdev: b\x1b]0;x\x07.dng"
    raw.write_bytes(b"no raw")
    for words in (["develop", raw, "-o", tmp / "o.jpg"], ["doctor", raw]):
        done = subprocess.run([rawdev, *map(str, words)], capture_output=True)
        said = done.stdout + done.stderr
        check(f"{words[0]}: one line", said.count(b"\n") == 1, said)
        check(f"{words[0]}: no escapes", b"\x1b" not in said, said)
