"""The command line of the cluster tool."""

import argparse
import json
import os
import signal
import sys

from fairlead_lab import LabError

from . import cluster as clusters
from . import controllers, images, kubernetes
from .cluster import Cluster
from .errors import ClusterError

_EPILOG = """examples:
  cluster build                         Kubernetes and images into the cache (the first time: 15 minutes)
  cluster up --nodes 2                  nodes hk and sg, 36 ms apart
  cluster kubectl get nodes -o wide
  cluster logs                          all logs into ./cluster-logs
  tests/lab/lab exec --name cluster hk -- rdma link      a cluster is a lab, too
  cluster down
"""


def _parser():
    parser = argparse.ArgumentParser(
        prog="cluster", description="A real Kubernetes on this machine; its nodes are the sites of a WAN lab.",
        epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    sub = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(name, run, text, named=True):
        one = sub.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        one.set_defaults(run=run)
        if named:
            one.add_argument("--name", default=os.environ.get("FAIRLEAD_CLUSTER_NAME", "cluster"),
                             help="which cluster (default: $FAIRLEAD_CLUSTER_NAME, else 'cluster')")
        return one

    build = add("build", _build, "build Kubernetes and the images into the cache, where they are missing",
                named=False)
    build.add_argument("--controllers", action="store_true", help="the controllers of JobSet, Kueue and Kubeflow Trainer, too")
    up = add("up", _up, "boot a cluster; returns once its nodes are Ready")
    up.add_argument("--nodes", type=int, default=2, help="how many (default 2)")
    up.add_argument("--file", help="the lab's sites file (default: the lab's own: hk, sg, tyo)")
    up.add_argument("--owner-pid", type=int, help="the cluster ends when this process ends")
    add("down", _down, "end a cluster and remove what it left, also after a crash")
    add("status", _status, "nodes, programs, where the API is").add_argument("--json", action="store_true")
    add("kubectl", _kubectl, "kubectl as the administrator; all that follows (after --name NAME) is passed on")
    logs = add("logs", _logs, "gather every log: control plane, kubelets, containerd, containers, consoles")
    logs.add_argument("--output", default="cluster-logs", help="folder (default: ./cluster-logs)")
    return parser


def _build(options):
    print("\n".join(map(str, kubernetes.ensure() + (controllers.ensure() if options.controllers else []))))
    for name, archive in images.standard().items():
        print(f"{images.reference(name)}  {archive}")


def _up(options):
    _print_status(Cluster.up(options.name, options.nodes, options.file, owner_pid=options.owner_pid).status())


def _down(options):
    if not clusters.take_down(options.name):
        print(f"cluster: no cluster '{options.name}' is up", file=sys.stderr)


def _status(options):
    about = Cluster.attach(options.name).status()
    if options.json:
        print(json.dumps(about, indent=2))
    else:
        _print_status(about)


def _print_status(about):
    print(f"cluster {about['name']}: Kubernetes {about['kubernetes']} at {about['api']}")
    print(f"  KUBECONFIG={about['kubeconfig']}")
    for name, ready in about["nodes"].items():
        print(f"  node {name:<8} {'Ready' if ready == 'True' else f'not Ready ({ready})'}")
    for name, state in about["programs"].items():
        if state != "running":
            print(f"  {name} {state}; 'cluster logs' gathers its log")


def _kubectl(options):
    cluster = Cluster.attach(options.name)
    program = str(kubernetes.program("kubectl"))
    os.execve(program, [program, *options.words], {**os.environ, "KUBECONFIG": str(cluster.kubeconfig)})


def _logs(options):
    files = Cluster.attach(options.name).gather_logs(options.output)
    print("\n".join(map(str, files)))


def split_kubectl(argv):
    """(words for this tool, words for kubectl): argparse would take kubectl's options for its own."""
    if argv[:1] != ["kubectl"] or argv[1:] in (["--help"], ["-h"]):
        return argv, []
    own = 3 if argv[1:2] == ["--name"] else 1
    return argv[:own], argv[own:]


def _interrupted(*_):
    raise KeyboardInterrupt


def main(argv=None):
    """Runs one command; the exit status."""
    signal.signal(signal.SIGTERM, _interrupted)
    own, passed_on = split_kubectl(sys.argv[1:] if argv is None else argv)
    options = _parser().parse_args(own)
    options.words = passed_on
    try:
        return options.run(options) or 0
    except (ClusterError, LabError) as error:
        print(f"cluster: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 141
    except KeyboardInterrupt:
        print("cluster: interrupted", file=sys.stderr)
        return 130
