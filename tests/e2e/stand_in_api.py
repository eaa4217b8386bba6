"""As much of an API server as the extender follows: objects that a test gives it, tokens, and the Events it is told."""

import http.server
import json
import threading

AUDIENCE = "fairlead-extender"
ACCOUNT = "fairlead/fairlead-linkprobe"
LISTS = {"/api/v1/nodes": "Node", "/api/v1/pods": "Pod", "/apis/batch/v1/jobs": "Job"}


def token_of(node):
    """A token that StandInApi takes for that of the probe's pod on the node; it looks like a JWT."""
    return f"stand-in.{node}.token"


class StandInApi:
    """Serves `objects`, by the path of their list, until `with` ends. A watch tells of what changes later."""

    def __init__(self, objects):
        self.events = []
        self._objects = {path: {o["metadata"]["uid"]: o for o in objects.get(path, ())} for path in LISTS}
        self._version = 1
        self._log = []  # (version, path, type, object)
        self._changed = threading.Condition()
        self._ended = False
        api = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            log_message = lambda *_: None

            def do_GET(self):
                path, _, query = self.path.partition("?")
                if path not in LISTS:
                    self._answer(404, {"kind": "Status", "status": "Failure", "reason": "NotFound", "code": 404})
                elif "watch=" in query:
                    api._watch(self, path, query)
                else:
                    self._answer(200, api._list(path))

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if self.path.endswith("/tokenreviews"):
                    return self._answer(201, review(body))
                with api._changed:
                    api.events.append(body)
                    api._changed.notify_all()
                self._answer(201, body)

            def do_PATCH(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                self._answer(200, {})

            def _answer(self, code, body):
                text = json.dumps(body).encode()
                self.send_response(code)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def kubeconfig(self, folder):
        path = folder / "stand-in.kubeconfig"
        path.write_text(json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "it",
            "clusters": [{"name": "it", "cluster": {"server": f"http://127.0.0.1:{self._server.server_port}"}}],
            "users": [{"name": "it", "user": {}}],
            "contexts": [{"name": "it", "context": {"cluster": "it", "user": "it", "namespace": "fairlead"}}]}))
        return path

    def put(self, path, thing):
        """Adds an object, or changes the one with its uid."""
        with self._changed:
            known = thing["metadata"]["uid"] in self._objects[path]
            self._version += 1
            self._objects[path][thing["metadata"]["uid"]] = thing
            self._log.append((self._version, path, "MODIFIED" if known else "ADDED", thing))
            self._changed.notify_all()

    def await_event(self, reason):
        with self._changed:
            found = lambda: [e for e in self.events if e.get("reason") == reason]
            assert self._changed.wait_for(found, timeout=30), [e.get("reason") for e in self.events]
            return found()[0]

    def _list(self, path):
        with self._changed:
            return {"kind": LISTS[path] + "List", "apiVersion": "v1",
                    "metadata": {"resourceVersion": str(self._version)},
                    "items": list(self._objects[path].values())}

    def _watch(self, handler, path, query):
        since = int(dict(part.split("=", 1) for part in query.split("&")).get("resourceVersion") or 0)
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        try:
            while True:
                with self._changed:
                    self._changed.wait_for(lambda: self._ended or any(v > since for v, *_ in self._log), timeout=1)
                    if self._ended:
                        return
                    news = [(kind, thing, v) for v, where, kind, thing in self._log if v > since and where == path]
                    since = max([since] + [v for v, *_ in self._log])
                for kind, thing, version in news:
                    thing = {**thing, "metadata": {**thing["metadata"], "resourceVersion": str(version)}}
                    line = json.dumps({"type": kind, "object": thing}).encode() + b"\n"
                    handler.wfile.write(b"%x\r\n%s\r\n" % (len(line), line))
        except OSError:
            handler.close_connection = True

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with self._changed:
            self._ended = True
            self._changed.notify_all()
        self._server.shutdown()
        self._server.server_close()


def review(body):
    node = body["spec"]["token"].split(".")[1]
    namespace, name = ACCOUNT.split("/")
    return {"kind": "TokenReview", "status": {
        "authenticated": True, "audiences": [AUDIENCE],
        "user": {"username": f"system:serviceaccount:{namespace}:{name}",
                 "extra": {"authentication.kubernetes.io/pod-name": [f"linkprobe-{node}"],
                           "authentication.kubernetes.io/node-name": [node]}}}}


def node(name, site, hcas=1):
    return {"kind": "Node", "metadata": {"name": name, "uid": f"node-{name}", "resourceVersion": "1",
                                         "labels": {"topology.kubernetes.io/region": site}},
            "spec": {}, "status": {"allocatable": {"cpu": "8", "memory": "16Gi", "pods": "110", "rdma/hca": str(hcas)},
                                   "conditions": [{"type": "Ready", "status": "True"}]}}


def job(name, pods, namespace="ml"):
    return {"kind": "Job", "metadata": {"name": name, "namespace": namespace, "uid": f"job-{name}",
                                        "resourceVersion": "1"},
            "spec": {"parallelism": pods, "completions": pods}, "status": {}}


def pod_of(job_name, index, on, since, annotations=None, namespace="ml"):
    """A running member of the Job, ready since then."""
    owner = {"apiVersion": "batch/v1", "kind": "Job", "name": job_name, "uid": f"job-{job_name}", "controller": True}
    return {"kind": "Pod",
            "metadata": {"name": f"{job_name}-{index}", "namespace": namespace, "uid": f"{job_name}-{index}",
                         "resourceVersion": "1", "ownerReferences": [owner], "annotations": annotations or {},
                         "labels": {"batch.kubernetes.io/controller-uid": f"job-{job_name}",
                                    "batch.kubernetes.io/job-completion-index": str(index)}},
            "spec": {"nodeName": on,
                     "containers": [{"name": "main", "resources": {"requests": {"cpu": "1", "rdma/hca": "1"}}}]},
            "status": {"phase": "Running",
                       "conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": since}]}}
