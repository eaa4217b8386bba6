"""The programs of Kubernetes, and the containerd of its nodes, which is newer than Debian's: that knows no CDI."""

import os
import subprocess

from .errors import ClusterError
from .go_programs import GoPrograms
from .versions import (CONTAINERD, CONTAINERD_MODULE, CONTAINERD_PROGRAMS, MODULE, PROGRAMS, containerd_version,
                       kubernetes_version, linker_words)
from .progress import say


def _kubernetes():
    version = kubernetes_version()
    return GoPrograms("Kubernetes", MODULE, version, {name: f"k8s.io/kubernetes/cmd/{name}" for name in PROGRAMS},
                      linker_words(version), minutes=15)


def _containerd():
    version = containerd_version()
    words = f"-s -w -X {CONTAINERD}/version.Version={version}"
    return GoPrograms("containerd", CONTAINERD_MODULE, version,
                      {name: f"{CONTAINERD}/cmd/{name}" for name in CONTAINERD_PROGRAMS}, words, minutes=4)


def program(name):
    """The path of a program of either, once ensure() has been called."""
    return (_containerd() if name in CONTAINERD_PROGRAMS else _kubernetes()).program(name)


def ensure(progress=say):
    """Builds what is missing, some 20 minutes on two cores where nothing is there; the folders of programs."""
    return [programs.ensure(progress) for programs in (_kubernetes(), _containerd())]


def kubectl(kubeconfig, *words, check=True, stdin=None, timeout_s=120):
    """Runs kubectl as whom the kubeconfig says; the finished process, output as text."""
    argv = [str(program("kubectl")), *map(str, words)]
    done = subprocess.run(argv, capture_output=True, text=True, input=stdin, timeout=timeout_s,
                          env={**os.environ, "KUBECONFIG": str(kubeconfig)})
    if check and done.returncode != 0:
        raise ClusterError(f"kubectl {' '.join(map(str, words))} ended with {done.returncode}: {done.stderr.strip()}")
    return done
