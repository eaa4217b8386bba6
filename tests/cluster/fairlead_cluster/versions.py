"""Which Kubernetes, which containerd and which controllers, read from the module files that pin them."""

import pathlib

from .go_programs import required_version

_HERE = pathlib.Path(__file__).resolve().parent.parent
MODULE = _HERE / "kubernetes"
CONTAINERD_MODULE = _HERE / "containerd"
# The scheduler comes first: it compiles most of the packages that the others share.
PROGRAMS = ("kube-scheduler", "kube-apiserver", "kube-controller-manager", "kubelet", "kubectl")
CONTAINERD = "github.com/containerd/containerd/v2"
JOB_SET_MODULE = _HERE / "jobset"
JOB_SET = "sigs.k8s.io/jobset"
KUEUE_MODULE = _HERE / "kueue"
KUEUE = "sigs.k8s.io/kueue"
TRAINER = "github.com/kubeflow/trainer/v2"
VOLCANO_MODULE = _HERE / "volcano"
VOLCANO = "volcano.sh/apis"
CONTAINERD_PROGRAMS = ("containerd", "containerd-shim-runc-v2")


def kubernetes_version(text=None):
    """The version, such as '1.37.2', that go.mod (or its text) requires."""
    return required_version(MODULE, "k8s.io/kubernetes", text)


def containerd_version(text=None):
    return required_version(CONTAINERD_MODULE, CONTAINERD, text)


def linker_words(version):
    """What the linker writes into Kubernetes' programs: they then tell their version as a release does."""
    major, minor, _ = version.split(".")
    package = "k8s.io/component-base/version"
    values = {"gitVersion": f"v{version}", "gitMajor": major, "gitMinor": minor}
    return " ".join(["-s", "-w", *(f"-X {package}.{key}={value}" for key, value in values.items())])
