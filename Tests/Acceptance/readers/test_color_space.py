"""The color spaces of SDR outputs, by readers that are not ours: a chart of known colors in every
space and kind of file, and files for the device of an ICC profile."""
import io
import struct

import imagecodecs
import numpy as np
import pytest
import tifffile
from PIL import Image, ImageCms
import pillow_heif

from support.checks import check, near, none, same
from support.program import FIXTURES, attempt, run, tags

pillow_heif.register_heif_opener()
SAMPLE = FIXTURES / "sunset-linear.dng"
SPACES = {"srgb": "sRGB", "display-p3": "Display P3", "adobe-rgb": "Adobe RGB (1998)",
          "prophoto-rgb": "ProPhoto RGB", "bt2020": "BT.2020"}
# Kinds of file with their options and the largest mean error, ΔE 1976: quantization and, of the
# lossy ones, the codec.
KINDS = {
    "tiff 16": ("tiff", "tif", [], 0.02), "tiff 8": ("tiff", "tif", ["--bits", "8"], 0.5),
    "png 16": ("png-sdr", "png", [], 0.02), "png 8": ("png-sdr", "png", ["--bits", "8"], 0.5),
    "jpeg": ("jpeg-sdr", "jpg", ["--chroma", "444", "--quality", "1"], 1),
    "gain map": ("jpeg-gainmap", "jpg", ["--chroma", "444", "--quality", "1"], 1),
    "heif": ("heif-sdr", "heic", ["--chroma", "444", "--quality", "1"], 1),
    "avif": ("avif-sdr", "avif", ["--chroma", "444", "--quality", "1"], 1.5),
    "jxl": ("jxl-sdr", "jxl", ["--quality", "1"], 0.05),
    "lossy jxl": ("jxl-sdr", "jxl", ["--quality", "0.95"], 1.5)}
D50 = np.array([0.9642, 1, 0.8249])
LAB = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()
BLACK_POINT = 0x2000
INTENTS = ["perceptual", "relative", "saturation", "absolute"]


def lab_of_srgb(signal):
    """CIELAB under D50 (IEC 61966-2-1, Bradford adaptation, CIE 15)."""
    light = np.where(signal <= 0.04045, signal / 12.92, ((signal + 0.055) / 1.055) ** 2.4)
    # Of the profile that the ICC publishes: the colorants under D50.
    to_d50 = np.array([[0.436066, 0.385147, 0.143066], [0.222488, 0.716873, 0.060608],
                       [0.013916, 0.097076, 0.714096]])
    ratio = light @ to_d50.T / D50
    f = np.where(ratio > (6 / 29) ** 3, np.cbrt(ratio), ratio / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]),
                     200 * (f[..., 1] - f[..., 2])], -1)


@pytest.fixture(scope="module")
def chart(folder):
    """A TIFF in sRGB, whose colors no gamut mapping touches, and its CIELAB."""
    colors = np.random.default_rng(5).uniform(0.15, 0.85, (8, 8, 3))
    colors[0] = np.linspace(0.02, 1, 8)[:, None]
    codes = np.round(np.kron(colors, np.ones((16, 16, 1))) * 65535).astype("u2")
    tifffile.imwrite(folder / "chart.tif", codes, photometric="rgb")
    return folder / "chart.tif", lab_of_srgb(codes / 65535)


def samples(path):
    """Code values and the embedded profile; None where there is none."""
    match path.suffix:
        case ".tif":
            with tifffile.TiffFile(path) as file:
                return file.asarray(), file.pages[0].tags[34675].value
        case ".jxl":
            run("djxl", path, path.with_suffix(".png"))
            return samples(path.with_suffix(".png"))
        case ".png":
            profile = Image.open(path).info.get("icc_profile")
            return imagecodecs.png_decode(path.read_bytes()), profile
    image = Image.open(path)
    return np.asarray(image.convert("RGB")), image.info.get("icc_profile")


def transformed(codes, source, target, out, intent=1, flags=0, kind="f8"):
    return imagecodecs.cms_transform(
        np.ascontiguousarray(codes), source, target, colorspace="rgb", outcolorspace=out,
        outdtype=kind, intent=intent, flags=flags)


def profile_name(profile):
    return ImageCms.getProfileDescription(
        ImageCms.ImageCmsProfile(io.BytesIO(profile))).strip()


@pytest.mark.parametrize("kind", KINDS)
def test_chart(rawdev, tmp, chart, kind):
    """What the embedded profile makes of the code values is what the chart was."""
    path, lab = chart
    name, suffix, options, limit = KINDS[kind]
    for space, title in SPACES.items():
        out = tmp / f"{space}.{suffix}"
        run(rawdev, "convert", path, out, "--format", name, "--color-space", space, *options)
        codes, profile = samples(out)
        if profile is None:
            check(f"{space} is declared by code points alone", suffix in ("heic", "avif")
                  and space in ("srgb", "display-p3"))
            continue
        error = np.linalg.norm(transformed(codes, profile, LAB, "lab") - lab, axis=2)
        # The middle of each field: codecs blur their edges.
        error = error.reshape(8, 16, 8, 16)[:, 4:12, :, 4:12]
        check(f"{space}", error.mean() <= limit, f"mean ΔE {error.mean():.3f}")
        if "jxl" not in kind:
            same(f"{space}: its name", profile_name(profile), title)


def chunks(path):
    """Names of a PNG's chunks."""
    data, at, names = path.read_bytes(), 8, set()
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        names.add(name.decode())
        at += 12 + length
    return names


@pytest.mark.parametrize("suffix, kind", [
    ("tif", "tiff"), ("png", "png-sdr"), ("jpg", "jpeg-sdr"), ("jpg", "jpeg-gainmap"),
    ("heic", "heif-sdr"), ("heic", "heic-gainmap"), ("avif", "avif-sdr"), ("jxl", "jxl-sdr")])
def test_tags(rawdev, tmp, suffix, kind):
    """Exif, DCF's index and code points say the same as the profile."""
    for space in SPACES:
        path = tmp / f"{space}.{suffix}"
        run(rawdev, "develop", SAMPLE, "-o", path, "--format", kind, "--color-space", space,
            "--max-size", "160")
        found = tags(path)
        same(f"{space}: ColorSpace", found.get("ExifIFD:ColorSpace"), 1 if space == "srgb"
             else 65535)
        same(f"{space}: InteropIndex", found.get("InteropIFD:InteropIndex"),
             "R03" if space == "adobe-rgb" and suffix != "tif" else None)
        if suffix in ("heic", "avif"):
            points = found.get("QuickTime:ColorPrimaries", found.get("Meta:ColorPrimaries"))
            # exiftool shows those of the last item: of a gain map's other rendition, which is in
            # BT.2020 where its base has no code point.
            other = 9 if kind == "heic-gainmap" else 2
            wanted = {"srgb": 1, "display-p3": 12, "bt2020": 9}.get(space, other)
            same(f"{space}: primaries", points, wanted)
        if suffix == "png":
            codes = run("exiftool", "-PNG:ColorPrimaries", "-n", "-s3", path, text=True).strip()
            same(f"{space}: cICP", codes, "9" if space == "bt2020" else "")
            none(f"{space}: chunks beside the profile", {"cHRM", "gAMA", "sRGB"} & chunks(path))


def test_eight_bits(session):
    """An 8-bit TIFF has the 16-bit codes, rounded, and libtiff reads each compression."""
    wide = tifffile.imread(session.develop("sunset-linear", "tiff", "--max-size", "300")[0])
    for compression in ["none", "deflate", "zstd", "lzw"]:
        path, _ = session.develop("sunset-linear", "tiff", "--max-size", "300", "--bits", "8",
                                  "--tiff-compression", compression)
        got, info = tifffile.imread(path), attempt("tiffinfo", "-c", path)
        same(f"{compression}: type", got.dtype.name, "uint8")
        check(f"{compression}: codes",
              np.array_equal(got, (wide.astype(int) * 255 + 32767) // 65535), "others")
        check(f"{compression}: tiffinfo", info.returncode == 0, info.stderr)


def test_wide_spaces_keep_wide_colors(session):
    """A saturated raw keeps in ProPhoto RGB what sRGB cannot hold."""
    def outside(space):
        path, _ = session.develop("sunset-bayer", "tiff", "--color-space", space,
                                  "--saturation", "1")
        codes, profile = samples(path)
        srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
        light = transformed(codes, profile, srgb, "rgb", kind="f4")
        return ((light < -0.01).any(axis=2) | (light > 1.01).any(axis=2)).mean()
    check("sRGB holds itself", outside("srgb") < 1e-3)
    check("ProPhoto RGB holds more", outside("prophoto-rgb") > 0.01)


def printer():
    """The profile of a made-up RGB printer with tables of 16 bits: yellowish paper, a black of
    L* 12, a gamut smaller than sRGB's, another one for each intent."""
    count = 17
    axis = np.linspace(0, 1, count)

    def element(table, inputs, outputs):
        head = b"mft2" + bytes(4) + bytes([3, 3, count, 0])
        unit = [65536, 0, 0, 0, 65536, 0, 0, 0, 65536]
        curve = struct.pack(">2H", 0, 65535) * 3
        body = np.round(np.clip(table, 0, 65535)).astype(">u2").tobytes()
        return head + struct.pack(">9i", *unit) + struct.pack(">2H", 2, 2) + curve + body + curve

    def coded(lab):  # of version 2: 65280 is L* 100, 32768 is 0
        return np.stack([lab[..., 0] * 652.8, (lab[..., 1] + 128) * 256,
                         (lab[..., 2] + 128) * 256], -1)

    def grid(*axes):
        return np.stack(np.meshgrid(*axes, indexing="ij"), -1)

    rgb = grid(axis, axis, axis)
    lab = np.stack([12 + 83 * rgb.mean(-1), 70 * (rgb[..., 0] - rgb[..., 1]),
                    8 + 60 * (rgb[..., 0:2].mean(-1) - rgb[..., 2])], -1)
    codes = grid(axis * 65535 / 652.8, axis * 65535 / 256 - 128, axis * 65535 / 256 - 128)

    def inverse(vivid):
        mean, rg = (codes[..., 0] - 12) / 83, codes[..., 1] * vivid / 70
        yb = (codes[..., 2] - 8) * vivid / 60
        blue = mean - yb * 2 / 3
        both = mean + yb / 3
        return 65535 * np.stack([both + rg / 2, both - rg / 2, blue], -1)
    text = b"A made-up printer"
    desc = (b"desc" + bytes(4) + struct.pack(">I", len(text) + 1) + text + b"\0" + bytes(8)
            + bytes(3 + 67))
    xyz = struct.pack(">4s4x3i", b"XYZ ", *(round(v * 65536) for v in (0.86, 0.89, 0.68)))
    parts = [(b"desc", desc), (b"cprt", b"text" + bytes(4) + b"none\0"), (b"wtpt", xyz),
             (b"A2B0", element(coded(lab), 3, 3)), (b"B2A0", element(inverse(0.9), 3, 3)),
             (b"B2A1", element(inverse(1), 3, 3)), (b"B2A2", element(inverse(1.2), 3, 3))]
    table, body = struct.pack(">I", len(parts)), b""
    for name, part in parts:
        body += bytes(-len(body) % 4)
        table += name + struct.pack(">2I", 132 + 12 * len(parts) + len(body), len(part))
        body += part
    body += bytes(-len(body) % 4)
    head = struct.pack(
        ">I4sI4s4s4s6H4s4sIIIQI3i4s44x", 128 + len(table) + len(body), b"none", 0x02400000,
        b"prtr", b"RGB ", b"Lab ", 2026, 1, 1, 0, 0, 0, b"acsp", bytes(4), 0, 0, 0, 0, 0,
        63190, 65536, 54061, b"none")
    return head + table + body


@pytest.fixture(scope="module")
def profiles(folder, rawdev):
    """ICC profiles of others by name, in files: with matrices and with tables."""
    (folder / "printer.icc").write_bytes(printer())
    small = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    (folder / "small.icc").write_bytes(small)
    return {"printer": folder / "printer.icc", "small": folder / "small.icc"}


@pytest.mark.parametrize("intent", INTENTS)
@pytest.mark.parametrize("name", ["printer", "small"])
def test_device(session, profiles, name, intent):
    """The samples are those that lcms2 makes, outside of rawdev, of the same picture in ProPhoto
    RGB, which leaves out the colors that lie between its 16-bit codes; the profile is unchanged."""
    file, raw = profiles[name], "sunset-linear"
    profile = file.read_bytes()
    wide, source = samples(session.develop(
        raw, "tiff", "--color-space", "prophoto-rgb", "--max-size", "240")[0])
    made, embedded = samples(session.develop(
        raw, "tiff", "--icc", file, "--intent", intent, "--max-size", "240")[0])
    same("profile", embedded, profile)
    number = INTENTS.index(intent)
    wanted = transformed(wide / np.float32(65535), source, profile, "rgb", number,
                         BLACK_POINT if intent == "relative" else 0, "f4")
    error = np.abs(made / 65535 - np.clip(wanted, 0, 1))
    check("largest difference", np.quantile(error, 0.999) < 1e-3,
          f"{error.max():.5f}, {np.quantile(error, 0.999):.5f}")
    check("it is a picture", made.std() > 1000)


def test_intents_differ(session, profiles):
    made = [samples(session.develop("sunset-linear", "tiff", "--icc", profiles["printer"],
                                    "--intent", intent, "--max-size", "240")[0])[0]
            for intent in INTENTS]
    for a in range(4):
        for b in range(a):
            check(f"{INTENTS[a]} is not {INTENTS[b]}", (made[a] != made[b]).mean() > 0.1)


@pytest.mark.parametrize("kind, suffix", [
    ("png-sdr", "png"), ("jpeg-sdr", "jpg"), ("heif-sdr", "heic"), ("avif-sdr", "avif"),
    ("jxl-sdr", "jxl")])
def test_device_in_every_file(session, profiles, kind, suffix):
    """Every kind of file for SDR carries the profile, and shows the picture that a TIFF shows."""
    for name, file in profiles.items():
        options = ["--icc", file, "--max-size", "240"]
        plain, _ = samples(session.develop("sunset-linear", "tiff", *options)[0])
        best = {"png": [], "jxl": ["--quality", "1"]}.get(
            suffix, ["--quality", "1", "--chroma", "444"])
        path, report = session.develop("sunset-linear", kind, *options, *best)
        same(f"{name}: coding", report["coding"], f"SDR, {file.name}")
        codes, embedded = samples(path)
        if suffix == "jxl":
            check(f"{name}: profile", file.read_bytes()[128:] in (embedded or b"")
                  or embedded == file.read_bytes())
        else:
            same(f"{name}: profile", embedded, file.read_bytes())
        top = 65535 if codes.dtype == np.uint16 else 255
        error = np.abs(codes / top - plain / 65535).mean()
        near(f"{name}: mean error", error, 0, absolute=0.012)


@pytest.mark.parametrize("damage", [
    "missing", "empty", "text", "cut", "cmyk", "gray", "lab", "link", "abstract", "no tables",
    "huge"])
def test_hostile_profiles(rawdev, tmp, profiles, damage):
    """One line, exit code 65, no file."""
    whole, path = bytearray(profiles["printer"].read_bytes()), tmp / "bad.icc"
    changes = {"cmyk": (16, b"CMYK"), "gray": (16, b"GRAY"), "lab": (16, b"Lab "),
               "link": (12, b"link"), "abstract": (12, b"abst")}
    if damage in changes:
        at, word = changes[damage]
        whole[at:at + 4] = word
    elif damage == "no tables":
        for tag in (b"B2A0", b"B2A1", b"B2A2"):
            at = whole.index(tag)
            whole[at:at + 4] = b"zzzz"
    content = {"empty": b"", "text": b"no profile" * 99, "cut": whole[:400],
               "huge": bytes(17 << 20)}.get(damage, whole)
    if damage != "missing":
        path.write_bytes(content)
    out = tmp / "out"
    out.mkdir()
    for command in (["develop", SAMPLE, "-o", out / "x.tif"],
                    ["develop", SAMPLE, "-o", out / "x.png", "--format", "png-sdr"]):
        done = attempt(rawdev, *command, "--icc", path, "--max-size", "64")
        same("exit code", done.returncode, 65)
        same("one line", (done.stderr.count("\n"), done.stdout), (1, ""))
        check("it names the file", "bad.icc" in done.stderr, done.stderr)
    none("files", list(out.iterdir()))


def test_recipe(rawdev, tmp, profiles):
    """A path in a recipe starts from the folder of the recipe; batches render again when the
    profile has changed, and only then. The former name of the color space is read."""
    (tmp / "raws").mkdir()
    (tmp / "raws/a.dng").write_bytes(SAMPLE.read_bytes())
    (tmp / "recipes").mkdir()
    profile = tmp / "recipes/device.icc"
    profile.write_bytes(profiles["small"].read_bytes())
    recipe = tmp / "recipes/print.yaml"
    recipe.write_text("schema: 1\noutputs:\n  print: {format: jpeg-sdr, iccProfile: device.icc, "
                      "intent: perceptual, maxSize: 64}\n  web: {format: png-sdr, sdrBits: 8, "
                      "tiffSpace: adobe-rgb, maxSize: 64}\n")
    batch = [rawdev, "batch", tmp / "raws", "-o", tmp / "out", "--recipe", recipe]
    run(*batch)
    files = sorted((tmp / "out").rglob("a*.*"))
    same("names", [file.suffix for file in files], [".jpg", ".png"])
    same("profile", samples(files[0])[1], profile.read_bytes())
    same("former name", profile_name(samples(files[1])[1]), "Adobe RGB (1998)")
    before = [file.stat().st_mtime_ns for file in files]
    run(*batch)
    same("nothing is done twice", [file.stat().st_mtime_ns for file in files], before)
    profile.write_bytes(profiles["printer"].read_bytes())
    run(*batch)
    same("profile", samples(files[0])[1], profiles["printer"].read_bytes())


def test_former_option(session):
    """--tiff-space is --color-space."""
    ways = [session.develop("sunset-linear", "tiff", option, "adobe-rgb", "--max-size", "64")[0]
            for option in ("--tiff-space", "--color-space")]
    same("bytes", *(way.read_bytes() for way in ways))
