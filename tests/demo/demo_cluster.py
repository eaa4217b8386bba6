#!/usr/bin/env python3
"""The whole of it on a real Kubernetes, watched: the chart installed on three emulated sites, a gang placed, its line
degraded, a move advised, then made, and everything removed.

    demo_cluster.py --build DIR

Exits 0 only if every row of the closing table came out as it should.
"""
import argparse
import os
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / name) for name in ("lab", "cluster", "demo")]

from cluster_acts import ClusterActs  # noqa: E402
from fairlead_cluster import Cluster, ClusterError, release  # noqa: E402
from fairlead_lab import LabError  # noqa: E402
from idle import await_idle  # noqa: E402
from interrupt import heed_signals  # noqa: E402
from report import Report  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, type=pathlib.Path)
    args = parser.parse_args()
    heed_signals()

    report = Report()
    report.title("Three sites become nodes of a Kubernetes")
    archive = release.image_archive(args.build.resolve() / "bin")
    await_idle(report.line)
    with Cluster.up(f"demo-{os.getpid()}", nodes=3, progress=report.line) as cluster, \
            tempfile.TemporaryDirectory(prefix="fairlead-demo-") as folder:
        report.line("each node gets the images, which takes an emulated one some minutes")
        release.load_images(cluster, archive)
        ClusterActs(cluster, release.Release(cluster, pathlib.Path(folder)), report).run()
        return report.closing_table()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("demo-cluster: interrupted, everything is stopped", file=sys.stderr)
        sys.exit(130)
    except (ClusterError, LabError, OSError, RuntimeError) as error:
        print(f"demo-cluster: {error}", file=sys.stderr)
        sys.exit(1)
