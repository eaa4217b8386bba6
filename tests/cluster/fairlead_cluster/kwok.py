"""kwok, which plays the kubelets of nodes that do not exist: their pods run as soon as they are bound."""

import json

from .go_programs import GoPrograms, required_version
from .progress import say
from .versions import MODULE

PACKAGE = "sigs.k8s.io/kwok"
_NOW = "{{ $now := Now }}"


def _programs():
    return GoPrograms("kwok", MODULE, required_version(MODULE, PACKAGE), {"kwok": f"{PACKAGE}/cmd/kwok"}, "-s -w",
                      minutes=1)


def ensure(progress=say):
    """Builds it where it is missing, half a minute beside a built Kubernetes; its path."""
    programs = _programs()
    programs.ensure(progress)
    return programs.program("kwok")


def words(program, kubeconfig, config):
    # No leases: a thousand nodes would renew a hundred a second, and nothing here looks at them.
    return [program, f"--kubeconfig={kubeconfig}", f"--config={config}", "--manage-all-nodes=true",
            "--node-lease-duration-seconds=0", "--node-port=0", "--node-ip=10.0.0.1", "--cidr=10.0.0.1/24"]


def stages():
    """Its configuration: pods run until they are deleted. Its own lets the pods of Jobs succeed at once."""
    return "\n---\n".join(json.dumps(stage) for stage in (_node(), _pod_runs(), _pod_ends()))


def _stage(name, selector, following, kind="Pod"):
    return {"apiVersion": "kwok.x-k8s.io/v1alpha1", "kind": "Stage", "metadata": {"name": name},
            "spec": {"resourceRef": {"apiGroup": "v1", "kind": kind},
                     "selector": {"matchExpressions": selector}, "next": following}}


def _node():
    # Nodes are made as they shall be, but without a stage of theirs it plays no pods on them.
    return _stage("node-goes", [{"key": ".metadata.deletionTimestamp", "operator": "Exists"}], {"delete": True},
                  kind="Node")


def _pod_runs():
    ready = "\n".join(f'- {{lastTransitionTime: {{{{ $now | Quote }}}}, status: "True", type: {kind}}}'
                      for kind in ("Initialized", "Ready", "ContainersReady"))
    template = (f"{_NOW}\nphase: Running\nstartTime: {{{{ $now | Quote }}}}\nconditions:\n{ready}\n"
                "containerStatuses:\n{{ range .spec.containers }}\n"
                "- {image: {{ .image | Quote }}, name: {{ .name | Quote }}, ready: true, restartCount: 0, "
                "state: {running: {startedAt: {{ $now | Quote }}}}}\n{{ end }}\n")
    return _stage("pod-runs", [{"key": ".metadata.deletionTimestamp", "operator": "DoesNotExist"},
                               {"key": ".status.phase", "operator": "In", "values": ["Pending"]}],
                  {"statusTemplate": template})


def _pod_ends():
    return _stage("pod-ends", [{"key": ".metadata.deletionTimestamp", "operator": "Exists"}], {"delete": True})
