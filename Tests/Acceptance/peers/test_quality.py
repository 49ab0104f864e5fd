"""Quality beside other programs: each script measures, prints its tables and has its limits."""
import sys

import pytest

from support.needed import installed
from support.program import ROOT, attempt

pytestmark = [pytest.mark.nightly, pytest.mark.peers]
PEERS = ROOT / "Scripts/peers"


def script(name, *arguments):
    done = attempt(sys.executable, PEERS / name, *arguments, cwd=PEERS, timeout=None)
    print(done.stdout)
    assert done.returncode == 0, (done.stdout + done.stderr)[-2000:]


def test_demosaic(rawdev, shared, generator):
    pytest.importorskip("rawpy")
    script("demosaic_quality.py", "--rawdev", rawdev, "--shared", shared, "--generator", generator)


def test_noise(rawdev, shared):
    pytest.importorskip("skimage")
    script("denoise_quality.py", "--rawdev", rawdev, "--shared", shared)


def test_sharpness(rawdev, shared):
    """Beside RawTherapee, which must be installed."""
    installed("rawtherapee-cli")
    script("sharpening_quality.py", "--rawdev", rawdev, "--photos", shared / "photos")


def test_chart(rawdev, shared):
    """Beside darktable, RawTherapee and LibRaw's dcraw_emu, which must be installed."""
    pytest.importorskip("colour")
    installed("darktable-cli", "rawtherapee-cli", "dcraw_emu")
    script("chart.py", "--rawdev", rawdev, "--file", shared / "raws/canonKissX4_colorchart.dng")


def test_brackets(rawdev, generator):
    """Beside hdrmerge, which must be installed."""
    installed("hdrmerge")
    script("bracket_merge.py", "--rawdev", rawdev, "--generator", generator)
