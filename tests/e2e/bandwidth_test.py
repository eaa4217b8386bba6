"""`fairlead-linkprobe bw` on real rxe devices: what it finds, beside ib_write_bw, and what ends it."""

import json
import os
import pathlib
import re
import time

import pytest

pytestmark = pytest.mark.long

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("FAIRLEAD_BUILD", ROOT / "build" / "ci")) / "bin" / "fairlead-linkprobe"
QPS = 4
# An emulated CPU that is taken away for a moment looks like harm at the far end, so a test is tried again.
TRIES = 4


@pytest.fixture
def key_file(lab):
    path = lab.share / "bw.key"
    path.write_text("0123456789abcdef0123456789abcdef\n")
    path.chmod(0o600)
    return str(path)


@pytest.fixture
def responder(lab, key_file):
    site = lab.site("sg")
    process = site.spawn("bw-responder", [PROGRAM, "respond", "--key-file", key_file, "--verbose"])
    site.wait_for_port(7473, 30)
    return process


def bw_argv(lab, key_file, *more):
    return [PROGRAM, "bw", f"{lab.site('sg').address}:7473", "--key-file", key_file, "--json", "--qps", QPS,
            "--line", "hk-sg", "--quota", "2TB", "--ledger", "/tmp/bw-spent", *more]


def bw(lab, key_file, *more, until=("line", "sender")):
    """The result of a test that ended as it should; the lab's own stalls are met by trying again."""
    for _ in range(TRIES):
        done = lab.site("hk").run(bw_argv(lab, key_file, *more), timeout=180, check=False)
        lines = [json.loads(line) for line in done.out.splitlines() if line.startswith("{")]
        result = next((line for line in lines if line["type"] == "result"), None)
        if result is None:
            pytest.fail(f"no result: {done.err[-1500:]}")
        print(result["source"], result["line_bits_per_second"], result.get("saturation", result.get("train")))
        if "saturation" not in result or result["saturation"]["end"] in until:
            return result
    pytest.fail(f"ended {TRIES} times by {result['saturation']['end']}: {result['saturation']['evidence']}")


def ib_write_bw(lab, seconds=4):
    """Payload bytes per second as perftest sees them."""
    words = ["ib_write_bw", "-d", "rxe0", "-x", "1", "-u", "17", "-q", str(QPS), "-s", "65536", "-D", str(seconds)]
    words.append("-F")  # whatever the CPU's frequency governor
    server = lab.site("sg").spawn("ib-server", words)
    lab.site("sg").wait_for_port(18515, 30)
    out = lab.site("hk").run([*words, lab.site("sg").address], timeout=120).out
    server.wait(60)
    numbers = [line.split() for line in out.splitlines() if re.match(r"^\s*65536\s", line)]
    return float(numbers[-1][3]) * 1048576


@pytest.mark.parametrize("rate_mbit", [20, 100])
def test_a_shaped_line_is_found(lab, key_file, responder, rate_mbit):
    with lab.line("hk-sg").changed(rate_mbit=rate_mbit, jitter_ms=0):
        for _ in range(TRIES):  # a busy emulated CPU delivers less than the line would take, never more
            result = bw(lab, key_file, "--rate", f"{rate_mbit}Mbps", until=("line",))
            found = result["line_bits_per_second"] / (rate_mbit * 1e6)
            print(f"{rate_mbit} Mbit/s: found {found:.3f} of it, spent {result['spent_bytes'] / 1e6:.1f} MB")
            if abs(found - 1) < 0.05:
                break
    assert abs(found - 1) < 0.05
    assert result["source"] == "saturation" and result["is_capacity"]
    delivery = result["saturation"]["delivery"]
    lowest, mean, highest = (delivery[f"{name}_bytes_per_second"] for name in ("lowest", "payload", "highest"))
    assert lowest <= mean <= highest
    assert result["advice"]["ack_timeout"] >= 16


def test_an_unshaped_line_gives_what_perftest_gets(lab, key_file, responder):
    ratios = []
    for _ in range(3):
        theirs = ib_write_bw(lab)
        result = bw(lab, key_file, "--hold", "3s")
        ours = result["saturation"]["delivery"]["payload_bytes_per_second"]
        ratios.append(ours / theirs)
        print(f"bw {ours / 1e6:.2f} MB/s, ib_write_bw {theirs / 1e6:.2f} MB/s: {ratios[-1]:.3f}")
        if ratios[-1] >= 0.95:
            break
    assert max(ratios) >= 0.95


@pytest.mark.parametrize("rate_mbit", [20, 100])
def test_trains_tell_the_shaped_rate(lab, key_file, responder, rate_mbit):
    with lab.line("hk-sg").changed(rate_mbit=rate_mbit, jitter_ms=0):
        result = bw(lab, key_file, "--train")
    found = result["train"]["bytes_per_second"] * 8 / (rate_mbit * 1e6)
    print(f"{rate_mbit} Mbit/s: trains found {found:.3f} of it")
    assert abs(found - 1) < 0.10
    assert result["train"]["trains"] >= 10


def test_a_step_during_the_test_ends_it(lab, key_file, responder):
    site = lab.site("hk")
    line = lab.line("hk-sg")
    with line.changed(rate_mbit=100, jitter_ms=0):
        process = site.spawn("bw-step", bw_argv(lab, key_file, "--hold", "25s"))
        process.wait_for_log('"phase":"hold"', 90)
        time.sleep(2)
        line.set(rate_mbit=20)
        begin = time.monotonic()
        code = process.wait(60)
        took = time.monotonic() - begin
    result = next(json.loads(text) for text in process.log().splitlines() if '"type":"result"' in text)
    print(f"ended {took:.2f} s after the step: {result['saturation']['evidence']}")
    assert result["saturation"]["end"] == "harm" and code == 1
    assert "delivery fell from" in result["saturation"]["evidence"]


def test_a_quota_holds_over_restarts(lab, key_file, responder):
    argv = ["--quota", "3MB", "--line", "quota-line"]
    site = lab.site("hk")
    spent = 0
    for _ in range(6):
        done = site.run(bw_argv(lab, key_file, *argv, "--max-bytes", "1MB"), timeout=120, check=False)
        lines = [json.loads(text) for text in done.out.splitlines() if '"type":"result"' in text]
        if not lines:
            break
        spent += lines[0]["spent_bytes"]
    assert spent == 3_000_000
    assert "are spent" in done.err and done.code == 1


def test_a_peer_that_dies_ends_it_clearly(lab, key_file, responder):
    site = lab.site("hk")
    process = site.spawn("bw-orphan", bw_argv(lab, key_file, "--hold", "25s"))
    process.wait_for_log('"phase":"(ramp|approach|hold)"', 90)
    responder.signal(9)
    assert process.wait(60) == 1
    log = process.log()
    print(log[-600:])
    assert '"end":"silent"' in log or "queue pair" in log


def test_only_one_tests_with_a_node(lab, key_file, responder):
    process = lab.site("hk").spawn("bw-first", bw_argv(lab, key_file, "--hold", "15s"))
    process.wait_for_log('"phase":"(ramp|approach|hold)"', 90)
    # From the same node, and from another to the same peer.
    here = lab.site("hk").run(bw_argv(lab, key_file), timeout=60, check=False)
    assert here.code == 1 and "another bandwidth test runs on this node" in here.err
    there = lab.site("tyo").run(bw_argv(lab, key_file), timeout=60, check=False)
    assert there.code == 1 and "is testing with this node" in there.err
    process.stop()
