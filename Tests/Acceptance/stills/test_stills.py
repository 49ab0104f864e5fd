"""PNG, JPEG XL, AVIF and gain-map files read by programs that are not ours: exiftool, libpng,
libjxl, libultrahdr and libavif (imagecodecs), avifdec, djxl, FFmpeg (PyAV) and libheif
(pillow-heif), against a float TIFF of the same light; then each converted to a PQ PNG by
`rawdev convert` and compared again.
"""
import functools

import imagecodecs
import numpy as np
import pillow_heif
import pytest
import tifffile

from hostile.damage import chunks
from readers.account import frame
from support import light
from support.boxes import Still
from support.checks import check
from support.program import FIXTURES, run, tags

TO_P3 = np.array([[1.3435783, -0.2821797, -0.0613986], [-0.0652975, 1.0757879, -0.0104905],
                  [0.0028218, -0.0195985, 1.0167767]])  # BT.2020 to Display P3, both D65
TABLE = "Light of stills in other decoders (stills/test_stills.py)"
CONVERTED = "Light of stills after rawdev convert to PQ PNG (stills/test_stills.py)"


class Developed:
    """A fixture, its light, and what it is developed to."""

    def __init__(self, session, fixture):
        self.session, self.fixture, self.rawdev = session, fixture, session.rawdev

    def __call__(self, kind, *options):
        """Path and JSON report."""
        return self.session.develop(FIXTURES / f"{self.fixture}.dng", kind, *options)

    @functools.cached_property
    def truth(self):
        return np.maximum(tifffile.imread(self("tiff-float")[0]).astype(np.float64), 0)

    @functools.cached_property
    def pq_codes(self):
        return 65535 * light.pq_signal(self.truth)


@pytest.fixture(scope="module", params=["sunset-bayer", "sunset-linear"])
def develop(request, session):
    return Developed(session, request.param)


def png_light(path):
    return light.pq_light(imagecodecs.png_decode(path.read_bytes()) / 65535.0)


def compare(name, got, wanted, median, most):
    """Relative differences of 8 x 8 means: their median, and the 99th hundredth."""
    got, wanted = light.blocks(got), light.blocks(wanted)
    difference = np.abs(got - wanted) / np.maximum(np.abs(wanted), 0.01)
    middle, top = np.median(difference), np.quantile(difference, 0.99)
    check(name, middle <= median and top <= most, f"median {middle:.4f}, 99 % {top:.4f}")
    return f"median {middle:.3%}, 99 % below {top:.2%}"


def test_png(develop):
    fixture = develop.fixture
    path, report = develop("png")
    data = path.read_bytes()
    known = {data[at + 4:at + 8]: data[at + 8:at + 8 + size] for at, size in chunks(data)}
    check(f"{fixture} png cICP", known[b"cICP"] == bytes([9, 16, 0, 1]), known[b"cICP"])
    levels = [level / 1e4 for level in np.frombuffer(known[b"cLLI"], ">u4")]
    check(f"{fixture} png cLLI", levels == [report["maxCLL"], report["maxFALL"]], levels)
    facts = tags(path, "-u")
    check(f"{fixture} png exiftool", facts.get("PNG-cICP:TransferCharacteristics") == 16
          and "ExifTool:Warning" not in facts, str(facts)[:300])
    worst = np.abs(imagecodecs.png_decode(data).astype(np.float64) - develop.pq_codes).max()
    check(f"{fixture} png codes", worst <= 1.0, f"largest difference {worst:.2f}")
    path, _ = develop("png-sdr", "--bits", "8")
    check(f"{fixture} png-sdr", imagecodecs.png_decode(path.read_bytes()).dtype == np.uint8)


def test_jpeg_xl(develop, record):
    fixture = develop.fixture
    decoded = imagecodecs.jpegxl_decode(develop("jxl", "--quality", "1")[0].read_bytes())
    worst = np.abs(decoded.astype(np.float64) - develop.pq_codes).max()
    check(f"{fixture} jxl lossless codes", decoded.dtype == np.uint16 and worst <= 1.0, f"{decoded.dtype}, {worst:.2f}")
    decoded = imagecodecs.jpegxl_decode(develop("jxl")[0].read_bytes())
    record(TABLE, file=f"{fixture} jxl", decoder="libjxl", difference=compare(
        f"{fixture} jxl", light.pq_light(decoded / 65535.0), develop.truth, 0.02, 0.15))


def test_gain_map_jpeg(develop, record):
    fixture = develop.fixture
    path, _ = develop("jpeg-gainmap")
    facts = tags(path, "-u")
    for wanted in ["MPF0:", "XMP-hdrgm:", "XMP-Container:"]:
        check(f"{fixture} jpeg {wanted}", wanted in " ".join(facts), str(facts)[:600])
    # exiftool does not know the segment of ISO 21496-1.
    warning = facts.get("ExifTool:Warning", "none")
    check(f"{fixture} jpeg warning", warning in ("none", "[minor] Unknown APP2 segment"), warning)
    shown = imagecodecs.ultrahdr_decode(path.read_bytes()).astype(np.float64)[..., :3]
    p3 = np.maximum(tifffile.imread(develop("tiff-float")[0]).astype(np.float64) @ TO_P3.T, 0)
    record(TABLE, file=f"{fixture} jpeg-gainmap", decoder="libultrahdr", difference=compare(
        f"{fixture} jpeg by libultrahdr", shown[:p3.shape[0], :p3.shape[1]], p3, 0.05, 0.6))


def test_gain_map_heic(develop):
    aux = pillow_heif.open_heif(develop("heic-gainmap")[0]).info.get("aux", {})
    check(f"{develop.fixture} heic aux", "urn:com:apple:photo:2020:aux:hdrgainmap" in aux, aux)


@pytest.mark.parametrize("kind, options, bits, transfer", [
    ("avif", [], 10, 16), ("avif", ["--bits", "12", "--chroma", "444"], 12, 16), ("avif-hlg", [], 10, 18),
    ("avif-sdr", ["--bits", "8"], 8, 13), ("avif-sdr", [], 10, 13), ("avif-gainmap", [], 8, 13)])
def test_avif(develop, record, kind, options, bits, transfer):
    """Every kind by libavif (two releases) and exiftool; the gain map by its boxes."""
    name, full = f"{develop.fixture} {kind} {bits}", "444" in options
    path, report = develop(kind, *options)
    info = run("avifdec", "--info", path).decode()
    lines = [line.partition(":") for line in info.splitlines()]
    facts = {key.strip(" *"): value.strip() for key, _, value in lines}
    primaries, matrix = ("12", "6") if transfer == 13 else ("9", "9")
    wanted = {"Bit Depth": str(bits), "Range": "Full", "Transfer Char.": str(transfer),
              "Color Primaries": primaries, "Matrix Coeffs.": matrix,
              "Format": "YUV444" if full else "YUV420"}
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
    codes = imagecodecs.avif_decode(path.read_bytes())
    check(f"{name} depth", codes.dtype == (np.uint8 if bits == 8 else np.uint16)
          and codes.max() < 1 << bits, f"{codes.dtype}, {codes.max()}")
    if transfer != 13:
        levels = list(np.frombuffer(still.property("clli")[:4], ">u2"))
        check(f"{name} clli", levels == [report["maxCLL"], report["maxFALL"]], levels)
        decode = light.pq_light if transfer == 16 else light.hlg_light
        # Saturated colors lose luminance where four pixels share their chroma.
        record(TABLE, file=name, decoder="libavif", difference=compare(
            f"{name} by libavif", decode(codes[..., :3] / (2.0 ** bits - 1)), develop.truth,
            *((0.01, 0.05) if full else (0.03, 0.3))))
    if kind == "avif-gainmap":
        other = [number for number, item in still.types.items() if item == "tmap"]
        stored = still.item(other[0]) if other else b""
        check(f"{name} tmap", len(other) == 1 and "tmap" in still.brands and stored[:5] == bytes(5)
              and still.property("colr", other[0])[:4] == b"nclx", f"{other} {still.brands} {stored[:8]!r}")


def test_tools(develop, folder):
    """What the tools of libjxl, and FFmpeg, say of the same files."""
    fixture = develop.fixture
    jxl = develop("jxl")[0]
    said = run("jxlinfo", jxl).decode()
    check(f"{fixture} jxlinfo", "16-bit RGB" in said and "Rec.2100" in said and "PQ" in said, said)
    run("djxl", jxl, folder / "tool.png")
    ours = imagecodecs.jpegxl_decode(jxl.read_bytes()).astype(np.int64)
    worst = np.abs(imagecodecs.png_decode((folder / "tool.png").read_bytes())[..., :3] - ours).max()
    check(f"{fixture} djxl", worst <= 64, f"differs from libjxl of today by {worst} of 65535")
    decoder, picture = frame(develop("avif")[0])
    found = picture.format.name, picture.color_trc, picture.color_primaries
    check(f"{fixture} ffmpeg avif", "av1" in decoder and found == ("yuv420p10le", 16, 9), found)


def test_transfers(develop, folder, record):
    """The same light as HLG and as PQ, below the 1000 cd/m² where HLG ends; a thumbnail."""
    fixture = develop.fixture
    source, _ = develop("png")

    def converted(path, out, *options):
        run(develop.rawdev, "convert", path, folder / out, *options)
        return folder / out

    direct = png_light(converted(source, "direct.png", "--exposure", "-0.5", "--format", "png"))
    hlg = converted(source, "hlg.png", "--exposure", "-0.5", "--format", "png-hlg")
    again = png_light(converted(hlg, "again.png", "--format", "png"))
    worst = (np.abs(direct - again) / np.maximum(direct, 0.01)).max()
    check(f"{fixture} HLG and PQ", worst <= 0.01, f"{worst:.5f}")
    record(CONVERTED, file=f"{fixture} PQ to HLG to PQ", difference=f"most {worst:.3%}")
    small = pillow_heif.open_heif(converted(source, "small.heic", "--thumbnail", "160"))
    thumbnails = small.info.get("thumbnails", [])
    check(f"{fixture} thumbnail by libheif", 160 in thumbnails, thumbnails)


@pytest.mark.parametrize("kind, median, most", [
    ("png", 0.001, 0.01), ("jxl", 0.02, 0.15), ("jpeg-gainmap", 0.05, 0.5), ("heic-gainmap", 0.05, 0.5),
    ("heif-pq", 0.03, 0.3), ("avif", 0.03, 0.3), ("avif-hlg", 0.03, 0.3), ("avif-gainmap", 0.05, 0.5)])
def test_converted(develop, tmp, record, kind, median, most):
    path, name = develop(kind)[0], f"{develop.fixture} {kind}"
    run(develop.rawdev, "convert", path, tmp / "converted.png", "--format", "png")
    record(CONVERTED, file=f"{name}{path.suffix}", difference=compare(
        f"{name} converted", png_light(tmp / "converted.png"), develop.truth, median, most))
