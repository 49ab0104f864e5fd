"""PNG, JPEG XL, AVIF and gain-map files read by programs that are not ours: exiftool, libpng, libjxl,
libultrahdr and libavif (imagecodecs), avifdec, djxl, ffprobe and libheif (pillow-heif), against a float
TIFF of the same light; then each converted to a PQ PNG by `rawdev convert` and compared again.
"""
import json

import imagecodecs
import numpy as np
import pillow_heif
import pytest
import tifffile

from support import light
from support.checks import check
from support.heif_boxes import Still
from support.program import FIXTURES, run, tags

TO_P3 = np.array([[1.3435783, -0.2821797, -0.0613986],
                  [-0.0652975, 1.0757879, -0.0104905],
                  [0.0028218, -0.0195985, 1.0167767]])  # BT.2020 to Display P3, both D65

TABLE = "Light of stills in other decoders (stills/test_stills.py)"
CONVERTED = "Light of stills after rawdev convert to PQ PNG (stills/test_stills.py)"


class Developed:
    """A fixture developed to each kind once."""

    def __init__(self, rawdev, folder, fixture):
        self.rawdev, self.folder, self.fixture, self.made = rawdev, folder, fixture, {}

    def __call__(self, kind, suffix, *options):
        """Path and JSON report."""
        if (kind, options) not in self.made:
            form = "".join(option for option in options if not option.startswith("--"))
            path = self.folder / f"{self.fixture}-{kind}{form}{suffix}"
            report = run(self.rawdev, "develop", FIXTURES / f"{self.fixture}.dng", "-o", path,
                         "--format", kind, "--json", *options)
            self.made[kind, options] = path, json.loads(report)
        return self.made[kind, options]

    @property
    def truth(self):
        return tifffile.imread(self("tiff-float", ".tif")[0]).astype(np.float64)


@pytest.fixture(scope="module", params=["sunset-bayer", "sunset-linear"])
def develop(request, rawdev, folder):
    return Developed(rawdev, folder, request.param)


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
    return f"median {middle:.3%}, 99 % below {top:.2%}"


def test_png(develop):
    fixture, truth = develop.fixture, develop.truth
    path, report = develop("png", ".png")
    data = path.read_bytes()
    known = chunks(data)
    check(f"{fixture} png cICP", known["cICP"] == bytes([9, 16, 0, 1]), known["cICP"])
    levels = [int.from_bytes(known["cLLI"][i:i + 4], "big") / 1e4 for i in (0, 4)]
    check(f"{fixture} png cLLI", levels == [report["maxCLL"], report["maxFALL"]], levels)
    facts = tags(path, "-u")
    check(f"{fixture} png exiftool", facts.get("PNG-cICP:TransferCharacteristics") == 16
          and "ExifTool:Warning" not in facts, str(facts)[:300])
    codes = imagecodecs.png_decode(data).astype(np.float64)
    wanted = 65535 * light.pq_signal(np.maximum(truth, 0))
    worst = np.abs(codes - wanted).max()
    check(f"{fixture} png codes", worst <= 1.0, f"largest difference {worst:.2f}")
    path, _ = develop("png-sdr", ".png", "--bits", "8")
    check(f"{fixture} png-sdr", imagecodecs.png_decode(path.read_bytes()).dtype == np.uint8)


def test_jpeg_xl(develop, record):
    fixture, truth = develop.fixture, develop.truth
    wanted = 65535 * light.pq_signal(np.maximum(truth, 0))
    path, _ = develop("jxl", ".jxl", "--quality", "1")
    decoded = imagecodecs.jpegxl_decode(path.read_bytes())
    worst = np.abs(decoded.astype(np.float64) - wanted).max()
    check(f"{fixture} jxl lossless codes", decoded.dtype == np.uint16 and worst <= 1.0,
          f"{decoded.dtype}, {worst:.2f}")
    path, _ = develop("jxl", ".jxl")
    record(TABLE, file=f"{fixture} jxl", decoder="libjxl", difference=compare(
        f"{fixture} jxl", light.pq_light(
            imagecodecs.jpegxl_decode(path.read_bytes()) / 65535.0), truth, 0.02, 0.15))


def test_gain_map_jpeg(develop, record):
    fixture, truth = develop.fixture, develop.truth
    path, report = develop("jpeg-gainmap", ".jpg")
    facts = tags(path, "-u")
    found = " ".join(facts)
    for wanted_tag in ["MPF0:", "XMP-hdrgm:", "XMP-Container:"]:
        check(f"{fixture} jpeg {wanted_tag}", wanted_tag in found, found[:600])
    # exiftool does not know the segment of ISO 21496-1.
    warning = facts.get("ExifTool:Warning", "none")
    check(f"{fixture} jpeg warning", warning in ("none", "[minor] Unknown APP2 segment"),
          warning)
    shown = imagecodecs.ultrahdr_decode(path.read_bytes()).astype(np.float64)[..., :3]
    p3 = truth @ TO_P3.T
    record(TABLE, file=f"{fixture} jpeg-gainmap", decoder="libultrahdr", difference=compare(
        f"{fixture} jpeg by libultrahdr", shown[:p3.shape[0], :p3.shape[1]],
        np.maximum(p3, 0), 0.05, 0.6))


def test_gain_map_heic(develop):
    fixture = develop.fixture
    path, report = develop("heic-gainmap", ".heic")
    still = pillow_heif.open_heif(path)
    aux = still.info.get("aux", {})
    check(f"{fixture} heic aux", "urn:com:apple:photo:2020:aux:hdrgainmap" in aux, aux)


def test_avif(develop, record):
    """Every kind by libavif (two releases) and exiftool; the gain map by its boxes."""
    fixture, truth = develop.fixture, develop.truth
    linear = {16: light.pq_light, 18: light.hlg_light}
    for kind, options, bits, transfer in [
            ("avif", [], 10, 16), ("avif", ["--bits", "12", "--chroma", "444"], 12, 16),
            ("avif-hlg", [], 10, 18), ("avif-sdr", ["--bits", "8"], 8, 13),
            ("avif-sdr", [], 10, 13), ("avif-gainmap", [], 8, 13)]:
        name = f"{fixture} {kind} {bits}"
        path, report = develop(kind, ".avif", *options)
        info = run("avifdec", "--info", path).decode()
        lines = [line.partition(":") for line in info.splitlines()]
        facts = {key.strip(" *"): value.strip() for key, _, value in lines}
        wanted = {"Bit Depth": str(bits), "Range": "Full", "Transfer Char.": str(transfer),
                  "Color Primaries": "12" if transfer == 13 else "9",
                  "Matrix Coeffs.": "6" if transfer == 13 else "9",
                  "Format": "YUV444" if "444" in options else "YUV420"}
        found = {key: facts.get(key) for key in wanted}
        check(f"{name} avifdec", found == wanted, found)
        check(f"{name} avifdec metadata", all(
            facts.get(f"{key} Metadata", "").startswith("Present") for key in ["Exif", "XMP"]), info)
        known = tags(path, "-u")
        check(f"{name} exiftool", known.get("File:MIMEType") == "image/avif"
              and "ExifTool:Warning" not in known and "IFD0:Orientation" in known, str(known)[:600])
        still = Still(path)
        check(f"{name} boxes", still.major == "avif" and "miaf" in still.brands
              and ("MA1B" in still.brands) == (bits < 12), still.brands)
        levels = still.property("clli")
        if transfer != 13:
            levels = [int.from_bytes(levels[i:i + 2], "big") for i in (0, 2)]
            check(f"{name} clli", levels == [report["maxCLL"], report["maxFALL"]], levels)
        codes = imagecodecs.avif_decode(path.read_bytes())
        check(f"{name} depth", codes.dtype == (np.uint8 if bits == 8 else np.uint16)
              and codes.max() < 1 << bits, f"{codes.dtype}, {codes.max()}")
        signal = codes[..., :3] / (2.0 ** bits - 1)
        if transfer in linear:
            # Strong colours lose light where four pixels share their chroma.
            limits = (0.01, 0.05) if "444" in options else (0.03, 0.3)
            record(TABLE, file=name, decoder="libavif", difference=compare(
                f"{name} by libavif", linear[transfer](signal), np.maximum(truth, 0), *limits))
        if kind == "avif-gainmap":
            other = [n for n, t in still.types.items() if t == "tmap"]
            record = still.item(other[0]) if other else b""
            check(f"{name} tmap", len(other) == 1 and "tmap" in still.brands
                  and record[:5] == bytes(5) and still.property("colr", other[0])[:4] == b"nclx",
                  f"{other} {still.brands} {record[:8]!r}")


def test_tools(develop, folder):
    """What the tools of libjxl, libavif and ffmpeg say of the same files."""
    fixture = develop.fixture
    jxl, avif_file = develop("jxl", ".jxl")[0], develop("avif", ".avif")[0]
    said = run("jxlinfo", jxl).decode()
    check(f"{fixture} jxlinfo", "16-bit RGB" in said and "Rec.2100" in said and "PQ" in said, said)
    decoded = folder / "tool.png"
    run("djxl", jxl, decoded)
    ours = imagecodecs.jpegxl_decode(jxl.read_bytes()).astype(np.int64)
    worst = np.abs(imagecodecs.png_decode(decoded.read_bytes())[..., :3] - ours).max()
    check(f"{fixture} djxl", worst <= 64, f"differs from libjxl of today by {worst} of 65535")
    said = run("avifdec", "--info", avif_file).decode()
    for line in ["Bit Depth      : 10", "Range          : Full", "Color Primaries: 9",
                 "Transfer Char. : 16", "Matrix Coeffs. : 9"]:
        check(f"{fixture} avifdec {line.split(':')[0].strip()}", line in said, said)
    # ffmpeg 5.1 knows no grids of AV1.
    small = folder / "small.avif"
    run(develop.rawdev, "convert", avif_file, small, "--max-size", "640")
    stream = json.loads(run("ffprobe", "-v", "error", "-of", "json", "-show_streams",
                            small))["streams"][0]
    check(f"{fixture} ffprobe avif", (stream["codec_name"], stream["pix_fmt"],
                                      stream["color_transfer"], stream["color_primaries"])
          == ("av1", "yuv420p10le", "smpte2084", "bt2020"), stream)


def test_transfers(develop, folder, record):
    """The same light as HLG and as PQ, below the 1000 cd/m² where hybrid log-gamma ends; a thumbnail."""
    fixture = develop.fixture
    source, _ = develop("png", ".png")

    def converted(path, out, *options):
        run(develop.rawdev, "convert", path, folder / out, *options)
        return folder / out

    direct = converted(source, "direct.png", "--exposure", "-0.5", "--format", "png")
    hlg = converted(source, "hlg.png", "--exposure", "-0.5", "--format", "png-hlg")
    again = converted(hlg, "again.png", "--format", "png")
    a, b = (light.pq_light(imagecodecs.png_decode(path.read_bytes()) / 65535.0)
            for path in (direct, again))
    share = np.abs(a - b) / np.maximum(a, 0.01)
    check(f"{fixture} HLG and PQ", share.max() <= 0.01, f"{share.max():.5f}")
    record(CONVERTED, file=f"{fixture} PQ to HLG to PQ", difference=f"most {share.max():.3%}")
    small = converted(source, "small.heic", "--thumbnail", "160")
    check(f"{fixture} thumbnail by libheif",
          160 in pillow_heif.open_heif(small).info.get("thumbnails", []),
          pillow_heif.open_heif(small).info.get("thumbnails"))


def test_converted(develop, folder, record):
    fixture, truth = develop.fixture, develop.truth
    for source, median, most in [("png.png", 0.001, 0.01), ("jxl.jxl", 0.02, 0.15),
                                 ("jpeg-gainmap.jpg", 0.05, 0.5),
                                 ("heic-gainmap.heic", 0.05, 0.5),
                                 ("heif-pq.heic", 0.03, 0.3),
                                 ("avif.avif", 0.03, 0.3),
                                 ("avif-hlg.avif", 0.03, 0.3),
                                 ("avif-gainmap.avif", 0.05, 0.5)]:
        out = folder / "converted.png"
        path, _ = develop(source.rpartition(".")[0], "." + source.rpartition(".")[2])
        run(develop.rawdev, "convert", path, out, "--format", "png")
        back = light.pq_light(imagecodecs.png_decode(out.read_bytes()) / 65535.0)
        record(CONVERTED, file=f"{fixture} {source}", difference=compare(
            f"{fixture} {source} converted", back, np.maximum(truth, 0), median, most))
        out.unlink()
