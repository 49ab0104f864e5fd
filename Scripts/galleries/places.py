"""The most difficult places of a picture: the squares that look worst at 100 % if anything does."""
import numpy as np

from support import appearance

# The middle of a place is found on cells of this side.
CELL = 32


def means(values):
    rows, columns = (length // CELL for length in values.shape)
    cut = values[:rows * CELL, :columns * CELL]
    return cut.reshape(rows, CELL, columns, CELL).mean(axis=(1, 3))


def around(cells, side):
    """Of each cell the mean of the square of `side` pixels around it; nothing near the edges."""
    radius = max(1, side // CELL // 2)
    sums = np.pad(np.cumsum(np.cumsum(cells, 0), 1), ((1, 0), (1, 0)))
    width = 2 * radius
    if min(cells.shape) <= width:
        return np.array([[cells.mean()]]), 0
    square = (sums[width:, width:] - sums[:-width, width:] - sums[width:, :-width]
              + sums[:-width, :-width])
    return square / width**2, radius


def places(picture, side):
    """Name and corner of each: the borders of clipped areas, the strongest colors, the finest
    texture, the darkest part. `picture`: 8-bit sRGB."""
    values = np.asarray(picture)
    signal = values.mean(axis=2) / 255
    clipped = (values.max(axis=2) >= 253).astype(np.float64)
    border = np.zeros_like(clipped)
    for axis in (0, 1):
        border += np.abs(np.diff(clipped, axis=axis, append=clipped.take([-1], axis)))
    lab = appearance.oklab(appearance.linear(picture))
    fine = np.abs(4 * signal - sum(np.roll(signal, step, axis)
                                   for axis in (0, 1) for step in (-1, 1)))
    # Grain in the dark is no texture.
    fine[signal < 0.15] = 0
    scores = {
        "clipped border": means(border),
        "strongest color": means(np.hypot(lab[..., 1], lab[..., 2])),
        "finest texture": means(fine), "darkest": 1 - means(signal)}
    found, taken = {}, []
    for name, cells in scores.items():
        score, radius = around(cells, side)
        for y, x in taken:
            # Not the same place again.
            score[max(0, y - radius):y + radius + 1, max(0, x - radius):x + radius + 1] -= 1e3
        y, x = np.unravel_index(score.argmax(), score.shape)
        if name == "clipped border" and score[y, x] <= 0:
            continue
        taken.append((y, x))
        limit = (picture.width - side, picture.height - side)
        found[name] = tuple(max(0, min(int(c) * CELL, limit[i])) for i, c in enumerate((x, y)))
    return found
