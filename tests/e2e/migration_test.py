"""A gang on a line that becomes slow: what the extender decides in dry-run, tells and shows, and that it moves nothing."""

import json
import re
import time

import pytest

from extender_stack import Extender
from page_test import chromium, inside
from stand_in_api import ACCOUNT, AUDIENCE, StandInApi, job, node, pod_of, token_of

NODES = {"hk1": "hk", "sg1": "sg", "tyo1": "tyo", "tyo2": "tyo"}
RUNS_SINCE = "2026-01-02T15:04:05Z"
WELL = ("path hk1 sg1 sg 36.2 0.4 0 0 HEALTHY NONE", "path sg1 hk1 hk 36.4 0.4 0 0 HEALTHY NONE",
        "path hk1 tyo1 tyo 50.3 0.7 0 0 HEALTHY NONE", "path tyo1 hk1 hk 50.4 0.7 0 0 HEALTHY NONE",
        "path sg1 tyo1 tyo 68.3 0.7 0 0 HEALTHY NONE", "path tyo1 sg1 sg 68.4 0.7 0 0 HEALTHY NONE")
SLOW = ("path hk1 sg1 sg 90.2 0.4 0 0 DEGRADED RTT_STEP",
        "path sg1 hk1 hk 90.4 0.4 0 0 DEGRADED RTT_STEP") + WELL[2:]


class Stage:
    """An extender that follows a StandInApi with one gang of two over hk-sg, and room for it in tyo."""

    def __init__(self, folder, annotations=None, **migration):
        tokens = folder / "tokens"
        tokens.mkdir()
        for name in NODES:
            (tokens / name).write_text(token_of(name))
        self.api = StandInApi({
            "/api/v1/nodes": [node(name, site) for name, site in NODES.items()],
            "/apis/batch/v1/jobs": [job("train", 2)],
            "/api/v1/pods": [pod_of("train", i, on, RUNS_SINCE, annotations)
                             for i, on in enumerate(("hk1", "sg1"))]})
        self.folder = folder
        self.config = folder / "fairlead.yaml"
        self.migration = {"interval": "1s", "evidence": {"degradedFor": "1s", "staleAfter": "10s"},
                          "breaker": {"lines": "100%"}, **migration}
        self.write()
        self.extender = Extender(folder, config=self.config)

    def write(self, **migration):
        self.migration |= migration
        fresh = self.folder / "new.yaml"
        listen = dict.fromkeys(("httpListen", "grpcListen", "opsListen"), "127.0.0.1:0")
        fresh.write_text(json.dumps({
            "sites": [{"name": "hk", "latitude": 22.3, "longitude": 114.2},
                      {"name": "sg", "latitude": 1.35, "longitude": 103.8},
                      {"name": "tyo", "latitude": 35.7, "longitude": 139.7}],
            "migration": self.migration,
            "extender": {**listen, "kubernetes": {
                "mode": "kubeconfig", "kubeconfig": str(self.api.kubeconfig(self.folder)),
                "tokenAudience": AUDIENCE, "probeServiceAccount": ACCOUNT}}}))
        fresh.replace(self.config)

    def report(self):
        return json.loads(self.extender.get("/migrations.json"))

    def await_reason(self, *reasons):
        deadline = time.monotonic() + 40
        while time.monotonic() < deadline:
            gangs = self.report()["gangs"]
            if gangs and gangs[0]["reason"] in reasons:
                return gangs[0]
            time.sleep(0.2)
        raise AssertionError(f"not {reasons}: {self.report()}")

    def __enter__(self):
        return self

    def __exit__(self, *end):
        self.extender.__exit__(*end)
        self.api.__exit__(*end)


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    with Stage(tmp_path_factory.mktemp("migration"), policy={"for": "10s", "maxRtt": "60ms"}) as running:
        running.extender.feed(*WELL)
        gang = running.await_reason("lines_well")
        assert gang["name"] == "ml/train" and gang["ready"] == gang["size"] == 2
        assert gang["crosses"] == [["hk", "sg"]] and gang["leaves"] == []
        running.extender.feed(*SLOW)
        running.await_reason("dry_run")
        yield running


def test_dry_run_says_where_the_gang_would_go_and_why(stage):
    gang = stage.await_reason("dry_run")
    assert gang["to"]["members"] == [{"site": "tyo", "members": 2}]
    assert gang["step_seconds"] > 2 * gang["to"]["step_seconds"]
    assert gang["by_policy"] and gang["leaves"] == [["hk", "sg"]]
    assert "maxRtt 60 ms" in gang["sentence"] and "the mode is dry-run" in gang["sentence"]
    assert gang["cost_seconds"] == 1200 and gang["cost"]["restart"] == {"seconds": 180, "source": "default"}


def test_what_staying_costs_adds_up(stage):
    before = stage.await_reason("dry_run")
    assert before["paying_ratio"] > 0.5
    deadline = time.monotonic() + 30
    while stage.await_reason("dry_run")["paid_seconds"] < before["paid_seconds"] + 1:
        assert time.monotonic() < deadline, stage.report()
        time.sleep(0.2)


def test_the_jobs_owner_has_an_event_that_a_person_can_act_on(stage):
    event = stage.api.await_event("MigrationAdvised")
    assert event["regarding"] == {"apiVersion": "batch/v1", "kind": "Job", "namespace": "ml", "name": "train",
                                  "uid": "job-train"}
    assert event["note"].startswith("would move to 2 in tyo: line hk-sg breaks a limit")
    assert len([e for e in stage.api.events if e["reason"] == "MigrationAdvised"]) == 1


def test_metrics_have_each_reason(stage):
    text = stage.extender.get("/metrics", stage.extender.ops)
    assert 'fairlead_extender_migration_gangs{reason="dry_run"} 1' in text
    assert 'fairlead_extender_migration_gangs{reason="breaker"} 0' in text
    assert 'fairlead_extender_migration_mode{mode="dry-run"} 1' in text
    assert 'fairlead_extender_migration_moves_open{step="decided"} 0' in text


def test_the_log_has_each_change_once(stage):
    entries = [json.loads(line) for line in (stage.folder / "extender.log").read_text().splitlines()]
    changes = [e["verdict"] for e in entries if "verdict" in e]
    assert changes.count("dry_run") == 1, changes


def test_the_page_shows_the_gangs_meter(stage):
    page = chromium(stage.extender.url("/migrations"), "--window-size=1280,900", "--dump-dom")
    assert ">ml/train<" in page and ">dry run<" in page
    assert re.search(r'role="meter"[^>]*aria-label="ml/train: Staying has cost', page)
    assert "Decided and told; nothing is moved." in page
    assert re.search(r'<div id="trouble" role="alert"></div>', page)


@pytest.mark.parametrize("width", [400, 1280])
def test_the_page_never_scrolls_sideways(stage, width):
    whole, seen = inside(stage.extender, width, """
        return [page.documentElement.scrollWidth, page.documentElement.clientWidth];""", "/migrations")
    assert whole == seen


def test_an_explanation_says_what_is_decided_about_the_gang(stage):
    pod = pod_of("train", 1, "", RUNS_SINCE)
    stage.extender.post("/kube/prioritize", json.dumps({"Pod": pod, "NodeNames": ["sg1", "tyo1"]}))
    assert "moving the gang: dry_run, line hk-sg" in stage.extender.get("/explain?pod=ml/train-1")
    decision = json.loads(stage.extender.get("/explain.json?pod=ml/train-1"))["decisions"][0]
    assert decision["migration"]["reason"] == "dry_run"


def test_nothing_was_changed(stage):
    assert stage.report()["acts"] and stage.report()["moves_open"] == []
    assert stage.api.changes == []


def test_off_takes_effect_at_once(stage):
    stage.write(mode="off")
    assert stage.await_reason("off")["paid_seconds"] == 0
    stage.write(mode="dry-run")
    stage.await_reason("dry_run")


def test_annotations_that_make_no_sense_leave_the_gang_alone(tmp_path):
    annotations = {"fairlead.dev/checkpoint-write": "soon"}
    with Stage(tmp_path, annotations, policy={"for": "10s", "maxRtt": "60ms"}) as stage:
        stage.extender.feed(*SLOW)
        gang = stage.await_reason("not_movable")
        assert 'annotation fairlead.dev/checkpoint-write cannot be read: duration "soon"' in gang["sentence"]
