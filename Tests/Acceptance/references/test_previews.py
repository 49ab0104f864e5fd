"""The default picture in SDR beside the previews that cameras put into their raws: the limits that
Scripts/gallery judges by, which also makes the pictures to look at."""
import statistics

import pytest
from PIL import Image

from support import appearance
from support.appearance import FIGURES, shown
from support.checks import check
from support.program import attempt

pytestmark = pytest.mark.full
TABLE = "The default picture beside camera previews (references/test_previews.py)"


def test_previews(rawdev, shared, tmp, record):
    rows = []
    for path in appearance.raws([shared / "raws", shared / "more/raws"]):
        camera, out = appearance.preview(path), tmp / "small.png"
        if camera is None:
            record(TABLE, file=path.name, preview="none")
            continue
        done = attempt(rawdev, "develop", path, "-o", out, "--format", "png-sdr", "--bits", 8,
                       "--color-space", "srgb", "--scale-factor", "0.5", "--overwrite")
        row = {"file": path.name, "preview": f"{camera.width}x{camera.height}"}
        if done.returncode:
            said = done.stderr.strip().splitlines()[-1].split(": ", 2)[-1][:80]
            record(TABLE, **row, refused=said)
            continue
        found, _ = appearance.compared(Image.open(out).convert("RGB"), camera)
        record(TABLE, **row, **{key: shown(found[key]) for key in FIGURES})
        if found["correlation"] > 0.5:
            rows.append(found)
    check("pictures beside previews", len(rows) >= 12, len(rows))
    means = {key: statistics.fmean(row[key] for row in rows) for key in appearance.LIMITS}
    record(TABLE, file=f"mean of {len(rows)}", **{key: shown(means[key]) for key in means})
    for key, limit in appearance.LIMITS.items():
        check(f"mean {key}", abs(means[key]) <= limit, means[key])
