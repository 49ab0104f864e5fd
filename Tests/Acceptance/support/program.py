"""Runs programs; knows where the repository and its files are."""
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
FIXTURES = ROOT / "Fixtures"
SHARED = pathlib.Path(os.environ.get("RAWDEV_SHARED", ROOT.parent / "shared"))
# How long a run waits for what must happen before it calls itself broken. No check judges by it.
PATIENCE = 60
# In front of a command: as a user without rights.
NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]


def attempt(*command, **options):
    """A program that may fail: its exit code and what it said, as text unless `text` is false."""
    options = {"capture_output": True, "text": True, "timeout": PATIENCE} | options
    return subprocess.run([str(word) for word in command], **options)


def run(*command, text=False, **options):
    """Standard output of a program that must succeed."""
    done = attempt(*command, text=text, **options)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command[:2]))} failed: {done.stderr[-400:]!r}")
    return done.stdout


def open_copy(program, folder):
    """A copy of a program that other users can run."""
    copy = pathlib.Path(shutil.copy(program, folder))
    copy.chmod(0o755)
    return copy


@contextlib.contextmanager
def disk(folder, options):
    """A small file system in a folder, for the length of a test."""
    if attempt("mount", "-t", "tmpfs", "-o", options, "rawdev-check", folder).returncode:
        pytest.skip("mounting is not allowed here")
    try:
        yield
    finally:
        run("umount", "--lazy", folder)


def tags(path, option="-a"):
    """All that exiftool finds, as numbers, by group and name."""
    return json.loads(run("exiftool", "-j", "-G1", "-n", option, path))[0]


def wait_for(condition, seconds=PATIENCE, step=0.02):
    """Whether `condition` came true in time."""
    end = time.monotonic() + seconds
    while not (met := condition()) and time.monotonic() < end:
        time.sleep(step)
    return bool(met)
