"""Gangs of JobSet, Kubeflow Trainer and Kueue on a real API server with their controllers and webhooks, as they are
released: moved as a whole, once. Kubernetes' controllers, the scheduler and fairlead-extender are real too. No guests."""

import functools
import json

import pytest
import yaml

from conftest import ROOT
from fairlead_cluster import controllers, wait_for
from migration_kinds_test import JOB_SETS, TRAIN_JOBS, WORKLOADS, record_of
from migration_stand import SIZE, MovingGang, standing

EXAMPLES = ROOT / "deploy" / "examples"
CORE = "/api/v1/namespaces/default"
EVENTS = "/apis/events.k8s.io/v1/namespaces/default/events"
STATEFUL_SETS = "/apis/apps/v1/namespaces/default/statefulsets"
GPUS = {"nvidia.com/gpu": "8"}
IN_QUEUE = {"kueue.x-k8s.io/queue-name": "training"}

pytestmark = pytest.mark.long


def prepare(cluster):
    """Controllers, and the queues of the examples, with room for all that the nodes have."""
    for node in cluster.api.get("/api/v1/nodes")["items"]:
        path = f"/api/v1/nodes/{node['metadata']['name']}"
        cluster.api.patch(path, {"metadata": {"labels": {"example.com/hca": "true"}}})
        cluster.api.patch(f"{path}/status", {"status": {"allocatable": GPUS, "capacity": GPUS}})
    cluster.controllers = controllers.start(cluster)
    cluster.kubectl("create", "-f", EXAMPLES / "kueue-queues.yaml")


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    with standing(tmp_path_factory.mktemp("stage"), ("a", "b"), prepare=prepare) as running:
        yield running


def role(name, count, pool, labels=None, annotations=None):
    """Pods of a JobSet."""
    return {"name": name, "template": {"metadata": {"labels": labels or {}}, "spec": {
        "parallelism": count, "completions": count, "completionMode": "Indexed", "backoffLimit": 0,
        "template": {"metadata": {"annotations": annotations or {}}, "spec": {
            "restartPolicy": "Never", "nodeSelector": {"pool": pool}, "containers": [{
                "name": name, "image": "none",
                "resources": {"requests": {"cpu": "1"}, "limits": {"rdma/hca": "8"}}}]}}}}}


def job_set(name, pool, labels, annotations=None):
    """A leader and workers: a gang of two Jobs."""
    return [(JOB_SETS, {"kind": "JobSet", "metadata": {"name": name, "labels": labels}, "spec": {"replicatedJobs": [
        role("leader", 1, pool, annotations=annotations), role("worker", SIZE - 1, pool, annotations=annotations)]}})]


def train_job(name, pool, labels):
    """Trainer makes a JobSet of it, by a runtime of its own."""
    trainer = {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}
    return [(TRAIN_JOBS.replace("trainjobs", "trainingruntimes"), {
        "kind": "TrainingRuntime",
        "metadata": {"name": name, "labels": {"trainer.kubeflow.org/framework": "plain"}},
        "spec": {"mlPolicy": {"numNodes": SIZE}, "template": {"spec": {"replicatedJobs": [
            role("node", 1, pool, trainer)]}}}}),
        (TRAIN_JOBS, {"kind": "TrainJob", "metadata": {"name": name, "labels": labels},
                      "spec": {"runtimeRef": {"name": name, "kind": "TrainingRuntime"}}})]


class SetGang:
    """SIZE pods of a JobSet that crosses hk-sg as long as there is no room in tyo."""

    def __init__(self, stage, name, make, labels=None):
        """make: job_set or train_job."""
        objects = make(name, "a", labels or {})
        self._stage = stage
        self._api = stage.cluster.api
        self.name = name
        self.path = f"{objects[-1][0]}/{name}"
        stage.heal()
        stage.cordon("tyo")
        for path, document in objects:
            self._api.create(path, document | {"apiVersion": "/".join(path.split("/")[2:4])})
        self.wait_running()
        assert set(self.sites()) == {"hk", "sg"}, self.sites()
        self.first = self.uids()
        stage.cordon("tyo", value=False)

    def pods(self):
        return self._api.get(f"{CORE}/pods?labelSelector=jobset.sigs.k8s.io%2Fjobset-name%3D{self.name}")["items"]

    def uids(self):
        return {pod["metadata"]["uid"] for pod in self.pods()}

    def sites(self):
        return sorted(pod["spec"].get("nodeName", "").partition("-")[0] for pod in self.pods())

    def wait_running(self):
        wait_for(f"{self.name} to run", lambda: [p["status"]["phase"] for p in self.pods()] == ["Running"] * SIZE, 90,
                 hint=lambda: f"{self._api.get(self.path)} {[pod['status'] for pod in self.pods()]}"[:3000])

    def record(self):
        return record_of(self._stage.cluster, self.path)

    def wait_step(self, step):
        wait_for(f"{self.name} to come to {step}", lambda: self.record().get("step") == step, 180,
                 hint=lambda: f"{self.record()} {self._stage.leader().report()}"[:3000])

    def told(self, reason):
        """How often an Event with this reason was written about it, whoever did."""
        return sum(event.get("series", {}).get("count", event.get("deprecatedCount", 1))
                   for event in self._api.get(EVENTS)["items"]
                   if event["reason"] == reason and event["regarding"].get("name") == self.name)

    def made(self):
        """How many pods the Job controller has made for it."""
        return sum(event["reason"] == "SuccessfulCreate" and event["regarding"]["kind"] == "Job"
                   and event["regarding"]["name"].startswith(f"{self.name}-")
                   for event in self._api.get(EVENTS)["items"])

    def assert_moved_once(self, lever):
        record = self.record()
        assert (record["outcome"], record["move"], record["lever"]) == ("done", "1", lever), record
        assert self.sites() == ["tyo"] * SIZE and not self.uids() & self.first
        assert self.made() == 2 * SIZE
        wait_for("the Event", lambda: self.told("MigrationDone"), 60)
        assert self.told("MigrationStarted") == self.told("MigrationDone") == 1
        owner = self._api.get(self.path)
        assert "fairlead.dev/moving" not in owner["metadata"].get("labels", {})
        assert not owner["spec"].get("suspend", False), owner
        assert self._api.get(f"{JOB_SETS}/{self.name}")["status"].get("restarts", 0) == 0

    def remove(self):
        self._api.delete(self.path, {"propagationPolicy": "Background"})
        wait_for(f"{self.name} to be gone", lambda: not self.pods(), 90)


def workload_of(cluster, name):
    """The one Workload that Kueue has made for the object of this name."""
    workload, = [one for one in cluster.api.get(WORKLOADS)["items"]
                 if any(owner["name"] == name for owner in one["metadata"]["ownerReferences"])]
    return workload


def conditions(document):
    return {one["type"]: one for one in document["status"]["conditions"]}


def assert_admitted_again(workload):
    """By Kueue itself, after it had put it out because it was inactive."""
    assert workload["spec"]["active"] and workload["metadata"]["annotations"]["fairlead.dev/move-marker"] == "1 started"
    now = conditions(workload)
    assert now["Admitted"]["status"] == "True" and now["QuotaReserved"]["status"] == "True", now
    assert now["Evicted"]["status"] == "False", now


@pytest.mark.parametrize("make", [job_set, train_job], ids=["job-set", "train-job"])
def test_it_is_moved_by_suspend(stage, make):
    gang = SetGang(stage, f"alone-{make.__name__.replace('_', '-')}", make)
    stage.degrade()
    gang.wait_step("closed")
    gang.assert_moved_once("suspend")
    gang.remove()


def test_a_job_in_a_queue_is_moved_by_its_workload(stage):
    gang, = stage.place(("queued", "b", {"of_job": {"labels": IN_QUEUE}}))
    before = workload_of(stage.cluster, "queued")
    assert conditions(before)["Admitted"]["status"] == "True"
    stage.degrade()
    gang.wait_step("closed", 120)
    gang.assert_moved_once("kueue")
    after = workload_of(stage.cluster, "queued")
    assert after["metadata"]["uid"] == before["metadata"]["uid"]
    assert_admitted_again(after)
    stage.clear()


@pytest.mark.parametrize("more", [{}, {"kueue.x-k8s.io/priority-class": "urgent"}], ids=["alike", "urgent"])
def test_a_quota_that_another_takes_meanwhile_is_waited_for(stage, more):
    """Kueue gives what a stopped gang leaves to whoever waits for it; of an urgent one the other gives it back."""
    name = "narrow-urgent" if more else "narrow"
    quotas = [{"name": "cpu", "nominalQuota": SIZE}, {"name": "rdma/hca", "nominalQuota": 8 * SIZE}]
    kueue = {"apiVersion": "kueue.x-k8s.io/v1beta2", "metadata": {"name": name}}
    stage.cluster.api.create("/apis/kueue.x-k8s.io/v1beta2/clusterqueues", kueue | {"kind": "ClusterQueue", "spec": {
        "namespaceSelector": {}, "preemption": {"withinClusterQueue": "LowerPriority"}, "resourceGroups": [{
            "coveredResources": [quota["name"] for quota in quotas],
            "flavors": [{"name": "hca-nodes", "resources": quotas}]}]}})
    stage.cluster.api.create(WORKLOADS.replace("workloads", "localqueues"), kueue | {
        "kind": "LocalQueue", "spec": {"clusterQueue": name}})
    labels = {"kueue.x-k8s.io/queue-name": name}
    gang, = stage.place((f"{name}-first", "b", {"of_job": {"labels": labels | more}}))
    other = MovingGang(stage.cluster, f"{name}-second", "a", of_job={"labels": labels})

    def waits():
        owners = {owner["name"]: one for one in stage.cluster.api.get(WORKLOADS)["items"]
                  for owner in one["metadata"]["ownerReferences"]}
        known = owners.get(other.name, {}).get("status", {}).get("conditions", [])
        return any(one["type"] == "QuotaReserved" and one["status"] == "False" for one in known)

    wait_for("the other to wait in the queue", waits, 60)
    assert not other.pods()
    stage.degrade()
    if not more:
        other.wait_running()
        gang.wait_step("follow", 60)
        assert not gang.pods()
        other.remove()
    gang.wait_step("closed", 120)
    gang.assert_moved_once("kueue")
    if more:
        assert other.pods_made() == SIZE and not other.pods()
        other.remove()
    stage.clear()


@pytest.mark.parametrize("make", [job_set, train_job], ids=["job-set", "train-job"])
def test_in_a_queue_it_is_moved_by_its_workload(stage, make):
    gang = SetGang(stage, f"queued-{make.__name__.replace('_', '-')}", make, IN_QUEUE)
    stage.degrade()
    gang.wait_step("closed")
    gang.assert_moved_once("kueue")
    assert_admitted_again(workload_of(stage.cluster, gang.name))
    gang.remove()


@pytest.mark.parametrize("policy", ["Parallel", "OrderedReady"])
def test_a_stateful_set_is_evicted_as_a_whole(stage, policy):
    cluster = stage.cluster
    name = policy.lower()
    stage.heal()
    stage.cordon("tyo")
    container = {"name": "main", "image": "none", "resources": {"requests": {"cpu": "1"}, "limits": {"rdma/hca": "8"}}}
    cluster.api.create(STATEFUL_SETS, {"metadata": {"name": name}, "spec": {
        "replicas": SIZE, "serviceName": name, "podManagementPolicy": policy, "selector": {"matchLabels": {"app": name}},
        "template": {"metadata": {"labels": {"app": name}}, "spec": {
            "nodeSelector": {"pool": "a"}, "containers": [container]}}}})

    def pods():
        return cluster.api.get(f"{CORE}/pods?labelSelector=app%3D{name}")["items"]

    def sites():
        return {pod["spec"]["nodeName"].partition("-")[0] for pod in pods()}

    wait_for("it to run", lambda: [pod["status"]["phase"] for pod in pods()] == ["Running"] * SIZE, 90)
    assert sites() == {"hk", "sg"}
    before = {pod["metadata"]["uid"] for pod in pods()}
    stage.cordon("tyo", value=False)
    stage.degrade()
    path = f"{STATEFUL_SETS}/{name}"
    wait_for("the move", lambda: record_of(cluster, path).get("step") == "closed", 120,
             hint=lambda: f"{record_of(cluster, path)} {stage.leader().report()}"[:3000])
    record = record_of(cluster, path)
    assert (record["outcome"], record["move"], record["lever"]) == ("done", "1", "evict"), record
    assert sites() == {"tyo"} and not before & {pod["metadata"]["uid"] for pod in pods()}
    cluster.api.delete(path, {"propagationPolicy": "Background"})
    wait_for("its pods to end", lambda: not pods(), 90)


def test_a_controller_that_is_away_when_the_gang_is_to_stop_is_waited_for(stage):
    """Without it, its webhooks refuse every change of its objects."""
    asks = {"fairlead.dev/checkpoint-on-request": "true"}
    gang = SetGang(stage, "waits", functools.partial(job_set, annotations=asks))
    stage.degrade()
    gang.wait_step("checkpoint")
    stage.cluster.controllers["jobset"].kill()
    pod = gang.pods()[0]["metadata"]["name"]
    stage.cluster.api.patch(f"{CORE}/pods/{pod}", {"metadata": {"annotations": {"fairlead.dev/checkpoint-done": "1"}}})

    def refused():
        return any("webhook" in str(move) for move in stage.leader().report()["moves_open"])

    wait_for("a refused call", refused, 60, hint=lambda: f"{gang.record()} {stage.leader().report()}"[:3000])
    assert gang.uids() == gang.first
    stage.cluster.controllers["jobset"].start()
    gang.wait_step("closed")
    gang.assert_moved_once("suspend")
    gang.remove()


@pytest.mark.parametrize("name", ["torchrun-jobset", "mpi-jobset", "torchrun-kueue", "mpi-kueue"])
def test_the_examples_run_as_one_gang(stage, name):
    """Those that need these controllers; by the stage's scheduler."""
    cluster = stage.cluster
    stage.heal()
    text = (EXAMPLES / f"{name}.yaml").read_text()
    chosen = "schedulerName: fairlead-scheduler"
    assert chosen in text
    objects = list(yaml.safe_load_all(text.replace(chosen, "schedulerName: default-scheduler")))
    namespace = f"example-{name}"
    cluster.api.create("/api/v1/namespaces", {"metadata": {"name": namespace}})
    file = cluster.folder / f"{name}.json"
    queue = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "LocalQueue", "metadata": {"name": "training"},
             "spec": {"clusterQueue": "training"}}
    file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [queue, *objects]}))
    cluster.kubectl("create", "--validate=strict", "-n", namespace, "-f", file)

    def running():
        pods = cluster.api.get(f"/api/v1/namespaces/{namespace}/pods")["items"]
        return pods if [pod["status"]["phase"] for pod in pods] == ["Running"] * 4 else None

    pods = wait_for("its pods to run", running, 90, hint=lambda: stage.leader().get("/explain")[:2000])
    asked = [json.loads(stage.leader().get(f"/explain.json?pod={namespace}/{pod['metadata']['name']}")) for pod in pods]
    decisions = sorted((one for of_pod in asked for one in of_pod["decisions"]), key=lambda one: one["number"])
    # A JobSet's Jobs are made one after another, so only the last decision knows the whole gang.
    assert decisions[-1]["gang_size"] == 4 and not any(decision["notes"] for decision in decisions), decisions

    def reported():
        gangs = stage.leader().report()["gangs"]
        return next((gang for gang in gangs if gang["namespace"] == namespace and gang["ready"] == 4), None)

    judged = wait_for("a decision about moving it", reported, 60)
    assert judged["reason"] == "lines_well" and judged["size"] == 4 and judged["mode"] in ("enforce", "dry-run"), judged
    assert len({pod["spec"]["nodeName"] for pod in pods}) == 4
    cluster.kubectl("delete", "-n", namespace, "-f", file)
    wait_for("its pods to end", lambda: not cluster.api.get(f"/api/v1/namespaces/{namespace}/pods")["items"], 90)
