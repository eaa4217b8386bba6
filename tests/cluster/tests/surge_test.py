"""A DaemonSet of the plugin that is updated with a surge: the new one is there before the old one ends."""

import pytest

from fairlead_cluster import Pod, wait_for
from plugin_pod import PluginPod, daemon_set, wait_allocatable
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
    # A port of its own for each, or the second could not serve its metrics.
    made = cluster.api.create(SETS, daemon_set(cluster, "surging", "sg", opsListen="0.0.0.0:0"))
    try:
        yield made
    finally:
        cluster.api.delete(f"{SETS}/surging")
        wait_for("the DaemonSet's pods to be gone", lambda: not names(cluster), 120)


def names(cluster):
    return {pod["metadata"]["name"] for pod in cluster.api.get(PODS)["items"]}


def started(cluster, name):
    """Whether the plugin in that pod has all resources registered."""
    plugin = PluginPod(cluster, Pod(cluster, name, "default"), "sg")
    return len({line["resource"] for _, line in plugin.timed("registered with kubelet")}) == 3


def test_allocatable_stays_while_a_daemon_set_surges(cluster, surging, pods):
    old = wait_for("the first plugin", lambda: names(cluster), 60)
    wait_for("it to be registered", lambda: started(cluster, *old), 120)
    wait_allocatable(cluster, "sg", 4)
    with watched(cluster, "sg") as seen:
        cluster.api.patch(f"{SETS}/surging", {"spec": {"template": {"metadata": {"annotations": {"version": "2"}}}}})
        both = wait_for("the second plugin", lambda: names(cluster) - old, 120)
        wait_for("the second one to be registered", lambda: started(cluster, *both), 120)
        wait_for("the first one to end", lambda: names(cluster) == both, 120)
        pod = pods.create("after", **HCA)
        assert pod.wait("Running", "Failed") == "Running", pod.explain()
    assert seen == {4}
