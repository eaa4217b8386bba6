"""Kubernetes' own PodGroups: kube-scheduler places all members in one cycle, on a snapshot, before any is bound."""

import contextlib

import pytest

from extender_stand import CORE, Extender, allow, probe_tokens
from fairlead_cluster import wait_for
from fairlead_cluster.fake_cluster import SITES, FakeCluster, nodes_of

GROUPS = "/apis/scheduling.k8s.io/v1beta1/namespaces/default/podgroups"
SCARCE = 8


@pytest.fixture(scope="module")
def fleet():
    with FakeCluster(nodes_of(SITES, 2 * SCARCE, SCARCE), gates=["GenericWorkload"],
                     apis=["scheduling.k8s.io/v1beta1"]) as running:
        allow(running)
        yield running


@pytest.fixture(scope="module")
def extender(fleet, tmp_path_factory):
    tokens = tmp_path_factory.mktemp("tokens")
    probe_tokens(fleet, tokens, SITES)
    with Extender(fleet, tmp_path_factory.mktemp("extender"), tokens) as running:
        running.feed()
        fleet.start_scheduler(running.scheduler_config())
        yield running


class PodGroup:
    def __init__(self, fleet, name, size):
        self._fleet = fleet
        self._name = name
        self.size = size
        fleet.api.create(GROUPS, {"metadata": {"name": name},
                                  "spec": {"schedulingPolicy": {"gang": {"minCount": size}}}})
        fleet.api.create_many(f"{CORE}/pods", [self._pod(number) for number in range(size)])

    def _pod(self, number):
        return {"metadata": {"name": f"{self._name}-{number}", "labels": {"group": self._name}}, "spec": {
            "schedulingGroup": {"podGroupName": self._name}, "nodeSelector": {"pool": "scarce"}, "containers": [{
                "name": "main", "image": "none",
                "resources": {"requests": {"cpu": "1"}, "limits": {"rdma/hca": "8"}}}]}}

    def pods(self):
        return self._fleet.api.get(f"{CORE}/pods?labelSelector=group%3D{self._name}")["items"]

    def sites(self):
        counts = {}
        for pod in self.pods():
            if node := pod["spec"].get("nodeName"):
                counts[node.partition("-")[0]] = counts.get(node.partition("-")[0], 0) + 1
        return counts

    def wait_bound(self):
        wait_for(f"all of {self._name}", lambda: sum(self.sites().values()) == self.size, 90, poll_s=0.3,
                 hint=lambda: f"{self.sites()}; {[pod['status'].get('conditions') for pod in self.pods()][:1]}")
        return self.sites()

    def remove(self):
        for pod in self.pods():
            self._fleet.api.delete(f"{CORE}/pods/{pod['metadata']['name']}", {"gracePeriodSeconds": 0})
        wait_for(f"{self._name} to be gone", lambda: not self.pods(), 90, poll_s=0.3)
        self._fleet.api.delete(f"{GROUPS}/{self._name}")


@contextlib.contextmanager
def pod_group(*words):
    made = PodGroup(*words)
    try:
        yield made
    finally:
        made.remove()


def test_a_group_that_fits_stays_in_one_site(fleet, extender):
    with pod_group(fleet, "one", SCARCE) as one:
        assert list(one.wait_bound().values()) == [SCARCE]
        assert 'gang "podgroup default/one" of 8' in extender.explain("one-0")


def test_a_group_that_no_site_holds_is_split_over_the_best_line(fleet, extender):
    with pod_group(fleet, "two", SCARCE + 4) as two:
        assert set(two.wait_bound()) == {"hk", "sg"}, two.sites()


def test_two_groups_at_once_are_each_whole(fleet, extender):
    with pod_group(fleet, "left", SCARCE) as left, pod_group(fleet, "right", SCARCE) as right:
        sites = left.wait_bound(), right.wait_bound()
        assert [list(each.values()) for each in sites] == [[SCARCE], [SCARCE]], sites
