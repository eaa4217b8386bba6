"""Ends of kubelet and of the device plugin, and pods that are admitted meanwhile."""

import concurrent.futures
import contextlib
import threading
import uuid

from fairlead_cluster import pods as pod_documents, wait_for
from plugin_pod import allocatable

_SETS = "/apis/apps/v1/namespaces/default/replicasets"
_KUBELET_SOCKET = "/var/lib/kubelet/device-plugins/kubelet.sock"


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
def admitted(cluster, **fields):
    """A pod of these fields asks to run from now on to the end; afterwards it goes while others come."""
    name = f"set-{uuid.uuid4().hex[:5]}"
    pod = pod_documents.document(name, **fields)
    template = {"metadata": {"labels": {"set": name}}, "spec": pod["spec"] | {"restartPolicy": "Always"}}
    cluster.api.create(_SETS, {"metadata": {"name": name}, "spec": {
        "replicas": 1, "selector": {"matchLabels": {"set": name}}, "template": template}})
    made = Admitted(cluster, name)
    try:
        yield made
    finally:
        cluster.api.delete(f"{_SETS}/{name}", {"kind": "DeleteOptions", "apiVersion": "v1",
                                              "propagationPolicy": "Background"})


def registered_after(plugin, begin_s, resources):
    """Waits until so many resources have been registered from then on; how many seconds later the last was."""
    def found():
        first = {}
        for at, line in plugin.timed("registered with kubelet"):
            if at >= begin_s:
                first.setdefault(line["resource"], at)
        return max(first.values()) if len(first) == resources else None

    return wait_for("the plugin to be registered anew", found, 120) - begin_s


def stop_kubelet(cluster, node):
    """The guest's time then."""
    cluster.nodes[node].stop_kubelet()
    return float(cluster.nodes[node].site.run(["date", "+%s.%N"]).out)


def start_kubelet(cluster, node, stopped_s):
    """Starts it; when its socket was there, by the guest's clock."""
    cluster.start_kubelet(node)

    def made():
        told = cluster.nodes[node].site.run(["stat", "-c", "%.9Z", _KUBELET_SOCKET], check=False).out
        return float(told) if told and float(told) > stopped_s else None

    return wait_for("kubelet's socket", made, 60)


def kill(plugin):
    """Ends the process at once; the guest's time then."""
    return float(plugin.node.site.run(["bash", "-c", "date +%s.%N; kill -9 $0", str(plugin.pid())]).out)


@contextlib.contextmanager
def watched(cluster, node):
    """Every amount of rdma/hca that the node says it has from now on to the end: a set that is full then."""
    seen, over = set(), threading.Event()

    def look():
        while not over.wait(0.5):
            seen.add(allocatable(cluster, node))

    with concurrent.futures.ThreadPoolExecutor() as pool:
        looking = pool.submit(look)
        try:
            yield seen
        finally:
            over.set()
        looking.result()
