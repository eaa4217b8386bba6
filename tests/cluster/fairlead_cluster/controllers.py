"""The controllers of JobSet, Kueue and Kubeflow Trainer as they are released, on this host beside a FakeCluster: with the
manifests, rights and webhooks of their modules. Only their Deployments are played, and what kubelet would mount into
their pods."""

import base64
import dataclasses
import json
import os
import pathlib
import sys
import urllib.request

import yaml

from . import control_plane, definitions, go_modules, kubernetes, ports
from .credentials import kubeconfig
from .go_programs import GoPrograms, required_version
from .progress import wait_for
from .versions import JOB_SET, JOB_SET_MODULE, KUEUE, KUEUE_MODULE, TRAINER

_READY_S = 180.0
_PLAYED = ("Deployment", "APIService")


@dataclasses.dataclass
class Release:
    """Where a controller comes from, and how it is run."""

    name: str
    module: pathlib.Path     # whose go.mod pins it
    source: str
    package: str
    minutes: int
    manifests: tuple         # folders of its module, for kubectl's kustomize; several have no namespace of their own yet
    namespace: str
    service: str             # of its webhooks
    service_address: str
    account: str
    config: dict             # laid over its own configuration
    own_certificate: str = ""  # the Secret in which it puts its webhooks' certificate; empty: it is given one

    def programs(self):
        version = required_version(self.module, self.source)
        return GoPrograms(self.name, self.module, version, {self.name: self.package},
                          f"-s -w -X {self.source}/pkg/version.GitVersion=v{version}", self.minutes)


RELEASES = (
    Release("jobset", JOB_SET_MODULE, JOB_SET, JOB_SET, 3, ("config/default",), "jobset-system", "jobset-webhook-service",
            "10.96.0.21", "jobset-controller-manager",
            # It would look for a certificate of its own in a folder that several runs on this machine have in common.
            {"internalCertManagement": {"enable": False}}),
    Release("trainer", KUEUE_MODULE, TRAINER, f"{TRAINER}/cmd/trainer-controller-manager", 4,
            tuple(f"manifests/base/{part}" for part in ("crds", "manager", "rbac", "webhook")), "kubeflow-system",
            "kubeflow-trainer-controller-manager", "10.96.0.23", "kubeflow-trainer-controller-manager",
            {"certManagement": {"enable": False}}),
    # Last: it manages the kinds that are there when it starts. It shares most packages with Trainer.
    Release("kueue", KUEUE_MODULE, KUEUE, f"{KUEUE}/cmd/kueue", 4, ("config/default",), "kueue-system",
            "kueue-webhook-service", "10.96.0.22", "kueue-controller-manager",
            {"featureGates": {"VisibilityOnDemand": False}},  # That server listens on all addresses.
            own_certificate="kueue-webhook-server-cert"))


def ensure():
    """Builds what is missing, some ten minutes on two cores; the folders of programs."""
    return [release.programs().ensure() for release in RELEASES]


def start(cluster):
    """All of them, which end with the cluster; {name: Controller}, when they and their webhooks answer."""
    ensure()
    running = [Controller(cluster, release) for release in RELEASES]
    cluster.start("egress", ["env", f"PYTHONPATH={':'.join(map(str, control_plane.PACKAGES))}", sys.executable, "-m",
                             "fairlead_cluster.egress", cluster.folder / "egress.sock",
                             *(f"{one.release.service_address}:443={one.webhook_port}" for one in running)])
    for one in running:
        one.install()
        one.start()
        if one.release.own_certificate:
            one.mount()
    for one in running:
        one.wait_ready()
    return {one.release.name: one for one in running}


class Controller:
    """One of them."""

    def __init__(self, cluster, release):
        self.release = release
        self._cluster = cluster
        self._folder = cluster.folder / release.name
        self._certificates = self._folder / "k8s-webhook-server" / "serving-certs"  # where it looks below $TMPDIR
        self.webhook_port, self._health_port = ports.free(2)

    def install(self):
        self._certificates.mkdir(parents=True)
        objects = self._manifests()
        kubernetes.kubectl(self._cluster.kubeconfig("admin"), "apply", "--server-side", "-f", "-",
                           stdin=json.dumps({"apiVersion": "v1", "kind": "List", "items": [
                               one for one in objects if one["kind"] not in _PLAYED]}))
        definitions.wait_served(self._cluster.api,
                                [one for one in objects if one["kind"] == "CustomResourceDefinition"])
        if not self.release.own_certificate:
            self._certify()
        text = next(one["data"]["controller_manager_config.yaml"] for one in objects if one["kind"] == "ConfigMap")
        (self._folder / "config.yaml").write_text(json.dumps(self._configured(yaml.safe_load(text))))
        self._write_access()

    def start(self):
        program = self.release.programs().program(self.release.name)
        self._cluster.start(self.release.name, [
            "env", f"TMPDIR={self._folder}", program, f"--config={self._folder / 'config.yaml'}",
            f"--kubeconfig={self._folder / 'kubeconfig'}"])

    def kill(self):
        self._cluster.kill(self.release.name)

    def _manifests(self):
        """Its objects, with the address of its webhooks and, unless it writes that itself, who signs for them."""
        text = kubernetes.kubectl(self._cluster.kubeconfig("admin"), "kustomize", self._kustomization()).stdout
        namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": self.release.namespace}}
        objects = [namespace] + [one for one in yaml.load_all(text, yaml.CSafeLoader)
                                 if one["kind"] != "Namespace"]
        authority = base64.b64encode(self._cluster.credentials.ca.read_bytes()).decode()
        for one in objects:
            if one["kind"] == "Service" and one["metadata"]["name"] == self.release.service:
                one["spec"]["clusterIP"] = self.release.service_address
            for hook in one.get("webhooks", ()):
                hook["clientConfig"]["service"]["namespace"] = self.release.namespace
                if not self.release.own_certificate:
                    hook["clientConfig"]["caBundle"] = authority
        return objects

    def _kustomization(self):
        home = go_modules.folder(self.release.module, self.release.source)
        folders = [home / folder for folder in self.release.manifests]
        if len(folders) == 1:
            return folders[0]
        together = {"namespace": self.release.namespace,
                    "resources": [os.path.relpath(one, self._folder) for one in folders]}
        (self._folder / "kustomization.yaml").write_text(json.dumps(together))
        return self._folder

    def _configured(self, config):
        """Its own configuration, with addresses of the loopback."""
        config.setdefault("health", {})["healthProbeBindAddress"] = f"127.0.0.1:{self._health_port}"
        config["webhook"] = {"host": "127.0.0.1", "port": self.webhook_port}
        if self.release.own_certificate:
            config["webhook"]["certDir"] = str(self._certificates)
        config["metrics"] = {"bindAddress": "0"}
        config["leaderElection"]["leaderElect"] = False
        return config | self.release.config

    def _certify(self):
        files = self._cluster.credentials.certificate(f"{self.release.name}-webhook", [
            f"{self.release.service}.{self.release.namespace}.svc"])
        for file, name in zip(files, ("tls.crt", "tls.key")):
            (self._certificates / name).write_bytes(file.read_bytes())

    def _write_access(self):
        """A kubeconfig with the rights of its service account."""
        path = f"/api/v1/namespaces/{self.release.namespace}/serviceaccounts/{self.release.account}/token"
        token = self._cluster.api.create(path, {"spec": {"expirationSeconds": 7200}})["status"]["token"]
        text = kubeconfig(self._cluster.server, self._cluster.credentials.ca, token)
        (self._folder / "kubeconfig").write_text(text)

    def wait_ready(self):
        wait_for(f"{self.release.name} to be ready", lambda: self._answers() or self._cluster.refuse_the_ended(),
                 _READY_S, hint=self._log)

    def mount(self):
        """What kubelet would do: the Secret that it makes becomes files."""
        path = f"/api/v1/namespaces/{self.release.namespace}/secrets/{self.release.own_certificate}"
        data = wait_for(f"{self.release.name}'s certificate", lambda: self._cluster.api.get(path).get("data"), _READY_S,
                        hint=self._log)
        for name in sorted(data, key=lambda name: name == "tls.crt"):  # Last: it waits for that one.
            (self._certificates / name).write_bytes(base64.b64decode(data[name]))

    def _log(self):
        return self._cluster.log(self.release.name).read_text(errors="replace")[-3000:]

    def _answers(self):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self._health_port}/readyz", timeout=5) as answer:
                return answer.status == 200
        except OSError:
            return False
