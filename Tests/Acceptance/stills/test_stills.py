"""PNG, JPEG XL, AVIF and gain-map files read by programs that are not ours: exiftool, libpng,
libjxl, libultrahdr and libavif (imagecodecs), avifdec, djxl, FFmpeg (PyAV) and libheif
(pillow-heif), against a float TIFF of the same light; then each converted to a PQ PNG by
`rawdev convert` and compared again."""
import functools
import re

import imagecodecs
import numpy as np
import pillow_heif
import pytest
import tifffile

from hostile.damage import chunks
from readers.account import check_jpeg_warning, frame
from support import light
from support.boxes import Still
from support.checks import check, near, same
from support.program import run, tags
from support.tiers import few

TO_P3 = np.array([[1.3435783, -0.2821797, -0.0613986], [-0.0652975, 1.0757879, -0.0104905],
                  [0.0028218, -0.0195985, 1.0167767]])  # BT.2020 to Display P3, both D65
TABLE = "Light of stills in other decoders (stills/test_stills.py)"
CONVERTED = "Light of stills after rawdev convert to PQ PNG (stills/test_stills.py)"


@pytest.fixture(scope="module", params=few(1, ["sunset-linear", "sunset-bayer"]))
def fixture(request):
    return request.param


@pytest.fixture(scope="module")
def develop(session, fixture):
    return functools.partial(session.develop, fixture)


@pytest.fixture(scope="module")
def truth(develop):
    """The fixture's light."""
    return np.maximum(tifffile.imread(develop("tiff-float")[0]).astype(np.float64), 0)


def png_light(path):
    return light.pq_light(imagecodecs.png_decode(path.read_bytes()) / 65535.0)


def compare(record, table, file, got, wanted, median, most, **row):
    """Relative differences of light in 8 x 8 means: their median, and the 99th hundredth."""
    got, wanted = light.blocks(got), light.blocks(wanted)
    difference = np.abs(got - wanted) / np.maximum(np.abs(wanted), 0.01)
    middle, top = np.median(difference), np.quantile(difference, 0.99)
    check("light", middle <= median and top <= most, f"median {middle:.4f}, 99 % {top:.4f}")
    record(table, file=file, **row, difference=f"median {middle:.3%}, 99 % below {top:.2%}")


def with_shared_chroma(signals):
    """BT.2020 signals whose chroma each four pixels share: strong colors lose luminance."""
    luma = signals @ light.LUMINANCE
    rows, columns = luma.shape
    chroma = np.pad(signals - luma[..., None], ((0, rows % 2), (0, columns % 2), (0, 0)), "edge")
    shared = light.blocks(chroma, 2).repeat(2, 0).repeat(2, 1)[:rows, :columns]
    return np.clip(luma[..., None] + shared, 0, 1)


def test_png(develop, truth):
    path, report = develop("png")
    data = path.read_bytes()
    known = {data[at + 4:at + 8]: data[at + 8:at + 8 + size] for at, size in chunks(data)}
    same("cICP", known[b"cICP"], bytes([9, 16, 0, 1]))
    levels = [level / 1e4 for level in np.frombuffer(known[b"cLLI"], ">u4")]
    same("cLLI", levels, [report["maxCLL"], report["maxFALL"]])
    facts = tags(path, "-u")
    check("exiftool", facts.get("PNG-cICP:TransferCharacteristics") == 16
          and "ExifTool:Warning" not in facts, str(facts)[:300])
    worst = np.abs(imagecodecs.png_decode(data) - 65535 * light.pq_signal(truth)).max()
    near("codes", worst, 0, absolute=1)
    path, _ = develop("png-sdr", "--bits", "8")
    same("png-sdr", imagecodecs.png_decode(path.read_bytes()).dtype, np.uint8)


def test_jpeg_xl(fixture, develop, truth, record):
    lossless = imagecodecs.jpegxl_decode(develop("jxl", "--quality", "1")[0].read_bytes())
    worst = np.abs(lossless - 65535 * light.pq_signal(truth)).max()
    check("lossless codes", lossless.dtype == np.uint16 and worst <= 1, (lossless.dtype, worst))
    decoded = imagecodecs.jpegxl_decode(develop("jxl")[0].read_bytes())
    compare(record, TABLE, f"{fixture} jxl", light.pq_light(decoded / 65535.0),
            truth, 0.02, 0.16, decoder="libjxl")


def test_gain_map_jpeg(fixture, develop, record):
    path, _ = develop("jpeg-gainmap")
    facts = tags(path, "-u")
    for wanted in ["MPF0:", "XMP-hdrgm:", "XMP-Container:"]:
        check(wanted, wanted in " ".join(facts), str(facts)[:600])
    check_jpeg_warning("exiftool", facts)
    shown = imagecodecs.ultrahdr_decode(path.read_bytes()).astype(np.float64)[..., :3]
    p3 = np.maximum(tifffile.imread(develop("tiff-float")[0]).astype(np.float64) @ TO_P3.T, 0)
    compare(record, TABLE, f"{fixture} jpeg-gainmap", shown[:p3.shape[0], :p3.shape[1]],
            p3, 0.05, 0.6, decoder="libultrahdr")


@pytest.mark.parametrize("kind, options, bits, transfer", [
    ("avif", [], 10, 16), ("avif", ["--bits", "12", "--chroma", "444"], 12, 16),
    ("avif-hlg", [], 10, 18), ("avif-sdr", ["--bits", "8"], 8, 13), ("avif-sdr", [], 10, 13),
    ("avif-gainmap", [], 8, 13)])
def test_avif(fixture, develop, truth, record, kind, options, bits, transfer):
    """Every kind by libavif (two releases) and exiftool; the gain map by its boxes."""
    full = "444" in options
    path, report = develop(kind, *options)
    info = run("avifdec", "--info", path, text=True)
    facts = dict(re.findall(r"\* (.+?) *: (.*)", info))
    primaries, matrix = ("12", "6") if transfer == 13 else ("9", "9")
    wanted = {"Bit Depth": str(bits), "Range": "Full", "Format": "YUV444" if full else "YUV420",
              "Transfer Char.": str(transfer), "Color Primaries": primaries,
              "Matrix Coeffs.": matrix}
    same("avifdec", {key: facts.get(key) for key in wanted}, wanted)
    check("avifdec metadata", all(
        facts.get(f"{key} Metadata", "").startswith("Present") for key in ["Exif", "XMP"]), info)
    known = tags(path, "-u")
    check("exiftool", known.get("File:MIMEType") == "image/avif"
          and "ExifTool:Warning" not in known and "IFD0:Orientation" in known, str(known)[:600])
    still = Still(path)
    check("boxes", still.major == "avif" and "miaf" in still.brands
          and ("MA1B" in still.brands) == (bits < 12), still.brands)
    codes = imagecodecs.avif_decode(path.read_bytes())
    check("depth", codes.dtype == (np.uint8 if bits == 8 else np.uint16)
          and codes.max() < 1 << bits, f"{codes.dtype}, {codes.max()}")
    if transfer != 13:
        levels = list(np.frombuffer(still.property("clli")[:4], ">u2"))
        same("clli", levels, [report["maxCLL"], report["maxFALL"]])
        decode = light.pq_light if transfer == 16 else light.hlg_light
        shown = decode(codes[..., :3] / (2.0 ** bits - 1))
        encode = light.pq_signal if transfer == 16 else light.hlg_signal
        wanted = truth if full else decode(with_shared_chroma(encode(truth)))
        compare(record, TABLE, f"{fixture} {kind} {bits}", shown, wanted,
                *((0.01, 0.05) if full else (0.02, 0.25)), decoder="libavif")
    if kind == "avif-gainmap":
        other = [number for number, item in still.types.items() if item == "tmap"]
        stored = still.item(other[0]) if other else b""
        check("tmap", len(other) == 1 and "tmap" in still.brands and stored[:5] == bytes(5)
              and still.property("colr", other[0])[:4] == b"nclx",
              f"{other} {still.brands} {stored[:8]!r}")


def test_tools(develop, tmp):
    """What the tools of libjxl, and FFmpeg, say of the same files."""
    jxl, _ = develop("jxl")
    said = run("jxlinfo", jxl, text=True)
    check("jxlinfo", "16-bit RGB" in said and "Rec.2100" in said and "PQ" in said, said)
    run("djxl", jxl, tmp / "tool.png")
    ours = imagecodecs.jpegxl_decode(jxl.read_bytes()).astype(np.int64)
    theirs = imagecodecs.png_decode((tmp / "tool.png").read_bytes())[..., :3]
    near("djxl, an older libjxl", np.abs(theirs - ours).max(), 0, absolute=64)
    decoder, picture = frame(develop("avif")[0])
    found = picture.format.name, picture.color_trc, picture.color_primaries
    check("ffmpeg avif", "av1" in decoder and found == ("yuv420p10le", 16, 9), found)


def test_transfers(session, fixture, develop, tmp, record):
    """The same light as HLG and as PQ, below the 1000 cd/m2 where HLG ends, for a color at less; a
    thumbnail."""
    source, convert = develop("png")[0], session.convert
    direct = png_light(convert(source, "png", "--exposure", "-2"))
    again = png_light(convert(convert(source, "png-hlg", "--exposure", "-2"), "png"))
    worst = (np.abs(direct - again) / np.maximum(direct, 0.01)).max()
    near("HLG and PQ", worst, 0, absolute=0.01)
    record(CONVERTED, file=f"{fixture} PQ to HLG to PQ", difference=f"most {worst:.3%}")
    small = tmp / "small.heic"
    run(session.rawdev, "convert", source, small, "--thumbnail", "160")
    thumbnails = pillow_heif.open_heif(small).info.get("thumbnails", [])
    check("thumbnail by libheif", 160 in thumbnails, thumbnails)


@pytest.mark.parametrize("kind, median, most", [
    ("png", 0.001, 0.01), ("jxl", 0.02, 0.16), ("jpeg-gainmap", 0.05, 0.5),
    ("heic-gainmap", 0.05, 0.5), ("heif-pq", 0.03, 0.3), ("avif", 0.03, 0.3),
    ("avif-hlg", 0.03, 0.3), ("avif-gainmap", 0.05, 0.5)])
def test_converted(session, fixture, develop, truth, record, kind, median, most):
    path, _ = develop(kind)
    converted = png_light(session.convert(path, "png"))
    compare(record, CONVERTED, f"{fixture} {kind}{path.suffix}", converted, truth, median, most)
