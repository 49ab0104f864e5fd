"""Gain maps that `rawdev gainmap` removes, extracts and replaces, seen by programs that are not
ours: exiftool, libjpeg-turbo, libavif and libultrahdr (imagecodecs), libheif (pillow-heif).
"""
import imagecodecs
import numpy as np
import pillow_heif
import pytest

from support.checks import check
from support.program import FIXTURES, run, tags

# Files of ../shared/hdr that are edited, too.
PHONES = ["apple_greyhounds.heic", "iso_apple_IMG_4682.HEIC", "uhdr_vips.jpg", "iso_libavif_seine_sdr_gainmap.avif"]
MARKS = [b"hdrgm", b"HDRGainMap", b"hdrgainmap", b"21496", b"GainMap", b"AMPF", b"tmap"]
AUXILIARY = "urn:com:apple:photo:2020:aux:hdrgainmap"
# What exiftool tells of the file as such or of its gain map; in a HEIC also of its last item, a
# gain map's among others.
OF_THE_FILE = tuple("""System: File: ExifTool: MPF MPImage XMP-hdrgm XMP-HDRGainMap XMP-Container
    XMP-apdi Apple:HDRHeadroom Apple:HDRGain SourceFile QuickTime:MediaData QuickTime:Auxiliary
    QuickTime:Compatible QuickTime:MetaImageSize Composite: XMP-x: IFD1:ThumbnailOffset""".split())
OF_AN_ITEM = ("ICC", "Meta:", *(f"QuickTime:{name}" for name in """Rotation Unknown HEVC Seq ColorProfiles
    ColorPrimaries Transfer Matrix VideoFullRange ImagePixelDepth ImageSpatialExtent Gen Constraint Min Parallelism
    Chroma BitDepth Average Constant Num Temporal AV1 MediaData""".split()))


def decoded(data):
    return (imagecodecs.jpeg_decode if data[:2] == b"\xff\xd8" else imagecodecs.avif_decode)(data)


def shown(path):
    """What a reader that knows nothing of gain maps shows: pixels, and the auxiliary pictures."""
    if path.suffix in (".jpg", ".avif"):
        return decoded(path.read_bytes()), {}
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


@pytest.mark.parametrize("kind", ["jpeg", "heic", "avif"])
@pytest.mark.parametrize("fixture", ["sunset-bayer", "sunset-linear"])
def test_own_file(session, tmp, fixture, kind):
    path, _ = session.develop(FIXTURES / f"{fixture}.dng", f"{kind}-gainmap")
    edit(session.rawdev, path, tmp)


@pytest.mark.parametrize("name", PHONES)
def test_file_of_another_writer(rawdev, shared, tmp, name):
    edit(rawdev, shared / "hdr" / name, tmp)


def edit(rawdev, path, folder):
    """Removes, extracts and puts back the map of a file, in other readers' eyes."""
    name, out, what = f"{path.name} gainmap", folder / f"edited{path.suffix}", folder / "map.json"

    def gainmap(*words):
        run(rawdev, "gainmap", *words)

    def picture(file, samples):
        (folder / file).write_bytes(imagecodecs.png_encode(samples))
        return folder / file

    pixels, _ = shown(path)
    before = path.read_bytes()
    gainmap("remove", path, "-o", out)
    data, known = out.read_bytes(), tags(out, "-u")
    plain, aux = shown(out)
    check(f"{name} removed: pixels", np.array_equal(plain, pixels))
    left = [mark for mark in MARKS if mark in data]
    check(f"{name} removed: no map", not aux and not left, f"{aux} {left}")
    odd = [key for key in known if key.startswith(("MPF", "ExifTool:Warning"))
           or any(word in key for word in ("HDRHeadroom", "HDRGain", "hdrgm", "Error"))]
    check(f"{name} removed: exiftool", not odd, odd)
    lost = facts(path).items() - facts(out).items()
    check(f"{name} removed: other facts", not lost, lost)
    gainmap("extract", path, "-o", folder / "map.png", "--metadata", what)
    samples = imagecodecs.png_decode((folder / "map.png").read_bytes())
    if path.suffix == ".avif":
        dark = picture("dark.png", np.zeros_like(samples))
        gainmap("replace", out, "--map", dark, "--metadata", what, "-o", out)
        check(f"{name} replaced: pixels", np.array_equal(shown(out)[0], pixels))
        info = run("avifdec", "--info", out).decode()
        check(f"{name} replaced: avifdec", "AV1" in info or "Bit Depth" in info, info[:300])
        gainmap("extract", out, "-o", folder / "again.png")
        worst = imagecodecs.png_decode((folder / "again.png").read_bytes()).max()
        check(f"{name} replaced: samples", worst <= 2, worst)
        return
    if path.suffix == ".jpg":
        gainmap("extract", path, "-o", folder / "map.jpg")
        coded = (folder / "map.jpg").read_bytes()
        check(f"{name} coded map", before.endswith(coded))
        check(f"{name} samples", np.abs(decoded(coded).astype(int) - samples).max() <= 1)
    else:
        check(f"{name} samples", apart(samples, auxiliary(path)).max() <= 1, samples.shape)
    # Back into the bare picture, and into the file itself, in its place.
    dimmed = picture("dimmed.png", (samples // 2).astype(np.uint8))
    again = folder / f"again{path.suffix}"
    gainmap("replace", out, "--map", dimmed, "--metadata", what, "-o", out)
    again.write_bytes(before)
    gainmap("replace", again, "--map", dimmed, "--quality", "1", "-o", again)
    for edited in [out, again]:
        name = f"{path.name} gainmap {edited.stem} replaced"
        plain, aux = shown(edited)
        known = tags(edited, "-u")
        check(f"{name}: pixels", np.array_equal(plain, pixels))
        if path.suffix == ".jpg":
            dim, full = (imagecodecs.ultrahdr_decode(data)[..., :3].astype(np.float64).max()
                         for data in (edited.read_bytes(), before))
            check(f"{name}: libultrahdr sees another map", dim < 0.9 * full, f"{dim} of {full}")
            check(f"{name}: MPF", known.get("MPF0:NumberOfImages") == 2)
        else:
            check(f"{name}: aux", AUXILIARY in aux, aux)
            worst = apart(samples // 2, auxiliary(edited))
            check(f"{name}: samples", np.mean(worst) <= 2 and np.quantile(worst, 0.99) <= 10,
                  f"{np.mean(worst):.2f} {worst.max()}")
        warning = known.get("ExifTool:Warning", "none")
        check(f"{name}: exiftool", warning in ("none", "[minor] Unknown APP2 segment"), warning)
