"""docs/security.md has the reason of each path of the host, of each user and of each right that the chart gives."""

import re

import pytest

import chart

PAGE = (chart.ROOT / "docs" / "security.md").read_text()
SETS = ("pools", "sites", "enforce")


def section(title):
    return PAGE.split(f"## {title}")[1].split("\n## ")[0]


def pods(text):
    """(name, spec) of each pod that a workload makes."""
    for one in chart.objects(text):
        if one["kind"] in ("Deployment", "DaemonSet"):
            yield one["metadata"]["name"], one["spec"]["template"]["spec"]


def untold_paths(text):
    """Paths of the host that pods mount and the page does not name, by themselves, their last part or their key."""
    told = section("What may be written, and why")
    keys = {"cdi": "cdiDirectory", "nccl": "ncclConfDirectory", "nfd": "nfdFeatureFile"}
    found = set()
    for name, spec in pods(text):
        for volume in spec.get("volumes", ()):
            path = volume.get("hostPath", {}).get("path")
            if path and not any(f"`{word}`" in told for word in (path, path.rsplit("/", 1)[-1], keys.get(volume["name"], path))):
                found.add((name, path))
    return found


def untold_rights(rules, told):
    """(resource, verb) of rules that the text does not name in one row."""
    rows = told.splitlines()
    return {(resource, verb) for rule in rules for resource in rule["resources"] for verb in rule["verbs"]
            if not any(re.search(rf"\b{re.escape(resource)}\b", row) and f"`{verb}`" in row for row in rows)}


@pytest.mark.parametrize("name", SETS)
def test_each_path_of_the_host_has_its_reason(name):
    assert untold_paths(chart.of_set(name)) == set()


@pytest.mark.parametrize("name", SETS)
def test_each_pod_is_in_the_table_and_none_is_privileged(name):
    told = section("What may be written, and why")
    for pod, spec in pods(chart.of_set(name)):
        assert pod.removeprefix("fairlead-") in told or pod == "fairlead-scheduler" and "kube-scheduler" in told
        for container in spec["containers"]:
            security = container["securityContext"]
            assert security["readOnlyRootFilesystem"] and not security["privileged"], pod
            assert security["capabilities"] == {"drop": ["ALL"]}, pod


def test_each_right_has_its_reason():
    told = section("Rights at the API server")
    for kind in ("ClusterRole", "Role"):
        role = chart.find(chart.of_set("sites"), kind, "fairlead-extender")
        assert role["rules"] and untold_rights(role["rules"], told) == set()


def test_a_path_and_a_right_without_a_reason_are_found():
    text = chart.of_set("sites").replace("path: /run/fairlead", "path: /etc/shadow")
    assert {path for _, path in untold_paths(text)} == {"/etc/shadow"}
    assert untold_rights([{"resources": ["secrets"], "verbs": ["get"]}], section("Rights at the API server")) == {("secrets", "get")}
