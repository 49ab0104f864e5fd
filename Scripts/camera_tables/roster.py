"""The roster: which cameras there are, and what the published tables do not say of them."""

import dataclasses
import re

from . import names


@dataclasses.dataclass
class Entry:
    make: str
    model: str
    year: int
    format: str
    aliases: list
    notes: list

    @property
    def name(self):
        return f"{self.make} {self.model}"

    @property
    def key(self):
        return names.key(self.make, self.model)

    @property
    def keys(self):
        return [self.key] + [names.key(self.make, alias) for alias in self.aliases]


def read(path):
    """All entries of the roster, sorted by maker and model. Names must be unique."""
    entries, make, form = [], "", ""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if section := re.fullmatch(r"\[(.+) (\w+)\]", line):
            make, form = section[1], section[2]
            continue
        found = re.fullmatch(r"(\d{4})  (.+?)(?:  ?\((\w{3})\))?(?: \{([^}]*)\})?", line)
        if not found or not make:
            raise SystemExit(f"{path}:{number}: not understood: {line}")
        model, *aliases = [part.strip() for part in found[2].split(" = ")]
        entries.append(Entry(
            make, model, int(found[1]), found[3] or form, aliases,
            [note.strip() for note in (found[4] or "").split(",") if note.strip()]))
    seen = {}
    for entry in entries:
        for key in dict.fromkeys(entry.keys):
            if key in seen:
                raise SystemExit(f"{path}: {entry.name} and {seen[key]} have the same name")
            seen[key] = entry.name
    return sorted(entries, key=lambda e: (e.make.lower(), natural(e.model)))


def natural(text):
    """Sorts R5 before R10."""
    return [int(p) if p.isdigit() else p for p in re.split(r"(\d+)", text.lower())]


# Entries that LibRaw's newer lists write otherwise than the oldest, and cameras before 2019 whose
# firmware was changed to record raws, or that are no cameras for photographs.
NOT_NEW = (
    "CHDK hack", "QuickTake", "Canon PowerShot SX40", "Canon PowerShot SX710")


def require_complete(entries, versions):
    """Fails where a newer LibRaw lists a camera that neither the roster nor the oldest has."""
    known = {key for entry in entries for key in entry.keys}
    oldest = min(versions)
    for version, libraw in versions.items():
        for listed in libraw.listed:
            keys = names.listed_keys(listed)
            if keys & known or keys & versions[oldest].keys:
                continue
            if not any(part in listed for part in NOT_NEW):
                raise SystemExit(
                    f"LibRaw {version} lists {listed}: add it to Scripts/camera_roster.txt")
