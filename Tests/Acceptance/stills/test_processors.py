"""Processors that lack instructions which kernels are compiled for, emulated by QEMU: the same
files as here. One without lzcnt runs it as bsr, which is no fault but another number."""
import shutil
import subprocess

import pytest

from support.checks import check
from support.program import ROOT

pytestmark = pytest.mark.full

# As QEMU names them, whose emulation has no AVX-512. The C library needs bmi where there is bmi2.
LACKING = {"nothing": "max", "lzcnt": "max,-abm", "bmi": "max,-bmi1,-bmi2", "bmi2": "max,-bmi2",
           "avx2": "max,-avx2"}
NAMES = ["a.heic", "a.avif", "a.tif"]


@pytest.mark.parametrize("name", NAMES)
def test_lacking_instructions(rawdev, tmp, name):
    qemu = shutil.which("qemu-x86_64")
    if not qemu:
        pytest.skip("no qemu-x86_64 (Scripts/install --for full)")

    def developed(folder, *emulator):
        out = tmp / folder / name
        out.parent.mkdir()
        done = subprocess.run([*emulator, rawdev, "develop", ROOT / "Fixtures/sunset-bayer.dng",
                               "--max-size", "128", "-o", out], capture_output=True, text=True)
        check(f"{name} without {folder}: exit code", done.returncode == 0,
              f"{done.returncode} {done.stderr}")
        return out.read_bytes() if out.exists() else b""

    here = developed("here")
    for lacking, processor in LACKING.items():
        made = developed(lacking, qemu, "-cpu", processor)
        check(f"{name} without {lacking}: the same bytes", made == here)
