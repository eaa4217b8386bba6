"""fairlead-extender beside a FakeCluster: with rights of its own, and probes that report what a test wants."""

import contextlib
import json
import pathlib
import subprocess
import urllib.error
import urllib.request

from conftest import BUILD, ROOT
from fairlead_cluster import ports, wait_for
from fairlead_lab.descent import dying_with_us

AUDIENCE = "fairlead-extender"
FAIRLEAD = "/api/v1/namespaces/fairlead"
CORE = "/api/v1/namespaces/default"
PLACES = {"hk": (22.3, 114.2), "sg": (1.35, 103.8), "tyo": (35.7, 139.7), "us": (37.4, -122.1)}
RTT_MS = {("hk", "sg"): 36.0, ("hk", "tyo"): 50.0, ("sg", "tyo"): 70.0, ("tyo", "us"): 100.0, ("hk", "us"): 150.0,
          ("sg", "us"): 180.0}


def allow(cluster):
    """Namespace, the extender's account and rights as deploy/ has them, and the probes' account."""
    cluster.api.create("/api/v1/namespaces", {"metadata": {"name": "fairlead"}})
    cluster.kubectl("apply", "-f", ROOT / "deploy" / "extender-rbac.yaml")
    for where, name in ((FAIRLEAD, "fairlead-linkprobe"), (CORE, "default")):
        if cluster.api.get_or_none(f"{where}/serviceaccounts/{name}") is None:
            cluster.api.create(f"{where}/serviceaccounts", {"metadata": {"name": name}})


def probe_tokens(cluster, folder, sites):
    """A probe's pod on the first node of each site, and its bound token as a file named like the node."""
    folder.mkdir(exist_ok=True)
    for site in sites:
        node = f"{site}-000"
        pod = cluster.api.create(f"{FAIRLEAD}/pods", {
            "metadata": {"name": f"linkprobe-{site}"},
            "spec": {"serviceAccountName": "fairlead-linkprobe", "nodeName": node,
                     "containers": [{"name": "main", "image": "none"}]}})
        answer = cluster.api.create(f"{FAIRLEAD}/serviceaccounts/fairlead-linkprobe/token", {"spec": {
            "audiences": [AUDIENCE], "expirationSeconds": 7200,
            "boundObjectRef": {"apiVersion": "v1", "kind": "Pod", "name": pod["metadata"]["name"],
                               "uid": pod["metadata"]["uid"]}}})
        (folder / node).write_text(answer["status"]["token"])


class Extender:
    """The program under test, and stand-ins for its probes. `with` ends them."""

    def __init__(self, cluster, folder, tokens, name="extender", pod=None, migration=None, server=None, **kubernetes):
        """tokens: probe_tokens' folder; pod: its own name in the election; migration: that section of the
        configuration; server: where it finds the API server, if not at its own door; kubernetes: more of
        extender.kubernetes."""
        self._cluster = cluster
        self._folder = folder
        self._tokens = tokens
        self._name = name
        self._pod = ["--pod-name", pod] if pod else []
        self.http, self.grpc, self.ops = ports.free(3)
        self._config = folder / f"{name}.yaml"
        self._script = folder / f"{name}.script"
        self._feeder = None
        self._rtt_ms = dict(RTT_MS)
        self._access = folder / f"{name}.kubeconfig"
        words = json.loads(pathlib.Path(cluster.kubeconfig("admin")).read_text())
        token = cluster.api.create(f"{FAIRLEAD}/serviceaccounts/fairlead-extender/token",
                                   {"spec": {"expirationSeconds": 7200}})["status"]["token"]
        words["users"][0]["user"] = {"token": token}
        words["contexts"][0]["context"]["namespace"] = "fairlead"
        if server:
            words["clusters"][0]["cluster"] = {"server": server}
        self._access.write_text(json.dumps(words))
        pairs = [{"between": list(pair), "capacity": "100Gbps"} for pair in RTT_MS]
        self._words = {
            "sites": [{"name": site, "latitude": at[0], "longitude": at[1]} for site, at in PLACES.items()],
            "lines": pairs,
            "migration": migration or {},
            "extender": {
                "httpListen": f"127.0.0.1:{self.http}", "grpcListen": f"127.0.0.1:{self.grpc}",
                "opsListen": f"127.0.0.1:{self.ops}",
                "kubernetes": {"mode": "kubeconfig", "kubeconfig": str(self._access), "tokenAudience": AUDIENCE,
                               "probeServiceAccount": "fairlead/fairlead-linkprobe", **kubernetes}}}
        self._config.write_text(json.dumps(self._words))
        self.start()

    def migrate(self, **keys):
        """Edits `migration:` of its configuration while it runs."""
        self._words["migration"] |= keys
        fresh = self._config.with_suffix(".new")
        fresh.write_text(json.dumps(self._words))
        fresh.replace(self._config)

    def start(self):
        self._log = open(self._folder / f"{self._name}.log", "a")
        self.process = subprocess.Popen([str(BUILD / "bin" / "fairlead-extender"), "--config", str(self._config),
                                         *self._pod],
                                        stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log,
                                        preexec_fn=dying_with_us())
        wait_for("the extender's answer", lambda: self.ready()[0] is not None or self._refuse_the_ended(), 60,
                 poll_s=0.05, hint=self.log)

    def _refuse_the_ended(self):
        if self.process.poll() is not None:
            raise AssertionError(f"the extender ended with {self.process.returncode}:\n{self.log()}")
        return False

    def kill(self):
        self.process.kill()
        self.process.wait()
        self._log.close()

    def log(self):
        return (self._folder / f"{self._name}.log").read_text()[-3000:]

    def ready(self):
        """Status and text of /readyz; (None, why) where nothing answers."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.ops}/readyz", timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
        except OSError as error:
            return None, str(error)

    def wait_ready(self, text=None, timeout_s=60):
        """Until /readyz is 200 and, with `text`, says just that."""
        wait_for("the extender to be ready", lambda: self.ready()[0] == 200 and text in (None, self.ready()[1].strip()),
                 timeout_s, poll_s=0.1, hint=lambda: str(self.ready()))

    def get(self, path, port=None):
        with urllib.request.urlopen(f"http://127.0.0.1:{port or self.http}{path}", timeout=30) as answer:
            return answer.read().decode()

    def post(self, path, document):
        request = urllib.request.Request(f"http://127.0.0.1:{self.http}{path}", json.dumps(document).encode(),
                                         method="POST")
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read())

    def feed(self, degraded=(), **rtt_ms):
        """Probes report RTT_MS from now on, but for lines named here: feed(hk_sg=300). Back when that is known.
        degraded: lines that they judge so, ("hk_sg",)."""
        self._rtt_ms = dict(RTT_MS) | {tuple(line.split("_")): value for line, value in rtt_ms.items()}
        lines = []
        for (a, b), value in self._rtt_ms.items():
            state = "DEGRADED RTT_STEP" if f"{a}_{b}" in degraded else "HEALTHY NONE"
            lines += [f"path {one}-000 {other}-000 {other} {value} 0.4 0 0 {state}"
                      for one, other in ((a, b), (b, a))]
        fresh = self._script.with_suffix(".new")
        fresh.write_text("\n".join(lines) + "\n")
        fresh.replace(self._script)
        if self._feeder is None:
            self._start_feeder()
        self.wait_fed()

    def wait_fed(self):
        """Until all lines have the RTT that probes report; probes whose streams have ended are begun anew."""
        def fed():
            known = {(link["from"], link["to"]): (link.get("rtt_seconds") or {}).get("p50") for link in self.links()}
            return all(known.get(pair) is not None and abs(known[pair] * 1000 - value) < 0.01 * value
                       for pair, value in self._rtt_ms.items())

        wait_for("links", fed, 60, poll_s=0.1, hint=lambda: json.dumps(self.links())[:1500])

    def restart_feeder(self):
        self._end_feeder()
        self._start_feeder()
        self.wait_fed()

    def silence(self):
        """No probe reports any more."""
        self._end_feeder()

    def links(self):
        return json.loads(self.get("/links.json"))["links"]

    def _start_feeder(self):
        # A probe comes back when it was refused, because its node is not known yet; these stand-ins do not.
        self.wait_ready()
        self._feeder = subprocess.Popen([str(BUILD / "bin" / "extender_feeder"), f"127.0.0.1:{self.grpc}",
                                         str(self._tokens), str(self._script)], stdout=subprocess.DEVNULL,
                                        preexec_fn=dying_with_us())

    def _end_feeder(self):
        if self._feeder:
            self._feeder.kill()
            self._feeder.wait()
            self._feeder = None

    def scheduler_config(self, **replaced):
        """What the program prints for kube-scheduler; replaced: {key: another value}."""
        # A busy machine of two cores is no reason to do without an answer.
        replaced = {"httpTimeout": "20s", **replaced}
        words = ["scheduler-config", "--for", "kube-scheduler", "--url", f"http://127.0.0.1:{self.http}"]
        text = subprocess.run([str(BUILD / "bin" / "fairlead-extender"), *words], check=True, capture_output=True,
                              text=True).stdout
        for key, value in replaced.items():
            rows = [row for row in text.splitlines() if row.strip().startswith(f"{key}:")]
            assert len(rows) == 1, text
            text = text.replace(rows[0], f"{rows[0].partition(key)[0]}{key}: {value}")
        return text

    def explain(self, pod):
        return self.get(f"/explain?pod=default/{pod}")

    def rss_bytes(self):
        """Resident memory now."""
        pages = int(pathlib.Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * 4096

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._end_feeder()
        if self.process.poll() is None:
            self.kill()


class Gang:
    """A Job of `size` pods with `hcas` each, in the nodes with the label pool=`pool`; annotations are its pods'."""

    def __init__(self, cluster, name, size, hcas=8, pool="plenty", namespace="default", of_job=None, labels=None,
                 **annotations):
        """of_job: more of the Job's metadata; labels: its pods'."""
        self._cluster = cluster
        self.name = name
        self.size = size
        self._core = f"/api/v1/namespaces/{namespace}"
        self._events = f"/apis/events.k8s.io/v1/namespaces/{namespace}/events"
        self._jobs = f"/apis/batch/v1/namespaces/{namespace}/jobs"
        self.job = cluster.api.create(self._jobs, {
            "metadata": {"name": name, **(of_job or {})},
            "spec": {"parallelism": size, "completions": size, "completionMode": "Indexed", "backoffLimit": 1000,
                     "template": {"metadata": {"annotations": annotations, "labels": labels or {}}, "spec": {
                         "restartPolicy": "Never", "nodeSelector": {"pool": pool}, "containers": [{
                             "name": "main", "image": "none",
                             "resources": {"requests": {"cpu": "1"}, "limits": {"rdma/hca": str(hcas)}}}]}}}})

    def _pods_path(self):
        return f"{self._core}/pods?labelSelector=job-name%3D{self.name}"

    def pods(self):
        answer = self._cluster.api.get(self._pods_path())
        return sorted(answer["items"], key=lambda pod: pod["metadata"]["name"])

    def bound(self):
        return [pod for pod in self.pods() if pod["spec"].get("nodeName")]

    def sites(self):
        """{site: bound members}."""
        counts = {}
        for pod in self.bound():
            site = pod["spec"]["nodeName"].partition("-")[0]
            counts[site] = counts.get(site, 0) + 1
        return counts

    def wait_bound(self, count=None, timeout_s=90):
        """Until so many members, or all, have a node; sites()."""
        count = self.size if count is None else count
        wait_for(f"{count} of {self.name}", lambda: len(self.bound()) >= count, timeout_s, poll_s=0.3,
                 hint=lambda: f"{self.sites()} of {len(self.pods())} pods; {self.reasons()[:1]}")
        return self.sites()

    def wait_running(self, timeout_s=60):
        wait_for(f"{self.name} to run", lambda: sum(p["status"]["phase"] == "Running" for p in self.pods()) == self.size,
                 timeout_s, poll_s=0.3)

    def events(self, reason):
        """Texts of the events about its pods."""
        events = self._cluster.api.get(self._events)["items"]
        return [event.get("note", "") for event in events
                if event["reason"] == reason and event["regarding"].get("name", "").startswith(f"{self.name}-")]

    def reasons(self):
        """Why its pods have no node, as their status says."""
        return [condition.get("message", "") for pod in self.pods() for condition in pod["status"].get("conditions", [])
                if condition["type"] == "PodScheduled" and condition["status"] == "False"]

    def remove(self):
        """Ends it and returns once its pods are gone."""
        self._cluster.api.delete(f"{self._jobs}/{self.name}", {"propagationPolicy": "Background"})
        wait_for(f"{self.name} to be gone", lambda: not self.pods(), 90, poll_s=0.3)


@contextlib.contextmanager
def gang(cluster, *words, **more):
    made = Gang(cluster, *words, **more)
    try:
        yield made
    finally:
        made.remove()
