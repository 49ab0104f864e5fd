"""Bombs – stills that claim, repeat or nest more than they hold – cost one clear error, quickly and
within bounded memory.

They are built by hand around a small picture of each kind, and each is given to `rawdev convert`
and `rawdev identify`. Each must end with exit code 0, 65 or 66 within 5 s of processor time and
512 MB, or what the bomb says itself, without a signal; failures say one line and leave no file.
Processor time grows with the work of others: without --timing four times as much is allowed.
Files damaged by number are in test_campaign.py.
"""
import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from hostile import heif_bombs, jpeg_bombs, jxl_bombs, png_bombs, tiff_bombs
from hostile.case import MEGABYTES, Case
from support.checks import check

pytestmark = pytest.mark.full
TABLE = "Hostile stills (hostile/test_bombs.py)"
# The formats of the pictures that bombs are built around.
KINDS = {"jpeg": ("jpeg-gainmap", jpeg_bombs), "heif": ("heif-pq", heif_bombs),
         "avif": ("avif", heif_bombs), "png": ("png", png_bombs), "jxl": ("jxl", jxl_bombs),
         "tiff": ("tiff --tiff-compression none", tiff_bombs)}


@pytest.mark.parametrize("kind", KINDS)
def test_bombs(rawdev, session, tmp, pytestconfig, record, kind):
    form, maker = KINDS[kind]
    form, *options = form.split()
    picture, _ = session.develop("sunset-bayer", "heif-pq")
    seed = session.convert(picture, form, "--max-size", "160", *options).read_bytes()
    slack = 1 if pytestconfig.getoption("timing") else 4

    def cases():
        for number, (name, data, *allowed) in enumerate(maker.bombs(seed)):
            path = tmp / f"bomb-{number}"
            path.write_bytes(data)
            yield Case(name, path, MEGABYTES + sum(allowed))

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        done = list(pool.map(
            lambda case: case.judge(rawdev, slack, "convert", "identify"), cases()))
    for case in done:
        check(f"{kind} {case.name}", not case.faults, "; ".join(case.faults))
    read = sum(case.accepted for case in done)
    record(TABLE, kind=kind, files=len(done), read=read, refused=len(done) - read,
           slowest=f"{max(case.seconds for case in done):.2f} s",
           largest=f"{max(case.megabytes for case in done):.0f} MB")
