"""How many cameras develop, by maker and year, with each LibRaw, before and after the table."""

def state(camera, version, versions, with_table):
    """What becomes of raws of `camera`: what LibRaw's `version` reads, and whose colors it takes.
    Storages that the file alone can tell are counted as read where LibRaw reads one of them."""
    libraw = versions[version]
    entry = camera.entry
    if entry.format in ("DNG", "GPR") or "mono" in entry.notes:
        return "exact"
    if libraw.lists(entry):
        return "exact" if (libraw.found(entry) or with_table and camera.matrix[1]) else "none"
    if with_table and camera.matrix[1]:
        return "exact"
    found = libraw.found(entry)
    if found and found.matrix:
        return "borrowed, noted" if with_table else "borrowed"
    return "none"


def table(cameras, versions):
    """Rows of maker, columns of years; LibRaw 0.20, 0.21, 0.22, before and after."""
    lines = []
    years = sorted({max(c.entry.year, 2019) for c in cameras})
    makers = sorted({c.entry.make for c in cameras}, key=str.lower)
    raw_makers = [m for m in makers if any(
        c.entry.make == m and c.entry.format not in ("DNG",) for c in cameras)]
    for version in sorted(versions):
        lines += [f"### LibRaw {version}", "",
                  "| maker | " + " | ".join(map(str, years)) + " | all |",
                  "|---" * (len(years) + 2) + "|"]
        groups = [(m, [m]) for m in raw_makers]
        groups.append(("makers of DNGs", [m for m in makers if m not in raw_makers]))
        groups.append(("all", makers))
        for title, of in groups:
            cells = []
            for year in years + [None]:
                chosen = [c for c in cameras if c.entry.make in of
                          and (year is None or max(c.entry.year, 2019) == year)]
                cells.append(cell(chosen, version, versions))
            lines.append(f"| {title} | " + " | ".join(cells) + " |")
        lines.append("")
    return "\n".join(lines)


def cell(cameras, version, versions):
    if not cameras:
        return ""
    texts = []
    for with_table in (False, True):
        states = [state(c, version, versions, with_table) for c in cameras]
        counts = [
            states.count("exact"), states.count("borrowed") + states.count("borrowed, noted"),
            states.count("none"), states.count("not decoded")]
        texts.append("/".join(map(str, counts)))
    return texts[0] if texts[0] == texts[1] else f"{texts[0]} → {texts[1]}"
