"""Fixtures and reports of the acceptance tests."""
import collections
import itertools
import json
import os
import pathlib
import shutil
import signal
import tempfile
import time

import pytest

from batch.bench import Bench
from support import checks, cost, verification
from support.developed import Session
from support.program import PATIENCE, ROOT, SHARED

SECONDS = pathlib.Path(__file__).with_name("seconds.json")
BEGAN = pytest.StashKey()


def pytest_addoption(parser):
    add = parser.getgroup("rawdev").addoption
    program = ROOT / ".build/release/rawdev"
    add("--rawdev", help="the program to test", type=pathlib.Path, default=program)
    add("--count", help="raws of a batch's night", type=int, default=60)
    add("--timing", help="also judge by the clock: needs an idle machine", action="store_true")
    add("--cpu", help="number of tests with the most processor time to name", type=int, default=0)
    add("--write-seconds", help="write how long a test of each file takes into seconds.json",
        action="store_true")
    add("--write-verification", help="write the tables of this run into Docs/verification.md",
        action="store_true")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    for item in items:
        if item.get_closest_marker("root") and os.geteuid() != 0:
            item.add_marker(pytest.mark.skip(reason="needs root"))
        if item.get_closest_marker("timing") and not config.getoption("timing"):
            item.add_marker(pytest.mark.skip(reason="needs a machine without other work: --timing"))
    # Files that take long begin first, so that no core waits for one at the end.
    seconds = json.loads(SECONDS.read_text())
    files = collections.Counter()
    for item in items:
        files[file_of(item)] += seconds.get(file_of(item), 1)
    items.sort(key=lambda item: -files[file_of(item)])


def file_of(test):
    return test.nodeid.split("::")[0]


def processor_seconds():
    """Of this process and of those that it has waited for."""
    return time.process_time() + cost.processor_seconds()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    item.stash[BEGAN] = processor_seconds()
    return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item, call):
    """With its fixtures. The browser's is that of the last test, with which it ends."""
    if call.when == "teardown":
        item.user_properties.append(("cpu", round(processor_seconds() - item.stash[BEGAN], 3)))


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
        marks = {mark.name for mark in request.node.iter_markers()}
        request.node.user_properties.append(("record", json.dumps([table, row, *marks])))
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
    marks = collections.defaultdict(set)
    walls, processors = collections.Counter(), {}
    reports = itertools.chain(*terminalreporter.stats.values())
    for report in (each for each in reports if isinstance(each, pytest.TestReport)):
        properties = report.user_properties if report.when == "call" else ()
        for name, value in properties:
            if name == "checks":
                counts[file_of(report)] += value
            elif name == "record":
                table, row, *own = json.loads(value)
                tables[table].append(row)
                marks[table].update(own)
        if report.when == "teardown":
            processors[report.nodeid] = dict(report.user_properties)["cpu"]
        walls[file_of(report)] += report.duration
    for file in sorted(counts):
        terminalreporter.write_line(f"{counts[file]:6} checks in {file}")
    terminalreporter.write_line(f"{counts.total():6} checks in all")
    for test in sorted(processors, key=processors.get)[:-config.getoption("cpu") - 1:-1]:
        terminalreporter.write_line(f"{processors[test]:6.1f} s of processors in {test}")
    terminalreporter.write_line(
        f"{sum(processors.values()):6.0f} s of processors in {len(processors)} tests")
    if config.getoption("write_seconds"):
        tests = collections.Counter(test.split("::")[0] for test in processors)
        seconds = {file: round(walls[file] / tests[file], 2) for file in tests}
        text = json.dumps(json.loads(SECONDS.read_text()) | seconds, indent=2, sort_keys=True)
        SECONDS.write_text(text + "\n")
    if config.getoption("write_verification") and tables:
        verification.write(ROOT / "Docs/verification.md", tables, marks)
