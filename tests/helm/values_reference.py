#!/usr/bin/env python3
"""helm/fairlead/README.md: its table of values, made from values.yaml and values.schema.json.

    values_reference.py            what in the table is not as in the files; exit 1 where something is
    values_reference.py --write    writes the table anew

The meaning is the value's comment in values.yaml.
"""
import argparse
import json
import pathlib
import re
import sys

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests" / "observability"))

from config_example import meanings  # noqa: E402

CHART = ROOT / "helm" / "fairlead"
PAGE = CHART / "README.md"
_TABLE = re.compile(r"(<!-- values -->\n).*?(<!-- end -->)", re.DOTALL)
# Values of several programs that need no comment in each place.
SAME = {
    "priorityClassName": "of the pods", "resources": "requests and limits of the container",
    "nodeSelector": "of the pods, besides `kubernetes.io/os: linux`", "tolerations": "of the pods",
    "podAnnotations": "besides the chart's own", "podLabels": "besides the chart's own, by which it chooses pods",
}
# Shown as one value, whatever is in it.
WHOLE = {"config", "resources", "tolerations", "nodeSelector", "labels", "issuer"}


def leaves(node, path=""):
    """(path, value) of each value, in the order of the file."""
    for key, value in node.items():
        at = f"{path}.{key}".lstrip(".")
        if isinstance(value, dict) and value and key not in WHOLE:
            yield from leaves(value, at)
        else:
            yield at, value


def kind(schema, path):
    """What a value takes."""
    node = schema
    for word in path.split("."):
        node = node["properties"][word]
        if "$ref" in node:
            node = schema["definitions"][node["$ref"].rsplit("/", 1)[-1]]
    return _kind(node)


def _kind(node):
    if "enum" in node:
        return ", ".join(f"`{word}`" for word in node["enum"])
    if "oneOf" in node:
        return " or ".join(_kind(each) for each in node["oneOf"])
    if node["type"] == "integer" and "maximum" in node:
        return f"{node.get('minimum', 0)} to {node['maximum']}"
    if node["type"] == "integer":
        return f"number from {node['minimum']} on" if "minimum" in node else "number"
    return {"boolean": "`true`, `false`", "array": "list", "object": "map", "string": "text"}[node["type"]]


def table(values, schema, said):
    rows = ["| value | takes | default | meaning |", "|---|---|---|---|"]
    for path, value in leaves(values):
        meaning = said.get(path) or SAME.get(path.split(".")[-1], "?")
        default = json.dumps(value) if not isinstance(value, str) or not value else value
        rows.append(f"| `{path}` | {kind(schema, path)} | `{default}` | {_words(meaning)} |")
    return "\n".join(rows) + "\n"


def _words(text):
    """For a cell; lists of words with what they mean stand as `word   meaning` in comments."""
    text = re.sub(r"(?:^| *(?<=[ :]))([a-z]\w*) {2,}", r"; `\1`: ", text)
    return re.sub(r"(^|:); ", lambda match: f"{match[1]} ", text).replace("|", r"\|").strip()


def renewed(text, rows):
    return _TABLE.sub(lambda match: match[1] + rows + match[2], text)


def sources():
    text = (CHART / "values.yaml").read_text()
    said = meanings(text)
    said["config"] = said.get("config") or "fairlead.yaml, laid over what the chart sets itself ([keys](../../docs/config.md))"
    return yaml.safe_load(text), json.loads((CHART / "values.schema.json").read_text()), said


def faults(text, values, schema, said):
    """What is wrong with the page and values.yaml, a sentence each."""
    rows = table(values, schema, said)
    found = [f"{row.split('`')[1]} has no comment in values.yaml" for row in rows.splitlines() if row.endswith("| ? |")]
    if not found and renewed(text, rows) != text:
        found.append("the table of helm/fairlead/README.md is not as in values.yaml and its schema")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    read = sources()
    if parser.parse_args().write:
        PAGE.write_text(renewed(PAGE.read_text(), table(*read)))
    found = faults(PAGE.read_text(), *read)
    for fault in found:
        print(f"values_reference: {fault}; `tests/helm/values_reference.py --write` renews the table", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
