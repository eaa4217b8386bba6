"""A DaemonSet of the plugin that is updated with a surge: the new one is there before the old one ends."""

import pytest

from fairlead_cluster import wait_for
from plugin_pod import OPS_PORT, daemon_set, wait_allocatable
from restarts import watched

pytestmark = pytest.mark.long

SETS = "/apis/apps/v1/namespaces/default/daemonsets"
PODS = "/api/v1/namespaces/default/pods?labelSelector=app%3Dsurging"
HCA = {"node": "sg", "host_network": True, "resources": {"rdma/hca": 1}}


@pytest.fixture
def surging(cluster, plugins):
    """The DaemonSet, in Singapore in place of the plugin that was there."""
    plugins.at["sg"].pod.delete()
    plugins.at["sg"].pod.wait_gone()
    wait_allocatable(cluster, "sg", 0)  # What comes after it is seen from its first device on.
    cluster.api.create(SETS, daemon_set(cluster, "surging", "sg", OPS_PORT + 1))
    try:
        yield
    finally:
        cluster.api.delete(f"{SETS}/surging")
        wait_for("the DaemonSet's pods to be gone", lambda: not names(cluster), 120)


def names(cluster):
    return {pod["metadata"]["name"] for pod in cluster.api.get(PODS)["items"]}


def test_allocatable_stays_while_a_daemon_set_surges(cluster, surging, pods):
    old = wait_for("the first plugin", lambda: names(cluster), 60)
    wait_allocatable(cluster, "sg", 4)
    with watched(cluster, "sg") as seen:
        newer = daemon_set(cluster, "surging", "sg", OPS_PORT + 2)
        cluster.api.patch(f"{SETS}/surging", {"spec": {"template": newer["spec"]["template"]}})
        new = wait_for("the second plugin", lambda: names(cluster) - old, 120)
        wait_for("the first one to end", lambda: names(cluster) == new, 180)
        pod = pods.create("after", **HCA)
        assert pod.wait("Running", "Failed") == "Running", pod.explain()
    assert seen == {4}
