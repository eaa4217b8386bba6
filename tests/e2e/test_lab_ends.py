"""However a lab's owner ends, nothing of the lab stays."""

import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest

from conftest import fresh_name
from fairlead_lab import Lab, LabError, state

LAB = pathlib.Path(__file__).resolve().parents[1] / "lab"

OWNER = """
import sys, time
sys.path.insert(0, sys.argv[1])
from fairlead_lab import Lab
Lab.up(sys.argv[2], document={"sites": [{"name": "only", "memory_mb": 512}]}, progress=lambda text: print(text, flush=True))
print("UP", flush=True)
time.sleep(600)
"""


def eventually(condition, what, seconds=20):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not after {seconds} s: {what}"
        time.sleep(0.05)


def guests_of(name):
    return state.processes_of(state.folder_of(name))


def is_gone(name):
    return not guests_of(name) and not state.folder_of(name).exists()


@pytest.fixture
def name():
    fresh = fresh_name("ends")
    yield fresh
    state.take_down(fresh)


def owner(name):
    # Who runs the tests in the background has SIGINT ignored, which children inherit.
    return subprocess.Popen([sys.executable, "-c", OWNER, str(LAB), name], stdout=subprocess.PIPE, text=True,
                            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))


def wait_for(process, text):
    for row in process.stdout:
        if text in row:
            return
    raise AssertionError(f"the owner ended without saying {text}")


@pytest.mark.parametrize("when", ["booting", "UP"])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_the_owners_end_ends_the_lab(name, when, number):
    process = owner(name)
    wait_for(process, when)
    eventually(lambda: guests_of(name), "a guest runs")
    process.send_signal(number)
    process.wait(20)
    eventually(lambda: is_gone(name), "guests and folder are gone")


def test_guests_die_with_a_killed_supervisor_and_down_cleans_up(name):
    process = owner(name)
    wait_for(process, "UP")
    folder = state.folder_of(name)
    os.kill(int((folder / "supervisor.pid").read_text()), signal.SIGKILL)
    eventually(lambda: not guests_of(name), "guests are gone")
    with pytest.raises(LabError, match="lab down"):
        Lab.attach(name)
    assert state.take_down(name)
    assert not folder.exists()
    process.kill()
    process.wait()


def test_down_ends_a_supervisor_that_hangs(name, monkeypatch):
    process = owner(name)
    wait_for(process, "UP")
    os.kill(int((state.folder_of(name) / "supervisor.pid").read_text()), signal.SIGSTOP)
    monkeypatch.setattr(state, "PATIENCE_S", 1.0)
    assert state.take_down(name)
    assert is_gone(name)
    process.kill()
    process.wait()


def test_up_cleans_a_stale_lab_but_not_a_running_one(name, two_sites):
    stale = state.folder_of(name)
    stale.mkdir(mode=0o700)
    (stale / "leftover").write_text("x")
    with Lab.up(name, document=two_sites) as lab:
        assert not (stale / "leftover").exists()
        with pytest.raises(LabError, match="already up"):
            Lab.up(name, document=two_sites)
        assert lab.site("east").run(["echo", "still here"]).out == "still here\n"
    assert is_gone(name)


def test_labs_side_by_side_do_not_meet(lab, name, two_sites):
    with Lab.up(name, document=two_sites) as other:
        assert set(state.names()) >= {lab.name, name}
        other.line("east-west").set(loss_pct=50)
        assert not lab.line("hk-sg").is_changed()
        # Both have a site at 172.20.1.2; each sees only its own.
        assert other.site("west").run(["hostname"]).out == "west\n"
        assert lab.site("sg").run(["hostname"]).out == "sg\n"
        assert lab.site("hk").run(["busybox", "ping", "-c", "2", "172.20.3.2"]).code == 0
        assert other.site("east").run(["busybox", "ping", "-c", "1", "-W", "1", "172.20.3.2"], check=False).code != 0
    assert lab.site("hk").run(["true"]).code == 0


def test_a_lab_passes_to_the_owner_it_is_given(name):
    owner_ = subprocess.Popen(["sleep", "600"])
    try:
        subprocess.run([LAB / "lab", "up", "--name", name, "--owner-pid", str(owner_.pid), "--file",
                        LAB / "sites.json"], check=True, timeout=300)
        assert len(guests_of(name)) == 3
    finally:
        owner_.kill()
        owner_.wait()
    eventually(lambda: is_gone(name), "guests and folder are gone")
