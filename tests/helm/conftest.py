"""The chart's tests find the cluster's and the lab's modules."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "helm"), str(ROOT / "tests" / "cluster"), str(ROOT / "tests" / "lab")]
