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

from support.checks import check, near
from support.light import cells
from support.program import SHARED, run

pytestmark = [pytest.mark.nightly, pytest.mark.peers]
TABLE = "Camera raws against LibRaw (references/test_color.py)"
OPTIONS = ["--format", "tiff-float", "--boost-amount", "0", "--no-gamut-mapping",
           "--no-highlight-recovery", "--tiff-compression", "none", "--baseline-exposure", "0"]


def unclipped(path, flip):
    """Which cells of the upright picture hold next to no saturated photosites."""
    rawpy = pytest.importorskip("rawpy")
    with rawpy.imread(str(path)) as raw:
        full = raw.raw_image_visible >= 0.98 * raw.white_level
    return cells(np.rot90(full, {0: 0, 3: 2, 5: 1, 6: -1}[flip]), 6, 8) < 1e-4


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
    use = unclipped(path, doc["sizes"]["flip"])
    wanted = np.array(doc["development"]["grid"])[use] * max(white) / min(white)
    got = cells(picture, 6, 8)[use]
    difference = np.where(np.abs(got - wanted) <= 5e-4, 0, np.abs(got - wanted))
    strict = (difference / np.maximum(np.abs(wanted), 1e-9)).max()
    largest = np.maximum(np.abs(wanted).max(axis=1, keepdims=True), 1e-9)
    cell = (difference / largest).max()
    mean = np.abs(got.mean(axis=0) / wanted.mean(axis=0) - 1).max()
    record(TABLE, file=path.name, mean=f"{mean:.3%}", **{
        "worst cell": f"{cell:.2%}", "strict": f"{strict:.2%}", "cells": int(use.sum())})
    near("mean", mean, 0, absolute=0.02)
    near("worst cell", cell, 0, absolute=0.02)
    size = picture.shape[1::-1]
    wanted = (doc["development"]["width"] * 2, doc["development"]["height"] * 2)
    check("size", np.abs(np.subtract(size, wanted)).max() <= 1, f"{size}, wanted {wanted}")
