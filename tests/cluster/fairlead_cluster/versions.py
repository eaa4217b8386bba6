"""Which Kubernetes, read from the module file that pins it."""

import pathlib
import re

from .errors import ClusterError

MODULE = pathlib.Path(__file__).resolve().parent.parent / "kubernetes"
# The scheduler comes first: it compiles most of the packages that the others share.
PROGRAMS = ("kube-scheduler", "kube-apiserver", "kube-controller-manager", "kubelet", "kubectl")


def kubernetes_version(text=None):
    """The version, such as '1.37.2', that go.mod (or its text) requires."""
    text = (MODULE / "go.mod").read_text() if text is None else text
    found = re.search(r"^\s*(?:require )?k8s\.io/kubernetes v(\d+\.\d+\.\d+)\b", text, re.MULTILINE)
    if not found:
        raise ClusterError(f"{MODULE / 'go.mod'} requires no release of k8s.io/kubernetes")
    return found.group(1)


def linker_words(version):
    """What the linker writes into the programs: they then tell their version as a release does."""
    major, minor, _ = version.split(".")
    package = "k8s.io/component-base/version"
    values = {"gitVersion": f"v{version}", "gitMajor": major, "gitMinor": minor}
    return " ".join(["-s", "-w", *(f"-X {package}.{key}={value}" for key, value in values.items())])
