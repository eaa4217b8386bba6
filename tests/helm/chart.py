"""The chart as helm renders it."""

import base64
import functools
import pathlib
import shutil
import subprocess
import tempfile

import yaml

import programs

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHART = ROOT / "helm" / "fairlead"
VALUES = pathlib.Path(__file__).resolve().parent / "values"
NAMESPACE = "fairlead"
RELEASE = "fairlead"
# What a cluster has besides Kubernetes' own, where the values want it.
OPERATORS = ("cert-manager.io/v1/Certificate", "monitoring.coreos.com/v1/PodMonitor",
             "monitoring.coreos.com/v1/PrometheusRule", "scheduling.volcano.sh/v1beta1/PodGroup")
SETS = sorted(path.stem for path in VALUES.glob("*.yaml"))


def helm(*words, env=None, timeout_s=120):
    """The finished process, output as text."""
    return subprocess.run([str(programs.ensure() / "helm"), *map(str, words)], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=timeout_s, env=env)


def template(*words, operators=OPERATORS, chart=CHART):
    """`helm template` with these words; the finished process."""
    have = [word for name in operators for word in ("--api-versions", name)]
    return helm("template", RELEASE, chart, "--namespace", NAMESPACE, *have, *words)


def rendered(*words, operators=OPERATORS, chart=CHART):
    """The text that it prints."""
    done = template(*words, operators=operators, chart=chart)
    assert done.returncode == 0, done.stderr
    return done.stdout


@functools.cache
def of_set(name):
    """The text of one of the value sets; rendered once, for keys take their time."""
    return rendered("--values", VALUES / f"{name}.yaml")


def objects(text):
    return [one for one in yaml.safe_load_all(text) if one]


def find(text, kind, name):
    """The object of this kind and name, None where there is none."""
    found = [one for one in objects(text) if one["kind"] == kind and one["metadata"]["name"] == name]
    assert len(found) < 2, f"{len(found)} of {kind} {name}"
    return found[0] if found else None


def config(text):
    """fairlead.yaml in it."""
    return find(text, "ConfigMap", "fairlead")["data"]["fairlead.yaml"]


def secret_files(text, name):
    """{file: bytes} of a Secret."""
    return {key: base64.b64decode(value) for key, value in find(text, "Secret", name)["data"].items()}


def without_secrets(text):
    """The text with secrets' values left out: they differ each time."""
    kept, secret = [], False
    for row in text.splitlines():
        if row.startswith("kind: "):
            secret = row == "kind: Secret"
        inside = secret and row.startswith("  ") and row.strip().partition(":")[0] in ("ca.crt", "tls.crt", "tls.key")
        kept.append(row.partition(":")[0] + ": (of its own)" if inside else row)
    return "\n".join(row.rstrip() for row in kept) + "\n"


@functools.cache
def notes(name):
    """What `helm install` of a value set prints in the end; `helm template` itself leaves that out."""
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copytree(CHART, pathlib.Path(folder) / "fairlead")
        (copy / "templates" / "printed.yaml").write_text(
            'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: printed}\n'
            'data: {notes: {{ include "fairlead.notes" . | toJson }}}\n')
        text = rendered("--values", VALUES / f"{name}.yaml", chart=copy)
    return find(text, "ConfigMap", "printed")["data"]["notes"]
