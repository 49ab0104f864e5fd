"""Manifests, shards that make one whole, merged reports, what is tried again; a cluster."""
import json
import os
import pathlib
import re

import pytest

from batch import material
from batch.bench import digests, files, items, journal, lines
from support.checks import check, same
from support.program import attempt


def array(bench, task, first, last, step):
    """The environment of a task of a Slurm array of three."""
    values = {"ID": task, "COUNT": 3, "MIN": first, "MAX": last, "STEP": step}
    return bench.env | {f"SLURM_ARRAY_TASK_{key}": str(value) for key, value in values.items()}


@pytest.fixture
def listed(bench):
    """The manifest of 22 raws, one of them bad, which the bench's batches develop from now on."""
    folder, _ = bench.raws(20)
    material.raw(bench.make("in/sub") / "raw-000.dng")
    (folder / "raw-bad.dng").write_text("no raw")
    manifest = folder / "list.jsonl"
    bench.run("manifest", folder, "-o", manifest).expect("a manifest is made", 0)
    bench.inputs = ["--manifest", manifest]
    return lines(manifest.read_bytes())


def test_shards(bench, listed):
    folder, out = bench.folder / "in", bench.folder / "out"
    bench.run("batch", folder, "-o", bench.folder / "whole", *bench.options)
    check("a manifest names every raw", len(listed) == 22
          and all(not entry["in"].startswith("/") for entry in listed), listed[:1])
    running = [bench.start(*bench.words("--shard", shard), env=array(bench, task, 5, 9, 2))
               for task, shard in [(5, "0/3"), (7, "auto"), (9, "auto")]]
    results = [bench.finish(process) for process in running]
    ids = sorted(name for ended in results for name in ended.items)
    same("three shards at once do every raw once", ids, sorted(entry["id"] for entry in listed))
    check("one of them ends with 3, the others with 0",
          sorted(ended.code for ended in results) == [0, 0, 3],
          [ended.summary() for ended in results])
    same("together they make what one run makes", digests(out), digests(bench.folder / "whole"))
    same("nothing was done twice", list(journal(out).values()), [1] * 21)
    reports = sorted(out.glob("rawdev-report-*.jsonl"))
    merged, retry, page = (bench.folder / n for n in ("all.jsonl", "retry.jsonl", "all.html"))
    ended = bench.run("report", "merge", *reports, "-o", merged, "--retry", retry, "--html", page)
    names = sorted(item["id"] for item in items(lines(merged.read_bytes())))
    ended.expect("merged reports are one whole", 3, also=page.exists() and ids == names)
    again = [os.path.basename(entry["in"]) for entry in lines(retry.read_bytes())]
    same("the manifest of what failed names it", again, ["raw-bad.dng"])
    bench.run("report", "merge", *reports[:2]).expect("a missing shard is exit code 75", 75)
    material.raw(folder / "raw-bad.dng")
    whole, bench.inputs = bench.inputs, ["--manifest", retry]
    bench.batch().expect("what failed is done from that manifest when mended", 0, done=1, total=1)
    ended = bench.run("report", "merge", *reports, out / "rawdev-report.jsonl")
    ended.expect("merged with the second try all is well", 0)
    bench.inputs = whole
    bench.batch().expect("one run over all finds the work of the shards", 0, skipped=22)


def test_same_shard_twice(bench, listed):
    first = bench.start_and_stop("--shard", "0/3")
    journals = (bench.folder / "out").glob(".rawdev/journal-*")
    check("a shard is at work", any(path.stat().st_size for path in journals))
    second = bench.batch("--shard", "0/3")
    first = bench.go_on(first)
    second.expect("one shard twice at once: the second is refused", 73, also=first.code in (0, 3))
    bench.options = [*bench.options, "--shard", "auto"]
    bench.batch().expect("--shard auto without an array is exit code 2", 2, lines=1)
    bench.batch(env=array(bench, 4, 0, 9, 1)).expect("an array with gaps is exit code 2", 2)


def test_entries(bench):
    folder, target = bench.raws(3)
    manifest = folder / "list.jsonl"
    manifest.write_text("".join(json.dumps(entry) + "\n" for entry in [
        {"id": "one", "in": "raw-000.dng", "out": "by id/one", "recipe": {"raw": {"exposure": 1}}},
        {"id": "two", "in": "raw-000.dng", "out": "by id/two", "recipe": "proof"},
        {"id": "three", "in": "raw-001.dng", "out": "by id/one"},
        {"id": "four", "in": "raw-001.dng", "out": "/etc/rawdev-escaped"},
        {"id": "five", "in": "raw-002.dng", "recipe": "no-such"}]))
    bench.inputs, bench.options = ["--manifest", manifest], []
    ended = bench.batch()
    # Of two that would write one file, that which is opened first is developed.
    made, refused = ("one", "three") if ended.status("one") == "done" else ("three", "one")
    ended.expect("entries have recipes and names of their own", done={made, "two"},
                 failed={refused, "four", "five"}, fates={refused: "sameOutput"})
    same("outputs have those names", set(files(target)), {b"by id/one.heic", b"by id/two.jpg"})
    bench.batch().expect("the second run skips what was made and refuses the same entry",
                         skipped={made, "two"}, fates={refused: "failed"})


def test_manifests(bench):
    """A manifest stands for the folders that it lists, wherever it lies."""
    first, second = bench.folder / "first", bench.folder / "second"
    for name in ("first/a", "first/b", "second/a", "second/b"):
        material.raw(bench.make(name) / "raw.dng")
    bench.inputs = [first]
    bench.batch(out="whole")
    manifest = bench.make("lists") / "list.jsonl"
    bench.inputs = ["--manifest", manifest]
    bench.run("manifest", first, "-o", manifest)
    bench.batch().expect("a list that lies elsewhere can be used", 0)
    same("it mirrors the folders", digests(bench.folder / "out"), digests(bench.folder / "whole"))
    manifest.write_bytes(bench.run("manifest", ".", cwd=first).out)
    bench.batch(out="none").expect("a moved list of relative paths names what is not there", 4)
    bench.run("manifest", first, second, "-o", manifest).expect("a list of two folders", 0)
    both = bench.batch(out="both")
    both.expect("one with the same names in both can be used",
                also=both.code in (0, 3) and len(both.named("done")) >= 2)
    ended = bench.run("manifest", first, "-o", "/proc/none")
    ended.expect("a list that cannot be written is exit code 73", 73, lines=1)


@pytest.mark.nightly
@pytest.mark.root
def test_node_is_lost(bench):
    """Of a cluster of two nodes on one machine (slurm.sh) one is lost in the middle of a batch, for
    good and at once; every picture is there, once, as if nothing had happened."""
    script = pathlib.Path(__file__).with_name("slurm.sh")
    done = attempt(script, bench.rawdev, max(40, bench.count), timeout=None)
    said = done.stdout + done.stderr
    for word, name in re.findall(r"^(ok|FAILED) +(.*)$", said, flags=re.M):
        check(name, word == "ok")
    check("it comes to its end", done.returncode == 0, said[-1000:])
