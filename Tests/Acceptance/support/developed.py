"""Raws developed for a module's tests: what was asked for twice is developed once."""
import json

from support.program import run

SUFFIXES = {"heif": "heic", "tiff": "tif", "jpeg": "jpg"}


class Session:
    def __init__(self, rawdev, folder):
        self.rawdev, self.folder, self.made = rawdev, folder, {}

    def develop(self, raw, kind, *options):
        """Path and JSON report of `raw` developed to `kind`."""
        key = (str(raw), raw.stat().st_mtime_ns, kind, *map(str, options))
        if key not in self.made:
            suffix = SUFFIXES.get(kind.split("-")[0], kind.split("-")[0])
            path = self.folder / f"{raw.stem}-{len(self.made) + 1}-{kind}.{suffix}"
            words = ["develop", raw, "-o", path, "--format", kind, "--json", *options]
            self.made[key] = path, json.loads(run(self.rawdev, *words))
        return self.made[key]
