"""Who is who in a cluster: a CA, certificates, tokens and kubeconfigs, all made for one run."""

import json
import secrets
import subprocess

from fairlead_stack.pki import Pki

_COMPONENTS = ("kube-controller-manager", "kube-scheduler")


def users(nodes):
    """[(name of the kubeconfig, user, groups)] of everybody who has a token."""
    rows = [("admin", "admin", ("system:masters",))]
    rows += [(name, f"system:{name}", ()) for name in _COMPONENTS]
    rows += [(f"kubelet-{node}", f"system:node:{node}", ("system:nodes",)) for node in nodes]
    return rows


def token_rows(known, tokens):
    """The text of kube-apiserver's token file; tokens maps a kubeconfig's name to its token."""
    rows = []
    for name, user, groups in known:
        quoted = f',"{",".join(groups)}"' if groups else ""
        rows.append(f"{tokens[name]},{user},{user}{quoted}\n")
    return "".join(rows)


def kubeconfig(server, ca, token):
    """A kubeconfig as JSON, which is YAML too."""
    return json.dumps({
        "apiVersion": "v1", "kind": "Config", "current-context": "cluster",
        "clusters": [{"name": "cluster", "cluster": {"server": server, "certificate-authority": str(ca)}}],
        "users": [{"name": "user", "user": {"token": token}}],
        "contexts": [{"name": "cluster", "context": {"cluster": "cluster", "user": "user"}}],
    }, indent=1)


class Credentials:
    """The files below folder, which host and guests see at the same path and nobody else may read."""

    def __init__(self, folder, nodes):
        """nodes: {name: address}."""
        folder.mkdir(mode=0o700)
        self.folder = folder
        self._pki = Pki(folder / "pki")
        self.ca = self._pki.ca
        self._known = users(nodes)
        self.tokens = {name: secrets.token_hex(20) for name, _, _ in self._known}
        self.token_file = folder / "tokens.csv"
        self.token_file.write_text(token_rows(self._known, self.tokens))
        # 10.0.2.2 is how guests see this host, 10.96.0.1 the service address of the API.
        self.apiserver = self._pki.certificate("kube-apiserver", [
            "127.0.0.1", "10.0.2.2", "10.96.0.1", "kubernetes", "kubernetes.default", "kubernetes.default.svc"])
        self.etcd = self._pki.certificate("etcd", ["127.0.0.1"])
        self.kubelets = {node: self._pki.certificate(f"kubelet-{node}", [address, node])
                         for node, address in nodes.items()}
        self.service_account_key = self._service_account_key()

    def certificate(self, name, addresses):
        """(certificate, key) files of one more server, signed by the CA."""
        return self._pki.certificate(name, addresses)

    def _service_account_key(self):
        key = self.folder / "service-account.key"
        subprocess.run(["openssl", "genrsa", "-traditional", "-out", str(key), "2048"], check=True,
                       capture_output=True)
        return key

    def kubeconfig_path(self, name):
        return self.folder / f"{name}.kubeconfig"

    def write_kubeconfigs(self, port):
        """For everybody; kubelets reach the API server as guests do."""
        for name, _, _ in self._known:
            host = "10.0.2.2" if name.startswith("kubelet-") else "127.0.0.1"
            text = kubeconfig(f"https://{host}:{port}", self.ca, self.tokens[name])
            self.kubeconfig_path(name).write_text(text)
