"""Programs that a test needs: without them it is skipped."""
import shutil

import pytest


def built(rawdev, name):
    """The path of a program that is built with rawdev."""
    path = rawdev.with_name(name)
    return path if path.exists() else pytest.skip(f"{name} is not built")


def installed(*names):
    for name in names:
        if not shutil.which(name):
            pytest.skip(f"{name} is not installed")
