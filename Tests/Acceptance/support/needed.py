"""Programs that a test needs: without them it is skipped."""
import shutil

import pytest

from support.program import ROOT


def built(rawdev, name):
    """The path of a program that is built with rawdev, or beside the tests."""
    for path in (rawdev.with_name(name), ROOT / ".build/release" / name):
        if path.exists():
            return path
    pytest.skip(f"{name} is not built: RAWDEV_FULL=1 Scripts/build --tests")


def installed(*names):
    for name in names:
        if not shutil.which(name):
            pytest.skip(f"{name} is not installed")
