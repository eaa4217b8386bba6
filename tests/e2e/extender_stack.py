"""A real fairlead-extender on free ports of the loopback, and stand-ins for its probes."""

import json
import os
import pathlib
import signal
import subprocess
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("FAIRLEAD_BUILD", ROOT / "build" / "ci"))
NODES = {"hk1": "hk", "hk2": "hk", "sg1": "sg", "tyo1": "tyo"}


def write_config(folder, tls=None, capacities=(), **extender):
    """The configuration of three sites as fairlead.yaml in `folder`, with a token for each node.

    `tls` maps certificateFile, keyFile and caFile to paths; `capacities` lists lines as
    (site, site, "10Gbps")."""
    tokens = folder / "tokens"
    tokens.mkdir(mode=0o700, exist_ok=True)
    for node in NODES:
        (tokens / node).write_text(f"token-of-{node}-0123456789abcdef\n")
    keys = {"httpListen": "127.0.0.1:0", "grpcListen": "127.0.0.1:0", "opsListen": "127.0.0.1:0",
            "tokenDirectory": str(tokens), **extender}
    lines = ["tls:"] + [f"  {key}: {path}" for key, path in tls.items()] if tls else []
    lines += ["sites:", "  - {name: hk, latitude: 22.3, longitude: 114.2}",
             "  - {name: sg, latitude: 1.35, longitude: 103.8}",
             "  - {name: tyo, latitude: 35.7, longitude: 139.7}", "nodes:"]
    lines += [f"  - {{name: {node}, site: {site}, hcas: 1}}" for node, site in NODES.items()]
    if capacities:
        lines += ["lines:"]
        lines += [f"  - {{between: [{a}, {b}], capacity: {rate}}}" for a, b, rate in capacities]
    lines += ["extender:"] + [f"  {key}: {value}" for key, value in keys.items()]
    config = folder / "fairlead.yaml"
    config.write_text("\n".join(lines) + "\n")
    return config


class Extender:
    """The running program; `with` ends it."""

    def __init__(self, folder, config=None, **settings):
        """`config`: a file of its own, with the nodes' tokens in `folder`/tokens; else write_config's."""
        self.folder = folder
        self.config = config or write_config(folder, **settings)
        self.log = open(folder / "extender.log", "w+", encoding="utf-8")
        self.process = subprocess.Popen([BUILD / "bin/fairlead-extender", "--config", self.config],
                                        stderr=self.log)
        self.feeder = None
        entry = self._await_ports()
        self.http, self.grpc, self.ops = (entry[f"{k}_port"] for k in ("http", "grpc", "ops"))

    def _await_ports(self):
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            for line in (self.folder / "extender.log").read_text().splitlines():
                if '"http_port"' in line:
                    return json.loads(line)
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        raise AssertionError("no start: " + (self.folder / "extender.log").read_text())

    def feed(self, *lines):
        """Makes stand-in probes report these paths, now and until told otherwise."""
        script = self.folder / "script"
        fresh = self.folder / "script.new"
        fresh.write_text("\n".join(lines) + "\n")
        fresh.replace(script)
        if self.feeder is None:
            self.feeder = subprocess.Popen(
                [BUILD / "bin/extender_feeder", f"127.0.0.1:{self.grpc}", self.folder / "tokens",
                 script], stdout=subprocess.DEVNULL)

    def url(self, path):
        return f"http://127.0.0.1:{self.http}{path}"

    def get(self, path, port=None):
        with urllib.request.urlopen(f"http://127.0.0.1:{port or self.http}{path}", timeout=30) as r:
            return r.read().decode()

    def post(self, path, body):
        request = urllib.request.Request(self.url(path), body.encode(), method="POST")
        with urllib.request.urlopen(request, timeout=30) as reply:
            return json.loads(reply.read())

    def links(self, query=""):
        return json.loads(self.get("/links.json" + query))

    def link(self, source, target):
        found = [l for l in self.links()["links"] if (l["from"], l["to"]) == (source, target)]
        return found[0] if found else None

    def await_state(self, source, target, state):
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            link = self.link(source, target)
            if link and link["state"] == state:
                return link
            time.sleep(0.1)
        raise AssertionError(f"{source}-{target} is {link}, expected {state}")

    def stop(self):
        """Ends the extender as Kubernetes does; returns the exit code and the seconds it took."""
        started = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=30)
        return code, time.monotonic() - started

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.feeder:
            self.feeder.kill()
            self.feeder.wait()
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.log.close()


HEALTHY = ("path hk1 sg1 sg 36.2 0.4 0 0 HEALTHY NONE", "path sg1 hk1 hk 36.4 0.4 0 0 HEALTHY NONE",
           "path hk1 tyo1 tyo 50.3 0.7 0 0 HEALTHY NONE",
           "path tyo1 hk1 hk 50.4 0.7 0 0 HEALTHY NONE")
