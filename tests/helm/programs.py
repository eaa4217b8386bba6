"""helm and kubeconform, built once from the Go modules that programs/go.mod pins."""

import pathlib

from fairlead_cluster.go_programs import GoPrograms, required_version

_MODULE = pathlib.Path(__file__).resolve().parent / "programs"
_HELM = "helm.sh/helm/v4"
_KUBECONFORM = "github.com/yannh/kubeconform"


def _programs():
    # One cache folder for each pair of versions: GoPrograms builds what is missing in it and nothing else.
    helm, kubeconform = (required_version(_MODULE, package) for package in (_HELM, _KUBECONFORM))
    words = f"-s -w -X {_HELM}/internal/version.version=v{helm} -X main.version=v{kubeconform}"
    return GoPrograms("helm", _MODULE, f"{helm}-{kubeconform}",
                      {"helm": f"{_HELM}/cmd/helm", "kubeconform": f"{_KUBECONFORM}/cmd/kubeconform"}, words,
                      minutes=4)


def ensure():
    """The folder of the two programs; builds what is missing."""
    return _programs().ensure()


if __name__ == "__main__":
    ensure()
