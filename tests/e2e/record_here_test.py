"""record with bandwidth on a shaped loopback, and from a running extender; without a lab."""

import json
import subprocess
import time

import pytest

from extender_stack import BUILD, HEALTHY, Extender
from namespaces import unshare

PROGRAM = BUILD / "bin/fairlead-linkprobe"
RATE_MBIT = 200
# A network namespace of its own, whose loopback carries so much and whose packets are of an Ethernet's size.
SHELL = f"""
ip link set lo mtu 1500 up && tc qdisc add dev lo root tbf rate {RATE_MBIT}mbit burst 16kb latency 300ms || exit
"$1" respond --key-file "$2" --transport udp &
"$1" "${{@:3}}"
code=$?
kill $!
exit $code
"""


@pytest.fixture
def key_file(tmp_path):
    path = tmp_path / "key"
    path.write_text("0123456789abcdef0123456789abcdef\n")
    path.chmod(0o600)
    return path


def windows(path):
    return [line for line in map(json.loads, path.read_text().splitlines()) if line["type"] == "window"]


def compare(*arguments):
    return subprocess.run([PROGRAM, "compare", *map(str, arguments)], capture_output=True, text=True, timeout=60)


def test_bandwidth_is_in_the_windows_that_a_test_shaped(tmp_path, key_file):
    out = tmp_path / "r.jsonl"
    argv = ["record", "127.0.0.1", "--key-file", key_file, "--transport", "udp", "--out", out, "--window", "1s",
            "--interval", "20ms", "--for", "40s", "--bandwidth", "20s", "--ledger", tmp_path / "spent"]
    done = subprocess.run([*unshare("--net"), "bash", "-c", SHELL, "bash", PROGRAM, key_file, *argv],
                          capture_output=True, text=True, timeout=120)
    print(done.stdout, done.stderr)
    assert done.returncode == 0
    seen = windows(out)
    tested = [window for window in seen if window["tested"]]
    found = [window["bandwidth"] for window in seen if window["bandwidth"]]
    print(found, len(tested), len(seen))
    assert 2 <= len(tested) < len(seen)
    # A busy host sends slower than the line would take, never more than it carries.
    assert 1 <= len(found) <= 2
    for bandwidth in found:
        assert bandwidth["source"] in ("train", "train_at_least")
        assert 0 < bandwidth["bits_per_second"] < 1.1 * RATE_MBIT * 1e6
    shown = json.loads(compare(out, out, "--json").stdout)
    values = [(value["value"], value["before"]["windows"]) for value in shown["lines"][0]["values"]]
    assert sum(count for name, count in values if name == "bandwidth") == len(found)
    assert dict(values)["rtt_p50"] == len(seen) - len(tested)


def test_what_an_extender_tells_is_a_recording(tmp_path):
    out = tmp_path / "told.jsonl"
    with Extender(tmp_path) as extender:
        extender.feed(*HEALTHY)
        extender.await_state("hk", "sg", "Healthy")
        done = subprocess.run([PROGRAM, "record", "--from", extender.url("/links"), "--out", out, "--window", "1s",
                               "--for", "12s"], capture_output=True, text=True, timeout=60)
        print(done.stdout, done.stderr)
        assert done.returncode == 0
    header = json.loads(out.read_text().splitlines()[0])
    assert (header["source"], header["host"]) == ("extender", extender.url("/links"))
    seen = windows(out)
    assert {window["line"] for window in seen} == {"hk > sg", "sg > hk", "hk > tyo", "tyo > hk"}
    assert {window["rtt_p50_seconds"] for window in seen if window["line"] == "hk > sg"} == {0.0362}
    shown = compare(out, out)
    print(shown.stdout)
    assert shown.returncode == 0
    assert "told by an extender" in shown.stdout and "0 worse" in shown.stdout


def test_where_no_extender_answers_nothing_is_recorded(tmp_path):
    out = tmp_path / "none.jsonl"
    started = time.monotonic()
    done = subprocess.run([PROGRAM, "record", "--from", "http://127.0.0.1:1", "--out", out],
                          capture_output=True, text=True, timeout=60)
    print(done.stderr)
    assert done.returncode == 1 and "127.0.0.1:1" in done.stderr
    assert not out.exists() and time.monotonic() - started < 30
