"""How near a picture of a raw is to the camera's own, the preview in the file: brought to one
frame, compared cell by cell and by the distribution of lightness. In float64, written from
publications."""
import base64
import contextlib
import io
import json

import numpy as np
from PIL import Image, ImageOps

from support import chart, light
from support.program import attempt

# The long side at which pictures are compared, and the cells of the shorter and the longer side.
SIDE, CELLS = 720, (40, 60)
# sRGB to XYZ under D50 (IEC 61966-2-1, Bradford), and to the cones of Oklab (Ottosson 2020).
XYZ = np.array([[0.4360747, 0.3850649, 0.1430804], [0.2225045, 0.7168786, 0.0606169],
                [0.0139322, 0.0971045, 0.7141733]])
CONES = np.array([[0.4122214708, 0.5363325363, 0.0514459929],
                  [0.2119034982, 0.6806995451, 0.1073969566],
                  [0.0883024619, 0.2817188376, 0.6299787005]])
OKLAB = np.array([[0.2104542553, 0.7936177850, -0.0040720468],
                  [1.9779984951, -2.4285922050, 0.4505937099],
                  [0.0259040371, 0.7827717662, -0.8086757660]])
PERCENTILES = (1, 5, 50, 95, 99)
BLOWN = 250
# What means over many raws at the default stay within.
LIMITS = {"dE": 3.0, "p1": 1.5, "p5": 1.5, "p95": 1.5, "p99": 1.5}
# Of what compared gives, for a table.
FIGURES = ("dE", "EV", "hue", "chroma", "p1", "p5", "p50", "p95", "p99")
NOT_RAW = (".json", ".jpg", ".md", ".txt", ".xmp", ".yaml")


def raws(sources):
    """The raws in folders and among files."""
    for source in sources:
        inside = sorted(source.iterdir()) if source.is_dir() else [source]
        yield from (path for path in inside if path.is_file() and not path.name.endswith(NOT_RAW))


def shown(value):
    """A figure in a table."""
    return "" if value is None else f"{value:.2f}"


def preview(path, least=300):
    """The largest picture that the camera put into a raw, upright; None without one of `least`
    pixels."""
    pictures = []
    tags = ["JpgFromRaw", "PreviewImage", "JpgFromRaw2", "OtherImage", "ThumbnailImage"]
    # Several may have one name; -G4 tells them apart.
    said = attempt("exiftool", "-j", "-b", "-a", "-G1:4", *("-" + tag for tag in tags), path)
    for value in json.loads(said.stdout or "[{}]")[0].values():
        with contextlib.suppress(OSError, ValueError):
            data = base64.b64decode(str(value).removeprefix("base64:"))
            picture = Image.open(io.BytesIO(data))
            picture.load()
            pictures.append(picture)
    best = max(pictures, key=lambda picture: picture.width, default=None)
    if best is None or max(best.size) < least:
        return None
    if 274 not in best.getexif():
        own = attempt("exiftool", "-n", "-s3", "-Orientation", path).stdout.split()
        best.getexif()[274] = int(own[0]) if own else 1
    return ImageOps.exif_transpose(best).convert("RGB")


def linear(picture):
    return light.srgb_light(np.asarray(picture, np.float64) / 255)


def lightness(colors):
    return chart.lab(colors.reshape(-1, 3) @ XYZ.T)[:, 0].reshape(colors.shape[:-1])


def oklab(colors):
    return np.cbrt(np.maximum(colors @ CONES.T, 0)) @ OKLAB.T


def smaller(picture, side=SIDE):
    scale = min(1, side / max(picture.size))
    size = [max(1, round(length * scale)) for length in picture.size]
    return picture.resize(size, Image.Resampling.BOX if scale < 0.5 else Image.Resampling.LANCZOS)


def structure(picture):
    """Local contrast: what both show, whatever their tones. Zero mean, unit variance."""
    signal = np.asarray(picture.convert("L"), np.float64) / 255
    radius = 9
    around = signal
    for axis in (0, 1):
        padding = [(0, 0), (0, 0)]
        padding[axis] = (radius + 1, radius)
        sums = np.cumsum(np.pad(around, padding, "edge"), axis)
        length = around.shape[axis]
        around = (sums.take(range(2 * radius + 1, 2 * radius + 1 + length), axis)
                  - sums.take(range(length), axis)) / (2 * radius + 1)
    return np.tanh((signal - around) / 0.05)


class Frame:
    """Where the pixels of one picture lie in another: scale and offset of both sides."""

    def __init__(self, scale, offset, correlation):
        self.scale, self.offset, self.correlation = scale, offset, correlation

    def onto(self, picture, size):
        """`picture` brought into the frame, and where it covers it."""
        width, height = size
        inverse = (1 / self.scale[0], 0, -self.offset[0] / self.scale[0],
                   0, 1 / self.scale[1], -self.offset[1] / self.scale[1])
        sampling = Image.Resampling.BICUBIC
        moved = picture.transform((width, height), Image.Transform.AFFINE, inverse, sampling)
        covered = Image.new("L", picture.size, 255).transform(
            (width, height), Image.Transform.AFFINE, inverse, Image.Resampling.NEAREST)
        return moved, np.asarray(covered) > 0


def frame(picture, reference):
    """The frame of `picture` in `reference`, both small, by correlation of their structure: one
    scale from 0.94 to 1.08 of that at which sides agree, then one for each side."""
    target = structure(reference)
    height, width = target.shape
    wanted = np.conj(np.fft.rfft2(target))
    norm = np.sqrt((target**2).sum())

    def tried(x, y):
        size = (round(picture.width * x), round(picture.height * y))
        field = np.zeros((height, width))
        part = structure(picture.resize(size, Image.Resampling.BILINEAR))
        top, left = (height - size[1]) // 2, (width - size[0]) // 2
        rows, columns = min(height, size[1]), min(width, size[0])
        a, b = max(0, top), max(0, left)
        c, d = max(0, -top), max(0, -left)
        field[a:a + rows, b:b + columns] = part[c:c + rows, d:d + columns]
        surface = np.fft.irfft2(np.fft.rfft2(field) * wanted, (height, width))
        reach = [max(2, length // 12) for length in (height, width)]
        for axis in (0, 1):
            surface = np.roll(surface, reach[axis], axis)
        surface = surface[:2 * reach[0] + 1, :2 * reach[1] + 1]
        down, across = np.unravel_index(surface.argmax(), surface.shape)
        value = surface.max() / (norm * np.sqrt((field**2).sum()) + 1e-9)
        scale = (size[0] / picture.width, size[1] / picture.height)
        return value, scale, (left - (across - reach[1]), top - (down - reach[0]))

    base = max(width / picture.width, height / picture.height)
    best = max((tried(base * s, base * s) for s in np.arange(0.94, 1.081, 0.005)),
               key=lambda found: found[0])
    for step in (0.004, 0.002, 0.001):
        x, y = best[1]
        near = [tried(x * (1 + i * step), y * (1 + j * step)) for i in (-1, 0, 1)
                for j in (-1, 0, 1)]
        best = max([best, *near], key=lambda found: found[0])
    value, scale, offset = best
    return Frame(scale, offset, float(value))


def compared(picture, camera):
    """Figures of a picture beside the camera's, both whole: `dE` is the mean CIEDE2000 of cells
    after the one gain that makes it least, `EV` that gain in stops (positive: the picture is too
    dark), `hue` the mean difference in Oklab where the camera's is colored, `chroma` the slope of
    CIELAB's chroma; p1 to p99 differences of L* at percentiles of pixels, without the gain. Cells
    that are blown in the camera's picture count in no figure of color."""
    camera = smaller(camera)
    picture = smaller(picture, max(camera.size))
    found = frame(picture, camera)
    moved, covered = found.onto(picture, camera.size)
    rows, columns = CELLS if camera.width >= camera.height else CELLS[::-1]

    def cells(values):
        grid = light.cells(np.asarray(values, np.float64), rows, columns)
        return grid.reshape(rows * columns, -1)

    ours, theirs = linear(moved), linear(camera)
    blown = (np.asarray(camera).max(axis=2) >= BLOWN)
    kept = (cells(covered)[:, 0] > 0.99) & (cells(blown)[:, 0] <= 0.2)
    a, b = cells(ours)[kept], cells(theirs)[kept]
    target = chart.lab(b @ XYZ.T)

    def distance(stops):
        return chart.difference(chart.lab(np.minimum(a * 2**stops, 4) @ XYZ.T), target).mean()

    stops = min(np.arange(-2, 2.01, 0.1), key=distance)
    stops = min(stops + np.arange(-0.1, 0.101, 0.01), key=distance)
    lab = chart.lab(a * 2**stops @ XYZ.T)
    mine, other = oklab(a * 2**stops), oklab(b)
    colored = np.hypot(other[:, 1], other[:, 2]) >= 0.08
    turn = np.arctan2(mine[:, 2], mine[:, 1]) - np.arctan2(other[:, 2], other[:, 1])
    turn = np.degrees(np.abs((turn + np.pi) % (2 * np.pi) - np.pi))
    c, d = np.hypot(lab[:, 1], lab[:, 2]), np.hypot(target[:, 1], target[:, 2])
    figures = {
        "correlation": found.correlation, "dE": chart.difference(lab, target).mean(),
        "EV": stops, "hue": turn[colored].mean() if colored.sum() >= 12 else None,
        "chroma": (c * d).sum() / max((d * d).sum(), 1e-9)}
    levels = [np.percentile(lightness(each)[covered], PERCENTILES) for each in (ours, theirs)]
    for percent, difference in zip(PERCENTILES, levels[0] - levels[1]):
        figures[f"p{percent}"] = difference
    return figures, found
