"""A file that is not as it should be, given to rawdev, and what is wrong with what comes of it."""
import math
import os
import pathlib
import struct
import tempfile
from dataclasses import dataclass, field

from hostile.foreign import FOREIGN
from support.cost import measured
from support.program import PATIENCE

SECONDS = 5
# Of a small file that is a whole picture of this size, as of any other: read, and packed as PNG.
SECONDS_PER_PIXEL = 40e-9
MEGABYTES = 512


@dataclass
class Case:
    """A file to be read, and what came of it."""
    name: str
    path: pathlib.Path
    # Whole pictures that need more are allowed more.
    most_megabytes: float = MEGABYTES
    faults: list = field(default_factory=list)
    seconds: float = 0
    megabytes: float = 0
    accepted: bool = False

    def judge(self, rawdev, slack, *commands):
        """What is wrong with each of the commands, of which the first writes a picture."""
        for command in commands:
            with tempfile.TemporaryDirectory(prefix="rawdev-hostile-") as folder:
                path = pathlib.Path(folder, "hostile")
                path.symlink_to(self.path)
                for fault in self.run(rawdev, command, path, slack):
                    self.faults.append(f"{command}: {fault}")
        return self

    def run(self, rawdev, command, path, slack):
        """What a command does wrong with the file."""
        out = path.with_name("out.png")
        writes = command in ("convert", "develop")
        words = [rawdev, command, path, *(["-o", out] if writes else [])]
        cost = measured(*words, cpu_limit=30 * slack, space_limit=16 << 30, timeout=PATIENCE)
        code, megabytes = cost.code, cost.kibibytes / 1024
        ours = [line for line in cost.errors.splitlines() if line and not line.startswith(FOREIGN)]
        self.seconds = max(self.seconds, cost.cpu)
        self.megabytes = max(self.megabytes, megabytes)
        self.accepted = self.accepted or code == 0
        if code not in (0, 65, 66):
            yield f"ended by signal {-code}" if code < 0 else f"exit {code}"
        if code in (65, 66) and not (len(ours) == 1 and ours[0].startswith("rawdev: ")):
            yield f"{len(ours)} lines of error: {' | '.join(ours)[:400]}"
        if code == 0 and any(": note: " not in line for line in ours):
            yield f"words on success: {' | '.join(ours)[:400]}"
        left = set(os.listdir(path.parent)) - {path.name}
        if code != 0 and left:
            yield f"left {left}"
        whole = code == 0 and writes
        pixels = math.prod(struct.unpack_from(">II", out.read_bytes(), 16)) if whole else 0
        if cost.cpu > slack * max(SECONDS, SECONDS_PER_PIXEL * pixels):
            yield f"{cost.cpu:.1f} s"
        if megabytes > self.most_megabytes:
            yield f"{megabytes:.0f} MB, allowed are {self.most_megabytes:.0f}"
