"""Rules and dashboards in a real Prometheus that scrapes real programs: probes of the lab, an extender that follows a
stand-in API server with a gang, a device plugin on a made-up node."""

import pathlib
import sys
import tempfile
import time
import urllib.request

import pytest

from extender_stack import ROOT
from migration_test import SLOW, WELL, Stage
from plugin_on_tree import PluginOnTree
from prometheus import Prometheus

sys.path.append(str(ROOT / "tests" / "observability"))

from dashboards import filled, queries  # noqa: E402
from empty_when_well import REASONS  # noqa: E402
from exposition import faults  # noqa: E402
from metrics_reference import Page  # noqa: E402
from rules_file import RULES, recorded  # noqa: E402

GANG = {"Pod": {"metadata": {"name": "a-0", "namespace": "ml", "uid": "a-0"},
                "spec": {"containers": [{"resources": {"requests": {"rdma/hca": "1"}}}]}}}


class Watched:
    """The Prometheus, and the targets that it scrapes: {job: [host:port]}."""

    def __init__(self, prometheus, targets):
        self.prometheus = prometheus
        self.targets = targets

    def scrape(self, target):
        with urllib.request.urlopen(f"http://{target}/metrics", timeout=30) as reply:
            return reply.read().decode()

    def await_series(self, wanted, timeout_s):
        """Asks `wanted` ({name: expression}) until each has had series; those that never had any."""
        left, deadline = dict(wanted), time.monotonic() + timeout_s
        while left and time.monotonic() < deadline:
            left = {name: expression for name, expression in left.items() if not self.prometheus.query(expression)}
            time.sleep(1)
        return left


def move_about(stack, stage, plugin):
    """What leaves a trace in the counters: requests, verdicts, allocations, an edit that is refused."""
    nodes = [name for name, *_ in stack.nodes]
    stack.post("/kube/filter", {**GANG, "NodeNames": nodes})
    stack.post("/kube/prioritize", {**GANG, "NodeNames": nodes})
    stage.extender.feed(*SLOW)
    stage.await_reason("dry_run")
    plugin.allocate(20)


@pytest.fixture
def watched(verbs_stack, tmp_path):
    probes = [f"127.0.0.1:{site.forward(9471)}" for site in verbs_stack.lab.sites()]
    extender = verbs_stack.url("", "ops").removeprefix("http://")
    # Sockets lie below its folder, and their paths may be no longer than 107 bytes.
    with tempfile.TemporaryDirectory(prefix="fl") as short, Stage(tmp_path, policy={"for": "10s", "maxRtt": "60ms"}) as stage, \
            PluginOnTree(pathlib.Path(short)) as plugin:
        stage.extender.feed(*WELL)
        stage.await_reason("lines_well")
        targets = {"extender": [extender], "extender-of-gangs": [f"127.0.0.1:{stage.extender.ops}"],
                   "linkprobe": probes, "deviceplugin": [f"127.0.0.1:{plugin.ops}"]}
        folder = tmp_path / "prometheus"
        folder.mkdir()
        running = Prometheus(folder, targets, [RULES])
        try:
            seen = Watched(running, targets)
            # Scraped twice before anything is counted, so that rates have a begin.
            twice = "count_over_time(up{{instance='{}'}}[1m]) > 1 and up{{instance='{}'}} == 1"
            assert seen.await_series({target: twice.format(target, target) for each in targets.values() for target in each},
                                     60) == {}
            move_about(verbs_stack, stage, plugin)
            yield seen
        finally:
            running.stop()


def test_every_query_has_series_from_running_programs(watched, figures):
    wanted = {(uid, title, ref): filled(expression) for uid, title, ref, expression in queries()}
    wanted |= {(name,): name for name in recorded()}

    def reason(name):
        return REASONS.get(name[0]) or REASONS.get(name) or REASONS.get(name[:2])

    never = watched.await_series({name: text for name, text in wanted.items() if reason(name) is None}, 120)
    assert not never, "no series: " + "; ".join(" ".join(name) for name in never)
    known = {key for name in wanted for key in (name[0], name, name[:2])}
    assert set(REASONS) <= known, "empty_when_well.py names what is no more"
    figures("queries of dashboards and rules: all, of these expected to be empty here",
            f"{len(wanted)}, {sum(1 for name in wanted if reason(name) is not None)}")
    # Nothing that is served is missing in the reference, and all is as it says.
    page = Page()
    for job, targets in watched.targets.items():
        for target in targets:
            assert faults(watched.scrape(target), page) == [], job


def test_an_alert_fires_and_resolves(tmp_path):
    """On an extender that is told of a line that becomes slow; with a shorter wait than the rules' minute."""
    rules, folder = tmp_path / "rules.yaml", tmp_path / "prometheus"
    rules.write_text(RULES.read_text().replace("for: 1m", "for: 3s"))
    folder.mkdir()
    with Stage(tmp_path) as stage:
        stage.extender.feed(*WELL)
        stage.extender.await_state("hk", "sg", "Healthy")
        running = Prometheus(folder, {"extender": [f"127.0.0.1:{stage.extender.ops}"]}, [rules])
        try:
            code = 'link:fairlead_extender_link_state:code{src_site="hk", dst_site="sg"} == '
            await_true(lambda: running.query(code + "1"), "a line that is well")
            assert running.alerts("FairleadLineDegraded") == []
            stage.extender.feed(*SLOW)
            await_true(lambda: {"firing"} == {alert["state"] for alert in running.alerts("FairleadLineDegraded")}, "the alert")
            told = {alert["annotations"]["summary"] for alert in running.alerts("FairleadLineDegraded")}
            assert told == {"Line hk to sg is degraded.", "Line sg to hk is degraded."}  # its stand-in probes have no metrics
            stage.extender.feed(*WELL)
            await_true(lambda: running.query(code + "1") and not running.alerts("FairleadLineDegraded"), "the alert's end")
        finally:
            running.stop()


def await_true(condition, what, timeout_s=90):
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline, f"waited {timeout_s} s for {what}"
        time.sleep(0.5)
