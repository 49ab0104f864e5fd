"""First inputs of rawdev-fuzz that no program here writes: small files put together field by field,
each for structures that the others do not have."""
from fuzzing import codestreams, pictures, raws, texts
from fuzzing.blocks import icc_profiles, iso_records
from hostile import jpeg_bombs, png_bombs, tiff_bombs


def predicted(stream):
    """A lossless JPEG that says that it has each of the other predictors (T.81, table H.1)."""
    at = stream.find(b"\xff\xda")
    if at >= 0:
        at += 5 + 2 * stream[at + 4]
        for number in range(2, 8):
            yield f"predictor-{number}", stream[:at] + bytes([number]) + stream[at + 1:]


def stills(folder):
    """Kinds, names and bytes."""
    for kind, every in (
            ("tiff", pictures.tiffs()), ("png", pictures.pngs()), ("jpeg", pictures.jpegs(folder)),
            ("heif", pictures.heifs(folder)), ("jxl", pictures.jxls(folder))):
        for name, data in every:
            yield kind, name, data
    for kind, form, bombs in (("tiff", "tiff", tiff_bombs), ("png", "png", png_bombs),
                              ("jpeg", "jpeg-sdr", jpeg_bombs)):
        for name, data, *_ in bombs.bombs((folder / f"{form}.still").read_bytes()):
            if len(data) < 20_000:
                yield kind, f"bomb-{name}", data


def files(folder):
    """Targets, names and bytes; `folder`: where rawdev's stills are."""
    for kind, name, data in stills(folder):
        yield "still", f"{kind}-{name}", data
        if kind in ("tiff", "jpeg", "heif"):
            yield kind, name, data
        if kind in ("jpeg", "heif", "jxl"):
            yield "remux", f"{kind}-{name}", data
        map = data.find(b"jhgm")
        if kind == "jxl" and map >= 0:
            yield "jpegxl", name, data[map + 4:]
    for target, every in (
            ("raw", raws.dngs(folder)), ("raw", raws.undecoded(folder)),
            ("opcodes", raws.opcodes()), ("apple-note", raws.notes()),
            ("gain-table-map", raws.gain_maps()), ("camera-profile", raws.profiles()),
            ("xmp", texts.xmps()), ("iptc", texts.iptcs()), ("look", texts.looks()),
            ("exr", texts.exrs()), ("png", texts.lights()), ("folder", texts.folders()),
            ("recipe", texts.recipes()), ("sidecar", texts.recipes()),
            ("icc", icc_profiles().items()), ("iso-gain-map", iso_records()),
            ("jpegxl", codestreams.streams()),
            ("iso-gain-map", texts.parameters())):
        for name, data in every:
            yield target, f"made-{name}", data
    yield from texts.lines(folder)
