"""The tool by itself: how a cluster begins and ends, and for whom it cannot."""

import os
import signal
import subprocess
import time

import pytest

from conftest import ROOT, fresh_name
from fairlead_cluster import Cluster
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


@pytest.mark.long
def test_three_nodes(tmp_path):
    name = fresh_name("three")
    try:
        with open(tmp_path / "told", "w+") as told:
            done = subprocess.run([TOOL, "up", "--name", name, "--nodes", "3"], stdout=told, stderr=told, timeout=560)
        assert done.returncode == 0, (tmp_path / "told").read_text()
        running = Cluster.attach(name)
        assert running.node_states() == {"hk": "True", "sg": "True", "tyo": "True"}
        assert {line.name for line in running.lab.lines()} == {"hk-sg", "hk-tyo", "sg-tyo"}
        running.nodes["tyo"].site.run(["ping", "-c", "1", "-W", "10", running.nodes["hk"].site.address])
    finally:
        subprocess.run([TOOL, "down", "--name", name], check=True, capture_output=True)


def as_nobody(cache):
    """What the tool says to a user without rights whose cache this is, when asked for a cluster."""
    words = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] if os.geteuid() == 0 else []
    done = subprocess.run([*words, "/usr/bin/python3", "-B", TOOL, "up", "--name", fresh_name("nobody"), "--nodes", "3"],
                          capture_output=True, text=True, timeout=60, env={
                              "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/nonexistent", "FAIRLEAD_CACHE": cache})
    return done.returncode, done.stderr


def test_a_user_who_may_not_write_to_the_cache_is_told_so(tmp_path):
    refused = tmp_path / "cache" / "kubernetes"
    for folder in (tmp_path / "cache", refused):
        folder.mkdir(mode=0o555)
    for cache in (tmp_path / "cache", "/proc/1/fd"):
        code, told = as_nobody(str(cache))
        assert code == 1 and "Traceback" not in told
        assert told.startswith(f"cluster: cache {cache}") and told.endswith("; set FAIRLEAD_CACHE to a writable folder\n")
