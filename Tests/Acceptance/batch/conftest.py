import os
import pathlib
import shutil
import signal
import tempfile

import pytest

from batch.bench import Bench


@pytest.fixture
def bench(rawdev, pytestconfig):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="rawdev-batch-"))
    folder.chmod(0o755)
    bench = Bench(rawdev, folder, pytestconfig.getoption("count"), pytestconfig.getoption("timing"))
    yield bench
    left = bench.alive()
    for number, _ in left:
        os.kill(number, signal.SIGKILL)
    shutil.rmtree(folder, ignore_errors=True)
    assert not left, "processes are left"
