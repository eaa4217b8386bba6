"""The extender's election against a real API server: replicas that die, end, hang, and a server that does.

A replica is build/ci/bin/lease_tool, which prints who leads. No node is needed.
"""

import json
import signal
import time

import pytest

from fairlead_cluster import ApiError, wait_for
from fairlead_cluster.bare_api import BareApi
from talking_tool import TalkingTool

NAMESPACE = "/api/v1/namespaces/default"
LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases"
LABEL = "fairlead.dev/leader"


class Replica(TalkingTool):
    """One process of the extender's election; `lines` is what it has said, the newest last."""

    def __init__(self, bare, lease, pod, user="admin"):
        self.pod = pod
        self.lines = []
        super().__init__("lease_tool", "--kubeconfig", bare.kubeconfig(user), "--namespace", "default", "--lease", lease,
                         "--pod", pod)

    def hear(self, line):
        self.lines.append(json.loads(line))

    @property
    def now(self):
        return self.lines[-1] if self.lines else {"leads": False, "term": 0, "holder": "", "words": ""}

    def end(self):
        self.send(signal.SIGTERM)
        assert self.wait_end(30) == 0


@pytest.fixture(scope="module")
def bare():
    with BareApi() as running:
        wait_for("the namespace", lambda: running.api.get_or_none(NAMESPACE), 60)
        try:
            running.api.create(f"{NAMESPACE}/serviceaccounts", {"metadata": {"name": "default"}})
        except ApiError as error:
            assert error.code == 409
        for pod in ("one", "two"):
            running.api.create(f"{NAMESPACE}/pods", {
                "metadata": {"name": pod, "labels": {"app": "extender"}},
                "spec": {"containers": [{"name": "main", "image": "none"}], "automountServiceAccountToken": False}})
        yield running


@pytest.fixture
def replicas(bare, request):
    """Two, of a Lease that is this test's alone; which of them leads is not said."""
    lease = request.node.name.replace("_", "-")
    both = [Replica(bare, lease, pod) for pod in ("one", "two")]
    yield both
    for replica in both:
        replica.kill()


def said(replicas):
    return "; ".join(f"{r.pod}: {r.lines[-3:]}" for r in replicas)


def wait_leader(replicas, above=0, timeout_s=60):
    """The only leader in a term above that, and the other replica."""
    def one_leads():
        leading = [r for r in replicas if r.now["leads"] and r.now["term"] > above]
        others = [r for r in replicas if r not in leading]
        # Who follows has heard of the term, too.
        return (leading + others) if len(leading) == 1 else None
    return wait_for("a leader", one_leads, timeout_s, poll_s=0.02, hint=lambda: said(replicas))


def wait_labels(bare, leader, *others):
    def right():
        labels = {r.pod: bare.api.get(f"{NAMESPACE}/pods/{r.pod}")["metadata"]["labels"] for r in (leader, *others)}
        return labels[leader.pod].get(LABEL) == "true" and all(LABEL not in labels[r.pod] for r in others)
    wait_for(f"the label on {leader.pod} alone", right, 60)


def taken_over_at(replica):
    """When it began to lead, on the clock that time.monotonic reads."""
    return next(line["at_ms"] for line in replica.lines if line["leads"]) / 1000


def test_two_replicas_elect_one_and_the_lease_says_which(bare, replicas):
    leader, follower = wait_leader(replicas)
    wait_labels(bare, leader, follower)
    wait_for("the follower to hear of it", lambda: follower.now["holder"] == leader.now["holder"], 60)
    lease = bare.api.get(f"{LEASES}/test-two-replicas-elect-one-and-the-lease-says-which")
    assert lease["spec"]["holderIdentity"] == leader.now["holder"]
    assert lease["spec"]["leaseTransitions"] == leader.now["term"] == 1
    assert lease["spec"]["leaseDurationSeconds"] == 15
    assert follower.now["ready"] and "follows" in follower.now["words"]


def test_a_leader_that_is_killed_is_replaced_within_the_lease(bare, replicas, figures):
    leader, follower = wait_leader(replicas)
    wait_labels(bare, leader, follower)
    wait_for("the follower to hear of it", lambda: follower.now["term"] == 1, 60)
    killed = time.monotonic()
    leader.send(signal.SIGKILL)
    wait_for("the takeover", lambda: follower.now["leads"], 60, poll_s=0.02, hint=lambda: said(replicas))
    took = taken_over_at(follower) - killed
    figures("takeover after kill -9", f"{took:.1f} s")
    assert took <= 20
    assert follower.now["term"] == 2
    wait_labels(bare, follower, leader)


def test_a_leader_that_ends_hands_over_at_once(bare, replicas, figures):
    leader, follower = wait_leader(replicas)
    wait_for("the follower to hear of it", lambda: follower.now["term"] == 1, 60)
    ended = time.monotonic()
    leader.end()
    wait_for("the takeover", lambda: follower.now["leads"], 60, poll_s=0.02, hint=lambda: said(replicas))
    took = taken_over_at(follower) - ended
    figures("takeover after SIGTERM", f"{took:.1f} s")
    assert took < 10, "the Lease had not run out"
    assert not leader.now["leads"]
    wait_labels(bare, follower, leader)


def test_a_leader_that_is_stopped_has_stopped_leading_when_it_wakes(bare, replicas, figures):
    leader, follower = wait_leader(replicas)
    wait_for("the follower to hear of it", lambda: follower.now["term"] == 1, 60)
    stopped = time.monotonic()
    leader.send(signal.SIGSTOP)
    wait_for("the takeover", lambda: follower.now["leads"], 60, poll_s=0.02, hint=lambda: said(replicas))
    figures("takeover after SIGSTOP", f"{taken_over_at(follower) - stopped:.1f} s")
    wait_for("20 s", lambda: time.monotonic() - stopped > 20, 60)
    seen = len(leader.lines)
    leader.send(signal.SIGCONT)
    wait_for("it to hear of the new leader", lambda: leader.now["term"] == 2, 60, hint=lambda: said(replicas))
    assert len(leader.lines) > seen
    assert [line["leads"] for line in leader.lines[seen:]] == [False] * len(leader.lines[seen:])
    assert follower.now["leads"] and follower.now["term"] == 2
    wait_labels(bare, follower, leader)


def test_a_leader_leads_no_longer_than_it_can_renew(bare, replicas):
    leader, follower = wait_leader(replicas)
    bare.freeze("kube-apiserver")
    try:
        wait_for("the end of it", lambda: not leader.now["leads"], 60, poll_s=0.02, hint=lambda: said(replicas))
        assert not follower.now["leads"]
    finally:
        bare.thaw("kube-apiserver")
    again, other = wait_leader(replicas, above=1)
    wait_labels(bare, again, other)


def test_a_missing_right_is_named(bare):
    replica = Replica(bare, "test-rights", "one", user="kube-scheduler")
    try:
        wait_for("the reason", lambda: "RBAC lacks get on leases.coordination.k8s.io" in replica.now["words"], 60,
                 hint=lambda: said([replica]))
        wait_for("the other", lambda: "RBAC lacks patch on pods" in replica.now["words"], 60,
                 hint=lambda: said([replica]))
        assert not replica.now["ready"] and not replica.now["leads"]
    finally:
        replica.kill()
