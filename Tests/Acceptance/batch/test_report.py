"""The report of a small batch with everything that a page can show."""
from batch import material, page


def test_report(bench):
    folder, out = bench.make("in"), bench.folder / "out"
    material.copies(folder, 5, material.FIXTURES)
    (folder / "raw-001.dng.rawdev.yaml").write_text("raw: {exposuer: 1}\n")
    (folder / "<script>alert(1)<.dng").write_bytes(material.FIXTURES[0].read_bytes())
    (folder / "rtl-\u202e.dng").write_bytes(material.FIXTURES[0].read_bytes() + b"rtl")
    (folder / "bad.dng").write_text("no raw")
    ended = bench.batch(folder, "-o", out, "--format", "jpeg", "--max-size", "200")
    bench.check("the batch ends with 3", ended.code == 3 and ended.count("done") == 7, ended.summary())
    page.look_at(out / "rawdev-report.html", out / "rawdev-report.jsonl")
    ended = bench.batch(folder, "-o", out, "--format", "jpeg", "--max-size", "200")
    bench.check("the second skips", ended.count("skipped") == 7, ended.summary())
    page.look_at(out / "rawdev-report.html", out / "rawdev-report.jsonl")
