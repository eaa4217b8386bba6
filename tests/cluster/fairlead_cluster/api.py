"""A small client of the API server."""

import http.client
import json
import pathlib
import ssl

from .errors import ClusterError


class ApiError(ClusterError):
    """An answer that is not a success; `code` is the HTTP status, 0 where none came."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class Api:
    """JSON over HTTPS with a token. Thread-safe: a connection a call."""

    def __init__(self, port, ca, token, timeout_s=30.0):
        self._port = port
        self._token = token
        self._timeout_s = timeout_s
        self._tls = ssl.create_default_context(cafile=str(ca))

    @classmethod
    def of(cls, kubeconfig):
        """Acts as whom this cluster's kubeconfig file says."""
        words = json.loads(pathlib.Path(kubeconfig).read_text())
        cluster = words["clusters"][0]["cluster"]
        port = int(cluster["server"].rpartition(":")[2])
        return cls(port, cluster["certificate-authority"], words["users"][0]["user"]["token"])

    def get(self, path):
        return self._call("GET", path)

    def get_or_none(self, path):
        """None where there is no such thing."""
        try:
            return self.get(path)
        except ApiError as error:
            if error.code == 404:
                return None
            raise

    def create(self, path, document):
        return self._call("POST", path, document)

    def create_many(self, path, documents):
        """As create(), of many over one connection, which saves their handshakes."""
        link = self._connect()
        try:
            return [self._read("POST", path, *self._ask(link, "POST", path, document)) for document in documents]
        except (OSError, http.client.HTTPException) as error:
            raise ApiError(0, f"the API server does not answer POST {path}: {error}") from None
        finally:
            link.close()

    def replace(self, path, document):
        return self._call("PUT", path, document)

    def patch(self, path, document, kind="merge"):
        """kind: merge, strategic-merge or json."""
        return self._call("PATCH", path, document, f"application/{kind}-patch+json")

    def delete(self, path, document=None):
        return self._call("DELETE", path, document)

    def is_ready(self):
        try:
            return self._raw("GET", "/readyz")[0] == 200
        except OSError:
            return False

    def _call(self, method, path, document=None, content="application/json"):
        try:
            code, data = self._raw(method, path, document, content)
        except OSError as error:
            raise ApiError(0, f"the API server does not answer {method} {path}: {error}") from None
        return self._read(method, path, code, data)

    @staticmethod
    def _read(method, path, code, data):
        if code >= 300:
            raise ApiError(code, f"{method} {path} gave {code}: {_message(data)}")
        return json.loads(data)

    def _connect(self):
        return http.client.HTTPSConnection("127.0.0.1", self._port, timeout=self._timeout_s, context=self._tls)

    def _ask(self, link, method, path, document=None, content="application/json"):
        body = None if document is None else json.dumps(document)
        head = {"Authorization": f"Bearer {self._token}", "Accept": "application/json"}
        if body is not None:
            head["Content-Type"] = content
        link.request(method, path, body, head)
        answer = link.getresponse()
        return answer.status, answer.read()

    def _raw(self, method, path, document=None, content="application/json"):
        link = self._connect()
        try:
            return self._ask(link, method, path, document, content)
        except http.client.HTTPException as error:
            raise OSError(f"broken answer: {error}") from None
        finally:
            link.close()


def _message(data):
    try:
        return json.loads(data)["message"]
    except (ValueError, KeyError, TypeError):
        return data[:300].decode(errors="replace")
