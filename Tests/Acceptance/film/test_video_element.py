"""Films in a headless Chromium: a <video> plays to its end, and its first frame is the still."""
import imagecodecs
import numpy as np
import pytest

from film.material import clip
from support.checks import check, same
from support.program import PATIENCE, run

pytestmark = pytest.mark.full
PLAY = """async name => {
  const video = document.createElement("video");
  [video.muted, video.src] = [true, name];
  document.body.replaceChildren(video);
  return await new Promise(done => {
    video.onended = () => done(["ended", video.videoWidth, video.videoHeight]);
    video.onerror = () => done([video.error.message, 0, 0]);
    video.play();
  });
}"""
FIRST = """async name => {
  const video = document.createElement("video");
  [video.muted, video.preload, video.src] = [true, "auto", name];
  document.body.replaceChildren(video);
  await new Promise(done => { video.onloadeddata = done; video.onerror = done; });
  await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""


@pytest.mark.parametrize("codec,format", [("h264", "sdr"), ("av1", "sdr"), ("av1", "hlg"),
                                          ("av1", "pq")])
def test_plays(rawdev, tmp, chromium, codec, format):
    folder, film = clip(tmp / "clip", 12), tmp / "film.mp4"
    run(rawdev, "film", folder, "-o", film, "--codec", codec, "--format", format, "--size",
        "600,400", timeout=300)
    (tmp / "page.html").write_text("<!doctype html><body style='margin:0'>")
    page = chromium.new_page(viewport={"width": 800, "height": 600})
    page.set_default_timeout(1000 * PATIENCE)
    page.goto((tmp / "page.html").as_uri())
    same("plays", page.evaluate(PLAY, film.name), ["ended", 600, 400])
    if format != "sdr":
        return page.close()
    page.evaluate(FIRST, film.name)
    shown = imagecodecs.png_decode(page.locator("video").screenshot())[..., :3].astype(float)
    page.close()
    run(rawdev, "develop", folder / "frame-00001.dng", "-o", tmp / "still.png", "--format",
        "png-sdr", "--color-space", "srgb", "--max-size", "600")
    still = imagecodecs.png_decode((tmp / "still.png").read_bytes())[..., :3].astype(float)
    if still.max() > 255:
        still /= 257
    difference = np.abs(shown - still).mean(axis=(0, 1))
    check("is the still", (difference < 8).all(), difference)
