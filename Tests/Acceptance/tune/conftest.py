"""Fixtures of the tests of rawdev tune."""
import shutil

import pytest

from batch import material
from support.program import FIXTURES, run


@pytest.fixture
def shoot(bench):
    """A folder with three raws: a.dng and b.dng of 1200 × 800 pixels, c.dng in X-Trans."""
    folder = bench.make("shoot")
    for name, kind in (("a", "bayer"), ("b", "linear"), ("c", "xtrans")):
        material.raw(folder / f"{name}.dng", FIXTURES / f"sunset-{kind}.dng")
    return folder


@pytest.fixture(scope="session")
def large(generator, tmp_path_factory):
    """A simulated raw of 2400 × 1600 pixels."""
    path = tmp_path_factory.mktemp("large") / "large.dng"
    run(generator, "benchmark", path, "--width", "2400", "--height", "1600")
    return path


@pytest.fixture
def alone(bench):
    """A function that puts a copy of a raw into a folder of its own."""
    def copy(raw, name="a.dng"):
        folder = bench.make(f"alone-{name}")
        return shutil.copy(raw, folder / name)
    return copy
