"""Two replicas that move gangs beside a FakeCluster, as the scheduler and people see them."""

import contextlib
import functools
import json
import re
import socket
import threading

from extender_stand import FAIRLEAD, Extender, Gang, allow, probe_tokens
from conftest import ROOT
from fairlead_cluster import wait_for
from fairlead_cluster.fake_cluster import SITES, FakeCluster, nodes_of
from fairlead_cluster.faulty_api import FaultyApi

ROLES = "/apis/rbac.authorization.k8s.io/v1"
RIGHTS = "fairlead-extender-migration"
HOLD = "example.com/hold"
# Neither hk nor sg holds a gang, tyo does.
SIZE = 3
PER_SITE = {"hk": 2, "sg": 2, "tyo": SIZE}
# Acts as soon as the configuration lets it, and lets many at once.
EAGER = {
    "mode": "enforce", "interval": "1s", "minRuntime": "0s", "nearCompletion": "0s", "destinationCooldown": "0s",
    "evidence": {"degradedFor": "1s", "staleAfter": "30s"}, "policy": {"for": "10s", "maxRtt": "60ms"},
    "breaker": {"lines": "100%", "gangs": "100%", "leastGangs": 1000},
    "limits": {limit: {"concurrent": 20, "perWindow": 100} for limit in ("cluster", "site", "namespace")},
    "relocation": {"beginTimeout": "15s", "checkpointTimeout": "10m"}}


def nodes(pools):
    """Nodes of four sites; of hk, sg and tyo each pool has as many as PER_SITE says."""
    made = nodes_of(("us",), 1)
    for site, count in PER_SITE.items():
        of_site = nodes_of((site,), count * len(pools))
        for index, node in enumerate(of_site):
            node["metadata"]["labels"]["pool"] = pools[index // count]
        made += of_site
    return made


def allow_moves(cluster, withheld=(), namespaces=()):
    """The rights of deploy/, but for the withheld ones ("patch jobs", "create pods/eviction"): each of these is given
    in the namespaces that are listed with it."""
    allow(cluster)
    cluster.kubectl("apply", "-f", ROOT / "deploy" / "extender-migration-rbac.yaml")
    role = cluster.api.get(f"{ROLES}/clusterroles/{RIGHTS}")
    rules = []
    for rule in role["rules"]:
        for resource in rule["resources"]:
            verbs = [verb for verb in rule["verbs"] if f"{verb} {resource}" not in withheld]
            if verbs:
                rules.append(rule | {"resources": [resource], "verbs": verbs})
    cluster.api.patch(f"{ROLES}/clusterroles/{RIGHTS}", {"rules": rules})
    for namespace, rights in namespaces:
        if cluster.api.get_or_none(f"/api/v1/namespaces/{namespace}") is None:
            cluster.api.create("/api/v1/namespaces", {"metadata": {"name": namespace}})
        where = f"{ROLES}/namespaces/{namespace}"
        given = [{"apiGroups": ["batch" if right.endswith(" jobs") else ""], "resources": [right.split()[1]],
                  "verbs": [right.split()[0]]} for right in rights]
        cluster.api.create(f"{where}/roles", {"metadata": {"name": "some"}, "rules": given})
        cluster.api.create(f"{where}/rolebindings", {
            "metadata": {"name": "some"}, "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role",
                                                      "name": "some"},
            "subjects": [{"kind": "ServiceAccount", "name": "fairlead-extender", "namespace": "fairlead"}]})


class Service:
    """A port that leads to the replica that leads, as the Service in front of them does."""

    def __init__(self, replicas):
        self._replicas = replicas
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                caller, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(caller,), daemon=True).start()

    def _serve(self, caller):
        leader = next((replica for replica in self._replicas if replica.leads()), None)
        try:
            if leader is None:
                return
            with socket.create_connection(("127.0.0.1", leader.http)) as called:
                back = threading.Thread(target=_pump, args=(called, caller), daemon=True)
                back.start()
                _pump(caller, called)
                back.join()
        except OSError:
            pass
        finally:
            caller.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._listener.close()


def _pump(source, sink):
    try:
        while data := source.recv(65536):
            sink.sendall(data)
    except OSError:
        pass
    finally:
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


class Replica(Extender):
    """One of the extenders."""

    def report(self):
        return json.loads(self.get("/migrations.json"))

    def leads(self):
        try:
            return self.process.poll() is None and self.report()["leading"]
        except OSError:
            return False

    def moves_total(self, lever, outcome):
        text = self.get("/metrics", self.ops)
        found = re.search(rf'_migration_moves_total{{lever="{lever}",outcome="{outcome}"}} (\d+)', text)
        return int(found[1]) if found else 0


class MovingGang(Gang):
    """A Job of SIZE pods that crosses hk-sg as long as there is no room in tyo."""

    def __init__(self, cluster, name, pool, namespace="default", of_job=None, annotations=None, labels=None):
        self._namespace = namespace
        self.verdict = dict  # of the replica that leads; the stage sets it
        super().__init__(cluster, name, SIZE, pool=pool, namespace=namespace, of_job=of_job,
                         labels=labels, **(annotations or {}))

    def record(self):
        """{key: value} of its moves; empty: none. None: the Job is gone."""
        job = self._cluster.api.get_or_none(f"{self._jobs}/{self.name}")
        if job is None:
            return None
        text = job["metadata"].get("annotations", {}).get("fairlead.dev/moves", "")
        return dict(line.split(": ", 1) for line in text.splitlines() if not line.startswith("past"))

    def get(self):
        return self._cluster.api.get(f"{self._jobs}/{self.name}")

    def patch(self, document, part=""):
        self._cluster.api.patch(f"{self._jobs}/{self.name}{part}", document)

    def patch_pods(self, document, part=""):
        for pod in self.pods():
            self._cluster.api.patch(f"{self._core}/pods/{pod['metadata']['name']}{part}", document)

    def hold(self):
        """Its pods that are there now do not end until release()."""
        self.patch_pods({"metadata": {"finalizers": [HOLD]}})

    def remove_now(self):
        """Deletes the Job; its pods are let go."""
        self._cluster.api.delete(f"{self._jobs}/{self.name}", {"propagationPolicy": "Background"})
        self.release()
        wait_for(f"{self.name} to be gone", lambda: self.record() is None and not self.pods(), 60)

    def release(self):
        self.patch_pods({"metadata": {"finalizers": None}})

    def wait_step(self, step, timeout_s=60):
        wait_for(f"{self.name} to come to {step}", lambda: (self.record() or {}).get("step") == step, timeout_s,
                 poll_s=0.1, hint=lambda: f"{self.record()}; {self.told()}; {self.verdict()}")

    def wait_outcome(self, outcome, timeout_s=60):
        self.wait_step("closed", timeout_s)
        assert self.record()["outcome"] == outcome, self.record()

    def about(self):
        """[(reason, text)] of the Events about the Job itself."""
        return [(event["reason"], event.get("note", "")) for event in self._cluster.api.get(self._events)["items"]
                if event["regarding"].get("name") == self.name]

    def told(self, reason=None):
        """Texts of our Events about the Job, or of those with this reason."""
        return [note for why, note in self.about() if why == reason or reason is None and why.startswith("Migration")]

    def pods_made(self):
        """How many pods the Job controller has made for it."""
        return sum(reason == "SuccessfulCreate" for reason, _ in self.about())

    def budget(self, min_available):
        """A PodDisruptionBudget over its pods; once more: another number."""
        path = f"/apis/policy/v1/namespaces/{self._namespace}/poddisruptionbudgets"
        spec = {"minAvailable": min_available, "selector": {"matchLabels": {"job-name": self.name}}}
        if self._cluster.api.get_or_none(f"{path}/{self.name}") is None:
            self._cluster.api.create(path, {"metadata": {"name": self.name}, "spec": spec})
        else:
            self._cluster.api.patch(f"{path}/{self.name}", {"spec": spec})
        wait_for("the budget", lambda: self._cluster.api.get(f"{path}/{self.name}").get("status", {}).get(
            "disruptionsAllowed") == SIZE - min_available, 60, hint=lambda: str(self._cluster.api.get(f"{path}/{self.name}")))

    def assert_moved_once(self, lever, told=True):
        """The whole gang runs in tyo, each pod made once there, by one move. told: its end, by an Event."""
        assert self.sites() == {"tyo": SIZE}, self.sites()
        record = self.record()
        assert record["move"] == "1" and record["outcome"] == "done" and record["lever"] == lever, record
        assert self.pods_made() == 2 * SIZE, self.about()
        for reason in ("MigrationStarted", "MigrationDone")[:2 if told else 1]:
            wait_for(reason, lambda: self.told(reason), 30, hint=lambda: str(self.told()))
            assert len(self.told(reason)) == 1, self.told()
        assert "fairlead.dev/moving" not in self.get()["metadata"].get("labels", {})


class Stage:
    """A FakeCluster with two replicas, of which one leads, the scheduler, and lines that are well at first."""

    def __init__(self, cluster, replicas, service, door):
        self.cluster = cluster
        self.replicas = replicas
        self.door = door  # FaultyApi
        configuration = replicas[0].scheduler_config(ignorable="false")
        cluster.start_scheduler(configuration.replace(f"127.0.0.1:{replicas[0].http}", f"127.0.0.1:{service.port}"))
        self.gangs = []

    def leader(self):
        return wait_for("a leader", lambda: next((r for r in self.replicas if r.leads()), None), 60,
                        hint=lambda: str([r.ready() for r in self.replicas]))

    def verdict_of(self, gang):
        """What the leader says of it: its verdict and its moves."""
        report = self.leader().report()
        return [{key: entry.get(key) for key in ("reason", "sentence", "step", "waits_for", "outcome", "text")}
                for part in ("gangs", "moves_open", "moves_ended") for entry in report[part]
                if entry["name"].endswith(f"/{gang.name}")]

    def cordon(self, site, pool=None, value=True):
        for node in self.cluster.api.get("/api/v1/nodes")["items"]:
            labels = node["metadata"]["labels"]
            if node["metadata"]["name"].startswith(f"{site}-") and pool in (None, labels["pool"]):
                self.cluster.api.patch(f"/api/v1/nodes/{node['metadata']['name']}", {"spec": {"unschedulable": value}})

    def heal(self):
        for replica in self.replicas:
            replica.feed()

    def degrade(self):
        for replica in self.replicas:
            replica.feed(degraded=("hk_sg",), hk_sg=300)

    def place(self, *gangs):
        """Makes gangs, each (name, pool, {more}), over hk and sg, while tyo is closed; then opens it."""
        self.heal()
        self.cordon("tyo")
        made = [MovingGang(self.cluster, name, pool, **more) for name, pool, more in gangs]
        self.gangs += made
        for one in made:
            one.verdict = functools.partial(self.verdict_of, one)
            sites = one.wait_bound()
            assert set(sites) == {"hk", "sg"}, sites
            one.wait_running()
        self.cordon("tyo", value=False)
        return made

    def clear(self):
        for one in self.gangs:
            if one.record() is not None:
                one.release()
                one.remove()
        self.gangs = []


@contextlib.contextmanager
def standing(folder, pools, withheld=(), namespaces=(), prepare=lambda cluster: None, faulty=False):
    """The Stage with two replicas that move gangs, and with rights as allow_moves says; prepare() sees the cluster while
    nothing else is in it. faulty: the replicas go through the Stage's door."""
    tokens = folder / "tokens"
    with FakeCluster(nodes(pools)) as cluster, FaultyApi(cluster.port, cluster.credentials.ca) as door:
        prepare(cluster)
        allow_moves(cluster, withheld, namespaces)
        probe_tokens(cluster, tokens, SITES)
        names = ("extender-0", "extender-1")
        make_pods(cluster, names)
        first, second = (Replica(cluster, folder, tokens, name=name, pod=name, migration=dict(EAGER),
                                 server=door.url if faulty else None)
                         for name in names)
        with first, second, Service((first, second)) as service:
            yield Stage(cluster, (first, second), service, door)


def make_pods(cluster, names):
    """The replicas' own pods, which carry the leader's label."""
    for name in names:
        cluster.api.create(f"{FAIRLEAD}/pods", {
            "metadata": {"name": name}, "spec": {"serviceAccountName": "fairlead-extender", "nodeName": "us-000",
                                                 "containers": [{"name": "main", "image": "none"}]}})
