"""Gangs that are moved on a real API server with its controllers and scheduler: two replicas of fairlead-extender with
the rights of deploy/, Jobs over hk-sg, and probes that report that line Degraded. No guests."""

import time

import pytest

from fairlead_cluster import wait_for
from migration_stand import SIZE, MovingGang, standing
from move_faults import EVICT, ON_REQUEST, move_all

LEAVE_ALONE = {"fairlead.dev/migration": "off"}
# In namespace `half` gangs may be suspended and not evicted, in `bare` neither.
WITHHELD = ("patch jobs", "create pods/eviction")


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    namespaces = (("default", WITHHELD), ("half", WITHHELD[:1]), ("bare", ()))
    with standing(tmp_path_factory.mktemp("stage"), ("a", "b", "c", "d", "e"), WITHHELD, namespaces) as running:
        yield running


@pytest.fixture(scope="module")
def moved(stage):
    """Five gangs on the line that becomes slow, when the moves of all have ended or were refused."""
    plain, evicted, kept, half, bare = stage.place(
        ("plain", "a", {}), ("evicted", "b", {"of_job": EVICT}), ("kept", "c", {"of_job": EVICT}),
        ("half", "d", {"of_job": EVICT, "namespace": "half"}), ("bare", "e", {"namespace": "bare"}))
    evicted.budget(min_available=0)
    kept.budget(min_available=2)
    stage.degrade()
    for one in (plain, evicted, kept, half):
        one.wait_step("closed", 120)
    wait_for("the refusal", lambda: bare.told("MigrationRefused"), 60, hint=lambda: str(bare.about()))
    yield {one.name: one for one in (plain, evicted, kept, half, bare)}
    stage.clear()


def test_a_gang_is_suspended_and_runs_whole_at_the_other_site_once(stage, moved):
    moved["plain"].assert_moved_once("suspend")
    assert not moved["plain"].get()["spec"].get("suspend")
    assert stage.leader().moves_total("suspend", "done") == 1


def test_a_gang_that_asks_for_it_is_evicted_as_a_whole(stage, moved):
    moved["evicted"].assert_moved_once("evict")
    assert stage.leader().moves_total("evict", "done") == 1


def test_a_budget_that_allows_too_few_is_said_and_nobody_is_evicted(stage, moved):
    kept = moved["kept"]
    assert kept.record()["outcome"] == "refused"
    why = "PodDisruptionBudget kept allows 1 disruption and covers 3 of its members"
    assert why in kept.record()["why"] and any(why in text for text in kept.told("MigrationRefused"))
    assert kept.pods_made() == SIZE and set(kept.sites()) == {"hk", "sg"}


def test_a_lever_without_its_rights_is_not_touched(moved):
    half = moved["half"]
    assert half.record()["outcome"] == "refused"
    why = "the right to create pods/eviction in namespace half is missing; see ClusterRole fairlead-extender-migration"
    assert half.record()["why"] == why and any(why in text for text in half.told("MigrationRefused"))
    assert half.pods_made() == SIZE


def test_a_move_that_may_not_be_recorded_is_refused(moved):
    bare = moved["bare"]
    assert any("jobs" in text and "bare" in text for text in bare.told("MigrationRefused")), bare.told()
    assert bare.record() == {} and bare.pods_made() == SIZE


def write_checkpoint(one):
    wait_for("the request", lambda: all(
        pod["metadata"].get("annotations", {}).get("fairlead.dev/checkpoint-request") == "1" for pod in one.pods()), 30)
    one.patch_pods({"metadata": {"annotations": {"fairlead.dev/checkpoint-done": "1"}}})


def edit(one):
    one.patch({"metadata": {"labels": {"team": "x"}}, "spec": {"parallelism": 2, "completions": 2}})
    one.release()


@pytest.fixture(scope="module")
def midway(stage, moved):
    """Gangs to which something happens at a step of their moves; the line heals before the last one is stopped."""
    stage.clear()
    acked, edited, deleted, finished, healed = stage.place(
        ("acked", "a", {"annotations": ON_REQUEST}), ("edited", "b", {}), ("deleted", "c", {}),
        ("finished", "d", {"annotations": ON_REQUEST}), ("healed", "e", {"annotations": ON_REQUEST | LEAVE_ALONE}))
    edited.hold()
    deleted.hold()
    stage.degrade()
    waiting = {acked: ("checkpoint", write_checkpoint), edited: ("stop", edit), deleted: ("stop", MovingGang.remove_now),
               finished: ("checkpoint", lambda one: one.patch_pods({"status": {"phase": "Succeeded"}}, "/status"))}

    def happens():
        for one, (step, act) in list(waiting.items()):
            if one.record().get("step") == step:
                act(one)
                del waiting[one]
        return not waiting

    wait_for("all steps", happens, 180, poll_s=0.2, hint=lambda: str([one.verdict() for one in waiting]))
    for one in (acked, edited, finished):
        one.wait_step("closed", 120)
    assert healed.record() == {}, healed.verdict()
    healed.patch_pods({"metadata": {"annotations": {name: None for name in LEAVE_ALONE}}})
    healed.wait_step("checkpoint", 120)
    stage.heal()
    healed.wait_step("closed", 60)
    yield {one.name: one for one in (acked, edited, deleted, finished, healed)}
    stage.clear()


def test_a_checkpoint_that_is_written_lets_the_gang_go(midway):
    midway["acked"].assert_moved_once("suspend")
    assert len(midway["acked"].told("MigrationCheckpointAsked")) == 1


def test_a_job_that_is_edited_while_it_is_stopped_runs_as_it_was_edited(midway):
    edited = midway["edited"]
    assert edited.record()["outcome"] == "done"
    assert edited.sites() == {"tyo": 2} and edited.get()["metadata"]["labels"]["team"] == "x"


def test_a_job_that_is_deleted_while_it_is_stopped_is_gone(stage, midway):
    deleted = midway["deleted"]
    assert deleted.record() is None and deleted.pods() == []
    wait_for("it to be forgotten", lambda: not any(
        move["name"] == "default/deleted" for move in stage.leader().report()["moves_open"]), 60)


def test_a_job_that_finishes_is_not_stopped(midway):
    finished = midway["finished"]
    assert finished.record()["outcome"] == "finished" and finished.pods_made() == SIZE


def test_a_line_that_heals_before_the_stop_cancels_the_move(midway):
    healed = midway["healed"]
    assert healed.record()["outcome"] == "cancelled"
    assert healed.pods_made() == SIZE and set(healed.sites()) == {"hk", "sg"}
    assert len(healed.told("MigrationCancelled")) == 1


def go_on(stage, one, step):
    """Takes away what holds the gang at this step."""
    if step == "intended":
        one.budget(min_available=0)
    elif step == "checkpoint":
        write_checkpoint(one)
    elif step == "stop":
        one.release()
    else:
        stage.cordon("tyo", value=False)


@pytest.mark.parametrize("step", [pytest.param("intended", marks=pytest.mark.long),
                                  pytest.param("checkpoint", marks=pytest.mark.long), "stop",
                                  pytest.param("follow", marks=pytest.mark.long)])
def test_the_second_replica_finishes_what_a_killed_leader_began(stage, figures, step):
    stage.clear()
    for replica in stage.replicas:
        replica.migrate(relocation={"beginTimeout": "3m", "checkpointTimeout": "10m"})
    one, = stage.place((f"killed-at-{step}", "a", {"of_job": EVICT if step == "intended" else {},
                                                   "annotations": ON_REQUEST if step == "checkpoint" else {}}))
    if step == "intended":
        one.budget(min_available=2)
    else:
        one.hold()
    stage.degrade()
    if step in ("intended", "checkpoint"):
        one.wait_step(step, 120)
        one.release()
    else:
        one.wait_step("stop", 120)
    if step == "follow":
        # Its new pods find no node until the second replica leads.
        stage.cordon("tyo")
        one.release()
        one.wait_step("follow")
    killed = stage.leader()
    killed.kill()
    began = time.monotonic()
    stage.leader()
    figures(f"takeover of a gang at {step}", f"{time.monotonic() - began:.1f} s")
    go_on(stage, one, step)
    one.wait_step("closed", 120)
    one.assert_moved_once("evict" if step == "intended" else "suspend")
    killed.start()
    killed.restart_feeder()
