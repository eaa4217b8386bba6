"""linkprobe as a pod: its HCAs by asking for them, of the node's paths only the folder of the plugin's socket."""

import base64
import json
import pathlib

from plugin_pod import IMAGE, PROBE_SOCKETS, UNPRIVILEGED

OPS_PORT = 9471
_FOLDER = "/etc/fairlead"
_KILL = 'for p in /proc/[0-9]*; do [ "$(cat $p/comm 2> /dev/null)" = fairlead-linkpr ] && kill -9 ${p#/proc/}; done; true'
_SECRETS = "/api/v1/namespaces/default/secrets"


def _packed(document):
    """The files of a probe's configuration, with all that it names in one folder."""
    files = {}

    def pack(path):
        path = pathlib.Path(path)
        files[path.name] = path.read_bytes()
        return f"{_FOLDER}/{path.name}"

    document = {**document, "tls": {key: pack(path) for key, path in document["tls"].items()},
                "linkprobe": {**document["linkprobe"], "tokenFile": pack(document["linkprobe"]["tokenFile"])}}
    files["fairlead.yaml"] = json.dumps(document).encode()
    return files


class ProbePod:
    """One linkprobe of a Stack on a node of the cluster. Its secret goes with the cluster."""

    def __init__(self, cluster, pods, stack, node, name):
        """node: where it runs; name: which of the Stack's nodes it is."""
        self._cluster = cluster
        self._site = cluster.nodes[node].site
        files = _packed(stack.probe_document(self._site, name))
        secret = cluster.api.create(_SECRETS, {
            "metadata": {"generateName": f"{name}-"},
            "data": {key: base64.b64encode(data).decode() for key, data in files.items()}})["metadata"]["name"]
        self.pod = pods.create(
            "linkprobe", node=node, image=IMAGE, host_network=True, automountServiceAccountToken=False,
            resources={"fairlead.dev/probe": 1},
            command=["fairlead-linkprobe", "--config", f"{_FOLDER}/fairlead.yaml", "--node-name", name],
            volumes=[{"name": "config", "secret": {"secretName": secret}},
                     {"name": "plugin", "hostPath": {"path": PROBE_SOCKETS, "type": "Directory"}}],
            container_fields={"securityContext": UNPRIVILEGED, "volumeMounts": [
                {"name": "config", "mountPath": _FOLDER, "readOnly": True},
                {"name": "plugin", "mountPath": PROBE_SOCKETS, "readOnly": True}]})

    def metrics(self, stack):
        return stack.probe_metrics(self._site)

    def kill(self):
        """Ends its process at once; it is the only linkprobe in its guest."""
        self._site.run(["bash", "-c", _KILL])
