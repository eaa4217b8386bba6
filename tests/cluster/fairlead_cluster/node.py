"""A node: containerd and kubelet in a lab guest."""

from . import images, kubernetes
from . import node_words as words

_SETUP_S = 240.0


class Node:
    """One guest as a Kubernetes node of the same name. Thread-safe as the lab's Site is."""

    def __init__(self, site, folder):
        """folder: this node's own, seen by host and guest at the same path."""
        self.site = site
        self.name = site.name
        self.folder = folder

    def write_files(self, credentials, api_port):
        """What containerd, CNI and kubelet read."""
        self.folder.mkdir(parents=True, exist_ok=True)
        certificate, key = credentials.kubelets[self.name]
        for name, text in (
            ("containerd.toml", words.containerd_config(
                images.reference("pause"), kubernetes.program("containerd-shim-runc-v2"))),
            ("cni.conflist", words.cni_config(self.site.index)),
            ("nft.rules", words.nft_rules(api_port)),
            ("kubelet.json", words.kubelet_config(credentials.ca, certificate, key)),
        ):
            (self.folder / name).write_text(text)

    def start(self, credentials, archives, say):
        """Containerd, images, kubelet; say(text) as it goes. Registration takes kubelet half a minute more."""
        self.site.run(["bash", "-c", words.setup_script(self.folder)], timeout=_SETUP_S)
        say(f"{self.name}: starting containerd")
        self.site.spawn("containerd", [kubernetes.program("containerd"),
                                       "--config", self.folder / "containerd.toml"])
        self.load_images(archives)
        say(f"{self.name}: images are in; starting kubelet")
        self.start_kubelet(credentials.kubeconfig_path(f"kubelet-{self.name}"))

    def load_images(self, archives):
        self.site.run(["bash", "-c", words.import_script(archives)], timeout=_SETUP_S)

    def start_kubelet(self, kubeconfig):
        self.site.spawn("kubelet", words.kubelet(kubernetes.program("kubelet"), self.name, self.site.address,
                                                 self.folder / "kubelet.json", kubeconfig))

    def stop_kubelet(self):
        """Ends kubelet; pods keep running."""
        self.site.stop("kubelet", grace_s=20)

    def trouble(self):
        """What a reader should know if the node does not become Ready, from what kubelet wrote last."""
        log = self.site.log_path("kubelet")
        if not log.exists():
            return f"kubelet has not started; see {self.site.folder / 'log'}"
        bad = [row for row in log.read_text(errors="replace").splitlines() if row.startswith(("E", "F"))]
        return f"log {log}; last error: {bad[-1][:300]}" if bad else f"log {log}"


def all_of(lab, folder):
    """{name: Node} of a lab's sites; folder is the cluster's."""
    return {site.name: Node(site, folder / site.name) for site in lab.sites()}


def states(api, names):
    """{node: status of its Ready condition (True, False, Unknown), or Missing}."""
    found = {node["metadata"]["name"]: node for node in api.get("/api/v1/nodes")["items"]}
    return {name: ready_status(found.get(name)) for name in names}


def ready_status(node):
    if node is None:
        return "Missing"
    conditions = node.get("status", {}).get("conditions", [])
    return next((c["status"] for c in conditions if c["type"] == "Ready"), "Unknown")
