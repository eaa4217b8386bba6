"""Starts, asks and stops the programs of one run."""

import http.client
import json
import pathlib
import signal
import ssl
import subprocess
import time
import urllib.error
import urllib.request

from fairlead_lab import HOST

from . import config
from .links import Links
from .metrics import Metrics
from .pki import Pki

# Dwell and recovery of minutes are right for production and too long to watch; the margins are those
# of emulated CPUs, whose own noise is some milliseconds.
SHORT_DETECTOR = {
    "bandFloor": "10ms", "pdvFloor": "10ms", "pdvWindow": "2s", "lossWindow": "15s", "lossCriticalWindow": "10s",
    "recovery": "6s", "dwell": "8s", "flapPenaltyMax": "8s", "hostNoise": "60ms",
}

_OPS_PORT = 9471


class StackError(Exception):
    """A program did not do what it should, with what it said."""


class Stack:
    """The extender on this host and one linkprobe a site. Not thread-safe."""

    def __init__(self, lab, build, detector=None, linkprobe=None, nodes_per_site=2, bandwidth=None):
        """`bandwidth` is extender.bandwidth; without it no line is tested, which takes the guests' CPUs."""
        self.lab = lab
        self.programs = pathlib.Path(build).resolve() / "bin"
        for program in ("fairlead-extender", "fairlead-linkprobe"):
            if not (self.programs / program).exists():
                raise StackError(f"{self.programs / program} is not built; 'make build' builds it")
        self.folder = lab.share / "fairlead"
        self.folder.mkdir(exist_ok=True)
        self.nodes = [(f"{site.name}-{i}", site.name, 1)
                      for site in lab.sites() for i in range(1, nodes_per_site + 1)]
        self._detector = {**SHORT_DETECTOR, **(detector or {})}
        self._linkprobe = linkprobe or {}
        self._bandwidth = bandwidth or {"trains": False}
        self._pki = Pki(self.folder / "pki")
        self._extender = None
        self._ports = {"http": 0, "grpc": 0, "ops": 0}
        self.probes = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        """Starts the extender, then the probes; returns once all of them run."""
        self.start_extender()
        for site in self.lab.sites():
            self.start_probe(site)

    def stop(self):
        self.stop_probes()
        self.stop_extender()

    # The extender

    def start_extender(self):
        path = self._write("extender.yaml", self._document(
            "extender", [HOST, "127.0.0.1", "localhost"], linkprobe={}))
        self.extender_log = self.folder / "extender.log"
        with open(self.extender_log, "a") as log:
            begin = log.tell()
            self._extender = subprocess.Popen(
                [self.programs / "fairlead-extender", "--config", path],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self._learn_ports(begin)

    def stop_extender(self):
        if self._extender is None:
            return
        self._extender.terminate()
        try:
            self._extender.wait(10)
        except subprocess.TimeoutExpired:
            self._extender.kill()
            self._extender.wait()
            raise StackError("the extender did not stop within 10 s of SIGTERM") from None
        finally:
            self._extender = None

    @property
    def extender_pid(self):
        return self._extender.pid

    def _learn_ports(self, begin):
        """The extender chooses free ports and says so in its log."""
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            for line in self.extender_log.read_text()[begin:].splitlines():
                if '"message":"serving"' in line:
                    entry = json.loads(line)
                    self._ports = {service: entry[f"{service}_port"] for service in self._ports}
                    return
            if self._extender.poll() is not None:
                break
            time.sleep(0.05)
        raise StackError(f"the extender did not start: {self.extender_log.read_text()[begin:][-2000:]}")

    # The probes

    def probe_document(self, site, node, linkprobe=None):
        """The configuration of a node's probe, for one that is started in some other way."""
        section = {
            "extender": f"{HOST}:{self._ports['grpc']}", "sessionAdvertise": f"{site.address}:7471",
            "opsListen": f"0.0.0.0:{_OPS_PORT}", "tokenFile": str(self._pki.token(node)),
            **self._linkprobe, **(linkprobe or {}),
        }
        return self._document(node, [site.address], linkprobe=section)

    def start_probe(self, site, node=None, linkprobe=None):
        node = node or f"{site.name}-1"
        path = self._write(f"{node}.yaml", self.probe_document(site, node, linkprobe))
        self.probes[node] = site.spawn(f"linkprobe-{node}", [
            self.programs / "fairlead-linkprobe", "--config", path, "--node-name", node])
        return self.probes[node]

    def stop_probe(self, node, signal_number=signal.SIGTERM):
        """Ends the probe of a node by a signal; its exit status, negative: the signal."""
        return self.probes.pop(node).stop(signal_number=signal_number)

    def stop_probes(self):
        for node in list(self.probes):
            self.stop_probe(node)

    def restart_probes(self, **linkprobe):
        """Ends all probes and starts them anew, with other settings of their section."""
        self.stop_probes()
        self._linkprobe = linkprobe
        for site in self.lab.sites():
            self.start_probe(site)

    def _document(self, name, addresses, linkprobe):
        certificate, key = self._pki.certificate(name, addresses)
        tls = {"certificateFile": str(certificate), "keyFile": str(key), "caFile": str(self._pki.ca)}
        extender = {f"{service}Listen": f"127.0.0.1:{port}" for service, port in self._ports.items()}
        extender["tokenDirectory"] = str(self._pki.tokens)
        # Nothing binds the pods here: a gang's plan and its members' places are believed for so long.
        extender["gangTtl"] = "5s"
        extender["bandwidth"] = self._bandwidth
        return config.document(self.lab, self.nodes, extender, tls, self._detector, linkprobe)

    def _write(self, name, document):
        path = self.folder / name
        path.write_text(config.text(document) + "\n")
        return path

    # Questions

    def url(self, path, service="http"):
        """Where the extender answers: HTTPS, but for "ops", its metrics and health."""
        return f"{'http' if service == 'ops' else 'https'}://127.0.0.1:{self._ports[service]}{path}"

    def probe_url(self, site, path):
        return f"http://127.0.0.1:{site.forward(_OPS_PORT)}{path}"

    def get(self, url, timeout_s=5):
        with self._open(url, timeout_s) as answer:
            return answer.read().decode()

    def post(self, path, body, timeout_s=5):
        request = urllib.request.Request(self.url(path), json.dumps(body).encode(),
                                         {"Content-Type": "application/json"})
        try:
            with self._open(request, timeout_s) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as error:
            raise StackError(f"POST {path} answered {error.code}: {error.read().decode()[:500]}") from None

    def _open(self, request, timeout_s):
        """Trusts this run's own CA only."""
        trust = ssl.create_default_context(cafile=self._pki.ca)
        return urllib.request.urlopen(request, timeout=timeout_s, context=trust)

    def links(self):
        return Links(json.loads(self.get(self.url("/links.json"))))

    def probe_metrics(self, site, timeout_s=20):
        """What the site's linkprobe tells Prometheus now; waits for one that has just been started."""
        deadline = time.monotonic() + timeout_s
        while True:
            try:
                return Metrics(self.get(self.probe_url(site, "/metrics")), "fairlead_linkprobe_")
            except (OSError, http.client.HTTPException) as error:
                # QEMU accepts for the guest and resets where nobody listens yet, or on a busy machine.
                if time.monotonic() > deadline:
                    raise StackError(f"linkprobe of {site.name}: no metrics: {error}") from None
                time.sleep(0.2)

    def check_alive(self):
        """StackError if a program has ended by itself."""
        if self._extender is not None and self._extender.poll() is not None:
            raise StackError(f"the extender ended with {self._extender.returncode}: "
                             f"{self.extender_log.read_text()[-2000:]}")
        for node, process in self.probes.items():
            code = process.poll()
            if code is not None:
                raise StackError(f"the linkprobe of {node} ended with {code}: {process.log()[-2000:]}")

    def wait(self, condition, timeout_s, what, each=None):
        """Waits until condition() is true and returns the seconds it took; `each` runs every turn."""
        begin = time.monotonic()
        while True:
            if condition():
                return time.monotonic() - begin
            if time.monotonic() - begin > timeout_s:
                raise StackError(f"waited {timeout_s} s for: {what}")
            self.check_alive()
            if each is not None:
                each()
            time.sleep(0.25)
