"""The pods of the demo's gang, as kube-scheduler sends them."""


class TrainingGang:
    """Four workers of a Volcano job, one HCA each, whose ring sends little and often."""

    SIZE = 4

    def __init__(self, name, nodes):
        self.name = name
        self.nodes = nodes  # [(node, site, hcas)]

    def pod(self, index):
        return {
            "metadata": {
                "name": f"{self.name}-worker-{index}", "namespace": "default",
                "uid": f"5e1f0000-0000-4000-8000-{index:012d}",
                "labels": {"volcano.sh/job-name": self.name, "volcano.sh/task-index": str(index)},
                "annotations": {
                    "scheduling.k8s.io/group-name": self.name,
                    "scheduling.volcano.sh/group-min-member": str(self.SIZE),
                    "fairlead.dev/comm-pattern": "allreduce",
                    "fairlead.dev/comm-bytes": "64KiB",
                },
            },
            "spec": {
                "schedulerName": "default-scheduler",
                "containers": [{"name": "worker", "resources": {
                    "requests": {"rdma/hca": "1"}, "limits": {"rdma/hca": "1"}}}],
            },
            "status": {"phase": "Pending"},
        }

    def place_two(self, stack):
        """Lets the scheduler ask for the first two members where only hk's nodes are left."""
        for index in range(2):
            stack.post("/kube/prioritize", self.names_form(index, self.nodes_of(["hk"])))

    def nodes_of(self, sites):
        return [name for name, site, _ in self.nodes if site in sites]

    def names_form(self, index, nodes):
        """ExtenderArgs with nodeCacheCapable: true."""
        return {"Pod": self.pod(index), "Nodes": None, "NodeNames": nodes}

    def nodes_form(self, index, nodes):
        """ExtenderArgs with nodeCacheCapable: false: whole Node objects."""
        site_of = {name: site for name, site, _ in self.nodes}
        return {"Pod": self.pod(index), "NodeNames": None, "Nodes": {"metadata": {}, "items": [
            {"metadata": {"name": name, "labels": {
                "kubernetes.io/hostname": name, "topology.kubernetes.io/region": site_of[name]}},
             "status": {"allocatable": {"cpu": "64", "rdma/hca": "1"}}} for name in nodes]}}
