"""Names as cameras, people and attackers make them; ten thousand of them."""
import os
import re

import pytest

from batch import material
from batch.bench import JPEG, files
from support.checks import check, none, same

ODD = [b"with space.dng", b"line\nfeed.dng", b"-o.dng", b"--help.dng", b"quote'\".dng",
       b"back\\slash.dng", b"latin-\xe9\xff.dng", b"emoji-\xf0\x9f\x8c\x85.dng", b"tab\t.dng",
       b"percent%41.dng", b"{stem}.dng", b"$(touch pwned).dng", b"<script>alert(1)<.dng",
       b"e\xcc\x81-nfd.dng", b"\xc3\xa9-nfc.dng", b"rtl-\xe2\x80\xae.dng", b"UPPER.DNG",
       b"upper.dng", b"no-stem..dng", b"*.dng", b"file:.dng", b"\x1b[31mred.dng",
       b"trailing .dng", b"a;rm -rf b.dng"]


def test_odd_names(bench):
    folder, out = bench.raws()
    bench.options = [*JPEG, "--max-size", "64"]
    deep = bench.make(os.fsdecode(b"in/folder \xfe\n/-x"))
    for path in (*(folder / os.fsdecode(name) for name in ODD), deep / "inner.dng"):
        material.raw(path)
    number = len(ODD) + 1
    bench.batch(cwd=bench.folder).expect("every odd name is developed", 0, done=number)
    # Control characters become "_", as the page of recipes says.
    expected = {re.sub(rb"[\0-\x1f]", b"_", name[:-4]) + b".jpg" for name in ODD}
    expected.add(b"folder \xfe\n/-x/inner.jpg")
    none("outputs have their names byte for byte", files(out).keys() ^ expected)
    bench.batch().expect("a second run skips them", skipped=number)
    none("no shell ran what a name says", list(bench.folder.rglob("pwned")))
    words = ["-o", bench.folder / "dashes", "--", "-o.dng", "--help.dng", "with space.dng"]
    bench.run("batch", *words, cwd=folder).expect("names with dashes after --", 0, done=3)
    listed = bench.folder / "list.jsonl"
    bench.run("manifest", folder, "-o", listed)
    bench.inputs = ["--manifest", listed]
    bench.batch(out="listed").expect("a manifest carries them", 0, done=number)
    bench.inputs = [os.fsdecode(b"latin-\xe9\xff.dng")]
    bench.batch(out="bytes", cwd=folder).expect("a name that is no UTF-8 on the command line", 0)
    target = os.fsdecode(b"out-\xe9")
    ended = bench.run("batch", ".", "-o", target, cwd=folder)
    ended.expect("a target that is no UTF-8", 0, also=(folder / target).is_dir())


def test_long_names(bench):
    folder, _ = bench.raws(3)
    for length in (250, 254, 255):
        material.raw(folder / ("n" * (length - 4) + ".dng"))
    bench.batch().expect("names of 250, 254 and 255 bytes with .jpg", 0, done=6)
    deep = bench.make("/".join(["in", *["d" * 250] * 14]))
    material.raw(deep / "deep.dng")
    bench.batch().expect("a path of 3,600 bytes", 0, done=1, skipped=6)
    bench.options = []
    ended = bench.batch(out="heic")
    ended.expect("a name too long for its output costs that raw only", 3, done=6, failed=1)
    ended.expect("the message says what to do", says="name")


def test_pairs(bench):
    folder, out = bench.raws()
    for name in ("IMG_1.DNG", "IMG_2.CR2", "IMG_2.DNG", "IMG_3.dng", "img_3.dng"):
        material.raw(folder / name)
    camera, own = folder / "IMG_1.JPG", b"\xff\xd8 the camera's own"
    camera.write_bytes(own)
    (folder / "IMG_1.MOV").write_bytes(b"film")
    bench.batch().expect("pairs of raws keep apart", 0, done=5)
    same("each has its output", len(files(out)), 5)
    bench.batch(out=folder).expect("the camera's JPEG stays", also=camera.read_bytes() == own)
    bench.inputs = [bench.folder / "flat"]
    for card in "ab":
        material.raw(bench.make(f"flat/{card}") / "IMG_9.dng")
    bench.batch("--flat", out="flat-out").expect("--flat with one name twice", 3, done=1, failed=1)


@pytest.mark.parametrize("total", [
    pytest.param(200, marks=pytest.mark.full), pytest.param(10_000, marks=pytest.mark.nightly)])
def test_many_raws(bench, record, total):
    folder, _ = bench.raws()
    bench.options = [*JPEG, "--max-size", "32"]
    tiny = material.SHARED / "dng" / "proxy_cfa.dng"
    source = folder / "00000.dng"
    source.write_bytes((tiny if tiny.is_file() else material.FIXTURES[0]).read_bytes())
    for i in range(1, total):
        os.link(source, folder / f"{i:05}.dng")
    for what, options, expected in [
            ("dry run", ["--dry-run"], {}), ("first run", [], {"done": total}),
            ("second run", [], {"skipped": total, "soon": 10})]:
        ended, took = bench.watched_batch(*options)
        ended.expect(what, 0, **expected)
        main, peak = took.main_peak >> 20, took.peak >> 20
        check(f"{what}: the main process stays below 300 MiB", main < 300, main)
        record(bench.table, case=f"{total} raws in one folder, {what}", result=(
            f"{ended.seconds:.1f} s, {took.busy:.0%} of the cores, main process {main} MiB, "
            f"all processes {peak} MiB"))
