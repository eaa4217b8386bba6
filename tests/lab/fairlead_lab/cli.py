"""The command line of the lab."""

import argparse
import os
import signal
import sys

from . import accel, commands
from .errors import LabError
from .impairment import DISTRIBUTIONS
from .line import DIRECTIONS

_EPILOG = """examples:
  lab up                                            hk, sg, tyo with one HCA each
  lab exec hk -- ping -c 3 172.20.2.2
  lab line hk-sg --delay 43ms                       each way; 'lab line' alone shows all lines
  lab line hk-sg --loss 5% --direction forward      only from hk to sg
  lab line hk-sg --restore                          back to the sites file
  lab capture hk-sg --seconds 10                    pcap files of site0 at both ends
  lab down
"""


def _parser():
    parser = argparse.ArgumentParser(
        prog="lab", description="Sites with one RDMA device each (rdma_rxe in QEMU guests), joined by emulated WAN lines.",
        epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    sub = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(name, run, text):
        one = sub.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        one.set_defaults(run=run)
        if name != "list":
            one.add_argument("--name", default=os.environ.get("FAIRLEAD_LAB_NAME", "default"),
                             help="which lab (default: $FAIRLEAD_LAB_NAME, else 'default')")
        return one

    up = add("up", commands.up, "boot a lab")
    up.add_argument("--file", help="JSON file of sites and lines (default: sites.json beside the tool)")
    up.add_argument("--accel", choices=accel.CHOICES, help="default auto: KVM where a guest boots with it")
    up.add_argument("--owner-pid", type=int, help="the lab ends when this process ends")
    add("down", commands.down, "end a lab and remove what it left, also after a crash").add_argument(
        "--all", action="store_true", help="every lab of this user")
    add("status", commands.status, "what runs, addresses, ports, lines").add_argument("--json", action="store_true")
    add("list", commands.names, "the labs of this user")
    _add_line(add)
    _add_commands(add)
    capture = add("capture", commands.capture, "tcpdump on site0 at both ends of a line")
    capture.add_argument("line")
    capture.add_argument("--seconds", type=float, help="default: until Ctrl-C")
    capture.add_argument("--output", default=".", help="folder for the pcap files (default: here)")
    capture.add_argument("--snap", type=int, default=0, help="bytes kept of each packet (default: all)")
    capture.add_argument("--filter", default="", help="tcpdump filter beyond this line's packets")
    _add_files(add)
    return parser


def _add_line(add):
    line = add("line", commands.line, "show lines, or change what happens to one")
    line.add_argument("line", nargs="?", help="such as hk-sg; forward is hk to sg")
    line.add_argument("--direction", choices=DIRECTIONS, default="both")
    line.add_argument("--delay", help="one way, each direction chosen, e.g. 18ms")
    line.add_argument("--jitter", help="standard deviation, e.g. 1ms")
    line.add_argument("--distribution", choices=DISTRIBUTIONS, help="of the jitter")
    line.add_argument("--loss", help="random loss, e.g. 1%%")
    line.add_argument("--gemodel", help="loss in bursts (Gilbert-Elliott): 'p r [1-h [1-k]]', e.g. '1%% 30%%'")
    line.add_argument("--duplicate", help="e.g. 1%%")
    line.add_argument("--reorder", help="share of packets that skip the delay, e.g. 1%%")
    line.add_argument("--corrupt", help="share of packets with a flipped bit, e.g. 0.1%%")
    line.add_argument("--rate", help="shape to, e.g. 100mbit; 'none' ends it")
    line.add_argument("--ecn", choices=("on", "off"), help="mark ECN-capable packets instead of losing them")
    line.add_argument("--limit", help="packets that a direction holds; 'auto' is computed from rate and delay")
    line.add_argument("--restore", "--clear", action="store_true", help="back to the sites file")


def _add_commands(add):
    run = add("exec", commands.execute, "run a command in a site; its output and exit status are passed on")
    run.add_argument("-t", "--tty", action="store_true", help="with a terminal")
    run.add_argument("-d", "--detach", metavar="DAEMON", help="leave it running under this name")
    run.add_argument("site")
    run.add_argument("argv", nargs="+", metavar="-- command")
    add("shell", commands.shell, "a shell in a site").add_argument("site")
    stop = add("stop", commands.stop, "stop what 'exec --detach' started; ends with its exit status")
    stop.add_argument("site")
    stop.add_argument("daemon")
    logs = add("logs", commands.logs, "what a daemon wrote, or the site's console")
    logs.add_argument("site")
    logs.add_argument("daemon", nargs="?")
    logs.add_argument("-f", "--follow", action="store_true")


def _add_files(add):
    put = add("put", commands.put, "copy a file into a site")
    put.add_argument("site")
    put.add_argument("source")
    put.add_argument("target")
    get = add("get", commands.get, "copy a file out of a site")
    get.add_argument("site")
    get.add_argument("source")
    get.add_argument("target", nargs="?", default=".")
    forward = add("forward", commands.forward, "make a TCP port of a site reachable; prints the port on 127.0.0.1")
    forward.add_argument("site")
    forward.add_argument("port", type=int)
    add("refresh", commands.refresh, "make the sites see programs that were rebuilt since they ran")


def _interrupted(*_):
    raise KeyboardInterrupt


def main(argv=None):
    """Runs one command; the exit status."""
    signal.signal(signal.SIGTERM, _interrupted)
    options = _parser().parse_args(argv)
    try:
        return options.run(options) or 0
    except LabError as error:
        print(f"lab: {error}", file=sys.stderr)
        return 125 if options.command == "exec" else 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 141
    except KeyboardInterrupt:
        print("lab: interrupted", file=sys.stderr)
        return 130
