#!/usr/bin/env python3
"""Counts the files of Sources that name each adjustable property outside of comments.

A property is written once: value, descriptor and accessor in the folder of adjustments, which
counts as one file, its plan, its stage. A property that more files name has its reason below; a
count above its bound fails.
"""
import re
import sys
from pathlib import Path

SOURCES = Path(__file__).resolve().parent.parent / "Sources"
TABLES = [SOURCES / f"RawFilter/Adjustments/{name}.swift" for name in (
    "RAWSettings", "LookSettings+Tone", "LookSettings+Curves", "LookSettings+Color",
    "LookSettings+Finish")]
# The tables, the plan, the stage.
BOUND = 3
# Not counted: what help shows first, bundled recipes and looks, the text of the recipe reference,
# sidecars of other programs, tutorials, the numbers of DNG's tags.
ASIDE = ("Containers/TIFF/DNGTag.swift", "rawdev/Options/HelpLevel.swift",
         "Recipes/Document/BundledRecipes.swift", "Recipes/Document/BundledLook.swift",
         "Recipes/Reports/RecipeReferenceText.swift",
         "Recipes/Sidecar/", "RawFilter/RawFilter.docc/")
TONE = "HDRRender, which knows no raws, has settings of its own"
DEFAULT = "the default follows the file"
WHITE = "one of the forms in which the white point is set"
TUNED = "what is shown while a raw is tuned has a scale, a scene and marks of its own"
ALIKE = "a raw that gives white or exposure is rendered with the same"
SCENE = "linear light says in its file what was fixed"
LINEAR = "linear DNGs hold a stage of full size"
SMALL = "previews of DNGs show no noise and no blur"
FILM = "frames of a clip have the middle of what samples of it say"
DOCTOR = "the doctor judges a small picture, its linear values and its white"
# Common words, which also name tags, edits of stills and entries of reports.
WORDS = ("exposure", "baselineExposure", "orientation", "contrast", "highlights", "shadows",
         "saturation", "toneCurve", "whites", "blacks")
REASONS = {
    "shadowBias": (4, "profiles have tables in front of it"),
    "boostAmount": (12, TONE + "; " + DOCTOR + "; " + TUNED + "; " + ALIKE + "; " + LINEAR),
    "isHighlightRecoveryEnabled": (4, LINEAR),
    "decoderVersion": (4, LINEAR), "isLateralColorCorrectionEnabled": (4, LINEAR + "; " + SMALL),
    "boostShadowAmount": (5, TONE + "; " + TUNED),
    "isGamutMappingEnabled": (7, TONE + "; " + TUNED),
    "isDraftModeEnabled": (4, "thumbnails of raws without a preview are drafts"),
    "extendedDynamicRangeAmount": (
        18, "outputs have one of their own; thumbnails, previews and what automatic adjustment "
        "measures are SDR; " + TONE + "; " + FILM),
    "scaleFactor": (
        16, "previews, thumbnails, films and automatic adjustment set it; " + DOCTOR + "; " + TUNED
        + "; " + LINEAR),
    "luminanceNoiseReductionAmount": (6, DEFAULT + "; " + SCENE + "; " + SMALL + "; " + FILM),
    "colorNoiseReductionAmount": (6, DEFAULT + "; " + SCENE + "; " + SMALL + "; " + FILM),
    "sharpnessAmount": (7, DEFAULT + "; " + SCENE + "; " + SMALL),
    "outputSharpening": (4, DEFAULT),
    "localToneMapAmount": (6, DEFAULT + "; a file may contain a map"),
    "profilePath": (
        9, "a file that recipes resolve, journals hash and rawdev profile makes; " + ALIKE
        + "; entries of series depend on it"),
    "profileName": (6, ALIKE + "; entries of series depend on it"),
    "isLensCorrectionEnabled": (4, ALIKE),
    "look": (45, "also the group of what is set by eye, and a word of everyday use"),
    "undoesUnderexposure": (4, ALIKE),
    "frameNumber": (7, "the file numbers its frames, pixel shift merges them, DNGs take one"),
    "series": (14, "a file that develop and batch make entries in, and journals compare"),
    "lutPath": (
        8, "a file that recipes resolve, journals hash and rawdev profile makes; look may name it"),
    "neutralTemperature": (6, WHITE + "; " + DOCTOR + "; values that are in no sidecar yet"),
    "neutralTint": (5, WHITE + "; " + DOCTOR),
    "whiteFrom": (5, WHITE + "; a file that recipes resolve"),
    "whitePatch": (4, WHITE), "exposureFrom": (5, "a file that recipes resolve"),
    "neutralChromaticity": (4, WHITE),
    "neutralLocation": (5, WHITE + "; it names a pixel, so looks leave it out"),
    "vibrance": (4, "automatic adjustment sets it"),
}


def names():
    return [name for table in TABLES for name in re.findall(
        r'(?:number|toggle|curve|RAWProperty)\(\s*"(\w+)"', table.read_text())]


def main():
    texts = {}
    for path in sorted(SOURCES.rglob("*.swift")):
        name = str(path.relative_to(SOURCES))
        if not name.startswith(ASIDE):
            name = re.sub(r"^(RawFilter/Adjustments)/.*", r"\1", name)
            texts[name] = texts.get(name, "") + re.sub(
                r"(?m)//.*$|\bDNGTag\.\w+", "", path.read_text())
    found = names()
    if len(found) < 25:
        sys.exit(f"the tables list {len(found)} properties; "
                 "the pattern of this script no longer fits it")
    failed = False
    for name in found:
        if name in WORDS:
            continue
        word = re.compile(rf"\b{name}\b")
        files = [path for path, text in texts.items() if word.search(text)]
        bound = REASONS.get(name, (BOUND,))[0]
        if len(files) > bound or "-v" in sys.argv:
            print(f"{name}: {len(files)} files, {bound} allowed: {', '.join(files)}",
                  file=sys.stderr)
        failed = failed or len(files) > bound
    if failed:
        sys.exit("a property is named in more files than it needs, see above: write it once, "
                 "call the case of a stage otherwise, or state the reason in REASONS")
    print(f"properties: {len(found)}, each in its place")


if __name__ == "__main__":
    main()
