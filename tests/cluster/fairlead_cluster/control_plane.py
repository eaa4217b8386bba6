"""etcd, kube-apiserver, controller-manager and scheduler on this host, held by the lab's supervisor."""

import pathlib
import shutil
import sys

from . import control_plane_words as words
from . import kubernetes, ports
from .api import Api
from .errors import ClusterError
from .progress import say, wait_for

_TRIES = 3  # Another program may take a free port before ours does.
_READY_S = 90.0
PACKAGES = pathlib.Path(__file__).resolve().parents[1], pathlib.Path(__file__).resolve().parents[2] / "lab"


def etcd_program():
    """Where Debian's etcd is."""
    path = shutil.which("etcd", path="/usr/bin:/usr/local/bin:/usr/sbin")
    if not path:
        raise ClusterError("etcd is missing; install it (apt-get install etcd-server)")
    return path


def start_scheduler(host, folder, kubeconfig, more=None):
    """Starts kube-scheduler, ending one that runs; `more` goes into its configuration, below the folder."""
    if "kube-scheduler" in host.states():
        host.stop("kube-scheduler")
    config = folder / "scheduler.json"
    config.write_text(words.scheduler_config(kubeconfig, more))
    host.spawn("kube-scheduler", words.scheduler(kubernetes.program("kube-scheduler"), config))


def folder_of(lab):
    """Where its data and configuration are, for nobody else to read."""
    return lab.folder / "control-plane"


class ControlPlane:
    def __init__(self, host, folder, credentials, progress=say):
        """host: the lab's HostPrograms; folder: folder_of(the lab), for data and configuration."""
        self._host = host
        self._folder = folder
        self._credentials = credentials
        self._progress = progress

    def start(self, kubelets):
        """Starts all of it; kubelets maps 'address:port' as the API server sees it to the host's port. The API's port."""
        socket = self._folder / "egress.sock"
        (self._folder / "egress.json").write_text(words.egress_selector(socket))
        self._host.spawn("egress", [sys.executable, "-m", "fairlead_cluster.egress", socket,
                                    *(f"{asked}={local}" for asked, local in kubelets.items())],
                         {"PYTHONPATH": ":".join(map(str, PACKAGES))})
        port = self._start_api()
        self._credentials.write_kubeconfigs(port)
        self._host.spawn("kube-controller-manager", words.controller_manager(
            kubernetes.program("kube-controller-manager"), self._credentials))
        start_scheduler(self._host, self._folder, self._credentials.kubeconfig_path("kube-scheduler"))
        return port

    def _start_api(self):
        for attempt in range(_TRIES):
            api_port, etcd_port, peer_port = ports.free(3)
            self._host.spawn("etcd", words.etcd(etcd_program(), self._folder, self._credentials, etcd_port, peer_port))
            self._host.spawn("kube-apiserver", words.apiserver(
                kubernetes.program("kube-apiserver"), self._folder, self._credentials, api_port, etcd_port))
            api = Api(api_port, self._credentials.ca, self._credentials.tokens["admin"])
            ended = wait_for("the API server", lambda: api.is_ready() or self._ended(), _READY_S, self._progress,
                             hint=lambda: f"logs {self._host.logs}")
            if ended is True:
                api.create("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", words.kubelet_access())
                return api_port
            if attempt + 1 < _TRIES and self._port_was_taken(ended):
                self._progress("another program took a port meanwhile; trying others")
                self._host.stop("kube-apiserver")
                self._host.stop("etcd")
                shutil.rmtree(self._folder / "etcd", ignore_errors=True)
                continue
            raise ClusterError(f"{ended} ended at once; log {self._host.log_path(ended)} ends:\n{self._tail(ended)}")
        raise AssertionError("unreachable")

    def _ended(self):
        """The name of a program that has ended, or None."""
        states = self._host.states()
        return next((name for name in ("etcd", "kube-apiserver") if states[name].exit is not None), None)

    def _port_was_taken(self, name):
        return "address already in use" in self._tail(name)

    def _tail(self, name):
        return self._host.log_path(name).read_text(errors="replace")[-1500:]
