"""What the probes measure, compared with captures at both ends of each line over the same time."""

import contextlib
import statistics

import pytest

from counters import wait_for_answers
from host_noise import BusyCore, HostNoise
from probe_packets import PROBE, REPLY, LineCaptures, exchange, within
from programs import PAIRS

IDLE_MS, BUSY_MS, UDP_MS = 3, 8, 1
PROBES_IN_WINDOW = 150


class Comparison:
    """All links measured and captured at once, over one report window."""

    def __init__(self, stack, figures, title, busy=False):
        self.lab = stack.lab
        self.figures = figures
        with BusyCore() if busy else contextlib.nullcontext(), LineCaptures(stack.lab) as captures:
            noise = HostNoise()
            wait_for_answers(stack, PROBES_IN_WINDOW * 1.1)
            read_at = {site.name: site.clock_ns() for site in stack.lab.sites()}
            self.links = stack.links()
            self.stalled = noise.stalled()
            self.idle = noise.is_idle()
        self.truth_ms = {}
        for pair in PAIRS:
            # Those of the window that the link's values stand for: reported within a second, of 15 s.
            sent = within(exchange(PROBE), pair[0], read_at[pair[0]], seconds=15.5)
            self.truth_ms[pair] = captures[pair].round_trips(*pair, sent, exchange(REPLY))
        self.errors_ms = {pair: self.links.p50_ms(*pair) - statistics.median(self.truth_ms[pair])
                          for pair in PAIRS}
        self._tell(stack, figures, title)

    def _tell(self, stack, figures, title):
        figures(f"{title}: time with a CPU in demand", f"{self.stalled * 100:.0f} %")
        for site in stack.lab.sites():
            metrics = stack.probe_metrics(site)
            for what in ("prober", "responder"):
                delays = metrics.values(f"{what}_delay_seconds").values()
                figures(f"{title}: {what} delay p50, {site.name}", f"{max(delays, default=0) * 1e3:.2f} ms")
        for pair in PAIRS:
            figures(f"{title}: RTT p50 {' > '.join(pair)}",
                    f"{self.links.p50_ms(*pair):.2f} ms, captures {statistics.median(self.truth_ms[pair]):.2f} ms, "
                    f"{self.errors_ms[pair]:+.2f} ms")

    def margin_ms(self):
        return IDLE_MS if self.idle else BUSY_MS

    def median_error_ms(self):
        return statistics.median(map(abs, self.errors_ms.values()))


def check(first, again, margin_ms, figures):
    """The six links' median error within the margin, none of them far off.

    A window in which the host did other work is no fault of the probe, so one beyond the margin is
    judged by the median of itself and two more.
    """
    windows = [first]
    if first.median_error_ms() > margin_ms:
        windows += [again(), again()]
    judged = sorted(windows, key=Comparison.median_error_ms)[len(windows) // 2]
    figures("median error", f"{judged.median_error_ms():.2f} ms of {margin_ms} ms, {len(windows)} window(s)")
    errors = {pair: round(error, 2) for pair, error in judged.errors_ms.items()}
    assert judged.median_error_ms() <= margin_ms, f"p50 by the median far from the captures: {errors}"
    assert max(map(abs, errors.values())) <= 1.5 * margin_ms, f"one p50 far from the captures: {errors}"


@pytest.fixture(scope="module")
def compared():
    """Comparisons made so far; each takes a window."""
    return {}


@pytest.fixture
def idle_verbs(verbs_stack, compared, figures):
    if "verbs" not in compared:
        compared["verbs"] = Comparison(verbs_stack, figures, "verbs")
    return compared["verbs"]


@pytest.fixture
def udp(udp_stack, compared, figures):
    if "udp" not in compared:
        compared["udp"] = Comparison(udp_stack, figures, "UDP")
    return compared["udp"]


def test_rtt_by_verbs_is_that_of_the_captures(idle_verbs, verbs_stack, figures):
    check(idle_verbs, lambda: Comparison(verbs_stack, figures, "verbs"), idle_verbs.margin_ms(), figures)


def test_rtt_by_verbs_with_a_core_kept_busy(verbs_stack, figures):
    def measure():
        return Comparison(verbs_stack, figures, "verbs, a core busy", busy=True)

    try:
        check(measure(), measure, BUSY_MS, figures)
    finally:
        verbs_stack.stop_probes()  # What they have learnt of the lines meanwhile is no baseline for other tests.


def test_rtt_by_udp_is_that_of_the_captures(udp, udp_stack, figures):
    check(udp, lambda: Comparison(udp_stack, figures, "UDP"), UDP_MS, figures)


def check_other_values(comparison, rung):
    for pair in PAIRS:
        link = comparison.links.get(*pair)
        assert link["rung"] == rung
        assert link["forward"]["hops"] == link["reverse"]["hops"] == 2, pair
        rtt = link["rtt_seconds"]
        # Whatever disturbs a packet adds to its time; netem's jitter alone takes a little off.
        assert comparison.lab.line("-".join(pair)).rtt_ms() - 5 < rtt["min"] * 1e3 <= rtt["p50"] * 1e3, pair
        assert rtt["p50"] <= rtt["p99"] < 1, pair
        for direction in ("forward", "reverse"):
            assert 0 < link[direction]["jitter_seconds"] < 0.1, (pair, direction)
            # Not known while noise hides how fast the two clocks drift apart.
            assert 0 < (link[direction]["pdv_seconds"] or (0 if comparison.idle else 0.001)) < 1, (pair, direction)
            assert link[direction]["lost"] == 0, (pair, direction)
        assert link["path_stretch"] > 1, pair
        assert link["samples"] > PROBES_IN_WINDOW / 2 and link["age_seconds"] < 10, pair


def test_other_values_by_verbs(idle_verbs):
    check_other_values(idle_verbs, "rdma_ud_sw")


def test_other_values_by_udp(udp):
    check_other_values(udp, "udp_sw")


def test_both_ends_of_an_asymmetric_line_agree(idle_verbs):
    """HK-TYO takes 28 ms there and 22 ms back, which no RTT shows."""
    there, back = (idle_verbs.links.p50_ms(*pair) for pair in (("hk", "tyo"), ("tyo", "hk")))
    assert abs(there - back) < 2 * idle_verbs.margin_ms()
