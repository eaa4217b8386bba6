"""JSON schemas for kubeconform, strict, of Kubernetes' own kinds and of the custom ones that the chart may make.

Kubernetes' come from the API description in its module, the others from the definitions in the modules of crds/.
"""

import hashlib
import json
import pathlib

import yaml

from fairlead_cluster import cache, go_modules, versions

_HERE = pathlib.Path(__file__).resolve().parent
_CRDS = _HERE / "crds"
_KUBERNETES = "k8s.io/kubernetes"
_CUSTOM = {"github.com/cert-manager/cert-manager": ("deploy/crds/cert-manager.io_certificates.yaml",
                                                    "deploy/crds/cert-manager.io_issuers.yaml"),
           "github.com/prometheus-operator/prometheus-operator": (
               "example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml",
               "example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml")}
_REF = "#/definitions/"
# What the API server takes though the description says string.
_LOOSE = {"io.k8s.apimachinery.pkg.api.resource.Quantity": {"type": ["string", "number"]},
          "io.k8s.apimachinery.pkg.util.intstr.IntOrString": {"type": ["string", "integer"]}}


def file_name(kind, group, version):
    """As kubeconform's {{.ResourceKind}}{{.KindSuffix}}."""
    return "-".join(part for part in (kind.lower(), group.partition(".")[0], version) if part) + ".json"


def closed(schema):
    """The schema, in which no object has other fields than those listed."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if schema.get("x-kubernetes-int-or-string"):
        return {"type": ["string", "integer"]}
    made = {key: {name: closed(value) for name, value in given.items()} if key == "properties" else closed(given)
            for key, given in schema.items() if key not in ("default", "description", "example")}
    open_ended = schema.get("x-kubernetes-preserve-unknown-fields") or "additionalProperties" in schema
    if "properties" in schema and not open_ended:
        made["additionalProperties"] = False
    return made


def references(schema):
    if isinstance(schema, dict):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"].removeprefix(_REF)
        for value in schema.values():
            yield from references(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from references(item)


def _with_what_it_names(name, definitions):
    needed, left = {}, [name]
    while left:
        one = left.pop()
        if one not in needed:
            needed[one] = definitions[one]
            left.extend(references(definitions[one]))
    return {"$ref": _REF + name, "definitions": needed}


def of_kubernetes(description):
    """{file name: schema} of an API description (OpenAPI 2)."""
    definitions = {name: _LOOSE.get(name) or closed(one) for name, one in description["definitions"].items()}
    found = {}
    for name, one in description["definitions"].items():
        for kind in one.get("x-kubernetes-group-version-kind", []):
            found[file_name(kind["kind"], kind["group"], kind["version"])] = _with_what_it_names(name, definitions)
    return found


def of_definition(crd):
    """{file name: schema} of a CustomResourceDefinition."""
    spec = crd["spec"]
    made = {}
    for version in spec["versions"]:
        schema = closed(version["schema"]["openAPIV3Schema"])
        schema["properties"]["metadata"] = {"type": "object"}
        made[file_name(spec["names"]["kind"], spec["group"], version["name"])] = schema
    return made


def ensure():
    """The folder of schemas, made where it is missing."""
    pinned = [(_CRDS / "go.mod").read_bytes(), pathlib.Path(__file__).read_bytes(),
              versions.kubernetes_version().encode()]
    key = hashlib.sha256(b"\0".join(pinned)).hexdigest()[:16]
    folder = cache.folder("helm", f"schemas-{key}")
    if (folder / "complete").exists():
        return folder
    swagger = go_modules.folder(versions.MODULE, _KUBERNETES) / "api" / "openapi-spec" / "swagger.json"
    found = of_kubernetes(json.loads(swagger.read_text()))
    for module, paths in _CUSTOM.items():
        home = go_modules.folder(_CRDS, module)
        for path in paths:
            found |= of_definition(yaml.safe_load((home / path).read_text()))
    for name, schema in found.items():
        (folder / name).write_text(json.dumps(schema))
    (folder / "complete").touch()
    return folder
