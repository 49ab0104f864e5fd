"""Automatic adjustment and looks at the shell."""
import json
import os

import imagecodecs
import numpy as np
import pytest

from support.checks import check, same
from support.program import FIXTURES, attempt, run

NAMES = {"exposure", "contrast", "highlights", "shadows", "whites", "blacks", "vibrance"}
DARK = ["--baseline-exposure", "-2", "--format", "png-sdr", "--max-size", "200", "--overwrite"]


@pytest.fixture
def developed(rawdev, tmp):
    """Develops a fixture, underexposed; returns the pixels, and the values that a note says."""
    def develop(*options, raw="bayer", env=None):
        path = tmp / "a.png"
        said = json.loads(run(rawdev, "develop", FIXTURES / f"sunset-{raw}.dng", "-o", path,
                              "--json", *DARK, *options, env=env))
        notes = [each for each in said.get("warnings", []) if each.startswith("adjusted auto")]
        assert len(notes) <= 1, notes
        values = dict(each.split() for note in notes
                      for each in note.partition(": ")[2].split(", "))
        return imagecodecs.imread(path), {name: float(value) for name, value in values.items()}
    return develop


@pytest.mark.parametrize("raw", ["bayer", "xtrans", "linear"])
def test_auto_is_its_values_set_by_hand(developed, raw):
    plain, none_said = developed(raw=raw)
    auto, values = developed("--auto", raw=raw)
    check("only with --auto", not none_said, none_said)
    check("values of its properties", values and set(values) <= NAMES, values)
    check("a dark picture is made brighter", values.get("exposure", 0) > 0.3, values)
    check("the picture is", auto.mean() > plain.mean() + 5, (auto.mean(), plain.mean()))
    by_hand, _ = developed(
        *(word for name, value in values.items() for word in ("--set", f"raw.{name}={value}")),
        raw=raw)
    check("the same by hand", np.array_equal(auto, by_hand), "differs")
    again, said = developed("--auto", "--set", "render.headroomLimit=2", raw=raw)
    same("for any output", said, values)


def test_what_is_given_stays(developed):
    _, values = developed("--auto")
    _, fewer = developed("--auto", "--exposure", "0", "--vibrance", "0.4")
    check("an option stays, at its default, too", not {"exposure", "vibrance"} & set(fewer), fewer)
    off, said = developed("--auto", "--no-auto")
    check("the last one counts", not said and values, said)
    check("and it is off", np.array_equal(off, developed()[0]), "differs")


def test_looks_are_recipes(rawdev, developed, tmp):
    listed = run(rawdev, "recipe", "list", text=True)
    check("looks are listed", "look:vivid" in listed and "look:faded" in listed, listed)
    gray, _ = developed("--recipe", "look:black-and-white")
    check("black and white has no colors", np.ptp(gray.astype(int), axis=2).max() <= 2)
    done = attempt(rawdev, "develop", FIXTURES / "sunset-bayer.dng", "-o", tmp / "b.png",
                   "--recipe", "look:gray")
    check("an unknown one names the others", done.returncode == 2
          and "look:black-and-white" in done.stderr, done.stderr)


def test_recipes_of_the_user_have_names(rawdev, developed, tmp):
    folder = tmp / "config/rawdev/recipes"
    folder.mkdir(parents=True)
    (folder / "evening.yaml").write_text("name: Evening\nraw: {isBlackAndWhiteEnabled: true}\n")
    env = os.environ | {"XDG_CONFIG_HOME": str(tmp / "config")}
    check("it is listed", "evening" in run(rawdev, "recipe", "list", text=True, env=env))
    gray, _ = developed("--recipe", "evening", env=env)
    check("and used", np.ptp(gray.astype(int), axis=2).max() <= 2)
