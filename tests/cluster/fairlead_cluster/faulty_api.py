"""A door to an API server that answers some requests wrongly, as busy or broken ones do."""

import http.client
import http.server
import json
import re
import ssl
import threading

_HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade", "proxy-connection"}


class Fault:
    """Requests that match are answered with `code`: of those, after the first `skip`, so many `times`.

    path and body are regular expressions that are found in them; done: the API server carries it out first, so that
    the answer alone is wrong.
    """

    def __init__(self, method, path, code, times=1, skip=0, body="", done=False):
        self.method = method
        self.path = re.compile(path)
        self.body = re.compile(body)
        self.code = code
        self.done = done
        self.left = times
        self.skip = skip
        self.met = 0

    def meets(self, method, path, body):
        """Whether this request is one that fails; counts it. Not thread-safe."""
        if method != self.method or not self.path.search(path) or not self.body.search(body):
            return False
        self.met += 1
        if self.met <= self.skip or self.left == 0:
            return False
        self.left -= 1
        return True


class FaultyApi:
    """Listens on the loopback without TLS while the `with` lasts. Whoever asks brings a token of his own."""

    def __init__(self, port, ca):
        """port: of the API server, whose certificate is by that CA."""
        self._upstream = port
        self._tls = ssl.create_default_context(cafile=str(ca))
        self._lock = threading.Lock()
        self._faults = []
        door = self

        class Handler(_Handler):
            faulty = door

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.request_queue_size = 64

    @property
    def url(self):
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def fail(self, *faults):
        """From now on these, and no others."""
        with self._lock:
            self._faults = list(faults)

    def met(self, method, path, body):
        with self._lock:
            return next((fault for fault in self._faults if fault.meets(method, path, body)), None)

    def connect(self):
        return http.client.HTTPSConnection("127.0.0.1", self._upstream, timeout=600, context=self._tls)

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    faulty = None  # the FaultyApi
    _link = None

    def log_message(self, *_):
        pass

    def _serve(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        fault = self.faulty.met(self.command, self.path, body.decode(errors="replace"))
        if fault is None:
            self._forward(body, self._pass_on)
            return
        if fault.done:
            self._forward(body, lambda answer: answer.read())
        text = json.dumps({"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": fault.code,
                           "message": "as the test wants it", "reason": "Test"}).encode()
        self.send_response(fault.code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = _serve

    def _forward(self, body, take):
        head = {name: value for name, value in self.headers.items() if name.lower() not in _HOP_BY_HOP | {"host"}}
        try:
            if self._link is None:
                self._link = self.faulty.connect()
            self._link.request(self.command, self.path, body or None, head)
            take(self._link.getresponse())
        except (OSError, http.client.HTTPException):
            # Whoever asked sees a connection that ends, as without a door between.
            self.close_connection = True
            self._drop()

    def _pass_on(self, answer):
        self.send_response(answer.status)
        length = answer.getheader("Content-Length")
        for name, value in answer.getheaders():
            if name.lower() not in _HOP_BY_HOP | {"content-length", "date", "server"}:
                self.send_header(name, value)
        if length is not None:
            self.send_header("Content-Length", length)
        else:
            self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        # A watch brings what there is, when there is something.
        while data := answer.read1(65536):
            self.wfile.write(data if length is not None else b"%x\r\n%s\r\n" % (len(data), data))
        if length is None:
            self.wfile.write(b"0\r\n\r\n")
        # Else the next request over this connection would find this answer unfinished: read1 never sees its end.
        answer.close()

    def _drop(self):
        if self._link is not None:
            self._link.close()
            self._link = None

    def finish(self):
        self._drop()
        super().finish()
