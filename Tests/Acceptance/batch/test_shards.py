"""Manifests, shards that make one whole, merged reports, what is tried again."""
import json
import os
import signal

from batch import material
from batch.bench import digests, files, lines
from batch.undisturbed import journal


def test_shards(bench):
    folder = bench.make("in")
    material.copies(folder, 20)
    (folder / "sub").mkdir()
    material.variant(material.FIXTURES[0], folder / "sub" / "raw-000.dng", 90)
    (folder / "raw-bad.dng").write_text("no raw")
    whole, out = bench.folder / "whole", bench.folder / "out"
    bench.batch(folder, "-o", whole, "--format", "jpeg")
    listed = folder / "list.jsonl"
    ended = bench.run("manifest", folder, "-o", listed)
    entries = lines(listed.read_bytes())
    bench.check("a manifest names every raw", ended.code == 0 and len(entries) == 22
                and all(not e["in"].startswith("/") for e in entries), (ended.code, entries[:1]))
    env = [bench.environment(SLURM_ARRAY_TASK_ID=str(5 + k * 2), SLURM_ARRAY_TASK_COUNT="3", SLURM_ARRAY_TASK_MIN="5",
                             SLURM_ARRAY_TASK_MAX="9", SLURM_ARRAY_TASK_STEP="2") for k in range(3)]
    running = [bench.start("batch", "--manifest", listed, "-o", out, "--format", "jpeg", "--shard",
                           f"{k}/3" if k < 1 else "auto", env=env[k]) for k in range(3)]
    results = [p.communicate() + (p.returncode,) for p in running]
    ids = [e["id"] for r in results for e in lines(r[0]) if e["event"] == "item"]
    bench.check("three shards at once do every raw once", sorted(ids) == sorted(e["id"] for e in entries),
                (len(ids), [r[2] for r in results]))
    bench.check("one of them ends with 3, the others with 0", sorted(r[2] for r in results) == [0, 0, 3],
                [(r[2], r[1][-200:]) for r in results])
    bench.check("together they make what one run makes", digests(out) == digests(whole))
    bench.check("nothing was done twice", set(journal(out).values()) == {1} and len(journal(out)) == 21)
    reports = sorted(out.glob("rawdev-report-*.jsonl"))
    merged, retry, page = (bench.folder / n for n in ("all.jsonl", "retry.jsonl", "all.html"))
    ended = bench.run("report", "merge", *reports, "-o", merged, "--retry", retry, "--html", page)
    bench.check("merged reports are one whole, exit code 3", ended.code == 3
                and {e["id"] for e in lines(merged.read_bytes()) if e["event"] == "item"} == set(ids)
                and page.exists(), (ended.code, ended.out.decode()[:300], ended.messages))
    again = lines(retry.read_bytes())
    bench.check("the manifest of what failed names it", [os.path.basename(e["in"]) for e in again] == ["raw-bad.dng"],
                again)
    ended = bench.run("report", "merge", *reports[:2])
    bench.check("a missing shard is exit code 75", ended.code == 75, (ended.code, ended.out.decode()[:200]))
    (folder / "raw-bad.dng").write_bytes(material.FIXTURES[0].read_bytes() + b"mended")
    ended = bench.batch("--manifest", retry, "-o", out, "--format", "jpeg")
    bench.check("what failed is done from that manifest when mended", ended.code == 0
                and ended.count("done") == 1 and len(ended.items) == 1, ended.summary())
    second = out / "rawdev-report.jsonl"
    ended = bench.run("report", "merge", *reports, second)
    bench.check("merged with the second try all is well, exit code 0", ended.code == 0,
                (ended.code, ended.out.decode()[:300]))
    ended = bench.batch("--manifest", listed, "-o", out, "--format", "jpeg")
    bench.check("one run over all finds the work of the shards", ended.count("skipped") == 22
                and ended.code == 0, ended.summary())
    same = bench.folder / "same"
    arguments = ["--manifest", listed, "-o", same, "--format", "jpeg", "--shard", "0/3"]
    first = bench.start_and_stop(*arguments)
    bench.check("a shard is at work", any(p.stat().st_size for p in same.glob(".rawdev/journal-*")))
    second = bench.batch(*arguments)
    first.send_signal(signal.SIGCONT)
    first.communicate()
    bench.check("one shard twice at once: the second is refused", (second.code, first.returncode) in ((73, 0), (73, 3)),
                (second.code, first.returncode, second.messages))
    ended = bench.batch("--manifest", listed, "-o", out, "--shard", "auto")
    bench.check("--shard auto without an array is exit code 2", ended.code == 2 and len(ended.messages) == 1,
                ended.messages)
    env = bench.environment(SLURM_ARRAY_TASK_ID="4", SLURM_ARRAY_TASK_COUNT="3", SLURM_ARRAY_TASK_MIN="0",
                            SLURM_ARRAY_TASK_MAX="9", SLURM_ARRAY_TASK_STEP="1")
    ended = bench.batch("--manifest", listed, "-o", out, "--shard", "auto", env=env)
    bench.check("an array with gaps is exit code 2", ended.code == 2, ended.messages)
    listed.write_text("".join(json.dumps(e) + "\n" for e in [
        {"id": "one", "in": "raw-000.dng", "out": "by id/one", "recipe": {"raw": {"exposure": 1}}},
        {"id": "two", "in": "raw-000.dng", "out": "by id/two", "recipe": "proof"},
        {"id": "three", "in": "raw-001.dng", "out": "by id/one"},
        {"id": "four", "in": "raw-001.dng", "out": "/etc/rawdev-escaped"},
        {"id": "five", "in": "raw-002.dng", "recipe": "no-such"}]))
    target = bench.folder / "entries"
    ended = bench.batch("--manifest", listed, "-o", target)
    states = {k: (v["status"], v.get("error", {}).get("code")) for k, v in ended.items.items()}
    # Of two that would write one file, that which is opened first is developed.
    made, refused = ("one", "three") if states.get("one", "?")[0] == "done" else ("three", "one")
    bench.check("entries have recipes and names of their own", states.get(made, "?")[0] == "done"
                and states.get("two", "?")[0] == "done" and states.get(refused, "?")[1] == "sameOutput"
                and states.get("four", "?")[0] == "failed" and states.get("five", "?")[0] == "failed"
                and {b"by id/one.heic", b"by id/two.jpg"} == set(files(target)), (states, sorted(files(target))))
    ended = bench.batch("--manifest", listed, "-o", target)
    states = {k: v["status"] for k, v in ended.items.items()}
    bench.check("the second run skips what was made and refuses the same entry", states.get(made)
                == states.get("two") == "skipped" and states.get(refused) == "failed", states)


def test_manifests(bench):
    """A manifest stands for the folders that it lists, wherever it lies."""
    first, second = bench.make("first"), bench.make("second")
    for folder in (first, second):
        for card in "ab":
            (folder / card).mkdir()
            material.variant(material.FIXTURES[0], folder / card / "raw.dng", ord(card) + len(folder.name))
    whole, out = (bench.folder / name for name in ("whole", "out"))
    bench.batch(first, "-o", whole, "--format", "jpeg")
    listed = bench.make("lists") / "list.jsonl"
    bench.run("manifest", first, "-o", listed)
    ended = bench.batch("--manifest", listed, "-o", out, "--format", "jpeg")
    bench.check("a list that lies elsewhere mirrors the folders", ended.code == 0 and digests(out) == digests(whole),
                (ended.summary(), sorted(files(out)), sorted(files(whole))))
    piped = bench.run("manifest", ".", cwd=first)
    listed.write_bytes(piped.out)
    ended = bench.batch("--manifest", listed, "-o", bench.make("none"))
    bench.check("a list of relative paths that was moved names what is not there", ended.code == 4, ended.summary())
    ended = bench.run("manifest", first, second, "-o", listed)
    both = bench.batch("--manifest", listed, "-o", bench.make("both"), "--format", "jpeg")
    bench.check("a list of two folders with the same names can be used", ended.code == 0 and both.code in (0, 3)
                and both.count("done") >= 2, (ended.code, ended.messages, both.code, both.messages, both.summary()))
    ended = bench.run("manifest", first, "-o", "/proc/none")
    bench.check("a list that cannot be written is exit code 73", ended.code == 73 and len(ended.messages) == 1,
                (ended.code, ended.messages))
