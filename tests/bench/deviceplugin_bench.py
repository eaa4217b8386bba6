#!/usr/bin/env python3
"""What the device plugin costs on a node of 16 HCAs with 4 slots each.

Builds such a node's /sys and /dev in a temporary folder, runs fairlead-deviceplugin on it and plays
kubelet: 1,000 Allocates through the plugin's socket, one after the other over all 64 devices. Then
its memory, and its CPU time while nothing happens. Then how long `doctor` takes to examine that
node. Needs neither root nor RDMA hardware.

    deviceplugin_bench.py --programs build/release/bin [--seconds 30]
"""
import argparse
import ctypes
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.request

HCAS, SLOTS, ALLOCATES = 16, 4, 1000
RESOURCE = "rdma/hca"
TARGET_P99_MS = 1
TARGET_RSS_MIB = 32
TARGET_CORE_PERCENT = 0.1
TARGET_START_S = 2
TARGET_DOCTOR_S = 2

CONFIG = """
deviceplugin:
  kubeletDirectory: {folder}/k
  registration: registry
  opsListen: 127.0.0.1:0
  probeSocket: {folder}/probe.sock
  pools:
    - {{resource: {resource}, slots: {slots}, network: host, trafficClass: 106}}
"""


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{text}\n")


def link(path, target):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(os.path.relpath(target, path.parent))


def make_hca(root, index):
    """A ConnectX port with a GID table of 256 places, four of them in use."""
    bus = f"{0x10 + 2 * index:02x}"
    function = root / f"sys/devices/pci0000:{bus}/0000:{bus}:00.0"
    hca, netdev = function / f"infiniband/mlx5_{index}", function / f"net/eth{index}"
    for name, text in {"vendor": "0x15b3", "device": "0x1021", "numa_node": index // 8}.items():
        write(function / name, text)
    for name, text in {"operstate": "up", "mtu": 9000, "dev_port": 0, "phys_port_name": "p0"}.items():
        write(netdev / name, text)
    for name, text in {"node_type": "1: CA", "fw_ver": "28.39.1002", "board_id": "MT_0000000838",
                       "node_guid": f"0c42:a103:0055:02{index:02x}"}.items():
        write(hca / name, text)
    port = hca / "ports/1"
    for name, text in {"state": "4: ACTIVE", "phys_state": "5: LinkUp", "link_layer": "Ethernet",
                       "rate": "400 Gb/sec (4X NDR)", "lid": "0x0"}.items():
        write(port / name, text)
    gids = [f"fe80:0000:0000:0000:0e42:a1ff:fe55:{index:04x}"] * 2 + \
           [f"0000:0000:0000:0000:0000:ffff:0a0d:{index:02x}01"] * 2
    for place in range(256):
        write(port / f"gids/{place}", gids[place] if place < len(gids) else ":".join(["0000"] * 8))
    for place in range(len(gids)):
        write(port / f"gid_attrs/types/{place}", "RoCE v2" if place % 2 else "IB/RoCE v1")
        write(port / f"gid_attrs/ndevs/{place}", netdev.name)
    link(function / "driver", root / "sys/bus/pci/drivers/mlx5_core")
    link(hca / "device", function)
    link(netdev / "device", function)
    link(root / f"sys/class/infiniband/{hca.name}", hca)
    link(root / f"sys/class/net/{netdev.name}", netdev)
    verbs = root / f"sys/class/infiniband_verbs/uverbs{index}"
    write(verbs / "ibdev", hca.name)
    write(verbs / "abi_version", 1)
    (root / f"dev/infiniband/uverbs{index}").symlink_to("/dev/null")


def make_node(root):
    (root / "sys/bus/pci/drivers/mlx5_core").mkdir(parents=True)
    (root / "dev/infiniband").mkdir(parents=True)
    (root / "dev/infiniband/rdma_cm").symlink_to("/dev/null")
    for index in range(HCAS):
        make_hca(root, index)


def cpu_seconds(pid):
    """Of the whole process, also of threads that have ended, to the nanosecond."""
    clock = ctypes.c_int()
    if error := ctypes.CDLL(None).clock_getcpuclockid(pid, ctypes.byref(clock)):
        raise OSError(error, os.strerror(error))
    return time.clock_gettime(clock.value)


def rss_mib(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024


def in_plugin(port, quantile):
    """The bucket of the plugin's own histogram that this share of the Allocates is in, in ms."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        text = answer.read().decode()
    buckets = re.findall(rf'allocate_duration_seconds_bucket{{resource="{RESOURCE}",le="([^"]+)"}} (\d+)', text)
    counts = {float(le): int(count) for le, count in buckets}
    return min(le for le, count in counts.items() if count >= quantile * counts[float("inf")]) * 1e3


class Plugin:
    """A running daemon that serves every resource."""

    def __init__(self, program, folder, log):
        config = folder / "fairlead.yaml"
        config.write_text(CONFIG.format(folder=folder, resource=RESOURCE, slots=SLOTS))
        registry = folder / "k/plugins_registry"  # short: a socket has a path of 107 bytes at most
        registry.mkdir(parents=True)
        begin = time.monotonic()
        self.process = subprocess.Popen([program, "--config", config, "--node-name", "bench", "--root",
                                         folder / "root"], stdin=subprocess.DEVNULL, stderr=log)
        while len(list(registry.glob("*.sock"))) < 2:
            if self.process.poll() is not None or time.monotonic() > begin + 60:
                sys.exit(f"deviceplugin_bench: it does not serve: {pathlib.Path(log.name).read_text()[-2000:]}")
            time.sleep(0.001)
        self.began_in = time.monotonic() - begin
        self.socket, = registry.glob("fairlead-rdma_hca-*.sock")

    def ops_port(self, log):
        for line in pathlib.Path(log.name).read_text().splitlines():
            if '"ops_port"' in line:
                return json.loads(line)["ops_port"]
        return sys.exit("deviceplugin_bench: it did not say its port")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def device_ids(program, folder):
    listed = json.loads(subprocess.run([program, "list", "--json", "--config", folder / "fairlead.yaml", "--root",
                                        folder / "root"], check=True, capture_output=True).stdout)
    ids = [device["id"] for one in listed["resources"] if one["resource"] == RESOURCE for device in one["devices"]]
    if len(ids) != HCAS * SLOTS:
        sys.exit(f"deviceplugin_bench: it offers {len(ids)} devices instead of {HCAS * SLOTS}")
    return ids


def doctor_seconds(program, folder):
    """Examines the node; what it finds wrong with it is of no interest here."""
    begin = time.monotonic()
    done = subprocess.run([program, "doctor", "--json", "--config", folder / "fairlead.yaml", "--root",
                           folder / "root"], capture_output=True)
    took = time.monotonic() - begin
    report = done.stdout.decode()
    if f"mlx5_{HCAS - 1}" not in report:
        sys.exit(f"deviceplugin_bench: doctor did not see all HCAs: {report[:500]} {done.stderr.decode()[:500]}")
    return took


def measure(programs, folder, seconds):
    """(what, value, target or None, unit) of each figure."""
    make_node(folder / "root")
    with open(folder / "log", "w") as log, Plugin(programs / "fairlead-deviceplugin", folder, log) as plugin:
        ids = device_ids(programs / "fairlead-deviceplugin", folder)
        allocate = [programs / "deviceplugin_allocate_often", plugin.socket]
        subprocess.run([*allocate, "100", *ids], check=True, stdout=subprocess.DEVNULL)
        took = json.loads(subprocess.run([*allocate, str(ALLOCATES), *ids], check=True, capture_output=True).stdout)
        inside = in_plugin(plugin.ops_port(log), 0.99)
        print(f"idle for {seconds} s", flush=True)
        before = cpu_seconds(plugin.process.pid)
        time.sleep(seconds)
        core = (cpu_seconds(plugin.process.pid) - before) / seconds
        return [("Allocate as kubelet sees it, p50", took["p50_us"] / 1e3, None, "ms"),
                ("Allocate as kubelet sees it, p99", took["p99_us"] / 1e3, TARGET_P99_MS, "ms"),
                ("Allocate within the plugin, p99 at most", inside, TARGET_P99_MS, "ms"),
                ("start to the sockets of all resources", plugin.began_in, TARGET_START_S, "s"),
                ("doctor of the whole node", doctor_seconds(programs / "fairlead-deviceplugin", folder),
                 TARGET_DOCTOR_S, "s"),
                ("resident memory", rss_mib(plugin.process.pid), TARGET_RSS_MIB, "MiB"),
                ("CPU of a core while idle", 100 * core, TARGET_CORE_PERCENT, "%")]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", required=True, type=pathlib.Path)
    parser.add_argument("--seconds", type=int, default=30)
    args = parser.parse_args()
    print(f"{ALLOCATES} Allocates at {HCAS * SLOTS} devices", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        rows = measure(args.programs.resolve(), pathlib.Path(folder), args.seconds)
    for name, value, target, unit in rows:
        verdict = "" if target is None else f"target {target} {'reached' if value <= target else 'MISSED'}"
        print(f"{name:50} {value:8.3f} {unit:7} {verdict}".rstrip())
    return 0


if __name__ == "__main__":
    sys.exit(main())
