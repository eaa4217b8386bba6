"""The steps from a booted lab to a cluster whose nodes are Ready."""

import concurrent.futures
import json
import time

from . import kubernetes, node
from .api import Api
from .control_plane import ControlPlane, folder_of as folder_of_control_plane
from .credentials import Credentials
from .node_words import KUBELET_PORT
from .progress import say, wait_for

_READY_S = 420.0
_DEFAULT_ACCOUNT = "/api/v1/namespaces/default/serviceaccounts/default"  # A pod is refused before it is there.


def folder_of(lab):
    """What host and guests both see of the cluster."""
    return lab.share / "cluster"


class Start:
    def __init__(self, lab, archives, progress=say):
        """archives: the images that every node gets."""
        self._lab = lab
        self._archives = archives
        self._progress = progress
        self._folder = folder_of(lab)
        self._nodes = node.all_of(lab, self._folder)

    def run(self):
        begin = time.monotonic()
        self._folder.mkdir(mode=0o700)
        credentials = Credentials(self._folder / "credentials", {s.name: s.address for s in self._lab.sites()})
        port = self._control_plane(credentials)
        self._progress(f"Kubernetes {kubernetes.kubernetes_version()} answers at https://127.0.0.1:{port}")
        self._start_nodes(credentials, port)
        self._wait_ready(Api.of(credentials.kubeconfig_path("admin")))
        about = {"api_port": port, "version": kubernetes.kubernetes_version()}
        (self._folder / "cluster.json").write_text(json.dumps(about))
        self._progress(f"ready {time.monotonic() - begin:.0f} s after the guests were")

    def _control_plane(self, credentials):
        private = folder_of_control_plane(self._lab)
        private.mkdir(mode=0o700)
        kubelets = {f"{site.address}:{KUBELET_PORT}": site.ports()[KUBELET_PORT] for site in self._lab.sites()}
        return ControlPlane(self._lab.host, private, credentials, self._progress).start(kubelets)

    def _start_nodes(self, credentials, port):
        def one(starting):
            starting.write_files(credentials, port)
            starting.start(credentials, self._archives, self._progress)

        with concurrent.futures.ThreadPoolExecutor(len(self._nodes)) as pool:
            list(pool.map(one, self._nodes.values()))

    def _wait_ready(self, api):
        wait_for("the default service account", lambda: api.get_or_none(_DEFAULT_ACCOUNT), _READY_S, self._progress)
        for name, waiting in self._nodes.items():
            wait_for(f"node {name} to be Ready", lambda name=name: node.states(api, [name])[name] == "True", _READY_S,
                     self._progress, poll_s=0.5, hint=waiting.trouble)
