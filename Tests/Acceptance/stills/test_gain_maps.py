"""Gain maps that `rawdev gainmap` removes, extracts and replaces, seen by programs that are not ours:
exiftool, libjpeg-turbo, libavif and libultrahdr (imagecodecs), libheif (pillow-heif).
"""
import imagecodecs
import numpy as np
import pillow_heif
import pytest

from support.checks import check
from support.program import FIXTURES, run, tags

# Files of ../shared/hdr that are edited, too.
PHONES = ["apple_greyhounds.heic", "iso_apple_IMG_4682.HEIC", "uhdr_vips.jpg",
          "iso_libavif_seine_sdr_gainmap.avif"]
MARKS = [b"hdrgm", b"HDRGainMap", b"hdrgainmap", b"21496", b"GainMap", b"AMPF", b"tmap"]


def shown(path):
    """What a reader that knows nothing of gain maps shows: pixels, and the auxiliary pictures."""
    if path.suffix == ".jpg":
        return imagecodecs.jpeg_decode(path.read_bytes()), {}
    if path.suffix == ".avif":
        return imagecodecs.avif_decode(path.read_bytes()), {}
    still = pillow_heif.open_heif(path, convert_hdr_to_8bit=False)
    return np.asarray(still), still.info.get("aux", {})


def exif(path):
    return tags(path, "-u")


def facts(path):
    """All of exiftool but what belongs to the file as such, or to its gain map."""
    left_out = ("System:", "File:", "ExifTool:", "MPF", "MPImage", "XMP-hdrgm", "XMP-HDRGainMap",
                "XMP-Container", "XMP-apdi", "Apple:HDRHeadroom", "Apple:HDRGain", "SourceFile",
                "QuickTime:MediaData", "QuickTime:Auxiliary", "QuickTime:Compatible",
                "QuickTime:MetaImageSize", "Composite:", "XMP-x:", "IFD1:ThumbnailOffset")
    if path.suffix != ".jpg":
        # Of a HEIC these speak of its last item, a gain map's among others.
        left_out += ("ICC", "Meta:") + tuple(
            f"QuickTime:{name}" for name in [
                "Rotation", "Unknown", "HEVC", "Seq", "ColorProfiles", "ColorPrimaries", "Transfer",
                "Matrix", "VideoFullRange", "ImagePixelDepth", "ImageSpatialExtent", "Gen",
                "Constraint", "Min", "Parallelism", "Chroma", "BitDepth", "Average", "Constant",
                "Num", "Temporal", "AV1", "MediaData"])
    return {key: value for key, value in exif(path).items() if not key.startswith(left_out)}


def apart(samples, decoded):
    """How far a decoded map is from samples that lie as coded: it may have been turned upright."""
    turned = [np.rot90(samples, turns).astype(int) for turns in range(4)]
    return min((np.abs(decoded.astype(int) - t) for t in turned if t.shape == decoded.shape),
               key=np.mean)


@pytest.mark.parametrize("kind, suffix", [
    ("jpeg", ".jpg"), ("heic", ".heic"), ("avif", ".avif")])
@pytest.mark.parametrize("fixture", ["sunset-bayer", "sunset-linear"])
def test_own_file(rawdev, tmp, fixture, kind, suffix):
    path = tmp / f"{fixture}-{kind}-gainmap{suffix}"
    run(rawdev, "develop", FIXTURES / f"{fixture}.dng", "-o", path, "--format", f"{kind}-gainmap")
    edit(rawdev, path, tmp)


@pytest.mark.parametrize("name", PHONES)
def test_file_of_another_writer(rawdev, shared, tmp, name):
    edit(rawdev, shared / "hdr" / name, tmp)


def edit(rawdev, path, folder):
    """Removes, extracts and puts back the map of a file, in other readers' eyes."""
    name = f"{path.name} gainmap"
    pixels, _ = shown(path)
    before = path.read_bytes()
    out = folder / f"edited{path.suffix}"
    run(rawdev, "gainmap", "remove", path, "-o", out)
    data, known = out.read_bytes(), exif(out)
    plain, aux = shown(out)
    check(f"{name} removed: pixels", np.array_equal(plain, pixels))
    check(f"{name} removed: no map", not aux and not [m for m in MARKS if m in data],
          f"{aux} {[m for m in MARKS if m in data]}")
    odd = [key for key in known if "HDRHeadroom" in key or "HDRGain" in key or "hdrgm" in key
           or key.startswith("MPF") or key == "ExifTool:Warning" or "Error" in key]
    check(f"{name} removed: exiftool", not odd, odd)
    kept = facts(out)
    lost = {k: (v, kept.get(k)) for k, v in facts(path).items() if kept.get(k) != v}
    check(f"{name} removed: other facts", not lost, str(lost)[:500])
    picture, what = folder / "map.png", folder / "map.json"
    run(rawdev, "gainmap", "extract", path, "-o", picture, "--metadata", what)
    samples = imagecodecs.png_decode(picture.read_bytes())
    if path.suffix == ".avif":
        dark = folder / "dark.png"
        dark.write_bytes(imagecodecs.png_encode(np.zeros_like(samples)))
        run(rawdev, "gainmap", "replace", out, "--map", dark, "--metadata", what, "-o", out)
        check(f"{name} replaced: pixels", np.array_equal(shown(out)[0], pixels))
        info = run("avifdec", "--info", out).decode()
        check(f"{name} replaced: avifdec", "AV1" in info or "Bit Depth" in info, info[:300])
        again = folder / "again.png"
        run(rawdev, "gainmap", "extract", out, "-o", again)
        worst = imagecodecs.png_decode(again.read_bytes()).max()
        check(f"{name} replaced: samples", worst <= 2, worst)
        return
    if path.suffix == ".jpg":
        coded = folder / "map.jpg"
        run(rawdev, "gainmap", "extract", path, "-o", coded)
        check(f"{name} coded map", before.endswith(coded.read_bytes()))
        decoded = imagecodecs.jpeg_decode(coded.read_bytes())
        check(f"{name} samples", np.abs(decoded.astype(int) - samples).max() <= 1)
    else:
        still = pillow_heif.open_heif(path)
        number = still.info["aux"]["urn:com:apple:photo:2020:aux:hdrgainmap"][0]
        decoded = np.asarray(still.get_aux_image(number))
        check(f"{name} samples", apart(samples, decoded).max() <= 1, f"{decoded.shape}")
    # Back into the bare picture, and into the file itself, in its place.
    dimmed = folder / "dimmed.png"
    dimmed.write_bytes(imagecodecs.png_encode((samples // 2).astype(np.uint8)))
    run(rawdev, "gainmap", "replace", out, "--map", dimmed, "--metadata", what, "-o", out)
    again = folder / f"again{path.suffix}"
    again.write_bytes(before)
    run(rawdev, "gainmap", "replace", again, "--map", dimmed, "--quality", "1", "-o", again)
    for edited in [out, again]:
        plain, aux = shown(edited)
        check(f"{name} {edited.stem} replaced: pixels", np.array_equal(plain, pixels))
        if path.suffix == ".jpg":
            light_of = imagecodecs.ultrahdr_decode(edited.read_bytes()).astype(np.float64)
            full = imagecodecs.ultrahdr_decode(before).astype(np.float64)
            check(f"{name} {edited.stem} replaced: libultrahdr sees another map",
                  light_of[..., :3].max() < 0.9 * full[..., :3].max(),
                  f"{light_of[..., :3].max():.2f} of {full[..., :3].max():.2f}")
            check(f"{name} {edited.stem} replaced: MPF",
                  exif(edited).get("MPF0:NumberOfImages") == 2)
        else:
            check(f"{name} {edited.stem} replaced: aux",
                  "urn:com:apple:photo:2020:aux:hdrgainmap" in aux, aux)
            still = pillow_heif.open_heif(edited)
            number = aux["urn:com:apple:photo:2020:aux:hdrgainmap"][0]
            worst = apart(samples // 2, np.asarray(still.get_aux_image(number)))
            check(f"{name} {edited.stem} replaced: samples", np.mean(worst) <= 2 and
                  np.quantile(worst, 0.99) <= 10, f"{np.mean(worst):.2f} {worst.max()}")
        warning = exif(edited).get("ExifTool:Warning", "none")
        check(f"{name} {edited.stem} replaced: exiftool",
              warning in ("none", "[minor] Unknown APP2 segment"), warning)
