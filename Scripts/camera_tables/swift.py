"""The data file of module RawDecode."""

from . import join

HEAD = '''extension CameraTable {
  /// Cameras of 2019 and later, sorted by maker and model. Made by Scripts/camera-table from
  /// published tables, of which Docs/camera-table.md says where they differ; not edited by hand.
  ///
  /// A camera begins at the left: maker | model | year | files | storages that not every decoder
  /// reads (Scripts/camera_roster.txt). Its facts follow, each with its origin behind the bar; an
  /// origin in brackets says the same.
  ///
  ///     also     other names, separated by semicolons
  ///     D65, A   color matrix: XYZ under that light to camera values, times 10,000, row by row
  ///     black    ISO speed from which on it holds, colon, level; four levels: R G B G2
  ///     white    likewise: the level at which samples saturate
  ///     crop     left, top, width, height of the picture; 0 and less: from the far side; "of"
  ///              the stored size that it holds for
  static let data = """
'''
TAIL = '''    """
}
'''
WIDTH = 100


def source(cameras):
    lines = []
    for camera in cameras:
        entry = camera.entry
        lines.append(" | ".join(
            [entry.make, entry.model, str(entry.year), entry.format] + (
                [", ".join(entry.notes)] if entry.notes else [])))
        lines += wrapped("also", "; ".join(entry.aliases), ";")
        name, numbers = camera.matrix
        if numbers and camera.is_raw:
            row = camera.facts[name].row
            origin = name + (f", row of {row}" if row else "")
            same = f" [{', '.join(camera.agreeing)}]" if camera.agreeing else ""
            lines += fact("D65", " ".join(map(str, numbers)), origin + same)
            origin, numbers = camera.matrix_a
            if numbers:
                lines += fact("A", " ".join(map(str, numbers)), origin)
        if entry.format == "DNG":
            continue
        for word, order in (("black", join.BLACK), ("white", join.WHITE)):
            origin, levels = camera.first(order, word)
            if levels:
                text = " ".join(
                    f"{iso}:{'/'.join(map(str, values))}" for iso, values in levels)
                lines += fact(word, text, origin)
        origin, boxes = camera.first(join.AREA, "crops")
        for frame, *box in boxes or []:
            of = f" of {frame[0]} {frame[1]}" if frame else ""
            lines += fact("crop", " ".join(map(str, box)) + of, origin)
    body = "\n".join(("    " + line).rstrip() for line in lines)
    return HEAD + body + "\n" + TAIL


def fact(word, text, origin):
    return wrapped(word, f"{text} | {origin}", " ")


def wrapped(word, text, separator):
    """A fact within the width of lines; a line that goes on is indented by four."""
    if not text:
        return []
    out, line = [], f"  {word} {text}"
    while len(line) + 4 > WIDTH:
        cut = line.rfind(separator, 0, WIDTH - 5) + (separator == ";")
        out.append(line[:cut].rstrip())
        line = "    " + line[cut:].strip()
    return out + [line]
