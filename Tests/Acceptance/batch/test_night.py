"""A studio's night: many raws, some damaged, some that crash the decoder; then the nights after."""
import collections
import io
import os
import time

from batch import material, page
from batch.bench import Watch, digest, files, lines, times

RECIPE = """schema: 1
outputs:
  hdr: {format: heif-hlg, maxSize: 1024, name: "hdr/{stem}"}
  web: {format: jpeg, maxSize: 512, name: "web/{stem}"}
"""
MEMORY = 1 << 30


def decodes(path):
    from PIL import Image
    import pillow_heif
    pillow_heif.register_heif_opener()
    try:
        with Image.open(io.BytesIO(open(path, "rb").read())) as image:
            image.load()
            return image.width > 0
    except Exception as error:  # whatever the reader says is what is reported
        return str(error)


def build(bench):
    """The folder of raws; names of those that must come out and of those that must not."""
    folder, spare = bench.make("in"), bench.make("spare")
    bad = []
    for path in material.damaged(spare):
        if len(bad) == 10:
            break
        ended = bench.run("develop", path, "-o", spare / "try.jpg")
        if ended.code in (65, 66):
            bad.append(path)
        else:
            bench.note(f"{path.name} is developed all the same (exit {ended.code})")
    bench.check("ten kinds of damage are refused", len(bad) == 10, [p.name for p in bad])
    for path in bad:
        os.rename(path, folder / path.name)
    crashing = [material.variant(material.FIXTURES[0], folder / name, 90 + i) for i, name in
                enumerate(("one-segv-me.dng", "two-abort-me.dng", "three-exit-me.dng"))]
    number = bench.count - len(bad) - len(crashing)
    good = []
    for i, source in enumerate(material.good(number)):
        place = folder / f"day {i % 7}" / ("card-" + "ab"[i % 2])
        place.mkdir(parents=True, exist_ok=True)
        path = material.variant(source, place / f"{source.stem}_{i:04}{source.suffix}", i)
        good.append(path)
        if i % 5 == 0:
            path.with_name(path.name + ".rawdev.yaml").write_text(
                f"raw: {{exposure: {(i % 9 - 4) / 4}}}\n")
    for day in (2, 3):
        if (folder / f"day {day}").is_dir():
            (folder / f"day {day}" / ".rawdev").mkdir()
            (folder / f"day {day}" / ".rawdev" / "defaults.yaml").write_text("raw: {contrastAmount: 0.2}\n")
    (folder / "night.yaml").write_text(RECIPE)
    return folder, good, bad, crashing


def test_night(bench):
    folder, good, bad, crashing = build(bench)
    names = {str(p.relative_to(folder)) for p in good}
    bad_names, crash_names = {p.name for p in bad}, {p.name for p in crashing}
    out = bench.folder / "out"
    environment = bench.environment(material.faults(bench.folder))
    arguments = [folder, "-o", out, "-r", folder / "night.yaml", "--memory", "1G"]
    log = bench.folder / "stdout.jsonl"
    errors = bench.folder / "stderr.txt"
    with open(log, "wb") as stdout, open(errors, "wb") as stderr:
        process = bench.start("batch", *arguments, env=environment, stdout=stdout, stderr=stderr)
        watch = Watch(process, step=0.25 if bench.timing else 0.05)  # looking takes a core some time
        seconds, cpu, busy = watch.finish()
    events = lines(log.read_bytes())
    items = [e for e in events if e.get("event") == "item"]
    seen = collections.Counter(item["id"] for item in items)
    status = {item["id"]: item for item in items}
    done = {name for name, item in status.items() if item["status"] == "done"}
    failed = {name: item["error"] for name, item in status.items() if item["status"] == "failed"}
    bench.check("exit code 3", process.returncode == 3, process.returncode)
    bench.check(f"all {len(names)} good ones are done", done == names,
                sorted(names - done)[:5] + sorted(done - names)[:5])
    bench.check("all bad ones are named, each once, with a message",
                set(failed) == bad_names | crash_names and set(seen.values()) == {1}
                and all(e["message"] and "\n" not in e["message"] for e in failed.values()),
                {k: v["message"][:60] for k, v in failed.items()} if len(failed) != 13 else "13 lines")
    for name in sorted(bad_names & set(failed)):
        bench.note(f"{name}: {failed[name]['code']}: {failed[name]['message'][:110]}")
    bench.check("crashes are called crashes", all(
        failed.get(n, {}).get("code") == "crashed" for n in crash_names),
        [failed.get(n, {}).get("message", "")[:90] for n in sorted(crash_names)])
    end = events[-1] if events else {}
    bench.check("the end tells the crashes", end.get("crashes") == 3 and end.get("exitCode") == 3, end)
    outputs = [o for item in items for o in item["outputs"]]
    wrong = [o["path"] for o in outputs if digest(o["path"]) != o["sha256"]]
    bench.check("outputs are what the report says", len(outputs) == 2 * len(names) and not wrong,
                wrong[:3] or len(outputs))
    broken = {o["path"]: why for o in outputs if (why := decodes(o["path"])) is not True}
    bench.check(f"all {len(outputs)} outputs decode", not broken, list(broken.items())[:3] or len(outputs))
    stray = set(files(out, hidden=False)) - {os.fsencode(os.path.relpath(o["path"], out)) for o in outputs}
    bench.check("no stray files", not stray, sorted(stray)[:4])
    bench.check("memory of all processes stays within --memory", watch.peak <= MEMORY,
                f"{watch.peak / 2**20:.0f} MiB of 1024, main process {watch.main_peak / 2**20:.0f} MiB")
    text = f"{busy:.1%} of {len(os.sched_getaffinity(0))} cores in {seconds:.1f} s, {cpu:.1f} s of " \
        f"processors; {watch.free:.1%} of what others left; threads had work for {watch.wanted:.1%}"
    (bench.check("cores are busy", busy >= 0.9, text) if bench.timing else bench.note(text))
    page.look_at(out / "rawdev-report.html", out / "rawdev-report.jsonl")
    after(bench, arguments, out, good, environment, bad_names | crash_names)


def after(bench, arguments, out, good, environment, failures):
    """The second night, an edited sidecar, touched raws."""
    before = times(out)

    def again(what, *more):
        ended = bench.batch(*arguments, *more, env=environment)
        return ended, {name for name, when in times(out).items() if before.get(name) != when}

    again("warm")
    ended, changed = again("second")
    bench.check("a second run skips every good one", ended.count("skipped") == len(good)
                and ended.count("failed") == len(failures) and ended.count("done") == 0 and not changed,
                ended.summary())
    spent = f"{ended.end.get('seconds', 0):.2f} s, {ended.seconds:.2f} s with the failures tried again"
    (bench.check("second run in less than 3 s", ended.seconds < 3, spent) if bench.timing else bench.note(spent))
    picked = next(p for p in good if p.with_name(p.name + ".rawdev.yaml").exists())
    picked.with_name(picked.name + ".rawdev.yaml").write_text("raw: {exposure: 0.77}\n")
    ended, changed = again("edited")
    redone = [item["id"] for item in ended.items.values() if item["status"] == "done"]
    bench.check("after one sidecar was edited one is done again", len(redone) == 1
                and redone[0].endswith(picked.name) and len(changed) == 2, (redone, sorted(changed)))
    before = times(out)
    for path in good[:3]:
        os.utime(path, ns=(time.time_ns(), time.time_ns()))
    ended, changed = again("touched")
    bench.check("touched raws are not done again", ended.count("done") == 0 and not changed
                and ended.count("skipped") == len(good), ended.summary())
    ended, changed = again("dry", "--dry-run")
    planned = {name for name, item in ended.items.items() if item["status"] == "planned"}
    bench.check("a dry run has nothing to do but what failed", planned <= failures and not changed
                and ended.count("skipped") == len(good), (sorted(planned), ended.summary()))
    ended, changed = again("verify", "--verify")
    bench.check("--verify finds everything as it was", ended.count("skipped") == len(good) and not changed,
                f"{ended.summary()}, {ended.seconds:.1f} s")
