"""Finished pictures keep their colors and their light: code values against libheif (pillow-heif),
light and gamut against the formulas of the standards."""
import io
import json
import struct
import zlib

import imagecodecs
import numpy as np
import pillow_heif
import pytest
import tifffile
from PIL import Image, ImageCms

from support import light
from support.checks import check, near, same
from support.program import attempt, run

WHITE = np.array([0.3127, 0.3290])
CHROMATICITIES = {"srgb": [0.64, 0.33, 0.30, 0.60, 0.15, 0.06],
                  "display-p3": [0.68, 0.32, 0.265, 0.69, 0.15, 0.06],
                  "bt2020": [0.708, 0.292, 0.17, 0.797, 0.131, 0.046]}
NITS = np.array([0.05, 1, 50, 100, 203, 500, 1000, 2000, 4000, 10000])


def to_xyz(space):
    def column(xy):
        return np.array([xy[0] / xy[1], 1, (1 - xy[0] - xy[1]) / xy[1]])
    columns = np.array([column(xy) for xy in np.reshape(CHROMATICITIES[space], (3, 2))]).T
    return columns * np.linalg.solve(columns, column(WHITE))


def moved(colors, space, other):
    return colors @ np.linalg.solve(to_xyz(other), to_xyz(space)).T


def png(path, codes, *chunks):
    """A PNG with these chunks behind its header, (name, bytes) each."""
    data = imagecodecs.png_encode(np.ascontiguousarray(codes))
    more = b"".join(struct.pack(">I", len(body)) + name + body
                    + struct.pack(">I", zlib.crc32(name + body)) for name, body in chunks)
    path.write_bytes(data[:33] + more + data[33:])
    return path


def pq_patches(path, *chunks):
    codes = np.round(65535 * light.pq_signal(NITS / light.WHITE)).astype(np.uint16)
    return png(path, np.tile(codes.repeat(16)[None, :, None], (16, 1, 3)), *chunks)


def nits(session, path):
    """Light of patches, as floats."""
    found = tifffile.imread(session.convert(path, "tiff-float")).astype(np.float64)
    return light.WHITE * found[8, 8::16] @ light.LUMINANCE


def noise():
    """Colors of the whole cube, its edges and corners among them."""
    random = np.random.default_rng(1)
    codes = random.integers(0, 65536, (96, 96, 3))
    codes[:8] = random.choice([0, 65535], (8, 96, 3))
    codes[8:40] = np.where(random.random((32, 96, 3)) < 0.4,
                           random.choice([0, 65535], (32, 96, 3)), codes[8:40])
    codes[40:60] //= 200
    return codes.astype(np.uint16)


@pytest.mark.parametrize("name", [
    "heif_conformance_C053.heic", "heif_conformance_C025.heic", "derived_android8_nclx_1_1_6.heic",
    "derived_android8_nclx_1_14_6.heic"])
def test_heif_codes(session, shared, name):
    """No range declared is limited range; 8-bit pictures of phones are sRGB."""
    source = shared / "more/hdr" / name
    wanted = np.asarray(pillow_heif.open_heif(source).to_pillow().convert("RGB")).astype(int)
    path = session.convert(source, "png-sdr", "--bits", "8", "--color-space", "srgb")
    found = imagecodecs.png_decode(path.read_bytes()).astype(int)
    near("mean code off libheif's", np.abs(found - wanted).mean(), 0, absolute=0.6)
    near("mean of all", found.mean(), wanted.mean(), absolute=0.6)


@pytest.mark.parametrize("space,name", [
    ("srgb", "sRGB"), ("adobe-rgb", "Adobe RGB"), ("prophoto-rgb", "ProPhoto RGB"),
    ("bt2020", "BT.2020")])
def test_sdr_stays_in_its_color_space(session, tmp, space, name):
    """Of each kind of file, by profile or code points; codes of a TIFF stay what they are."""
    raw = png(tmp / "plain.png", noise())
    source = session.convert(raw, "tiff", "--color-space", space)
    again = tifffile.imread(session.convert(source, "tiff"))
    check("the codes of a TIFF", np.array_equal(again, tifffile.imread(source)))
    for kind in ("jpeg-sdr", "png-sdr", "tiff", "jxl-sdr", "avif-sdr", "heif-sdr"):
        path = session.convert(source, kind)
        found = json.loads(run(session.rawdev, "identify", path, "--json"))["color"]["name"]
        known = {"sRGB": ("sRGB", "BT.709, sRGB curve")}.get(name, (name,))
        check(f"{kind}: {found}", found.startswith(known), known)
        if kind in ("jpeg-sdr", "png-sdr"):
            profile = ImageCms.getOpenProfile(io.BytesIO(Image.open(path).info["icc_profile"]))
            description = ImageCms.getProfileDescription(profile)
            check(f"{kind}: {description}", description.startswith(name))


def test_other_spaces_are_said(rawdev, session, tmp):
    """SDR in a space that is none of ours is converted to Display P3, with a note."""
    source = png(tmp / "a.png", noise())
    wide = session.convert(source, "png-sdr", "--color-space", "prophoto-rgb")
    data = bytearray(Image.open(wide).info["icc_profile"])
    # Blue with half of its Z.
    at = data.index(b"bXYZ") + 4
    offset = struct.unpack(">I", data[at:at + 4])[0] + 16
    depth = struct.unpack(">i", data[offset:offset + 4])[0]
    data[offset:offset + 4] = struct.pack(">i", depth // 2)
    codes = (noise() >> 8).astype(np.uint8)
    Image.fromarray(codes).save(tmp / "own.png", icc_profile=bytes(data))
    for arguments, noted in (((), True), (("--color-space", "display-p3"), False)):
        done = attempt(rawdev, "convert", tmp / "own.png", tmp / "own.jpg", "--overwrite",
                       *arguments)
        same("exit code", done.returncode, 0)
        same("note", "stronger colors are clipped" in done.stderr, noted)


@pytest.mark.parametrize("kind", [
    "png", "tiff", "jxl", "avif", "tiff-float", "jpeg-gainmap", "png-hlg"])
def test_light_that_is_not_declared(session, tmp, kind):
    """PQ up to 10,000 cd/m2 without a content light level, through each format and back."""
    source = pq_patches(tmp / "patches.png", (b"cICP", bytes([9, 16, 0, 1])))
    lossless = ("--quality", "1") if kind in ("jxl", "avif") else ()
    found = nits(session, session.convert(source, kind, *lossless))
    # Of eight bits and a map; of hybrid log-gamma, which ends at 1000.
    relative, first = (0.025, 2) if kind == "jpeg-gainmap" else (0.012, 0)
    last = 5 if kind == "png-hlg" else len(NITS)
    for wanted, got in list(zip(NITS, found))[first:last]:
        near(f"{wanted} cd/m2", got, wanted, relative=relative, absolute=0.01)
    if kind == "png-hlg":
        check("rolled off", np.all(np.diff(found) > 0), found)
        near("the end", found[-1], 1000, relative=0.01)


def test_light_level_that_is_too_low(session, tmp):
    """A level that the file declares scales and cuts nothing."""
    level = struct.pack(">II", 500 * 10000, 100 * 10000)
    source = pq_patches(tmp / "patches.png", (b"cICP", bytes([9, 16, 0, 1])), (b"cLLI", level))
    for wanted, got in zip(NITS, nits(session, source)):
        near(f"{wanted} cd/m2", got, wanted, relative=0.002, absolute=0.01)


@pytest.mark.parametrize("kind", ["jxl-hlg", "jxl", "png-hlg", "png", "tiff", "tiff-float"])
def test_sdr_comes_back(session, tmp, kind):
    codes = (noise() >> 8).astype(np.uint8)
    source = png(tmp / "sdr.png", codes)
    lossless = ("--quality", "1") if kind.startswith("jxl") else ()
    path = session.convert(source, kind, *lossless)
    back = session.convert(path, "png-sdr", "--bits", "8", "--color-space", "srgb")
    found = imagecodecs.png_decode(back.read_bytes()).astype(int)
    near("codes", np.abs(found - codes).max(), 0, absolute=1)


def test_dark_pq_keeps_its_white(session, tmp):
    """What has nothing above reference white is not made darker for SDR."""
    values = np.array([2, 20, 100, 160]) / light.WHITE
    codes = np.round(65535 * light.pq_signal(values)).astype(np.uint16)
    source = png(tmp / "dark.png", np.tile(codes[None, :, None], (4, 1, 3)),
                 (b"cICP", bytes([9, 16, 0, 1])))
    path = session.convert(source, "png-sdr", "--bits", "16", "--color-space", "srgb")
    found = light.srgb_light(imagecodecs.png_decode(path.read_bytes())[0, :, 1] / 65535)
    for got, wanted in zip(found, values):
        near("light", got, wanted, relative=0.001)


def test_floats_above_white(session, rawdev, tmp):
    """Of linear and of sRGB's curve: their values equal the picture's, not clipped at white."""
    values = np.array([0.1, 1, 2, 4, 8], np.float32)
    source = tmp / "floats.tif"
    wide = np.tile(values.repeat(16)[None, :, None], (16, 1, 3))
    tifffile.imwrite(source, wide, photometric="rgb")
    for kind in ("png", "jpeg-gainmap", "avif-gainmap"):
        path = session.convert(source, kind)
        found = nits(session, path) / light.WHITE
        for got, wanted in zip(found, values):
            near(f"{kind} {wanted}", got, wanted, relative=0.03, absolute=0.002)
    done = attempt(rawdev, "convert", source, "-o", tmp / "out.jpg", "--format", "jpeg-gainmap")
    check("note", done.returncode == 0 and "no highlights above" not in done.stderr, done.stderr)
    coded = tmp / "coded.tif"
    tifffile.imwrite(coded, light.srgb_signal(wide).astype(np.float32), photometric="rgb",
                     iccprofile=imagecodecs.cms_profile("srgb"))
    found = nits(session, coded) / light.WHITE
    for got, wanted in zip(found, values):
        near(f"sRGB floats {wanted}", got, wanted, relative=0.005)


def test_a_glint_darkens_nothing(session, rawdev, tmp):
    """Light of less area than 0.5 % reaches white in SDR, and stays what it is in HDR."""
    values = np.tile(np.linspace(0, 1, 200), (100, 1))
    glint = values.copy()
    glint[40:45, 60:75] = 10000 / light.WHITE
    plain = None
    for name, picture in (("plain", values), ("glint", glint)):
        codes = np.round(65535 * light.pq_signal(picture)).astype(np.uint16)
        source = png(tmp / f"{name}.png", codes[..., None].repeat(3, -1),
                     (b"cICP", bytes([9, 16, 0, 1])))
        path = session.convert(source, "png-sdr", "--bits", "16", "--color-space", "srgb")
        found = imagecodecs.png_decode(path.read_bytes())[..., 1].astype(int)
        if plain is None:
            plain = found
    near("codes beside it", np.abs(found - plain)[glint <= 1].max(), 0, absolute=1)
    same("the glint", np.unique(found[40:45, 60:75]).tolist(), [65535])
    near("in HDR", tifffile.imread(session.convert(source, "tiff-float")).max(),
         10000 / light.WHITE, relative=0.002)
    mapped = session.convert(source, "jpeg-gainmap")
    near("with a gain map", tifffile.imread(session.convert(mapped, "tiff-float")).max(),
         10000 / light.WHITE, relative=0.1)
    float_path = tmp / "floats.tif"
    tifffile.imwrite(float_path, glint[..., None].repeat(3, -1).astype(np.float32),
                     photometric="rgb")
    facts = json.loads(run(rawdev, "identify", "--json", float_path))
    near("headroom of floats", facts["contentHeadroom"], 10000 / light.WHITE, relative=1e-4)
    same("range", facts["highRange"], "float")


@pytest.mark.parametrize("other, linear", [
    ("display-p3", "linear-p3"), ("bt2020", "linear-bt2020")])
def test_wider_primaries(session, tmp, other, linear):
    """A matrix, no more: floats within 1e-6, codes within one."""
    codes = noise()
    source = png(tmp / "noise.png", codes)
    colors = moved(light.srgb_light(codes / 65535), "srgb", other)
    floats = tifffile.imread(session.convert(source, "tiff-float", "--color-space", linear))
    near("floats", np.abs(floats - colors).max(), 0, absolute=1e-6)
    if other == "display-p3":
        path = session.convert(source, "png-sdr", "--bits", "16", "--color-space", other)
        found = imagecodecs.png_decode(path.read_bytes()).astype(int)
        wanted = 65535 * light.srgb_signal(np.maximum(colors, 0))
        near("codes", np.abs(found - wanted).max(), 0, absolute=1)
        back = session.convert(path, "png-sdr", "--bits", "16", "--color-space", "srgb")
        again = np.abs(imagecodecs.png_decode(back.read_bytes()).astype(int) - codes)
        # In the darks of saturated colors a code is less than the rounding of the bright channels.
        near("there and back", again.max(), 0, absolute=16)
        near("there and back, mean", again.mean(), 0, absolute=0.5)


def test_narrower_primaries(session, tmp):
    """Floats keep negative channels; codes of colors inside are within one, and no color outside
    turns black or white."""
    codes = noise()
    source = png(tmp / "p3.png", codes, (b"cICP", bytes([12, 13, 0, 1])))
    colors = moved(light.srgb_light(codes / 65535), "display-p3", "srgb")
    floats = tifffile.imread(session.convert(source, "tiff-float", "--color-space", "linear-srgb"))
    near("floats", np.abs(floats - colors).max(), 0, absolute=1e-6)
    check("negative channels", floats.min() < -0.2, floats.min())
    path = session.convert(source, "png-sdr", "--bits", "16", "--color-space", "srgb")
    found = imagecodecs.png_decode(path.read_bytes()).astype(int)
    inside = (colors.min(-1) >= 0) & (colors.max(-1) <= 1)
    wanted = 65535 * light.srgb_signal(np.clip(colors, 0, 1))
    near("inside", np.abs(found - wanted)[inside].max(), 0, absolute=1)
    outside = light.srgb_light(found / 65535)[~inside] @ [0.2126, 0.7152, 0.0722]
    own = colors[~inside] @ [0.2126, 0.7152, 0.0722]
    near("luminance outside", np.abs(outside - own).max(), 0, absolute=0.12)


@pytest.mark.parametrize("name", [
    "derived_pq_icc_only_adobe_rec2100pq.png", "derived_pq_icc_only_w3c.jxl"])
def test_pq_by_profile_alone(session, shared, name):
    """Both are PQ in BT.2020, and so their codes are those of a PQ PNG."""
    source = shared / "more/hdr" / name
    decode = imagecodecs.jpegxl_decode if source.suffix == ".jxl" else imagecodecs.png_decode
    wanted = decode(source.read_bytes()).astype(int)[..., :3]
    found = imagecodecs.png_decode(session.convert(source, "png").read_bytes()).astype(int)
    near("codes", np.abs(found - wanted).max(), 0, absolute=2)
