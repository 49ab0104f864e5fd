"""Sidecars as Lightroom and darktable write them: what is taken, what is not, and what comes of it."""
import shutil
import subprocess

from batch import material

LIGHTROOM = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Adobe XMP Core 7.0-c000 1.000000, 0000/00/00-00:00:00">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about=""
    xmlns:tiff="http://ns.adobe.com/tiff/1.0/" xmlns:exif="http://ns.adobe.com/exif/1.0/"
    xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
    xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/" xmlns:dc="http://purl.org/dc/elements/1.1/"
    xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
   xmp:Rating="4" xmp:ModifyDate="2026-10-02T18:11:09+02:00" photoshop:SidecarForExtension="DNG"
   xmpMM:DocumentID="0F6A1C3E9D5B" {tiff}
   crs:Version="17.0" crs:ProcessVersion="15.4" crs:WhiteBalance="As Shot" crs:Temperature="5350"
   crs:Tint="+7" {crs} crs:Contrast2012="+12" crs:Highlights2012="-40" crs:Shadows2012="+25"
   crs:Texture="+10" crs:Clarity2012="+8" crs:Vibrance="+15" crs:Sharpness="40" crs:SharpenRadius="+1.0"
   crs:LuminanceSmoothing="0" crs:ColorNoiseReduction="25" crs:ToneCurveName2012="Linear"
   crs:LensProfileEnable="0" crs:HasSettings="True" crs:AlreadyApplied="{applied}">
   <dc:subject><rdf:Bag><rdf:li>evening</rdf:li></rdf:Bag></dc:subject>
   <crs:ToneCurvePV2012><rdf:Seq><rdf:li>0, 0</rdf:li><rdf:li>255, 255</rdf:li></rdf:Seq></crs:ToneCurvePV2012>
   <crs:Look><rdf:Description crs:Name="Adobe Color" crs:Amount="1"><crs:Parameters>
     <rdf:Description crs:Exposure2012="+4.00" crs:ProcessVersion="15.4"/></crs:Parameters>
   </rdf:Description></crs:Look>
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>"""
DARKTABLE = """<?xml version="1.0" encoding="UTF-8"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 4.4.0-Exiv2">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
    xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/" xmlns:darktable="http://darktable.sf.net/"
   exif:DateTimeOriginal="2025:06:21 20:27:00.000" xmp:Rating="1" xmpMM:DerivedFrom="dt.dng"
   darktable:import_timestamp="63873000000000" darktable:xmp_version="5" darktable:raw_params="0"
   darktable:auto_presets_applied="1" darktable:history_end="3" darktable:iop_order_version="4">
   <darktable:masks_history><rdf:Seq/></darktable:masks_history>
   <darktable:history><rdf:Seq>
    <rdf:li darktable:num="0" darktable:operation="exposure" darktable:enabled="1" darktable:modversion="6"
     darktable:params="00000000000000000000803f00004842000080c00100000001000000" darktable:multi_name=""
     darktable:multi_priority="0" darktable:blendop_version="13"/>
    <rdf:li darktable:num="1" darktable:operation="filmicrgb" darktable:enabled="1" darktable:modversion="6"
     darktable:params="gz09eJxjYGiwZ2B44MAAAA" darktable:multi_name="" darktable:multi_priority="0"/>
    <rdf:li darktable:num="2" darktable:operation="flip" darktable:enabled="0" darktable:modversion="2"
     darktable:params="ffffffff" darktable:multi_name="" darktable:multi_priority="0"/>
   </rdf:Seq></darktable:history>
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>"""


def lightroom(crs="", tiff="", applied="False"):
    return LIGHTROOM.format(crs=crs, tiff=tiff, applied=applied)


def test_real(bench):
    import numpy
    import tifffile
    folder, out = bench.make("in"), bench.make("out")
    variants = {
        "plain": None, "none": lightroom(), "exposed": lightroom('crs:Exposure2012="+1.00"'),
        "cropped": lightroom('crs:HasCrop="True" crs:CropLeft="0.25" crs:CropTop="0" crs:CropRight="0.75" '
                             'crs:CropBottom="0.5" crs:CropAngle="0"'),
        "turned": lightroom(tiff='tiff:Orientation="6"'),
        "both": lightroom('crs:HasCrop="True" crs:CropLeft="0.25" crs:CropTop="0" crs:CropRight="0.75" '
                          'crs:CropBottom="0.5"', 'tiff:Orientation="6"'),
        "applied": lightroom('crs:Exposure2012="+1.00"', applied="True"), "darktable": DARKTABLE,
        "bomb": "<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'>" + "".join(
            f"<!ENTITY {c} '&{b};&{b};&{b};&{b};&{b};&{b};&{b};&{b};&{b};&{b};'>" for b, c in
            zip("abcdefgh", "bcdefghi")) + "]>" + lightroom('crs:Exposure2012="&i;"'),
        "outside": "<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>" + lightroom('crs:Exposure2012="&a;"'),
        "cut": lightroom('crs:Exposure2012="+1.00"')[:900],
    }
    for name, text in variants.items():
        raw = folder / f"{name}.dng"
        shutil.copy(material.FIXTURES[0], raw)
        if text:
            place = folder / f"{name}.dng.xmp" if name in ("darktable", "turned") else folder / f"{name}.xmp"
            place.write_text(text)

    def explain(name):
        ended = bench.run("recipe", "explain", folder / f"{name}.dng")
        return ended.code, ended.out.decode() + ended.err.decode()

    code, text = explain("exposed")
    bench.check("exposure is taken from Lightroom's XMP", code == 0
                and "taken: crs:Exposure2012 +1.00 as raw.exposure" in text, text[-200:])
    for field in ("Contrast2012", "Highlights2012", "Shadows2012", "Vibrance", "Clarity2012", "Look"):
        bench.check(f"what is made of crs:{field} is said", f"crs:{field}" in text)
    bench.check("as shot is not turned into numbers", not any(
        "5350" in line and not line.startswith("not taken") for line in text.splitlines()),
        [line for line in text.splitlines() if "5350" in line])
    bench.check("a look's own exposure does not count", "4.00" not in text, [
        line for line in text.splitlines() if "4.00" in line])
    code, text = explain("darktable")
    bench.check("darktable's XMP is read, and what it holds is said to be not taken", code == 0
                and "darktable" in text and "exposure" in text and "filmicrgb" in text, text[-600:])
    ended = bench.batch(folder, "-o", out, "-r", "linear", "--set", "raw.boostAmount=0")
    errors = {k: v["error"]["message"][:110] for k, v in ended.items.items() if v.get("error")}
    bench.check("all are developed, but those whose XMP is none", ended.count("done") + len(errors) == len(variants)
                and set(errors) <= {"bomb.dng", "outside.dng", "cut.dng"}, errors)
    bench.note(f"hostile XMP: {errors or 'developed'}, {ended.seconds:.1f} s; " + str(
        {k: ended.items[f'{k}.dng']["warnings"][:1] for k in ("bomb", "outside", "cut")})[:300])
    notes = ended.items["exposed.dng"].get("notes", [])
    bench.check("the report says what was not taken", any("not taken" in n and "Contrast2012" in n for n in notes), notes)
    pictures = {p.stem: tifffile.imread(p).astype(float) for p in out.glob("*.tif")}
    none, exposed = pictures["none"], pictures["exposed"]
    seen = numpy.abs(none) > 1e-3
    ratio = exposed[seen] / none[seen]
    bench.check("exposure +1 doubles linear light within 1 %", numpy.abs(ratio - 2).max() < 0.02,
                f"{ratio.min():.4f} to {ratio.max():.4f}, mean {ratio.mean():.4f}, of {ratio.size} values")
    height, width = none.shape[:2]
    bench.check("crop", pictures["cropped"].shape[:2] == (height // 2, width // 2)
                and numpy.array_equal(pictures["cropped"], none[:height // 2, width // 4:width // 4 + width // 2]),
                (pictures["cropped"].shape, none.shape))
    bench.check("orientation 6 turns it clockwise", pictures["turned"].shape[:2] == (width, height)
                and numpy.array_equal(pictures["turned"], numpy.rot90(none, -1)), pictures["turned"].shape)
    # Adobe's crop is of the picture as it is stored, before it is turned.
    bench.check("crop and orientation together", numpy.array_equal(
        pictures["both"], numpy.rot90(none[:height // 2, width // 4:width // 4 + width // 2], -1)),
        pictures["both"].shape)
    bench.check("settings that are applied already are not applied again", numpy.array_equal(
        pictures["applied"], pictures["plain"]))
    bench.check("darktable's settings are not guessed at", numpy.array_equal(pictures["darktable"], pictures["plain"]))
    before = {p.name: p.read_bytes() for p in folder.glob("*.xmp")}
    bench.check("sidecars are not written to", all(p.read_bytes() == before[p.name] for p in folder.glob("*.xmp")))
    for path in sorted((material.SHARED / "raws").glob("adobe_0*.dng")):
        packet = subprocess.run(["exiftool", "-m", "-b", "-xmp", path], capture_output=True).stdout
        inner = bench.run("recipe", "explain", path).out.decode()
        raw = folder / "copy.dng"
        shutil.copy(material.FIXTURES[0], raw)
        raw.with_suffix(".xmp").write_bytes(packet)
        outer = bench.run("recipe", "explain", raw).out.decode()
        kept = [line for line in inner.splitlines() if line.startswith("taken: crs:Exposure")]
        bench.check(f"the XMP of {path.stem} beside a raw says the same", kept and all(k in outer for k in kept), kept)
