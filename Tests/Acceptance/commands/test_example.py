"""Examples/develop-folder, a package that depends on this one by path: its pictures are those that
`rawdev develop` makes by the same recipe, byte for byte; a damaged file costs itself and exit code 3."""
import pathlib
import shutil
import subprocess

import pytest

from support.checks import check, same
from support.program import FIXTURES, PATIENCE, ROOT, run


@pytest.fixture
def built(rawdev):
    """The example as a target of this package, built with rawdev."""
    path = rawdev.with_name("develop-folder")
    if not path.exists():
        pytest.skip(f"{path.name} is not built")
    return path


@pytest.fixture
def package():
    """The example as the package that it is; it compiles this one as others would."""
    build = ["swift", "build", "-c", "release", "--package-path", ROOT / "Examples/develop-folder"]
    run(*build)
    return pathlib.Path(run(*build, "--show-bin-path", text=True).strip()) / "develop-folder"


@pytest.mark.parametrize("program", ["built", pytest.param("package", marks=pytest.mark.slow)])
def test_example(rawdev, tmp, request, program):
    program = request.getfixturevalue(program)
    (tmp / "raws").mkdir()
    for name in ("one", "two"):
        shutil.copy(FIXTURES / "sunset-linear.dng", tmp / "raws" / f"{name}.dng")
    (tmp / "raws/damaged.dng").write_text("no raw\n")
    done = subprocess.run([program, tmp / "raws", tmp / "out"], capture_output=True, text=True,
                          timeout=PATIENCE)
    same("a damaged file costs itself: exit code", done.returncode, 3)
    same("it is named, once", done.stdout.count("damaged.dng"), 1)
    check("progress is shown", "100 %" in done.stderr, done.stderr[-300:])
    for name in ("one", "two"):
        wanted = tmp / f"{name}.jpg"
        run(rawdev, "develop", tmp / "raws" / f"{name}.dng", "-r", "web", "-o", wanted)
        same(f"{name} is what rawdev develop makes of it",
             (tmp / "out" / wanted.name).read_bytes() == wanted.read_bytes(), True)
    same("nothing else is written", len([p for p in (tmp / "out").rglob("*") if p.is_file()]), 2)
