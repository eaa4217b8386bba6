"""etcd and kube-apiserver alone, on the loopback: for tests of clients, which need no node."""

import http.client
import json
import os
import pathlib
import signal
import ssl
import subprocess
import tempfile

from fairlead_lab.descent import dying_with_us

from . import control_plane, kubernetes, ports
from . import control_plane_words as words
from .api import Api
from .credentials import Credentials
from .errors import ClusterError
from .progress import say, wait_for

_READY_S = 90.0


class BareApi:
    """Up while the `with` lasts; the two programs end with this process at the latest."""

    def __init__(self, more=(), progress=say):
        """more: further words for kube-apiserver."""
        self._more = list(more)
        self._progress = progress
        self._running = {}

    def __enter__(self):
        self._temporary = tempfile.TemporaryDirectory(prefix="fairlead-api.")
        self.folder = pathlib.Path(self._temporary.name)
        try:
            kubernetes.ensure(self._progress)
            self.credentials = Credentials(self.folder / "credentials", {})
            (self.folder / "egress.json").write_text(words.egress_selector(self.folder / "egress.sock"))
            self.port, self._etcd_port, self._peer_port = ports.free(3)
            self.credentials.write_kubeconfigs(self.port)
            self.api = Api.of(self.kubeconfig("admin"))
            self.start("etcd")
            self.start("kube-apiserver")
            self.wait_ready()
            return self
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_):
        for name in list(self._running):
            self.kill(name)
        self._temporary.cleanup()

    @property
    def server(self):
        return f"https://127.0.0.1:{self.port}"

    def kubeconfig(self, name):
        return self.credentials.kubeconfig_path(name)

    def log(self, name):
        return self.folder / f"{name}.log"

    def start(self, name, command=None):
        """etcd or kube-apiserver, or another program by its command, which does not run now."""
        command = command or {"etcd": self._etcd, "kube-apiserver": self._apiserver}[name]()
        with open(self.log(name), "a") as log:
            self._running[name] = subprocess.Popen(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=log,
                                                   stderr=log, preexec_fn=dying_with_us())

    def kill(self, name):
        process = self._running.pop(name)
        process.kill()
        process.wait()

    def pid(self, name):
        return self._running[name].pid

    def freeze(self, name):
        os.kill(self._running[name].pid, signal.SIGSTOP)

    def thaw(self, name):
        os.kill(self._running[name].pid, signal.SIGCONT)

    def wait_ready(self):
        wait_for("the API server", lambda: self.api.is_ready() or self.refuse_the_ended(), _READY_S, self._progress,
                 hint=lambda: self._tail("kube-apiserver"))

    def compact(self):
        """Makes etcd forget all that was before now, as it does by itself after some minutes."""
        newest = self._ask_etcd("/v3/kv/range", {"key": "AA=="})["header"]["revision"]
        self._ask_etcd("/v3/kv/compaction", {"revision": newest, "physical": True})

    def _ask_etcd(self, path, document):
        certificate, key = self.credentials.etcd
        tls = ssl.create_default_context(cafile=str(self.credentials.ca))
        tls.load_cert_chain(certificate, key)
        link = http.client.HTTPSConnection("127.0.0.1", self._etcd_port, timeout=30, context=tls)
        try:
            link.request("POST", path, json.dumps(document))
            answer = link.getresponse()
            text = answer.read()
        finally:
            link.close()
        if answer.status != 200:
            raise ClusterError(f"etcd answers {path} with {answer.status}: {text[:300]}")
        return json.loads(text)

    def _etcd(self):
        return words.etcd(control_plane.etcd_program(), self.folder, self.credentials, self._etcd_port, self._peer_port)

    def _apiserver(self):
        return words.apiserver(kubernetes.program("kube-apiserver"), self.folder, self.credentials, self.port,
                               self._etcd_port) + self._more

    def refuse_the_ended(self):
        """False; ClusterError where a program that was started has ended by itself."""
        for name, process in self._running.items():
            if process.poll() is not None:
                raise ClusterError(f"{name} ended with {process.returncode}; its log ends:\n{self._tail(name)}")
        return False

    def _tail(self, name):
        return self.log(name).read_text(errors="replace")[-1500:]
