"""The document of differences between sources, and of coverage."""

import textwrap

from . import join


def text(cameras, versions, others, coverage):
    raws = [c for c in cameras if c.is_raw]
    known = [c for c in raws if c.matrix[1]]
    single = [c for c in known if not c.agreeing and not c.differing]
    warm = sum(1 for c in known if c.matrix_a[1])
    lines = [
        "# The table of cameras", "", *paragraph(f"""
        `Sources/RawDecode/Cameras/CameraTable+Data.swift` contains data missing from the raws of
        cameras of 2019 and later: color matrices, levels, areas. `Scripts/camera-table` generates
        it and this page from the numbers of published tables; `Scripts/camera-table --help` says
        where to find them. `rawdev cameras` lists the table, `--summary` counts it by year, and
        `rawdev info` shows the origin of a raw's colors and levels."""), "", *paragraph(f"""
        {len(cameras)} cameras; {len(raws)} record color raws other than DNG. A matrix is known for
        {len(known)} of these, with a second one for illuminant A for {warm}. {len(single)} have a
        single source."""), "",
        "## Which colors a raw uses", "", *paragraph("""
        LibRaw matches its color table by model prefix: release 0.20 gives an EOS R5 the colors of
        the EOS R, and an α 7 IV the colors of the α 7 of 2013. So a raw other than a DNG uses the
        matrix of this table, regardless of the LibRaw version; else LibRaw's, if it lists the
        complete camera name; else the matrix that LibRaw takes from a related camera, with a
        warning that names it; else none, with a warning. A profile (`--camera-profile`) or a
        matrix of the caller replaces all of these and removes the warning. Levels of cameras that
        LibRaw lists come from LibRaw; for others the table's white applies if it has as many bits
        as the declared one, and its black if neither the file nor masked pixels give
        one."""), "", *paragraph("""
        So the Fujifilm cameras of the next table whose matrices LibRaw corrected in 0.22 use the
        corrected ones with 0.20 and 0.21, too, and cameras with a matrix for illuminant A use it
        for warm illuminants, which LibRaw alone does not."""), "",
        "## Priority of sources", "",
        "| value | first of |", "|---|---|",
        f"| color matrix | {', '.join(join.MATRIX)}; shared rows after the camera's own |",
        "| matrix for illuminant A | dnglab, if a camera of the maker has the chosen matrix for "
        "D65 |",
        f"| white | {', '.join(join.WHITE)} |", f"| black | {', '.join(join.BLACK)} |",
        f"| areas | {', '.join(join.AREA)} |", "", *paragraph("""
        LibRaw's newest release comes first so that colors do not change when it is installed;
        measured whites come first because declared ones are above the codes that saturated samples
        reach. No source has baseline exposures. The numbers of dnglab, which has a file for each
        camera, were copied to `Scripts/camera_tables/dnglab.txt`. Masked areas and rows with
        phase-detection pixels, which RawTherapee has for 11 and 12 of these cameras, are not used:
        two of the areas extend beyond their pictures, and no raws were available to verify the
        others."""), "",
        "## Where color matrices differ", "", *paragraph("""
        The largest color difference (CIE 1976) of red, green, blue, cyan, magenta and yellow
        (linear sRGB 0.6 and 0.1, D65) if a camera of the first source is developed with the matrix
        of the other."""), "",
        "| camera | chosen source | agreeing | differing |", "|---|---|---|---|"]
    for camera in known:
        if camera.differing:
            different = ", ".join(f"{n} {d:.1f}" for n, d in camera.differing)
            lines.append(f"| {camera.entry.name} | {origin(camera)} | "
                         f"{', '.join(camera.agreeing) or '–'} | {different} |")
    lines += ["", "## Single source", "",
              *paragraph("; ".join(f"{c.entry.name} ({origin(c)})" for c in single) + "."), "",
              "## Where whites differ by over 1 %", "", *paragraph("""
        Whites by ISO speed are compared at the lowest. Sources with another bit depth than LibRaw's
        do not apply: a white of the table applies to files whose declared white has as many
        bits."""), "", "| camera | chosen | others |", "|---|---|---|"]
    for camera in raws:
        name, levels = camera.first(join.WHITE, "white")
        if not levels:
            continue
        white = max(levels[0][1])
        others_of = [(n, max(camera.facts[n].white[0][1])) for n in join.WHITE
                     if n != name and n in camera.facts and camera.facts[n].white]
        different = [f"{n} {w}" for n, w in others_of if abs(w / white - 1) > 0.01]
        if different:
            lines.append(f"| {camera.entry.name} | {name} {white} | {', '.join(different)} |")
    missing = [c.entry.name for c in raws if not c.matrix[1]]
    lines += ["", "## Without a matrix in any source", "", *paragraph("; ".join(missing) + "."), "",
              "## Coverage", "", *paragraph("""
        Cameras by maker and year: colors exact / from a related camera / unknown / not decoded.
        Before the arrow without the table, where related colors gave no warning; after it with the
        table, where they do. No arrow if both are equal. DNGs contain their colors. A camera counts
        as decoded if LibRaw reads one of its storage formats; files in other formats are rejected
        when opened."""), "", coverage]
    return "\n".join(lines).rstrip() + "\n"


def origin(camera):
    name, _ = camera.matrix
    row = camera.facts[name].row
    return name + (f", row of {row}" if row else "")


def paragraph(text):
    return textwrap.wrap(" ".join(text.split()), 100, break_on_hyphens=False)
