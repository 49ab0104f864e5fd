"""DNG as a format of batches: what rawdev dng writes, resumable, beside pictures."""
import hashlib
import json
import shutil
import signal
import subprocess

import pytest

from batch import material
from support.checks import check, none, same
from support.program import FIXTURES, SHARED, attempt, run, tags, wait_for

RECIPE = """outputs:
  archive: {format: dng, name: "dng/{stem}", dng: {compression: jpeg-xl, preview: small}}
  web: {format: jpeg-sdr, maxSize: 640}
"""


def digests(folder):
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.rglob("*.dng")) if not path.name.startswith(".")}


def items(done):
    events = [json.loads(line) for line in done.stdout.splitlines()]
    return {event["id"]: event for event in events if event["event"] == "item"}


def shoot(tmp, count=6):
    raws = tmp / "raws"
    raws.mkdir()
    for number in range(count):
        shutil.copy(material.FIXTURES[number % 3], raws / f"raw-{number}.dng")
    for path in sorted((SHARED / "raws").glob("*.CR2"))[:1]:
        shutil.copy(path, raws)
    (raws / "bad.dng").write_bytes((FIXTURES / "sunset-bayer.dng").read_bytes()[:300_000])
    return raws


def test_the_same_as_rawdev_dng(rawdev, tmp):
    raws = shoot(tmp)
    batch = [rawdev, "batch", raws, "-o", tmp / "out", "--format", "dng", "--no-report", "--json"]
    planned = items(attempt(*batch, "--dry-run"))
    check("a dry run writes nothing", not (tmp / "out").exists())
    check("but tells", any(item["status"] == "planned" for item in planned.values()), planned)
    done = attempt(*batch)
    found = items(done)
    same("the bad one alone fails", [key for key, item in found.items()
                                     if item["status"] == "failed"], ["bad.dng"])
    attempt(rawdev, "dng", raws, "-o", tmp / "alone")
    same("bytes", digests(tmp / "out"), digests(tmp / "alone"))
    again = items(attempt(*batch))
    same("up to date", {item["status"] for key, item in again.items() if key != "bad.dng"},
         {"skipped"})
    (raws / "raw-1.dng.rawdev.yaml").write_text("raw: {exposure: 1}\n")
    again = items(attempt(*batch))
    same("exposure is no part of it", again["raw-1.dng"]["status"], "skipped")
    ended = attempt(*batch, "--overwrite", "--dng-preview", "none")
    notes = items(ended)["raw-1.dng"].get("notes", [])
    check("and one line says so", len(notes) == 1 and "exposure" in notes[0], notes)


@pytest.mark.full
def test_beside_pictures(rawdev, tmp):
    """A recipe of a DNG and a JPEG, killed at any moment, ends as one that was left alone."""
    raws = shoot(tmp)
    (tmp / "both.yaml").write_text(RECIPE)
    def words(out):
        return ["batch", raws, "-o", out, "-r", tmp / "both.yaml", "--jobs", "2", "--memory",
                "1500M", "--json"]
    calm = attempt(rawdev, *words(tmp / "calm"))
    same(calm.stderr, calm.returncode, 3)
    whole = digests(tmp / "calm")
    check("DNGs in their folder", all(name.startswith("dng/") for name in whole), whole)
    check("JPEGs beside them", len(list((tmp / "calm").glob("*.jpg"))) == len(whole))
    for item in items(calm).values():
        if item["status"] == "done":
            same("outputs", [one["format"] for one in item["outputs"]], ["dng", "jpeg-sdr"])
    report = [json.loads(line) for line in open(tmp / "calm/rawdev-report.jsonl")]
    small = [event.get("thumbnail", "") for event in report if event.get("status") == "done"]
    same("thumbnails", (len(small), {text[:15] for text in small}),
         (len(whole), {"data:image/jpeg"}))
    out = tmp / "killed"
    for count in (1, 3):
        process = subprocess.Popen([rawdev, *map(str, words(out))], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        wait_for(lambda: len(digests(out)) >= count or process.poll() is not None, step=0.005)
        process.send_signal(signal.SIGKILL)
        process.wait()
        none("half DNGs", [name for name, digest in digests(out).items()
                           if digest != whole.get(name)])
    attempt(rawdev, *words(out))
    same("after two kills", digests(out), whole)


def test_refusals(rawdev, tmp):
    source = FIXTURES / "sunset-bayer.dng"
    for words, what in [
            (("develop", source, "-o", tmp / "a.dng", "--metadata", "noLocation"), "metadata"),
            (("develop", source, "-o", tmp / "a.dng", "--dng-distance", "1"), "jpeg-xl"),
            (("develop", source, "-o", tmp / "a.png", "--dng-preview", "none"), "no effect"),
            (("develop", source, "-o", tmp / "a.dng", "--max-size", "100"), "no effect")]:
        done = attempt(rawdev, *words)
        same(f"{words[2:]}: {done.stderr}", (done.returncode, what in done.stderr), (2, True))
    run(rawdev, "develop", source, "-o", tmp / "a.png")
    done = attempt(rawdev, "convert", tmp / "a.png", tmp / "b.dng")
    check("a picture is no raw", done.returncode and "rawdev dng" in done.stderr, done.stderr)
    same("lines", done.stderr.count("\n"), 1)
    check("nothing is left", not list(tmp.glob("*.dng")))
    done = attempt(rawdev, "develop", source, "-o", tmp / "c.dng", "--exposure", "1")
    same("developed", done.returncode, 0)
    check("what has no effect is said", "exposure has no effect" in done.stderr, done.stderr)
    check("it is a DNG", "SubIFD:CFAPattern2" in tags(tmp / "c.dng"))
