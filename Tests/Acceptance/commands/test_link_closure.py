"""What a program links that depends on one product alone: the libraries that the programs
link-PRODUCT, which only import it, need, and those that these need in turn (ldd), or load at their
first use, whose names stand in them."""
import pathlib
import re

import pytest

from support.checks import check
from support.needed import built
from support.program import run

pytestmark = pytest.mark.full
CODECS = set("""raw_r lensfun x265 aom heif de265 dav1d tiff lcms2 exif deflate zstd turbojpeg jxl
    png16 OpenEXRCore""".split())
ENCODERS = {"x265", "aom", "heif", "tiff", "exif", "OpenEXRCore"}
CAMERA = {"raw_r", "lensfun"}
# What each product must not link. Only X265Writers links libx265 (Docs/licences.md).
FORBIDDEN = {
    "ImageCore": CODECS, "Containers": CODECS, "HDRRender": CODECS, "ImageFilters": CODECS,
    "DisplayOutput": CODECS,
    # libaom also checks the AVIFs that Readers decode.
    "PictureLoading": {"x265", "heif", "exif"}, "RawFilter": ENCODERS,
    "BracketMerge": ENCODERS, "Readers": CAMERA | {"x265"}, "Formats": CODECS,
    "Writers": CAMERA | {"x265", "heif"},
    "X265Writers": CAMERA, "Export": CAMERA | {"x265"},
    "Remux": CAMERA | {"x265"}, "Recipes": ENCODERS, "Develop": {"x265"}, "Batch": {"x265"},
    "Tuning": {"x265"}}


@pytest.mark.parametrize("product", FORBIDDEN)
def test_product(rawdev, product):
    program = built(rawdev, f"link-{product}")
    linked, data = run("ldd", program, text=True), pathlib.Path(program).read_bytes()
    for library in sorted(FORBIDDEN[product]):
        found = re.findall(rf"^\s*(lib{library}[.-].*)", linked, re.M)
        found += re.findall(rf"lib{library}\.so".encode(), data)
        check(f"{product} without {library}", not found, found)
