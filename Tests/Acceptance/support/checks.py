"""Checks of which a test makes many: each is counted and each failure is reported. A test goes on
after one that fails, and fails at its end (conftest.py)."""


class Tally:
    def __init__(self):
        self.count, self.failures = 0, []


tally = Tally()  # of the test that runs


def check(name, good, detail=""):
    tally.count += 1
    if not good:
        text = detail if isinstance(detail, str) else ascii(detail)
        tally.failures.append(f"{name}: {text[:1000]}")
    return bool(good)


def none(name, found):
    """That there are none of what was looked for."""
    return check(name, not found, f"{len(found)}: {list(found)[:20]!a}")


def same(name, got, wanted):
    return check(name, got == wanted, f"got {got!r}, wanted {wanted!r}")


def near(name, got, wanted, relative=0.0, absolute=0.0):
    good = abs(got - wanted) <= max(relative * abs(wanted), absolute)
    return check(name, good, f"got {got:.6g}, wanted {wanted:.6g}")
