"""The report of a small batch with everything that a page can show."""
from batch import material, page


def test_report(bench, chromium):
    folder, out = bench.raws(5, material.FIXTURES)
    (folder / "raw-001.dng.rawdev.yaml").write_text("raw: {exposuer: 1}\n")
    for number, name in enumerate(("<script>alert(1)<.dng", "rtl-\u202e.dng")):
        material.variant(material.FIXTURES[0], folder / name, 90 + number)
    (folder / "bad.dng").write_text("no raw")
    for name, status in [("the batch ends with 3", "done"), ("the second skips", "skipped")]:
        ended = bench.batch(folder, "-o", out, "--format", "jpeg", "--max-size", "200")
        ended.expect(name, 3, **{status: 7})
        page.look_at(chromium, out / "rawdev-report.html", out / "rawdev-report.jsonl")
