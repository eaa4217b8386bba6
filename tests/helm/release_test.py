"""The chart on a real API server: installed, upgraded, refused a second time, removed. No node, so no pod runs."""

import os

import pytest

import chart
from fairlead_cluster import wait_for
from fairlead_cluster.bare_api import BareApi

PLAIN = ("--set", "image.registry=registry.example/fairlead")
CRD = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/links.fairlead.dev"


@pytest.fixture(scope="module")
def bare():
    with BareApi() as running:
        yield running


@pytest.fixture
def run(bare, tmp_path):
    """helm as the cluster's administrator; its own folders are this test's."""
    env = {**os.environ, "KUBECONFIG": str(bare.kubeconfig("admin")), "HELM_CACHE_HOME": str(tmp_path / "cache"),
           "HELM_CONFIG_HOME": str(tmp_path / "config"), "HELM_DATA_HOME": str(tmp_path / "data")}
    yield lambda *words: chart.helm(*words, env=env)
    for namespace in ("fairlead", "other"):
        chart.helm("uninstall", "fairlead", "-n", namespace, "--ignore-not-found", "--no-hooks", env=env)
    if _get(bare, CRD):
        bare.api.delete(CRD)
        wait_for("the end of the definition", lambda: _get(bare, CRD) is None, 60)


def _install(run, *words, name="fairlead", namespace="fairlead"):
    return run("upgrade", "--install", name, chart.CHART, "-n", namespace, "--create-namespace", "--wait=hookOnly",
               *PLAIN, *words)


def _get(bare, path):
    return bare.api.get_or_none(path)


def _secret(bare, name):
    return _get(bare, f"/api/v1/namespaces/fairlead/secrets/{name}")["data"]


def test_an_upgrade_keeps_certificates_and_pods(bare, run):
    done = _install(run, "--values", chart.VALUES / "pools.yaml")
    assert done.returncode == 0, done.stderr
    before = {name: _secret(bare, name) for name in ("fairlead-ca", "fairlead-extender-tls", "fairlead-linkprobe-tls")}
    deployment = "/apis/apps/v1/namespaces/fairlead/deployments/fairlead-extender"
    generation = _get(bare, deployment)["metadata"]["generation"]
    done = _install(run, "--values", chart.VALUES / "pools.yaml", "--set", "config.detector.recovery=90s")
    assert done.returncode == 0, done.stderr
    assert {name: _secret(bare, name) for name in before} == before
    assert _get(bare, deployment)["metadata"]["generation"] == generation
    config = _get(bare, "/api/v1/namespaces/fairlead/configmaps/fairlead")["data"]["fairlead.yaml"]
    assert "recovery: 90s" in config


def test_a_certificate_that_is_gone_is_made_anew_by_the_same_ca(bare, run):
    assert _install(run).returncode == 0
    ca = _secret(bare, "fairlead-ca")
    probe = _secret(bare, "fairlead-linkprobe-tls")
    bare.api.delete("/api/v1/namespaces/fairlead/secrets/fairlead-extender-tls")
    assert _install(run).returncode == 0
    made = _secret(bare, "fairlead-extender-tls")
    assert made["ca.crt"] == ca["tls.crt"] == probe["ca.crt"]
    assert _secret(bare, "fairlead-ca") == ca and _secret(bare, "fairlead-linkprobe-tls") == probe


def test_a_second_release_is_refused(bare, run):
    assert _install(run).returncode == 0
    done = _install(run, namespace="other")
    assert done.returncode != 0
    assert ("release fairlead in namespace fairlead is Fairlead in this cluster already" in done.stderr
            and "helm uninstall fairlead -n fairlead" in done.stderr), done.stderr
    again = _install(run, name="second")
    assert again.returncode != 0 and "is Fairlead in this cluster already" in again.stderr


def test_one_that_was_installed_without_helm_is_named(bare, run):
    roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles"
    bare.api.create(roles, {"metadata": {"name": "fairlead-extender"}, "rules": []})
    try:
        done = _install(run)
    finally:
        bare.api.delete(f"{roles}/fairlead-extender")
    assert done.returncode != 0
    assert "kubectl delete clusterrole,clusterrolebinding fairlead-extender" in done.stderr, done.stderr


def test_operators_that_are_not_there(bare, run):
    done = _install(run, "--set", "monitoring.podMonitors.enabled=true")
    assert done.returncode != 0 and "needs monitoring.coreos.com/v1/PodMonitor" in done.stderr


@pytest.mark.parametrize("name", [name for name in chart.SETS if name not in (
    "cert-manager", "own-ca", "volcano")])  # Those need operators.
def test_the_api_server_takes_every_object(run, name):
    done = run("install", "fairlead", chart.CHART, "-n", "default", "--dry-run=server", "--values",
               chart.VALUES / f"{name}.yaml", "--set", "monitoring.podMonitors.enabled=false,monitoring.rules.enabled=false")
    assert done.returncode == 0, done.stderr


def test_nothing_is_left(bare, run):
    def ours():
        found = []
        for path in ("/api/v1/namespaces/fairlead/configmaps", "/api/v1/namespaces/fairlead/secrets",
                     "/api/v1/namespaces/fairlead/services", "/api/v1/namespaces/fairlead/serviceaccounts",
                     "/apis/apps/v1/deployments", "/apis/apps/v1/daemonsets", "/apis/policy/v1/poddisruptionbudgets",
                     "/apis/rbac.authorization.k8s.io/v1/roles", "/apis/rbac.authorization.k8s.io/v1/rolebindings",
                     "/apis/rbac.authorization.k8s.io/v1/clusterroles",
                     "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
                     "/apis/networking.k8s.io/v1/networkpolicies",
                     "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies",
                     "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings"):
            found += [f"{path}/{one['metadata']['name']}" for one in _get(bare, path)["items"]
                      if "fairlead" in one["metadata"]["name"]]
        return found

    assert _install(run, "--values", chart.VALUES / "pools.yaml", "--set", "scheduler.integration=deployment",
                    "--set", "networkPolicy.enabled=true").returncode == 0
    assert len(ours()) > 20
    done = run("uninstall", "fairlead", "-n", "fairlead", "--wait")
    assert done.returncode == 0, done.stderr
    assert ours() == []
    # But what helm says it has kept; the next installation takes it over.
    assert "CustomResourceDefinition] links.fairlead.dev" in done.stdout, done.stdout + done.stderr
    assert _get(bare, CRD)
    assert _install(run).returncode == 0


def test_a_definition_of_somebody_elses_is_named(bare, run):
    assert _install(run).returncode == 0
    assert run("uninstall", "fairlead", "-n", "fairlead", "--wait").returncode == 0
    done = _install(run, namespace="other")
    assert done.returncode != 0
    assert "links.fairlead.dev is in this cluster and not of this release" in done.stderr, done.stderr
    without = _install(run, "--set", "links.enabled=false", namespace="other")
    assert without.returncode == 0, without.stderr
