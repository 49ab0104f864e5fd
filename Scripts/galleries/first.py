"""Develops every raw at the default and puts it beside the picture that the camera made of it, and
with --peers beside RawTherapee's (its default profile) and darktable's (its default modules):

    FOLDER/NAME.png      the whole pictures, and 100 % crops of the four most difficult places
    FOLDER/gallery.md    a table of how near each is to the camera's picture, and the means
    FOLDER/NAME.*.png    the pictures themselves; what is there is not developed again (--again)

Ends with 1 when the means are beyond the limits of the default look (support/appearance.py).
Needs exiftool, and the Python packages of Scripts/install --for test; --peers both programs.
"""
import argparse
import pathlib
import statistics
import subprocess
import sys
import tempfile

from PIL import Image, ImageDraw

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Acceptance"))
from places import places  # noqa: E402
from support import appearance  # noqa: E402
from support.appearance import FIGURES, shown  # noqa: E402

# Pixels of the long side of whole pictures, and of both sides of crops.
WHOLE = CROP = 480


def developed(program, raw, out, options):
    with tempfile.TemporaryDirectory() as folder:
        commands = {
            "rawdev": [options.rawdev, "develop", raw, "-o", out, "--format", "png-sdr", "--bits",
                       "8", "--color-space", "srgb", *options.options.split()],
            "rawtherapee": ["rawtherapee-cli", "-d", "-n", "-b8", "-Y", "-o", out, "-c", raw],
            "darktable": ["darktable-cli", raw, out, "--apply-custom-presets", "false", "--core",
                          "--configdir", folder, "--library", ":memory:", "--disable-opencl"]}
        command = [str(word) for word in commands[program]]
        done = subprocess.run(command, capture_output=True, text=True, timeout=1200)
    if out.exists():
        return Image.open(out).convert("RGB")
    said = (done.stderr or done.stdout).strip()[-120:]
    print(f"{raw.name}: {program}: {said}", file=sys.stderr)
    return None


def crop(picture, frame, box):
    """The part of a picture that shows what `box` of the first one shows, in that one's pixels."""
    scale, offset = frame
    edges = [(edge - offset[i % 2]) / scale[i % 2] for i, edge in enumerate(box)]
    return picture.transform((CROP, CROP), Image.Transform.EXTENT, edges,
                             Image.Resampling.BICUBIC)


def sheet(raw, pictures, frames, out):
    """One row of whole pictures, and one for each difficult place."""
    ours = pictures["rawdev"]
    found = places(ours, CROP)
    columns = list(pictures)
    small = {program: appearance.smaller(picture, WHOLE) for program, picture in pictures.items()}
    height = max(picture.height for picture in small.values()) + 20
    result = Image.new("RGB", (len(columns) * (WHOLE + 8), height + len(found) * (CROP + 20)),
                       (64, 64, 64))
    draw = ImageDraw.Draw(result)
    for number, program in enumerate(columns):
        left = number * (WHOLE + 8)
        draw.text((left + 4, 4), f"{raw.name}: {program}", fill="white")
        result.paste(small[program], (left, 20))
        for row, (name, corner) in enumerate(found.items()):
            top = height + row * (CROP + 20)
            box = (*corner, corner[0] + CROP, corner[1] + CROP)
            draw.text((left + 4, top + 4), f"{name}, at {corner[0]}, {corner[1]}", fill="white")
            if program in frames:
                result.paste(crop(pictures[program], frames[program], box), (left, top + 20))
    result.save(out)


def main():
    parser = argparse.ArgumentParser(prog="Scripts/gallery first", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--rawdev", type=pathlib.Path, default=ROOT / ".build/release/rawdev")
    add("--out", type=pathlib.Path, required=True)
    add("--peers", action="store_true")
    add("--again", action="store_true", help="develop ours again")
    add("--options", default="", help="of rawdev develop, such as '--look faithful'")
    add("--reject", action="append", default=[], help="a file that does not count")
    add("raws", nargs="*", type=pathlib.Path,
        default=[ROOT.parent / "shared/raws", ROOT.parent / "shared/more/raws"])
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    programs = ["rawdev"] + (["rawtherapee", "darktable"] if options.peers else [])
    rows, nearest, figures = [], [], {program: [] for program in programs}
    for raw in appearance.raws(options.raws):
        camera = appearance.preview(raw)
        pictures, frames, row = {}, {}, {}
        for program in programs:
            kept = options.out / f"{raw.name}.{program}.png"
            if options.again and program == "rawdev":
                kept.unlink(missing_ok=True)
            picture = (Image.open(kept).convert("RGB") if kept.exists()
                       else developed(program, raw, kept, options))
            if picture is not None:
                pictures[program] = picture
        if "rawdev" not in pictures:
            continue
        pictures = ({"camera": camera} if camera else {}) | pictures
        ours = pictures["rawdev"]
        reference = appearance.smaller(camera or ours)
        for program, picture in pictures.items():
            small = appearance.smaller(picture, max(reference.size))
            if camera and program in programs:
                row[program], place = appearance.compared(picture, camera)
            else:
                place = appearance.frame(small, reference)
            shrunk = small.width / picture.width
            frames[program] = ([s * shrunk for s in place.scale], place.offset)
        own = frames["rawdev"]
        frames = {name: ([s / o for s, o in zip(scale, own[0])],
                         [(d - e) / o for d, e, o in zip(offset, own[1], own[0])])
                  for name, (scale, offset) in frames.items()}
        sheet(raw, pictures, frames, options.out / f"{raw.name}.png")
        counts = raw.name not in options.reject and row and row["rawdev"]["correlation"] > 0.5
        for program, found in row.items():
            rows.append((raw.name, program, found))
            if counts and found["correlation"] > 0.5:
                figures[program].append(found)
        if counts:
            nearest.append(min(row, key=lambda program: row[program]["dE"]))
        print(raw.name, *(f"{program} {found['dE']:.2f}" for program, found in row.items()),
              flush=True)
    return judged(options, rows, figures, nearest)


def judged(options, rows, figures, nearest):
    lines = ["| file | program | " + " | ".join(FIGURES) + " |", "|---" * (len(FIGURES) + 2) + "|"]
    for name, program, found in rows:
        lines.append(f"| {name} | {program} | "
                     + " | ".join(shown(found[key]) for key in FIGURES) + " |")
    means = {}
    for program, all_of in figures.items():
        if not all_of:
            continue
        means[program] = {}
        for key in FIGURES:
            values = [found[key] for found in all_of if found[key] is not None]
            means[program][key] = statistics.fmean(values) if values else None
        lines.append(f"| mean of {len(all_of)} | {program} | "
                     + " | ".join(shown(means[program][key]) for key in FIGURES) + " |")
        middle = statistics.median(found["dE"] for found in all_of)
        lines.append(f"| median | {program} | {middle:.2f} |" + " |" * (len(FIGURES) - 1))
    if len(figures) > 1:
        counted = {program: nearest.count(program) for program in figures}
        lines.append("")
        lines.append("Nearest to the camera's picture: "
                     + ", ".join(f"{program} {number}" for program, number in counted.items()))
    (options.out / "gallery.md").write_text("\n".join(lines) + "\n")
    print("\n".join(lines[-2 - 3 * len(figures):]))
    ours = means.get("rawdev", {})
    beyond = [f"{key} {ours[key]:+.2f} (limit {limit})"
              for key, limit in appearance.LIMITS.items() if ours and abs(ours[key]) > limit]
    for each in beyond:
        print(f"the default look is too far from the camera's pictures: {each}", file=sys.stderr)
    return 1 if beyond or not ours else 0


sys.exit(main())
