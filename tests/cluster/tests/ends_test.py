"""Nothing of a cluster outlives the tool that was killed while it started one."""

import signal
import subprocess
import time

from conftest import ROOT, fresh_name
from fairlead_lab import state

TOOL = ROOT / "tests" / "cluster" / "cluster"


def test_a_tool_that_is_killed_leaves_nothing(tmp_path):
    name = fresh_name("killed")
    with open(tmp_path / "told", "w+") as told:
        tool = subprocess.Popen([TOOL, "up", "--name", name, "--nodes", "1"], stdout=told, stderr=told)
        try:
            deadline = time.monotonic() + 240
            while "answers at" not in (tmp_path / "told").read_text():
                assert tool.poll() is None and time.monotonic() < deadline, (tmp_path / "told").read_text()
                time.sleep(0.1)
            assert len(state.processes_of(state.folder_of(name))) >= 5  # The guest, etcd, API server, ...
            tool.send_signal(signal.SIGKILL)
            tool.wait()
            deadline = time.monotonic() + 60
            while state.folder_of(name).exists() or state.processes_of(state.folder_of(name)):
                assert time.monotonic() < deadline, "something is left"
                time.sleep(0.1)
        finally:
            tool.kill()
            tool.wait()
            subprocess.run([TOOL, "down", "--name", name], check=True, capture_output=True)
