"""Moves of which one call each is answered wrongly, and what must come of it all the same."""

import dataclasses

from fairlead_cluster import wait_for
from fairlead_cluster.faulty_api import Fault

EVICT = {"annotations": {"fairlead.dev/migration-lever": "evict"}}
ON_REQUEST = {"fairlead.dev/checkpoint-on-request": "true"}


@dataclasses.dataclass(frozen=True)
class Call:
    """One request of a move: how it looks for the gang of that name and uid."""
    name: str
    method: str
    path: str
    body: str = ""
    more: dict = dataclasses.field(default_factory=dict)  # of the gang that makes it

    def fault(self, gang, code, **how):
        words = {"name": gang.name, "uid": gang.job["metadata"]["uid"]}
        return Fault(self.method, self.path.format(**words), code, body=self.body.format(**words), **how)


OWNER = "/namespaces/default/jobs/{name}$"
CALLS = {call.name: call for call in (
    Call("read-owner", "GET", OWNER),
    Call("list-pods", "GET", r"/namespaces/default/pods\?.*({name}|{uid})"),
    Call("ask-rights", "POST", "/selfsubjectaccessreviews$"),
    Call("record", "PATCH", OWNER, "step: intended"),
    Call("ask-checkpoint", "PATCH", "/namespaces/default/pods/{name}-", "checkpoint-request",
         {"annotations": ON_REQUEST}),
    Call("suspend", "PATCH", OWNER, "step: stop"),
    Call("resume", "PATCH", OWNER, "step: follow"),
    Call("list-budgets", "GET", r"/poddisruptionbudgets(\?|$)", "", {"of_job": EVICT}),
    Call("evict", "POST", "/pods/{name}-.*/eviction$", "", {"of_job": EVICT}),
    Call("tell", "POST", "/events$", "{name}.move-1-done"),
    Call("close", "PATCH", OWNER, "step: closed"))}


def write_checkpoints(gang):
    for pod in gang.pods():
        notes = pod["metadata"].get("annotations", {})
        if notes.get("fairlead.dev/checkpoint-request") == "1" and "fairlead.dev/checkpoint-done" not in notes:
            gang.patch_pods({"metadata": {"annotations": {"fairlead.dev/checkpoint-done": "1"}}})
            return


def move_all(stage, cases, pools, timeout_s=300):
    """A gang a case, each (name of the call, code, {more of Fault}); all are moved at once, whole and once.

    A gang has the name of its call and code.
    """
    gangs = stage.place(*((f"{name}-{code}", pool, CALLS[name].more) for (name, code, _), pool in zip(cases, pools)))
    faults = [CALLS[name].fault(gang, code, **how) for (name, code, how), gang in zip(cases, gangs)]
    stage.door.fail(*faults)
    try:
        stage.degrade()

        def all_closed():
            for gang in gangs:
                if (gang.record() or {}).get("step") == "checkpoint":
                    write_checkpoints(gang)
            return all((gang.record() or {}).get("step") == "closed" for gang in gangs)

        wait_for("all moves", all_closed, timeout_s, poll_s=0.3, hint=lambda: str([
            (gang.name, gang.record(), gang.verdict()) for gang in gangs
            if (gang.record() or {}).get("step") != "closed"])[:4000])
    finally:
        stage.door.fail()
    for gang, fault, (name, code, how) in zip(gangs, faults, cases):
        assert fault.left == 0, f"{gang.name}: {fault.left} of {how} were not met, {fault.met} requests matched"
        # An Event that is refused again and again is a courtesy that is not paid.
        gang.assert_moved_once("evict" if CALLS[name].more.get("of_job") else "suspend", told=name != "tell")
    stage.clear()
