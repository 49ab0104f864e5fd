"""Names as cameras, people and attackers make them; ten thousand of them."""
import os
import re

from batch import material
from batch.bench import JPEG, Watch, files, lines
from support.checks import check

ODD = [b"with space.dng", b"line\nfeed.dng", b"-o.dng", b"--help.dng", b"quote'\".dng",
       b"back\\slash.dng", b"latin-\xe9\xff.dng", b"emoji-\xf0\x9f\x8c\x85.dng", b"tab\t.dng",
       b"percent%41.dng", b"{stem}.dng", b"$(touch pwned).dng", b"<script>alert(1)<.dng",
       b"e\xcc\x81-nfd.dng", b"\xc3\xa9-nfc.dng", b"rtl-\xe2\x80\xae.dng", b"UPPER.DNG",
       b"upper.dng", b"no-stem..dng", b"*.dng", b"file:.dng", b"\x1b[31mred.dng",
       b"trailing .dng", b"a;rm -rf b.dng"]
SMALL = [*JPEG, "--max-size", "64"]


def put(content, *names):
    """A raw under a name that may be any bytes."""
    with open(os.path.join(*map(os.fsencode, names)), "wb") as file:
        file.write(material.FIXTURES[0].read_bytes() + content)


def test_odd(bench):
    """Every name comes out under the same name; the report and the page hold them all."""
    folder, out = bench.make("in"), bench.folder / "out"
    for number, name in enumerate(ODD):
        put(number.to_bytes(8, "little"), folder, name)
    deep = os.path.join(os.fsencode(folder), b"folder \xfe\n", b"-x")
    os.makedirs(deep)
    put(b"inner", deep, b"inner.dng")
    ended = bench.batch(folder, "-o", out, *SMALL, cwd=bench.folder)
    ended.expect("every odd name is developed", 0, done=len(ODD) + 1)
    found = set(files(out))
    # Control characters become "_", as the page of recipes says.
    expected = {re.sub(rb"[\0-\x1f]", b"_", name[:-4]) + b".jpg" for name in ODD}
    expected.add(b"folder \xfe\n/-x/inner.jpg")
    check("outputs have their names byte for byte", found == expected, sorted(found ^ expected))
    bench.batch(folder, "-o", out, *SMALL).expect("a second run skips them", skipped=len(ODD) + 1)
    check("no shell ran what a name says", not any(bench.folder.rglob("pwned")))
    bench.run("manifest", folder, "-o", bench.folder / "list.jsonl")
    words = ["--manifest", bench.folder / "list.jsonl", "-o", bench.folder / "listed"]
    bench.batch(*words, *SMALL).expect("a manifest carries them", 0, done=len(ODD) + 1)
    words = ["-o", bench.make("dashes"), "--", "-o.dng", "--help.dng", "with space.dng"]
    bench.batch(*words, cwd=folder).expect("names with dashes after --", 0, done=3)
    latin, target = os.fsdecode(b"latin-\xe9\xff.dng"), os.fsdecode(b"out-\xe9")
    ended = bench.batch(latin, "-o", bench.make("bytes"), cwd=folder)
    ended.expect("a name that is no UTF-8 on the command line", 0)
    ended = bench.batch(".", "-o", target, cwd=folder)
    ended.expect("a target that is no UTF-8", 0, also=(folder / target).is_dir())


def test_long(bench):
    """The longest names that a file system takes; outputs' names are longer by their extension."""
    folder, out = bench.make("in"), bench.folder / "out"
    material.copies(folder, 3, name="zz-{}.dng")
    for length in (250, 254, 255):
        material.variant(material.FIXTURES[0], folder / ("n" * (length - 4) + ".dng"), length)
    ended = bench.batch(folder, "-o", out, *JPEG)
    ended.expect("names of 250, 254 and 255 bytes with .jpg", 0, done=6)
    ended = bench.batch(folder, "-o", bench.folder / "heic")
    ended.expect("a name too long for its output costs that raw only", 3, done=5, failed=1)
    ended.expect("the message says what to do",
                 also=any("name" in error["message"] for error in ended.errors.values()))
    place = os.fsencode(folder)
    for _ in range(14):
        place = os.path.join(place, b"d" * 250)
        os.mkdir(place)
    put(b"deep", place, b"deep.dng")
    bench.batch(folder, "-o", out, *JPEG).expect("a path of 3,600 bytes", 0)


def test_pairs(bench):
    """RAW + JPEG, and two raws of one name."""
    folder, out = bench.make("in"), bench.folder / "out"
    names = ["IMG_1.DNG", "IMG_2.CR2", "IMG_2.DNG", "IMG_3.dng", "img_3.dng"]
    for number, name in enumerate(names):
        material.variant(material.FIXTURES[0], folder / name, number)
    own = b"\xff\xd8 the camera's own"
    (folder / "IMG_1.JPG").write_bytes(own)
    (folder / "IMG_1.MOV").write_bytes(b"film")
    ended = bench.batch(folder, "-o", out, *JPEG)
    found = sorted(files(out))
    ended.expect("pairs of raws keep apart", 0, done=5, also=len(found) == 5, detail=found)
    ended = bench.batch(folder, "-o", folder, *JPEG)
    ended.expect("a camera's JPEG is left alone when the output folder is the input folder",
                 also=(folder / "IMG_1.JPG").read_bytes() == own)
    for card in "ab":
        path = bench.make(f"flat/{card}") / "IMG_9.dng"
        material.variant(material.FIXTURES[0], path, ord(card))
    ended = bench.batch(bench.folder / "flat", "-o", bench.make("flat-out"), "--flat", *JPEG)
    ended.expect("--flat with one name twice: one is done, one is named", 3, done=1, failed=1)


def test_many(bench, record, number=10_000):
    """Ten thousand raws in one folder."""
    folder, out = bench.make("in"), bench.folder / "out"
    tiny = material.SHARED / "dng" / "proxy_cfa.dng"
    source = folder / "00000.dng"
    source.write_bytes((tiny if tiny.is_file() else material.FIXTURES[0]).read_bytes())
    total = number if bench.count >= 500 else min(number, 20 * bench.count)
    for i in range(1, total):
        os.link(source, folder / f"{i:05}.dng")
    log = bench.folder / "stdout.jsonl"
    words = ["batch", folder, "-o", out, *JPEG, "--max-size", "32"]

    def run(what, *more):
        with open(log, "wb") as stdout:
            watch = Watch(bench.start(*words, *more, stdout=stdout, stderr=stdout))
            seconds, _, busy = watch.finish()
        record(bench.table, case=f"{total} raws in one folder, {what}", result=(
            f"{seconds:.1f} s, {busy:.0%} of the cores, main process {watch.main_peak >> 20} MiB, "
            f"all processes {watch.peak >> 20} MiB"))
        events = lines(log.read_bytes())
        return watch.process.returncode, events[-1] if events else {}, seconds, watch.main_peak

    code, end, _, _ = run("dry run", "--dry-run")
    check("dry run", code == 0, end)
    code, end, _, memory = run("first run")
    check("first run does all", code == 0 and end.get("done") == total, end)
    check("the main process stays below 300 MiB", memory < 300 << 20, memory >> 20)
    code, end, seconds, _ = run("second run")
    check("second run skips all", code == 0 and end.get("skipped") == total, end)
    bench.soon("second run", seconds, 10)
