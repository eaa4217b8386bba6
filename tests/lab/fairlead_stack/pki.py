"""Certificates and tokens for one run: a CA, a certificate a program, a token file a node."""

import pathlib
import secrets
import subprocess

_DAYS = "2"


def _openssl(*words, stdin=None):
    subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True, input=stdin)


class Pki:
    """A CA of its own in `folder`; nothing outside it is trusted or touched."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.ca = self.folder / "ca.crt"
        self._ca_key = self.folder / "ca.key"
        self.tokens = self.folder / "tokens"
        self.tokens.mkdir(exist_ok=True)
        _openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                 "-keyout", self._ca_key, "-out", self.ca, "-days", _DAYS, "-subj", "/CN=fairlead lab CA")

    def certificate(self, name, addresses):
        """(certificate, key) files for a program reached at these IP addresses and DNS names."""
        key, request, certificate = (self.folder / f"{name}.{end}" for end in ("key", "csr", "crt"))
        names = ",".join(f"IP:{a}" if a[0].isdigit() else f"DNS:{a}" for a in addresses)
        extensions = self.folder / f"{name}.ext"
        extensions.write_text(f"subjectAltName={names}\n")
        _openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key,
                 "-out", request, "-subj", f"/CN={name}")
        _openssl("x509", "-req", "-in", request, "-CA", self.ca, "-CAkey", self._ca_key, "-CAcreateserial",
                 "-out", certificate, "-days", _DAYS, "-extfile", extensions)
        return certificate, key

    def token(self, node):
        """The file with the bearer token that proves to be `node`."""
        path = self.tokens / node
        path.write_text(secrets.token_urlsafe(32) + "\n")
        path.chmod(0o600)
        return path
