"""Custom resource definitions of JobSet, Kueue and Volcano, as their modules have them: Volcano's has only the types."""

import os
import subprocess
import tempfile

import yaml

from . import cache, go_modules, toolchain
from .go_programs import GoPrograms, required_version
from .progress import wait_for
from .versions import JOB_SET, JOB_SET_MODULE, KUEUE, KUEUE_MODULE, VOLCANO, VOLCANO_MODULE

_GENERATOR = "sigs.k8s.io/controller-tools"
_DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"


def of_job_set():
    return _read(go_modules.folder(JOB_SET_MODULE, JOB_SET) / "config" / "components" / "crd" / "bases")


def of_kueue():
    return _read(go_modules.folder(KUEUE_MODULE, KUEUE) / "config" / "components" / "crd" / "bases")


def of_volcano():
    """Jobs; generated from the Go types, as Volcano's own are, once."""
    folder = cache.folder("volcano", required_version(VOLCANO_MODULE, VOLCANO))
    if not (folder / "batch").exists():
        programs = GoPrograms("controller-gen", VOLCANO_MODULE, required_version(VOLCANO_MODULE, _GENERATOR),
                              {"controller-gen": f"{_GENERATOR}/cmd/controller-gen"}, "-s -w", minutes=1)
        with tempfile.TemporaryDirectory(dir=folder) as fresh:
            _generate(programs.ensure() / "controller-gen", f"{VOLCANO}/pkg/apis/batch/v1alpha1", f"{fresh}/batch")
            try:
                os.rename(f"{fresh}/batch", folder / "batch")
            except OSError:  # Another run was quicker.
                pass
    return [one for one in _read(folder / "batch") if one["spec"]["names"]["plural"] == "jobs"]


def _generate(program, package, target):
    path = f"{os.path.dirname(toolchain.find(cache.folder()))}:{os.environ.get('PATH', '')}"
    subprocess.run([program, "crd:generateEmbeddedObjectMeta=true", f"paths={package}", f"output:crd:dir={target}"],
                   cwd=VOLCANO_MODULE, check=True, env={**os.environ, "PATH": path, "GOTOOLCHAIN": "local", "GOWORK": "off"})


def _read(folder):
    return [yaml.load(path.read_text(), yaml.CSafeLoader) for path in sorted(folder.glob("*.yaml"))]


def define(api, definitions):
    """Makes them and returns once their kinds are served."""
    for one in definitions:
        api.create(_DEFINITIONS, one)
    wait_served(api, definitions)


def wait_served(api, definitions):
    for one in definitions:
        spec = one["spec"]
        for version in spec["versions"]:
            path = f"/apis/{spec['group']}/{version['name']}/{spec['names']['plural']}"
            wait_for(f"{path} to be served", lambda path=path: api.get_or_none(path), 60)
