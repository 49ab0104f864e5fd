"""Damaged files: some of every kind that is read, and at night the first ones of Scripts/hostile,
without the sanitizers. None ends otherwise than in a picture or one clear line, within time and
memory."""
import subprocess

import pytest

from hostile.case import Case
from hostile.damage import damaged
from support.checks import check
from support.program import ROOT, run

STILLS = ["jpeg-sdr", "jpeg-gainmap", "heif-pq", "heic-gainmap", "avif", "avif-gainmap", "png",
          "exr", "jxl", "jxl-gainmap", "tiff", "tiff-float"]
CODINGS = ["none", "lossless-jpeg", "jpeg-xl", "deflate", "vc-5"]
# Of each kind, and in the campaign.
SOME, FILES = 3, 400


def test_some_of_every_kind(rawdev, session, generator, tmp):
    sound = [(session.develop("sunset-linear", kind, "--max-size", "120")[0], "convert", "identify")
             for kind in STILLS]
    for coding in CODINGS:
        raw = tmp / f"{coding}.dng"
        run(generator, "benchmark", raw, "--width", "192", "--height", "128", "--compression",
            coding)
        sound.append((raw, "develop", "info"))
    for path, *commands in sound:
        for number in range(SOME):
            data, way = damaged(path.read_bytes(), number)
            file = tmp / "damaged"
            file.write_bytes(data)
            case = Case(f"{path.name}, {number}: {way}", file).judge(rawdev, 4, *commands)
            check(case.name, not case.faults, "; ".join(case.faults))


@pytest.mark.nightly
def test_first_files(rawdev, generator, tmp):
    program = tmp / "rawdev"
    program.symlink_to(rawdev)
    (tmp / "make-fixtures").symlink_to(generator)
    done = subprocess.run(
        [ROOT / "Scripts/hostile", "--release", "--count", str(FILES), "--jobs", "1", "--rawdev",
         program, "--folder", tmp / "hostile"], capture_output=True, text=True)
    check("no fault", done.returncode == 0, done.stdout)
    check("all were judged", f"{FILES} files, 0 with faults" in done.stdout, done.stderr)
