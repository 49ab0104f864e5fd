"""Linear light for programs that compute, read by OpenEXR's own Python package, OpenImageIO,
exrinfo, ffmpeg, NumPy and tifffile: spaces by the published matrices, halves, compressions, tiles,
the errors of DWA, headers, the look scene.
"""
import subprocess

import numpy as np
import OpenEXR
import OpenImageIO as oiio
import pytest
from tifffile import TiffFile, imread

from readers.account import check_profile
from support.checks import check, near, same
from support.program import FIXTURES, attempt, run
from support.tiers import combined

# From linear sRGB, by Bradford, and from AP0 to ACEScg: the matrices of the configurations of ACES
# for OpenColorIO and of Academy TB-2014-004.
TO_ACESCG = {
    "linear-srgb": [[0.613097, 0.339523, 0.047379], [0.070194, 0.916354, 0.013452],
                    [0.020616, 0.109570, 0.869815]],
    "aces2065-1": [[1.4514393161, -0.2365107469, -0.2149285693],
                   [-0.0765537734, 1.1762296998, -0.0996759264],
                   [0.0083161484, -0.0060324498, 0.9977163014]]}
CHROMATICITIES = {
    "aces2065-1": [0.7347, 0.2653, 0, 1, 0.0001, -0.077, 0.32168, 0.33767],
    "acescg": [0.713, 0.293, 0.165, 0.83, 0.128, 0.044, 0.32168, 0.33767],
    "linear-bt2020": [0.708, 0.292, 0.17, 0.797, 0.131, 0.046, 0.3127, 0.329],
    "linear-p3": [0.68, 0.32, 0.265, 0.69, 0.15, 0.06, 0.3127, 0.329],
    "linear-srgb": [0.64, 0.33, 0.3, 0.6, 0.15, 0.06, 0.3127, 0.329]}
# The names of the Color Interop Forum.
INTEROP = {"aces2065-1": "lin_ap0_scene", "acescg": "lin_ap1_scene",
           "linear-bt2020": "lin_rec2020_scene", "linear-p3": "lin_p3d65_scene",
           "linear-srgb": "lin_rec709_scene"}
RAW = "sunset-bayer"
SCENE = ["--look", "scene"]
LOSSLESS = ["none", "zips", "zip", "piz"]
LOSSY = ["dwaa", "dwab"]
# ITU-T T.81, tables K.1 and K.2: how coarse coefficients of luma and chroma may be.
LUMA = [16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69,
        56, 14, 17, 22, 29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81,
        104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99]
CHROMA = [17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99,
          99, 99, 47, 66] + 38 * [99]


def exr(path):
    """Pixels and header by OpenEXR's Python package."""
    with OpenEXR.File(str(path)) as file:
        return file.channels()["RGB"].pixels, dict(file.header())


def by_oiio(path):
    picture = oiio.ImageBuf(str(path))
    check("OpenImageIO", not picture.has_error, picture.geterror())
    return picture.get_pixels(oiio.FLOAT), picture.spec()


@pytest.mark.parametrize("space", [*CHROMATICITIES, "camera"])
def test_spaces(session, space):
    path, report = session.develop(RAW, "exr", *SCENE, "--color-space", space, "--bits", 32)
    pixels, header = exr(path)
    same("size", pixels.shape, (report["height"], report["width"], 3))
    tiff, _ = session.develop(RAW, "tiff-float", *SCENE, "--color-space", space)
    check("the values of tiff-float", np.array_equal(pixels, imread(tiff)), "differ")
    check("finite", np.isfinite(pixels).all(), "not all are")
    near("whiteLuminance", header["whiteLuminance"], 203)
    named = header.get("chromaticities")
    same("name of the space", header.get("colorInteropID"), INTEROP.get(space))
    same("ACES container", header.get("acesImageContainerFlag"), None)
    if space == "camera":
        same("no chromaticities", (named, header.get("adoptedNeutral")), (None, None))
        same("no profile", 34675 in TiffFile(tiff).pages[0].tags, False)
        return
    for got, wanted in zip(np.ravel(named), CHROMATICITIES[space], strict=True):
        near("chromaticities", got, wanted, absolute=1e-6)
    for got, wanted in zip(np.ravel(header["adoptedNeutral"]), CHROMATICITIES[space][6:]):
        near("adoptedNeutral", got, wanted, absolute=1e-6)
    if space == "linear-bt2020":
        check_profile(tiff, space)
    if space in TO_ACESCG:
        other, _ = session.develop(RAW, "exr", *SCENE, "--color-space", "acescg", "--bits", 32)
        made = pixels.astype(np.float64) @ np.array(TO_ACESCG[space]).T
        near("to ACEScg", np.abs(made - exr(other)[0]).max(), 0, absolute=3e-5)


@pytest.mark.parametrize("space, options, flag", [
    ("aces2065-1", [], 1), ("acescg", [], None), ("aces2065-1", ["--exr-compression", "zip"], None),
    ("aces2065-1", ["--bits", 32], None), ("aces2065-1", ["--exr-layout", "tiles"], None)])
def test_aces_container(session, space, options, flag):
    """SMPTE ST 2065-4: halves in AP0, in scan lines, not compressed."""
    choice = [] if "--exr-compression" in options else ["--exr-compression", "none"]
    path, _ = session.develop(RAW, "exr", *SCENE, "--color-space", space, *choice, *options)
    same("flag", exr(path)[1].get("acesImageContainerFlag"), flag)


def test_renditions_are_no_scene(session):
    path, _ = session.develop(
        RAW, "exr", "--color-space", "aces2065-1", "--exr-compression", "none")
    header = exr(path)[1]
    names = ("colorInteropID", "acesImageContainerFlag")
    same("no names", [header.get(name) for name in names], [None, None])


def by_ffmpeg(path, shape):
    """Pixels as floats: planes of green, blue, red."""
    raw = run("ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "gbrpf32le", "-")
    planes = np.frombuffer(raw, "<f4").reshape(3, *shape[:2])
    return np.stack([planes[2], planes[0], planes[1]], -1)


def curved(values):
    """The curve of DWA: gamma 2.2 up to 1, a logarithm above."""
    size = np.abs(values.astype(np.float64))
    return np.sign(values) * np.where(
        size <= 1, size ** (1 / 2.2), np.log(np.maximum(size, 1)) / 2.2 + 1)


def luma_chroma(values):
    """Y'CbCr of BT.709 with the decimals of DWA's definition."""
    return values @ np.array([[0.2126, 0.7152, 0.0722], [-0.1146, -0.3854, 0.5],
                              [0.5, -0.4542, -0.0458]]).T


def check_dwa(pixels, wanted, level):
    """The errors that the definition of DWA allows: in curved Y'CbCr each coefficient of the
    orthonormal DCT of a block of 8 x 8 may be off by less than level / 100000 of its entry in
    JPEG's table over the least of the table, so their squares sum up to less than those of the
    tolerances. To which half precision adds, of the coefficients, and of the curved values before
    and behind: 2^-11 of the largest of the block for each of them."""
    height, width = (side // 8 * 8 for side in wanted.shape[:2])
    original = curved(wanted[:height, :width])
    difference = luma_chroma(curved(pixels[:height, :width]) - original) ** 2
    blocks = difference.reshape(height // 8, 8, width // 8, 8, 3).mean((1, 3)) ** 0.5
    largest = np.abs(original).reshape(height // 8, 8, width // 8, 8, 3).max((1, 3, 4))
    for channel, table in enumerate([LUMA, CHROMA, CHROMA]):
        steps = np.array(table) / min(table) * level / 100_000
        allowed = (steps ** 2).sum() ** 0.5 / 8 + 3 * 2 ** -11 * largest
        check(f"error of channel {channel}", (blocks[..., channel] < allowed).all(),
              (blocks[..., channel] / allowed).max())


def read_by_exrinfo(path):
    """What exrinfo says. That of OpenEXR 3.1 ends with a number that it never set."""
    info = attempt("exrinfo", path)
    check("exrinfo", info.stdout and not info.stderr, info.stderr)
    return info.stdout


@combined(gate=1, compression=LOSSLESS, bits=[16, 32], fixture=[RAW, "sunset-xtrans"])
def test_exr(session, fixture, compression, bits):
    """Half precision is the nearest to the 32-bit TIFF; both readers and exrinfo agree."""
    options = [*SCENE, "--bits", bits, "--exr-compression", compression]
    path, report = session.develop(fixture, "exr", *options)
    pixels, header = exr(path)
    same("type", pixels.dtype.name, f"float{bits}")
    wanted = imread(session.develop(fixture, "tiff-float", *SCENE)[0])
    check("values", np.array_equal(pixels, wanted.astype(pixels.dtype)), "differ")
    again, spec = by_oiio(path)
    check("OpenImageIO's", np.array_equal(again, pixels.astype(np.float32)), "differ")
    same("channels", list(spec.channelnames), ["R", "G", "B"])
    same("compression", spec.getattribute("compression"), compression)
    same("origin", (spec.x, spec.y, spec.full_x, spec.full_y), (0, 0, 0, 0))
    same("windows", (spec.full_width, spec.full_height), (report["width"], report["height"]))
    info = read_by_exrinfo(path)
    check("scan lines", "scanlineimage" in info, info)
    check("comments", "no tone curve" in header["comments"], header["comments"])
    check("software", header["software"].startswith("rawdev "), header["software"])


@combined(compression=LOSSLESS + LOSSY, bits=[16, 32], tile=[None, 16, 100])
def test_tiles(session, compression, bits, tile):
    """Lossless ones hold the values of the lines; all readers agree; the headers are those of
    the lines except for what says that there are tiles, and identifiers. 64 pixels where no side is
    given."""
    options = [*SCENE, "--bits", bits, "--exr-compression", compression]
    size = ["--exr-tile-size", tile] if tile else []
    lines, _ = session.develop(RAW, "exr", *options)
    path, report = session.develop(RAW, "exr", *options, "--exr-layout", "tiles", *size)
    (wanted, said), (pixels, header) = exr(lines), exr(path)
    if compression in LOSSLESS:
        check("values", np.array_equal(pixels, wanted), "differ")
    again, spec = by_oiio(path)
    check("OpenImageIO's", np.array_equal(again, pixels.astype(np.float32)), "differ")
    same("sides", (spec.tile_width, spec.tile_height), (tile or 64, tile or 64))
    same("windows", (spec.full_width, spec.full_height), (report["width"], report["height"]))
    same("levels", (str(header["tiles"].mode), header["type"]),
         ("LevelMode.ONE_LEVEL", OpenEXR.tiledimage))
    for name in said.keys() | header.keys():
        if name not in ("tiles", "type", "channels", "xmp"):
            same(name, str(header.get(name)), str(said.get(name)))
    info = read_by_exrinfo(path)
    check("tiled", "tiledimage" in info, info)


def test_tiles_by_exrmaketiled(session, tmp):
    """OpenEXR's own program makes the same tiles of the lines, in the same order."""
    options = [*SCENE, "--exr-compression", "none"]
    lines, report = session.develop(RAW, "exr", *options)
    path, _ = session.develop(RAW, "exr", *options, "--exr-layout", "tiles")
    run("exrmaketiled", "-o", "-t", 64, 64, "-z", "none", lines, tmp / "a.exr")
    tiles = -(-report["width"] // 64) * -(-report["height"] // 64)
    count = 20 * tiles + 6 * report["width"] * report["height"]
    check("chunks", path.read_bytes()[-count:] == (tmp / "a.exr").read_bytes()[-count:], "differ")


@combined(gate=1, compression=LOSSY, bits=[16, 32], level=[None, 1, 100],
          layout=["lines", "tiles"])
def test_dwa(session, compression, bits, level, layout):
    """The error of each block; 45 where no level is given. All readers agree."""
    options = ["--exr-level", level] if level else []
    path, _ = session.develop(RAW, "exr", *SCENE, "--bits", bits, "--exr-compression", compression,
                              "--exr-layout", layout, *options)
    pixels, header = exr(path)
    wanted = imread(session.develop(RAW, "tiff-float", *SCENE)[0])
    check_dwa(pixels, wanted, level or 45)
    check("some error", not np.array_equal(pixels, wanted.astype(pixels.dtype)), "none")
    near("level", header["dwaCompressionLevel"], level or 45)
    again, spec = by_oiio(path)
    same("type", pixels.dtype.name, f"float{bits}")
    same("compression", spec.getattribute("compression").split(":")[0], compression)
    check("OpenImageIO's", np.array_equal(again, pixels.astype(np.float32)), "differ")
    if bits == 16 and layout == "lines":
        # ffmpeg 5.1 reads no other DWA right, that of OpenEXR's own programs included; it does not
        # round what it decodes to halves.
        other = by_ffmpeg(path, pixels.shape)
        near("ffmpeg's", np.abs(curved(other) - curved(pixels)).max(), 0, absolute=2 ** -10)


@combined(gate=1, compression=["zips", "zip", "piz", *LOSSY], layout=["lines", "tiles"],
          crop=["1,2,1,1", "0,3,1,50", "2,0,51,1", "4,6,37,33"])
def test_small_and_odd(session, compression, layout, crop):
    """Chunks of few bytes, and last ones of fewer lines; what DWA does not make smaller is stored
    without loss."""
    options = [*SCENE, "--crop", crop]
    side = ["--exr-tile-size", 16] if layout == "tiles" else []
    path, _ = session.develop(RAW, "exr", *options, "--exr-compression", compression,
                              "--exr-layout", layout, *side)
    wanted = imread(session.develop(RAW, "tiff-float", *options)[0]).astype(np.float16)
    pixels = exr(path)[0]
    if compression in LOSSY and crop == "4,6,37,33":
        check_dwa(pixels, wanted, 45)
    else:
        check("values", np.array_equal(pixels, wanted), "differ")
    check("OpenImageIO's", np.array_equal(by_oiio(path)[0], pixels), "differ")


def test_tiles_by_recipe(session, tmp):
    """The keys of a recipe do what the options do, and come back from the recipe in the file."""
    recipe = tmp / "tiles.yaml"
    recipe.write_text("raw: {look: scene}\noutputs: {a: {format: exr, exrCompression: dwab, "
                      "exrLevel: 80, exrLayout: tiles, exrTileSize: 32, embedsRecipe: true}}\n")
    path, _ = session.develop(RAW, "exr", "--recipe", recipe)
    wanted, _ = session.develop(RAW, "exr", *SCENE, "--exr-compression", "dwab", "--exr-level", 80,
                                "--exr-layout", "tiles", "--exr-tile-size", 32)
    check("values", np.array_equal(exr(path)[0], exr(wanted)[0]), "differ")
    spec = by_oiio(path)[1]
    same("side", spec.tile_width, 32)
    kept = exr(path)[1]["xmp"]
    for word in ("exrLevel", "exrLayout", "exrTileSize"):
        check(word, word in kept, "is not in the XMP")


def test_capture(session, shared):
    """The attributes equal the raw's Exif, as exiftool reads them."""
    raw = next(iter(sorted((shared / "raws").glob("*.[cC][rR]2"))))
    path, _ = session.develop(raw, "exr", *SCENE, "--scale-factor", "0.1")
    header = exr(path)[1]
    names = ["ExposureTime", "FNumber", "ISO", "DateTimeOriginal", "Model", "FocalLength"]
    said = run("exiftool", "-n", "-s3", "-f", *[f"-EXIF:{name}" for name in names], raw, text=True)
    time, number, speed, date, model, focal = said.splitlines()
    near("expTime", header["expTime"], float(time), relative=1e-6)
    near("aperture", header["aperture"], float(number), relative=1e-6)
    near("isoSpeed", header["isoSpeed"], float(speed))
    near("focal length", header["nominalFocalLength"], float(focal), relative=1e-6)
    same("capDate", header["capDate"], date)
    same("model", header["cameraModel"], model)


@pytest.mark.parametrize("bits", [16, 32])
def test_arrays(session, rawdev, bits):
    wanted = imread(session.develop(RAW, "tiff-float", *SCENE)[0]).astype(f"float{bits}")
    path, _ = session.develop(RAW, "npy", *SCENE, "--bits", bits)
    array = np.load(path, mmap_mode="r")
    same("type", (array.dtype.str, array.flags.c_contiguous), (f"<f{bits // 8}", True))
    check("array", np.array_equal(array, wanted), "differs")
    same("start", array.offset % 64, 0)
    path, report = session.develop(RAW, "planes", *SCENE, "--bits", bits)
    shape = 3, report["height"], report["width"]
    planes = np.fromfile(path, f"<f{bits // 8}").reshape(shape)
    check("planes", np.array_equal(np.moveaxis(planes, 0, 2), wanted), "differ")
    piped = subprocess.run(
        [rawdev, "develop", FIXTURES / f"{RAW}.dng", "-o", "-", "--format", "planes", *SCENE,
         "--bits", str(bits)], check=True, capture_output=True).stdout
    check("in a pipe", np.array_equal(np.frombuffer(piped, planes.dtype).reshape(shape), planes),
          "differ")


@pytest.mark.parametrize("compression", ["none", "deflate", "zstd", "lzw"])
def test_half_tiff(session, compression):
    wanted = imread(session.develop(RAW, "tiff-float", *SCENE, "--color-space", "acescg")[0])
    path, _ = session.develop(RAW, "tiff-float", *SCENE, "--color-space", "acescg", "--bits", 16,
                              "--tiff-compression", compression)
    with TiffFile(path) as file:
        check("values", np.array_equal(file.asarray(), wanted.astype(np.float16)), "differ")
        check("profile", b"A\0C\0E\0S\0c\0g" in file.pages[0].tags[34675].value, "has another name")
        check("description", "no tone curve" in file.pages[0].description, "says nothing")


def test_scene_is_measured_light(session):
    """Nothing is measured in the picture: a stop more is exactly twice the values."""
    one = exr(session.develop(RAW, "exr", *SCENE, "--bits", 32)[0])[0]
    two = exr(session.develop(RAW, "exr", *SCENE, "--bits", 32, "--exposure", 1)[0])[0]
    near("a stop", np.abs(two - 2 * one).max(), 0, absolute=1e-5)
    values = ["--boost-amount", 0, "--baseline-exposure", 0, "--local-tone-map-amount", 0,
              "--luminance-noise-reduction-amount", 0, "--color-noise-reduction-amount", 0,
              "--sharpness-amount", 0, "--no-gamut-mapping"]
    same_light = exr(session.develop(RAW, "exr", *values, "--bits", 32)[0])[0]
    check("the values in one word", np.array_equal(one, same_light), "differ")
    recipe = exr(session.develop(RAW, "exr", "--bits", 32, "--recipe", "scene",
                                 "--color-space", "linear-bt2020")[0])[0]
    check("the recipe", np.array_equal(one, recipe), "differs")


@pytest.mark.parametrize("options, said", [
    ("-o a.exr --look scene --contrast-amount 0.5", "without contrastAmount"),
    ("-o a.exr --look scene --automatic-white-balance", "without isAutomaticWhiteBalanceEnabled"),
    ("-o a.exr --look scene --auto", "without isAutomaticAdjustmentEnabled"),
    ("-o a.heic --look scene", "write exr, tiff-float, npy or planes"),
    ("-o a.exr --color-space camera", "look scene"),
    ("-o a.exr --color-space srgb", "linear-bt2020, linear-p3, linear-srgb, aces2065-1, acescg"),
    ("-o a.tif --color-space acescg", "write tiff-float or exr"),
    ("-o a.exr --exr-compression dwac", "dwab"),
    ("-o a.exr --exr-compression dwaa --exr-level 101", "1 to 100"),
    ("-o a.exr --exr-level 45", "it is for OpenEXR in dwaa or dwab"),
    ("-o a.exr --exr-layout strips", "'lines' and 'tiles'"),
    ("-o a.exr --exr-layout tiles --exr-tile-size 8", "16 to 128"),
    ("-o a.exr --exr-tile-size 64", "it is for OpenEXR in tiles"),
    ("-o a.tif --exr-layout tiles", "it is for OpenEXR"),
    ("-o a.exr --bits 12", "it takes 16 or 32"),
    ("-o a.tif --exr-compression piz", "it is for OpenEXR")])
def test_refused(rawdev, tmp, options, said):
    words = options.replace("a.", f"{tmp}/a.").split()
    done = attempt(rawdev, "develop", FIXTURES / f"{RAW}.dng", *words)
    check("refused", done.returncode != 0, "was taken")
    check("reason", said in done.stderr, done.stderr)
    same("nothing left", list(tmp.iterdir()), [])


def test_own_files_are_replaced(session, rawdev, tmp):
    """An OpenEXR that names rawdev is replaced, one by others is not."""
    fixture = FIXTURES / f"{RAW}.dng"
    for _ in range(2):
        run(rawdev, "develop", fixture, "-o", tmp / "a.exr", *SCENE)
    pixels = np.zeros((4, 4, 3), np.float16)
    OpenEXR.File({}, {"RGB": pixels}).write(str(tmp / "b.exr"))
    done = attempt(rawdev, "develop", fixture, "-o", tmp / "b.exr", *SCENE)
    check("kept", done.returncode != 0, "was replaced")
