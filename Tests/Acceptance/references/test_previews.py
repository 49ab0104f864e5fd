"""The default look in SDR against the previews that cameras put into their raws.

Each raw with a preview is developed small to a Display P3 TIFF; picture and preview are averaged
over the same 24 x 16 cells (turned alike) and compared: EV is log2 of the ratio of mean luminance,
dL* the difference of mean CIE L*. The median of |EV| stays below 0.5: a look is a choice, but not a
stop away from the camera's.
"""
import contextlib
import io
import json
import statistics

import numpy as np
import pytest
import tifffile
from PIL import Image, ImageOps

from support import light
from support.checks import check
from support.program import attempt

pytestmark = pytest.mark.nightly
TABLE = "The default look against camera previews (references/test_previews.py)"
P3_LUMINANCE = np.array([0.2290, 0.6917, 0.0793])
SRGB_LUMINANCE = np.array([0.2126, 0.7152, 0.0722])


def preview(path):
    """The largest embedded JPEG, upright, None without one."""
    pictures = []
    for tag in ["JpgFromRaw", "PreviewImage", "OtherImage", "ThumbnailImage"]:
        data = attempt("exiftool", "-b", "-a", "-" + tag, path, text=False).stdout
        with contextlib.suppress(OSError, ValueError):
            picture = Image.open(io.BytesIO(data))
            picture.load()
            pictures.append(picture)
    best = max(pictures, key=lambda picture: picture.width, default=None)
    if best is None or best.width < 100:
        return None
    if 274 not in best.getexif():
        own = attempt("exiftool", "-n", "-s3", "-Orientation", path).stdout
        best.getexif()[274] = int(own or 1)
    return ImageOps.exif_transpose(best).convert("RGB")


def lightness(y):
    y = np.maximum(y, 0)
    return np.where(y > 216 / 24389, 116 * np.cbrt(y) - 16, y * 24389 / 27)


def test_previews(rawdev, shared, tmp, record):
    stops = []
    for path in sorted(p for p in (shared / "raws").iterdir() if p.suffix != ".json"):
        other, out = preview(path), tmp / "small.tif"
        if other is None:
            record(TABLE, file=path.name, preview="none")
            continue
        row = {"file": path.name, "preview": f"{other.width}x{other.height}"}
        done = attempt(rawdev, "develop", path, "-o", out, "--format", "tiff", "--tiff-compression",
                       "none", "--scale-factor", "0.125", "--json")
        if done.returncode:
            said = done.stderr.strip().splitlines()[-1].split(": ", 2)[-1][:80]
            record(TABLE, **row, refused=said)
            continue
        ours = light.cells(light.srgb_light(tifffile.imread(out) / 65535) @ P3_LUMINANCE, 16, 24)
        theirs = light.cells(light.srgb_light(np.asarray(other) / 255) @ SRGB_LUMINANCE, 16, 24)
        ev = np.log2(ours.mean() / theirs.mean())
        la, lb = lightness(ours), lightness(theirs)
        stops.append(abs(ev))
        record(TABLE, **row, **{
            "baseline EV": f"{json.loads(done.stdout)['baselineExposure']:+.2f}",
            "EV": f"{ev:+.2f}", "dL*": f"{la.mean() - lb.mean():+.1f}",
            "L* ours": f"{la.mean():.1f}", "L* preview": f"{lb.mean():.1f}",
            "correlation": f"{np.corrcoef(la.ravel(), lb.ravel())[0, 1]:.3f}"})
    middle = statistics.median(stops)
    record(TABLE, file="median of absolute EV", EV=f"{middle:.2f}")
    check("median of absolute EV", middle <= 0.5, middle)
