"""Cameras that LibRaw does not list: whose colors they get, and what is said of it. The raws are
one of an EOS 30D under other names, which no LibRaw up to 0.22 lists."""
import json

import pytest

from support.checks import check, same
from support.program import attempt, run

# The model's number in the maker note: tag 0x10, one LONG.
NUMBER = bytes.fromhex("100004000100000034020080")


@pytest.fixture
def named(shared, tmp):
    """Writes the raw under the name of another camera."""
    raw = (shared / "raws/canon30d_IMG_0848.CR2").read_bytes()

    def write(model):
        old = b"Canon EOS 30D\0"
        data = raw.replace(old, model.encode().ljust(len(old), b"\0"))
        data = data.replace(NUMBER, NUMBER[:9] + b"\x09" + NUMBER[10:])
        path = tmp / f"{model.replace(' ', '-')}.cr2"
        path.write_bytes(data)
        return path

    return write


def reported(rawdev, path):
    report = json.loads(run(rawdev, "info", "--json", path))
    return report["colorOrigin"]["kind"], report["colorOrigin"]["name"], report["warnings"]


def test_table(rawdev, named):
    kind, name, warnings = reported(rawdev, named("Canon EOS C50"))
    same("origin, its name, warnings", (kind, name, warnings), ("table", "dnglab", []))
    text = run(rawdev, "info", named("Canon EOS C50"), text=True)
    check("the text says it", "color matrix from     table (dnglab)" in text, text)


def test_relative(rawdev, named, tmp):
    raw = named("Canon EOS R9X")
    kind, name, warnings = reported(rawdev, raw)
    same("origin and its name", (kind, name), ("relative", "Canon EOS R"))
    same("warnings", len(warnings), 1)
    for word in ("Canon EOS R9X", "Canon EOS R;", "newer LibRaw", "camera profile", "Adobe DNG"):
        check(f"the warning says {word}", word in warnings[0], warnings[0])
    done = attempt(rawdev, "develop", raw, "-o", tmp / "x.tif", "--scale-factor", "0.1")
    same("exit code", done.returncode, 0)
    check("developing tells it", "color matrix of the Canon EOS R;" in done.stderr, done.stderr)
    for option in ("Scripts/libraw", "--camera-profile"):
        check(f"with {option}", option in done.stderr, done.stderr)


def test_listed(rawdev, shared):
    kind, _, warnings = reported(rawdev, shared / "raws/canon30d_IMG_0848.CR2")
    same("origin, warnings", (kind, warnings), ("libRaw", []))


def test_list(rawdev):
    text = run(rawdev, "cameras", "--matching", "z 5 ii", text=True)
    same("one line", text.count("\n"), 1)
    columns = text.rstrip("\n").split("\t")
    same("columns", [c.split()[0] for c in columns[1:]], ["decodes", "colors", "lenses", "tested"])
    check("what it depends on", columns[1].startswith("decodes depends: "), text)
    check("whose colors", columns[2].startswith("colors table ("), text)
    cameras = json.loads(run(rawdev, "cameras", "--json"))
    names = [camera["name"] for camera in cameras]
    same("no camera twice", len(set(names)), len(names))
    check("all of LibRaw's and of the table's", len(names) > 1250, len(names))
    same("the tested ones", [c["tested"] for c in cameras if c["name"] == "Canon EOS 30D"], ["CR2"])


def test_summary(rawdev):
    """By year: the same cameras as in the list."""
    years = json.loads(run(rawdev, "cameras", "--summary", "--json"))
    cameras = json.loads(run(rawdev, "cameras", "--json"))
    same("cameras", sum(year["cameras"] for year in years), len(cameras))
    for year in years:
        of = [c for c in cameras if c.get("year") == year.get("year")]
        name = year.get("year", "none")
        same(f"{name}: decoded", year["decoded"], sum(c["decodes"] == "yes" for c in of))
        same(f"{name}: in part", year["partlyDecoded"], len(of) - year["decoded"])
        same(f"{name}: borrowed", year["borrowedColors"], sum(c["colors"] == "none" for c in of))
    lines = run(rawdev, "cameras", "--summary", text=True).splitlines()
    same("lines", len(lines), len(years))
    columns = [column.rstrip("0123456789").strip() for column in lines[0].split("\t")[2:]]
    same("columns", columns, ["decodes", "depends", "own colors", "borrowed"])


def test_undecoded(rawdev, tmp):
    """A raw of Nikon's High Efficiency, as far as it is looked at: a directory, the first bytes."""
    def entry(tag, kind, count, value):
        return b"".join(n.to_bytes(w, "little") for n, w in
                        ((tag, 2), (kind, 2), (count, 4), (value, 4)))

    make, model = b"NIKON CORPORATION\0", b"NIKON Z 8\0"
    start = 8 + 2 + 4 * 12 + 4
    data = b"II*\0\x08\0\0\0\x04\0" + entry(259, 3, 1, 34713)
    data += entry(271, 2, len(make), start) + entry(272, 2, len(model), start + len(make))
    data += entry(273, 4, 1, start + len(make) + len(model)) + bytes(4) + make + model
    path = tmp / "he.nef"
    path.write_bytes(data + bytes.fromhex("ff10ff50") + bytes(400))
    done = attempt(rawdev, "develop", path, "-o", tmp / "x.heic")
    same("exit code", done.returncode, 65)
    same("lines", done.stderr.count("\n"), 1)
    for word in ("NIKON Z 8", "High Efficiency", "Adobe DNG Converter", "Lossless"):
        check(f"the message says {word}", word in done.stderr, done.stderr)


def test_doctor(rawdev, shared, named):
    """What can be developed is exit code 0, with what is doubtful; each is one paragraph."""
    sound = shared / "raws/canon30d_IMG_0848.CR2"
    done = attempt(rawdev, "doctor", sound)
    same("exit code of a sound raw", (done.returncode, done.stdout.count("\n")), (0, 1))
    done = attempt(rawdev, "doctor", shared / "raws/proraw_iphone12pro_header_only.dng")
    same("exit code of one without pixels", (done.returncode, done.stdout.count("\n")), (1, 1))
    done = attempt(rawdev, "doctor", "--json", sound, named("Canon EOS R9X"))
    same("exit code with a doubtful one", done.returncode, 0)
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    doubtful = [[check["name"] for check in report["checks"] if check["outcome"] == "doubtful"]
                for report in reports]
    same("what is doubtful", doubtful, [[], ["colors"]])
