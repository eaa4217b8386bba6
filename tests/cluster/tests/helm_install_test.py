"""The chart on nodes with HCAs, by helm: installed, checked by its own tests, changed while it runs, removed."""

import concurrent.futures
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import time
import urllib.request

import pytest

from conftest import BUILD, ROOT, fresh_name
from fairlead_cluster import Cluster, cache, node_words, wait_for
from fairlead_lab.descent import dying_with_us
from fairlead_stack.metrics import Metrics
from plugin_pod import wait_allocatable

sys.path.append(str(ROOT / "tests" / "helm"))
import chart  # noqa: E402

pytestmark = pytest.mark.long

_BUILDER = ROOT / "deploy" / "images"
_PORTS = {"extender": 9472, "linkprobe": 9471, "deviceplugin": 9473}
_SOON_S = 300.0
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


def _image_archive():
    """An archive of the three images; made where programs or their Dockerfile have changed."""
    sources = [_BUILDER / "Dockerfile", _BUILDER / "build.py",
               *(BUILD / "bin" / f"fairlead-{name}" for name in _PORTS)]
    digest = hashlib.sha256()
    for source in sources:
        digest.update(hashlib.sha256(source.read_bytes()).digest())
    folder = cache.folder("images", digest.hexdigest()[:16])
    together = folder / "all.tar"
    if not together.exists():
        subprocess.run([sys.executable, _BUILDER / "build.py", "--programs", BUILD / "bin", "--output", folder],
                       check=True, stdin=subprocess.DEVNULL, preexec_fn=dying_with_us())
        archives = sorted(folder.glob("fairlead-*.tar"))
        _together(archives, folder / "all.part")
        (folder / "all.part").rename(together)
        for archive in archives:
            archive.unlink()
        for old in sorted(folder.parent.iterdir(), key=os.path.getmtime)[:-_KEPT]:
            shutil.rmtree(old)
    return together


@pytest.fixture(scope="module")
def own_cluster():
    """Two nodes with the images; nothing else offers their HCAs."""
    script = node_words.import_script([_image_archive()])
    with Cluster.up(fresh_name("helm"), nodes=2) as running:
        with concurrent.futures.ThreadPoolExecutor() as pool:
            list(pool.map(lambda node: node.site.run(["bash", "-c", script], timeout=_IMPORT_S), running.nodes.values()))
        yield running


def _values(cluster):
    """No cluster DNS and no Service addresses here: one extender on Hong Kong's network, found by its name in /etc/hosts."""
    address = cluster.nodes["hk"].site.address
    return {
        "image": {"registry": "localhost", "pullPolicy": "Never"},
        "extender": {"replicas": 1, "hostNetwork": True, "nodeSelector": {"kubernetes.io/hostname": "hk"}},
        "linkprobe": {"maxUnavailable": "100%", "hostAliases": [
            {"ip": address, "hostnames": ["fairlead-extender-reports.fairlead.svc"]}]},
        "scheduler": {"integration": "none"},
        "config": {"detector": {"hostNoise": "2s", "baselineWindows": 5},
                   "deviceplugin": {"pools": [{"resource": "rdma/hca", "network": "host", "slots": 4}]}}}


class Release:
    """The chart's release in a cluster."""

    def __init__(self, cluster, folder):
        self.cluster = cluster
        self._folder = folder
        self._env = {**os.environ, "KUBECONFIG": str(cluster.kubeconfig), "HELM_CACHE_HOME": str(folder / "cache"),
                     "HELM_CONFIG_HOME": str(folder / "config"), "HELM_DATA_HOME": str(folder / "data")}

    def helm(self, *words, timeout_s=900):
        return chart.helm(*words, "-n", "fairlead", env=self._env, timeout_s=timeout_s)

    def upgrade(self, values, *words):
        file = self._folder / "values.json"
        file.write_text(json.dumps(values))
        return self.helm("upgrade", "--install", "fairlead", chart.CHART, "--create-namespace", "--values", file,
                         "--wait", "--timeout", "14m", *words)

    def pods(self):
        """{name: uid}."""
        found = self.cluster.api.get("/api/v1/namespaces/fairlead/pods")["items"]
        return {pod["metadata"]["name"]: pod["metadata"]["uid"] for pod in found}

    def metrics(self, program, node):
        port = self.cluster.nodes[node].site.forward(_PORTS[program])
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=20) as answer:
            return Metrics(answer.read().decode(), prefix=f"fairlead_{program}_")

    def explain(self):
        return (self.cluster.kubectl("get", "pods", "-n", "fairlead", "-o", "wide", check=False).stdout
                + self.cluster.kubectl("get", "events", "-n", "fairlead", check=False).stdout[-3000:])


@pytest.fixture(scope="module")
def release(own_cluster, tmp_path_factory, figures):
    made = Release(own_cluster, tmp_path_factory.mktemp("helm"))
    begin = time.monotonic()
    done = made.upgrade(_values(own_cluster))
    assert done.returncode == 0, done.stderr[-3000:] + made.explain()
    figures("helm install to all ready", f"{time.monotonic() - begin:.0f} s")
    return made


def test_probes_report_and_nodes_offer_their_hcas(release):
    for node in ("hk", "sg"):
        wait_allocatable(release.cluster, node, 4)

    def reported():
        metrics = release.metrics("extender", "hk")
        return metrics.sum("probes_connected") == 2 and metrics.sum("link_state", state="Healthy") == 2

    wait_for("both lines to be well", reported, _SOON_S, hint=release.explain)


def test_the_charts_own_tests_pass(release):
    done = release.helm("test", "fairlead", "--logs", "--timeout", "8m")
    assert done.returncode == 0, done.stdout + done.stderr + release.explain()
    assert "2 probes report" in done.stdout and "can be opened" in done.stdout, done.stdout


def test_a_new_threshold_is_taken_by_running_pods_and_a_wrong_one_is_refused(release):
    before = release.pods()
    values = _values(release.cluster)
    values["config"]["detector"]["recovery"] = "90s"
    done = release.upgrade(values)
    assert done.returncode == 0, done.stderr[-3000:]
    wait_for("the probe to take it", lambda: release.metrics("linkprobe", "sg").value(
        "config_reloads_total", result="applied"), _SOON_S, hint=release.explain)
    release.cluster.kubectl("patch", "configmap", "fairlead", "-n", "fairlead", "--type", "merge", "-p",
                            json.dumps({"data": {"fairlead.yaml": "detector: {recovery: soon}\n"}}))
    wait_for("the probe to refuse it", lambda: release.metrics("linkprobe", "sg").value(
        "config_reloads_total", result="refused"), _SOON_S, hint=release.explain)
    assert release.pods() == before
    done = release.upgrade(values, "--force-conflicts")
    assert done.returncode == 0, done.stderr[-3000:]


def test_nothing_is_left(release):
    done = release.helm("uninstall", "fairlead", "--wait", "--timeout", "5m")
    assert done.returncode == 0, done.stderr
    wait_for("the pods to be gone", lambda: not release.pods(), _SOON_S, hint=release.explain)
    kinds = "configmaps,secrets,services,serviceaccounts,roles,rolebindings,deployments,daemonsets,pdb"
    left = release.cluster.kubectl("get", kinds, "-n", "fairlead", "-o", "name").stdout.split()
    assert [one for one in left if "fairlead" in one] == []
    assert "fairlead" not in release.cluster.kubectl("get", "clusterroles,clusterrolebindings", "-o", "name").stdout
