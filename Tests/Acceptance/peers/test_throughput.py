"""Whole folders of 24-megapixel Bayer raws to 16-bit TIFF: rawdev batch and the peers that are
installed, one after the other. `plain` is the recipe that does what dcraw does, `default` rawdev's
look with noise reduction and sharpening, which dcraw_emu and darktable-cli do not. Needs a machine
without other work (--timing)."""
import os
import shutil

import pytest

from batch import material
from support.checks import same
from support.cost import measured
from support.program import run

pytestmark = [pytest.mark.nightly, pytest.mark.timing]
TABLE = "Throughput (peers/test_throughput.py)"
COUNT, SIZE = 20, (6000, 4000)


@pytest.fixture(scope="module")
def raws(generator, folder):
    raws = folder / "raws"
    raws.mkdir()
    run(generator, "benchmark", raws / "000.dng", "--width", SIZE[0], "--height", SIZE[1])
    for number in range(1, COUNT):
        material.variant(raws / "000.dng", raws / f"{number:03}.dng", number)
    return raws


def commands(rawdev, raws, out):
    each = f"ls {raws}/*.dng | xargs -P{len(os.sched_getaffinity(0))} -n1"
    batch = [rawdev, "batch", raws, "-o", out]
    yield "rawdev, plain", [*batch, "--recipe", "plain"]
    yield "rawdev, default", [*batch, "--format", "tiff", "--tiff-compression", "none"]
    peers = {
        "dcraw_emu": ["sh", "-c", f"{each} dcraw_emu -T -6 -w -q 3"],
        "darktable-cli": ["sh", "-c", f"""for raw in {raws}/*.dng; do
            darktable-cli $raw {out}/$(basename $raw .dng).tif --core --configdir {out}-darktable \\
              --library :memory: --conf plugins/imageio/format/tiff/bpp=16 \\
              --conf plugins/imageio/format/tiff/compress=0; done"""],
        "rawtherapee-cli": ["rawtherapee-cli", "-o", out, "-t", "-b16", "-Y", "-q", "-c", raws]}
    yield from ((name, command) for name, command in peers.items() if shutil.which(name))
    yield "rawdev, plain, again", [*batch, "--recipe", "plain"]


def test_folders(rawdev, raws, folder, record):
    walls = {}
    for name, command in commands(rawdev, raws, folder / "out"):
        out = folder / "out"
        out.mkdir()
        cost = measured(*command)
        wall = walls[name] = cost.wall
        pictures = [path for folder in (out, raws) for path in folder.rglob("*.tif*")]
        made = [path for path in pictures if path.stat().st_size > 1 << 20]
        same(f"{name}: pictures", len(made), COUNT)
        for path in made:
            path.unlink()
        shutil.rmtree(out)
        record(TABLE, program=name, **{
            "s": f"{wall:.1f}", "CPU s": f"{cost.cpu:.1f}",
            "MP/s": f"{SIZE[0] * SIZE[1] * COUNT / 1e6 / wall:.1f}",
            "busy": f"{cost.cpu / wall / len(os.sched_getaffinity(0)):.0%}",
            "plain is faster": f"{wall / walls['rawdev, plain']:.2f} x",
            "default is faster": f"{wall / walls.get('rawdev, default', wall):.2f} x"})
