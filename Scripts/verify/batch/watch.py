"""rawdev batch --watch: files that are copied slowly, sidecars that are edited, an end by signal."""
import os
import pathlib
import signal
import time

from . import material
from .bench import files, lines, times, wait_for


def watch(bench):
    folder, out = bench.make("in"), bench.folder / bench.case / "out"
    material.copies(folder, 2)
    log = bench.folder / bench.case / "stdout.jsonl"
    errors = bench.folder / bench.case / "stderr.txt"
    with open(log, "wb") as stdout, open(errors, "wb") as stderr:
        process = bench.start("batch", folder, "-o", out, "--format", "jpeg", "--watch", "--settle", "1.5",
                              stdout=stdout, stderr=stderr)

    def status(name):
        return [e["status"] for e in lines(log.read_bytes()) if e["event"] == "item" and e["id"] == name]

    bench.check("what is there is developed", wait_for(lambda: len(list(out.glob("*.jpg"))) == 2, 30))
    data = material.FIXTURES[1].read_bytes()
    with open(folder / "slow.dng", "wb") as file:
        for start in range(0, len(data), len(data) // 8 + 1):
            file.write(data[start:start + len(data) // 8 + 1])
            file.flush()
            os.fsync(file.fileno())
            time.sleep(0.8)
    bench.check("a file is not looked at while it is copied", status("slow.dng") == [], status("slow.dng"))
    bench.check("it is developed once it is whole", wait_for(lambda: (out / "slow.jpg").exists(), 30)
                and status("slow.dng") == ["done"], status("slow.dng"))
    before = times(out)
    (folder / "raw-001.dng.rawdev.yaml").write_text("raw: {exposure: 1}\n")
    bench.check("an edited sidecar has its raw done again", wait_for(
        lambda: status("raw-001.dng")[-1:] == ["done"] and len(status("raw-001.dng")) > 1, 30)
        and {n for n, t in times(out).items() if before.get(n) != t} == {b"raw-001.jpg"}, status("raw-001.dng"))
    (folder / "raw-001.dng.rawdev.yaml").unlink()
    bench.check("a sidecar that is taken away, too", wait_for(
        lambda: status("raw-001.dng").count("done") == 3, 30), status("raw-001.dng"))
    (folder / "bad.dng").write_text("no raw")
    bench.check("a bad file is named", wait_for(lambda: status("bad.dng") == ["failed"], 30), status("bad.dng"))
    (folder / "new folder").mkdir()
    material.variant(material.FIXTURES[0], folder / "new folder" / "x.dng", 5)
    bench.check("a new folder is seen", wait_for(lambda: (out / "new folder" / "x.jpg").exists(), 30))
    (folder / "raw-000.dng").unlink()
    time.sleep(3)
    bench.check("a raw that is taken away is no trouble", process.poll() is None
                and (out / "raw-000.jpg").exists(), process.poll())
    ticks = cpu(process.pid)
    time.sleep(4)
    bench.note(f"waiting takes {(cpu(process.pid) - ticks) / 4:.1%} of a core")
    began = time.monotonic()
    process.send_signal(signal.SIGTERM)
    process.wait(timeout=30)
    bench.check("SIGTERM ends it with 75", process.returncode == 75 and time.monotonic() - began < 10,
                (process.returncode, errors.read_text()[-200:]))
    report = lines((out / "rawdev-report.jsonl").read_bytes())
    named = {e["id"] for e in report if e["event"] == "item"}
    bench.check("the report tells of all rounds", named == {
        "raw-000.dng", "raw-001.dng", "slow.dng", "bad.dng", "new folder/x.dng"}, named)
    bench.check("nothing half is left", not [n for n in files(out) if os.path.basename(n).startswith(b".")])
    empty = bench.make("empty")
    process = bench.start("batch", empty, "-o", bench.make("out-2"), "--format", "jpeg", "--watch", "--settle", "0")
    time.sleep(1.5)
    material.variant(material.FIXTURES[0], empty / "first.dng", 6)
    bench.check("an empty folder is waited for", wait_for(
        lambda: (bench.folder / bench.case / "out-2" / "first.jpg").exists(), 20))
    for path in empty.iterdir():
        path.unlink()
    empty.rmdir()
    time.sleep(2.5)
    alive = process.poll() is None
    bench.check("a folder that goes away and comes back, as network folders do", alive, process.poll())
    process.kill()
    process.communicate()


def cpu(number):
    parts = pathlib.Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


CASES = {"watch": watch}
