"""Files that rawdev writes, shown by a headless Chromium with an sRGB display of standard range.

Each decodes at full size. Base pictures of gain-map files are the standard rendition; PQ and HLG, which
Chromium maps to the display with a curve of its own, keep its order of light and its colors.
"""
import shutil

import imageio.v3 as iio
import numpy as np
import pytest
from playwright.sync_api import sync_playwright

from support.checks import check
from support.program import FIXTURES, run

TABLE = "Stills in Chromium against the standard rendition (stills/test_browser.py)"
# Kind, suffix, and whether the page shows the standard rendition itself.
KINDS = [("jpeg", ".jpg", True), ("png-sdr", ".png", True), ("avif-sdr", ".avif", True),
         ("jpeg-gainmap", ".jpg", True), ("avif-gainmap", ".avif", True),
         ("png", ".png", False), ("png-hlg", ".png", False),
         ("avif", ".avif", False), ("avif-hlg", ".avif", False)]
SHOW = """async name => {
  const image = new Image();
  image.src = name;
  document.body.replaceChildren(image);
  try { await image.decode(); } catch (error) { return String(error); }
  return [image.naturalWidth, image.naturalHeight];
}"""

@pytest.fixture(scope="module")
def page(folder):
    (folder / "page.html").write_text("<!doctype html><body style='margin:0'>")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--allow-file-access-from-files", "--force-color-profile=srgb"])
        yield browser.new_page(viewport={"width": 1400, "height": 1000})
        browser.close()


def blocks(picture):
    """Means of 16 x 16 pixels."""
    height, width = (side // 16 * 16 for side in picture.shape[:2])
    cut = picture[:height, :width].astype(np.float64)
    return cut.reshape(height // 16, 16, width // 16, 16, 3).mean(axis=(1, 3)).reshape(-1, 3)


def order(a, b):
    """Rank correlation of the lightness of two sets of colours."""
    ranks = [np.argsort(np.argsort(v @ [0.2126, 0.7152, 0.0722])) for v in (a, b)]
    return np.corrcoef(ranks[0], ranks[1])[0, 1]


def hues(a, b):
    """Angles in degrees between the colours that stand out in b."""
    flat = [v - v.mean(axis=1, keepdims=True) for v in (a, b)]
    strong = np.linalg.norm(flat[1], axis=1) > 24
    a, b = flat[0][strong], flat[1][strong]
    cosine = (a * b).sum(axis=1) / np.maximum(
        np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1), 1e-9)
    return np.degrees(np.arccos(np.clip(cosine, -1, 1)))


@pytest.mark.parametrize("fixture", ["sunset-bayer", "sunset-linear"])
def test_shown(rawdev, page, folder, record, fixture):
    shown = {}
    for kind, suffix, _ in KINDS:
        path = folder / f"{fixture}-{kind}{suffix}"
        run(rawdev, "develop", FIXTURES / f"{fixture}.dng", "-o", path,
            "--format", kind, "--quality", "0.95", "--chroma", "444")
        page.goto((folder / "page.html").resolve().as_uri())
        size = page.evaluate(SHOW, path.name)
        check(f"{fixture} {kind} decodes", isinstance(size, list), size)
        if not isinstance(size, list):
            continue
        shot = folder / f"{fixture}-{kind}-shown.png"
        page.screenshot(path=shot, clip={"x": 0, "y": 0, "width": size[0],
                                         "height": size[1]})
        shown[kind] = iio.imread(shot)[..., :3]
    standard = shown["png-sdr"]
    for kind, _, is_standard in KINDS:
        picture = shown.get(kind)
        if picture is None:
            continue
        check(f"{fixture} {kind} size", picture.shape == standard.shape, picture.shape)
        a, b = blocks(picture), blocks(standard)
        difference = np.abs(a - b).max(axis=1)
        rank, hue = order(a, b), hues(a, b)
        record(TABLE, file=f"{fixture} {kind}", **{
            "mean code": f"{a.mean():.1f}", "difference median": f"{np.median(difference):.2f}",
            "most": f"{difference.max():.1f}", "order": f"{rank:.4f}",
            "hue": f"{np.median(hue):.1f} degrees"})
        if is_standard:
            check(f"{fixture} {kind} is the standard rendition",
                  np.median(difference) <= 1 and difference.max() <= 4, difference.max())
        else:
            check(f"{fixture} {kind} keeps the order of light", rank > 0.97, rank)
            check(f"{fixture} {kind} keeps hues", np.median(hue) < 8, np.median(hue))
            check(f"{fixture} {kind} is neither dark nor burnt out",
                  0.5 < a.mean() / b.mean() < 1.2 and (a > 253).mean() < 0.05,
                  f"{a.mean():.1f} of {b.mean():.1f}")
