"""A cluster as a whole: up, attach, status, down. It is a lab with Kubernetes in it, under the lab's name."""

import json
import shutil

from fairlead_lab import Lab, LabError, state
from fairlead_lab.kernel import cache_dir

from . import control_plane, images, kubernetes, logs, node, plan, start
from .api import Api
from .errors import ClusterError
from .node_words import KUBELET_PORT
from .progress import say

_KUBELET_S = 120.0


class Cluster:
    """A running cluster. Get one by Cluster.up() or Cluster.attach()."""

    def __init__(self, lab):
        self.lab = lab
        self.name = lab.name
        self.folder = start.folder_of(lab)
        try:
            about = json.loads((self.folder / "cluster.json").read_text())
        except (OSError, ValueError):
            raise ClusterError(f"lab '{lab.name}' is no complete cluster; 'cluster down --name {lab.name}' clears it") from None
        self.api_port = about["api_port"]
        self.version = about["version"]
        self.kubeconfig = self.kubeconfig_of("admin")
        self.api = Api.of(self.kubeconfig)
        self.nodes = node.all_of(lab, self.folder)

    @classmethod
    def up(cls, name, nodes=2, sites_file=None, document=None, owner_pid=0, progress=say, extra_images=()):
        """Boots a cluster and returns it with every node Ready.

        document: a lab document instead of the first `nodes` sites of sites_file. extra_images: archives of
        images.ensure() that every node gets. owner_pid: as Lab.up. A failure leaves nothing but its logs.
        """
        document = document or plan.document(nodes, sites_file)
        kubernetes.ensure(progress)
        archives = [*images.standard(progress).values(), *extra_images]
        lab = Lab.up(name, document=document, progress=progress)
        try:
            start.Start(lab, archives, progress).run()
            cluster = cls(lab)
            if owner_pid != 0:
                lab.hand_over(owner_pid)
            return cluster
        except BaseException as error:
            kept = _keep_logs(lab)
            lab.down()
            if isinstance(error, (ClusterError, LabError)):
                raise ClusterError(f"{error}\n(all logs: {kept})") from None
            raise

    @classmethod
    def attach(cls, name):
        """The running cluster of that name."""
        try:
            return cls(Lab.attach(name))
        except LabError as error:
            raise ClusterError(str(error).replace("'lab ", "'cluster ").replace("no lab", "no cluster")) from None

    def kubeconfig_of(self, name):
        """The kubeconfig file of admin, kube-scheduler, kube-controller-manager or kubelet-NODE."""
        return self.folder / "credentials" / f"{name}.kubeconfig"

    def kubectl(self, *words, check=True, stdin=None, timeout_s=120):
        """Runs kubectl as the administrator; the finished process, output as text."""
        return kubernetes.kubectl(self.kubeconfig, *words, check=check, stdin=stdin, timeout_s=timeout_s)

    def node_states(self):
        """{node: its Ready condition's status: True, False, Unknown or Missing}."""
        return node.states(self.api, self.nodes)

    def start_kubelet(self, name):
        """Starts a node's kubelet that was stopped; returns once it serves."""
        self.nodes[name].start_kubelet(self.kubeconfig_of(f"kubelet-{name}"))
        self.nodes[name].site.wait_for_port(KUBELET_PORT, _KUBELET_S)

    def restart_scheduler(self, more):
        """Starts kube-scheduler anew; more: merged into its configuration, such as {'extenders': [...]}."""
        control_plane.start_scheduler(self.lab.host, control_plane.folder_of(self.lab),
                                      self.kubeconfig_of("kube-scheduler"), more)

    def status(self):
        """What 'cluster status --json' prints."""
        return {"name": self.name, "kubernetes": self.version, "api": f"https://127.0.0.1:{self.api_port}",
                "kubeconfig": str(self.kubeconfig), "folder": str(self.folder), "nodes": self.node_states(),
                "programs": {name: "running" if about.exit is None else f"ended with {about.exit}"
                             for name, about in self.lab.host.states().items()}}

    def gather_logs(self, target):
        return logs.gather(self.lab, target)

    def down(self):
        """Ends it all and removes its folder. Harmless when repeated."""
        self.lab.down()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.down()


def take_down(name):
    """Ends the cluster of that name, or what was left of it. False where there was none."""
    return state.take_down(name)


def _keep_logs(lab):
    """Where the logs of a failed start stay."""
    target = cache_dir() / "cluster-logs" / lab.name
    shutil.rmtree(target, ignore_errors=True)
    try:
        logs.gather(lab, target, pods=False)
    except (OSError, LabError) as error:
        return f"not kept: {error}"
    return target
