"""extender_gangs_test by the thousands: 5,000 nodes, 20,000 pods, gangs of 512; and what asking the extender costs."""

import concurrent.futures
import time

import pytest

from extender_stand import CORE, Extender, Gang, allow, probe_tokens
from fairlead_cluster import wait_for
from fairlead_cluster.fake_cluster import SITES, FakeCluster, nodes_of

pytestmark = pytest.mark.long

PER_SITE = 1250
SCARCE = 300
PODS = 20_000


@pytest.fixture(scope="module")
def tokens(tmp_path_factory):
    return tmp_path_factory.mktemp("tokens")


@pytest.fixture(scope="module")
def fleet(tokens):
    with FakeCluster(nodes_of(SITES, PER_SITE, SCARCE)) as running:
        allow(running)
        probe_tokens(running, tokens, SITES)
        fill(running)
        yield running


def fill(fleet):
    """Pods of others, bound already: four on each node."""
    def small(number):
        return {"metadata": {"name": f"small-{number}", "labels": {"app": f"small-{number % 200}"}},
                "spec": {"nodeName": f"{SITES[number % 4]}-{number // 4 % PER_SITE:03d}", "containers": [{
                    "name": "main", "image": "none", "resources": {"requests": {"cpu": "100m"}}}]}}

    parts = [[small(number) for number in range(start, PODS, 8)] for start in range(8)]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda part: fleet.api.create_many(f"{CORE}/pods", part), parts))


@pytest.fixture(scope="module")
def extender(fleet, tokens, tmp_path_factory):
    with Extender(fleet, tmp_path_factory.mktemp("extender"), tokens) as running:
        running.feed()
        fleet.start_scheduler(running.scheduler_config())
        yield running


def test_gangs_of_512(fleet, extender, figures):
    figures("RSS of the extender at 5,000 nodes and 20,000 pods", f"{extender.rss_bytes() / 1e6:.0f} MB")
    # Gangs stay: it takes kwok minutes to let go of so many pods.
    whole = Gang(fleet, "whole", 512)
    assert list(whole.wait_bound(timeout_s=300).values()) == [512], whole.events("GangPlanned")
    begin = time.monotonic()
    split = Gang(fleet, "split", 512, pool="scarce")
    sites = split.wait_bound(timeout_s=300)
    figures("512 pods bound with the extender", f"{512 / (time.monotonic() - begin):.0f} pods/s")
    assert set(sites) == {"hk", "sg"} and sum(sites.values()) == 512, (sites, split.events("GangPlanned"))
    figures("RSS of the extender after two gangs of 512", f"{extender.rss_bytes() / 1e6:.0f} MB")
    extender.kill()
    begin = time.monotonic()
    extender.start()
    wait_for("the first list", lambda: extender.ready()[0] == 200, 60, poll_s=0.02)
    figures("restarted and ready at 5,000 nodes", f"{time.monotonic() - begin:.1f} s")


def test_what_asking_costs(fleet, extender, figures):
    fleet.kill("kube-scheduler")
    alone = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\npercentageOfNodesToScore: 100\n"
    fleet.start_scheduler(alone)
    begin = time.monotonic()
    Gang(fleet, "alone", 512).wait_bound(timeout_s=300)
    figures("512 pods bound without an extender", f"{512 / (time.monotonic() - begin):.0f} pods/s")
