#!/usr/bin/env python3
"""Runs the stages of the test suite in the order given and closes with one line of counts.

    run.py --build DIR STAGE...     stages: unit, sanitize, fuzz, e2e, e2e-long, helm, cluster, cluster-long

A stage that fails ends the run: what follows stands on it. Logs stay under <build>/test-logs.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import time
import xml.etree.ElementTree as ET

ROOT = pathlib.Path(__file__).resolve().parent.parent
JOBS = str(os.cpu_count() or 2)
# Some unit tests wait for a deadline of what they test rather than for a core.
TEST_JOBS = str((os.cpu_count() or 2) + 2)


class Counts:
    """Passed, failed and skipped cases, with the names that a reader has to see."""

    def __init__(self):
        self.passed = 0
        self.failed = []
        self.skipped = []

    def add_junit(self, path, stage):
        for case in ET.parse(path).getroot().iter("testcase"):
            name = f"{stage}: {case.get('classname', '')}.{case.get('name')}"
            if case.find("failure") is not None or case.find("error") is not None:
                self.failed.append(name)
            elif case.find("skipped") is not None or case.get("status") in ("notrun", "disabled"):
                reason = case.find("skipped")
                self.skipped.append((name, reason.get("message", "") if reason is not None else ""))
            else:
                self.passed += 1

    def fail(self, name):
        self.failed.append(name)


def say(text):
    print(f"test: {text}", flush=True)


def run(command, log, env=None, beat_s=30):
    """Runs a command with its output in `log`; prints a line now and then while it lasts."""
    log.parent.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    with open(log, "w") as out:
        process = subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT,
                                   stdin=subprocess.DEVNULL, env={**os.environ, **(env or {})})
        try:
            while True:
                try:
                    return process.wait(timeout=beat_s)
                except subprocess.TimeoutExpired:
                    say(f"  {' '.join(map(str, command[:3]))} ... {time.monotonic() - started:.0f} s, "
                        f"{last_line(log)}")
        except BaseException:
            process.terminate()
            process.wait()
            raise


def last_line(log):
    try:
        lines = log.read_text(errors="replace").strip().splitlines()
    except OSError:
        lines = []
    return lines[-1][:100] if lines else "no output yet"


def show_tail(log, lines=60):
    print(f"--- the end of {log.relative_to(ROOT)}")
    print("\n".join(log.read_text(errors="replace").splitlines()[-lines:]), flush=True)


def configure_and_build(preset, logs, counts, env=None):
    say(f"{preset}: building (warm: seconds, cold: minutes)")
    for step, command in (("configure", ["cmake", "--preset", preset]),
                          ("build", ["cmake", "--build", "--preset", preset, "-j", JOBS])):
        log = logs / f"{preset}-{step}.log"
        if run(command, log, env) != 0:
            counts.fail(f"{preset}: {step}")
            show_tail(log)
            return False
    return True


def ctest(stage, build, logs, counts, label="unit", env=None):
    junit = logs / f"{stage}.xml"
    junit.unlink(missing_ok=True)
    log = logs / f"{stage}.log"
    code = run(["ctest", "--test-dir", str(build), "-L", label, "-j", TEST_JOBS, "--output-on-failure",
                "--no-tests=error", "--output-junit", str(junit)], log, env)
    before = len(counts.failed)
    if junit.exists():
        counts.add_junit(junit, stage)
    if code != 0:
        if len(counts.failed) == before:
            counts.fail(f"{stage}: ctest ended with {code}")
        show_tail(log, 120)


def pytest(stage, build, logs, counts, *words):
    """Runs pytest with its output on the terminal, a line a case."""
    junit = logs / f"{stage}.xml"
    junit.unlink(missing_ok=True)
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-v", "--color=no", f"--junitxml={junit}",
         "-p", "no:cacheprovider", *words],
        cwd=ROOT, stdin=subprocess.DEVNULL,
        env={**os.environ, "FAIRLEAD_BUILD": str(build), "FAIRLEAD_LOGS": str(logs),
             "PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": "1"})
    try:
        code = process.wait()
    except BaseException:
        process.terminate()
        process.wait()
        raise
    before = len(counts.failed)
    if junit.exists():
        counts.add_junit(junit, stage)
    if code != 0 and len(counts.failed) == before:
        counts.fail(f"{stage}: pytest ended with {code}")


def stage_unit(build, logs, counts):
    ctest("unit", build, logs, counts)
    pytest("lab", build, logs, counts, "-q", "tests/lab")
    pytest("cluster-values", build, logs, counts, "-q", "tests/cluster/test_cluster_values.py")
    pytest("observability", build, logs, counts, "-q", "tests/observability")


def stage_sanitize(build, logs, counts):
    for preset, env in (
            ("asan", {"ASAN_OPTIONS": "halt_on_error=1:detect_leaks=1",
                      "UBSAN_OPTIONS": "print_stacktrace=1"}),
            # Debian's gRPC is not instrumented; without these every call into it is a false report.
            ("tsan", {"TSAN_OPTIONS": "ignore_noninstrumented_modules=1:halt_on_error=1:"
                                      f"history_size=7:suppressions={ROOT}/tests/tsan.supp"})):
        if configure_and_build(preset, logs, counts):
            ctest(preset, ROOT / "build" / preset, logs, counts, env=env)


def stage_fuzz(build, logs, counts):
    if not configure_and_build("fuzz", logs, counts):
        return
    seconds = int(os.environ.get("FUZZ_SECONDS", "10"))
    targets = sorted((ROOT / "build" / "fuzz" / "bin").glob("*_fuzz"))
    if not targets:
        counts.fail("fuzz: no target was built")
    for target in targets:
        name = target.name.removesuffix("_fuzz")
        seeds = ROOT / "tests" / "fuzz" / "corpus" / name
        found = ROOT / "build" / "fuzz" / "corpus" / name
        found.mkdir(parents=True, exist_ok=True)
        say(f"fuzz: {name} for {seconds} s")
        log = logs / f"fuzz-{name}.log"
        code = run([str(target), f"-max_total_time={seconds}", "-timeout=10", "-rss_limit_mb=2048",
                    f"-artifact_prefix={logs}/", str(found)] + ([str(seeds)] if seeds.is_dir() else []),
                   log)
        if code == 0:
            counts.passed += 1
        else:
            counts.fail(f"fuzz: {name}")
            show_tail(log)


def stage_e2e(build, logs, counts):
    pytest("e2e", build, logs, counts, "-x", "-m", "not long", "tests/e2e")


def stage_e2e_long(build, logs, counts):
    pytest("e2e-long", build, logs, counts, "-x", "-m", "long", "tests/e2e")


def stage_helm(build, logs, counts):
    pytest("helm", build, logs, counts, "-q", "tests/helm")


def cluster_tests(stage, build, logs, counts, which, *more):
    # By itself and with its lines on the terminal: where nothing is cached yet, this takes twenty minutes.
    command = [sys.executable, "tests/cluster/cluster", "build", *more]
    if subprocess.call(command, cwd=ROOT, stdin=subprocess.DEVNULL) != 0:
        counts.fail(f"{stage}: build")
        return
    pytest(stage, build, logs, counts, "-x", "-m", which, "tests/cluster/tests")


def stage_cluster(build, logs, counts):
    cluster_tests("cluster", build, logs, counts, "not long")


def stage_cluster_long(build, logs, counts):
    cluster_tests("cluster-long", build, logs, counts, "long", "--controllers")


STAGES = {"unit": stage_unit, "sanitize": stage_sanitize, "fuzz": stage_fuzz, "e2e": stage_e2e,
          "e2e-long": stage_e2e_long, "helm": stage_helm, "cluster": stage_cluster, "cluster-long": stage_cluster_long}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build/ci", type=pathlib.Path)
    parser.add_argument("stages", nargs="+", choices=STAGES, metavar="STAGE")
    args = parser.parse_args()
    build = (ROOT / args.build).resolve()
    logs = build / "test-logs"
    logs.mkdir(parents=True, exist_ok=True)

    counts = Counts()
    for stage in args.stages:
        started = time.monotonic()
        passed = counts.passed
        say(f"stage {stage}")
        STAGES[stage](build, logs, counts)
        say(f"stage {stage}: {counts.passed - passed} passed, {len(counts.failed)} failed, "
            f"{time.monotonic() - started:.0f} s")
        if counts.failed:
            left = args.stages[args.stages.index(stage) + 1:]
            if left:
                say(f"not run after this failure: {', '.join(left)}")
            break
    for name, reason in counts.skipped:
        say(f"skipped {name}: {reason or 'no reason given'}")
    for name in counts.failed:
        say(f"FAILED {name}")
    print(f"{counts.passed} passed, {len(counts.failed)} failed, {len(counts.skipped)} skipped",
          flush=True)
    return 1 if counts.failed or not counts.passed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("test: interrupted", file=sys.stderr)
        sys.exit(130)
