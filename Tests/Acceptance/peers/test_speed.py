"""Cost of one picture beside peers on a 24-megapixel raw: ours and the peer's command take turns,
medians of CPU seconds, wall seconds and peak memory are compared. Needs a machine without other
work (--timing)."""
import bisect
import functools
import itertools
import statistics
import sys

import numpy as np
import pytest
import tifffile

from support.checks import check
from support.cost import measured
from support.needed import installed
from support.program import ROOT, run

sys.path.append(str(ROOT / "Scripts/peers"))
from equal_quality import luma_psnr  # noqa: E402

pytestmark = [pytest.mark.nightly, pytest.mark.peers, pytest.mark.timing]
TABLE = "Cost beside peers, ours / peer (peers/test_speed.py)"
PAIRS = 3
PEER_HEIF = [sys.executable, ROOT / "Scripts/peers/rawpy_heif.py"]
PLAIN = ["--luminance-noise-reduction-amount", "0", "--color-noise-reduction-amount", "0",
         "--sharpness-amount", "0"]  # no more than dcraw_emu and rawpy do
DEFAULT = ["--format", "tiff", "--tiff-compression", "none"]
TIFF, PQ = DEFAULT + PLAIN, ["--format", "heif-pq", *PLAIN]


def cost_of(*command):
    cost = measured(*command)
    if cost.code:
        raise RuntimeError(f"{command} failed: {cost.errors[-1000:]}")
    return cost


@pytest.fixture(scope="module")
def raws(generator, folder):
    """Simulated raws of 24 megapixels, ProRAWs of 12, one of 48 in JPEG XL."""
    size = ["--width", "6000", "--height", "4000"]
    run(generator, "benchmark", folder / "lossless.dng", *size)
    run(generator, "benchmark", folder / "plain.dng", *size, "--compression", "none")
    for form in ["analog-balance", "as-shot-neutral"]:
        run(generator, "proraw", folder / f"{form}.dng", "--form", form)
    large = ["--megapixels", "48", "--compression", "jpeg-xl"]
    run(generator, "proraw", folder / "jpeg-xl-48.dng", *large)
    return folder


def compare(record, folder, name, ours, theirs, limit, memory_limit=350):
    """Medians of pairs of turns of both commands, after one unmeasured turn of each."""
    costs = ([], [])
    for turn in range(PAIRS + 1):
        for which, command in enumerate([ours, theirs]):
            for leftover in folder.glob("out*"):
                leftover.unlink()
            cost = cost_of(*command)
            if turn:
                costs[which].append((cost.cpu, cost.wall, cost.megabytes))
    own, peer = (list(map(statistics.median, zip(*side))) for side in costs)
    cpu, wall, memory = [f"{a:.2f} / {b:.2f}" for a, b in zip(own, peer)]
    ratio = own[0] / peer[0]
    record(TABLE, what=name, **{"CPU s": cpu, "ratio": f"{ratio:.3f}", "limit": limit,
                                "wall s": wall, "peak MB": memory})
    check(f"{name}: CPU", ratio <= limit, ratio)
    check(f"{name}: memory", own[2] <= memory_limit, own[2])


def equal_quality(rawdev, folder, raw):
    """The pair of qualities whose PSNRs lie within 0.3 dB, starting from the peer's usual 90 (our
    steps are about 1 dB): qualities, then PSNR and bytes of either side."""
    light, ours = folder / "source.tif", folder / "ours.heic"
    theirs, codes = folder / "theirs.heic", folder / "theirs.npy"
    cost_of(rawdev, "develop", raw, "-o", light, *TIFF, "--tiff-space", "bt2100-pq")
    source = tifffile.imread(light).astype(np.float32) * (1023 / 65535)

    @functools.cache
    def at(step):
        cost_of(rawdev, "develop", raw, "-o", ours, *PQ, "--quality", step / 48)
        return luma_psnr(ours, source), ours.stat().st_size

    pairs = []
    for peer_quality in [90, 89, 91, 88, 92]:
        cost_of(*PEER_HEIF, raw, theirs, "--quality", peer_quality, "--source", codes)
        wanted = luma_psnr(theirs, np.load(codes))
        above = bisect.bisect_left(range(48), wanted, lo=9, key=lambda step: at(step)[0])
        for step in (above - 1, above):
            pairs.append((step / 48, peer_quality, *at(step), wanted, theirs.stat().st_size))
        best = min(pairs, key=lambda pair: abs(pair[2] - pair[4]))
        if abs(best[2] - best[4]) <= 0.3:
            break
    return best


@pytest.mark.parametrize("output", [["out.tif", *TIFF], ["out.heic", *PQ]], ids=["tiff", "heif-pq"])
def test_memory_of_48_megapixels(rawdev, raws, record, output):
    name, *options = output
    cost = cost_of(rawdev, "develop", raws / "jpeg-xl-48.dng", "-o", raws / name, *options)
    record(TABLE, what=f"48-MP ProRAW in JPEG XL: {name}", **{
        "CPU s": f"{cost.cpu:.2f}", "wall s": f"{cost.wall:.2f}",
        "peak MB": f"{cost.megabytes:.0f}", "limit": "1200 MB"})
    check("memory", cost.megabytes <= 1200, cost.megabytes)


# Commands, our options beside them, limits of CPU and memory.
PEERS = {
    "dcraw_emu": ("dcraw_emu -q 3 -T -4 -Z {folder}/out-peer.tiff {raw}", TIFF, 0.5, 350),
    "dcraw_emu -6 -w": (
        "dcraw_emu -q 3 -T -6 -w -Z {folder}/out-peer.tiff {raw}", TIFF, 0.6, 350),
    "darktable-cli": (
        "darktable-cli {raw} {folder}/out-dt.tif --core --configdir {folder}/dt --library :memory: "
        "--conf plugins/imageio/format/tiff/bpp=16 --conf plugins/imageio/format/tiff/compress=0",
        TIFF, 0.12, 350),
    # Everything at its default.
    "rawtherapee-cli": (
        "rawtherapee-cli -o {folder}/out-rt.tif -t -b16 -d -Y -c {raw}", DEFAULT, 0.5, 500)}


@pytest.mark.parametrize("name, peer", [
    *itertools.product(["lossless", "plain"], ["dcraw_emu", "darktable-cli", "rawtherapee-cli"]),
    *itertools.product(["analog-balance", "as-shot-neutral"], ["dcraw_emu -6 -w"])])
def test_tiff(rawdev, raws, record, name, peer):
    """Raws of 24 megapixels, and ProRAWs of 12."""
    command, options, *limits = PEERS[peer]
    theirs = [word.format(raw=raws / f"{name}.dng", folder=raws) for word in command.split()]
    installed(theirs[0])
    ours = [rawdev, "develop", raws / f"{name}.dng", "-o", raws / "out.tif", *options]
    compare(record, raws, f"{name}: TIFF, {peer}", ours, theirs, *limits)


def test_heif(rawdev, raws, record):
    """At equal quality: luma within 0.3 dB."""
    pytest.importorskip("rawpy")
    raw = raws / "lossless.dng"
    quality, peer_quality, our_db, our_size, their_db, their_size = equal_quality(rawdev, raws, raw)
    check("equal quality", abs(our_db - their_db) <= 0.3, (our_db, their_db))
    compare(record, raws, f"lossless: PQ HEIF at {our_db:.2f} dB and {our_size / 1e6:.2f} MB, "
            f"rawpy + pillow-heif at {their_db:.2f} dB and {their_size / 1e6:.2f} MB",
            [rawdev, "develop", raw, "-o", raws / "out.heic", *PQ, "--quality", quality],
            [*PEER_HEIF, raw, raws / "out-peer.heic", "--quality", peer_quality], 0.4)
