#!/usr/bin/env python3
"""Runs every benchmark on release binaries and prints their figures.

    run.py --build build/release
"""
import argparse
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, type=pathlib.Path)
    programs = parser.parse_args().build.resolve() / "bin"
    code = 0
    for script, binary in (("extender_bench.py", "fairlead-extender"), ("linkprobe_bench.py", ""),
                           ("deviceplugin_bench.py", ""), ("scheduling_bench.py", "")):
        print(f"\n=== {script}", flush=True)
        words = ["--binary", programs / binary] if binary else ["--programs", programs]
        code |= subprocess.run([sys.executable, HERE / script, *words]).returncode
    for bench in sorted((programs.parent / "tests" / "bench").glob("*_bench")):
        print(f"\n=== {bench.name}", flush=True)
        code |= subprocess.run([bench]).returncode
    return 1 if code else 0


if __name__ == "__main__":
    sys.exit(main())
