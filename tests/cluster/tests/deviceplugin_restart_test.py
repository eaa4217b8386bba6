"""Kubelet and the device plugin end and come back, while pods run and one is being admitted."""

import pytest

from plugin_pod import OPS_PORT, WITH_GPUS, wait_allocatable
from restarts import admitted, container_of, kill, registered_after, start_kubelet, stop_kubelet, watched

RESOURCES = 4  # rdma/hca, rdma/hca-bulk, the probe's and the GPUs.
HCA = {"node": "hk", "host_network": True, "resources": {"rdma/hca": 1}}


@pytest.fixture(scope="module")
def holder(plugins, module_pods):
    """A pod that runs on all along."""
    pod = module_pods.create("holder", **HCA)
    assert pod.wait("Running", "Failed") == "Running", pod.explain()
    return pod


def test_kubelet_restarts(cluster, plugins, holder, figures):
    plugin = plugins.at["hk"]
    before, process = container_of(holder), plugin.pid()
    stopped = stop_kubelet(cluster, "hk")
    with admitted(cluster, **HCA) as pod:
        pod.wait_until_bound()
        seconds = registered_after(plugin, start_kubelet(cluster, "hk", stopped), RESOURCES)
        figures("kubelet back: all resources registered after", f"{seconds:.2f} s")
        figures("kubelet back: pods it refused meanwhile", pod.wait_until_it_runs())
        wait_allocatable(cluster, "hk", 4)
    assert (container_of(holder), plugin.pid()) == (before, process)
    assert plugin.metrics().sum("registered") == RESOURCES


def test_the_plugin_is_killed(cluster, plugins, holder, figures):
    plugin = plugins.at["hk"]
    before, process = container_of(holder), plugin.pid()
    killed = kill(plugin)
    with admitted(cluster, **HCA) as pod:
        seconds = registered_after(plugin, killed, RESOURCES)
        figures("plugin killed: all resources registered after", f"{seconds:.2f} s")
        figures("plugin killed: pods that kubelet refused meanwhile", pod.wait_until_it_runs())
        wait_allocatable(cluster, "hk", 4)
    assert container_of(holder) == before and plugin.pid() != process


def test_both_end_at_once(cluster, plugins, holder, figures):
    plugin = plugins.at["hk"]
    before = container_of(holder)
    stopped = stop_kubelet(cluster, "hk")
    kill(plugin)
    with admitted(cluster, **HCA) as pod:
        pod.wait_until_bound()
        seconds = registered_after(plugin, start_kubelet(cluster, "hk", stopped), RESOURCES)
        figures("both back: all resources registered after kubelet's return", f"{seconds:.2f} s")
        figures("both back: pods that kubelet refused meanwhile", pod.wait_until_it_runs())
        wait_allocatable(cluster, "hk", 4)
    assert container_of(holder) == before


def test_an_upgrade_with_the_old_one_still_there_for_a_while(cluster, plugins, holder, module_pods):
    old, before = plugins.at["hk"], container_of(holder)
    with watched(cluster, "hk") as seen:
        new = plugins.start("hk", ops_port=OPS_PORT + 1, **WITH_GPUS)
        new.wait_until_well()
        assert old.metrics().sum("connected") == new.metrics().sum("connected") == RESOURCES
        old.pod.delete()
        old.pod.wait_gone()
        pod = module_pods.create("after", **HCA)
        assert pod.wait("Running", "Failed") == "Running", pod.explain()
    assert seen == {4}
    assert new.metrics().sum("registered") == RESOURCES
    assert new.metrics().value("allocations_total", resource="rdma/hca", result="granted") == 1
    assert container_of(holder) == before
