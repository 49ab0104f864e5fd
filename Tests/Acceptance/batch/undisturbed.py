"""A folder of raws, what comes of it undisturbed, and what must hold after any disturbance."""
from batch import material
from batch.bench import complete, digests, files, journal
from support.checks import check, none

RECIPE = """outputs:
  hdr: {format: heif-hlg, maxSize: 400, name: "hdr/{stem}"}
  web: {format: jpeg-sdr, maxSize: 400, name: "web/{stem}"}
"""


class Undisturbed:
    """A folder of raws that the bench's batches develop, and `whole`, what comes of it."""

    def __init__(self, bench, count):
        self.bench, self.count = bench, count
        self.folder, self.out = bench.raws(count, material.FIXTURES)
        recipe = self.folder / "night.yaml"
        recipe.write_text(RECIPE)
        bench.options = ["-r", recipe]
        ended = bench.batch(out="undisturbed").expect("undisturbed run", 0, done=count)
        self.whole, self.seconds = digests(bench.folder / "undisturbed"), ended.seconds

    def half(self, out):
        """Files that stand under their own names and are not what they should be."""
        return {name for name, _ in digests(out).items() - self.whole.items()} & complete(out)

    def settled(self, out=None, ended=None):
        """What must hold after the last run, which is made here unless it is given."""
        out = out or self.out
        ended = ended or self.bench.batch(out=out)
        found = digests(out)
        ended.expect("the run after it ends with 0", 0)
        none("outputs equal the undisturbed run's", found.items() ^ self.whole.items())
        own = (b".rawdev/journal-", b"rawdev-report.")
        kept = files(out, hidden=True).keys() - found.keys()
        none("nothing else is left but journal and report",
             [name for name in kept if not name.startswith(own)])
        times = journal(out)
        check("nothing was done twice", len(times) == self.count == times.total(), times)
