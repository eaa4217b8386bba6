"""linkprobe and the device plugin on one node: a NIC that carries no traffic is no longer offered."""

import pytest

from conftest import BUILD
from fairlead_cluster import wait_for
from fairlead_stack import Stack
from plugin_pod import wait_allocatable
from probe_pod import ProbePod

pytestmark = pytest.mark.long

# RoCE no longer arrives, TCP does: what a NIC does whose RDMA engine has died.
BREAK = """
nft 'table ip dead { chain in { type filter hook prerouting priority -300; udp dport 4791 drop; }; }'
"""
MEND = "nft delete table ip dead"
# Emulated CPUs beside a kubelet wake late.
DETECTOR = {"downAfter": "3s", "hostNoise": "2s"}
# The other node of Hong Kong runs in Singapore's guest beside Singapore's own, and needs ports of its own.
BESIDE = {"opsListen": "0.0.0.0:9481", "udpListen": "0.0.0.0:7482", "sessionListen": "0.0.0.0:7481"}


def bash(cluster, script):
    return cluster.nodes["hk"].site.run(["bash", "-ec", script]).out


@pytest.fixture(scope="module")
def stack(cluster):
    """An extender on this host and two probes in Singapore's guest, one of them of site hk."""
    with Stack(cluster.lab, BUILD, detector=DETECTOR) as running:
        running.start_extender()
        sg = cluster.nodes["sg"].site
        running.start_probe(sg, "sg-1")
        running.start_probe(sg, "hk-2", linkprobe={**BESIDE, "sessionAdvertise": f"{sg.address}:7481"})
        yield running


@pytest.fixture(scope="module")
def probe(cluster, plugins, stack, module_pods):
    """The probe of Hong Kong's first node as a pod beside the plugin, with all its peers well."""
    made = ProbePod(cluster, module_pods, stack, "hk", "hk-1")
    assert made.pod.wait("Running", "Failed") == "Running", made.pod.explain()
    wait_for("both peers to be well",
             lambda: made.metrics(stack).sum("link_state", state="Healthy") >= 2, 120, hint=made.pod.log)
    return made


@pytest.fixture(scope="module")
def dead_nic(cluster, plugins, probe):
    """rxe0 in Hong Kong receives nothing any more, until the tests of this file are over."""
    bash(cluster, BREAK)
    yield
    bash(cluster, f"{MEND} 2> /dev/null || true")
    wait_allocatable(cluster, "hk", 4)


def ailments(plugin):
    found = plugin.metrics().values("device_ailment", device="rxe0")
    return {dict(labels)["reason"] for labels, value in found.items() if value == 1}


def is_condemned(plugin):
    return ailments(plugin) == {"probe_verdict"} and plugin.metrics().value("device_healthy", device="rxe0") == 0


def test_the_probe_tells_the_plugin_that_all_is_well(plugins, stack, probe):
    plugin = plugins.at["hk"]
    wait_for("a verdict", lambda: plugin.metrics().value("probe_verdicts_total", result="taken"), 60)
    metrics = plugin.metrics()
    assert metrics.value("probe_listening") == 1
    assert metrics.sum("probe_verdicts_total") == metrics.value("probe_verdicts_total", result="taken")
    assert metrics.value("nic_bad", device="rxe0", port="1") == 0 and not ailments(plugin)


def test_a_nic_that_the_probe_condemns_is_unhealthy_until_it_is_mended(cluster, plugins, stack, probe, dead_nic):
    plugin = plugins.at["hk"]
    wait_for("the NIC to be condemned", lambda: is_condemned(plugin), 180,
             hint=lambda: f"{plugin.metrics().values('nic_bad')} {probe.pod.log()[-3000:]}")
    wait_allocatable(cluster, "hk", 0)
    told = next(hca for hca in plugin.list()["hcas"] if hca["device"] == "rxe0")
    assert told["healthy"]  # `list` asks the node alone, whose port is up.
    _, line = plugin.timed("an HCA is not healthy any more", device="rxe0")[-1]
    assert "2 of 2 peers (1 in this site) have answered no probe" in line["detail"]

    bash(cluster, MEND)
    wait_allocatable(cluster, "hk", 4)
    assert not ailments(plugin) and plugin.metrics().value("nic_bad", device="rxe0", port="1") == 0


def test_the_verdict_of_a_probe_that_has_gone_is_forgotten(cluster, plugins, stack, probe, dead_nic):
    plugin = plugins.at["hk"]
    bash(cluster, BREAK)
    wait_for("the NIC to be condemned", lambda: is_condemned(plugin), 180,
             hint=lambda: f"{plugin.metrics().values('nic_bad')} {probe.pod.log()[-3000:]}")
    wait_allocatable(cluster, "hk", 0)
    probe.kill()
    wait_allocatable(cluster, "hk", 4)
    assert not plugin.metrics().values("nic_bad") and not ailments(plugin)
    assert plugin.metrics().value("device_healthy", device="rxe0") == 1
