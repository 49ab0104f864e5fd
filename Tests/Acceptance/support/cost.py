"""What one run of a program costs. A program inherits the peak memory of the process that starts
it, so a small one starts it."""
import resource
import subprocess
import sys
from dataclasses import dataclass

STARTER = """
import os, resource, sys, time
result, errors, seconds, space = sys.argv[1:5]
if int(seconds):
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))
    resource.setrlimit(resource.RLIMIT_AS, (int(space), int(space)))
began = time.perf_counter()
process = os.posix_spawnp(sys.argv[5], sys.argv[5:], os.environ, file_actions=[
    (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0),
    (os.POSIX_SPAWN_OPEN, 2, errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)])
_, status, usage = os.wait4(process, 0)
wall = time.perf_counter() - began
with open(result, "w") as file:
    print(os.waitstatus_to_exitcode(status), wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, file=file)
"""


@dataclass
class Cost:
    code: int
    wall: float
    cpu: float
    kibibytes: int
    errors: str

    @property
    def megabytes(self):
        return self.kibibytes * 1024 / 1e6


def processor_seconds():
    """Processor time of all programs that were started by this process and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measured(folder, *command, cpu_limit=0, space_limit=0, timeout=None):
    """Exit code of a command, seconds by the clock and of all threads, peak memory, errors."""
    result, errors = folder / "cost", folder / "errors"
    limits = str(cpu_limit), str(space_limit)
    subprocess.run([sys.executable, "-I", "-S", "-c", STARTER, result, errors, *limits,
                    *map(str, command)], check=True, timeout=timeout)
    code, wall, cpu, kibibytes = result.read_text().split()
    said = errors.read_text("utf8", "replace")
    return Cost(int(code), float(wall), float(cpu), int(kibibytes), said)
