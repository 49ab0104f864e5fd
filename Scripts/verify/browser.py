#!/usr/bin/env python3
"""Shows files that rawdev writes in a headless Chromium and looks at what it shows.

usage: browser.py RAWDEV [FOLDER]

Develops fixtures to SDR, gain-map, PQ and HLG files, opens each in Chromium with an sRGB display of
standard range, checks that it decodes at full size, and compares the screenshot with the standard
rendition: base pictures of gain-map files must be that rendition; PQ and HLG, which Chromium maps to
the display with a curve of its own, must keep its order of light and its colours. FOLDER gets the
screenshots. Ends with "N passed, M failed" and fails when M is not 0. Needs Chromium (apt),
playwright, numpy, imageio.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

import imageio.v3 as iio
import numpy as np
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ["sunset-bayer", "sunset-linear"]
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

passed = failed = 0


def check(name, good, detail=""):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print(f"FAILED {name}: {detail}", flush=True)


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


def main():
    rawdev = sys.argv[1]
    browser_path = shutil.which("chromium")
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else temporary)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "page.html").write_text("<!doctype html><body style='margin:0'>")
        browser = playwright.chromium.launch(
            executable_path=browser_path,
            args=["--no-sandbox", "--allow-file-access-from-files", "--force-color-profile=srgb"])
        print(f"Chromium {browser.version}")
        page = browser.new_page(viewport={"width": 1400, "height": 1000})
        for fixture in FIXTURES:
            shown = {}
            for kind, suffix, _ in KINDS:
                path = folder / f"{fixture}-{kind}{suffix}"
                subprocess.run([rawdev, "develop", ROOT / "Fixtures" / f"{fixture}.dng", "-o", path,
                                "--format", kind, "--quality", "0.95", "--chroma", "444"],
                               check=True, capture_output=True)
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
                print(f"  {fixture} {kind}: mean {a.mean():.1f}, code difference median "
                      f"{np.median(difference):.2f}, most {difference.max():.1f}; order "
                      f"{rank:.4f}; hue median {np.median(hue):.1f} degrees")
                if is_standard:
                    check(f"{fixture} {kind} is the standard rendition",
                          np.median(difference) <= 1 and difference.max() <= 4, difference.max())
                else:
                    check(f"{fixture} {kind} keeps the order of light", rank > 0.97, rank)
                    check(f"{fixture} {kind} keeps hues", np.median(hue) < 8, np.median(hue))
                    check(f"{fixture} {kind} is neither dark nor burnt out",
                          0.5 < a.mean() / b.mean() < 1.2 and (a > 253).mean() < 0.05,
                          f"{a.mean():.1f} of {b.mean():.1f}")
        browser.close()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
