"""HEIF and AVIF in one coded picture or in tiles, and files whose gain map would have no effect:
what readers of other makers make of them."""
import json

import pillow_heif
import pytest
from PIL import Image

from support.boxes import Still
from support.checks import check, same
from support.program import FIXTURES, run, tags
from support.tiers import few


@pytest.fixture(scope="module")
def source(generator, folder):
    run(generator, "benchmark", folder / "big.dng", "--width", "2200", "--height", "1466")
    return folder / "big.dng"


def probe(path):
    """Columns, rows and pixel format of the first stream that ffprobe finds."""
    found = json.loads(run("ffprobe", "-v", "error", "-show_streams", "-of", "json", path))
    stream = found["streams"][0]
    return stream["width"], stream["height"], stream["pix_fmt"]


@pytest.mark.parametrize("kind, pixels", few(1, [
    ("avif", "yuv420p10le"), ("avif-sdr", "yuv420p10le"), ("avif-gainmap", "yuv420p")]))
def test_avif_is_one_picture(rawdev, tmp, source, kind, pixels):
    path = tmp / "a.avif"
    said = json.loads(run(rawdev, "develop", source, "-o", path, "--format", kind, "--json"))
    same("ffprobe", probe(path), (said["width"], said["height"], pixels))
    run("ffmpeg", "-v", "error", "-i", path, "-frames:v", "1", "-f", "null", "-")
    file = Still(path)
    check("no grid", "grid" not in file.types.values(), file.types)
    with Image.open(path) as picture:
        same("libavif", picture.size, (said["width"], said["height"]))
        picture.load()


@pytest.mark.parametrize("tiles, grid", [("auto", False), ("single", False), ("grid", True)])
def test_tiles_of_avif(rawdev, tmp, source, tiles, grid):
    path = tmp / "a.avif"
    run(rawdev, "develop", source, "-o", path, "--tiles", tiles, "-q")
    file = Still(path)
    same("item of the picture", file.types[file.primary], "grid" if grid else "av01")
    with Image.open(path) as picture:
        picture.load()


@pytest.mark.parametrize("tiles, count", [("auto", 15), ("grid", 15), ("single", 1)])
def test_tiles_of_heif(rawdev, tmp, source, tiles, count):
    """One piece is cropped where its sides are no whole coding units."""
    path = tmp / "a.heic"
    said = json.loads(run(rawdev, "develop", source, "-o", path, "--tiles", tiles, "--json"))
    file = Still(path)
    same("coded pictures", sum(kind == "hvc1" for kind in file.types.values()), count)
    same("libheif", pillow_heif.open_heif(path).size, (said["width"], said["height"]))


def test_tiles_by_a_recipe(rawdev, tmp, source):
    recipe = tmp / "a.yaml"
    recipe.write_text("outputs: {a: {format: avif, tiles: grid}}\n")
    run(rawdev, "develop", source, "-r", recipe, "-o", f"{tmp}/", "-q")
    file = Still(tmp / "big.avif")
    same("item of the picture", file.types[file.primary], "grid")


@pytest.mark.parametrize("name", ["a.jpg", "a.heic", "a.avif"])
def test_map_without_headroom(rawdev, tmp, name):
    """Readers refuse one that opens nothing: the file is a plain picture, and a note says so."""
    path = tmp / name
    kind = {"a.jpg": "jpeg", "a.heic": "heic", "a.avif": "avif"}[name] + "-gainmap"
    said = json.loads(run(rawdev, "develop", FIXTURES / "sunset-linear.dng", "-o", path, "--json",
                          "--format", kind, "--edr", "0"))
    check("a note", any("no gain map" in note for note in said["warnings"]), said)
    check("the format that it has", "gainmap" not in said["format"], said["format"])
    words = str(tags(path, "-u")).lower()
    check("nothing of a map", not any(mark in words for mark in ("hdrgm", "hdrgainmap", "mpf")))
    for mark in (b"21496", b"tmap", b"hdrgm"):
        check(f"no {mark}", mark not in path.read_bytes())
    if name != "a.heic":
        with Image.open(path) as picture:
            picture.load()
