"""A probe whose extender has a name that nobody knows yet."""

import json
import subprocess
import time
import urllib.error
import urllib.request

import pytest

from extender_stack import BUILD, NODES, Extender
from namespaces import unshare

NAME = "fairlead-extender.test"
# A mount namespace of its own gives it names and a resolver of its own, at an address where none listens.
SHELL = 'mount --bind "$1" /etc/hosts && mount --bind "$2" /etc/resolv.conf && shift 2 && exec "$@"'


class Probe:
    """The running program; `with` ends it."""

    def __init__(self, folder, extender_port):
        tokens = folder / "tokens"
        for token in tokens.iterdir():
            token.chmod(0o600)
        sites = "".join(f"  - {{name: {node}, site: {site}, hcas: 1}}\n" for node, site in NODES.items())
        config = folder / "probe.yaml"
        config.write_text(f"""\
tls: {{plaintext: true}}
sites: [{{name: hk}}, {{name: sg}}, {{name: tyo}}]
nodes:
{sites}linkprobe:
  extender: {NAME}:{extender_port}
  sessionListen: 0.0.0.0:0
  opsListen: 127.0.0.1:0
  udpListen: 127.0.0.1:0
  transport: udp
  reportInterval: 100ms
  tokenFile: {tokens / "hk1"}
  bandwidthLedger: {folder / "spent"}
""")
        self.hosts = folder / "hosts"
        self.hosts.write_text("127.0.0.1 localhost\n")
        resolver = folder / "resolv.conf"
        resolver.write_text("nameserver 127.0.0.1\noptions attempts:1 timeout:1\n")
        self._log = folder / "probe.log"
        with open(self._log, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [*unshare("--mount"), "sh", "-c", SHELL, "sh", self.hosts, resolver,
                 BUILD / "bin/fairlead-linkprobe", "--config", config, "--node-name", "hk1"], stderr=log)
        self.await_(lambda: self.told("started") == 1, "the start")
        self._ops = next(entry["ops_port"] for entry in self._entries() if "ops_port" in entry)

    def _entries(self):
        return [json.loads(line) for line in self._log.read_text().splitlines()]

    def told(self, message):
        """How often the log says so."""
        return sum(message in entry.values() for entry in self._entries())

    def ready(self):
        """(status, words) of /readyz."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self._ops}/readyz", timeout=10) as reply:
                return reply.status, reply.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def await_(self, condition, what, timeout_s=60):
        deadline = time.monotonic() + timeout_s
        while not condition():
            assert self.process.poll() is None, self._log.read_text()
            assert time.monotonic() < deadline, f"{what}: {self._log.read_text()[-2000:]}"
            time.sleep(0.1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


@pytest.fixture
def extender(tmp_path):
    with Extender(tmp_path) as running:
        yield running


def test_a_name_that_nobody_knows_yet_is_waited_for(tmp_path, extender):
    with Probe(tmp_path, extender.grpc) as probe:
        probe.await_(lambda: NAME in probe.ready()[1], "what it waits for")
        status, words = probe.ready()
        print(words)
        assert status == 503 and "linkprobe.extender" in words and "look up" in words
        probe.hosts.write_text(f"127.0.0.1 localhost {NAME}\n")
        probe.await_(lambda: extender.links()["probes"] == {"hk": 1}, "the stream")
        probe.await_(lambda: probe.ready()[0] == 200, "the plan")
        probe.hosts.write_text("127.0.0.1 localhost\n")
        extender.stop()
        probe.await_(lambda: probe.told("the extender's addresses are not known") == 2, "the name that is gone")
        assert probe.ready()[0] == 200, "the last plan stays in force"
