"""The first damaged files of Scripts/hostile, without the sanitizers: none ends otherwise than in a
picture or one clear line, within time and memory."""
import subprocess

from support.checks import check
from support.program import ROOT

FILES = 400


def test_first_files(rawdev, generator, tmp):
    program = tmp / "rawdev"
    program.symlink_to(rawdev)
    (tmp / "make-fixtures").symlink_to(generator)
    done = subprocess.run(
        [ROOT / "Scripts/hostile", "--release", "--count", str(FILES), "--jobs", "1", "--rawdev",
         program, "--folder", tmp / "hostile"], capture_output=True, text=True)
    check("no fault", done.returncode == 0, done.stdout)
    check("all were judged", f"{FILES} files, 0 with faults" in done.stdout, done.stderr)
