"""A studio's night: many raws, some damaged, some that crash the decoder; then the nights after.
And a small batch whose page has everything that one can show."""
import os

import pillow_heif
from PIL import Image

from batch import material, page
from batch.bench import Ended, Watch, digest, files, times
from support.checks import check

RECIPE = """schema: 1
outputs:
  hdr: {format: heif-hlg, maxSize: 1024, name: "hdr/{stem}"}
  web: {format: jpeg, maxSize: 512, name: "web/{stem}"}
"""
MEMORY = 1 << 30
CRASHING = ("one-segv-me.dng", "two-abort-me.dng", "three-exit-me.dng")
pillow_heif.register_heif_opener()


def trouble(path):
    """What a reader says of a picture that it cannot decode."""
    try:
        with Image.open(path) as image:
            image.load()
    except Exception as error:
        return str(error)


def build(bench):
    """The folder of raws; paths of those that must come out and names of those that are damaged."""
    folder, spare = bench.make("in"), bench.make("spare")
    bad = []
    for path in material.damaged(spare):
        if len(bad) < 10 and bench.run("develop", path, "-o", spare / "try.jpg").code in (65, 66):
            bad.append(path.name)
            path.rename(folder / path.name)
    check("ten kinds of damage are refused", len(bad) == 10, bad)
    for i, name in enumerate(CRASHING):
        material.variant(material.FIXTURES[0], folder / name, 90 + i)
    good = []
    for i, source in enumerate(material.good(bench.count - len(bad) - len(CRASHING))):
        place = folder / f"day {i % 7}" / ("card-" + "ab"[i % 2])
        place.mkdir(parents=True, exist_ok=True)
        good.append(material.variant(source, place / f"{source.stem}_{i:04}{source.suffix}", i))
        if i % 5 == 0:
            material.sidecar(good[-1]).write_text(f"raw: {{exposure: {(i % 9 - 4) / 4}}}\n")
    for day in (2, 3):
        defaults = bench.make(f"in/day {day}/.rawdev") / "defaults.yaml"
        defaults.write_text("raw: {contrastAmount: 0.2}\n")
    (folder / "night.yaml").write_text(RECIPE)
    return folder, good, set(bad)


def test_night(bench, chromium, record):
    folder, good, bad = build(bench)
    names = {str(path.relative_to(folder)) for path in good}
    out, log = bench.folder / "out", bench.folder / "stdout.jsonl"
    environment = bench.environment(material.faults(bench.folder))
    arguments = [folder, "-o", out, "-r", folder / "night.yaml", "--memory", "1G"]
    with open(log, "wb") as stdout:
        process = bench.start("batch", *arguments, env=environment, stdout=stdout, stderr=None)
        # Looking takes a core some time.
        watch = Watch(process, step=0.25 if bench.timing else 0.05)
        seconds, cpu, busy = watch.finish()
    ended = Ended(process.returncode, log.read_bytes(), b"", seconds)
    done, failed = ended.named("done"), ended.errors
    check("exit code 3", ended.code == 3, ended.code)
    check(f"all {len(names)} good ones are done", done == names, sorted(names ^ done)[:9])
    reported = sum(event["event"] == "item" for event in ended.events)
    check("all bad ones are named, each once, with a message",
          set(failed) == bad | set(CRASHING) and reported == len(ended.items)
          and all(e["message"] and "\n" not in e["message"] for e in failed.values()),
          {k: v["message"][:60] for k, v in failed.items()})
    crashed = {name for name, error in failed.items() if error["code"] == "crashed"}
    check("crashes are called crashes", crashed == set(CRASHING), crashed)
    end = ended.end
    check("the end tells the crashes", end.get("crashes") == 3 and end.get("exitCode") == 3, end)
    outputs = {o["path"]: o["sha256"] for item in ended.items.values() for o in item["outputs"]}
    wrong = [path for path in outputs if digest(path) != outputs[path]]
    check("outputs are what the report says", len(outputs) == 2 * len(names) and not wrong, wrong[:3] or len(outputs))
    broken = {path: why for path in outputs if (why := trouble(path))}
    check(f"all {len(outputs)} outputs decode", not broken, list(broken.items())[:3])
    stray = set(files(out)) - {os.fsencode(os.path.relpath(path, out)) for path in outputs}
    check("no stray files", not stray, sorted(stray)[:4])
    main, peak = watch.main_peak >> 20, watch.peak >> 20
    check("memory of all processes stays within --memory", watch.peak <= MEMORY,
          f"{peak} MiB of 1024, main process {main} MiB")
    cores = len(os.sched_getaffinity(0))
    text = f"{busy:.1%} of {cores} cores in {seconds:.1f} s, {cpu:.1f} s of processors"
    if bench.timing:
        check("cores are busy", busy >= 0.9, text)
    case = f"{bench.count} raws, {len(bad)} of them damaged, {len(CRASHING)} that crash the decoder"
    record(bench.table, case=case, result=(
        f"exit {ended.code}, {len(done)} developed, peak memory of all processes {peak} MiB with "
        f"a limit of 1024, of the main process {main} MiB; {text}"))
    page.look_at(chromium, out)
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
    picked = next(path for path in good if material.sidecar(path).exists())
    material.sidecar(picked).write_text("raw: {exposure: 0.77}\n")
    ended, changed = again()
    redone = ended.named("done")
    check("after one sidecar was edited one is done again", len(redone) == 1
          and redone.pop().endswith(picked.name) and len(changed) == 2, (redone, sorted(changed)))
    before = times(out)
    for path in good[:3]:
        os.utime(path)
    ended, changed = again()
    ended.expect("touched raws are not done again", done=0, skipped=len(good), also=not changed)
    ended, changed = again("--dry-run")
    planned = ended.named("planned")
    ended.expect("a dry run has nothing to do but what failed", skipped=len(good),
                 also=planned <= failures and not changed, detail=sorted(planned))
    ended, changed = again("--verify")
    ended.expect("--verify finds everything as it was", skipped=len(good), also=not changed)


def test_report(bench, chromium):
    folder, out = bench.raws(5, material.FIXTURES)
    (folder / "raw-001.dng.rawdev.yaml").write_text("raw: {exposuer: 1}\n")
    for number, name in enumerate(("<script>alert(1)<.dng", "rtl-\u202e.dng")):
        material.variant(material.FIXTURES[0], folder / name, 90 + number)
    (folder / "bad.dng").write_text("no raw")
    for name, status in [("the batch ends with 3", "done"), ("the second skips", "skipped")]:
        ended = bench.batch(folder, "-o", out, "--format", "jpeg", "--max-size", "200")
        ended.expect(name, 3, **{status: 7})
        page.look_at(chromium, out)
