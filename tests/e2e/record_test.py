"""record and compare on real rxe devices: a line that was changed, and a recorder that is killed."""

import json
import subprocess
import time

import pytest

from verbs_probe_test import PROGRAM, key_file, responder  # noqa: F401

pytestmark = pytest.mark.long


def record_argv(lab, key_file, out, *more):
    return [PROGRAM, "record", lab.site("sg").address, "--key-file", key_file, "--transport", "verbs",
            "--out", str(out), "--window", "1s", "--interval", "40ms", *more]


def compare(*arguments):
    return subprocess.run([PROGRAM, "compare", *map(str, arguments)], capture_output=True, text=True,
                          check=True, timeout=60).stdout


def test_a_changed_line_is_worse_by_what_was_changed(lab, key_file, responder):  # noqa: F811
    before, after, picture = (lab.share / name for name in ("before.jsonl", "after.jsonl", "change.svg"))
    lab.site("hk").run(record_argv(lab, key_file, before, "--for", "60s"), timeout=120)
    line = lab.line("hk-sg")
    line.set(delay_ms=line.settings("forward").delay_ms + 20, loss_pct=15, direction="forward")
    lab.site("hk").run(record_argv(lab, key_file, after, "--for", "60s"), timeout=120)
    shown = json.loads(compare(before, after, "--json", "--svg", picture))
    print(compare(before, after))
    values = {value["value"]: value for value in shown["lines"][0]["values"]}
    assert shown["lines"][0]["transport"] == "rdma_ud_sw"
    rtt = values["rtt_p50"]
    # Guests that stall make windows hang together; then it may only be said that they are too few.
    honest = ("worse", "too few windows to say")
    assert rtt["verdict"] in honest
    assert abs(rtt["difference"] - 0.020) < 0.008
    loss = values["loss_forward"]
    assert loss["verdict"] in honest and abs(loss["difference"] - 0.15) < 0.05
    assert values["loss_reverse"]["verdict"] != "worse"
    assert json.loads(compare(before, after, "--json")) == shown  # the same each time
    assert picture.read_text().startswith("<?xml")


def test_a_killed_recorder_leaves_what_it_saw(lab, key_file, responder):  # noqa: F811
    out = lab.share / "killed.jsonl"
    process = lab.site("hk").spawn("recorder", record_argv(lab, key_file, out, "--for", "10m"))
    deadline = time.monotonic() + 60
    while not out.exists() or out.read_text().count('"window"') < 3:
        assert time.monotonic() < deadline, "no windows"
        time.sleep(0.3)
    lab.site("hk").run(["pkill", "-KILL", "-f", "killed.jsonl"])
    windows = out.read_text().count('"type":"window"')
    assert process.stop() != 0
    shown = json.loads(compare(out, out, "--json"))
    assert shown["before"]["complete"] is False
    assert shown["lines"][0]["values"][0]["before"]["windows"] >= min(windows, 3)
