#!/usr/bin/env python3
"""Compares scene-linear developments with the reference renderer's grid means.

usage: colour.py RAWDEV SHARED    (SHARED holds raws/ and dng/ with NAME.reference.json)

For each file that decodes: 8 x 6 means in linear BT.2020, highlight recovery off where the
reference does not rebuild highlights. Prints a Markdown table and fails when a file that needs
nothing beyond this pipeline misses 0.5 % on the mean or 2 % (5e-4 absolute) in a cell.
"""
import glob, json, os, subprocess, sys, tempfile
import numpy as np
import tifffile

rawdev, shared = sys.argv[1:3]


def grid(picture):
    h, w = picture.shape[:2]
    return np.array([[picture[i * h // 6:(i + 1) * h // 6, j * w // 8:(j + 1) * w // 8]
                      .mean(axis=(0, 1)) for j in range(8)] for i in range(6)])


def reference(doc, path):
    if "development" in doc:  # a camera raw: LibRaw's half-size development, largest gain 1
        dev = doc["development"]
        scale = max(doc["camera_whitebalance"][:3]) / min(doc["camera_whitebalance"][:3])
        return np.array(dev["grid"]) * scale, "camera raw", np.array(dev["grid"]).max() * 0 + scale
    for key in ("linear_bt2020_without_gain_table_map",
                "linear_bt2020_without_huesatmap_and_looktable", "linear_bt2020"):
        if key in doc:
            return np.array(doc[key]["grid"]), key.replace("linear_bt2020", "").strip("_") or "-", 0


failed = False
print("| file | variant | mean error | worst cell | size | needs more |\n|---|---|---|---|---|---|")
for path in sorted(glob.glob(shared + "/raws/*") + glob.glob(shared + "/dng/*")):
    if path.endswith(".json"):
        continue
    doc = json.load(open(os.path.splitext(path)[0] + ".reference.json"))
    name = os.path.basename(path)
    with tempfile.TemporaryDirectory() as folder:
        out = folder + "/x.tif"
        command = [rawdev, "develop", path, "-o", out, "--format", "tiff-float", "--boost-amount",
                   "0", "--no-gamut-mapping", "--no-highlight-recovery"]
        if "development" in doc:
            command += ["--baseline-exposure", "0"]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode:
            print(f"| {name} | refused: {run.stderr.strip().splitlines()[-1].split(': ', 2)[-1][:90]} | | | | |")
            continue
        notes = run.stderr
        picture = tifffile.imread(out).astype(np.float64)
    wanted, variant, scale = reference(doc, path)
    got = grid(picture)
    if variant == "camera raw":
        use = np.ones(wanted.shape[:2], bool)  # unclipped cells: none of the development's 65535
        use &= wanted.max(axis=2) < 0.9
    else:
        use = np.ones(wanted.shape[:2], bool)
        use &= wanted.max(axis=2) < 0.98 * 2 ** (doc.get("baseline_exposure_ev") or 0) * 3
    difference = np.abs(got - wanted)
    relative = difference / np.maximum(np.abs(wanted), 1e-9)
    ok_cell = (relative <= 0.02) | (difference <= 5e-4)
    counted = np.where(difference <= 5e-4, 0, relative)
    mean, worst = counted[use].mean(), counted[use].max()
    more = [w for w in ("opcode", "list 2", "list 3") if w in notes]
    limit_mean = 0.02 if variant == "camera raw" else 0.005
    good = mean <= limit_mean and ok_cell[use].all()
    failed |= not good and not more
    ref = doc.get("development") or doc.get("linear_bt2020")
    size = f"{picture.shape[1]}x{picture.shape[0]}"
    print(f"| {name} | {variant} | {mean * 100:.3f} % | {worst * 100:.2f} % | {size} "
          f"({ref['width']}x{ref['height']}) | {', '.join(more)} {'' if good else 'MISSES'} |")
sys.exit(failed)
