"""Where the compiler's time goes: CPU seconds of each module of a clean build, of the program, then
of what the tests add; what the compiler did meanwhile; and the chain of modules that wait for one
another.

    Scripts/build --timing                     both builds
    Scripts/build --timing --program           the program alone
    Scripts/build --timing --write FILE        and keep the compiler's counters of each module
    Scripts/build --timing --against FILE      name the modules whose counters grew by over a tenth

A wrapper runs the compiler, with its own statistics switched on. Seconds depend on the machine and
on what else it does: compare them in pairs. Counters do not.
"""
import argparse
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDER = ROOT / ".build/timing"
WRAPPER = """#!{python} -S
import json, os, sys
words = sys.argv[1:]
name = words[words.index("-module-name") + 1] if "-module-name" in words else "other"
kind = "link" if "-emit-executable" in words else "compile"
more = ["-stats-output-dir", {statistics!r}] if "-c" in words else []
process = os.posix_spawn({compiler!r}, [{compiler!r}, *words, *more], os.environ)
_, status, usage = os.wait4(process, 0)
with open({log!r}, "a") as file:
    file.write(json.dumps([kind, name, usage.ru_utime + usage.ru_stime]) + "\\n")
sys.exit(os.waitstatus_to_exitcode(status))
"""
# What the compiler calls its phases, and what they are.
PHASES = {"types": "time.swift.Type checking and Semantic analysis.user",
          "SIL": "time.swift.SIL optimization.user", "LLVM": "time.swift.LLVM pipeline.user"}
# Work counted: for the type checker, and for the optimizers.
COUNTERS = {"scopes": "Sema.NumConstraintScopes", "instructions": "IRModule.NumIRInsts"}


def build(products, statistics):
    """Builds with the wrapper; CPU seconds by module and in all, and elapsed seconds."""
    log = FOLDER / "log"
    log.write_text("")
    statistics.mkdir()
    # SwiftPM looks for libraries of the toolchain beside the compiler.
    compiler = shutil.which("swiftc")
    wrapper = FOLDER / "toolchain/bin/swiftc"
    wrapper.parent.mkdir(parents=True, exist_ok=True)
    libraries = FOLDER / "toolchain/lib"
    if not libraries.exists():
        libraries.symlink_to(pathlib.Path(compiler).resolve().parents[1] / "lib")
    wrapper.write_text(WRAPPER.format(python=sys.executable, compiler=compiler, log=str(log),
                                      statistics=str(statistics)))
    wrapper.chmod(0o755)
    before, began = os.times(), time.monotonic()
    for product in products:
        subprocess.run(["swift", "build", "-c", "release", "--scratch-path", FOLDER / "build",
                        "--product", product],
                       cwd=ROOT, check=True, stdout=subprocess.DEVNULL,
                       env=dict(os.environ, SWIFT_EXEC=str(wrapper)))
    after = os.times()
    modules = collections.Counter()
    for line in log.read_text().splitlines():
        kind, name, seconds = json.loads(line)
        modules[name if kind == "compile" else "linking"] += seconds
    total = (after.children_user + after.children_system
             - before.children_user - before.children_system)
    return modules, total, time.monotonic() - began


def counted(statistics):
    """Phases and counters of each module: sums over the compiler's processes."""
    sums = collections.defaultdict(collections.Counter)
    for path in statistics.glob("*.json"):
        name = path.name.split("swift-frontend-")[-1].split("-")[0]
        try:
            values = json.loads(path.read_text())
        except ValueError:
            continue
        for key, field in (PHASES | COUNTERS).items():
            sums[name][key] += values.get(field, 0)
    return sums


def chain(modules):
    """The modules that wait for one another longest, and their seconds."""
    described = json.loads(subprocess.run(
        ["swift", "package", "--scratch-path", FOLDER / "build", "describe", "--type", "json"],
        cwd=ROOT, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)
    needs = {each["c99name"]: each.get("target_dependencies", []) for each in described["targets"]}
    ends = {}

    def end(name):
        if name not in ends:
            ends[name] = (0, [])
            longest = max((end(each) for each in needs.get(name, [])), default=(0, []),
                          key=lambda found: found[0])
            ends[name] = (longest[0] + modules[name], longest[1] + [name])
        return ends[name]

    return max((end(name) for name in needs if modules[name]), key=lambda found: found[0])


def show(title, result, statistics):
    modules, total, wall = result
    sums = counted(statistics)
    print(f"{title}: {total:.0f} CPU s, {wall:.0f} s by the clock")
    print("   CPU s   types     SIL    LLVM  instructions")
    for name, seconds in modules.most_common():
        if seconds >= 1:
            of = sums[name]
            print(f"{seconds:8.1f}{of['types']:8.1f}{of['SIL']:8.1f}{of['LLVM']:8.1f}"
                  f"{of['instructions']:14.0f}  {name}")
    print(f"{total - sum(modules.values()):8.1f}  the package manager and C")
    seconds, names = chain(modules)
    print(f"the longest chain is {seconds / sum(modules.values()):.0%} of that: "
          f"{' > '.join(names)}", flush=True)
    return {name: {key: sums[name][key] for key in COUNTERS} for name in sums}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", action="store_true")
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("--against", type=pathlib.Path)
    options = parser.parse_args()
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    # Sources of packages are fetched before the clock starts.
    subprocess.run(["swift", "package", "--scratch-path", FOLDER / "build", "resolve"], cwd=ROOT,
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    builds = {"the program": ["rawdev"],
              "what the tests add": ["make-fixtures", "rawdevPackageTests"]}
    if options.program:
        del builds["what the tests add"]
    counters, totals = {}, [0, 0]
    for number, (title, products) in enumerate(builds.items()):
        statistics = FOLDER / f"statistics-{number}"
        result = build(products, statistics)
        counters |= show(title, result, statistics)
        totals = [totals[0] + result[1], totals[1] + result[2]]
    print(f"in all: {totals[0]:.0f} CPU s, {totals[1]:.0f} s by the clock")
    shutil.rmtree(FOLDER / "build", ignore_errors=True)
    if options.write:
        options.write.write_text(json.dumps(counters, indent=1, sort_keys=True) + "\n")
    if options.against:
        for name, old in json.loads(options.against.read_text()).items():
            for key, value in old.items():
                new = counters.get(name, {}).get(key, 0)
                # Small modules change by half with one function.
                if new > 1.1 * value and new - value > 5000:
                    print(f"grew {name}: {key} {value:.0f} -> {new:.0f}")


if __name__ == "__main__":
    main()
