"""Programs on the host that a lab's supervisor holds; no guests."""

import json
import os
import pathlib
import signal
import sys
import time

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from fairlead_lab import LabError, lab, state  # noqa: E402
from fairlead_lab.host import HostPrograms  # noqa: E402

# Ignores what asks it to end and tells when it does so.
_STUBBORN = ["sh", "-c", 'trap "" TERM; echo "$MARK up"; while :; do sleep 0.1; done']


def until(condition, what):
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.02)


def alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except OSError:
        return False


def answers(folder):
    try:
        return "guests" in state.ask(folder, {"op": "guests"})
    except OSError:
        return False


@pytest.fixture
def held(tmp_path, monkeypatch):
    """(name, folder) of a lab without guests whose supervisor runs."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    folder, lock = state.claim("held")
    (folder / "guests.json").write_text(json.dumps({}))
    lab._start_supervisor(folder, lock)
    os.close(lock)
    until(lambda: answers(folder), "the supervisor answers")
    yield "held", folder
    state.take_down("held")


def test_a_program_runs_with_its_environment_and_log_and_is_stopped(held):
    host = HostPrograms(held[1])
    pid = host.spawn("one", _STUBBORN, {"MARK": "here"})
    until(lambda: "here up" in host.log_path("one").read_text(), "it writes")
    assert host.states()["one"] == (pid, None)
    with pytest.raises(LabError, match="already runs"):
        host.spawn("one", ["true"])
    assert host.stop("one", grace_s=0.2) == -signal.SIGKILL
    host.spawn("one", ["sh", "-c", "exit 3"])
    until(lambda: host.states()["one"].exit == 3, "it ends")


def test_what_cannot_start_or_was_never_started_is_said(held):
    host = HostPrograms(held[1])
    with pytest.raises(LabError, match="/no/such/program: No such file"):
        host.spawn("none", ["/no/such/program"])
    with pytest.raises(LabError, match="nothing named 'other'"):
        host.stop("other")


def test_taking_the_lab_down_ends_programs_and_their_children(held):
    name, folder = held
    host = HostPrograms(folder)
    pid = host.spawn("parent", ["sh", "-c", "sleep 1000 & echo $!; wait"])
    until(lambda: host.log_path("parent").read_text().strip(), "the child starts")
    child = int(host.log_path("parent").read_text())
    assert state.take_down(name)
    assert not folder.exists() and not alive(pid)
    until(lambda: not alive(child), "the child ends")


def test_programs_die_with_a_supervisor_that_is_killed(held):
    name, folder = held
    host = HostPrograms(folder)
    pid = host.spawn("one", _STUBBORN, {"MARK": "here"})
    until(lambda: "here up" in host.log_path("one").read_text(), "it writes")
    os.kill(int((folder / "supervisor.pid").read_text()), signal.SIGKILL)
    until(lambda: not alive(pid), "the program ends")
    assert folder.exists() and not state.is_running(folder)
    with pytest.raises(LabError, match="does not answer"):
        host.states()
    assert state.take_down(name) and not folder.exists()
