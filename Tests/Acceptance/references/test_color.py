"""Scene-linear developments of camera raws against LibRaw's grid means; DNGs are compared by
test_dng_reference.py.

Means over 8 x 6 cells in linear BT.2020 against LibRaw's half-size development, in the cells in
which fewer than 0.01 % of the photosites reach 98 % of white (counted in the mosaic by rawpy).
Limit 2 % of the cell's largest channel; the column "strict" is relative to the channel itself.
"""
import json

import numpy as np
import pytest
import tifffile

from support.checks import check
from support.program import SHARED, run

pytestmark = [pytest.mark.slow, pytest.mark.peers]
TABLE = "Camera raws against LibRaw (references/test_color.py)"
OPTIONS = ["--format", "tiff-float", "--boost-amount", "0", "--no-gamut-mapping",
           "--no-highlight-recovery", "--tiff-compression", "none", "--baseline-exposure", "0"]


def grid(picture):
    h, w = picture.shape[:2]
    return np.array([[picture[i * h // 6:(i + 1) * h // 6, j * w // 8:(j + 1) * w // 8]
                      .mean(axis=(0, 1)) for j in range(8)] for i in range(6)])


def unclipped(path, flip):
    """Which cells of the upright picture hold next to no saturated photosites."""
    rawpy = pytest.importorskip("rawpy")
    with rawpy.imread(str(path)) as raw:
        full = raw.raw_image_visible >= 0.98 * raw.white_level
    full = {0: full, 3: full[::-1, ::-1], 5: np.rot90(full), 6: np.rot90(full, -1)}[flip]
    return grid(full.astype(np.float64)[..., None])[..., 0] < 1e-4


def references():
    """Raws with a development by LibRaw beside them."""
    for path in sorted((SHARED / "raws").glob("*.reference.json")):
        if "development" in json.loads(path.read_text()):
            yield path.name.removesuffix(".reference.json")


@pytest.mark.parametrize("name", list(references()))
def test_color(rawdev, shared, tmp, record, name):
    doc = json.loads((shared / "raws" / f"{name}.reference.json").read_text())
    path = next(p for p in (shared / "raws").glob(f"{name}.*") if p.suffix != ".json")
    run(rawdev, "develop", path, "-o", tmp / "x.tif", *OPTIONS)
    picture = tifffile.imread(tmp / "x.tif").astype(np.float64)
    # LibRaw's scale has the largest multiplier at 1.
    white = doc["camera_whitebalance"][:3]
    wanted = np.array(doc["development"]["grid"]) * max(white) / min(white)
    use = unclipped(path, doc["sizes"]["flip"])
    got = grid(picture)
    difference = np.abs(got - wanted)
    small = difference <= 5e-4
    strict = np.where(small, 0, difference / np.maximum(np.abs(wanted), 1e-9))[use].max()
    largest = np.maximum(np.abs(wanted).max(axis=2, keepdims=True), 1e-9)
    cell = np.where(small, 0, difference / largest)[use].max()
    mean = np.abs(got[use].mean(axis=0) / wanted[use].mean(axis=0) - 1).max()
    sizes = (doc["development"]["width"] * 2, doc["development"]["height"] * 2)
    record(TABLE, file=path.name, mean=f"{mean:.3%}", **{
        "worst cell": f"{cell:.2%}", "strict": f"{strict:.2%}", "cells": int(use.sum())})
    check("mean", mean <= 0.02, mean)
    check("worst cell", cell <= 0.02, cell)
    check("size", max(abs(picture.shape[1] - sizes[0]), abs(picture.shape[0] - sizes[1])) <= 1,
          (picture.shape, sizes))
