#!/usr/bin/env python3
"""Reads PNG, JPEG XL and gain-map files that rawdev writes with programs that are not ours.

usage: stills.py RAWDEV

Develops fixtures to every such kind and to a float TIFF of the same light, and reads them with
exiftool, libpng, libjxl and libultrahdr (imagecodecs) and libheif (pillow-heif); then converts each
to a PQ PNG with `rawdev convert` and compares light again. Ends with "N passed, M failed" and fails
when M is not 0. Needs imagecodecs, numpy, tifffile, pillow-heif.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import imagecodecs
import numpy as np
import pillow_heif
import tifffile

import light

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ["sunset-bayer", "sunset-linear"]
TO_P3 = np.array([[1.3435783, -0.2821797, -0.0613986],
                  [-0.0652975, 1.0757879, -0.0104905],
                  [0.0028218, -0.0195985, 1.0167767]])  # BT.2020 to Display P3, both D65

passed = failed = 0


def check(name, good, detail=""):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print(f"FAILED {name}: {detail}", flush=True)


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True)
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed: {done.stderr[-400:]!r}")
    return done.stdout


def exif(path):
    return json.loads(run("exiftool", "-j", "-n", "-G1", "-u", path))[0]


def chunks(data):
    at, found = 8, {}
    while at + 12 <= len(data):
        size = int.from_bytes(data[at:at + 4], "big")
        found.setdefault(data[at + 4:at + 8].decode("latin1"), data[at + 8:at + 8 + size])
        at += 12 + size
    return found


def compare(name, got, wanted, median, most):
    """Shares of 8 x 8 means: their median, and the 99th hundredth."""
    got, wanted = light.blocks(got), light.blocks(wanted)
    share = np.abs(got - wanted) / np.maximum(np.abs(wanted), 0.01)
    middle, top = np.median(share), np.quantile(share, 0.99)
    check(name, middle <= median and top <= most, f"median {middle:.4f}, 99 % {top:.4f}")
    print(f"  {name}: median {100 * middle:.3f} %, 99 % below {100 * top:.2f} %", flush=True)


def main():
    rawdev = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for fixture in FIXTURES:
            raw = ROOT / "Fixtures" / f"{fixture}.dng"

            def develop(kind, suffix, *options):
                path = folder / f"{fixture}-{kind}{suffix}"
                report = run(rawdev, "develop", raw, "-o", path, "--format", kind, "--json", *options)
                return path, json.loads(report)

            truth = tifffile.imread(develop("tiff-float", ".tif")[0]).astype(np.float64)
            path, report = develop("png", ".png")
            data = path.read_bytes()
            known = chunks(data)
            check(f"{fixture} png cICP", known["cICP"] == bytes([9, 16, 0, 1]), known["cICP"])
            levels = [int.from_bytes(known["cLLI"][i:i + 4], "big") / 1e4 for i in (0, 4)]
            check(f"{fixture} png cLLI", levels == [report["maxCLL"], report["maxFALL"]], levels)
            tags = exif(path)
            check(f"{fixture} png exiftool", tags.get("PNG-cICP:TransferCharacteristics") == 16
                  and "ExifTool:Warning" not in tags, str(tags)[:300])
            codes = imagecodecs.png_decode(data).astype(np.float64)
            wanted = 65535 * light.pq_signal(np.maximum(truth, 0))
            worst = np.abs(codes - wanted).max()
            check(f"{fixture} png codes", worst <= 1.0, f"largest difference {worst:.2f}")
            path, _ = develop("png-sdr", ".png", "--bits", "8")
            check(f"{fixture} png-sdr", imagecodecs.png_decode(path.read_bytes()).dtype == np.uint8)

            path, _ = develop("jxl", ".jxl", "--quality", "1")
            decoded = imagecodecs.jpegxl_decode(path.read_bytes())
            worst = np.abs(decoded.astype(np.float64) - wanted).max()
            check(f"{fixture} jxl lossless codes", decoded.dtype == np.uint16 and worst <= 1.0,
                  f"{decoded.dtype}, {worst:.2f}")
            path, _ = develop("jxl", ".jxl")
            compare(f"{fixture} jxl", light.pq_light(
                imagecodecs.jpegxl_decode(path.read_bytes()) / 65535.0), truth, 0.02, 0.15)

            path, report = develop("jpeg-gainmap", ".jpg")
            tags = exif(path)
            found = " ".join(tags)
            for wanted_tag in ["MPF0:", "XMP-hdrgm:", "XMP-Container:"]:
                check(f"{fixture} jpeg {wanted_tag}", wanted_tag in found, found[:600])
            # exiftool does not know the segment of ISO 21496-1.
            warning = tags.get("ExifTool:Warning", "none")
            check(f"{fixture} jpeg warning", warning in ("none", "[minor] Unknown APP2 segment"),
                  warning)
            shown = imagecodecs.ultrahdr_decode(path.read_bytes()).astype(np.float64)[..., :3]
            p3 = truth @ TO_P3.T
            compare(f"{fixture} jpeg by libultrahdr", shown[:p3.shape[0], :p3.shape[1]],
                    np.maximum(p3, 0), 0.05, 0.6)

            path, report = develop("heic-gainmap", ".heic")
            still = pillow_heif.open_heif(path)
            aux = still.info.get("aux", {})
            check(f"{fixture} heic aux", "urn:com:apple:photo:2020:aux:hdrgainmap" in aux, aux)
            for kind in ["jpeg", "heif-pq"]:
                develop(kind, ".jpg" if kind == "jpeg" else ".heic")
            for source, median, most in [("png.png", 0.001, 0.01), ("jxl.jxl", 0.02, 0.15),
                                         ("jpeg-gainmap.jpg", 0.05, 0.5),
                                         ("heic-gainmap.heic", 0.05, 0.5),
                                         ("heif-pq.heic", 0.03, 0.3)]:
                out = folder / "converted.png"
                run(rawdev, "convert", folder / f"{fixture}-{source}", out)
                back = light.pq_light(imagecodecs.png_decode(out.read_bytes()) / 65535.0)
                compare(f"{fixture} {source} converted", back, np.maximum(truth, 0), median, most)
                out.unlink()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
