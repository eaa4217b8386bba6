"""Lines that a real Prometheus tells of: beside probes, instead of them, and gone."""

import http.server
import json
import threading
import time

import pytest

from extender_stack import HEALTHY, Extender
from prometheus import Prometheus

QUERIES = [
    {"name": "router-rtt", "value": "rtt", "query": "max by (src, dst) (router_rtt_milliseconds) / 1000",
     "fromLabel": "src", "toLabel": "dst"},
    {"name": "loss", "value": "loss", "query": 'router_loss{line="hk-sg"}', "from": "hk", "to": "sg"},
    {"name": "used", "value": "utilisation", "query": "sum(router_bits_per_second) / 10e9",
     "from": "hk", "to": "sg"},
    {"name": "broken", "value": "rtt", "query": "router_rtt_milliseconds{", "from": "sg", "to": "tyo"},
]
METRICS = """\
router_rtt_milliseconds{src="hk",dst="sg",port="1"} 36.5
router_rtt_milliseconds{src="hk",dst="sg",port="2"} 37.5
router_rtt_milliseconds{src="hk",dst="tyo"} 1
router_rtt_milliseconds{src="hk",dst="lon"} 180
router_loss{line="hk-sg"} 0.002
router_bits_per_second 2.5e9
"""


class Routers(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        self.end_headers()
        self.wfile.write(METRICS.encode())

    def log_message(self, *args):
        pass


@pytest.fixture(scope="module")
def prometheus(tmp_path_factory):
    routers = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Routers)
    threading.Thread(target=routers.serve_forever, daemon=True).start()
    running = Prometheus(tmp_path_factory.mktemp("prometheus"),
                         {"routers": [f"127.0.0.1:{routers.server_port}"]})
    yield running
    running.stop()
    routers.shutdown()


@pytest.fixture(scope="module")
def extender(tmp_path_factory, prometheus):
    asked = {"url": f"http://127.0.0.1:{prometheus.port}", "interval": "1s", "timeout": "5s",
             "staleAfter": "4s", "queries": QUERIES}
    with Extender(tmp_path_factory.mktemp("promql"), capacities=[("hk", "sg", "10Gbps")],
                  prometheus=json.dumps(asked)) as running:
        yield running


def await_link(extender, a, b, condition):
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        seen = extender.link(a, b)
        if condition(seen):
            return seen
        time.sleep(0.2)
    raise AssertionError(f"{a} to {b} is {seen}")


def test_a_line_without_probes_has_what_prometheus_tells(extender):
    seen = await_link(extender, "hk", "sg", lambda l: l["rung"] == "promql" and
                      l["available_bytes_per_second"] is not None and l["forward"]["loss_ratio"])
    assert seen["rtt_seconds"] == {"min": None, "p50": 0.0375, "p99": None}  # the worse of two ports
    assert seen["forward"]["loss_ratio"] == 0.002 and seen["reverse"]["loss_ratio"] is None
    assert seen["available_bytes_per_second"] == 7.5e9 / 8
    assert seen["state"] == "Unknown"  # a number alone is no judgement
    assert 0 <= seen["age_seconds"] < 4
    assert [e["query"] for e in seen["external"]] == ["router-rtt", "loss", "used"]
    back = extender.link("sg", "hk")
    assert back["rtt_seconds"]["p50"] == 0.0375 and back["reverse"]["loss_ratio"] == 0.002
    assert back["available_bytes_per_second"] is None


def test_faster_than_light_is_refused_and_shown(extender):
    seen = await_link(extender, "hk", "tyo", lambda l: l["external"])
    assert seen["rtt_seconds"]["p50"] is None
    assert seen["external"][0]["used"] is False


def test_what_is_wrong_is_counted_and_named(extender):
    text = extender.get("/metrics", extender.ops)
    assert 'fairlead_extender_promql_failures_total{query="broken",reason="rejected"}' in text
    assert 'promql_samples_passed_over_total{query="router-rtt",reason="unknown_site"}' in text
    log = (extender.folder / "extender.log").read_text()
    assert "parse error" in log and '\\"lon\\" is no site' in log


def test_probes_come_first(extender):
    extender.feed(*HEALTHY)
    extender.await_state("hk", "sg", "Healthy")
    seen = await_link(extender, "hk", "sg", lambda l: l["rung"] == "rdma_ud_sw")
    assert abs(seen["rtt_seconds"]["p50"] - 0.0362) < 0.001
    assert seen["forward"]["loss_ratio"] == 0
    rtt = next(e for e in seen["external"] if e["value"] == "rtt")
    assert rtt["used"] is False and rtt["number"] == 0.0375
    assert extender.link("hk", "sg")["available_bytes_per_second"] == 7.5e9 / 8


def test_without_prometheus_its_values_age_out_and_come_back(extender, prometheus):
    prometheus.stop()
    seen = await_link(extender, "hk", "sg", lambda l: not l["external"])
    assert seen["available_bytes_per_second"] is None
    assert seen["rung"] == "rdma_ud_sw"
    assert 'reason="unreachable"' in extender.get("/metrics", extender.ops)
    prometheus.start()
    await_link(extender, "hk", "sg", lambda l: l["external"])
