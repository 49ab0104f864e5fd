"""The programs in Examples: their pictures are those that `rawdev develop` makes with the same
settings, byte for byte, and a damaged file fails alone."""
import json
import pathlib
import shutil

import pytest

from support.checks import check, same
from support.program import FIXTURES, ROOT, attempt, run

SAMPLE = FIXTURES / "sunset-linear.dng"


@pytest.fixture
def built(rawdev):
    """The path of an example, a target of this package that is built with rawdev."""
    def find(name):
        path = rawdev.with_name(name)
        return path if path.exists() else pytest.skip(f"{name} is not built")
    return find


@pytest.fixture
def package():
    """develop-folder as the package that it is; it compiles this one as others would."""
    def find(name):
        build = ["swift", "build", "-c", "release", "--package-path", ROOT / "Examples" / name]
        run(*build, timeout=None)
        return pathlib.Path(run(*build, "--show-bin-path", text=True).strip()) / name
    return find


def is_developed(rawdev, path, raw, *options):
    wanted = path.with_stem("wanted-" + path.stem)
    run(rawdev, "develop", raw, *options, "-o", wanted)
    check(f"{path.name} is what rawdev develop makes of it", path.read_bytes() == wanted.read_bytes())
    wanted.unlink()


@pytest.mark.parametrize("program", ["built", pytest.param("package", marks=pytest.mark.slow)])
def test_develop_folder(rawdev, tmp, request, program):
    program = request.getfixturevalue(program)("develop-folder")
    (tmp / "raws").mkdir()
    for name in ("one", "two"):
        shutil.copy(SAMPLE, tmp / "raws" / f"{name}.dng")
    (tmp / "raws/damaged.dng").write_text("no raw\n")
    done = attempt(program, tmp / "raws", tmp / "out")
    same("a damaged file fails alone: exit code", done.returncode, 3)
    same("it is named, once", done.stdout.count("damaged.dng"), 1)
    check("progress is shown", "100 %" in done.stderr, done.stderr[-300:])
    for name in ("one", "two"):
        is_developed(rawdev, tmp / "out" / f"{name}.jpg", tmp / "raws" / f"{name}.dng", "-r", "web")
    same("nothing else is written", len([p for p in (tmp / "out").rglob("*") if p.is_file()]), 2)


def test_develop_raw(rawdev, tmp, built):
    said = run(built("develop-raw"), SAMPLE, tmp / "out.heic", text=True)
    check("it says what it wrote", "out.heic: " in said and "headroom" in said, said)
    is_developed(rawdev, tmp / "out.heic", SAMPLE, "--format", "heif-hlg", "--exposure", "0.5")


def test_service(rawdev, tmp, built):
    requests = [{"id": "a", "raw": str(SAMPLE), "output": str(tmp / "a.jpg")},
                {"id": "b", "raw": str(tmp / "none.dng"), "output": str(tmp / "b.jpg")},
                {"id": "c", "raw": str(SAMPLE), "output": str(tmp / "c.jpg"), "exposure": 1}]
    lines = [json.dumps(request) for request in requests]
    lines.insert(1, "nonsense")
    done = attempt(built("develop-service"), input="\n".join(lines) + "\n")
    replies = {reply["id"]: reply for reply in map(json.loads, done.stdout.splitlines())}
    same("the end of input ends it", done.returncode, 0)
    check("nonsense is named", "not a request: nonsense" in done.stderr, done.stderr)
    check("what is missing fails alone", set(replies) == {"a", "b", "c"} and "error" in replies["b"], replies)
    is_developed(rawdev, tmp / "a.jpg", SAMPLE, "-r", "web")
    is_developed(rawdev, tmp / "c.jpg", SAMPLE, "-r", "web", "--exposure", "1")
