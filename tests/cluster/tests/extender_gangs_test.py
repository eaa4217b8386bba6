"""Whole gangs on the right lines: the released kube-scheduler with the printed configuration, Jobs, 1,000 nodes in
four sites, and fairlead-extender with the rights that deploy/extender-rbac.yaml gives it. No guests."""

import pytest

from extender_stand import Extender, allow, gang, probe_tokens
from fairlead_cluster import wait_for
from fairlead_cluster.fake_cluster import SITES, FakeCluster, nodes_of

SCARCE = 40  # nodes of a site with pool=scarce, of 8 HCAs each


@pytest.fixture(scope="module")
def tokens(tmp_path_factory):
    return tmp_path_factory.mktemp("tokens")


@pytest.fixture(scope="module")
def fleet(tokens):
    with FakeCluster(nodes_of(SITES, 250, SCARCE)) as running:
        allow(running)
        probe_tokens(running, tokens, SITES)
        yield running


@pytest.fixture(scope="module")
def extender(fleet, tokens, tmp_path_factory):
    with Extender(fleet, tmp_path_factory.mktemp("extender"), tokens) as running:
        running.feed()
        # With the rights of deploy/ nothing is missing.
        running.wait_ready("ok")
        fleet.start_scheduler(running.scheduler_config())
        yield running


def planned(one, count=1):
    """The text of the gang's newest plan, once it is told."""
    return wait_for("the plan's Event", lambda: len(found := one.events("GangPlanned")) >= count and found[-1], 30,
                    hint=lambda: f"{one.sites()}")


def assert_as_planned(one, text):
    for site, members in one.sites().items():
        assert f"{members} in {site}" in text or f"{site} holds all {members} members" in text, (one.sites(), text)


def test_a_gang_that_one_site_holds_lands_whole_in_it(fleet, extender, figures):
    with gang(fleet, "small", 8) as small:
        sites = small.wait_bound()
        assert list(sites.values()) == [8], (sites, small.events("GangPlanned"))
        small.wait_running()
        assert_as_planned(small, planned(small))
        figures("RSS of the extender at 1,000 nodes", f"{extender.rss_bytes() / 1e6:.0f} MB")


def test_a_gang_that_no_site_holds_is_split_over_the_cheapest_line(fleet, extender):
    with gang(fleet, "large", 64, pool="scarce") as large:
        sites = large.wait_bound()
        text = planned(large)
        assert set(sites) == {"hk", "sg"}, (sites, text)
        assert "no site holds all 64 members" in text and "over line hk-sg" in text, text
        assert_as_planned(large, text)
        assert len(large.events("GangPlanned")) == 1, large.events("GangPlanned")


def test_why_a_pod_has_no_node_is_readable(fleet, extender):
    limit = {"fairlead.dev/max-rtt": "10ms"}
    with gang(fleet, "picky", 64, pool="scarce", **limit) as picky:
        picky.wait_bound(SCARCE)
        text = wait_for("the reason", lambda: next(iter(picky.reasons()), None), 30)
        site, = picky.sites()
        assert f"to {SCARCE} members of the gang: RTT p50" in text and "exceeds fairlead.dev/max-rtt 10 ms" in text, text
        assert "fairlead: site " in text and f"fairlead: site {site}:" not in text, text
        told = wait_for("FailedScheduling", lambda: picky.events("FailedScheduling"), 30)
        assert "fairlead: site " in told[0]


def test_two_gangs_at_once_are_each_whole(fleet, extender):
    with gang(fleet, "one", 36, pool="scarce") as one, gang(fleet, "two", 36, pool="scarce") as two:
        for each in (one, two):
            assert list(each.wait_bound().values()) == [36], (each.sites(), each.events("GangPlanned"))
            assert_as_planned(each, planned(each))
        assert one.sites().keys() != two.sites().keys()


def test_a_line_made_worse_changes_the_choice(fleet, extender):
    try:
        extender.feed(hk_sg=400.0)
        with gang(fleet, "elsewhere", 64, pool="scarce") as elsewhere:
            sites = elsewhere.wait_bound()
            assert set(sites) == {"hk", "tyo"}, (sites, elsewhere.events("GangPlanned"))
            assert "over line hk-tyo" in planned(elsewhere)
    finally:
        extender.feed()
    with gang(fleet, "again", 64, pool="scarce") as again:
        assert set(again.wait_bound()) == {"hk", "sg"}


def test_default_gates_keep_gangs_whole(fleet, extender):
    """OpportunisticBatching is on by default; a profile with an extender is left out of it by the scheduler itself."""
    assert "Disabling signatures for profile because it has extenders configured" in fleet.log(
        "kube-scheduler").read_text()
