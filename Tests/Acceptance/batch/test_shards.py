"""Manifests, shards that make one whole, merged reports, what is tried again; a cluster."""
import json
import os
import pathlib
import re

import pytest

from batch import material
from batch.bench import JPEG, digests, files, lines
from batch.undisturbed import journal
from support.checks import check
from support.program import attempt


def array(bench, task, first, last, step):
    """The environment of a task of a Slurm array of three."""
    values = {"ID": task, "COUNT": 3, "MIN": first, "MAX": last, "STEP": step}
    return bench.environment(**{f"SLURM_ARRAY_TASK_{k}": str(v) for k, v in values.items()})


def listing(bench):
    """A folder of 22 raws, one of them bad, and its manifest."""
    folder, _ = bench.raws(20)
    material.variant(material.FIXTURES[0], bench.make("in/sub") / "raw-000.dng", 90)
    (folder / "raw-bad.dng").write_text("no raw")
    listed = folder / "list.jsonl"
    return folder, listed, bench.run("manifest", folder, "-o", listed)


def test_shards(bench):
    folder, listed, ended = listing(bench)
    whole, out = bench.folder / "whole", bench.folder / "out"
    bench.batch(folder, "-o", whole, *JPEG)
    words, entries = ["--manifest", listed, "-o", out, *JPEG], lines(listed.read_bytes())
    ended.expect("a manifest names every raw", 0, also=len(entries) == 22
                 and all(not e["in"].startswith("/") for e in entries), detail=entries[:1])
    running = [bench.start("batch", *words, "--shard", f"{k}/3" if k < 1 else "auto",
                           env=array(bench, 5 + k * 2, 5, 9, 2)) for k in range(3)]
    results = [bench.finish(process) for process in running]
    ids = sorted(name for ended in results for name in ended.items)
    codes = sorted(ended.code for ended in results)
    check("three shards at once do every raw once", ids == sorted(e["id"] for e in entries), ids)
    check("one of them ends with 3, the others with 0", codes == [0, 0, 3], [ended.summary() for ended in results])
    check("together they make what one run makes", digests(out) == digests(whole))
    times = list(journal(out).values())
    check("nothing was done twice", times == [1] * 21, times)
    reports = sorted(out.glob("rawdev-report-*.jsonl"))
    merged, retry, page = (bench.folder / n for n in ("all.jsonl", "retry.jsonl", "all.html"))
    ended = bench.run("report", "merge", *reports, "-o", merged, "--retry", retry, "--html", page)
    names = sorted(e["id"] for e in lines(merged.read_bytes()) if e["event"] == "item")
    ended.expect("merged reports are one whole, exit code 3", 3,
                 also=page.exists() and ids == names)
    again = lines(retry.read_bytes())
    check("the manifest of what failed names it", [os.path.basename(e["in"]) for e in again] == ["raw-bad.dng"], again)
    bench.run("report", "merge", *reports[:2]).expect("a missing shard is exit code 75", 75)
    (folder / "raw-bad.dng").write_bytes(material.FIXTURES[0].read_bytes() + b"mended")
    ended = bench.batch("--manifest", retry, *words[2:])
    ended.expect("what failed is done from that manifest when mended", 0, done=1, also=len(ended.items) == 1)
    ended = bench.run("report", "merge", *reports, out / "rawdev-report.jsonl")
    ended.expect("merged with the second try all is well, exit code 0", 0)
    bench.batch(*words).expect("one run over all finds the work of the shards", 0, skipped=22)


def test_same_shard(bench):
    """One shard twice at once, and arrays that are none."""
    _, listed, _ = listing(bench)
    out = bench.folder / "out"
    words = ["--manifest", listed, "-o", out, *JPEG, "--shard"]
    first = bench.start_and_stop(*words, "0/3")
    check("a shard is at work", any(p.stat().st_size for p in out.glob(".rawdev/journal-*")))
    second = bench.batch(*words, "0/3")
    first = bench.go_on(first)
    second.expect("one shard twice at once: the second is refused", 73, also=first.code in (0, 3))
    bench.batch(*words, "auto").expect("--shard auto without an array is exit code 2", 2, lines=1)
    ended = bench.batch(*words, "auto", env=array(bench, 4, 0, 9, 1))
    ended.expect("an array with gaps is exit code 2", 2)


def test_entries(bench):
    """Entries with recipes and names of their own."""
    folder, target = bench.raws(3)
    listed = folder / "list.jsonl"
    listed.write_text("".join(json.dumps(e) + "\n" for e in [
        {"id": "one", "in": "raw-000.dng", "out": "by id/one", "recipe": {"raw": {"exposure": 1}}},
        {"id": "two", "in": "raw-000.dng", "out": "by id/two", "recipe": "proof"},
        {"id": "three", "in": "raw-001.dng", "out": "by id/one"},
        {"id": "four", "in": "raw-001.dng", "out": "/etc/rawdev-escaped"},
        {"id": "five", "in": "raw-002.dng", "recipe": "no-such"}]))
    ended = bench.batch("--manifest", listed, "-o", target)
    # Of two that would write one file, that which is opened first is developed.
    made, refused = ("one", "three") if ended.status("one") == "done" else ("three", "one")
    found = sorted(files(target))
    ended.expect("entries have recipes and names of their own", detail=found, also=(
        ended.named("done") == {made, "two"} and set(ended.errors) == {refused, "four", "five"}
        and ended.errors[refused]["code"] == "sameOutput"
        and found == [b"by id/one.heic", b"by id/two.jpg"]))
    ended = bench.batch("--manifest", listed, "-o", target)
    ended.expect("the second run skips what was made and refuses the same entry",
                 also=ended.named("skipped") == {made, "two"} and refused in ended.errors)


def test_manifests(bench):
    """A manifest stands for the folders that it lists, wherever it lies."""
    first, second = bench.folder / "first", bench.folder / "second"
    for number, place in enumerate(("first/a", "first/b", "second/a", "second/b")):
        material.variant(material.FIXTURES[0], bench.make(place) / "raw.dng", number)
    whole, out = bench.folder / "whole", bench.folder / "out"
    bench.batch(first, "-o", whole, *JPEG)
    listed = bench.make("lists") / "list.jsonl"
    bench.run("manifest", first, "-o", listed)
    ended = bench.batch("--manifest", listed, "-o", out, *JPEG)
    ended.expect("a list that lies elsewhere mirrors the folders", 0,
                 also=digests(out) == digests(whole), detail=sorted(files(out)))
    listed.write_bytes(bench.run("manifest", ".", cwd=first).out)
    ended = bench.batch("--manifest", listed, "-o", bench.make("none"))
    ended.expect("a list of relative paths that was moved names what is not there", 4)
    ended = bench.run("manifest", first, second, "-o", listed)
    both = bench.batch("--manifest", listed, "-o", bench.make("both"), *JPEG)
    both.expect("a list of two folders with the same names can be used",
                also=ended.code == 0 and both.code in (0, 3) and both.count("done") >= 2, detail=ended.messages)
    ended = bench.run("manifest", first, "-o", "/proc/none")
    ended.expect("a list that cannot be written is exit code 73", 73, lines=1)


@pytest.mark.slow
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
