"""Names as cameras, people and attackers make them; ten thousand of them."""
import os
import re

from batch import material
from batch.bench import Watch, files, lines

ODD = [b"with space.dng", b"line\nfeed.dng", b"-o.dng", b"--help.dng", b"quote'\".dng", b"back\\slash.dng",
       b"latin-\xe9\xff.dng", b"emoji-\xf0\x9f\x8c\x85.dng", b"tab\t.dng", b"percent%41.dng", b"{stem}.dng",
       b"$(touch pwned).dng", b"<script>alert(1)<.dng", b"e\xcc\x81-nfd.dng", b"\xc3\xa9-nfc.dng",
       b"rtl-\xe2\x80\xae.dng", b"UPPER.DNG", b"upper.dng", b"no-stem..dng", b"*.dng", b"file:.dng",
       b"\x1b[31mred.dng", b"trailing .dng", b"a;rm -rf b.dng"]


def test_odd(bench):
    """Every name comes out under the same name; the report and the page hold them all."""
    folder, out = bench.make("in"), bench.folder / "out"
    for number, name in enumerate(ODD):
        place = os.path.join(os.fsencode(folder), name)
        with open(place, "wb") as file:
            file.write(material.FIXTURES[0].read_bytes() + number.to_bytes(8, "little"))
    deep = os.path.join(os.fsencode(folder), b"folder \xfe\n", b"-x")
    os.makedirs(deep)
    with open(os.path.join(deep, b"inner.dng"), "wb") as file:
        file.write(material.FIXTURES[0].read_bytes() + b"inner")
    ended = bench.batch(folder, "-o", out, "--format", "jpeg", "--max-size", "64", cwd=bench.folder)
    bench.check("every odd name is developed", ended.code == 0 and ended.count("done") == len(ODD) + 1,
                (ended.summary(), {k: v["error"]["message"][:120] for k, v in ended.items.items()
                                   if v.get("error")}))
    found = set(files(out))
    # Control characters become "_", as the page of recipes says.
    expected = {re.sub(rb"[\0-\x1f]", b"_", name[:-4]) + b".jpg" for name in ODD} | {b"folder \xfe\n/-x/inner.jpg"}
    bench.check("outputs have their names byte for byte", found == expected,
                sorted(found ^ expected))
    ended = bench.batch(folder, "-o", out, "--format", "jpeg", "--max-size", "64")
    bench.check("a second run skips them", ended.count("skipped") == len(ODD) + 1, ended.summary())
    bench.check("no shell ran what a name says", not any(bench.folder.rglob("pwned")))
    ended = bench.run("manifest", folder, "-o", bench.folder / "list.jsonl")
    listed = bench.batch("--manifest", bench.folder / "list.jsonl", "-o",
                         bench.folder / "listed", "--format", "jpeg", "--max-size", "64")
    bench.check("a manifest carries them", listed.code == 0 and listed.count("done") == len(ODD) + 1,
                listed.summary())
    ended = bench.batch("-o", bench.make("dashes"), "--", "-o.dng", "--help.dng", "with space.dng", cwd=folder)
    bench.check("names with dashes after --", ended.code == 0 and ended.count("done") == 3, ended.summary())
    ended = bench.batch(os.fsdecode(b"latin-\xe9\xff.dng"), "-o", bench.make("bytes"), cwd=folder)
    bench.check("a name that is no UTF-8 on the command line", ended.code == 0, (ended.code, ended.messages))
    ended = bench.batch(".", "-o", os.fsdecode(b"out-\xe9"), cwd=folder)
    bench.check("a target that is no UTF-8", ended.code == 0 and os.path.isdir(
        os.path.join(os.fsencode(folder), b"out-\xe9")), (ended.code, ended.messages[:2]))


def test_long(bench):
    """The longest names that a file system takes; outputs' names are longer by their extension."""
    folder, out = bench.make("in"), bench.folder / "out"
    material.copies(folder, 3, name="zz-{}.dng")
    lengths = (250, 254, 255)
    for number, length in enumerate(lengths):
        material.variant(material.FIXTURES[0], folder / ("n" * (length - 4) + ".dng"), 20 + number)
    ended = bench.batch(folder, "-o", out, "--format", "jpeg")
    bench.check("names of 250, 254 and 255 bytes with .jpg", ended.code == 0 and ended.count("done") == 6,
                (ended.summary(), [i["error"]["message"][-90:] for i in ended.items.values() if i.get("error")]))
    ended = bench.batch(folder, "-o", bench.folder / "heic")
    errors = [i for i in ended.items.values() if i["status"] == "failed"]
    bench.check("a name too long for its output costs that raw, not the night",
                ended.count("done") == 5 and len(errors) == 1 and ended.code == 3, ended.summary())
    bench.check("the message says what to do", errors and "name" in errors[0]["error"]["message"],
                [e["error"]["message"][-120:] for e in errors])
    place = os.fsencode(folder)
    for _ in range(14):
        place = os.path.join(place, b"d" * 250)
        os.mkdir(place)
    with open(os.path.join(place, b"deep.dng"), "wb") as file:
        file.write(material.FIXTURES[0].read_bytes() + b"deep")
    ended = bench.batch(folder, "-o", out, "--format", "jpeg")
    bench.check("a path of 3,600 bytes", ended.code == 0, (ended.summary(), [
        i["error"]["message"][-90:] for i in ended.items.values() if i.get("error")]))


def test_pairs(bench):
    """RAW + JPEG, and two raws of one name."""
    folder, out = bench.make("in"), bench.folder / "out"
    for number, name in enumerate(("IMG_1.DNG", "IMG_2.CR2", "IMG_2.DNG", "IMG_3.dng", "img_3.dng")):
        material.variant(material.FIXTURES[0], folder / name, number)
    (folder / "IMG_1.JPG").write_bytes(b"\xff\xd8 the camera's own")
    (folder / "IMG_1.MOV").write_bytes(b"film")
    ended = bench.batch(folder, "-o", out, "--format", "jpeg")
    bench.check("pairs of raws keep apart", ended.code == 0 and ended.count("done") == 5
                and len(files(out)) == 5, (ended.summary(), sorted(files(out))))
    ended = bench.batch(folder, "-o", folder, "--format", "jpeg")
    bench.check("a camera's JPEG is left alone when the output folder is the input folder",
                (folder / "IMG_1.JPG").read_bytes() == b"\xff\xd8 the camera's own", ended.summary())
    flat = bench.make("flat")
    for card in "ab":
        (flat / card).mkdir()
        material.variant(material.FIXTURES[0], flat / card / "IMG_9.dng", ord(card))
    ended = bench.batch(flat, "-o", bench.make("flat-out"), "--flat", "--format", "jpeg")
    bench.check("--flat with one name twice: one is done, one is named", ended.code == 3
                and ended.count("done") == 1 and ended.count("failed") == 1,
                [i.get("error") for i in ended.items.values()])


def test_many(bench, number=10_000):
    """Ten thousand raws in one folder."""
    folder, out = bench.make("in"), bench.folder / "out"
    tiny = material.SHARED / "dng" / "proxy_cfa.dng"
    source = folder / "00000.dng"
    source.write_bytes((tiny if tiny.is_file() else material.FIXTURES[0]).read_bytes())
    total = number if bench.count >= 500 else min(number, 20 * bench.count)
    for i in range(1, total):
        os.link(source, folder / f"{i:05}.dng")
    log = bench.folder / "stdout.jsonl"

    def run(what, *more):
        with open(log, "wb") as stdout:
            process = bench.start("batch", folder, "-o", out, "--format", "jpeg", "--max-size", "32", *more,
                                  stdout=stdout, stderr=stdout)
            watch = Watch(process)
            seconds, _, busy = watch.finish()
        events = lines(log.read_bytes())
        bench.note(f"{what}, {total} raws: {seconds:.1f} s, {busy:.0%} of the cores, "
                   f"main process {watch.main_peak >> 20} MiB, all {watch.peak >> 20} MiB")
        return process.returncode, events[-1] if events else {}, seconds, watch.main_peak

    code, end, _, _ = run("dry run", "--dry-run")
    bench.check("dry run", code == 0, end)
    code, end, _, memory = run("first run")
    bench.check("first run does all", code == 0 and end.get("done") == total, end)
    bench.check("the main process stays below 300 MiB", memory < 300 << 20, memory >> 20)
    bench.note(f"page of the first run {(out / 'rawdev-report.html').stat().st_size >> 20} MiB")
    code, end, seconds, _ = run("second run")
    bench.check("second run skips all", code == 0 and end.get("skipped") == total, end)
    if bench.timing:
        bench.check("second run in less than 10 s", seconds < 10, seconds)
    size = sum(p.stat().st_size for p in out.glob(".rawdev/journal-*"))
    page = (out / "rawdev-report.html").stat().st_size
    bench.note(f"journal {size / total:.0f} bytes a raw, page of the second run {page >> 10} KiB")
