"""Sidecars as Lightroom and darktable write them (lightroom.xmp, darktable.xmp): what is taken,
what is not, and what comes of it."""
import pathlib
import re

import numpy as np
import tifffile

from batch import material
from batch.bench import digests
from support.checks import check, same
from support.program import run

HERE = pathlib.Path(__file__).parent
CROP = ('crs:HasCrop="True" crs:CropLeft="0.25" crs:CropTop="0" crs:CropRight="0.75"'
        ' crs:CropBottom="0.5"')
EXPOSED, TURNED = 'crs:Exposure2012="+1.00"', 'tiff:Orientation="6"'


def lightroom(crs="", tiff="", applied="False"):
    return (HERE / "lightroom.xmp").read_text().strip().format(crs=crs, tiff=tiff, applied=applied)


def plain_light(text):
    """Without settings whose effect depends on the linear values, such as contrast."""
    kept = "Exposure|Version|Process|WhiteBalance|Has|Already"
    return re.sub(rf'crs:(?!{kept})[A-Z]\w*="[^"]*"', "", text)


def variants():
    """Sidecars by what they are."""
    laughs = "".join(f"<!ENTITY {c} '{f'&{b};' * 10}'>" for b, c in zip("abcdefgh", "bcdefghi"))
    bomb = f"<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'>{laughs}]>"
    outside = "<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>"
    return {
        "plain": None, "none": lightroom(), "exposed": lightroom(EXPOSED),
        "cropped": lightroom(CROP + ' crs:CropAngle="0"'), "both": lightroom(CROP, TURNED),
        "turned": lightroom(tiff=TURNED), "even": plain_light(lightroom()),
        "lighter": plain_light(lightroom(EXPOSED)),
        "applied": lightroom(EXPOSED, applied="True"), "cut": lightroom(EXPOSED)[:900],
        "darktable": (HERE / "darktable.xmp").read_text().strip(),
        "bomb": bomb + lightroom('crs:Exposure2012="&i;"'),
        "outside": outside + lightroom('crs:Exposure2012="&a;"')}


def test_real(bench, record):
    folder, out = bench.raws()
    bench.options = ["-r", "linear", "--set", "raw.boostAmount=0"]
    sidecars = variants()
    for name, text in sidecars.items():
        raw = material.raw(folder / f"{name}.dng")
        if text:
            # Both names are in use.
            suffix = ".dng.xmp" if name in ("darktable", "turned") else ".xmp"
            raw.with_suffix(suffix).write_text(text)
    before = digests(folder)

    def explain(path):
        ended = bench.run("recipe", "explain", path)
        return ended.code, ended.out.decode() + ended.err.decode()

    code, text = explain(folder / "exposed.dng")
    check("exposure is taken from Lightroom's XMP", code == 0
          and "taken: crs:Exposure2012 +1.00 as raw.exposure" in text, text[-200:])
    for field in "Contrast2012 Highlights2012 Shadows2012 Vibrance Clarity2012 Look".split():
        check(f"what is made of crs:{field} is said", f"crs:{field}" in text)
    check("as shot is not turned into numbers", not any(
        "5350" in line and not line.startswith("not taken") for line in text.splitlines()), text)
    check("a look's own exposure does not count", "4.00" not in text, text)
    code, text = explain(folder / "darktable.dng")
    check("darktable's XMP is read, and what it holds is said to be not taken", code == 0 and all(
        word in text for word in ("darktable", "exposure", "filmicrgb")), text[-600:])
    ended = bench.batch()
    failed = ended.named("failed")
    ended.expect("all are developed, but those whose XMP is none",
                 done=len(sidecars) - len(failed),
                 also=failed <= {"bomb.dng", "outside.dng", "cut.dng"})
    notes = ended.items["exposed.dng"].get("notes", [])
    check("the report says what was not taken",
          any("not taken" in note and "crs:Look" in note for note in notes), notes)
    pictures = {path.stem: tifffile.imread(path).astype(float) for path in out.glob("*.tif")}
    none = pictures["none"]
    seen = np.abs(pictures["even"]) > 1e-3
    ratio = pictures["lighter"][seen] / pictures["even"][seen]
    result = f"linear values x {ratio.min():.4f} to {ratio.max():.4f}"
    check("exposure +1 doubles linear light within 1 %", np.abs(ratio - 2).max() < 0.02, result)
    record(bench.table, case="exposure +1 in Lightroom's XMP", result=result)
    height, width = none.shape[:2]
    crop = none[:height // 2, width // 4:width // 4 + width // 2]
    for name, wanted in {
        # Adobe's crop is of the picture as it is stored, before it is turned clockwise.
        "cropped": crop, "turned": np.rot90(none, -1), "both": np.rot90(crop, -1),
        # Settings that are applied already are not applied again, darktable's not guessed at.
        "applied": pictures["plain"], "darktable": pictures["plain"],
    }.items():
        check(f"the picture of {name}.dng is as it should be",
              np.array_equal(pictures[name], wanted), (pictures[name].shape, wanted.shape))
    same("sidecars are not written to", digests(folder), before)
    for path in sorted((material.SHARED / "raws").glob("adobe_0*.dng")):
        raw = material.raw(folder / "copy.dng")
        raw.with_suffix(".xmp").write_bytes(run("exiftool", "-m", "-b", "-xmp", path))
        inner, outer = (explain(p)[1] for p in (path, raw))
        kept = [line for line in inner.splitlines() if line.startswith("taken: crs:Exposure")]
        check(f"the XMP of {path.stem} beside a raw says the same",
              kept and all(line in outer for line in kept), kept)
