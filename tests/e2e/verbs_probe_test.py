"""linkprobe's verbs transport on real rxe devices: accuracy, loss by direction, a device that vanishes."""

import json
import os
import pathlib
import statistics
import struct
import time

import pytest
from fairlead_lab.capture import RunningCapture

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("FAIRLEAD_BUILD", ROOT / "build" / "ci")) / "bin" / "fairlead-linkprobe"

PROBE, REPLY = 1, 2
# Emulated CPUs wake late; on a machine with a core kept busy this is what the probe promises.
BUSY_MARGIN_MS = 8.0


def sequence_of(kind):
    """For a captured packet: its probe sequence if it is of this kind, else None."""
    def key(packet):
        at = packet.payload.find(b"FLP1")
        if at < 0 or len(packet.payload) < at + 24 or packet.payload[at + 5] != kind:
            return None
        return struct.unpack_from(">Q", packet.payload, at + 16)[0]
    return key


@pytest.fixture
def key_file(lab):
    path = lab.share / "ping.key"
    path.write_text("0123456789abcdef0123456789abcdef\n")
    path.chmod(0o600)
    return str(path)


@pytest.fixture
def responder(lab, key_file):
    site = lab.site("sg")
    process = site.spawn("responder", [
        PROGRAM, "respond", "--key-file", key_file, "--transport", "verbs", "--verbose"])
    site.wait_for_port(7473, 30)
    return process


def ping_argv(lab, key_file, *more):
    return [PROGRAM, "ping", f"{lab.site('sg').address}:7473", "--key-file", key_file,
            "--transport", "verbs", "--json", *more]


def read_lines(text):
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def summary_of(lines):
    return next(line for line in lines if line["type"] == "summary")


def test_devices_ranks_the_gids(lab):
    listed = json.loads(lab.site("hk").run([PROGRAM, "devices", "--json"]).out)
    assert [device["device"] for device in listed["devices"]] == ["rxe0"]
    assert listed["chosen"]["gid"] == lab.site("hk").address
    best = next(gid for gid in listed["devices"][0]["ports"][0]["gids"] if gid["rank"] == 1)
    assert best["type"] == "RoCE v2" and best["reason"]
    text = lab.site("hk").run([PROGRAM, "devices"]).out
    assert "active_mtu 4096" in text and "rank 1" in text


def test_rtt_agrees_with_captures(lab, key_file, responder):
    with RunningCapture(lab, lab.line("hk-sg")) as capture:
        out = lab.site("hk").run(ping_argv(lab, key_file, "--count", "50", "--interval", "100ms"), timeout=60).out
        seen = capture.stop()
    truth = statistics.median(seen.round_trips("hk", "sg", sequence_of(PROBE), sequence_of(REPLY)))
    summary = summary_of(read_lines(out))
    measured = summary["rtt_p50_seconds"] * 1e3
    print(f"verbs rtt p50 {measured:.2f} ms, captures {truth:.2f} ms, off by {measured - truth:+.2f} ms")
    assert summary["transport"] == "rdma_ud_sw"
    assert summary["answered"] == 50 and summary["lost"] == 0
    assert summary["forward"]["hops"] == 2 and summary["reverse"]["hops"] == 2
    assert abs(measured - truth) < BUSY_MARGIN_MS


@pytest.mark.parametrize("direction", ["forward", "reverse"])
def test_loss_is_counted_in_its_direction(lab, key_file, responder, direction):
    lab.line("hk-sg").set(loss_pct=20, direction=direction)
    with RunningCapture(lab, lab.line("hk-sg")) as capture:
        out = lab.site("hk").run(
            ping_argv(lab, key_file, "--count", "200", "--interval", "50ms"), timeout=90).out
        seen = capture.stop()
    ends = ("hk", "sg") if direction == "forward" else ("sg", "hk")
    kind = PROBE if direction == "forward" else REPLY
    sent = {sequence_of(kind)(p) for p in seen.sent(ends[0])} - {None}
    arrived = {sequence_of(kind)(p) for p in seen.received(ends[1])} - {None}
    truth = len(sent - arrived)
    summary = summary_of(read_lines(out))
    other = "reverse" if direction == "forward" else "forward"
    print(f"{direction}: probe {summary[direction]['lost']}, captures {truth}, other {summary[other]['lost']}, "
          f"unknown {summary['lost_unknown']}, late {summary['late']}")
    assert truth > 0
    # The last loss has no later packet that could tell its direction; a guest that stalls for longer
    # than the probe waits makes losses that are late answers, and are counted as such too.
    assert truth - summary["lost_unknown"] <= summary[direction]["lost"] <= truth + summary["late"]
    assert summary[other]["lost"] <= summary["late"]


def test_a_vanishing_device_is_rebuilt(lab, key_file, responder):
    site = lab.site("hk")
    process = site.spawn("pinger", ping_argv(lab, key_file, "--interval", "200ms", "--verbose"))
    log = site.log_path("pinger")

    def wait_for(what, condition):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if condition(log.read_text()):
                return
            time.sleep(0.3)
        pytest.fail(f"{what} did not come: {log.read_text()[-1500:]}")

    wait_for("an answer", lambda text: '"type":"reply"' in text)
    # The removal waits for whoever holds the device open, so it must be noticed without an event.
    site.run(["rdma", "link", "del", "rxe0"], timeout=20)
    try:
        wait_for("the loss of the device", lambda text: "transport is gone" in text)
    finally:
        site.run(["rdma", "link", "add", "rxe0", "type", "rxe", "netdev", "site0"])
    wait_for("the device's return", lambda text: text.count("transport is up") >= 2)
    answered = log.read_text().count('"type":"reply"')
    wait_for("answers again", lambda text: text.count('"type":"reply"') > answered + 3)
    assert process.stop() in (0, None)


def test_little_memory_is_pinned(lab, key_file, responder):
    site = lab.site("sg")
    status = site.run(["bash", "-c", f"cat /proc/$(pidof {PROGRAM.name})/status"]).out
    sizes = {line.split(":")[0]: int(line.split()[1]) for line in status.splitlines()
             if line.startswith(("VmPin", "VmLck", "VmRSS"))}
    print(sizes)
    assert sizes["VmPin"] + sizes["VmLck"] < 256
    assert sizes["VmRSS"] < 32 * 1024
