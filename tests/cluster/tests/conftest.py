"""One cluster for the tests of this folder."""

import os
import pathlib
import sys
import uuid

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "tests" / "cluster"), str(ROOT / "tests" / "lab")]

from fairlead_cluster import Cluster, ClusterError, images  # noqa: E402
from fairlead_cluster.pods import Pods  # noqa: E402


def fresh_name(kind):
    """A cluster name that no other test run on this machine has."""
    return f"{kind}-{uuid.uuid4().hex[:8]}"


@pytest.fixture(scope="session")
def cluster():
    """Two nodes, hk and sg, booted once. It ends with this process even if that is killed.

    FAIRLEAD_TEST_CLUSTER names one that is up already and is used instead, which saves its developer a minute.
    """
    if os.environ.get("FAIRLEAD_TEST_CLUSTER"):
        running = Cluster.attach(os.environ["FAIRLEAD_TEST_CLUSTER"])
        for node in running.nodes.values():
            node.load_images(images.standard().values())
        yield running
        return
    with Cluster.up(fresh_name("cluster"), nodes=2) as running:
        yield running


@pytest.fixture
def pods(cluster):
    """Makes pods; they are gone after the test."""
    made = Pods(cluster)
    yield made
    made.remove_all()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """A failed test keeps every log of the cluster below FAIRLEAD_LOGS and shows where kubelets complain."""
    outcome = yield
    report = outcome.get_result()
    running = item.funcargs.get("cluster") if hasattr(item, "funcargs") else None
    if not report.failed or running is None:
        return
    for node in running.nodes.values():
        report.sections.append((f"{node.name}: kubelet", node.trouble()))
    if os.environ.get("FAIRLEAD_LOGS"):
        target = pathlib.Path(os.environ["FAIRLEAD_LOGS"]) / "cluster" / item.name
        try:
            running.gather_logs(target)
            report.sections.append(("cluster", f"logs in {target}"))
        except (ClusterError, OSError) as error:
            report.sections.append(("cluster", f"logs were not kept: {error}"))
