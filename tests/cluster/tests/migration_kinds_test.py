"""Gangs of owners above a Job on a real API server: the kinds without their controllers, which the tests play as far as
a move asks for them. The Job controller, the scheduler and fairlead-extender are real. No guests."""

import contextlib
import threading
import time

import pytest

from fairlead_cluster import ApiError, wait_for
from migration_stand import SIZE, standing

JOBS = "/apis/batch/v1/namespaces/default/jobs"
JOB_SETS = "/apis/jobset.x-k8s.io/v1alpha2/namespaces/default/jobsets"
TRAIN_JOBS = "/apis/trainer.kubeflow.org/v1alpha1/namespaces/default/trainjobs"
WORKLOADS = "/apis/kueue.x-k8s.io/v1beta2/namespaces/default/workloads"
VOLCANO_JOBS = "/apis/batch.volcano.sh/v1alpha1/namespaces/default/jobs"
COMMANDS = "/apis/bus.volcano.sh/v1alpha1/namespaces/default/commands"
PODS = "/api/v1/namespaces/default/pods"

pytestmark = pytest.mark.long


def define(cluster, path, kind):
    """A kind that takes any fields, and when it is served."""
    _, _, group, version, _, _, plural = path.split("/")
    cluster.api.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
        "metadata": {"name": f"{plural}.{group}"},
        "spec": {"group": group, "scope": "Namespaced", "names": {"kind": kind, "plural": plural},
                 "versions": [{"name": version, "served": True, "storage": True, "schema": {"openAPIV3Schema": {
                     "type": "object", "x-kubernetes-preserve-unknown-fields": True}}}]}})
    wait_for(f"{plural} to be served", lambda: cluster.api.get_or_none(path), 60)


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    with standing(tmp_path_factory.mktemp("stage"), ("a", "b")) as running:
        for path, kind in ((JOB_SETS, "JobSet"), (TRAIN_JOBS, "TrainJob"), (WORKLOADS, "Workload")):
            define(running.cluster, path, kind)
        yield running


@contextlib.contextmanager
def controller(cluster, above, below, suspends):
    """Sets `suspend` of the object at `below` as `suspends(spec)` of the one at `above` says, again and again."""
    done = threading.Event()

    def run():
        while not done.is_set():
            with contextlib.suppress(ApiError):
                wanted = suspends(cluster.api.get(above)["spec"])
                if cluster.api.get(below)["spec"].get("suspend", False) != wanted:
                    cluster.api.patch(below, {"spec": {"suspend": wanted}})
            time.sleep(0.2)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def create(cluster, path, kind, name, spec, owner=None, labels=None):
    _, _, group, version, *_ = path.split("/")
    made = cluster.api.create(path, {
        "apiVersion": f"{group}/{version}", "kind": kind, "spec": spec,
        "metadata": {"name": name, "ownerReferences": [owner] if owner else [], "labels": labels or {}}})
    return {"apiVersion": f"{group}/{version}", "kind": kind, "name": name, "uid": made["metadata"]["uid"],
            "controller": True}


def record_of(cluster, path):
    text = cluster.api.get(path)["metadata"].get("annotations", {}).get("fairlead.dev/moves", "")
    return dict(line.split(": ", 1) for line in text.splitlines() if not line.startswith("past"))


def test_a_train_job_is_suspended_above_its_job_set_and_job(stage):
    cluster = stage.cluster
    train_job = create(cluster, TRAIN_JOBS, "TrainJob", "train", {"suspend": False})
    job_set = create(cluster, JOB_SETS, "JobSet", "train", {"replicatedJobs": [
        {"name": "node", "replicas": 1, "template": {"spec": {"parallelism": SIZE, "completions": SIZE}}}]}, train_job)
    labels = {"jobset.sigs.k8s.io/jobset-name": "train", "jobset.sigs.k8s.io/replicatedjob-name": "node"}
    gang, = stage.place(("train-node-0", "a", {"of_job": {"labels": labels, "ownerReferences": [job_set]},
                                               "labels": labels}))
    with controller(cluster, f"{TRAIN_JOBS}/train", f"{JOB_SETS}/train", lambda spec: spec["suspend"]), \
            controller(cluster, f"{JOB_SETS}/train", f"{JOBS}/train-node-0", lambda spec: spec.get("suspend", False)):
        stage.degrade()
        wait_for("the move", lambda: record_of(cluster, f"{TRAIN_JOBS}/train").get("step") == "closed", 120,
                 hint=lambda: f"{record_of(cluster, f'{TRAIN_JOBS}/train')} {stage.leader().report()}"[:3000])
    record = record_of(cluster, f"{TRAIN_JOBS}/train")
    assert record["outcome"] == "done" and record["move"] == "1" and record["lever"] == "suspend", record
    assert gang.sites() == {"tyo": SIZE} and gang.pods_made() == 2 * SIZE
    assert record_of(cluster, f"{JOB_SETS}/train") == {} and gang.record() == {}
    stage.clear()


def test_a_job_of_kueue_is_moved_by_its_workload(stage):
    cluster = stage.cluster
    gang, = stage.place(("queued", "b", {"of_job": {"labels": {"kueue.x-k8s.io/queue-name": "gpu"}}}))
    job = {"apiVersion": "batch/v1", "kind": "Job", "name": "queued", "uid": gang.job["metadata"]["uid"],
           "controller": True}
    create(cluster, WORKLOADS, "Workload", "job-queued", {"queueName": "gpu"}, job,
           {"kueue.x-k8s.io/job-uid": job["uid"]})
    with controller(cluster, f"{WORKLOADS}/job-queued", f"{JOBS}/queued", lambda spec: not spec.get("active", True)):
        stage.degrade()
        gang.wait_step("closed", 120)
    gang.assert_moved_once("kueue")
    workload = cluster.api.get(f"{WORKLOADS}/job-queued")
    assert workload["spec"]["active"] and workload["metadata"]["annotations"]["fairlead.dev/move-marker"] == "1 started"
    stage.clear()


class VolcanoJob:
    """A Volcano Job, and its controller as far as pods and the Command RestartJob go: the Command is taken away first,
    then the pods end and are made anew under their names, and status.version and .retryCount grow."""

    def __init__(self, cluster, name, pool):
        self._cluster = cluster
        self._pool = pool
        self.name = name
        self.path = f"{VOLCANO_JOBS}/{name}"
        self.owner = create(cluster, VOLCANO_JOBS, "Job", name, {"maxRetry": 5, "tasks": [{"replicas": SIZE}]})
        cluster.api.patch(self.path, {"status": {"state": {"phase": "Running"}, "version": 0, "retryCount": 0}})
        self.commands = []
        self._make_pods()

    def _make_pods(self):
        for index in range(SIZE):
            self._cluster.api.create(PODS, {
                "metadata": {"name": f"{self.name}-{index}", "ownerReferences": [self.owner],
                             "labels": {"volcano.sh/job-name": self.name},
                             "annotations": {"scheduling.k8s.io/group-name": f"{self.name}-{self.owner['uid']}"}},
                "spec": {"restartPolicy": "Never", "nodeSelector": {"pool": self._pool}, "containers": [{
                    "name": "main", "image": "none", "resources": {"limits": {"cpu": "1", "rdma/hca": "8"}}}]}})

    def pods(self):
        return [pod for pod in self._cluster.api.get(PODS)["items"] if pod["metadata"]["name"].startswith(self.name)]

    def sites(self):
        return sorted(pod["spec"].get("nodeName", "").partition("-")[0] for pod in self.pods())

    def wait_running(self):
        wait_for(f"{self.name} to run", lambda: [p["status"]["phase"] for p in self.pods()] == ["Running"] * SIZE, 60)

    def control(self):
        """Acts on a Command of this job, if there is one."""
        for command in self._cluster.api.get(COMMANDS)["items"]:
            assert command["action"] == "RestartJob" and command["target"]["uid"] == self.owner["uid"], command
            self.commands.append(command["metadata"]["name"])
            self._cluster.api.delete(f"{COMMANDS}/{self.commands[-1]}")
            for pod in self.pods():
                self._cluster.api.delete(f"{PODS}/{pod['metadata']['name']}")
            wait_for("its pods to end", lambda: not self.pods(), 60)
            self._cluster.api.patch(self.path, {"status": {"version": len(self.commands),
                                                           "retryCount": len(self.commands)}})
            self._make_pods()


def test_a_volcano_job_is_restarted_by_one_command(stage):
    cluster = stage.cluster
    for path, kind in ((VOLCANO_JOBS, "Job"), (COMMANDS, "Command")):
        define(cluster, path, kind)
    stage.heal()
    stage.cordon("tyo")
    job = VolcanoJob(cluster, "restarted", "a")
    job.wait_running()
    assert set(job.sites()) == {"hk", "sg"}
    stage.cordon("tyo", value=False)
    stage.degrade()

    def closed():
        job.control()
        return record_of(cluster, job.path).get("step") == "closed"

    wait_for("the move", closed, 120, poll_s=0.2,
             hint=lambda: f"{record_of(cluster, job.path)} {stage.leader().report()}"[:3000])
    record = record_of(cluster, job.path)
    assert record["outcome"] == "done" and record["lever"] == "volcano" and record["move"] == "1", record
    assert len(job.commands) == 1 and job.sites() == ["tyo"] * SIZE
