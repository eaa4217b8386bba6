#!/usr/bin/env python3
"""The main job, watched: three emulated sites, measured, ranked, degraded, detected, recovered.

    demo.py --build DIR [--accel auto|tcg|kvm]     KEEP=1 leaves everything running

Exits 0 only if every row of the closing table came out as it should.
"""
import argparse
import os
import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "lab"), str(ROOT / "tests" / "demo")]

from acts import Acts  # noqa: E402
from fairlead_lab import Lab, LabError  # noqa: E402
from fairlead_stack import Stack, StackError  # noqa: E402
from idle import await_idle  # noqa: E402
from interrupt import heed_signals  # noqa: E402
from report import Report  # noqa: E402


def keep(lab, stack, report):
    report.title("Left running (KEEP=1)")
    report.line(f"link page   {stack.url('/links')}")
    report.line(f"as JSON     {stack.url('/links.json')}")
    report.line(f"decisions   {stack.url('/explain')}")
    report.line(f"metrics     {stack.url('/metrics', 'ops')} (extender)")
    for site in lab.sites():
        report.line(f"            {stack.probe_url(site, '/metrics')} (linkprobe of {site.name})")
    report.line(f"trust       curl --cacert {stack.folder}/pki/ca.crt (a browser warns: the CA is this demo's own)")
    report.line(f"impair      tests/lab/lab line hk-sg --name {lab.name} --delay 43ms")
    report.line("Ctrl-C ends it and cleans up.")
    while True:
        stack.check_alive()
        time.sleep(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--accel", default=None, choices=("auto", "tcg", "kvm"))
    args = parser.parse_args()
    heed_signals()

    report = Report()
    report.title("Three sites boot")
    await_idle(report.line)
    with Lab.up(f"demo-{os.getpid()}", accel=args.accel,
                progress=lambda text: report.line(text)) as lab:
        report.line("HK-SG 36 ms, HK-TYO 50 ms, SG-TYO 68 ms round trip; one soft-RoCE HCA per site")
        with Stack(lab, args.build) as stack:
            acts = Acts(lab, stack, report)
            acts.run()
            code = report.closing_table()
            if os.environ.get("KEEP") == "1":
                keep(lab, stack, report)
    return code


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("demo: interrupted, everything is stopped", file=sys.stderr)
        sys.exit(130)
    except (LabError, StackError) as error:
        print(f"demo: {error}", file=sys.stderr)
        sys.exit(1)
