#!/usr/bin/env python3
"""What kube-scheduler's cycle costs with fairlead-extender, with an empty extender in Go, and with none.

One API server, as many nodes that do not exist as --nodes says, all of them candidates (nothing is
sampled). In every round each of the three gets a kube-scheduler of its own and a gang of --pods pods
to place; a cycle is what the scheduler itself counts as scheduling_algorithm_duration_seconds. The
figures are medians over the rounds, so that a neighbour on the machine disturbs them less.

    scheduling_bench.py --programs build/release/bin [--rounds 3] [--nodes 500] [--pods 256]
"""
import argparse
import os
import pathlib
import re
import ssl
import statistics
import sys
import tempfile
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / folder) for folder in ("cluster/tests", "cluster", "lab")]
LIMIT = 1.2
WARM_UP_PODS = 16
BASE = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\npercentageOfNodesToScore: 100\n"
EMPTY = """extenders:
  - urlPrefix: http://127.0.0.1:{port}/empty
    filterVerb: filter
    prioritizeVerb: prioritize
    weight: 10
    enableHTTPS: false
    nodeCacheCapable: true
    ignorable: false
    httpTimeout: 20s
    managedResources:
      - {{name: rdma/hca, ignoredByScheduler: false}}
"""


def cycles(port):
    """Seconds in scheduling cycles so far, and how many they were."""
    # Its certificate is one it has just made for itself, on our own loopback.
    trusting = ssl._create_unverified_context()
    with urllib.request.urlopen(f"https://127.0.0.1:{port}/metrics", context=trusting, timeout=30) as answer:
        text = answer.read().decode()
    return [float(re.search(rf"^scheduler_scheduling_algorithm_duration_seconds_{what} (\S+)", text, re.M)[1])
            for what in ("sum", "count")]


class Bench:
    def __init__(self, fleet, stand, ports, pods):
        self._fleet = fleet
        self._stand = stand
        self._port, = ports.free(1)
        self._pods = pods
        self._gangs = 0

    def place(self, configuration):
        """Milliseconds a cycle and pods a second of a scheduler so configured."""
        self._fleet.start_scheduler(configuration, [
            f"--secure-port={self._port}", "--bind-address=127.0.0.1", f"--cert-dir={self._fleet.folder}",
            "--authorization-always-allow-paths=/metrics"])
        try:
            self._gang(WARM_UP_PODS)
            before = cycles(self._port)
            begin = time.monotonic()
            took = self._gang(self._pods, begin)
            spent, count = (now - then for now, then in zip(cycles(self._port), before))
        finally:
            self._fleet.kill("kube-scheduler")
        if count < self._pods:
            sys.exit(f"scheduling_bench: {count:.0f} cycles for {self._pods} pods")
        return 1000 * spent / count, self._pods / took

    def _gang(self, size, begin=0.0):
        self._gangs += 1
        with self._stand.gang(self._fleet, f"gang-{self._gangs}", size, hcas=1) as made:
            made.wait_bound(timeout_s=300)
            return time.monotonic() - begin


def measure(args, folder):
    # These find the programs by this variable.
    os.environ["FAIRLEAD_BUILD"] = str(args.programs.resolve().parent)
    import extender_stand
    import go_server
    from fairlead_cluster import fake_cluster, ports

    nodes = fake_cluster.nodes_of(fake_cluster.SITES, args.nodes // len(fake_cluster.SITES))
    go, port = go_server.start(folder, {})
    try:
        with fake_cluster.FakeCluster(nodes) as fleet:
            extender_stand.allow(fleet)
            tokens = folder / "tokens"
            extender_stand.probe_tokens(fleet, tokens, fake_cluster.SITES)
            with extender_stand.Extender(fleet, folder, tokens) as ours:
                ours.feed()
                bench = Bench(fleet, extender_stand, ports, args.pods)
                variants = {"no extender": BASE, "empty extender in Go": BASE + EMPTY.format(port=port),
                            "fairlead-extender": ours.scheduler_config()}
                seen = {name: [] for name in variants}
                for number in range(args.rounds):
                    print(f"round {number + 1} of {args.rounds}", flush=True)
                    for name, configuration in variants.items():
                        seen[name].append(bench.place(configuration))
                return seen
    finally:
        go.terminate()
        go.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", required=True, type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--nodes", type=int, default=500)
    parser.add_argument("--pods", type=int, default=256)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        seen = measure(args, pathlib.Path(folder))
    print(f"{'kube-scheduler, ' + str(args.nodes) + ' candidates':34} {'cycle ms':>9} {'pods/s':>8}")
    medians = {}
    for name, rounds in seen.items():
        medians[name] = statistics.median(cycle for cycle, _ in rounds)
        print(f"{name:34} {medians[name]:9.2f} {statistics.median(rate for _, rate in rounds):8.1f}")
    ratio = medians["fairlead-extender"] / medians["empty extender in Go"]
    print(f"a cycle takes {ratio:.2f} times that with the empty one (limit {LIMIT}): "
          f"{'ok' if ratio <= LIMIT else 'MISSED'}")
    return 0 if ratio <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
