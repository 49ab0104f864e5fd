"""What a program links that depends on one product alone: the libraries that the programs
link-PRODUCT, which only import it, need, and those that these need in turn (ldd), or load at their
first use, whose names they contain."""
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
# What each product must not link. Only RawdevX265 links libx265 (Docs/licences.md).
FORBIDDEN = {
    "RawdevPixels": CODECS, "RawFilter": ENCODERS, "Rawdev": {"x265", "heif", "exif"},
    "RawdevRecipes": {"x265"}, "RawdevBatch": {"x265"}, "Film": {"x265"},
    "RawdevX265": CAMERA}


@pytest.mark.parametrize("product", FORBIDDEN)
def test_product(rawdev, product):
    program = built(rawdev, f"link-{product}")
    linked, data = run("ldd", program, text=True), pathlib.Path(program).read_bytes()
    for library in sorted(FORBIDDEN[product]):
        found = re.findall(rf"^\s*(lib{library}[.-].*)", linked, re.M)
        found += re.findall(rf"lib{library}\.so".encode(), data)
        check(f"{product} without {library}", not found, found)
