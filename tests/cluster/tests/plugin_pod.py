"""The device plugin as a pod: not privileged, without a capability, with the host paths that it needs."""

import collections
import datetime
import json
import re
import urllib.request

from fairlead_cluster import pods, wait_for
from fairlead_stack.metrics import Metrics

IMAGE = "deviceplugin"
NVML = "/usr/lib/fairlead/libnvidia-ml-test.so"
GPU = "nvidia.com/gpu"
GPUS = ("GPU-11111111", "GPU-22222222")
_CONFIG_FOLDER = "/etc/fairlead"
_CONFIG = f"{_CONFIG_FOLDER}/fairlead.yaml"
_ROOT = "/host"
PROBE_SOCKETS = "/run/fairlead"  # The folder of the socket on which linkprobe is heard.
NCCL_CONFS = "/var/lib/fairlead/nccl"  # Files of NCCL settings, the default of ncclConfDirectory.
UNPRIVILEGED = {"privileged": False, "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]}}
OPS_PORT = 9473
DOWN_AFTER_S = 2
_SOON_S = 120.0
_TICKS = 100  # A second's, in /proc.

Usage = collections.namedtuple("Usage", "begin_s cpu_s rss_bytes")

HostPath = collections.namedtuple("HostPath", "path target written kind")


def _host_paths(config):
    """What of the node it needs with this section of the configuration."""
    def made(path):
        return HostPath(path, path, True, "DirectoryOrCreate")

    sockets = "plugins_registry" if config.get("registration") == "registry" else "device-plugins"
    paths = [
        # Its own sockets are made here, and kubelet's is called.
        HostPath(f"/var/lib/kubelet/{sockets}", f"/var/lib/kubelet/{sockets}", True, "Directory"),
        HostPath("/var/lib/kubelet/pod-resources", "/var/lib/kubelet/pod-resources", False, "Directory"),
        # To look at, not to open. All of /dev, for /dev/infiniband goes and comes with the drivers.
        HostPath("/dev", f"{_ROOT}/dev", False, "Directory"),
        HostPath("/sys", f"{_ROOT}/sys", False, "Directory"),
        made(PROBE_SOCKETS),
    ]
    if config.get("cdi"):
        paths.append(made(config["cdiDirectory"]))
    if any(pool.get("ncclConf") for pool in config["pools"]):
        paths.append(made(NCCL_CONFS))
    if "nfdFeatureFile" in config:
        paths.append(made(config["nfdFeatureFile"].rpartition("/")[0]))
    return paths


def pod_fields(config_map, config, ops_port=OPS_PORT):
    """Fields of pods.document() for the plugin with this section of the configuration, which is in that ConfigMap."""
    mounts = [{"name": "config", "mountPath": _CONFIG_FOLDER, "readOnly": True}]
    volumes = [{"name": "config", "configMap": {"name": config_map}}]
    for index, host in enumerate(_host_paths(config)):
        mounts.append({"name": f"host{index}", "mountPath": host.target, "readOnly": not host.written})
        volumes.append({"name": f"host{index}", "hostPath": {"path": host.path, "type": host.kind}})
    return {
        "image": IMAGE, "host_network": True, "restartPolicy": "Always", "automountServiceAccountToken": False,
        "command": ["fairlead-deviceplugin", "--config", _CONFIG, "--node-name", "$(NODE_NAME)", "--root", _ROOT],
        "volumes": volumes,
        "container_fields": {
            "env": [{"name": "NODE_NAME", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}},
                    {"name": "FAIRLEAD_NVML_SCRIPT", "value": f"{_CONFIG_FOLDER}/gpus.txt"}],
            "ports": [{"name": "ops", "containerPort": ops_port}],
            "volumeMounts": mounts,
            "securityContext": UNPRIVILEGED,
        },
    }


class PluginPod:
    """One running plugin."""

    def __init__(self, cluster, pod, node, ops_port=OPS_PORT):
        self._cluster = cluster
        self.pod = pod
        self.node = cluster.nodes[node]
        self._ops_port = ops_port

    def metrics(self):
        return Metrics(self._get("/metrics"), prefix="fairlead_deviceplugin_")

    def is_well(self):
        """Whether it serves and says that it is ready."""
        try:
            return self._get("/readyz") is not None and self._get("/healthz") is not None
        except OSError:
            return False

    def _get(self, path):
        port = self.node.site.forward(self._ops_port)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=20) as answer:
            return answer.read().decode()

    def wait_until_well(self):
        wait_for(f"the device plugin on {self.node.name}", self.is_well, _SOON_S, hint=self.pod.explain)

    def logged(self):
        """What it has logged, as dictionaries, all restarts."""
        script = f'cat /var/log/pods/*_{self.pod.name}_*/main/*.log 2> /dev/null || true'  # None before it starts.
        lines = self.node.site.run(["bash", "-c", script]).out.splitlines()
        found = [re.match(r"\S+ std(?:out|err) F (\{.*\})$", line) for line in lines]
        return [json.loads(match[1]) for match in found if match]

    def list(self, *words):
        """What `fairlead-deviceplugin list --json` says there."""
        return json.loads(self.pod.exec("fairlead-deviceplugin", "list", "--config", _CONFIG, "--root", _ROOT,
                                        "--json", *words).stdout)

    def timed(self, message, **fields):
        """(the guest's time in seconds, line) of the log lines with this message and these fields."""
        return [(datetime.datetime.fromisoformat(line["time"]).timestamp(), line) for line in self.logged()
                if line["message"] == message and fields.items() <= line.items()]

    def events(self, message, **fields):
        """Their times alone."""
        return [at for at, _ in self.timed(message, **fields)]

    def pid(self):
        """Its process on the node, None where there is none."""
        script = 'for p in /proc/[0-9]*; do [ "$(cat $p/comm 2>/dev/null)" = fairlead-device ] ' \
                 '&& grep -q "$0" $p/cgroup && [ "$(stat -c %u $p)" = 0 ] && echo ${p#/proc/}; done; true'
        uid = self.pod.get()["metadata"]["uid"]
        found = self.node.site.run(["bash", "-c", script, uid]).out.split()
        return int(found[0]) if found else None

    def usage(self):
        """Of its process: when it began by the guest's clock, CPU time so far in seconds, resident memory in bytes."""
        script = 'cat /proc/$0/stat; date +%s.%N; cat /proc/uptime; grep VmRSS /proc/$0/status'
        stat, now, uptime, rss = self.node.site.run(["bash", "-c", script, str(self.pid())]).out.splitlines()
        words = stat.rpartition(")")[2].split()
        return Usage(begin_s=float(now) - float(uptime.split()[0]) + int(words[19]) / _TICKS,
                     cpu_s=(int(words[11]) + int(words[12])) / _TICKS, rss_bytes=int(rss.split()[1]) * 1024)


WITH_GPUS = {"gpus": {"advertise": True, "resource": GPU, "nvmlLibrary": NVML}}


def settings(**changes):
    """A configuration of the plugin: slots for pods on the host network, in two priorities."""
    pools = [{"resource": "rdma/hca", "network": "host", "slots": 4, "trafficClass": 106},
             {"resource": "rdma/hca-bulk", "priorityOf": "rdma/hca", "slots": 2, "dscp": 10}]
    return {"pools": pools, "health": {"downAfter": f"{DOWN_AFTER_S}s", "upAfter": "2s"}} | changes


def _put_config_map(cluster, name, config):
    path = "/api/v1/namespaces/default/configmaps"
    document = {"metadata": {"name": name}, "data": {
        "fairlead.yaml": json.dumps({"deviceplugin": config}), "gpus.txt": "".join(f"gpu {gpu}\n" for gpu in GPUS)}}
    if cluster.api.get_or_none(f"{path}/{name}"):
        cluster.api.replace(f"{path}/{name}", document)
    else:
        cluster.api.create(path, document)


def daemon_set(cluster, name, node, ops_port):
    """A DaemonSet of the plugin on one node, whose pods have the label app=name. Its configuration is there.

    It is updated with a surge, and a pod is ready when the plugin is. The old and the new one need different ports.
    """
    config = settings(opsListen=f"0.0.0.0:{ops_port}")
    _put_config_map(cluster, f"{name}-{ops_port}", config)
    fields = pod_fields(f"{name}-{ops_port}", config, ops_port)
    fields["container_fields"]["readinessProbe"] = {
        "httpGet": {"path": "/readyz", "port": ops_port}, "periodSeconds": 1, "timeoutSeconds": 10}
    return {"metadata": {"name": name}, "spec": {
        "selector": {"matchLabels": {"app": name}},
        "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}},
        "template": {"metadata": {"labels": {"app": name}},
                     "spec": pods.document(name, node=node, **fields)["spec"]}}}


class Plugins:
    """The plugin on each node, by its name in `at`."""

    def __init__(self, cluster, pods):
        self._cluster = cluster
        self._pods = pods
        self.at = {}

    def start(self, node, ops_port=OPS_PORT, **changes):
        """Starts one with settings(changes); from now on it is the one `at` this node. The PluginPod."""
        name = f"deviceplugin-{node}-{ops_port}"
        config = settings(**changes) | {"opsListen": f"0.0.0.0:{ops_port}"}
        _put_config_map(self._cluster, name, config)
        pod = self._pods.create("deviceplugin", node=node, **pod_fields(name, config, ops_port))
        self.at[node] = PluginPod(self._cluster, pod, node, ops_port)
        return self.at[node]

    def replace(self, node, **changes):
        """Ends the one at this node and starts one with settings(changes), once it is gone. The PluginPod."""
        self.at[node].pod.delete()
        self.at[node].pod.wait_gone()
        return self.start(node, **changes)


def allocatable(cluster, node, resource="rdma/hca", of="allocatable"):
    """How much of a resource a node says it has; None where it does not know it."""
    found = cluster.api.get(f"/api/v1/nodes/{node}")["status"][of].get(resource)
    return None if found is None else int(found)


def wait_allocatable(cluster, node, amount, resource="rdma/hca", timeout_s=_SOON_S):
    wait_for(f"{node} to have {amount} {resource}",
             lambda: allocatable(cluster, node, resource) == amount, timeout_s,
             hint=lambda: f"it has {allocatable(cluster, node, resource)}")
