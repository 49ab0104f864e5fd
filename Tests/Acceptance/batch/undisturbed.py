"""A folder of raws, what comes of it undisturbed, and what must hold after any disturbance."""
import json
import os
import pathlib

from batch import material
from batch.bench import digests, files

RECIPE = """outputs:
  hdr: {format: heif-hlg, maxSize: 400, name: "hdr/{stem}"}
  web: {format: jpeg, maxSize: 400, name: "web/{stem}"}
"""
RAWS, KILLS = 40, 20


def prepare(bench, raws=RAWS):
    """A folder of raws, and what comes of it undisturbed."""
    folder = bench.make("in")
    material.copies(folder, raws, material.FIXTURES)
    (folder / "night.yaml").write_text(RECIPE)
    whole = bench.folder / "undisturbed"
    ended = bench.batch(folder, "-o", whole, "-r", folder / "night.yaml")
    bench.check("undisturbed run", ended.code == 0 and ended.count("done") == raws, ended.summary())
    return folder, whole, ended


def journal(out):
    """Lines of all journals: sources by the number of times that they were done."""
    done = {}
    for path in pathlib.Path(out, ".rawdev").glob("journal-*.jsonl"):
        for line in path.read_bytes().split(b"\n"):
            try:
                value = json.loads(line)
            except ValueError:
                continue
            if "done" in value:
                source = value["done"]["_0"]["source"]
                done[source] = done.get(source, 0) + 1
    return done


def settled(bench, folder, whole, out, ended, raws=RAWS):
    """What must hold after the last run."""
    expected, found = digests(whole), digests(out)
    bench.check("the run after it ends with 0", ended.code == 0, ended.summary())
    bench.check("outputs are those of the undisturbed run, byte by byte", found == expected,
                {"missing": sorted(set(expected) - set(found))[:3],
                 "stray": sorted(set(found) - set(expected))[:3],
                 "different": [n for n in expected if n in found and found[n] != expected[n]][:3]}
                if found != expected else f"{len(found)} files")
    kept = sorted(os.path.relpath(p, os.fsencode(out)) for n, p in files(out, hidden=True).items()
                  if b".rawdev/" in n or n.startswith(b"rawdev-report"))
    known = all(k.startswith((b".rawdev/journal-", b"rawdev-report.")) for k in kept)
    bench.check("nothing else is left but journal and report", known, kept)
    times = journal(out)
    bench.check("nothing was done twice", len(times) == raws and set(times.values()) == {1},
                {k: v for k, v in times.items() if v != 1} or len(times))


def whole_files(out):
    return sum(not os.path.basename(n).startswith(b".") for n in files(out)) if out.exists() else 0
