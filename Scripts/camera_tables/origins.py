"""What the published tables say, read from the folders of their sources: numbers alone."""

import dataclasses
import json
import re
import xml.etree.ElementTree as XML

from . import names


@dataclasses.dataclass
class Facts:
    """What one origin says of one camera."""
    matrix: list = None
    matrix_a: list = None
    # (from which ISO speed on, levels of one, three or four channels)
    black: list = dataclasses.field(default_factory=list)
    white: list = dataclasses.field(default_factory=list)
    # (frame of width and height or None, left, top, width, height); widths ≤ 0 from the far side
    crops: list = dataclasses.field(default_factory=list)
    # The camera whose row it is, where it is shared.
    row: str = None


class Origin:
    def __init__(self, name, cameras):
        self.name = name
        self.cameras = cameras

    def facts(self, entry):
        return next((self.cameras[k] for k in entry.keys if k in self.cameras), None)


def integers(text):
    """Numbers of a table in C, with those in comments left out."""
    return [int(n, 0) for n in re.findall(r"-?(?:0x[0-9a-fA-F]+|\d+)", text)]


def without_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)


class LibRaw(Origin):
    """LibRaw's list of cameras and its table of matrices, which it searches by the beginning of the
    model; a camera that is listed is meant to have the row that is found."""

    def __init__(self, version, folder):
        super().__init__(f"LibRaw {version}", {})
        text = (folder / "src/tables/cameralist.cpp").read_text()
        text = text[text.index("static_camera_list[]"):]
        self.listed = re.findall(r'^\s*"((?:[^"\\]|\\.)+)"', text, re.M)
        self.keys = set().union(*(names.listed_keys(entry) for entry in self.listed))
        text = without_comments((folder / "src/tables/colordata.cpp").read_text())
        text = text[text.index("table[]"):text.index("int bl4")]
        row = (r'LIBRAW_CAMERAMAKER_(\w+),\s*"([^"]*)",\s*([^,{}]+),\s*([^,{}]+?)\s*,?\s*'
               r'(?:\{([^}]*)\})?\s*\}')
        self.rows = []
        for make, prefix, black, white, matrix in re.findall(row, text):
            make = {"OmDigital": "Olympus", "PhaseOne": "Phase One"}.get(make, make)
            numbers = integers(matrix)
            level = integers(black)[0]
            facts = Facts(
                matrix=numbers if len(numbers) == 9 else None,
                black=[(0, [abs(level)])] if level else [],
                white=[(0, [integers(white)[0]])] if integers(white)[0] else [], row=prefix)
            self.rows.append((names.maker(make), prefix, facts))

    def lists(self, entry):
        return any(key in self.keys for key in entry.keys)

    def found(self, entry):
        """The row that LibRaw uses for the camera, listed or not."""
        for model in [entry.model] + entry.aliases:
            for make, prefix, facts in self.rows:
                if make == names.maker(entry.make) and model.lower().startswith(prefix.lower()):
                    return facts
        return None

    def facts(self, entry):
        for make, prefix, facts in self.rows:
            if prefix and names.key(make, prefix) in entry.keys:
                return dataclasses.replace(facts, row=None)
        return self.found(entry) if self.lists(entry) else None


def rawspeed(folder):
    cameras = {}
    for camera in XML.parse(folder / "data/cameras.xml").getroot():
        name = camera.find("ID")
        if name is None or camera.get("supported") == "no":
            continue
        make = name.get("make").replace("OM System", "OM Digital Solutions")
        facts = Facts()
        rows = camera.findall("./ColorMatrices/ColorMatrix[@planes='3']/ColorMatrixRow")
        numbers = [n for row in rows for n in integers(row.text)]
        facts.matrix = numbers if len(numbers) == 9 else None
        for sensor in camera.findall("Sensor"):
            iso = int(sensor.get("iso_min") or (sensor.get("iso_list") or "0").split()[0])
            if int(sensor.get("white")) > 0:
                facts.white.append((iso, [int(sensor.get("white"))]))
                facts.black.append((iso, [int(sensor.get("black"))]))
        crop = camera.find("Crop")
        if crop is not None:
            box = [int(crop.get(k)) for k in ("x", "y", "width", "height")]
            if any(box):
                facts.crops = [(None, *box)]
        keys = [names.key(make, name.get("model")),
                names.key(camera.get("make"), camera.get("model"))]
        keys += [names.key(make, a.get("id") or a.text) for a in camera.findall("Aliases/Alias")]
        for key in keys:
            # Of the modes of a camera the first with colors counts.
            if key not in cameras or cameras[key].matrix is None:
                cameras[key] = facts
    return Origin("rawspeed", cameras)


def rawtherapee(folder):
    """Two origins: measured constants, and the rows of its decoder that no older LibRaw has."""
    text = without_comments((folder / "rtengine/camconst.json").read_text())
    text = re.sub(r",(\s*[\]}])", r"\1", text)
    cameras = {}
    for entry in json.loads(text)["camera_constants"]:
        facts = Facts()
        numbers = entry.get("dcraw_matrix", [])
        facts.matrix = numbers if len(numbers) == 9 else None
        ranges = entry.get("ranges", {})
        facts.white = levels(ranges.get("white", []))
        # Smaller ones are added to what the decoder read.
        facts.black = [(i, v) for i, v in levels(ranges.get("black", [])) if min(v) >= 64]
        facts.crops = [(f, *box) for f, box in framed(entry.get("raw_crop", []))]
        models = entry["make_model"]
        for model in [models] if isinstance(models, str) else models:
            make, names_of = names.split_listed(model)
            cameras[names.key(make, names_of[0])] = facts
    text = without_comments((folder / "rtengine/dcraw.cc").read_text())
    text = text[text.index("CLASS adobe_coeff"):]
    text = text[text.index("table[]"):text.index("};")]
    rows = {}
    for name, matrix in re.findall(r'\{\s*"([^"]+)",[^{}]*\{([^}]*)\}', text):
        numbers = integers(matrix)
        make, models = names.split_listed(name)
        if len(numbers) == 9 and models:
            rows[names.key(make, models[0])] = Facts(matrix=numbers)
    return [Origin("RawTherapee", cameras), Origin("RawTherapee dcraw", rows)]


def levels(value):
    """Levels as RawTherapee writes them: a number, one for each channel, or a list by ISO."""
    if isinstance(value, int):
        return [(0, [value])]
    if value and isinstance(value[0], int):
        return [(0, value)]
    out = []
    for item in value:
        speeds = item["iso"] if isinstance(item["iso"], list) else [item["iso"]]
        found = item["levels"] if isinstance(item["levels"], list) else [item["levels"]]
        out += [(speed, found) for speed in speeds]
    out.sort()
    # Each holds from its speed up to the next that differs.
    kept = [out[i] for i in range(len(out)) if i == 0 or out[i][1] != out[i - 1][1]]
    return [(0 if i == 0 else speed, found) for i, (speed, found) in enumerate(kept)]


def framed(value):
    if not value:
        return []
    if isinstance(value[0], dict):
        return [(tuple(v["frame"]) if any(v["frame"]) else None, v["crop"])
                for v in value if "crop" in v]
    return [(None, value)]


def dnglab(path):
    cameras, facts = {}, None
    for line in path.read_text().splitlines():
        if line.startswith("  "):
            light, *numbers = line.split()
            setattr(facts, "matrix" if light == "D65" else "matrix_a", [int(n) for n in numbers])
        elif not line.startswith("#"):
            make, model, *white = [part.strip() for part in line.split("|")]
            facts = cameras[names.key(make, model)] = Facts(
                white=[(0, [int(level)]) for level in white])
    return Origin("dnglab", cameras)
