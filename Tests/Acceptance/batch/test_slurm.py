"""A cluster of two nodes on one machine loses one of them in the middle of a batch, for good and at once;
every picture is there, once, as if nothing had happened. slurm.sh sets the cluster up."""
import pathlib
import re
import subprocess

import pytest

from support.checks import check


@pytest.mark.slow
@pytest.mark.root
def test_node_is_lost(rawdev, pytestconfig):
    script = pathlib.Path(__file__).with_name("slurm.sh")
    done = subprocess.run([script, rawdev, str(max(40, pytestconfig.getoption("count")))],
                          capture_output=True, text=True)
    for word, name in re.findall(r"^(ok|FAILED) +(.*)$", done.stdout + done.stderr, flags=re.M):
        check(name, word == "ok")
    check("it comes to its end", done.returncode == 0, (done.stdout + done.stderr)[-1000:])
