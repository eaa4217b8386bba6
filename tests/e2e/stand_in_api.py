"""As much of an API server as the extender follows and changes: objects that a test gives it, a controller of Jobs,
tokens, and the Events it is told."""

import http.server
import json
import threading

AUDIENCE = "fairlead-extender"
ACCOUNT = "fairlead/fairlead-linkprobe"
PODS, JOBS = "/api/v1/pods", "/apis/batch/v1/jobs"
LISTS = {"/api/v1/nodes": "Node", PODS: "Pod", JOBS: "Job"}


def token_of(node):
    """A token that StandInApi takes for that of the probe's pod on the node; it looks like a JWT."""
    return f"stand-in.{node}.token"


class StandInApi:
    """Serves `objects`, by the path of their list, until `with` ends. A watch tells of what changes later."""

    def __init__(self, objects):
        self.events = []
        self.changes = []  # (method, path, body) of what the extender changed of Jobs and their pods
        self.refuse = {}   # a method and the end of a path, "PATCH /jobs/train": the code it is answered with
        self.generation = 1
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
                    self._answer(*api._get(path))
                elif "watch=" in query:
                    api._watch(self, path, query)
                else:
                    self._answer(200, api._list(path))

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if self.path.endswith("/tokenreviews"):
                    return self._answer(201, review(body))
                if self.path.endswith("/selfsubjectaccessreviews"):
                    return self._answer(201, {**body, "status": {"allowed": True}})
                if self.path.endswith("/eviction"):
                    return self._answer(*api._change("POST", self.path, body))
                with api._changed:
                    api.events.append(body)
                    api._changed.notify_all()
                self._answer(201, body)

            def do_PATCH(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if "/jobs/" not in self.path and "/namespaces/ml/pods/" not in self.path:
                    return self._answer(200, {})
                self._answer(*api._change("PATCH", self.path, body))

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
            self._put(path, thing)

    def remove(self, path, thing):
        with self._changed:
            self._version += 1
            self._objects[path].pop(thing["metadata"]["uid"])
            self._log.append((self._version, path, "DELETED", thing))
            self._changed.notify_all()

    def find(self, path, name):
        """The newest of this object; None where there is none."""
        with self._changed:
            return next((o for o in self._objects[path].values() if o["metadata"]["name"] == name), None)

    def pods_of(self, job_name):
        with self._changed:
            return sorted((p for p in self._objects[PODS].values()
                           if p["metadata"]["labels"].get("batch.kubernetes.io/controller-uid") == f"job-{job_name}"),
                          key=lambda pod: pod["metadata"]["name"])

    def await_change(self, holds):
        """Until `holds()`, looked at after each change of any object."""
        with self._changed:
            assert self._changed.wait_for(holds, timeout=60), self.changes

    def control(self, job_name):
        """One round of the Job controller: no pods while it is suspended, else one for each index, without a node."""
        job_now, pods = self.find(JOBS, job_name), self.pods_of(job_name)
        if job_now["spec"].get("suspend"):
            for pod in pods:
                self.remove(PODS, pod)
            return
        there = {pod["metadata"]["labels"]["batch.kubernetes.io/job-completion-index"] for pod in pods}
        for index in range(job_now["spec"]["parallelism"]):
            if str(index) not in there:
                self.generation += 1
                self.put(PODS, pod_of(job_name, index, "", None, generation=self.generation))

    def bind(self, pod, node_name):
        """Scheduler and kubelet: the pod runs there."""
        index = pod["metadata"]["labels"]["batch.kubernetes.io/job-completion-index"]
        job_name = pod["metadata"]["ownerReferences"][0]["name"]
        running = pod_of(job_name, index, node_name, "2026-01-02T16:04:05Z", pod["metadata"]["annotations"])
        self.put(PODS, {**running, "metadata": pod["metadata"]})

    def _put(self, path, thing):
        known = thing["metadata"]["uid"] in self._objects[path]
        self._version += 1
        thing["metadata"]["resourceVersion"] = str(self._version)
        self._objects[path][thing["metadata"]["uid"]] = thing
        self._log.append((self._version, path, "MODIFIED" if known else "ADDED", thing))
        self._changed.notify_all()

    def _of(self, path):
        """The list and the object of a path like /apis/batch/v1/namespaces/ml/jobs/train."""
        before, _, rest = path.partition("/namespaces/")
        namespace, kind, *name = rest.split("/")
        where = f"{before}/{kind}"
        things = [o for o in self._objects.get(where, {}).values() if o["metadata"].get("namespace") == namespace]
        if name:
            things = [o for o in things if o["metadata"]["name"] == name[0]]
        return where, things, bool(name)

    def _get(self, path):
        with self._changed:
            if "/namespaces/" not in path:
                return 404, status(404)
            where, things, one = self._of(path)
            if one:
                return (200, things[0]) if things else (404, status(404))
            kind = LISTS.get(where, "PodDisruptionBudget" if where.endswith("/poddisruptionbudgets") else None)
            if kind is None:
                return 404, status(404)
            return 200, {"kind": kind + "List", "metadata": {"resourceVersion": str(self._version)}, "items": things}

    def _change(self, method, path, body):
        with self._changed:
            self.changes.append((method, path, body))
            self._changed.notify_all()
            for what, code in self.refuse.items():
                if f"{method} {path}".endswith(what.split(" ", 1)[1]) and method == what.split(" ", 1)[0]:
                    return code, status(code)
            where, things, _ = self._of(path)
            if not things:
                return 404, status(404)
            now = things[0]
            wanted = body["metadata"].get("resourceVersion", now["metadata"]["resourceVersion"])
            if wanted != now["metadata"]["resourceVersion"]:
                return 409, status(409)
            if method == "POST":
                if body["deleteOptions"]["preconditions"]["uid"] != now["metadata"]["uid"]:
                    return 409, status(409)
                self._version += 1
                self._objects[where].pop(now["metadata"]["uid"])
                self._log.append((self._version, where, "DELETED", now))
                self._changed.notify_all()
                return 201, status(201)
            if body["metadata"].get("uid", now["metadata"]["uid"]) != now["metadata"]["uid"]:
                return 409, status(409)
            changed = merge(now, body)
            self._put(where, changed)
            return 200, changed

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


def status(code):
    return {"kind": "Status", "apiVersion": "v1", "status": "Success" if code < 300 else "Failure",
            "message": f"the stand-in says {code}", "code": code}


def merge(old, patch):
    """RFC 7386."""
    if not isinstance(patch, dict):
        return patch
    merged = dict(old) if isinstance(old, dict) else {}
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = merge(merged.get(key), value)
    return merged


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
    return {"kind": "Job", "apiVersion": "batch/v1",
            "metadata": {"name": name, "namespace": namespace, "uid": f"job-{name}", "resourceVersion": "1"},
            "spec": {"parallelism": pods, "completions": pods}, "status": {}}


def pod_of(job_name, index, on, since, annotations=None, namespace="ml", generation=1):
    """A member of the Job: on a node and ready since then, or without a node. `generation`: each has another uid."""
    owner = {"apiVersion": "batch/v1", "kind": "Job", "name": job_name, "uid": f"job-{job_name}", "controller": True}
    return {"kind": "Pod",
            "metadata": {"name": f"{job_name}-{index}" + ("" if generation == 1 else f"-{generation}"),
                         "namespace": namespace,
                         "uid": f"{job_name}-{index}" + ("" if generation == 1 else f"-{generation}"),
                         "resourceVersion": "1", "ownerReferences": [owner], "annotations": annotations or {},
                         "labels": {"batch.kubernetes.io/controller-uid": f"job-{job_name}",
                                    "batch.kubernetes.io/job-completion-index": str(index)}},
            "spec": {**({"nodeName": on} if on else {}),
                     "containers": [{"name": "main", "resources": {"requests": {"cpu": "1", "rdma/hca": "1"}}}]},
            "status": {"phase": "Running",
                       "conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": since}]}
                      if on else {"phase": "Pending"}}
