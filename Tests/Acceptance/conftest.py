"""Fixtures and reports of the acceptance tests."""
import collections
import itertools
import json
import os
import pathlib
import shutil
import signal
import tempfile

import pytest

from batch.bench import Bench
from support import checks, verification
from support.developed import Session
from support.program import PATIENCE, ROOT, SHARED


def pytest_addoption(parser):
    add = parser.getgroup("rawdev").addoption
    program = ROOT / ".build/release/rawdev"
    add("--rawdev", help="the program to test", type=pathlib.Path, default=program)
    add("--count", help="raws of a batch's night", type=int, default=60)
    add("--timing", help="also judge by the clock: needs an idle machine", action="store_true")
    add("--write-verification", help="write the tables of this run into Docs/verification.md",
        action="store_true")


def pytest_collection_modifyitems(config, items):
    for item in items:
        if item.get_closest_marker("root") and os.geteuid() != 0:
            item.add_marker(pytest.mark.skip(reason="needs root"))
        if item.get_closest_marker("timing") and not config.getoption("timing"):
            item.add_marker(pytest.mark.skip(reason="needs a machine without other work: --timing"))


@pytest.fixture(scope="session")
def rawdev(pytestconfig):
    path = pytestconfig.getoption("rawdev").resolve()
    if not path.is_file():
        pytest.exit(f"{path} is not there; build it or name another by --rawdev", 2)
    return path


@pytest.fixture(scope="session")
def generator(rawdev):
    """The program that makes simulated raws, beside rawdev."""
    path = rawdev.with_name("make-fixtures")
    return path if path.is_file() else ROOT / ".build/release/make-fixtures"


@pytest.fixture(scope="session")
def shared():
    """Picture files outside the package: without them a test is skipped, or fails with
    RAWDEV_REQUIRE_SHARED=1."""
    if not SHARED.is_dir():
        if os.environ.get("RAWDEV_REQUIRE_SHARED") == "1":
            pytest.fail("../shared is missing: this run must have it", pytrace=False)
        pytest.skip("../shared is missing")
    return SHARED


def temporary():
    """A folder that is open to other users."""
    path = pathlib.Path(tempfile.mkdtemp(prefix="rawdev-acceptance-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path, ignore_errors=True)


folder = pytest.fixture(temporary, scope="module")
tmp = pytest.fixture(temporary)


@pytest.fixture(scope="module")
def session(rawdev, folder):
    return Session(rawdev, folder)


@pytest.fixture(scope="session")
def chromium():
    # Not installed for what runs at every change.
    from playwright.sync_api import sync_playwright
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), timeout=1000 * PATIENCE,
            args=["--no-sandbox", "--allow-file-access-from-files", "--force-color-profile=srgb"])
        yield browser
        browser.close()


@pytest.fixture
def bench(rawdev, tmp, pytestconfig):
    bench = Bench(rawdev, tmp, pytestconfig.getoption("count"), pytestconfig.getoption("timing"))
    yield bench
    left = bench.alive()
    for number, _ in left:
        os.kill(number, signal.SIGKILL)
    assert not left, f"processes are left: {left}"


@pytest.fixture
def record(request):
    """record(table, COLUMN=value, …): a row of a table of Docs/verification.md."""
    def add(table, **row):
        request.node.user_properties.append(("record", json.dumps([table, row])))
    return add


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    tally = checks.tally = checks.Tally()
    try:
        result = yield
    except BaseException as error:
        for line in tally.failures:
            error.add_note(f"failed before: {line}")
        raise
    finally:
        pyfuncitem.user_properties.append(("checks", tally.count))
    if tally.failures:
        pytest.fail(f"{len(tally.failures)} of {tally.count} checks failed\n"
                    + "\n".join(tally.failures), pytrace=False)
    return result


def pytest_terminal_summary(terminalreporter, config):
    counts, tables = collections.Counter(), collections.defaultdict(list)
    reports = itertools.chain(*terminalreporter.stats.values())
    for report in (each for each in reports if getattr(each, "when", None) == "call"):
        for name, value in report.user_properties:
            if name == "checks":
                counts[report.nodeid.split("::")[0]] += value
            elif name == "record":
                table, row = json.loads(value)
                tables[table].append(row)
    for file in sorted(counts):
        terminalreporter.write_line(f"{counts[file]:6} checks in {file}")
    terminalreporter.write_line(f"{counts.total():6} checks in all")
    if config.getoption("write_verification") and tables:
        verification.write(ROOT / "Docs/verification.md", tables)
