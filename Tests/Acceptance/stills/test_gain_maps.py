"""Gain maps that `rawdev gainmap` removes, extracts and replaces, seen by programs that are not
ours: exiftool, libjpeg-turbo, libavif and libultrahdr (imagecodecs), libheif (pillow-heif)."""
import json
import shutil

import imagecodecs
import numpy as np
import pillow_heif
import pytest
import tifffile
from imagecodecs import imread, imwrite

from readers.account import check_jpeg_warning
from support.checks import check, same
from support.program import run, tags
from support.tiers import combined, few

# Files of ../shared/hdr that are edited, too.
PHONES = ["apple_greyhounds.heic", "iso_apple_IMG_4682.HEIC", "uhdr_vips.jpg",
          "iso_libavif_seine_sdr_gainmap.avif"]
MARKS = [b"hdrgm", b"HDRGainMap", b"hdrgainmap", b"21496", b"GainMap", b"AMPF", b"tmap"]
AUXILIARY = "urn:com:apple:photo:2020:aux:hdrgainmap"
# What exiftool tells of the file as such or of its gain map; in a HEIC also of its last item, a
# gain map's among others.
OF_THE_FILE = tuple("""System: File: ExifTool: MPF MPImage XMP-hdrgm XMP-HDRGainMap XMP-Container
    XMP-apdi Apple:HDRHeadroom Apple:HDRGain SourceFile QuickTime:MediaData QuickTime:Auxiliary
    QuickTime:Compatible QuickTime:MetaImageSize Composite: XMP-x: IFD1:ThumbnailOffset""".split())
OF_AN_ITEM = ("ICC", "Meta:", *(f"QuickTime:{name}" for name in """Rotation Unknown HEVC Seq
    ColorProfiles ColorPrimaries Transfer Matrix VideoFullRange ImagePixelDepth ImageSpatialExtent
    Gen Constraint Min Parallelism Chroma BitDepth Average Constant Num Temporal AV1
    MediaData""".split()))


def shown(path):
    """What a reader that knows nothing of gain maps shows: pixels, and the auxiliary pictures."""
    if path.suffix in (".jpg", ".avif"):
        return imread(path, path.suffix[1:]), {}
    still = pillow_heif.open_heif(path, convert_hdr_to_8bit=False)
    return np.asarray(still), still.info.get("aux", {})


def auxiliary(path):
    still = pillow_heif.open_heif(path)
    return np.asarray(still.get_aux_image(still.info["aux"][AUXILIARY][0]))


def facts(path):
    left_out = OF_THE_FILE + (() if path.suffix == ".jpg" else OF_AN_ITEM)
    return {key: str(tag) for key, tag in tags(path, "-u").items() if not key.startswith(left_out)}


def apart(samples, decoded):
    """How far a decoded map is from samples that lie as coded: it may have been turned upright."""
    turned = [np.rot90(samples, turns).astype(int) for turns in range(4)]
    differences = (np.abs(decoded.astype(int) - t) for t in turned if t.shape == decoded.shape)
    return min(differences, key=np.mean)


@combined(gate=1, kind=["jpeg", "heic", "avif"], fixture=["sunset-linear", "sunset-bayer"])
def test_own_file(session, tmp, fixture, kind):
    path, _ = session.develop(fixture, f"{kind}-gainmap")
    edit(session.rawdev, path, tmp)


@pytest.mark.parametrize("name", few(1, PHONES))
def test_file_of_another_writer(rawdev, shared, tmp, name):
    edit(rawdev, shared / "hdr" / name, tmp)


@pytest.mark.parametrize("name", ["uhdr_pixel_lamps.jpg", "uhdr_pixel_led_jeep.jpg"])
def test_map_in_extended_xmp(rawdev, shared, tmp, name):
    """Pixels' originals, whose XMP declares the map in an extension."""
    source, bare, back = shared / "more/hdr" / name, tmp / "bare.jpg", tmp / "back.jpg"
    run(rawdev, "gainmap", "remove", source, "-o", bare)
    check_no_map(bare, shown(bare)[1])
    check("pixels", np.array_equal(shown(bare)[0], shown(source)[0]))
    run(rawdev, "gainmap", "extract", source, "-o", tmp / "map.jpg", "--metadata", tmp / "map.json")
    words = ["--map", tmp / "map.jpg", "--metadata", tmp / "map.json"]
    for edited in (bare, source):
        run(rawdev, "gainmap", "replace", edited, *words, "-o", back, "--overwrite")
        found, wanted = (imagecodecs.ultrahdr_decode(file.read_bytes())[..., :3].astype(float)
                         for file in (back, source))
        check(f"{edited.name}: libultrahdr sees the map", np.array_equal(found, wanted))
        same("MPF", tags(back).get("MPF0:NumberOfImages"), 2)


def test_maker_numbers_stay(rawdev, shared, tmp):
    source, bare = shared / "hdr/apple_iphone13pro_IMG_8566.JPG", tmp / "bare.jpg"
    run(rawdev, "gainmap", "remove", source, "-o", bare)
    before, after = tags(source), tags(bare)
    for name in ("Apple:HDRHeadroom", "Apple:HDRGain"):
        same(name, after.get(name), before[name])
    # Where 48 is missing it counts as 0, as most cameras store it.
    data = source.read_bytes()
    entry = data.index(bytes([0, 0x30, 0, 0x0A, 0, 0, 0, 1]))
    (tmp / "no48.jpg").write_bytes(data[:entry] + bytes([0x7F]) + data[entry + 1:])
    facts = json.loads(run(rawdev, "identify", "--json", tmp / "no48.jpg"))
    check("a map", (facts.get("gainMap") or {}).get("headroom", 1) > 1.5, facts.get("notes"))


def test_apples_map_for_browsers(session, shared):
    """Apple's form alone becomes a JPEG that libultrahdr shows as Apple's formula has it."""
    source = shared / "hdr/apple_greyhounds.heic"
    path = session.convert(source, "jpeg-gainmap")
    check("forms", "iso, ultra-hdr, apple" in run(session.rawdev, "identify", path, text=True))
    same("Apple's headroom", tags(path).get("Apple:HDRHeadroom"), tags(source)["Apple:HDRHeadroom"])
    shown, wanted = (np.maximum(picture[..., :3].astype(float), 1e-4) for picture in (
        imagecodecs.ultrahdr_decode(path.read_bytes()),
        tifffile.imread(session.convert(source, "tiff-float", "--color-space", "linear-p3"))))
    apart = np.log2(shown[::8, ::8] / wanted[::8, ::8])[wanted[::8, ::8] > 0.05]
    check("stops", abs(np.median(apart)) < 0.03 and np.std(apart) < 0.1,
          (np.median(apart), np.std(apart)))


@pytest.mark.parametrize("kind", ["jpeg", "heic", "avif"])
def test_conversion_without_map(session, tmp, kind):
    path, _ = session.develop("sunset-linear", f"{kind}-gainmap")
    plain = tmp / f"plain{path.suffix}"
    run(session.rawdev, "convert", path, plain, "--gain-map", "drop")
    check_no_map(plain, shown(plain)[1])


def check_no_map(path, auxiliary_pictures):
    left = [mark for mark in MARKS if mark in path.read_bytes()]
    check(f"{path.name}: no map", not auxiliary_pictures and not left,
          f"{auxiliary_pictures} {left}")


def edit(rawdev, path, folder):
    """Removes, extracts and puts back the map of a file, in other readers' eyes."""
    def extracted(source, *words):
        run(rawdev, "gainmap", "extract", source, "-o", folder / "map.png", "--overwrite", *words)
        return imread(folder / "map.png", "png")

    def replace(target, samples, *words):
        imwrite(folder / "new.png", samples)
        run(rawdev, "gainmap", "replace", target, "--map", folder / "new.png", "-o", target,
            "--overwrite", *words)

    metadata = ["--metadata", folder / "map.json"]
    bare, own = (folder / f"{name}{path.suffix}" for name in ("bare", "own"))
    pixels, _ = shown(path)
    run(rawdev, "gainmap", "remove", path, "-o", bare)
    known, (plain, aux) = tags(bare, "-u"), shown(bare)
    check("removed: pixels", np.array_equal(plain, pixels))
    check_no_map(bare, aux)
    odd = [key for key in known if key.startswith(("MPF", "ExifTool:Warning"))
           or any(word in key for word in ("HDRGainMap", "hdrgm", "Error"))]
    check("removed: exiftool", not odd, odd)
    lost = facts(path).items() - facts(bare).items()
    check("removed: other facts", not lost, lost)
    samples = extracted(path, *metadata)
    if path.suffix == ".avif":
        replace(bare, np.zeros_like(samples), *metadata)
        check("replaced: pixels", np.array_equal(shown(bare)[0], pixels))
        info = run("avifdec", "--info", bare, text=True)
        check("replaced: avifdec", "AV1" in info or "Bit Depth" in info, info[:300])
        worst = extracted(bare).max()
        check("replaced: samples", worst <= 2, worst)
        return
    if path.suffix == ".jpg":
        run(rawdev, "gainmap", "extract", path, "-o", folder / "map.jpg")
        coded = (folder / "map.jpg").read_bytes()
        check("coded map", path.read_bytes().endswith(coded))
        worst = np.abs(imagecodecs.jpeg_decode(coded).astype(int) - samples).max()
    else:
        worst = apart(samples, auxiliary(path)).max()
    check("samples", worst <= 1, f"{samples.shape}, {worst}")
    # Back into the bare picture, and into the file itself, in its place.
    shutil.copyfile(path, own)
    for edited, words in [(bare, metadata), (own, ["--quality", "1"])]:
        replace(edited, (samples // 2).astype(np.uint8), *words)
        name, known, (plain, aux) = f"{edited.stem} replaced", tags(edited, "-u"), shown(edited)
        check(f"{name}: pixels", np.array_equal(plain, pixels))
        check_jpeg_warning(name, known)
        if path.suffix == ".jpg":
            dim, full = (imagecodecs.ultrahdr_decode(file.read_bytes())[..., :3].astype(float).max()
                         for file in (edited, path))
            check(f"{name}: libultrahdr sees another map", dim < 0.9 * full, f"{dim} of {full}")
            same(f"{name}: MPF", known.get("MPF0:NumberOfImages"), 2)
        else:
            check(f"{name}: aux", AUXILIARY in aux, aux)
            worst = apart(samples // 2, auxiliary(edited))
            check(f"{name}: samples", np.mean(worst) <= 2 and np.quantile(worst, 0.99) <= 10,
                  f"{np.mean(worst):.2f} {worst.max()}")
