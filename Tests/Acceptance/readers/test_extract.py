"""`rawdev extract`: pictures, profiles and maps as other programs read them."""
import json
import struct

import numpy as np
import pytest

from readers.account import TURNED, png
from readers.synthetic import TO_XYZ, auxiliary_dng
from support.checks import check, same
from support.program import run, tags


@pytest.mark.parametrize("number", TURNED)
def test_extracted(session, number):
    """PNG by two decoders, camera profiles by exiftool, maps by numpy."""
    raw, folder = session.folder / f"aux{number}.dng", session.folder / f"aux{number}"
    skin, depth, curve = auxiliary_dng(raw, number)
    lines = run(session.rawdev, "extract", raw, "-o", folder, "--json", text=True).splitlines()
    same("parts", sorted(json.loads(line)["part"] for line in lines),
         ["depth", "mattes", "profiles"])
    for name, stored in [("matte-skin", TURNED[number](skin)), ("depth", TURNED[number](depth))]:
        pixels = png(folder / f"aux{number}-{name}.png")
        same(f"{name} kind", (pixels.dtype, pixels.shape), (stored.dtype, stored.shape))
        check(f"{name} pixels", np.array_equal(pixels, stored), "differ")
    profile = folder / f"aux{number}-profile-Curve.dcp"
    t = tags(profile)
    for tag, value in [("File:FileType", "DCP"), ("IFD0:UniqueCameraModel", "rawdev test"),
                       ("IFD0:ColorMatrix1", " ".join(map(str, TO_XYZ)))]:
        same(tag, t.get(tag), value)
    got = np.array(run("exiftool", "-b", "-ProfileToneCurve", profile).split(), float)
    check("profile curve", got.shape == curve.shape and np.allclose(got, curve, atol=1e-6), got)
    report = json.loads(run(session.rawdev, "info", "--json", raw))
    same("info depth", {k: report["depth"][k] for k in ("format", "near", "far", "units")},
         {"format": "linear", "near": 0.5, "far": 5, "units": "meters"})


@pytest.mark.parametrize("name", ["proraw_unc16", "c_proraw_unc16", "synth_proraw_10bit"])
def test_gain_table_maps(session, shared, name):
    """Gain table maps of files outside the package against the tag's own bytes."""
    raw = shared / "dng" / f"{name}.dng"
    run(session.rawdev, "extract", raw, "-o", session.folder, "--only", "gain-table-map,preview")
    stored = (session.folder / f"{name}-gain-table-map.bin").read_bytes()
    other = run("exiftool", "-b", "-ProfileGainTableMap", raw)
    check("map as exiftool reads it", stored == other, "differs")
    numbers = json.loads((session.folder / f"{name}-gain-table-map.json").read_text())
    order = ">" if numbers["byteOrder"] == "big" else "<"
    gains = np.array(numbers["gains"], np.float32)
    same("map size", gains.shape, struct.unpack(order + "II32xI", stored[:44]))
    values = np.frombuffer(stored[64:], order + "f4")
    check("map gains", np.array_equal(gains.ravel(), values), "differ")
