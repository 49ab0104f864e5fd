"""Checks that the documents name code that exists: types, members of types, and tests written as
`suite.test`. Renaming leaves such names behind. Scripts/lint checks paths of files."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
DOCUMENTS = ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "Docs/*.md", "Docs/decisions/*.md",
             "Sources/*/README.md"]
DECLARATION = r"\b(?:struct|class|enum|protocol|extension|actor) ([A-Z][\w.]*)"


def tracked(*patterns):
    listed = subprocess.run(["git", "ls-files", *patterns], cwd=ROOT, check=True,
                            capture_output=True, text=True)
    return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def main():
    words, members = set(), {}
    for path in tracked("Sources", "Tests", "Fixtures", "Examples", "Package.swift", "Scripts"):
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        here = set(re.findall(r"\w+", text))
        words |= here | {path.stem, path.name.split("+")[0]} | set(path.relative_to(ROOT).parts)
        for kind in re.findall(DECLARATION, text):
            members.setdefault(kind.split(".")[-1], set()).update(here)
    wrong = []
    for document in tracked(*DOCUMENTS):
        for number, line in enumerate(document.read_text().splitlines(), 1):
            owner = None
            for code in re.findall(r"`([^`]+)`", line):
                match = re.match(r"([A-Z]\w*[a-z]\w*)?((?:\.\w+)*)", code)
                kind, path = match[1], match[2].split(".")[1:]
                if kind is None and not path or path in (["swift"], ["c"], ["h"]):
                    continue
                owner = kind or owner
                name = f"{document.relative_to(ROOT)}:{number}: `{code}`"
                if kind and kind not in words:
                    wrong.append(f"{name}: no {kind}")
                elif path and owner in members and path[0] not in members[owner] | members.keys():
                    wrong.append(f"{name}: {owner} has no {path[0]}")
    print("\n".join(wrong), file=sys.stderr)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
