"""Bandwidth tests that the extender grants and running probes make, on real rxe devices."""

import json
import time

import pytest

from extender_stack import BUILD
from fairlead_stack import Links, Stack

pytestmark = pytest.mark.long

RATE_MBIT = 100
LINE = (("hk", "sg"), ("sg", "hk"))
# Of the start: nothing is granted for 105 s, in which leases of a leader before could be in use.
TAKE_OVER_S = 105


@pytest.fixture
def stack(lab):
    bandwidth = {"trains": True, "saturation": True, "trainInterval": "60s", "saturationInterval": "60s",
                 "bytesPerDay": "2GB", "saturationBytes": "500MB"}
    with Stack(lab, BUILD, linkprobe={"bandwidthLedger": "/tmp/lease-spent"}, bandwidth=bandwidth) as stack:
        yield stack


def settled(stack):
    """No report looks back on a test any more, and all is well."""
    links = stack.links()
    return all(links.get(*ends)["before_test_seconds"] is None and links.state(*ends)[0] == "Healthy" for ends in LINE)


def assert_never_degraded(stack, since):
    """The queue that tests made is no trouble of the line, whenever one looked."""
    for source, target in LINE:
        answer = Links(json.loads(stack.get(stack.url(f"/links.json?from={source}&to={target}"))))
        link = answer.get(source, target)
        states = {point["state"] for point in link["history"]
                  if point["age_seconds"] < time.monotonic() - since}
        assert "Healthy" in states and not states & {"Degraded", "Down"}, (source, target, states, link["evidence"])


def line_tests(stack, source, target):
    return {test["source"]: test for test in stack.links().get(source, target)["tests"]}


def test_a_shaped_line_is_measured_by_its_probes(lab, stack, figures):
    with lab.line("hk-sg").changed(rate_mbit=RATE_MBIT, jitter_ms=0):
        stack.start()
        stack.wait(lambda: stack.links().all_in("Healthy"), 60, "all links Healthy")
        healthy_since = time.monotonic()
        link = stack.links().get("hk", "sg")
        assert link["rate_source"] == "declared" and link["test_wait"]["train"] == "taking_over"

        # Six directions, one after the other where they share a site; a stalled guest takes another try.
        stack.wait(lambda: "train" in line_tests(stack, "hk", "sg"), TAKE_OVER_S + 180, "trains over hk-sg")
        train = line_tests(stack, "hk", "sg")["train"]
        found = train["bytes_per_second"] * 8 / (RATE_MBIT * 1e6)
        figures("lease: trains of the shaped rate", f"{found:.3f}")
        assert train["at_least"] or abs(found - 1) < 0.10
        link = stack.links().get("hk", "sg")
        assert link["declared_doubt"] == "not_reached"  # 10 Gb/s are declared
        assert link["rate_source"] == "train"

        # The line is judged for 135 s between two tests, and trains back come before this one.
        stack.wait(lambda: "saturation" in line_tests(stack, "hk", "sg"), 600, "a saturation test over hk-sg")
        stack.wait(lambda: settled(stack), 180, "reports that do not look back on the test")
        assert_never_degraded(stack, healthy_since)

        saturation = line_tests(stack, "hk", "sg")["saturation"]
        found = saturation["bytes_per_second"] * 8 / (RATE_MBIT * 1e6)
        figures("lease: saturation of the shaped rate", f"{found:.3f}")
        assert saturation["at_least"] or abs(found - 1) < 0.10

        metrics = stack.probe_metrics(lab.site("hk"))
        spent = metrics.value("bandwidth_spent_today_bytes", line="hk-sg")
        assert 0 < spent <= 2e9
        stack.restart_probes(bandwidthLedger="/tmp/lease-spent")
        stack.wait(lambda: stack.probe_metrics(lab.site("hk")).value("bandwidth_spent_today_bytes", line="hk-sg"),
                   30, "what was spent before the restart")
        assert stack.probe_metrics(lab.site("hk")).value("bandwidth_spent_today_bytes", line="hk-sg") >= spent
        assert "saturation" in line_tests(stack, "hk", "sg"), json.dumps(stack.links().get("hk", "sg"))
