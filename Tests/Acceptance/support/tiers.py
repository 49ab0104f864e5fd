"""When the cases of a parametrized test run: those without a mark at every change, those marked
`full` before a release, those marked `nightly` every night."""
import itertools

import pytest


def cover(product, rows, strength):
    """Adds rows of a product until every combination of `strength` of its values is in one."""
    def held(row):
        return set(itertools.combinations(enumerate(row), strength))

    missing = set().union(*map(held, product)).difference(*map(held, rows))
    while missing:
        # The first of those that add most.
        rows.append(max(product, key=lambda row: len(held(row) & missing)))
        missing -= held(rows[-1])


def combined(gate=0, full=2, **axes):
    """Every combination of values of several parameters. Rows that hold each value (1) or each pair
    of values (2) run at every change, `gate`, and before a release, `full`; none for 0. All others
    run every night."""
    product = list(itertools.product(*(range(len(values)) for values in axes.values())))
    rows, marks = [], {}
    for strength, mark in [(gate, ()), (full, pytest.mark.full)]:
        if strength:
            cover(product, rows, strength)
        marks = dict.fromkeys(rows, mark) | marks

    def case(row):
        chosen = [values[index] for index, values in zip(row, axes.values())]
        return pytest.param(*chosen, marks=marks.get(row, pytest.mark.nightly),
                            id="-".join(map(name, chosen)))

    return pytest.mark.parametrize(", ".join(axes), [case(row) for row in product])


def name(value):
    return "-".join(map(name, value)) if isinstance(value, (list, tuple)) else str(value)


def few(number, values):
    """Values of a parameter of which the first run at every change, the others before a release."""
    return [value if index < number else later(value) for index, value in enumerate(values)]


def later(value):
    return pytest.param(*value if isinstance(value, tuple) else [value], marks=pytest.mark.full)
