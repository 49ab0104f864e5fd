"""Files that rawdev writes, shown by a headless Chromium with an SDR display in sRGB.

Each decodes at full size. Base pictures of gain-map files are the standard rendition; PQ and HLG,
which Chromium maps to the display with a curve of its own, keep its order of luminance and colors.
"""
import imagecodecs
import numpy as np
import pytest

from support import light
from support.checks import check
from support.program import PATIENCE

pytestmark = pytest.mark.full
TABLE = "Stills in Chromium against the standard rendition (stills/test_browser.py)"
# Kinds that show the standard rendition itself, and others.
STANDARD = ["png-sdr", "jpeg-sdr", "avif-sdr", "jpeg-gainmap", "avif-gainmap"]
MAPPED = ["png", "png-hlg", "avif", "avif-hlg"]
SHOW = """async name => {
  const image = new Image();
  image.src = name;
  document.body.replaceChildren(image);
  return image.decode().then(() => "", String);
}"""


@pytest.fixture(scope="module")
def page(chromium, folder):
    (folder / "page.html").write_text("<!doctype html><body style='margin:0'>")
    page = chromium.new_page(viewport={"width": 1400, "height": 1000})
    page.set_default_timeout(1000 * PATIENCE)
    return page


def hues(a, b):
    """Angles in degrees between the colors that stand out in b."""
    flat = [v - v.mean(axis=1, keepdims=True) for v in (a, b)]
    strong = np.linalg.norm(flat[1], axis=1) > 24
    a, b = flat[0][strong], flat[1][strong]
    lengths = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    cosine = (a * b).sum(axis=1) / np.maximum(lengths, 1e-9)
    return np.degrees(np.arccos(np.clip(cosine, -1, 1)))


def shown(session, page, fixture, kind):
    """What the browser shows of a fixture, None where it does not decode."""
    coding = [] if kind.startswith("png") else ["--quality", "0.95", "--chroma", "444"]
    path, _ = session.develop(fixture, kind, *coding)
    page.goto((session.folder / "page.html").resolve().as_uri())
    error = page.evaluate(SHOW, path.name)
    if check(f"{kind} decodes", not error, error):
        return imagecodecs.png_decode(page.locator("img").screenshot())[..., :3]


@pytest.mark.parametrize("fixture", ["sunset-bayer", "sunset-linear"])
def test_shown(session, page, record, fixture):
    standard = None
    for kind in STANDARD + MAPPED:
        picture = shown(session, page, fixture, kind)
        if picture is None:
            continue
        standard = picture if standard is None else standard
        check(f"{kind} size", picture.shape == standard.shape, picture.shape)
        a, b = (light.blocks(p.astype(np.float64), 16).reshape(-1, 3) for p in (picture, standard))
        difference, rank, hue = np.abs(a - b).max(axis=1), light.order(a, b), np.median(hues(a, b))
        record(TABLE, file=f"{fixture} {kind}", **{
            "mean code": f"{a.mean():.1f}", "difference median": f"{np.median(difference):.2f}",
            "most": f"{difference.max():.1f}", "order": f"{rank:.4f}", "hue": f"{hue:.1f} degrees"})
        if kind in STANDARD:
            check(f"{kind} is the standard rendition",
                  np.median(difference) <= 1 and difference.max() <= 5, difference.max())
        else:
            check(f"{kind} keeps the order of luminance", rank > 0.97, rank)
            check(f"{kind} keeps hues", hue < 8, hue)
            sound = 0.5 < a.mean() / b.mean() < 1.2 and (a > 253).mean() < 0.05
            check(f"{kind} is neither dark nor burnt out", sound, f"{a.mean():.1f}, {b.mean():.1f}")
