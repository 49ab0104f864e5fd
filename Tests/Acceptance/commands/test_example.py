"""The programs in Examples: their pictures are those that `rawdev develop` makes with the same
settings, and a damaged file fails alone."""
import json
import pathlib
import shutil

import numpy as np
import pillow_heif
import pytest

from support.checks import check, same
from support.needed import built
from support.program import FIXTURES, ROOT, attempt, run

pytestmark = pytest.mark.full
SAMPLE = FIXTURES / "sunset-linear.dng"


def packaged(rawdev, name):
    """A program as the package that it is; it compiles this one as others would."""
    build = ["swift", "build", "-c", "release", "--package-path", ROOT / "Examples" / name]
    run(*build, timeout=None)
    return pathlib.Path(run(*build, "--show-bin-path", text=True).strip()) / name


def is_developed(rawdev, path, raw, *options):
    wanted = path.with_stem("wanted-" + path.stem)
    run(rawdev, "develop", raw, *options, "-o", wanted)
    check(f"{path.name} is what rawdev develop makes", path.read_bytes() == wanted.read_bytes())
    wanted.unlink()


@pytest.mark.parametrize("found", [built, pytest.param(packaged, marks=pytest.mark.nightly)])
def test_develop_folder(rawdev, tmp, found):
    program = found(rawdev, "develop-folder")
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


def test_develop_raw(rawdev, tmp):
    said = run(built(rawdev, "develop-raw"), SAMPLE, tmp / "out.heic", text=True)
    check("it says what it wrote", "out.heic: " in said and "headroom" in said, said)
    # The file's IDs, which name the source, are Develop's, so the pixels are compared.
    run(rawdev, "develop", SAMPLE, "--format", "heif-hlg", "--exposure", "0.5",
        "-o", tmp / "wanted.heic")
    made, wanted = (
        np.asarray(pillow_heif.open_heif(str(tmp / name), convert_hdr_to_8bit=False))
        for name in ("out.heic", "wanted.heic"))
    check("its pixels are what rawdev develop makes", np.array_equal(made, wanted))


def test_service(rawdev, tmp):
    requests = [{"id": "a", "raw": str(SAMPLE), "output": str(tmp / "a.jpg")},
                {"id": "b", "raw": str(tmp / "none.dng"), "output": str(tmp / "b.jpg")},
                {"id": "c", "raw": str(SAMPLE), "output": str(tmp / "c.jpg"), "exposure": 1}]
    lines = [json.dumps(request) for request in requests]
    lines.insert(1, "nonsense")
    done = attempt(built(rawdev, "develop-service"), input="\n".join(lines) + "\n")
    replies = {reply["id"]: reply for reply in map(json.loads, done.stdout.splitlines())}
    same("the end of input ends it", done.returncode, 0)
    check("nonsense is named", "not a request: nonsense" in done.stderr, done.stderr)
    failed = [name for name, reply in sorted(replies.items()) if "error" in reply]
    same("what is missing fails alone", (sorted(replies), failed), (["a", "b", "c"], ["b"]))
    is_developed(rawdev, tmp / "a.jpg", SAMPLE, "-r", "web")
    is_developed(rawdev, tmp / "c.jpg", SAMPLE, "-r", "web", "--exposure", "1")
