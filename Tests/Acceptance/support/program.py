"""Runs programs; knows where the repository and its files are."""
import json
import os
import pathlib
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
FIXTURES = ROOT / "Fixtures"
SHARED = pathlib.Path(os.environ.get("RAWDEV_SHARED", ROOT.parent / "shared"))
# How long a run waits for what must happen before it calls itself broken. No check judges by it.
PATIENCE = 300
# In front of a command: as a user without rights.
NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]


def run(*command, **options):
    """Standard output of a program that must succeed."""
    done = subprocess.run([str(c) for c in command], capture_output=True, **options)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command[:2]))} failed: {done.stderr[-400:]!r}")
    return done.stdout


def tags(path, option="-a"):
    """All that exiftool finds, as numbers, by group and name."""
    return json.loads(run("exiftool", "-j", "-G1", "-n", option, path))[0]


def wait_for(condition, seconds=PATIENCE, step=0.02):
    """Whether `condition` came true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(step)
    return bool(condition())
