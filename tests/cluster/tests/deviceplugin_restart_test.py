"""Kubelet and the device plugin end and come back, while pods run and one is being admitted."""

import concurrent.futures
import contextlib
import threading
import uuid

import pytest

from fairlead_cluster import pods as pod_documents, wait_for
from plugin_pod import OPS_PORT, WITH_GPUS, allocatable, wait_allocatable

SETS = "/apis/apps/v1/namespaces/default/replicasets"
RESOURCES = 4  # rdma/hca, rdma/hca-bulk, the probe's and the GPUs.
KUBELET_SOCKET = "/var/lib/kubelet/device-plugins/kubelet.sock"
HCA = {"node": "hk", "host_network": True, "resources": {"rdma/hca": 1}}


@pytest.fixture(scope="module")
def holder(plugins, module_pods):
    """A pod that runs on all along."""
    pod = module_pods.create("holder", **HCA)
    assert pod.wait("Running", "Failed") == "Running", pod.explain()
    return pod


def container_of(pod):
    status = pod.get()["status"]["containerStatuses"][0]
    return status["containerID"], status["restartCount"], "running" in status["state"]


class Admitted:
    """A pod that a controller keeps making until it runs."""

    def __init__(self, cluster, name):
        self._cluster = cluster
        self.name = name

    def pods(self):
        found = self._cluster.api.get(f"/api/v1/namespaces/default/pods?labelSelector=set%3D{self.name}")["items"]
        return [pod for pod in found if "deletionTimestamp" not in pod["metadata"]]

    def wait_until_bound(self):
        wait_for("a pod to be bound", lambda: any("nodeName" in pod["spec"] for pod in self.pods()), 60)

    def wait_until_it_runs(self):
        """How many were refused before."""
        wait_for("a pod to be admitted", lambda: "Running" in [p["status"]["phase"] for p in self.pods()], 180,
                 hint=lambda: str([p["status"] for p in self.pods()])[:2000])
        return sum(pod["status"]["phase"] == "Failed" for pod in self.pods())


@contextlib.contextmanager
def admitted(cluster):
    """A pod asks for an HCA from now on to the end; afterwards it goes while others come."""
    name = f"set-{uuid.uuid4().hex[:5]}"
    pod = pod_documents.document(name, **HCA)
    template = {"metadata": {"labels": {"set": name}}, "spec": pod["spec"] | {"restartPolicy": "Always"}}
    cluster.api.create(SETS, {"metadata": {"name": name}, "spec": {
        "replicas": 1, "selector": {"matchLabels": {"set": name}}, "template": template}})
    made = Admitted(cluster, name)
    try:
        yield made
    finally:
        cluster.api.delete(f"{SETS}/{name}", {"kind": "DeleteOptions", "apiVersion": "v1",
                                              "propagationPolicy": "Background"})


def registered_after(plugin, begin_s):
    """Waits until every resource has been registered from then on; how many seconds later the last was."""
    def found():
        first = {}
        for at, line in plugin.timed("registered with kubelet"):
            if at >= begin_s:
                first.setdefault(line["resource"], at)
        return max(first.values()) if len(first) == RESOURCES else None

    return wait_for("the plugin to be registered anew", found, 120) - begin_s


def stop_kubelet(cluster):
    """The guest's time then."""
    cluster.nodes["hk"].stop_kubelet()
    return now(cluster)


def now(cluster):
    return float(cluster.nodes["hk"].site.run(["date", "+%s.%N"]).out)


def start_kubelet(cluster, stopped_s):
    """Starts it; when its socket was there, by the guest's clock."""
    cluster.start_kubelet("hk")

    def made():
        told = cluster.nodes["hk"].site.run(["stat", "-c", "%.9Z", KUBELET_SOCKET], check=False).out
        return float(told) if told and float(told) > stopped_s else None

    return wait_for("kubelet's socket", made, 60)


def kill(plugin):
    """Ends the process at once; the guest's time then."""
    return float(plugin.node.site.run(["bash", "-c", "date +%s.%N; kill -9 $0", str(plugin.pid())]).out)


def test_kubelet_restarts(cluster, plugins, holder, figures):
    plugin = plugins.at["hk"]
    before, process = container_of(holder), plugin.pid()
    stopped = stop_kubelet(cluster)
    with admitted(cluster) as pod:
        pod.wait_until_bound()
        seconds = registered_after(plugin, start_kubelet(cluster, stopped))
        figures("kubelet back: all resources registered after", f"{seconds:.2f} s")
        figures("kubelet back: pods it refused meanwhile", pod.wait_until_it_runs())
        wait_allocatable(cluster, "hk", 4)
    assert (container_of(holder), plugin.pid()) == (before, process)
    assert plugin.metrics().sum("registered") == RESOURCES


def test_the_plugin_is_killed(cluster, plugins, holder, figures):
    plugin = plugins.at["hk"]
    before, process = container_of(holder), plugin.pid()
    killed = kill(plugin)
    with admitted(cluster) as pod:
        seconds = registered_after(plugin, killed)
        figures("plugin killed: all resources registered after", f"{seconds:.2f} s")
        figures("plugin killed: pods that kubelet refused meanwhile", pod.wait_until_it_runs())
        wait_allocatable(cluster, "hk", 4)
    assert container_of(holder) == before and plugin.pid() != process


def test_both_end_at_once(cluster, plugins, holder, figures):
    plugin = plugins.at["hk"]
    before = container_of(holder)
    stopped = stop_kubelet(cluster)
    kill(plugin)
    with admitted(cluster) as pod:
        pod.wait_until_bound()
        seconds = registered_after(plugin, start_kubelet(cluster, stopped))
        figures("both back: all resources registered after kubelet's return", f"{seconds:.2f} s")
        figures("both back: pods that kubelet refused meanwhile", pod.wait_until_it_runs())
        wait_allocatable(cluster, "hk", 4)
    assert container_of(holder) == before


def test_an_upgrade_with_the_old_one_still_there_for_a_while(cluster, plugins, holder, module_pods):
    old, before = plugins.at["hk"], container_of(holder)
    seen, over = set(), threading.Event()

    def look():
        while not over.wait(0.5):
            seen.add(allocatable(cluster, "hk"))

    with concurrent.futures.ThreadPoolExecutor() as pool:
        looking = pool.submit(look)
        try:
            new = plugins.start("hk", ops_port=OPS_PORT + 1, **WITH_GPUS)
            new.wait_until_well()
            assert old.metrics().sum("connected") == new.metrics().sum("connected") == RESOURCES
            old.pod.delete()
            old.pod.wait_gone()
            pod = module_pods.create("after", **HCA)
            assert pod.wait("Running", "Failed") == "Running", pod.explain()
        finally:
            over.set()
        looking.result()
    assert seen == {4}
    assert new.metrics().sum("registered") == RESOURCES
    assert new.metrics().value("allocations_total", resource="rdma/hca", result="granted") == 1
    assert container_of(holder) == before
