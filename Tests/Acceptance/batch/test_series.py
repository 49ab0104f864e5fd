"""Series: what is found once for all frames of a camera, style and illuminant, whoever finds it."""
import hashlib
import json

import pytest
import tifffile

from support.checks import check, same
from support.program import attempt, run

RAWS = ["canon_CRW_0104.CRW", "canon_CRW_0105.CRW", "canon_CRW_0113.CRW", "canon_CRW_0118.CRW",
        "canon_CRW_0305.CRW"]
OPTIONS = ["--set", "raw.look=camera", "--set", "raw.scaleFactor=0.1", "--format", "tiff",
           "--no-report"]


@pytest.fixture
def shoot(folder, shared):
    raws = folder / "in"
    raws.mkdir(exist_ok=True)
    for name in RAWS:
        if not (shared / "more/raws" / name).exists():
            pytest.skip(f"{name} is missing")
        (raws / name).write_bytes((shared / "more/raws" / name).read_bytes())
    return raws


def pixels(folder):
    return {path.name: hashlib.md5(tifffile.imread(path).tobytes()).hexdigest()
            for path in folder.glob("*.tif")}


def items(output):
    lines = [json.loads(line) for line in output.splitlines()]
    return {line["id"]: line for line in lines if line["event"] == "item"}


@pytest.mark.full
def test_series(rawdev, folder, shoot):
    def batch(out, series, *options, inputs=(shoot,)):
        return items(run(rawdev, "batch", *inputs, "-o", folder / out, "--series", series, "--json",
                         *OPTIONS, *options))

    whole = folder / "whole.json"
    batch("whole", whole, "--jobs", "1")
    entries = json.loads(whole.read_text())["entries"]
    same("a light of each camera", [entry["source"] for entry in entries],
         ["canon_CRW_0104.CRW", "canon_CRW_0113.CRW", "canon_CRW_0305.CRW"])
    same("nothing is done again", {item["status"] for item in batch("whole", whole).values()},
         {"skipped"})

    # Shards that begin with any of them, each with a file or none, and many workers.
    manifest, shards = folder / "list.jsonl", folder / "shards.json"
    run(rawdev, "manifest", shoot, "-o", manifest)
    for shard in ["2/3", "0/3", "1/3"]:
        batch("shards", shards, "--jobs", "4", "--shard", shard, inputs=("--manifest", manifest))
    same("the file of shards", shards.read_bytes(), whole.read_bytes())
    same("the pixels of shards", pixels(folder / "shards"), pixels(folder / "whole"))

    # One after another, and by processes without rights.
    for name, more in [("own", []), ("isolated", ["--isolated"])]:
        series = folder / f"{name}.json"
        run(rawdev, "develop", shoot, "-o", folder / name, "--series", series, "--look", "camera",
            "--scale-factor", "0.1", "--format", "tiff", *more)
        same(f"the file of develop, {name}", series.read_bytes(), whole.read_bytes())
        same(f"its pixels, {name}", pixels(folder / name), pixels(folder / "whole"))

    # An entry is used as it is, and counts for the frames that it holds for.
    entries[0]["exposure"] = 1.25
    whole.write_text(json.dumps({"rawdevSeries": 1, "entries": entries}))
    done = batch("whole", whole)
    same("what has the entry is done again",
         sorted(name for name, item in done.items() if item["status"] == "done"), RAWS[:2])
    same("it stays", json.loads(whole.read_text())["entries"], entries)


def test_refused_files(rawdev, folder, shoot):
    series = folder / "s.json"
    for text, words in [("{", "restore it"), ('{"rawdevSeries": 2, "entries": []}', "version 2")]:
        series.write_text(text)
        for command in ["batch", "develop"]:
            options = OPTIONS if command == "batch" else []
            done = attempt(rawdev, command, shoot / RAWS[0], "-o", folder / "out/", "--series",
                           series, *options)
            check(f"{command}: {text}", done.returncode != 0 and words in done.stderr
                  and "s.json" in done.stderr and done.stderr.count("\n") == 1, done.stderr)
        same("it stays", series.read_text(), text)
    missing = folder / "none/s.json"
    done = attempt(rawdev, "batch", shoot / RAWS[0], "-o", folder / "out", "--series", missing,
                   *OPTIONS)
    check("no folder", done.returncode == 73 and str(missing) in done.stderr, done.stderr)
