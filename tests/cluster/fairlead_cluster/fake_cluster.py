"""A control plane as released, with nodes that do not exist: kwok plays their kubelets. For tests by the thousand."""

import concurrent.futures
import json

from . import control_plane_words as words
from . import kubernetes, kwok
from .bare_api import BareApi
from .progress import say

SITES = ("hk", "sg", "tyo", "us")
REGION = "topology.kubernetes.io/region"
_AT_ONCE = 4


def nodes_of(sites, per_site, scarce_per_site=0):
    """Node objects hk-000, hk-001 ...; of each site the first ones have the label pool=scarce, others pool=plenty."""
    return [_node(f"{site}-{index:03d}", site, "scarce" if index < scarce_per_site else "plenty")
            for site in sites for index in range(per_site)]


def _node(name, site, pool):
    has = {"cpu": "64", "memory": "512Gi", "pods": "110", "rdma/hca": "8"}
    return {"apiVersion": "v1", "kind": "Node",
            "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name, REGION: site, "pool": pool}},
            "status": {"allocatable": has, "capacity": has, "conditions": [
                {"type": "Ready", "status": "True", "reason": "KubeletReady", "message": "as kwok plays it"}]}}


class FakeCluster(BareApi):
    """BareApi, kube-controller-manager and kwok; up while the `with` lasts. The scheduler starts when told how."""

    def __init__(self, nodes, controllers_qps=1000, gates=(), apis=(), progress=say):
        """nodes: Node objects; controllers_qps: requests a second of each controller, so that a Job's pods come slowly;
        gates: features to turn on in all programs; apis: group/version to serve besides the usual ones."""
        # Without a node lifecycle controller nobody would take away the taint that new nodes get there.
        # kwok watches from version 0, which with WatchList needs a newer etcd than Debian's.
        more = ["--disable-admission-plugins=TaintNodesByCondition", "--feature-gates=WatchList=false"]
        self._gates = [f"--feature-gates={gate}=true" for gate in gates]
        super().__init__([*more, *self._gates, *(f"--runtime-config={api}=true" for api in apis)], progress)
        self._nodes = nodes
        self._controllers_qps = controllers_qps

    def __enter__(self):
        program = kwok.ensure(self._progress)
        super().__enter__()
        try:
            parts = [self._nodes[start::_AT_ONCE] for start in range(_AT_ONCE)]
            with concurrent.futures.ThreadPoolExecutor(_AT_ONCE) as pool:
                list(pool.map(lambda part: self.api.create_many("/api/v1/nodes", part), parts))
            stages = self.folder / "kwok.yaml"
            stages.write_text(kwok.stages())
            self.start("kwok", kwok.words(program, self.kubeconfig("admin"), stages))
            # Clients of both are slowed down to what a laptop bears unless told otherwise; nodes here need no care.
            self.start("kube-controller-manager", [
                *words.controller_manager(kubernetes.program("kube-controller-manager"), self.credentials),
                "--controllers=*,-node-lifecycle-controller,-node-ipam-controller,-taint-eviction-controller",
                f"--kube-api-qps={self._controllers_qps}", f"--kube-api-burst={self._controllers_qps}", *self._gates])
            return self
        except BaseException:
            self.__exit__()
            raise

    def start_scheduler(self, configuration, more=()):
        """kube-scheduler by the text of a KubeSchedulerConfiguration without clientConnection."""
        access = {"kubeconfig": str(self.kubeconfig("kube-scheduler")), "qps": 1000, "burst": 1000}
        file = self.folder / "scheduler.yaml"
        file.write_text(f"{configuration}\nclientConnection: {json.dumps(access)}\n"
                        "leaderElection: {leaderElect: false}\n")
        self.start("kube-scheduler", [*words.scheduler(kubernetes.program("kube-scheduler"), file), *self._gates, *more])

    def kubectl(self, *words):
        """What kubectl prints to the administrator."""
        return kubernetes.kubectl(self.kubeconfig("admin"), *words).stdout
