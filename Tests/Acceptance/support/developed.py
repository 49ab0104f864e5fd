"""Fixtures and other raws developed for a module's tests: what was asked for twice is developed once."""
import json

from support.program import run

SUFFIXES = {"heif": "heic", "heic": "heic", "tiff": "tif", "jpeg": "jpg", "png": "png", "jxl": "jxl", "avif": "avif"}


class Session:
    def __init__(self, rawdev, folder):
        self.rawdev, self.folder, self.made = rawdev, folder, {}

    def develop(self, raw, kind, *options):
        """Path and JSON report of `raw` developed to `kind`."""
        key = (str(raw), raw.stat().st_mtime_ns, kind, *map(str, options))
        if key not in self.made:
            path = self.folder / f"{raw.stem}-{len(self.made) + 1}-{kind}.{SUFFIXES[kind.split('-')[0]]}"
            report = run(self.rawdev, "develop", raw, "-o", path, "--format", kind, "--json", *options)
            self.made[key] = path, json.loads(report)
        return self.made[key]
