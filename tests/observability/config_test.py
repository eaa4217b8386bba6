"""docs/config.md has every key as common/config reads it and deploy/fairlead.yaml explains it."""

import config_example
import pytest
from config_reference import PAGE, faults, renewed, rows
from config_sources import Unknown, arguments, keys, restart_keys

SOURCES = keys(), config_example.meanings(), restart_keys()


def test_the_reference_has_every_key():
    assert faults(PAGE.read_text(), *SOURCES) == []


@pytest.mark.parametrize("path, kind, default", [
    ("detector.window", "duration, 10ms to 24h", "`1s`"),
    ("detector.bandRatio", "share", "`3%`"),
    ("linkprobe.paths", "1 to 8", "`1`"),
    ("linkprobe.sessionListen", "ADDRESS:PORT", "`0.0.0.0:7471`"),
    ("linkprobe.pluginSocket", 'absolute path or `""`', "`/run/fairlead/deviceplugin.sock`"),
    ("extender.kubernetes.mode", "`standalone`, `inCluster`, `kubeconfig`", "`standalone`"),
    ("extender.bandwidth.bytesPerDay", "bytes", "`20GB`"),
    ("migration.mode", "`off`, `dry-run`, `enforce`", "`dry-run`"),
    ("migration.limits.cluster.perWindow", "1 to 1000", "`6`"),
    ("migration.limits.site.perWindow", "1 to 1000", "`4`"),
    ("migration.policy.maxRtt", "duration, 1us to 1m", ""),
    ("deviceplugin.pools[].dscp", "0 to 63", ""),
    ("deviceplugin.pools[].select.functions", "`pf`, `vf`, `sf`, `none`", ""),
])
def test_types_ranges_and_defaults_are_read(path, kind, default):
    key = SOURCES[0][path]
    assert (key.kind, key.default) == (kind, default)


def test_what_must_be_there_is_told():
    required = {path for path, key in SOURCES[0].items() if key.required}
    assert {"sites[].name", "lines[].between", "nodes[].hcas", "deviceplugin.pools[].resource"} <= required
    assert "sites[].latitude" not in required


def test_a_key_that_only_one_side_has_is_found():
    known, said, restart = SOURCES
    without = {path: text for path, text in said.items() if path != "detector.dwell"}
    assert faults(PAGE.read_text(), known, without, restart) == [
        "detector.dwell is read by common/config, and deploy/fairlead.yaml does not show it"]
    assert faults(PAGE.read_text(), known, {**said, "detector.dwel": "?"}, restart) == [
        "detector.dwel is in deploy/fairlead.yaml, and common/config does not read it"]


def test_a_key_without_a_comment_and_a_changed_default_are_found():
    known, said, restart = SOURCES
    assert faults(PAGE.read_text(), known, {**said, "detector.dwell": ""}, restart)[0] == \
        "dwell has no comment in deploy/fairlead.yaml"
    changed = {**known, "detector.dwell": known["linkprobe.paths"]}
    assert faults(PAGE.read_text(), changed, said, restart) == ["the tables of docs/config.md are not as in the sources"]


def test_restarts_are_told_of_what_is_below_a_key():
    tables = rows(*SOURCES)
    change = {row.split("`")[1]: row.split(" | ")[-2:] for row in tables["extender"]}
    assert "restart" in change["kubernetes.stale"][0] and "restart" in change["httpListen"][0]
    assert "restart" not in " ".join(change["gangTtl"])
    assert renewed("<!-- keys: tls -->\n<!-- end -->", tables).count("| restart |") == 4


def test_comments_go_with_their_keys():
    text = """
detector:   # no key's
  window: 1s         # the first
                     # goes on
  # What stands before.
  other: 2s
  # gone: 3s         # shown as a comment
  many:
    - {one: 1, two: [a]}  # of an item
    # - deep: x      # of another
    #   deeper: y
"""
    said = config_example.meanings(text)
    assert said["detector.window"] == "the first goes on" and said["detector.other"] == "What stands before."
    assert said["detector.gone"] == "shown as a comment" and said["detector.many[].deep"] == "of another"
    assert {"detector.many[].one", "detector.many[].two", "detector.many[].deeper"} <= set(said)


def test_a_call_is_taken_apart():
    assert arguments('f(a, g(b, c), {"x,)", 1},\n  d)', 1) == ["a", "g(b, c)", '{"x,)", 1}', "d"]
    with pytest.raises(Unknown):
        arguments("f(a, b", 1)
