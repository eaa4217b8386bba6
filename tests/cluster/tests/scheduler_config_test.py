"""The configuration that fairlead-extender prints is one that the real kube-scheduler starts with, and what
check-scheduler-config calls wrong about its form is what kube-scheduler refuses. No node is needed."""

import json
import subprocess

import pytest

from conftest import BUILD
from fairlead_cluster import kubernetes

EXTENDER = BUILD / "bin" / "fairlead-extender"


def extender(*words):
    return subprocess.run([EXTENDER, *map(str, words)], capture_output=True, text=True, check=False)


def start(folder, text):
    """kube-scheduler reads and judges the configuration, writes out what it understood, and ends."""
    # Nothing answers there, and it ends before it asks.
    access = folder / "kubeconfig"
    access.write_text(json.dumps({
        "apiVersion": "v1", "kind": "Config", "current-context": "none",
        "clusters": [{"name": "none", "cluster": {"server": "http://127.0.0.1:1"}}],
        "users": [{"name": "none", "user": {}}],
        "contexts": [{"name": "none", "context": {"cluster": "none", "user": "none"}}]}))
    config, understood = folder / "config.yaml", folder / "understood.yaml"
    config.write_text(f"{text}clientConnection: {{kubeconfig: {access}}}\n")
    done = subprocess.run([kubernetes.program("kube-scheduler"), "--config", config, "--write-config-to", understood,
                           "--authentication-skip-lookup=true", "--secure-port=0"],
                          capture_output=True, text=True, timeout=120, check=False)
    return done, understood.read_text() if understood.exists() else ""


@pytest.mark.parametrize("words", [[], ["--url", "http://10.1.2.3:8471", "--weight", "7", "--timeout", "300ms"]])
def test_kube_scheduler_starts_with_what_is_printed(tmp_path, words):
    printed = extender("scheduler-config", "--for", "kube-scheduler", *words)
    assert printed.returncode == 0, printed.stderr
    done, understood = start(tmp_path, printed.stdout)
    assert done.returncode == 0, done.stderr
    assert "percentageOfNodesToScore: 100" in understood and "prioritizeVerb: prioritize" in understood
    assert f"weight: {7 if words else 5}" in understood
    checked = extender("check-scheduler-config", tmp_path / "understood.yaml")
    assert checked.returncode == 0, checked.stdout


def test_kube_scheduler_starts_with_tls_files(tmp_path):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                    "-keyout", "key", "-out", "crt", "-subj", "/CN=test", "-days", "1"],
                   cwd=tmp_path, check=True, capture_output=True)
    printed = extender("scheduler-config", "--for", "kube-scheduler", "--url", "https://10.1.2.3:8471", "--ca-file",
                       tmp_path / "crt", "--cert-file", tmp_path / "crt", "--key-file", tmp_path / "key")
    done, understood = start(tmp_path, printed.stdout)
    assert done.returncode == 0, done.stderr
    assert "enableHTTPS: true" in understood and "caFile:" in understood


@pytest.mark.parametrize("line, wrong", [
    ("weight: 5", "weight: 0"),
    ("ignorable: true", "timeout: 1s"),
    ("httpTimeout: 200ms", "httpTimeout: soon"),
    ("percentageOfNodesToScore: 100", "percentageOfNodesToScore: 101"),
    ("kubescheduler.config.k8s.io/v1", "kubescheduler.config.k8s.io/v1beta1"),
    ("weight: 5", "weight: '5'"),
    ("ignorable: true", "ignorable: 'true'"),
    ("httpTimeout: 200ms", "httpTimeout: 0"),
    ("- name: rdma/hca", "- name: hca"),
    ("kind: KubeSchedulerConfiguration", "kind: KubeSchedulerConfiguration\nkind: KubeSchedulerConfiguration"),
    ("kind: KubeSchedulerConfiguration", "kind: KubeSchedulerConfiguration\nprofiles: x"),
    ("kind: KubeSchedulerConfiguration", "kind: KubeSchedulerConfiguration\nparallelism: 0"),
    ("extenders:", "extenders:\n- {urlPrefix: 'http://127.0.0.1:9/x', prioritizeVerb: p}"),
])
def test_what_kube_scheduler_refuses_is_called_wrong(tmp_path, line, wrong):
    printed = extender("scheduler-config", "--for", "kube-scheduler").stdout
    assert line in printed
    done, _ = start(tmp_path, printed.replace(line, wrong))
    assert done.returncode != 0, done.stderr
    checked = extender("check-scheduler-config", tmp_path / "config.yaml")
    assert checked.returncode == 1 and ": error: " in checked.stdout, checked.stdout


@pytest.mark.parametrize("line, right", [
    ("weight: 5", "weight: 0x5"),
    ("weight: 5", "weight: 5.0"),
    ("ignorable: true", "ignorable: yes"),
    ("nodeCacheCapable: true", "nodeCacheCapable: on"),
])
def test_what_kube_scheduler_takes_is_not_called_wrong(tmp_path, line, right):
    printed = extender("scheduler-config", "--for", "kube-scheduler").stdout
    assert line in printed
    done, _ = start(tmp_path, printed.replace(line, right))
    assert done.returncode == 0, done.stderr
    checked = extender("check-scheduler-config", tmp_path / "config.yaml")
    assert checked.returncode == 0, checked.stdout
