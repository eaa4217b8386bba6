"""A real Kubernetes whose nodes are the lab's sites: control plane on this machine, kubelets in guests.

    from fairlead_cluster import Cluster, images

    with Cluster.up("mytest", nodes=2) as cluster:       # hk, sg; ends with this process at the latest
        cluster.nodes["hk"].site.run(["rdma", "link"])   # the lab's Site: run, spawn, put, forward ...
        cluster.lab.line("hk-sg").set(loss_pct=5)        # the lab's lines
        cluster.api.get("/api/v1/nodes")                 # JSON; create, patch, delete; ApiError has .code
        cluster.kubectl("get", "pods", "-A").stdout
        cluster.kubectl("apply", "-f", "-", stdin=text)
        cluster.nodes["hk"].stop_kubelet(); cluster.start_kubelet("hk")
        cluster.nodes["hk"].load_images([archive])       # of images.ensure(name, fill, command)
        cluster.gather_logs("/tmp/logs")

Pods use image images.reference("verbs") with imagePullPolicy Never. Nodes are named after their sites
and carry the site in label topology.kubernetes.io/region. Cluster.up(owner_pid=None) leaves it up for
Cluster.attach(name).
"""

from .api import Api, ApiError
from .cluster import Cluster
from .errors import ClusterError
from .pods import Pod, Pods
from .progress import wait_for

__all__ = ["Api", "ApiError", "Cluster", "ClusterError", "Pod", "Pods", "wait_for"]
