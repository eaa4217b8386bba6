"""Link objects on a real API server: what `kubectl get links` shows, through changes of leaders, silence, and a
definition that comes late."""

import json

import pytest

from conftest import ROOT
from extender_stand import FAIRLEAD, RTT_MS, Extender, allow, probe_tokens
from fairlead_cluster import wait_for
from fairlead_cluster.fake_cluster import SITES, FakeCluster, nodes_of

LINKS = "/apis/fairlead.dev/v1alpha1/links"
CRD = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/links.fairlead.dev"
NAMES = sorted(f"{a}-{b}" for a, b in RTT_MS)


@pytest.fixture(scope="module")
def tokens(tmp_path_factory):
    return tmp_path_factory.mktemp("tokens")


@pytest.fixture(scope="module")
def fleet(tokens):
    with FakeCluster(nodes_of(SITES, 1)) as running:
        allow(running)
        probe_tokens(running, tokens, SITES)
        for pod in ("extender-0", "extender-1"):
            running.api.create(f"{FAIRLEAD}/pods", {
                "metadata": {"name": pod},
                "spec": {"serviceAccountName": "fairlead-extender", "nodeName": "hk-000",
                         "containers": [{"name": "main", "image": "none"}]}})
        yield running


@pytest.fixture
def defined(fleet):
    """The kind is there, without any Link."""
    undefine(fleet)
    define(fleet)
    yield
    undefine(fleet)


def define(fleet):
    fleet.kubectl("apply", "-f", ROOT / "deploy" / "link-crd.yaml")
    wait_for("the kind", lambda: fleet.api.get_or_none(LINKS) is not None, 60, poll_s=0.1)


def undefine(fleet):
    if fleet.api.get_or_none(CRD):
        fleet.api.delete(CRD)
    wait_for("its end", lambda: fleet.api.get_or_none(CRD) is None, 60, poll_s=0.1)


@pytest.fixture
def extender(fleet, tokens, tmp_path):
    with Extender(fleet, tmp_path, tokens) as running:
        running.feed()
        yield running


def links(fleet):
    """{name: status}."""
    listed = fleet.api.get_or_none(LINKS)
    return {one["metadata"]["name"]: one.get("status", {}) for one in listed["items"]} if listed else {}


def wait_links(fleet, what, right, timeout_s=60, hint=None):
    """Until right({name: status}); those."""
    seen = {}

    def look():
        seen.clear()
        seen.update(links(fleet))
        return right(seen)

    wait_for(what, look, timeout_s, poll_s=0.2, hint=hint or (lambda: str(seen)[:1500]))
    return seen


def all_healthy(seen):
    return sorted(seen) == NAMES and all(one.get("state") == "Healthy" for one in seen.values())


def columns(text):
    """kubectl's table as {name: {column: text}}."""
    head, *rows = text.splitlines()
    names = head.split()
    begins = [head.index(f"{name} ") if f"{name} " in head else head.index(name) for name in names]
    found = {}
    for row in rows:
        cells = [row[begin:end].strip() for begin, end in zip(begins, [*begins[1:], None])]
        found[cells[0]] = dict(zip(names[1:], cells[1:]))
    return found


def set_rules(fleet, rules):
    fleet.kubectl("patch", "clusterrole", "fairlead-extender", "--type=merge", "-p", json.dumps({"rules": rules}))


def condition(status, kind):
    return next(one for one in status["conditions"] if one["type"] == kind)


def test_kubectl_shows_every_line(fleet, defined, extender):
    wait_links(fleet, "all Links", all_healthy, hint=extender.log)
    extender.feed(degraded=("hk_sg",), hk_sg=72.0)
    wait_links(fleet, "the degraded one",
               lambda seen: seen["hk-sg"]["state"] == "Degraded" and seen["hk-sg"]["rtt"] == "72 ms")
    text = fleet.kubectl("get", "links", "-o", "wide")
    print(text)
    table = columns(text)
    assert sorted(table) == NAMES
    assert list(table["hk-sg"]) == ["STATE", "RTT", "LOSS", "BANDWIDTH", "SINCE", "REPORTED", "FRESH", "JITTER", "REASON",
                                    "FORWARD", "REVERSE"]
    row = table["hk-sg"]
    assert (row["STATE"], row["RTT"], row["REASON"], row["FRESH"]) == ("Degraded", "72 ms", "rtt_step", "True"), text
    assert row["BANDWIDTH"] == "100 Gbps (declared)" and row["FORWARD"].startswith("Degraded 72 ms"), text
    assert table["tyo-us"]["STATE"] == "Healthy" and table["tyo-us"]["RTT"] == "100 ms", text
    short = columns(fleet.kubectl("get", "lnk"))
    assert list(short["hk-sg"]) == ["STATE", "RTT", "LOSS", "BANDWIDTH", "SINCE", "REPORTED"]
    status = links(fleet)["hk-sg"]
    assert status["forward"]["rttMicroseconds"] == pytest.approx(72000, rel=0.02)
    assert condition(status, "Healthy")["status"] == "False" and condition(status, "Fresh")["status"] == "True"
    assert "fairlead_extender_link_objects 6" in extender.get("/metrics", extender.ops)
    # What the extender writes is all of it that anybody owns.
    managers = {entry["manager"] for one in fleet.api.get(LINKS)["items"] for entry in one["metadata"]["managedFields"]}
    assert managers == {"fairlead-extender"}


def test_stale_ones_say_so(fleet, defined, tokens, tmp_path):
    with Extender(fleet, tmp_path, tokens) as extender:
        extender.feed()
        before = wait_links(fleet, "all Links", all_healthy)
        extender.silence()
        seen = wait_links(fleet, "what nobody reports",
                          lambda seen: all(condition(one, "Fresh")["status"] == "False" for one in seen.values()), 120)
    for name in NAMES:
        status = seen[name]
        assert status["state"] == "Unknown" and status["reason"] == "no_data", status
        assert "rtt" not in status and "loss" not in status, "an old value is none"
        assert "no probe reports" in condition(status, "Fresh")["message"]
        assert status["reported"] >= before[name]["reported"]
    table = columns(fleet.kubectl("get", "links", "-o", "wide"))
    assert {row["STATE"] for row in table.values()} == {"Unknown"} and {row["FRESH"] for row in table.values()} == {"False"}


def test_a_definition_that_comes_late(fleet, tokens, tmp_path):
    undefine(fleet)
    with Extender(fleet, tmp_path, tokens) as extender:
        extender.feed()
        wait_for("a look at it", lambda: 'link_status_writes_total{result="not_found"}' in
                 extender.get("/metrics", extender.ops), 60, poll_s=0.1)
        assert "fairlead_extender_link_definition 0" in extender.get("/metrics", extender.ops)
        assert extender.ready()[0] == 200 and "links" not in extender.ready()[1], "it is no fault"
        define(fleet)
        wait_links(fleet, "all Links", all_healthy, 120)
        assert "fairlead_extender_link_definition 1" in extender.get("/metrics", extender.ops)
        assert extender.log().count("no links are written, for the api server has no links.fairlead.dev") == 1
    undefine(fleet)


def test_one_replica_writes_and_the_next_one_goes_on(fleet, defined, tokens, tmp_path):
    with Extender(fleet, tmp_path, tokens, name="first", pod="extender-0") as first:
        first.feed()
        before = wait_links(fleet, "all Links", all_healthy, hint=first.log)
        with Extender(fleet, tmp_path, tokens, name="second", pod="extender-1") as second:
            second.feed()
            assert 'link_status_writes_total{result="written"} 0' in second.get("/metrics", second.ops)
            first.kill()
            wait_for("the new leader", lambda: "fairlead_extender_leading 1" in second.get("/metrics", second.ops), 60)
            second.feed(degraded=("sg_us",))
            after = wait_links(fleet, "what it writes", lambda seen: seen["sg-us"]["state"] == "Degraded")
            assert sorted(after) == NAMES
            assert after["hk-tyo"]["since"] == before["hk-tyo"]["since"]


def test_a_missing_right_is_named(fleet, defined, tokens, tmp_path):
    roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles/fairlead-extender"
    role = fleet.api.get(roles)
    rules = [rule for rule in role["rules"] if rule.get("apiGroups") != ["fairlead.dev"]]
    set_rules(fleet, rules)
    try:
        with Extender(fleet, tmp_path, tokens) as extender:
            extender.feed()
            wait_for("the right", lambda: "RBAC lacks list on links.fairlead.dev" in extender.ready()[1], 60, poll_s=0.1)
            assert extender.ready()[0] == 200
            set_rules(fleet, role["rules"])
            wait_links(fleet, "all Links", all_healthy, 120)
    finally:
        set_rules(fleet, role["rules"])
