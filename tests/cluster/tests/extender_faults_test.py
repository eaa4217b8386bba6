"""Gangs while something ends in the middle of one: the extender, the API server. As extender_gangs_test, but the
scheduler waits for the extender (`ignorable: false`): else a pod would go anywhere while there is none."""

import json
import time
import urllib.error

import pytest

from extender_stand import FAIRLEAD, Extender, allow, gang, probe_tokens
from fairlead_cluster import wait_for
from fairlead_cluster.fake_cluster import SITES, FakeCluster, nodes_of

SCARCE = 40
STALE_S = 8


@pytest.fixture(scope="module")
def tokens(tmp_path_factory):
    return tmp_path_factory.mktemp("tokens")


@pytest.fixture(scope="module")
def fleet(tokens):
    # Pods come slowly enough for something to happen amidst a gang.
    with FakeCluster(nodes_of(SITES, SCARCE, SCARCE), controllers_qps=10) as running:
        allow(running)
        probe_tokens(running, tokens, SITES)
        yield running


def make_pod(fleet, name):
    fleet.api.create(f"{FAIRLEAD}/pods", {
        "metadata": {"name": name},
        "spec": {"serviceAccountName": "fairlead-extender", "nodeName": "hk-001",
                 "containers": [{"name": "main", "image": "none"}]}})


@pytest.fixture(scope="module")
def extender(fleet, tokens, tmp_path_factory):
    make_pod(fleet, "extender-0")
    with Extender(fleet, tmp_path_factory.mktemp("extender"), tokens, pod="extender-0") as running:
        running.feed()
        fleet.start_scheduler(running.scheduler_config(ignorable="false"))
        yield running


def test_the_rights_of_the_role_do_for_an_election(fleet, extender):
    wait_for("the leader's label", lambda: fleet.api.get(f"{FAIRLEAD}/pods/extender-0")["metadata"].get(
        "labels", {}).get("fairlead.dev/leader") == "true", 60)
    assert "RBAC" not in extender.ready()[1]


def test_a_replica_that_does_not_lead_names_the_one_that_does(fleet, extender, tokens, tmp_path):
    make_pod(fleet, "extender-1")
    with Extender(fleet, tmp_path, tokens, name="second", pod="extender-1") as second, \
            gang(fleet, "asked", 2, pool="scarce") as asked:
        second.wait_ready()
        asked.wait_bound()
        question = args(fleet, asked)
        assert len(extender.post("/kube/prioritize", question)) == len(question["NodeNames"])
        with pytest.raises(urllib.error.HTTPError) as refused:
            second.post("/kube/prioritize", question)
        assert refused.value.code == 503
        assert 'this replica does not lead, "extender-0" leads' in json.load(refused.value)["error"]
        assert "fairlead_extender_follower_refusals_total 1" in second.get("/metrics", second.ops)


@pytest.mark.long
def test_a_gang_ends_as_one_plan_when_the_extender_is_killed_amidst(fleet, extender):
    with gang(fleet, "torn", 64, pool="scarce") as torn:
        torn.wait_bound(10)
        extender.kill()
        seen = torn.sites()
        extender.start()
        extender.restart_feeder()
        assert sum(seen.values()) < 64, f"too late to be amidst: {seen}"
        sites = torn.wait_bound(timeout_s=120)
        # The restarted one knows no plan but that members are bound.
        assert sites == {"hk": 40, "sg": 24}, (seen, sites, torn.events("GangPlanned"))


def args(fleet, one):
    """What kube-scheduler asks about a pod of the gang."""
    names = [node["metadata"]["name"] for node in fleet.api.get("/api/v1/nodes")["items"]]
    return {"Pod": one.pods()[0], "Nodes": None, "NodeNames": names}


def scores_by_site(extender, question):
    return {entry["Host"].partition("-")[0]: entry["Score"] for entry in extender.post("/kube/prioritize", question)}


def test_without_the_api_server_answers_turn_neutral_and_come_back(fleet, tokens, tmp_path):
    with Extender(fleet, tmp_path, tokens, name="patient", stale=f"{STALE_S}s") as patient, \
            gang(fleet, "kept", 8, pool="scarce") as kept:
        patient.feed()
        kept.wait_bound()
        question = args(fleet, kept)
        site, = kept.sites()
        wait_for("an opinion", lambda: scores_by_site(patient, question)[site] == 10, 30,
                 hint=lambda: patient.get(f"/explain?pod=default/{question['Pod']['metadata']['name']}"))
        # A cluster in which nothing happens is no cluster that is away, though its server then says nothing.
        quiet_until = time.monotonic() + 1.5 * STALE_S
        while time.monotonic() < quiet_until:
            assert scores_by_site(patient, question)[site] == 10, patient.get("/metrics", patient.ops)
            time.sleep(0.5)
        fleet.kill("kube-apiserver")
        try:
            wait_for("/readyz to tell", lambda: "nodes" in patient.ready()[1] and patient.ready()[1].strip() != "ok", 30,
                     hint=lambda: str(patient.ready()))
            wait_for("neutral scores", lambda: set(scores_by_site(patient, question).values()) == {5}, 60)
            assert "the API server was last heard of" in patient.get(
                f"/explain?pod=default/{question['Pod']['metadata']['name']}")
        finally:
            fleet.start("kube-apiserver")
            fleet.wait_ready()
        patient.wait_ready("ok", timeout_s=90)
        wait_for("the opinion again", lambda: scores_by_site(patient, question)[site] == 10, 30)
