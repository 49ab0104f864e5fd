"""What a program links that depends on one product alone: the libraries that the programs link-PRODUCT, which
only import it, need, and those that these need in turn (ldd)."""
import re
import subprocess

import pytest

from support.checks import check

CODECS = {"raw_r", "lensfun", "x265", "aom", "heif", "de265", "dav1d", "tiff", "lcms2", "exif",
          "deflate", "zstd", "turbojpeg", "jxl", "png16"}
ENCODERS = {"x265", "aom", "heif", "tiff", "exif"}
CAMERA = {"raw_r", "lensfun"}
# What each product must not link.
FORBIDDEN = {
    "ImageCore": CODECS,
    "HDRRender": CODECS,
    "ImageFilters": CODECS,
    "DisplayOutput": CODECS,
    "PictureLoading": {"x265", "aom", "heif", "exif"},
    "RawFilter": ENCODERS,
    "Readers": CAMERA | {"x265"},
    "Formats": CODECS,
    "Writers": CAMERA | {"x265", "heif"},
    # Whoever depends on these codes HEVC with x265 (Docs/licences.md), but reads no raws.
    "HEVCWriters": CAMERA,
    "Export": CAMERA,
    "Remux": CAMERA,
    "Recipes": ENCODERS,
}
# What is not as it should be yet; a strict xfail fails when it is.
KNOWN = {
}


def cases():
    for product, libraries in FORBIDDEN.items():
        for library in sorted(libraries):
            reason = KNOWN.get((product, library))
            marks = [pytest.mark.xfail(reason=reason, strict=True)] if reason else []
            yield pytest.param(product, library, marks=marks)


@pytest.mark.parametrize("product, library", list(cases()))
def test_product(rawdev, product, library):
    program = rawdev.with_name(f"link-{product}")
    if not program.exists():
        pytest.skip(f"{program.name} is not built")
    text = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    found = [line.strip() for line in text.splitlines() if re.match(rf"\s*lib{library}[.-]", line)]
    assert check(f"{product} without {library}", not found, found)
