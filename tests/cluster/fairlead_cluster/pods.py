"""Pods by name: made, waited for, looked into, removed."""

import uuid

from . import images
from .api import ApiError
from .progress import wait_for

_RUNNING_S = 180.0
_GONE_S = 120.0


def document(name, node=None, command=None, image="verbs", host_network=False, resources=None, privileged=False,
             container_fields=None, **spec):
    """A pod of one container `main` that sleeps unless told otherwise.

    container_fields is merged into the container, spec into the pod's.
    """
    container = {"name": "main", "image": images.reference(image), "imagePullPolicy": "Never"}
    if command:
        container["command"] = [str(word) for word in command]
    if resources:
        container["resources"] = {"limits": {key: str(value) for key, value in resources.items()}}
    if privileged:
        container["securityContext"] = {"privileged": True}
    container |= container_fields or {}
    placed = {"nodeSelector": {"kubernetes.io/hostname": node}} if node else {}
    return {
        "apiVersion": "v1", "kind": "Pod", "metadata": {"name": name},
        "spec": {"containers": [container], "hostNetwork": host_network, "restartPolicy": "Never",
                 "terminationGracePeriodSeconds": 1, **placed, **spec},
    }


class Pod:
    def __init__(self, cluster, name, namespace):
        self._cluster = cluster
        self.name = name
        self.path = f"/api/v1/namespaces/{namespace}/pods/{name}"
        self._namespace = namespace

    def get(self):
        """The API's object, None once it is gone."""
        return self._cluster.api.get_or_none(self.path)

    def phase(self):
        pod = self.get()
        return pod["status"]["phase"] if pod else "Gone"

    def wait(self, *phases, timeout_s=_RUNNING_S):
        """Waits until it is in one of these phases; which."""
        return wait_for(f"pod {self.name} to be {' or '.join(phases)}",
                        lambda: next((p for p in [self.phase()] if p in phases), None), timeout_s,
                        poll_s=0.5, hint=self.explain)

    def explain(self):
        """Why it is where it is: its state and the events about it."""
        pod = self.get()
        events = self._cluster.api.get(
            f"/api/v1/namespaces/{self._namespace}/events?fieldSelector=involvedObject.name%3D{self.name}")["items"]
        told = "; ".join(f"{e['reason']}: {e.get('message', '')}" for e in events[-5:])
        return f"phase {pod['status']['phase'] if pod else 'Gone'}; events: {told or 'none'}"

    def exec(self, *words, check=True, timeout_s=120):
        """Runs a command in it; the finished process, output as text."""
        return self._cluster.kubectl("exec", "-n", self._namespace, self.name, "--", *words, check=check,
                                     timeout_s=timeout_s)

    def log(self):
        return self._cluster.kubectl("logs", "-n", self._namespace, self.name).stdout

    def delete(self):
        try:
            self._cluster.api.delete(self.path)
        except ApiError as error:
            if error.code != 404:
                raise

    def wait_gone(self, timeout_s=_GONE_S):
        wait_for(f"pod {self.name} to be gone", lambda: self.get() is None, timeout_s, poll_s=0.5, hint=self.explain)


class Pods:
    """Pods made by one user of a cluster."""

    def __init__(self, cluster, namespace="default"):
        self._cluster = cluster
        self._namespace = namespace
        self._made = []

    def create(self, name, **fields):
        """Creates a pod (document()'s fields) under a name that starts with `name`; the Pod."""
        unique = f"{name}-{uuid.uuid4().hex[:5]}"
        self._cluster.api.create(f"/api/v1/namespaces/{self._namespace}/pods", document(unique, **fields))
        pod = Pod(self._cluster, unique, self._namespace)
        self._made.append(pod)
        return pod

    def remove_all(self, wait=True):
        """Deletes them and, with wait, returns once they are gone, so that what they held is free."""
        for pod in self._made:
            pod.delete()
        for pod in self._made if wait else ():
            pod.wait_gone()
        self._made.clear()
