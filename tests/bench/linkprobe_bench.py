#!/usr/bin/env python3
"""What a linkprobe costs: CPU, memory and bytes at 60 probes a second over the UDP rung.

Two network namespaces joined by a veth pair, a probe in each, the extender beside the first. The
first probe sends 60 probes a second and reports; its peer sends next to none, then 60 too. In the
same run udp_floor.cc makes the system calls of 60 probes and nothing else: what no probe can go
below on this machine. Needs root.

    linkprobe_bench.py --programs build/release/bin [--seconds 30]
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

PROBES_PER_SECOND = 60
SILENT = 0.1  # the least that the configuration takes
TARGET_CORE_PERCENT = 0.5
TARGET_RSS_MIB = 32
TARGET_KBIT_AT_10_PPS = 20


def ip(*words, namespace=None):
    enter = ["ip", "netns", "exec", namespace] if namespace else []
    subprocess.run([*enter, "ip", *words], check=True)


class Namespaces:
    """Two namespaces, named after this process, with 10.98.0.1 and 10.98.0.2."""

    def __init__(self):
        self.names = [f"flbench{os.getpid()}{end}" for end in "ab"]

    def __enter__(self):
        for name in self.names:
            ip("netns", "add", name)
        ip("link", "add", "veth0", "netns", self.names[0], "type", "veth", "peer", "veth0", "netns", self.names[1])
        for i, name in enumerate(self.names):
            ip("addr", "add", f"10.98.0.{i + 1}/24", "dev", "veth0", namespace=name)
            ip("link", "set", "veth0", "up", namespace=name)
            ip("link", "set", "lo", "up", namespace=name)
        return self

    def __exit__(self, *_):
        for name in self.names:
            subprocess.run(["ip", "netns", "del", name], check=False)

    def spawn(self, index, command, log):
        return subprocess.Popen(["ip", "netns", "exec", self.names[index], *map(str, command)],
                                stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def sent_bytes(self, index):
        return int(subprocess.run(
            ["ip", "netns", "exec", self.names[index], "cat", "/sys/class/net/veth0/statistics/tx_bytes"],
            check=True, capture_output=True).stdout)


CONFIG = """
sites:
  - {{name: a}}
  - {{name: b}}
nodes:
  - {{name: a-1, site: a, hcas: 1}}
  - {{name: b-1, site: b, hcas: 1}}
tls: {{plaintext: true}}
linkprobe:
  extender: 10.98.0.1:8472
  sessionAdvertise: 10.98.0.{index}:7471
  transport: udp
  probesPerSecond: {rate}
  tokenFile: {folder}/tokens/{node}
extender:
  tokenDirectory: {folder}/tokens
"""


def cpu_seconds(pid):
    """Of all threads that live, to the nanosecond: a probe's work is far shorter than a clock tick."""
    return sum(int((task / "schedstat").read_text().split()[0])
               for task in pathlib.Path(f"/proc/{pid}/task").iterdir()) / 1e9


def rss_mib(pid):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError(f"process {pid} shows no VmRSS")


def answered(namespaces, index):
    """Probes answered so far, from the probe's own metrics."""
    text = subprocess.run(
        ["ip", "netns", "exec", namespaces.names[index], sys.executable, "-c",
         "import urllib.request as u; print(u.urlopen('http://127.0.0.1:9471/metrics', timeout=5).read().decode())"],
        check=False, capture_output=True, text=True).stdout
    return sum(float(line.rsplit(" ", 1)[1]) for line in text.splitlines()
               if line.startswith("fairlead_linkprobe_probes_answered_total"))


def measure(namespaces, programs, folder, seconds, peer_rate):
    (folder / "tokens").mkdir()
    processes = []
    with open(folder / "log", "w") as log:
        try:
            for index, node in enumerate(("a-1", "b-1")):
                token = folder / "tokens" / node
                token.write_text(f"bench-token-of-{node}\n")
                token.chmod(0o600)
                path = folder / f"{node}.yaml"
                path.write_text(CONFIG.format(index=index + 1, node=node, folder=folder,
                                              rate=PROBES_PER_SECOND if index == 0 else peer_rate))
            processes.append(namespaces.spawn(0, [programs / "fairlead-extender", "--config", folder / "a-1.yaml"], log))
            for index, node in enumerate(("a-1", "b-1")):
                processes.append(namespaces.spawn(
                    index, [programs / "fairlead-linkprobe", "--config", folder / f"{node}.yaml",
                            "--node-name", node], log))
            print("waiting for the probes to answer each other", flush=True)
            deadline = time.monotonic() + 60
            while answered(namespaces, 0) < PROBES_PER_SECOND * 5:
                if time.monotonic() > deadline:
                    sys.exit(f"linkprobe_bench: no answers in 60 s: {(folder / 'log').read_text()[-2000:]}")
                time.sleep(1)
            probe = processes[1].pid
            before = time.monotonic(), cpu_seconds(probe), namespaces.sent_bytes(0), answered(namespaces, 0)
            print(f"measuring for {seconds} s", flush=True)
            time.sleep(seconds)
            after = time.monotonic(), cpu_seconds(probe), namespaces.sent_bytes(0), answered(namespaces, 0)
            return before, after, rss_mib(probe)
        finally:
            for process in processes:
                process.terminate()
            for process in processes:
                process.wait()


def measure_floor(namespaces, folder, seconds):
    """Seconds of CPU a second of the prober that only makes the system calls."""
    binary = folder / "udp_floor"
    subprocess.run(["g++", "-std=c++20", "-O2", "-o", binary, pathlib.Path(__file__).with_name("udp_floor.cc")],
                   check=True)
    processes = []
    try:
        processes.append(namespaces.spawn(1, [binary, "echo", "10.98.0.2"], None))
        processes.append(namespaces.spawn(0, [binary, "send", "10.98.0.1", "10.98.0.2", PROBES_PER_SECOND], None))
        time.sleep(1)
        before = time.monotonic(), cpu_seconds(processes[1].pid)
        print(f"measuring the system calls alone for {seconds} s", flush=True)
        time.sleep(seconds)
        after = time.monotonic(), cpu_seconds(processes[1].pid)
        return (after[1] - before[1]) / (after[0] - before[0])
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", required=True, type=pathlib.Path)
    parser.add_argument("--seconds", type=int, default=30)
    args = parser.parse_args()
    rows = []
    with Namespaces() as namespaces, tempfile.TemporaryDirectory() as folder:
        floor = measure_floor(namespaces, pathlib.Path(folder), args.seconds)
    for peer_rate, label in ((SILENT, "60 probes sent a second"), (PROBES_PER_SECOND, "and 60 answered too")):
        with Namespaces() as namespaces, tempfile.TemporaryDirectory() as folder:
            before, after, rss = measure(namespaces, args.programs.resolve(), pathlib.Path(folder), args.seconds,
                                         peer_rate)
        elapsed, cpu, sent, done = (b - a for a, b in zip(before, after))
        print(f"{label}: {done / elapsed:.1f} probes answered a second")
        target = TARGET_CORE_PERCENT if peer_rate == SILENT else None
        rows.append((f"CPU of a core, {label}", 100 * cpu / elapsed, target, "%"))
        if target is not None:
            rows.append(("  the system calls of it alone", 100 * floor, None, "%"))
            rows.append(("  ratio", cpu / elapsed / floor, None, "times"))
    rows.append(("resident memory", rss, TARGET_RSS_MIB, "MiB"))
    # Half of what a namespace sends is its own probes, half its answers; gRPC is in it too.
    kbit = sent * 8 / 1000 / elapsed / 2 * 10 / PROBES_PER_SECOND
    rows.append(("per path and direction at 10 a second", kbit, TARGET_KBIT_AT_10_PPS, "kbit/s"))
    for name, value, target, unit in rows:
        verdict = "" if target is None else f"target {target} {'reached' if value <= target else 'MISSED'}"
        print(f"{name:50} {value:8.2f} {unit:7} {verdict}".rstrip())
    return 0


if __name__ == "__main__":
    sys.exit(main())
