"""Every stage of DNG rendering against values of Adobe's DNG SDK 1.7.1 renderer (linear, unclipped
variant), by the program dng-reference (Tests/DNGReference), which holds the limits.

Highlights stay as recorded, nothing is left out. Unclipped light went through tables of several
value divisions in the reference as a high-range profile does it, so the column "scene" of the three
adobe files is compared in that mode.
"""
import pytest

from support.checks import check
from support.needed import built
from support.program import attempt

TABLE = "DNG stages against the reference renderer (references/test_dng_reference.py)"


@pytest.mark.nightly
def test_stages(rawdev, shared, record):
    done = attempt(built(rawdev, "dng-reference"), shared, timeout=None)
    rows = [[cell.strip() for cell in line.strip("|").split("|")]
            for line in done.stdout.splitlines() if line.startswith("|") and "---" not in line]
    for row in rows[1:]:
        record(TABLE, **dict(zip(rows[0], row)))
        check(row[0], row[-1] == "ok", row)
    check("all limits are met", done.returncode == 0 and len(rows) > 1, done.stderr[-500:])
