"""The chart's release in a cluster, with the images that are built from the programs of this machine."""

import concurrent.futures
import hashlib
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import urllib.request

from fairlead_lab.descent import dying_with_us

from . import cache, node_words

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "tests" / "helm"))
import chart  # noqa: E402

PORTS = {"extender": 9472, "linkprobe": 9471, "deviceplugin": 9473}
_BUILDER = ROOT / "deploy" / "images"
_IMPORT_S = 900.0
_KEPT = 2  # builds of the images; older ones go


def _together(archives, target):
    """One docker archive of several, with the layers that they share once: a guest takes its time for every megabyte."""
    manifests, seen = [], set()
    with tarfile.open(target, "w") as out:
        for archive in archives:
            with tarfile.open(archive) as images:
                manifests += json.load(images.extractfile("manifest.json"))
                for member in images:
                    if member.isfile() and member.name.endswith((".tar", ".json")) and member.name not in seen:
                        if member.name != "manifest.json":
                            seen.add(member.name)
                            out.addfile(member, images.extractfile(member))
        text = json.dumps(manifests).encode()
        about = tarfile.TarInfo("manifest.json")
        about.size = len(text)
        out.addfile(about, io.BytesIO(text))


def image_archive(programs):
    """An archive of the three images; made where a program in this folder or the Dockerfile has changed."""
    sources = [_BUILDER / "Dockerfile", _BUILDER / "build.py", *(programs / f"fairlead-{name}" for name in PORTS)]
    digest = hashlib.sha256()
    for source in sources:
        digest.update(hashlib.sha256(source.read_bytes()).digest())
    folder = cache.folder("images", digest.hexdigest()[:16])
    together = folder / "all.tar"
    if not together.exists():
        subprocess.run([sys.executable, _BUILDER / "build.py", "--programs", programs, "--output", folder],
                       check=True, stdin=subprocess.DEVNULL, preexec_fn=dying_with_us())
        archives = sorted(folder.glob("fairlead-*.tar"))
        _together(archives, folder / "all.part")
        (folder / "all.part").rename(together)
        for archive in archives:
            archive.unlink()
        for old in sorted(folder.parent.iterdir(), key=os.path.getmtime)[:-_KEPT]:
            shutil.rmtree(old)
    return together


def load_images(cluster, archive):
    """Gives it to every node; a minute or more, for they are emulated."""
    script = node_words.import_script([archive])
    with concurrent.futures.ThreadPoolExecutor() as pool:
        list(pool.map(lambda node: node.site.run(["bash", "-c", script], timeout=_IMPORT_S), cluster.nodes.values()))


def values(cluster, **config):
    """Values for such a cluster: no cluster DNS and no Service addresses, so one extender on Hong Kong's network, found
    by its name in /etc/hosts. config: more of fairlead.yaml."""
    address = cluster.nodes["hk"].site.address
    return {
        "image": {"registry": "localhost", "pullPolicy": "Never"},
        "extender": {"replicas": 1, "hostNetwork": True, "nodeSelector": {"kubernetes.io/hostname": "hk"}},
        "linkprobe": {"maxUnavailable": "100%", "hostAliases": [
            {"ip": address, "hostnames": ["fairlead-extender-reports.fairlead.svc"]}]},
        "scheduler": {"integration": "none"},
        "config": {"detector": {"hostNoise": "2s", "baselineWindows": 5},
                   "deviceplugin": {"pools": [{"resource": "rdma/hca", "network": "host", "slots": 4}]}, **config}}


class Release:
    """Release `fairlead` in namespace `fairlead`."""

    def __init__(self, cluster, folder):
        """folder: for helm's own files and the values."""
        self.cluster = cluster
        self._folder = folder
        self._env = {**os.environ, "KUBECONFIG": str(cluster.kubeconfig), "HELM_CACHE_HOME": str(folder / "cache"),
                     "HELM_CONFIG_HOME": str(folder / "config"), "HELM_DATA_HOME": str(folder / "data")}

    def helm(self, *words, timeout_s=900):
        """The finished process, output as text."""
        return chart.helm(*words, "-n", "fairlead", env=self._env, timeout_s=timeout_s)

    def upgrade(self, values, *words):
        """Installs it, or takes these values over; back when all is ready."""
        file = self._folder / "values.json"
        file.write_text(json.dumps(values))
        return self.helm("upgrade", "--install", "fairlead", chart.CHART, "--create-namespace", "--values", file,
                         "--wait", "--timeout", "14m", *words)

    def pods(self):
        """{name: uid}."""
        found = self.cluster.api.get("/api/v1/namespaces/fairlead/pods")["items"]
        return {pod["metadata"]["name"]: pod["metadata"]["uid"] for pod in found}

    def metrics(self, program, node):
        """What a program tells at /metrics, as text."""
        port = self.cluster.nodes[node].site.forward(PORTS[program])
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=20) as answer:
            return answer.read().decode()

    def explain(self):
        return (self.cluster.kubectl("get", "pods", "-n", "fairlead", "-o", "wide", check=False).stdout
                + self.cluster.kubectl("get", "events", "-n", "fairlead", check=False).stdout[-3000:])
