"""Gangs that are moved: a Job that is suspended and resumed through a stand-in API server, whoever leads meanwhile."""

import json
import time

from extender_stack import Extender
from migration_test import SLOW, WELL, Stage
from page_test import chromium, inside
from stand_in_api import JOBS, PODS

POLICY = {"for": "10s", "maxRtt": "60ms"}
ALL_NODES = ["hk1", "sg1", "tyo1", "tyo2"]


class Moving(Stage):
    """A Stage in mode enforce, with a controller of Jobs and a scheduler that asks the extender."""

    def __init__(self, folder, annotations=None, **migration):
        super().__init__(folder, annotations, mode="enforce", policy=POLICY, **migration)

    def record(self):
        return self.api.find(JOBS, "train")["metadata"].get("annotations", {}).get("fairlead.dev/moves", "")

    def step(self):
        return dict(line.split(": ", 1) for line in self.record().splitlines()).get("step")

    def suspended(self):
        return self.api.find(JOBS, "train")["spec"].get("suspend", False)

    def await_step(self, *steps):
        self.api.await_change(lambda: self.step() in steps)

    def await_waiting(self):
        """The move that is open, once it waits for something."""
        deadline = time.monotonic() + 30
        while not (moves := self.report()["moves_open"]) or moves[0]["waits_for"] is None:
            assert time.monotonic() < deadline, moves
            time.sleep(0.1)
        return moves[0]

    def suspends(self):
        return [body["spec"]["suspend"] for _, _, body in self.api.changes if "suspend" in body.get("spec", {})]

    def place(self, pod):
        """Where a scheduler that has all nodes puts the pod: filter, then the best score; None: nowhere."""
        ask = {"Pod": pod, "NodeNames": ALL_NODES}
        fitting = self.extender.post("/kube/filter", json.dumps(ask))["NodeNames"]
        free = [n for n in fitting if all(p["spec"].get("nodeName") != n for p in self.api.pods_of("train"))]
        if not free:
            return None
        scores = self.extender.post("/kube/prioritize", json.dumps({**ask, "NodeNames": free}))
        return max(scores, key=lambda s: s["Score"])["Host"]

    def run_the_cluster(self):
        """Job controller, scheduler and kubelet until the move is over; the nodes that the new pods got."""
        deadline = time.monotonic() + 60
        while self.step() != "closed":
            assert time.monotonic() < deadline, (self.record(), self.report()["moves_open"])
            self.api.control("train")
            for pod in self.api.pods_of("train"):
                if "nodeName" not in pod["spec"] and (node := self.place(pod)):
                    self.api.bind(pod, node)
            time.sleep(0.05)
        return sorted(pod["spec"]["nodeName"] for pod in self.api.pods_of("train"))

    def reasons(self):
        return [e["reason"] for e in self.api.events if e["reason"].startswith("Migration")]


def test_enforce_moves_the_whole_gang_once(tmp_path):
    with Moving(tmp_path) as stage:
        stage.extender.feed(*WELL)
        stage.await_reason("lines_well")
        stage.extender.feed(*SLOW)
        stage.api.await_change(lambda: stage.api.changes)
        assert stage.run_the_cluster() == ["tyo1", "tyo2"]
        assert "outcome: done" in stage.record() and "move: 1" in stage.record()
        assert stage.suspends() == [True, False] and len(stage.api.changes) == 4
        done = stage.api.await_event("MigrationDone")
        assert done["regarding"]["kind"] == "Job" and done["note"] == "move 1: all members run: 2 in tyo"
        # The end is told by who records it, all else in its own time.
        stage.api.await_event("MigrationRestarted")
        assert sorted(stage.reasons()) == ["MigrationDone", "MigrationRestarted", "MigrationStarted", "MigrationStopping"]
        gang = stage.await_reason("lines_well")
        assert gang["members"] == [{"site": "tyo", "members": 2}]
        ended = stage.report()["moves_ended"]
        assert [(m["name"], m["outcome"], m["number"]) for m in ended] == [("ml/train", "done", 1)]
        text = stage.extender.get("/metrics", stage.extender.ops)
        assert 'fairlead_extender_migration_moves_total{lever="suspend",outcome="done"} 1' in text
        assert 'fairlead_extender_migration_calls_total{kind="set_suspend",result="done"} 2' in text
        page = chromium(stage.extender.url("/migrations"), "--dump-dom")
        assert "move 1 of ml/train" in page and "all members run: 2 in tyo" in page
        whole, seen = inside(stage.extender, 400, """
            return [page.documentElement.scrollWidth, page.documentElement.clientWidth];""", "/migrations")
        assert whole == seen, "it never scrolls sideways"
        entries = [json.loads(line) for line in (stage.folder / "extender.log").read_text().splitlines()]
        told = [e.get("news") or e["verdict"] for e in entries if "news" in e or e.get("verdict") == "move"]
        assert told == ["move", "intended", "stop", "follow", "done"]


def test_a_mode_that_is_edited_before_the_stop_cancels_the_move(tmp_path):
    with Moving(tmp_path, {"fairlead.dev/checkpoint-on-request": "true"}) as stage:
        stage.extender.feed(*SLOW)
        stage.await_step("checkpoint")
        stage.api.await_change(lambda: all(
            p["metadata"]["annotations"].get("fairlead.dev/checkpoint-request") == "1"
            for p in stage.api.pods_of("train")))
        move = stage.await_waiting()
        assert move["step"] == "checkpoint" and move["waits_for"].startswith("a checkpoint, for another")
        stage.write(mode="dry-run")
        stage.await_step("closed")
        assert "outcome: cancelled" in stage.record() and "its mode is dry-run now" in stage.record()
        assert stage.suspends() == []
        stage.api.await_event("MigrationCancelled")


def test_a_line_that_heals_before_the_stop_cancels_the_move(tmp_path):
    with Moving(tmp_path, {"fairlead.dev/checkpoint-on-request": "true"}) as stage:
        stage.extender.feed(*SLOW)
        stage.await_step("checkpoint")
        stage.extender.feed(*WELL)
        stage.await_step("closed")
        assert "outcome: cancelled" in stage.record() and stage.suspends() == []


def test_a_checkpoint_that_is_said_to_be_done_lets_the_move_go_on(tmp_path):
    with Moving(tmp_path, {"fairlead.dev/checkpoint-on-request": "true"}) as stage:
        stage.extender.feed(*SLOW)
        stage.await_step("checkpoint")
        pod = stage.api.pods_of("train")[1]
        annotations = {**pod["metadata"]["annotations"], "fairlead.dev/checkpoint-done": "1"}
        stage.api.put(PODS, {**pod, "metadata": {**pod["metadata"], "annotations": annotations}})
        assert stage.run_the_cluster() == ["tyo1", "tyo2"]
        assert "outcome: done" in stage.record()


def test_a_move_that_has_stopped_the_gang_is_finished_whatever_the_mode(tmp_path):
    with Moving(tmp_path) as stage:
        stage.extender.feed(*SLOW)
        stage.api.await_change(stage.suspended)
        stage.write(mode="off")
        assert stage.run_the_cluster() == ["tyo1", "tyo2"]
        assert "outcome: done" in stage.record() and stage.suspends() == [True, False]


def test_a_right_that_is_missing_is_said_and_nothing_is_begun(tmp_path):
    with Moving(tmp_path) as stage:
        stage.api.refuse["PATCH /jobs/train"] = 403
        stage.extender.feed(*SLOW)
        event = stage.api.await_event("MigrationRefused")
        assert "the stand-in says 403" in event["note"] and event["type"] == "Warning"
        gang = stage.await_reason("not_movable")
        assert "could not be recorded" in gang["sentence"] and "403" in gang["sentence"]
        assert stage.record() == "" and stage.suspends() == []


def test_another_process_finishes_what_a_killed_one_began(tmp_path):
    with Moving(tmp_path) as stage:
        stage.extender.feed(*SLOW)
        stage.api.await_change(stage.suspended)
        stage.extender.process.kill()
        stage.extender.__exit__(None, None, None)
        (tmp_path / "second").mkdir()
        (tmp_path / "second" / "tokens").symlink_to(tmp_path / "tokens")
        stage.extender = Extender(tmp_path / "second", config=stage.config)
        assert stage.run_the_cluster() == ["tyo1", "tyo2"]
        assert "outcome: done" in stage.record() and "move: 1" in stage.record()
        assert stage.suspends() == [True, False], "each once"


def test_a_pod_that_is_offered_no_node_of_its_place_waits(tmp_path):
    with Moving(tmp_path) as stage:
        stage.extender.feed(*SLOW)
        stage.api.await_change(stage.suspended)
        stage.api.control("train")
        stage.await_step("follow")
        stage.api.control("train")
        pod = stage.api.pods_of("train")[0]
        ask = json.dumps({"Pod": pod, "NodeNames": ["hk1", "sg1"]})
        answer = stage.extender.post("/kube/filter", ask)
        assert answer["NodeNames"] == [] and set(answer["FailedNodes"]) == {"hk1", "sg1"}
        assert "this pod's seat, rank 0, is in tyo" in answer["FailedNodes"]["hk1"]
        assert stage.run_the_cluster() == ["tyo1", "tyo2"]
