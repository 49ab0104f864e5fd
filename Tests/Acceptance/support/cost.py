"""What one run of a program costs. It inherits the peak memory of what starts it, so a small one
does."""
import resource
import subprocess
import sys
from dataclasses import dataclass

STARTER = """
import resource, subprocess, sys, time
seconds, space = map(int, sys.argv[1:3])
if seconds:
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (space, space))
began = time.perf_counter()
code = subprocess.run(sys.argv[3:], stdout=subprocess.DEVNULL).returncode
wall = time.perf_counter() - began
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(code, wall, used.ru_utime + used.ru_stime, used.ru_maxrss)
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


def measured(*command, cpu_limit=0, space_limit=0, timeout=None):
    """Exit code of a command, seconds by the clock and of all threads, peak memory, errors."""
    words = [sys.executable, "-I", "-S", "-c", STARTER, cpu_limit, space_limit, *command]
    done = subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True,
                          errors="replace", timeout=timeout)
    code, wall, cpu, kibibytes = done.stdout.split()
    return Cost(int(code), float(wall), float(cpu), int(kibibytes), done.stderr)
