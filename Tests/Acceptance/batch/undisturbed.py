"""A folder of raws, what comes of it undisturbed, and what must hold after any disturbance."""
import collections
import pathlib

from batch import material
from batch.bench import digests, files, lines
from support.checks import check

RECIPE = """outputs:
  hdr: {format: heif-hlg, maxSize: 400, name: "hdr/{stem}"}
  web: {format: jpeg, maxSize: 400, name: "web/{stem}"}
"""


class Undisturbed:
    """`folder` of `count` raws, and `whole`, what comes of it."""

    def __init__(self, bench, count):
        self.bench, self.count = bench, count
        self.folder, self.out = bench.raws(count, material.FIXTURES)
        self.recipe = self.folder / "night.yaml"
        self.recipe.write_text(RECIPE)
        ended = self.batch(bench.folder / "undisturbed")
        ended.expect("undisturbed run", 0, done=count)
        self.whole, self.seconds = digests(bench.folder / "undisturbed"), ended.seconds

    def words(self, out, *more):
        return [self.folder, "-o", out, "-r", self.recipe, *more]

    def batch(self, out, *more, **options):
        return self.bench.batch(*self.words(out, *more), **options)

    def settled(self, out, ended=None):
        """What must hold after the last run, which is made here unless it is given."""
        ended = ended or self.batch(out)
        found = digests(out)
        ended.expect("the run after it ends with 0", 0)
        check("outputs are those of the undisturbed run, byte by byte", found == self.whole,
              sorted(found.items() ^ self.whole.items())[:5])
        kept = sorted(set(files(out, hidden=True)) - set(found))
        check("nothing else is left but journal and report",
              all(k.startswith((b".rawdev/journal-", b"rawdev-report.")) for k in kept), kept)
        times = journal(out)
        check("nothing was done twice", len(times) == self.count and set(times.values()) == {1},
              {k: v for k, v in times.items() if v != 1} or len(times))


def journal(out):
    """Lines of all journals: sources by the number of times that they were done."""
    done = collections.Counter()
    for path in pathlib.Path(out, ".rawdev").glob("journal-*.jsonl"):
        done.update(value["done"]["_0"]["source"] for value in lines(path.read_bytes())
                    if "done" in value)
    return done
