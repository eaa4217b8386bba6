"""The chart on nodes with HCAs, by helm: installed, checked by its own tests, changed while it runs, removed."""

import json
import time

import pytest

from conftest import BUILD, fresh_name
from fairlead_cluster import Cluster, release as releases, wait_for
from fairlead_stack.metrics import Metrics
from plugin_pod import wait_allocatable

pytestmark = pytest.mark.long

_SOON_S = 300.0


@pytest.fixture(scope="module")
def own_cluster():
    """Two nodes with the images; nothing else offers their HCAs."""
    archive = releases.image_archive(BUILD / "bin")
    with Cluster.up(fresh_name("helm"), nodes=2) as running:
        releases.load_images(running, archive)
        yield running


@pytest.fixture(scope="module")
def release(own_cluster, tmp_path_factory, figures):
    made = releases.Release(own_cluster, tmp_path_factory.mktemp("helm"))
    begin = time.monotonic()
    done = made.upgrade(releases.values(own_cluster))
    assert done.returncode == 0, done.stderr[-3000:] + made.explain()
    figures("helm install to all ready", f"{time.monotonic() - begin:.0f} s")
    return made


def metrics_of(release, program, node):
    return Metrics(release.metrics(program, node), prefix=f"fairlead_{program}_")


def test_probes_report_and_nodes_offer_their_hcas(release):
    for node in ("hk", "sg"):
        wait_allocatable(release.cluster, node, 4)

    def reported():
        metrics = metrics_of(release, "extender", "hk")
        return metrics.sum("probes_connected") == 2 and metrics.sum("link_state", state="Healthy") == 2

    wait_for("both lines to be well", reported, _SOON_S, hint=release.explain)


def test_the_charts_own_tests_pass(release):
    done = release.helm("test", "fairlead", "--logs", "--timeout", "8m")
    assert done.returncode == 0, done.stdout + done.stderr + release.explain()
    assert "2 probes report" in done.stdout and "can be opened" in done.stdout, done.stdout


def test_a_new_threshold_is_taken_by_running_pods_and_a_wrong_one_is_refused(release):
    before = release.pods()
    values = releases.values(release.cluster)
    values["config"]["detector"]["recovery"] = "90s"
    done = release.upgrade(values)
    assert done.returncode == 0, done.stderr[-3000:]
    wait_for("the probe to take it", lambda: metrics_of(release, "linkprobe", "sg").value(
        "config_reloads_total", result="applied"), _SOON_S, hint=release.explain)
    release.cluster.kubectl("patch", "configmap", "fairlead", "-n", "fairlead", "--type", "merge", "-p",
                            json.dumps({"data": {"fairlead.yaml": "detector: {recovery: soon}\n"}}))
    wait_for("the probe to refuse it", lambda: metrics_of(release, "linkprobe", "sg").value(
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
