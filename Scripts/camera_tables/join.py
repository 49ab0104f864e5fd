"""One camera from all origins: which of them counts, and where they differ."""

import dataclasses

from . import names

# Of a color matrix, the first that has one. LibRaw's newest release comes first, so that colors
# stay the same when it is installed; its rows are from Adobe's converter, as are the others'.
MATRIX = ("LibRaw 0.22", "rawspeed", "dnglab", "RawTherapee dcraw", "RawTherapee", "LibRaw 0.21",
          "LibRaw 0.20")
# White: measured ones first, which are below the codes that saturated samples reach.
WHITE = ("RawTherapee", "rawspeed", "dnglab", "LibRaw 0.22", "LibRaw 0.21", "LibRaw 0.20")
BLACK = ("rawspeed", "RawTherapee", "dnglab", "LibRaw 0.22", "LibRaw 0.21", "LibRaw 0.20")
AREA = ("RawTherapee", "rawspeed")

D65 = (0.95047, 1.0, 1.08883)


@dataclasses.dataclass
class Camera:
    entry: object
    # name of the origin → its Facts
    facts: dict
    # LibRaw versions that list it
    listed: list
    # All calibrations for illuminant A of the maker by their matrix for D65: (numbers, camera)
    tungsten: dict

    def first(self, order, field):
        """The name of the first origin of `order` that states `field`, and what it states."""
        for name in order:
            value = getattr(self.facts.get(name), field, None)
            if value:
                return name, value
        return None, None

    @property
    def is_raw(self):
        """Whether its files need colors from elsewhere."""
        return self.entry.format != "DNG" and "mono" not in self.entry.notes

    @property
    def matrix(self):
        # A row that is shared counts behind one of the camera's own.
        for shared in (False, True):
            for name in MATRIX:
                facts = self.facts.get(name)
                if facts and facts.matrix and usable(facts.matrix) and bool(facts.row) == shared:
                    return name, facts.matrix
        return None, None

    @property
    def matrix_a(self):
        """That for illuminant A, of the same calibration as the one for D65: cameras whose matrices
        for D65 are the same share both."""
        _, chosen = self.matrix
        numbers, name = self.tungsten.get(tuple(chosen or ()), (None, None))
        if not numbers or not usable(numbers):
            return None, None
        return "dnglab" + ("" if name == self.entry.model else f", row of {name}"), numbers

    @property
    def agreeing(self):
        """Other origins with the same matrix."""
        chosen, numbers = self.matrix
        return [n for n in MATRIX
                if n != chosen and n in self.facts and self.facts[n].matrix == numbers]

    @property
    def differing(self):
        """Other origins with another matrix, and the largest difference in color."""
        chosen, numbers = self.matrix
        return [(n, color_difference(numbers, self.facts[n].matrix)) for n in MATRIX
                if n != chosen and n in self.facts and self.facts[n].matrix
                and self.facts[n].matrix != numbers and usable(self.facts[n].matrix)]


def table(entries, versions, others):
    cameras = []
    tungsten = {}
    for entry in entries:
        found = next((o.facts(entry) for o in others if o.name == "dnglab"), None)
        if found and found.matrix_a:
            of = tungsten.setdefault(names.maker(entry.make), {})
            of.setdefault(tuple(found.matrix), (found.matrix_a, entry.model))
    for entry in entries:
        facts = {}
        for origin in list(versions.values()) + others:
            found = origin.facts(entry)
            if found:
                facts[origin.name] = found
        cameras.append(Camera(entry, facts, [v for v, l in versions.items() if l.lists(entry)],
                              tungsten.get(names.maker(entry.make), {})))
    return cameras


def product(m, v):
    return [sum(m[3 * r + c] * v[c] for c in range(3)) for r in range(3)]


def inverse(m):
    a, b, c, d, e, f, g, h, i = m
    det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    if abs(det) < 1e-9:
        return None
    return [x / det for x in (
        e * i - f * h, c * h - b * i, b * f - c * e, f * g - d * i, a * i - c * g, c * d - a * f,
        d * h - e * g, b * g - a * h, a * e - b * d)]


def usable(numbers):
    m = [n / 10000 for n in numbers]
    return inverse(m) is not None and min(product(m, D65)) > 0


def color_difference(one, other):
    """The largest CIE 1976 color difference over six colors of sRGB (0.6 and 0.1) under D65, when a
    camera with matrix `one` is developed with `other`, both white-balanced."""
    balanced = []
    for numbers in (one, other):
        m = [n / 10000 for n in numbers]
        neutral = product(m, D65)
        balanced.append([m[3 * r + c] / neutral[r] for r in range(3) for c in range(3)])
    back = inverse(balanced[1])
    srgb = [0.4124, 0.3576, 0.1805, 0.2126, 0.7152, 0.0722, 0.0193, 0.1192, 0.9505]
    worst = 0
    for code in range(1, 7):
        color = product(srgb, [0.6 if code >> bit & 1 else 0.1 for bit in range(3)])
        seen = product(back, product(balanced[0], color))
        a, b = lab(color), lab(seen)
        worst = max(worst, sum((x - y) ** 2 for x, y in zip(a, b)) ** 0.5)
    return worst


def lab(xyz):
    f = [t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116
         for t in (xyz[k] / D65[k] for k in range(3))]
    return 116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])
