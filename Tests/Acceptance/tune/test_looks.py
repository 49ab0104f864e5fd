"""Looks and automatic adjustment, as the page asks for them."""
import json

import pytest

from support.checks import check, same
from support.program import run
from tune.test_safety import Client
from tune.tune import served

pytestmark = pytest.mark.full
NAMES = {"exposure", "contrast", "highlights", "shadows", "whites", "blacks", "vibrance"}


def looks(client, path="/api/looks", body=None):
    status, _, answer = client.ask("POST" if body else "GET", path, body)
    same(f"{path} is answered", status, 200)
    return json.loads(answer)["looks"]


def test_looks_are_saved_for_the_shell(bench, rawdev, shoot):
    with served(bench, shoot) as server:
        client = Client(server)
        before = looks(client)
        check("looks are built in", len(before) >= 10
              and {each["kind"] for each in before} == {"builtIn"}, before)
        values = {"vibrance": 0.3, "toneCurve": [0, 0, 0.5, 0.6, 1, 1]}
        body = {"title": "Dusk", "own": values | {"crop": "0%,0%,50%,50%", "orientation": 6}}
        saved = looks(client, body=body)[-1]
        same("it is there", (saved["title"], saved["kind"], saved["values"]),
             ("Dusk", "saved", values))
        folder = bench.folder / "config/rawdev/recipes"
        same("in the folder of recipes", [each.name for each in folder.iterdir()], ["Dusk.yaml"])
        run(rawdev, "develop", shoot / "a.dng", "-o", bench.folder / "dusk.jpg", "--recipe", "Dusk",
            env=bench.env | {"XDG_CONFIG_HOME": str(bench.folder / "config")})
        (folder / "Mine.yaml").write_text("raw: {vibrance: 0.1}\n")
        status, _, answer = client.ask("POST", "/api/looks", body | {"title": "Mine"})
        check("a recipe of somebody else stays", status == 409
              and (folder / "Mine.yaml").read_text() == "raw: {vibrance: 0.1}\n", answer)
        after = looks(client, "/api/looks/remove", {"id": saved["id"]})
        same("and it is gone", [each["title"] for each in after if each["kind"] != "builtIn"],
             ["Mine"])


def test_auto_is_that_of_the_shell(bench, rawdev, shoot):
    own = {"baselineExposure": -2, "saturation": 0.1}
    with served(bench, shoot) as server:
        client = Client(server)
        status, _, answer = client.ask("POST", f"/api/pictures/{client.ids['a.dng']}/auto",
                                       {"own": own | {"exposure": 2}})
        same("it is answered", status, 200)
    values = json.loads(answer)["values"]
    same("all of its values", set(values), NAMES)
    given = [f"--set=raw.{name}={value}" for name, value in own.items()]
    said = json.loads(run(rawdev, "develop", shoot / "a.dng", "-o", bench.folder / "a.jpg",
                          "--json", "--auto", *given))
    note = next(each for each in said["warnings"] if each.startswith("adjusted automatically"))
    shell = {name: float(value) for name, value in (
        each.split() for each in note.partition(": ")[2].split(", "))}
    same("the same at the shell", shell, {name: round(value, 4) for name, value in values.items()
                                          if value})
