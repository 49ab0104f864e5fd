"""A studio's night: many raws, some damaged, some that crash the decoder; then the nights after.
And a small batch whose page has everything that one can show."""
import os

import pillow_heif
import pytest
from PIL import Image

from batch import material, page
from batch.bench import changed, digest, files, items, times
from support.checks import check, none, same

pytestmark = pytest.mark.full
RECIPE = """schema: 1
outputs:
  hdr: {format: heif-hlg, maxSize: 1024, name: "hdr/{stem}"}
  web: {format: jpeg-sdr, maxSize: 512, name: "web/{stem}"}
"""
MEMORY = 1 << 30
CRASHING = {"one-segv-me.dng", "two-abort-me.dng", "three-exit-me.dng"}
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
    folder, _ = bench.raws()
    spare, bad, good = bench.make("spare"), set(), []
    for path in material.damaged(spare):
        if len(bad) < 10 and bench.run("develop", path, "-o", spare / "try.jpg").code in (65, 66):
            bad.add(path.name)
            path.rename(folder / path.name)
    check("ten kinds of damage are refused", len(bad) == 10, bad)
    for name in CRASHING:
        material.raw(folder / name)
    for i, source in enumerate(material.good(bench.count - len(bad) - len(CRASHING))):
        card = folder / f"day {i % 7}" / ("card-" + "ab"[i % 2])
        card.mkdir(parents=True, exist_ok=True)
        good.append(material.raw(card / f"{source.stem}_{i:04}{source.suffix}", source))
        if i % 5 == 0:
            material.sidecar(good[-1]).write_text(f"raw: {{exposure: {(i % 9 - 4) / 4}}}\n")
    for day in (2, 3):
        defaults = bench.make(f"in/day {day}/.rawdev") / "defaults.yaml"
        defaults.write_text("raw: {contrastAmount: 0.2}\n")
    (folder / "night.yaml").write_text(RECIPE)
    bench.options, bench.env = ["-r", folder / "night.yaml", "--memory", "1G"], bench.faulty()
    return folder, good, bad


def test_night(bench, chromium, record):
    folder, good, bad = build(bench)
    names, out = {str(path.relative_to(folder)) for path in good}, bench.folder / "out"
    # Looking takes a core some time.
    ended, took = bench.watched_batch(step=0.25 if bench.timing else 0.05)
    done, failed = ended.named("done"), ended.errors
    same("exit code", ended.code, 3)
    none(f"all {len(names)} good ones are done, and no others", names ^ done)
    same("all bad ones are named", set(failed), bad | CRASHING)
    same("each is named once", len(items(ended.events)), len(ended.items))
    none("each has a message of one line", [
        error for error in failed.values() if len(error["message"].splitlines()) != 1])
    crashed = {name for name, error in failed.items() if error["code"] == "crashed"}
    same("crashes are called crashes", crashed, CRASHING)
    same("the end tells the crashes", (ended.end.get("crashes"), ended.end.get("exitCode")), (3, 3))
    outputs = {o["path"]: o["xxh128"] for item in ended.items.values() for o in item["outputs"]}
    same("every good one has two outputs", len(outputs), 2 * len(names))
    none("outputs are what the report says", [p for p in outputs if digest(p) != outputs[p]])
    broken = {path: why for path in outputs if (why := trouble(path))}
    none(f"all {len(outputs)} outputs decode", broken.items())
    none("no stray files",
         files(out).keys() - {os.fsencode(os.path.relpath(path, out)) for path in outputs})
    main, peak = took.main_peak >> 20, took.peak >> 20
    check("memory of all processes stays within --memory", took.peak <= MEMORY,
          f"{peak} MiB of 1024, main process {main} MiB")
    text = (f"{took.busy:.1%} of {len(os.sched_getaffinity(0))} cores in {ended.seconds:.1f} s, "
            f"{took.cpu:.1f} s of processors")
    if bench.timing:
        check("cores are busy", took.busy >= 0.9, text)
    case = f"{bench.count} raws, {len(bad)} of them damaged, 3 that crash the decoder"
    record(bench.table, case=case, result=(
        f"exit {ended.code}, {len(done)} developed, peak memory of all processes {peak} MiB with a "
        f"limit of 1024, of the main process {main} MiB; {text}"))
    page.look_at(chromium, out)
    after(bench, out, good, bad | CRASHING)


def after(bench, out, good, failures):
    """The second night, an edited sidecar, touched raws."""
    bench.batch()
    before = times(out)
    ended = bench.batch().expect(
        "a second run skips every good one", skipped=len(good), failed=failures, done=0, soon=3)
    none("it writes no file", changed(out, before))
    picked = next(path for path in good if material.sidecar(path).exists())
    material.sidecar(picked).write_text("raw: {exposure: 0.77}\n")
    name = os.path.relpath(picked, *bench.inputs)
    bench.batch().expect("a raw whose sidecar was edited is done again, alone", done={name})
    same("its two outputs are written", len(changed(out, before)), 2)
    before = times(out)
    for path in good[:3]:
        os.utime(path)
    bench.batch().expect("touched raws are not done again", done=0, skipped=len(good))
    ended = bench.batch("--dry-run").expect("a dry run skips the same", skipped=len(good))
    none("it plans only what failed", ended.named("planned") - failures)
    bench.batch("--verify").expect("--verify finds everything as it was", skipped=len(good))
    none("none of these writes a file", changed(out, before))


def test_report(bench, chromium):
    folder, out = bench.raws(5, material.FIXTURES)
    bench.options = ["--format", "jpeg-sdr", "--max-size", "200"]
    material.sidecar(folder / "raw-001.dng").write_text("raw: {exposuer: 1}\n")
    for name in ("<script>alert(1)<.dng", "rtl-\u202e.dng"):
        material.raw(folder / name)
    (folder / "bad.dng").write_text("no raw")
    for name, status in [("the batch ends with 3", "done"), ("the second skips", "skipped")]:
        bench.batch().expect(name, 3, **{status: 7})
        page.look_at(chromium, out)
