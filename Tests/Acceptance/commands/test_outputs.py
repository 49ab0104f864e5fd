"""What commands write, and what they refuse to write over or through."""
import os
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
    recipe, sidecar = tmp / "look.json", tmp / "other.xmp"
    recipe.write_text('{"raw": {"exposure": 1}}\n')
    sidecar.write_text("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>\n")
    run(rawdev, "batch", raw, "-o", tmp / "out", "--format", "jpg")
    report = tmp / "out/rawdev-report.jsonl"
    before = recipe.read_bytes(), sidecar.read_bytes()
    refused("a recipe", attempt(rawdev, "manifest", tmp, "-o", recipe), 73, recipe, before[0])
    refused("a recipe", attempt(rawdev, "report", "merge", report, "-o", recipe), 73, recipe,
            before[0])
    refused("a sidecar", attempt(rawdev, "report", "merge", report, "--html", sidecar), 73,
            sidecar, before[1])
    for _ in range(2):
        run(rawdev, "report", "merge", report, "-o", tmp / "all.jsonl", "--html", tmp / "all.html",
            "--retry", tmp / "retry.jsonl")


def test_pictures_of_other_raws_stay(rawdev, tmp):
    """Two cards with one counter: neither pictures nor archives of one take the place of those of
    the other, and nothing that somebody has edited is replaced."""
    for number, name in (1, "sunset-bayer"), (2, "sunset-linear"):
        (tmp / f"card{number}").mkdir()
        (tmp / f"card{number}/IMG_1.dng").write_bytes((FIXTURES / f"{name}.dng").read_bytes())
    run("exiftool", "-overwrite_original", "-DateTimeOriginal=2026:01:02 03:04:05",
        tmp / "card2/IMG_1.dng")
    for words in (["dng"], ["develop", "--format", "jpg"]):
        out = tmp / words[0]
        out.mkdir()
        run(rawdev, *words, tmp / "card1", "-o", out)
        path = next(out.iterdir())
        before = path.read_bytes()
        refused(words[0], attempt(rawdev, *words, tmp / "card2", "-o", out), 73, path, before)
        same("again", attempt(rawdev, *words, tmp / "card1", "-o", out).returncode, 0)
    run("exiftool", "-overwrite_original", "-XMP-dc:Title=mine", path)
    before = path.read_bytes()
    refused("edited", attempt(rawdev, *words, tmp / "card1", "-o", out), 73, path, before)
    same("as asked", attempt(rawdev, *words, tmp / "card1", "-o", out, "--overwrite").returncode, 0)


def test_pictures_of_the_same_raw_are_renewed(rawdev, tmp):
    """Whatever has been said of it since: a sidecar by another program, a rating in the file."""
    raw, out = tmp / "a.dng", tmp / "out"
    raw.write_bytes(SAMPLE.read_bytes())
    rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    for step in ("new", "sidecar", "rated"):
        if step == "sidecar":
            (tmp / "a.xmp").write_text(
                f"<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='{rdf}'>"
                "<rdf:Description xmlns:mm='http://ns.adobe.com/xap/1.0/mm/' "
                "mm:DocumentID='xmp.did:1'/></rdf:RDF></x:xmpmeta>")
        if step == "rated":
            run("exiftool", "-overwrite_original", "-Rating=4", raw)
        for words in (["develop", "--format", "jpg"], ["dng"]):
            run(rawdev, *words, raw, "-o", f"{out}/{words[0]}/")
    other = tmp / "card2/a.dng"
    other.parent.mkdir()
    other.write_bytes((FIXTURES / "sunset-linear.dng").read_bytes())
    run("exiftool", "-overwrite_original", "-DateTimeOriginal=2026:01:02 03:04:05", other)
    path = out / "develop/a.jpg"
    for policy in ("minimal", "none"):
        refused(policy, attempt(rawdev, "develop", other, "-o", path, "--metadata", policy), 73,
                path, path.read_bytes())
    copy = out / "dng/a.dng"
    before = copy.read_bytes()
    run(rawdev, "dng", raw, "-o", copy, "--compression", "none")
    check("as asked", len(copy.read_bytes()) > len(before))


def test_links_to_nothing(rawdev, tmp):
    """A batch leaves them alone, and replaces them where that is asked for."""
    out = tmp / "out"
    out.mkdir()
    path = out / f"{SAMPLE.stem}.heic"
    path.symlink_to(tmp / "nothing/there")
    same("left", attempt(rawdev, "batch", SAMPLE, "-o", out).returncode, 4)
    same("replaced", attempt(rawdev, "batch", SAMPLE, "-o", out, "--overwrite").returncode, 0)
    check("a file", path.is_file() and not path.is_symlink() and not (tmp / "nothing").exists())


def test_names_that_are_not_utf8(rawdev, tmp):
    """None is taken for another file: commands refuse them, batches develop them."""
    folder = os.fsencode(tmp / "raws")
    os.mkdir(folder)
    names = [os.path.join(folder, b"lat\xe9.dng"), os.path.join(folder, b"lat\xea.dng")]
    for name in names:
        with open(name, "wb") as file:
            file.write(SAMPLE.read_bytes())
    (tmp / "raws/lat\ufffd.dng").write_bytes((FIXTURES / "sunset-bayer.dng").read_bytes())
    done = subprocess.run([rawdev, "develop", names[0], "-o", tmp / "x.jpg"], capture_output=True)
    same("a name", (done.returncode, b"not UTF-8" in done.stderr), (2, True))
    done = subprocess.run([rawdev, "batch", *names, "-o", tmp / "out"], capture_output=True)
    same("two that read the same", (done.returncode, b"several names" in done.stderr), (2, True))
    done = attempt(rawdev, "develop", tmp / "raws", "-o", tmp / "all", "--format", "jpg")
    same("a folder", (done.returncode, done.stderr.count("not UTF-8")), (3, 2))
    same("the others", [path.name for path in (tmp / "all").iterdir()], ["lat\ufffd.jpg"])
    same("a batch", attempt(rawdev, "batch", tmp / "raws", "-o", tmp / "out").returncode, 0)
    same("all", len([path for path in (tmp / "out").iterdir() if path.suffix == ".heic"]), 3)


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
