"""A studio's night: many raws, some damaged, some that crash the decoder; then the nights after."""
import collections
import io
import os

import pillow_heif
from PIL import Image

from batch import material, page
from batch.bench import Watch, digest, files, lines, times
from support.checks import check

RECIPE = """schema: 1
outputs:
  hdr: {format: heif-hlg, maxSize: 1024, name: "hdr/{stem}"}
  web: {format: jpeg, maxSize: 512, name: "web/{stem}"}
"""
MEMORY = 1 << 30
CRASHING = ("one-segv-me.dng", "two-abort-me.dng", "three-exit-me.dng")
pillow_heif.register_heif_opener()


def decodes(path):
    try:
        with Image.open(io.BytesIO(open(path, "rb").read())) as image:
            image.load()
            return image.width > 0
    except Exception as error:  # whatever the reader says is what is reported
        return str(error)


def build(bench):
    """The folder of raws; paths of those that must come out and names of those that are damaged."""
    folder, spare = bench.make("in"), bench.make("spare")
    bad = []
    for path in material.damaged(spare):
        if len(bad) < 10:
            ended = bench.run("develop", path, "-o", spare / "try.jpg")
            if ended.code in (65, 66):
                bad.append(path.name)
                path.rename(folder / path.name)
            else:
                print(f"{path.name} is developed all the same (exit {ended.code})")
    check("ten kinds of damage are refused", len(bad) == 10, bad)
    for i, name in enumerate(CRASHING):
        material.variant(material.FIXTURES[0], folder / name, 90 + i)
    good = []
    for i, source in enumerate(material.good(bench.count - len(bad) - len(CRASHING))):
        place = folder / f"day {i % 7}" / ("card-" + "ab"[i % 2])
        place.mkdir(parents=True, exist_ok=True)
        good.append(material.variant(source, place / f"{source.stem}_{i:04}{source.suffix}", i))
        if i % 5 == 0:
            sidecar(good[-1]).write_text(f"raw: {{exposure: {(i % 9 - 4) / 4}}}\n")
    for day in (2, 3):
        if (folder / f"day {day}").is_dir():
            (folder / f"day {day}" / ".rawdev").mkdir()
            (folder / f"day {day}" / ".rawdev" / "defaults.yaml").write_text("raw: {contrastAmount: 0.2}\n")
    (folder / "night.yaml").write_text(RECIPE)
    return folder, good, set(bad)


def sidecar(raw):
    return raw.with_name(raw.name + ".rawdev.yaml")


def test_night(bench, chromium, record):
    folder, good, bad = build(bench)
    names = {str(path.relative_to(folder)) for path in good}
    out, log = bench.folder / "out", bench.folder / "stdout.jsonl"
    environment = bench.environment(material.faults(bench.folder))
    arguments = [folder, "-o", out, "-r", folder / "night.yaml", "--memory", "1G"]
    with open(log, "wb") as stdout, open(bench.folder / "stderr.txt", "wb") as stderr:
        process = bench.start("batch", *arguments, env=environment, stdout=stdout, stderr=stderr)
        watch = Watch(process, step=0.25 if bench.timing else 0.05)  # looking takes a core some time
        seconds, cpu, busy = watch.finish()
    events = lines(log.read_bytes())
    items = [e for e in events if e.get("event") == "item"]
    seen = collections.Counter(item["id"] for item in items)
    done = {item["id"] for item in items if item["status"] == "done"}
    failed = {item["id"]: item["error"] for item in items if item["status"] == "failed"}
    check("exit code 3", process.returncode == 3, process.returncode)
    check(f"all {len(names)} good ones are done", done == names, sorted(names ^ done)[:9])
    check("all bad ones are named, each once, with a message",
          set(failed) == bad | set(CRASHING) and set(seen.values()) == {1}
          and all(e["message"] and "\n" not in e["message"] for e in failed.values()),
          {k: v["message"][:60] for k, v in failed.items()})
    check("crashes are called crashes", all(failed.get(name, {}).get("code") == "crashed" for name in CRASHING),
          [failed.get(name) for name in CRASHING])
    end = events[-1] if events else {}
    check("the end tells the crashes", end.get("crashes") == 3 and end.get("exitCode") == 3, end)
    outputs = [output for item in items for output in item["outputs"]]
    wrong = [o["path"] for o in outputs if digest(o["path"]) != o["sha256"]]
    check("outputs are what the report says", len(outputs) == 2 * len(names) and not wrong, wrong[:3] or len(outputs))
    broken = {o["path"]: why for o in outputs if (why := decodes(o["path"])) is not True}
    check(f"all {len(outputs)} outputs decode", not broken, list(broken.items())[:3])
    stray = set(files(out)) - {os.fsencode(os.path.relpath(o["path"], out)) for o in outputs}
    check("no stray files", not stray, sorted(stray)[:4])
    check("memory of all processes stays within --memory", watch.peak <= MEMORY,
          f"{watch.peak / 2**20:.0f} MiB of 1024, main process {watch.main_peak / 2**20:.0f} MiB")
    text = f"{busy:.1%} of {len(os.sched_getaffinity(0))} cores in {seconds:.1f} s, {cpu:.1f} s of processors"
    (check("cores are busy", busy >= 0.9, text) if bench.timing else print(text))
    record(bench.table, case=f"{bench.count} raws, {len(bad)} of them damaged, {len(CRASHING)} that crash the decoder",
           result=f"exit {process.returncode}, {len(done)} developed, peak memory of all processes "
                  f"{watch.peak >> 20} MiB with a limit of 1024, of the main process {watch.main_peak >> 20} MiB; "
                  f"{text}")
    page.look_at(chromium, out / "rawdev-report.html", out / "rawdev-report.jsonl")
    after(bench, arguments, out, good, environment, bad | set(CRASHING))


def after(bench, arguments, out, good, environment, failures):
    """The second night, an edited sidecar, touched raws."""
    before = times(out)

    def again(*more):
        ended = bench.batch(*arguments, *more, env=environment)
        return ended, {name for name, when in times(out).items() if before.get(name) != when}

    again()
    ended, changed = again()
    ended.expect("a second run skips every good one", skipped=len(good), failed=len(failures), done=0, also=not changed)
    bench.soon("second run", ended.seconds, 3)
    picked = next(path for path in good if sidecar(path).exists())
    sidecar(picked).write_text("raw: {exposure: 0.77}\n")
    ended, changed = again()
    redone = [name for name, item in ended.items.items() if item["status"] == "done"]
    check("after one sidecar was edited one is done again", len(redone) == 1
          and redone[0].endswith(picked.name) and len(changed) == 2, (redone, sorted(changed)))
    before = times(out)
    for path in good[:3]:
        os.utime(path)
    ended, changed = again()
    ended.expect("touched raws are not done again", done=0, skipped=len(good), also=not changed)
    ended, changed = again("--dry-run")
    planned = {name for name, item in ended.items.items() if item["status"] == "planned"}
    ended.expect("a dry run has nothing to do but what failed", skipped=len(good),
                 also=planned <= failures and not changed, detail=sorted(planned))
    ended, changed = again("--verify")
    ended.expect("--verify finds everything as it was", skipped=len(good), also=not changed)
