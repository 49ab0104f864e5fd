"""The page of rawdev tune in a browser of another family."""
import pytest

from batch import material
from support.checks import check, same
from support.program import wait_for
from tune import webkit
from tune.tune import TABLET, WINDOW, served

pytestmark = pytest.mark.full
SETTLED = """const viewer = document.getElementById('viewer');
  const canvas = viewer.querySelector('canvas');
  if (viewer.getAttribute('aria-busy') !== 'false') return false;
  const middle = [canvas.width >> 1, canvas.height >> 1, 1, 1];
  return canvas.getContext('2d').getImageData(...middle).data[3] === 255;"""
MEAN = """const canvas = document.querySelector('#viewer canvas');
  const { width, height } = canvas;
  const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
  let sum = 0;
  for (let at = 1; at < data.length; at += 4) sum += data[at];
  return sum / (width * height);"""
VALUE = """return document.querySelector('[data-name=exposure] input.number').value;"""
FITS = """const wide = document.documentElement.scrollWidth, here = innerWidth;
  const seen = ['viewer', 'controls', 'filmstrip', 'save'].map(id =>
    document.getElementById(id).getBoundingClientRect());
  return wide <= here && seen.every(box => box.width > 20 && box.height > 20
    && box.right <= here + 1 && box.left >= -1);"""


@pytest.mark.skipif(not webkit.is_here(), reason="needs webkit2gtk-driver and xvfb")
def test_webkit_shows_and_changes_the_picture(bench, shoot, record):
    with served(bench, shoot) as server, webkit.window(**WINDOW) as window:
        window.open(server.url)
        check("the picture is shown", window.until(SETTLED))
        for size in (WINDOW, TABLET):
            window.ask("POST", "/window/rect", size)
            check(f"it is laid out in {size}", window.until(FITS))
        window.ask("POST", "/window/rect", WINDOW)
        window.until(SETTLED)
        before = window.run(MEAN)
        window.keys("#control-filter", "Exposure")
        field = "[data-name=exposure] input.number"
        window.run("document.querySelector(arguments[0]).focus();", field)
        window.keys(field, "1\ue007")
        window.until(SETTLED)
        same("a number is taken", float(window.run(VALUE)), 1)
        check("the picture follows", window.run(MEAN) > before + 5)
        window.run("document.getElementById('viewer').focus();")
        window.keys("#viewer", "\ue009z\ue000")
        check("undo is that of the page", window.until(VALUE.replace(";", " * 1 === 0;")))
        window.until(SETTLED)
        check("the picture is as before", abs(window.run(MEAN) - before) < 0.5)
        window.keys("#control-exposure", "\ue014\ue014")
        window.until(SETTLED)
        window.until("return !document.getElementById('save').disabled;")
        window.click("#save")
        path = material.sidecar(shoot / "a.dng")
        check("what is kept is on the disk", wait_for(path.exists)
              and "exposure: " in path.read_text())
        isHDR = window.run("return matchMedia('(dynamic-range: high)').matches;")
        limit = window.run("return CSS.supports('dynamic-range-limit', 'standard');")
        record("The page of rawdev tune in WebKitGTK (tune/test_webkit.py)", **{
            "engine": window.run("return navigator.userAgent.match(/AppleWebKit.*/)[0];"),
            "display is HDR": isHDR, "knows dynamic-range-limit": limit,
            "what it shows": "PQ AVIF" if isHDR else "SDR on a canvas"})
        same("no error is shown", window.run(
            "return document.getElementById('view-message').textContent;"), "")
