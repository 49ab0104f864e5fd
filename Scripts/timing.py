"""Measures the CPU seconds of a clean release build, module by module: of the program rawdev, then
of what its tests add. A wrapper runs the compiler and logs the CPU time of it and its children."""
import collections
import os
import pathlib
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDER = ROOT / ".build/timing"
WRAPPER = """#!{python} -S
import os, sys
process = os.posix_spawn({compiler!r}, [{compiler!r}, *sys.argv[1:]], os.environ)
_, status, usage = os.wait4(process, 0)
words = sys.argv
name = words[words.index("-module-name") + 1] if "-module-name" in words else "other"
kind = "link" if "-emit-executable" in words else "compile"
line = f"{{kind}} {{name}} {{usage.ru_utime + usage.ru_stime:.2f}}\\n"
with open({log!r}, "a") as file:
    file.write(line)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def build(*options):
    """Builds with the wrapper; returns CPU seconds by module and in all, and elapsed seconds."""
    log = FOLDER / "log"
    log.write_text("")
    # SwiftPM looks for libraries of the toolchain beside the compiler.
    compiler = shutil.which("swiftc")
    wrapper = FOLDER / "toolchain/bin/swiftc"
    wrapper.parent.mkdir(parents=True, exist_ok=True)
    libraries = FOLDER / "toolchain/lib"
    if not libraries.exists():
        libraries.symlink_to(pathlib.Path(compiler).resolve().parents[1] / "lib")
    wrapper.write_text(WRAPPER.format(python=sys.executable, compiler=compiler, log=str(log)))
    wrapper.chmod(0o755)
    before, began = os.times(), time.monotonic()
    subprocess.run(["swift", "build", "-c", "release", "-Xswiftc", "-enable-testing",
                    "--scratch-path", FOLDER / "build", *options],
                   cwd=ROOT, check=True, stdout=subprocess.DEVNULL,
                   env=dict(os.environ, SWIFT_EXEC=str(wrapper)))
    after = os.times()
    modules = collections.Counter()
    for line in log.read_text().splitlines():
        kind, name, seconds = line.split()
        modules[name if kind == "compile" else "linking"] += float(seconds)
    total = (after.children_user + after.children_system
             - before.children_user - before.children_system)
    return modules, total, time.monotonic() - began


def show(title, modules, total, wall):
    print(f"{title}: {total:.0f} CPU s, {wall:.0f} s by the clock")
    for name, seconds in modules.most_common():
        if seconds >= 0.5:
            print(f"{seconds:8.1f}  {name}")
    print(f"{total - sum(modules.values()):8.1f}  the package manager and C", flush=True)


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(FOLDER / "build", ignore_errors=True)
    # Sources of packages are fetched before the clock starts.
    subprocess.run(["swift", "package", "--scratch-path", FOLDER / "build", "resolve"], cwd=ROOT,
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    first = build("--product", "rawdev")
    show("rawdev", *first)
    second = build("--build-tests")
    show("tests besides", *second)
    print(f"both: {first[1] + second[1]:.0f} CPU s, {first[2] + second[2]:.0f} s by the clock")
    shutil.rmtree(FOLDER / "build", ignore_errors=True)


if __name__ == "__main__":
    main()
