"""Stills made for a module's tests: what was asked for twice is made once."""
import json

from support.program import FIXTURES, run

SUFFIXES = {"heif": "heic", "tiff": "tif", "jpeg": "jpg"}


class Session:
    def __init__(self, rawdev, folder):
        self.rawdev, self.folder, self.made = rawdev, folder, {}

    def develop(self, raw, kind, *options):
        """Path and JSON report of a raw, or of a fixture by its name, developed to `kind`."""
        raw = FIXTURES / f"{raw}.dng" if isinstance(raw, str) else raw
        path, said = self._make(["develop", raw, "--json", "-o"], kind, options)
        return path, json.loads(said)

    def convert(self, still, kind, *options):
        """Path of a still converted to `kind`."""
        return self._make(["convert", still], kind, options)[0]

    def _make(self, words, kind, options):
        key = (*words, words[1].stat().st_mtime_ns, kind, *map(str, options))
        if key not in self.made:
            name = kind.split("-")[0]
            path = self.folder / f"{kind}-{len(self.made) + 1}.{SUFFIXES.get(name, name)}"
            self.made[key] = path, run(self.rawdev, *words, path, "--format", kind, *options)
        return self.made[key]
