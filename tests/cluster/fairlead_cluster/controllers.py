"""JobSet's and Kueue's controllers as they are released, on this host beside a FakeCluster: with the manifests, rights
and webhooks of their modules. Only their Deployments are played, and what kubelet would mount into their pods."""

import base64
import dataclasses
import json
import os
import sys
import urllib.request

import yaml

from . import control_plane, go_modules, kubernetes, ports
from .credentials import kubeconfig
from .go_programs import GoPrograms, required_version
from .progress import wait_for
from .versions import JOB_SET, JOB_SET_MODULE, KUEUE, KUEUE_MODULE

_READY_S = 180.0
_PLAYED = ("Deployment", "APIService")


@dataclasses.dataclass
class Release:
    """Where a controller comes from, and how it is run."""

    name: str
    module: os.PathLike
    source: str
    package: str
    minutes: int
    service: str       # the address of its webhooks' Service
    own_certificate: bool  # makes its webhooks' certificate itself; else it is given one

    def programs(self):
        version = required_version(self.module, self.source)
        return GoPrograms(self.name, self.module, version, {self.name: self.package},
                          f"-s -w -X {self.source}/pkg/version.GitVersion=v{version}", self.minutes)


RELEASES = (Release("jobset", JOB_SET_MODULE, JOB_SET, JOB_SET, 3, "10.96.0.21", False),
             Release("kueue", KUEUE_MODULE, KUEUE, f"{KUEUE}/cmd/kueue", 6, "10.96.0.22", True))


def ensure():
    """Builds what is missing, some ten minutes on two cores; the folders of programs."""
    return [release.programs().ensure() for release in RELEASES]


def start(cluster):
    """Both, which end with the cluster; back when they and their webhooks answer."""
    ensure()
    running = [_Controller(cluster, release) for release in RELEASES]
    cluster.start("egress", ["env", f"PYTHONPATH={':'.join(map(str, control_plane.PACKAGES))}", sys.executable, "-m",
                             "fairlead_cluster.egress", cluster.folder / "egress.sock",
                             *(f"{one.release.service}:443={one.webhook_port}" for one in running)])
    for one in running:
        one.start()
    for one in running:
        one.wait_ready()


class _Controller:
    def __init__(self, cluster, release):
        self._cluster = cluster
        self.release = release
        self._name = release.name
        self._namespace = f"{release.name}-system"
        self._folder = cluster.folder / release.name
        self._certificates = self._folder / "certificates"
        self.webhook_port, self._health_port = ports.free(2)

    def start(self):
        self._certificates.mkdir(parents=True)
        objects = self._manifests()
        kubernetes.kubectl(self._cluster.kubeconfig("admin"), "apply", "--server-side", "-f", "-",
                           stdin=json.dumps({"apiVersion": "v1", "kind": "List", "items": [
                               one for one in objects if one["kind"] not in _PLAYED]}))
        config = self._folder / "config.yaml"
        text = next(one for one in objects if one["kind"] == "ConfigMap")["data"]["controller_manager_config.yaml"]
        config.write_text(json.dumps(self._configured(yaml.safe_load(text))))
        program = self.release.programs().program(self._name)
        self._cluster.start(self._name, [program, f"--config={config}", f"--kubeconfig={self._access()}",
                                         *([] if self.release.own_certificate else ["--metrics-bind-address=0"])])

    def _manifests(self):
        home = go_modules.folder(self.release.module, self.release.source)
        text = kubernetes.kubectl(self._cluster.kubeconfig("admin"), "kustomize", home / "config" / "default").stdout
        objects = [one for one in yaml.load_all(text, yaml.CSafeLoader) if one]
        authority = base64.b64encode(self._cluster.credentials.ca.read_bytes()).decode()
        for one in objects:
            if one["kind"] == "Service" and one["metadata"]["name"] == f"{self._name}-webhook-service":
                one["spec"]["clusterIP"] = self.release.service
            if one["kind"].endswith("WebhookConfiguration") and not self.release.own_certificate:
                for hook in one["webhooks"]:
                    hook["clientConfig"]["caBundle"] = authority
        return objects

    def _configured(self, config):
        """Its own configuration, with addresses of the loopback."""
        config["health"] = {"healthProbeBindAddress": f"127.0.0.1:{self._health_port}"}
        config["webhook"] = {"host": "127.0.0.1", "port": self.webhook_port, "certDir": str(self._certificates)}
        config["metrics"] = {"bindAddress": "0"}
        config["leaderElection"] = {"leaderElect": False}
        if self.release.own_certificate:
            config["featureGates"] = {"VisibilityOnDemand": False}  # It listens on all addresses.
        else:
            # It would look for what it made in a folder that several runs on this machine have in common.
            config["internalCertManagement"] = {"enable": False}
            files = self._cluster.credentials.certificate(
                f"{self._name}-webhook", [f"{self._name}-webhook-service.{self._namespace}.svc"])
            for file, name in zip(files, ("tls.crt", "tls.key")):
                (self._certificates / name).write_bytes(file.read_bytes())
        return config

    def _access(self):
        """A kubeconfig with the rights of its service account."""
        path = f"/api/v1/namespaces/{self._namespace}/serviceaccounts/{self._name}-controller-manager/token"
        token = self._cluster.api.create(path, {"spec": {"expirationSeconds": 7200}})["status"]["token"]
        file = self._folder / "kubeconfig"
        file.write_text(kubeconfig(self._cluster.server, self._cluster.credentials.ca, token))
        return file

    def wait_ready(self):
        if self.release.own_certificate:
            self._mount()
        wait_for(f"{self._name} to be ready", self._answers, _READY_S,
                 hint=lambda: self._cluster.log(self._name).read_text(errors="replace")[-3000:])

    def _mount(self):
        """What kubelet would do: the Secret that it makes becomes files."""
        path = f"/api/v1/namespaces/{self._namespace}/secrets/{self._name}-webhook-server-cert"
        data = wait_for(f"{self._name}'s certificate", lambda: self._cluster.api.get(path).get("data"), _READY_S,
                        hint=lambda: self._cluster.log(self._name).read_text(errors="replace")[-3000:])
        for name in sorted(data, key=lambda name: name == "tls.crt"):  # Last: it waits for that one.
            (self._certificates / name).write_bytes(base64.b64decode(data[name]))

    def _answers(self):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self._health_port}/readyz", timeout=5) as answer:
                return answer.status == 200
        except OSError:
            return False
