"""A real fairlead-deviceplugin on a node's /sys and /dev that a test makes up."""

import json
import subprocess
import sys
import time

from extender_stack import BUILD, ROOT

sys.path.append(str(ROOT / "tests" / "bench"))

import deviceplugin_bench as bench  # noqa: E402


class PluginOnTree:
    """Three HCAs: one that is well, one whose port is down, one that no pool can take. `with` ends it.

    `folder` has to be short: there are sockets below it."""

    def __init__(self, folder):
        root = folder / "root"
        bench.HCAS = 3
        bench.make_node(root)
        port = next((root / "sys/devices").glob("*/*/infiniband/mlx5_1")) / "ports/1"
        (port / "state").write_text("1: DOWN\n")
        (port / "phys_state").write_text("3: Disabled\n")
        (root / "dev/infiniband/uverbs2").unlink()
        self._log = open(folder / "log", "w", encoding="utf-8")
        self._plugin = bench.Plugin(BUILD / "bin/fairlead-deviceplugin", folder, self._log)
        self._ids = self._offered(folder)
        self.ops = self._ops_port(folder / "log")

    @staticmethod
    def _ops_port(log):
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            for line in log.read_text().splitlines():
                if '"ops_port"' in line:
                    return json.loads(line)["ops_port"]
            time.sleep(0.05)
        raise AssertionError("no start: " + log.read_text()[-2000:])

    def _offered(self, folder):
        listed = json.loads(subprocess.run(
            [BUILD / "bin/fairlead-deviceplugin", "list", "--json", "--config", folder / "fairlead.yaml", "--root",
             folder / "root"], check=True, capture_output=True).stdout)
        return [device["id"] for one in listed["resources"] if one["resource"] == bench.RESOURCE
                for device in one["devices"] if device["healthy"]]

    def allocate(self, times):
        """As kubelet does, over all devices that are well."""
        for last in (False, False, True):  # while no kubelet comes, the plugin makes a new socket now and then
            socket, = self._plugin.socket.parent.glob("fairlead-rdma_hca-*.sock")
            done = subprocess.run([BUILD / "bin/deviceplugin_allocate_often", socket, str(times), *self._ids],
                                  check=last, stdout=subprocess.DEVNULL)
            if done.returncode == 0:
                return

    def __enter__(self):
        return self

    def __exit__(self, *end):
        self._plugin.__exit__(*end)
        self._log.close()
