"""The document that says where the origins differ, and what is covered."""

import textwrap

from . import join


def text(cameras, versions, others, coverage):
    raws = [c for c in cameras if c.is_raw]
    known = [c for c in raws if c.matrix[1]]
    single = [c for c in known if not c.agreeing and not c.differing]
    warm = sum(1 for c in known if c.matrix_a[1])
    lines = [
        "# The table of cameras", "", *paragraph(f"""
        `Sources/RawDecode/Cameras/CameraTable+Data.swift` says of cameras of 2019 and later what
        their raws do not: color matrices, levels, areas. `Scripts/camera-table` makes it and this
        page from published tables, of which numbers alone are taken; `Scripts/camera-table --help`
        says where they are. `rawdev cameras` lists the table, with `--summary` counts it by year,
        and `rawdev info` says where a raw's colors and levels come from."""), "", *paragraph(f"""
        {len(cameras)} cameras, {len(raws)} of which record raws that are no DNGs and have colors; a
        matrix is known for {len(known)} of these, one for illuminant A too for {warm}. For
        {len(single)} there is one origin alone."""), "",
        "## Whose colors a raw gets", "", *paragraph("""
        LibRaw searches its matrices by the beginning of the model: release 0.20 gives an EOS R5 the
        colors of the EOS R, and an α 7 IV those of the α 7 of 2013. So a raw that is no DNG gets
        the matrix of this table, whatever release of LibRaw is installed; else LibRaw's where it
        lists the camera by its whole name; else what LibRaw took from a relative, with a warning
        that names it; else none, with a warning. A profile (`--camera-profile`) or a matrix of the
        caller replaces all of these and ends the warning. Levels of cameras that LibRaw lists are
        LibRaw's; of others the table's white counts where it has as many bits as the declared one,
        and its black where neither the file nor masked pixels say it."""), "", *paragraph("""
        So the Fujifilm cameras of the next table whose matrices LibRaw corrected in 0.22 have the
        corrected ones with 0.20 and 0.21, too, and the cameras with a matrix for illuminant A use
        it in warm light, which LibRaw alone does not."""), "",
        "## Which origin counts", "",
        "| fact | first of |", "|---|---|",
        f"| color matrix | {', '.join(join.MATRIX)}; a row that cameras share behind their own |",
        "| matrix for illuminant A | dnglab, where a camera of the maker has the chosen matrix for "
        "D65 |",
        f"| white | {', '.join(join.WHITE)} |", f"| black | {', '.join(join.BLACK)} |",
        f"| areas | {', '.join(join.AREA)} |", "", *paragraph("""
        LibRaw's newest release comes first so that colors do not move when it is installed; whites
        that were measured come first because declared ones are above the codes that saturated
        samples reach. No origin has baseline exposures. The numbers of dnglab, which has a file for
        each camera, were copied to `Scripts/camera_tables/dnglab.txt`. Areas without light and rows
        with phase-detection pixels, which RawTherapee has for 11 and 12 of these cameras, are not
        taken: two of the areas end outside of their pictures, and no raw was at hand to check the
        others."""), "",
        "## Where color matrices differ", "", *paragraph("""
        The largest color difference (CIE 1976) of red, green, blue, cyan, magenta and yellow
        (linear sRGB 0.6 and 0.1, D65) when a camera of the first origin is developed with the
        matrix of the other."""), "",
        "| camera | origin chosen | agreeing | differing |", "|---|---|---|---|"]
    for camera in known:
        if camera.differing:
            different = ", ".join(f"{n} {d:.1f}" for n, d in camera.differing)
            lines.append(f"| {camera.entry.name} | {origin(camera)} | "
                         f"{', '.join(camera.agreeing) or '–'} | {different} |")
    lines += ["", "## One origin alone", "",
              *paragraph("; ".join(f"{c.entry.name} ({origin(c)})" for c in single) + "."), "",
              "## Where whites differ by over 1 %", "", *paragraph("""
        Whites by ISO speed are compared at the lowest. Origins that count in other bits than LibRaw
        decodes do not apply: a white of the table holds for files whose declared white has as many
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
    lines += ["", "## Without a matrix in any origin", "", *paragraph("; ".join(missing) + "."), "",
              "## Coverage", "", *paragraph("""
        Cameras by maker and year: colors exact / borrowed from a relative / none known / not
        decoded. Before the arrow without the table, when borrowed colors were not told; behind it
        with the table, when they are a warning. Where both are the same there is no arrow. DNGs
        bring their colors. A camera counts as decoded where LibRaw reads one of its storages; those
        that are not read are refused when a file is opened."""), "", coverage]
    return "\n".join(lines).rstrip() + "\n"


def origin(camera):
    name, _ = camera.matrix
    row = camera.facts[name].row
    return name + (f", row of {row}" if row else "")


def paragraph(text):
    return textwrap.wrap(" ".join(text.split()), 100, break_on_hyphens=False)
