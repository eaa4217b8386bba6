"""helm/fairlead/README.md has every value as values.yaml and its schema have it."""

import copy

import pytest

from values_reference import PAGE, faults, kind, leaves, sources, table

VALUES, SCHEMA, SAID = sources()


def test_the_table_has_every_value():
    assert faults(PAGE.read_text(), VALUES, SCHEMA, SAID) == []


@pytest.mark.parametrize("path, takes", [
    ("extender.replicas", "1 to 8"), ("extender.antiAffinity", "`soft`, `hard`, `none`"), ("image.pullSecrets", "list"),
    ("linkprobe.maxUnavailable", "number from 1 on or text"), ("rbac.events", "`true`, `false`"), ("config", "map")])
def test_what_a_value_takes_is_of_the_schema(path, takes):
    assert kind(SCHEMA, path) == takes


def test_a_value_without_a_comment_and_a_changed_default_are_found():
    assert faults(PAGE.read_text(), VALUES, SCHEMA, {**SAID, "extender.replicas": ""}) == [
        "extender.replicas has no comment in values.yaml"]
    changed = copy.deepcopy(VALUES)
    changed["extender"]["replicas"] = 3
    assert faults(PAGE.read_text(), changed, SCHEMA, SAID) == [
        "the table of helm/fairlead/README.md is not as in values.yaml and its schema"]


def test_what_is_one_value_is_not_taken_apart():
    paths = [path for path, _ in leaves(VALUES)]
    assert "extender.resources" in paths and "config" in paths and "tls.secret.extender" in paths
    assert len(set(paths)) == len(paths)


def test_lists_of_words_are_told_apart():
    row = next(row for row in table(VALUES, SCHEMA, SAID).splitlines() if row.startswith("| `tls.mode`"))
    assert "`certManager`: by cert-manager; `secret`: secrets that you make" in row
