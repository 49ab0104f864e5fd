"""Every stage of DNG rendering against values of Adobe's DNG SDK 1.7.1 renderer (linear, unclipped
variant), by the program dng-reference (Tests/DNGReference), which holds the limits:

* stage 2 (mosaics: linear values before the demosaic) and stage 3 (files without a mosaic: camera
  values after OpcodeList3), minima, maxima, means and single pixels: 0.1 % (or 5e-5); stage 3 of
  mosaics, which the reference demosaics bilinearly, 0.5 % on the means;
* scene-linear BT.2020, means over 8 x 6 cells and of the picture, and single pixels: 0.1 % (or 5e-5)
  without a mosaic; 0.5 % on the mean with one, and 2 % (or 5e-4) of the largest channel in a cell;
* the same without the gain table map, without HueSatMap and LookTable, and for each profile of
  14_hdr_sdr_profiles.

Highlights stay as recorded, nothing is left out. Unclipped light went through tables of several
value divisions in the reference as a high-range profile does it, so the column "scene" of the three
adobe files is compared in that mode. The reference fills what the transparency mask of adobe_02
hides, at the borders, with white: of that file the inner cells count.
"""
import pytest

from support.checks import check
from support.program import attempt

TABLE = "DNG stages against the reference renderer (references/test_dng_reference.py)"


@pytest.mark.slow
def test_stages(rawdev, shared, record):
    program = rawdev.with_name("dng-reference")
    if not program.exists():
        pytest.skip(f"{program.name} is not built")
    done = attempt(program, shared, timeout=None)
    rows = [[cell.strip() for cell in line.strip("|").split("|")]
            for line in done.stdout.splitlines() if line.startswith("|") and "---" not in line]
    for row in rows[1:]:
        record(TABLE, **dict(zip(rows[0], row)))
        check(row[0], row[-1] == "ok", row)
    check("all limits are met", done.returncode == 0 and len(rows) > 1, done.stderr[-500:])
