"""What the extender knows of a cluster, against a real API server: nodes, pods, Jobs, tokens, rights.

The extender's part is build/ci/bin/cluster_view_tool, which prints what it knows. No node is needed.
"""

import json
import pathlib

import pytest

from fairlead_cluster import wait_for
from fairlead_cluster.bare_api import BareApi
from talking_tool import TalkingTool

CORE = "/api/v1/namespaces/default"
JOBS = "/apis/batch/v1/namespaces/default/jobs"
GROUPS = "/apis/scheduling.volcano.sh/v1beta1/namespaces/default/podgroups"
RBAC = "/apis/rbac.authorization.k8s.io/v1"
AUDIENCE = "fairlead-extender"


class Viewer(TalkingTool):
    """The tool at work; `view` is the newest it has said, `tokens` its verdicts in order."""

    def __init__(self, kubeconfig):
        self.view = {}
        self.tokens = []
        super().__init__("cluster_view_tool", kubeconfig, AUDIENCE, "default/probe")

    def hear(self, line):
        said = json.loads(line)
        if "view" in said:
            self.view = said["view"]
        else:
            self.tokens.append(said["token"])

    def review(self, token):
        before = len(self.tokens)
        self.ask(f"token {token}")
        wait_for("a verdict", lambda: len(self.tokens) > before, 30, poll_s=0.05)
        return self.tokens[-1]

    def wait(self, what, condition, timeout_s=60):
        return wait_for(what, lambda: self.view and condition(self.view), timeout_s, poll_s=0.05,
                        hint=lambda: json.dumps(self.view))


@pytest.fixture(scope="module")
def bare():
    with BareApi() as running:
        for account in ("default", "probe", "other"):
            if running.api.get_or_none(f"{CORE}/serviceaccounts/{account}") is None:
                running.api.create(f"{CORE}/serviceaccounts", {"metadata": {"name": account}})
        install_volcano_groups(running)
        yield running


@pytest.fixture(autouse=True)
def nothing_left(bare):
    yield
    at_once = {"gracePeriodSeconds": 0, "propagationPolicy": "Background"}
    for path in (f"{CORE}/pods", JOBS, GROUPS, "/api/v1/nodes"):
        for item in bare.api.get(path)["items"]:
            bare.api.delete(f"{path}/{item['metadata']['name']}", at_once)


def install_volcano_groups(bare):
    """As far as they matter: a PodGroup with any fields."""
    bare.api.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
        "metadata": {"name": "podgroups.scheduling.volcano.sh",
                     "annotations": {"api-approved.kubernetes.io": "unapproved, for a test"}},
        "spec": {"group": "scheduling.volcano.sh", "scope": "Namespaced",
                 "names": {"kind": "PodGroup", "plural": "podgroups"},
                 "versions": [{"name": "v1beta1", "served": True, "storage": True, "schema": {
                     "openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}}]}})
    wait_for("the PodGroups", lambda: bare.api.get_or_none(GROUPS) is not None, 30, poll_s=0.2)


def make_node(bare, name, site):
    bare.api.create("/api/v1/nodes", {"metadata": {"name": name,
                                                   "labels": {"topology.kubernetes.io/region": site}}})
    bare.api.patch(f"/api/v1/nodes/{name}/status", {"status": {
        "allocatable": {"cpu": "64", "memory": "1Ti", "pods": "110", "rdma/hca": "8"},
        "capacity": {"cpu": "64", "memory": "1Ti", "pods": "110", "rdma/hca": "8"},
        "conditions": [{"type": "Ready", "status": "True"}]}})
    # The API server taints a node that it does not know to be ready.
    bare.api.patch(f"/api/v1/nodes/{name}", {"spec": {"taints": None}})


def pod(name, node=None, account="default", hcas=2, **metadata):
    spec = {"serviceAccountName": account, "containers": [{
        "name": "main", "image": "none",
        "resources": {"requests": {"cpu": "1500m"}, "limits": {"rdma/hca": str(hcas)}}}]}
    if node:
        spec["nodeName"] = node
    return {"metadata": {"name": name, **metadata}, "spec": spec}


def make_job(bare, name, parallelism):
    template = pod("x")["spec"] | {"restartPolicy": "Never"}
    return bare.api.create(JOBS, {"metadata": {"name": name},
                                  "spec": {"parallelism": parallelism, "completions": parallelism,
                                           "completionMode": "Indexed", "template": {"spec": template}}})


def of_job(job, index):
    """The metadata that the Job's controller gives a pod."""
    uid = job["metadata"]["uid"]
    return {"labels": {"batch.kubernetes.io/controller-uid": uid,
                       "batch.kubernetes.io/job-completion-index": str(index)},
            "ownerReferences": [{"apiVersion": "batch/v1", "kind": "Job", "name": job["metadata"]["name"],
                                 "uid": uid, "controller": True}]}


def test_the_view_follows_nodes_pods_and_jobs(bare):
    make_node(bare, "hk-1", "hk")
    make_node(bare, "sg-1", "sg")
    job = make_job(bare, "train", 4)
    gang = f"job default/{job['metadata']['uid']}"
    bare.api.create(f"{CORE}/pods", pod("train-0", "hk-1", **of_job(job, 0)))
    with Viewer(bare.kubeconfig("admin")) as viewer:
        viewer.wait("the first view", lambda v: v["ready"] and v["sites"] == ["hk", "sg"])
        viewer.wait("the pod's room", lambda v: v["nodes"]["hk-1"]["free"] == {"rdma/hca": 6})
        assert viewer.view["nodes"]["hk-1"]["milli_cpu"] == 62500
        viewer.wait("the gang", lambda v: v["gangs"].get(gang) == {"sites": {"hk": 1}, "pending": 0, "size": 4,
                                                                   "strangers": 0})
        bare.api.create(f"{CORE}/pods", pod("train-1", "sg-1", **of_job(job, 1)))
        bare.api.create(f"{CORE}/pods", pod("train-2", **of_job(job, 2)))
        viewer.wait("all three", lambda v: v["gangs"][gang]["sites"] == {"hk": 1, "sg": 1}
                    and v["gangs"][gang]["pending"] == 1 and v["pending"] == 1)
        # One that has ended takes no room, though it is still there.
        bare.api.patch(f"{CORE}/pods/train-0/status", {"status": {"phase": "Succeeded"}})
        viewer.wait("its room", lambda v: v["nodes"]["hk-1"]["free"] == {"rdma/hca": 8})
        bare.api.delete(f"{CORE}/pods/train-1", {"gracePeriodSeconds": 0})
        bare.api.patch("/api/v1/nodes/sg-1", {"spec": {"unschedulable": True}})
        viewer.wait("the node", lambda v: v["nodes"]["sg-1"] == {
            "site": "sg", "ready": True, "schedulable": False, "milli_cpu": 64000, "free": {"rdma/hca": 8},
            "pods": 110})
        bare.api.delete("/api/v1/nodes/sg-1")
        viewer.wait("one site", lambda v: v["sites"] == ["hk"])


def test_a_pod_that_claims_a_foreign_gang_is_no_member(bare):
    make_node(bare, "hk-1", "hk")
    job = make_job(bare, "train", 2)
    gang = f"job default/{job['metadata']['uid']}"
    claims = {"labels": of_job(job, 0)["labels"]}
    bare.api.create(f"{CORE}/pods", pod("forged", "hk-1", **claims))
    with Viewer(bare.kubeconfig("admin")) as viewer:
        viewer.wait("the stranger", lambda v: v["gangs"].get(gang, {}).get("strangers") == 1)
        assert "nothing controls it" in viewer.view["gangs"][gang]["stranger"]
        assert viewer.view["gangs"][gang]["sites"] == {}
        assert viewer.view["nodes"]["hk-1"]["free"] == {"rdma/hca": 6}


def test_volcano_groups_tell_sizes(bare):
    bare.api.create(GROUPS, {"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "PodGroup",
                             "metadata": {"name": "pg"}, "spec": {"minMember": 16}})
    bare.api.create(f"{CORE}/pods", pod("a", annotations={"scheduling.k8s.io/group-name": "pg"}))
    with Viewer(bare.kubeconfig("admin")) as viewer:
        viewer.wait("16", lambda v: v["gangs"].get("volcano default/pg", {}).get("size") == 16
                    and v["gangs"]["volcano default/pg"]["pending"] == 1)


def token_of(bare, account, audience=AUDIENCE, of_pod=None):
    spec = {"audiences": [audience], "expirationSeconds": 600}
    if of_pod:
        spec["boundObjectRef"] = {"apiVersion": "v1", "kind": "Pod", "name": of_pod["metadata"]["name"],
                                  "uid": of_pod["metadata"]["uid"]}
    answer = bare.api.create(f"{CORE}/serviceaccounts/{account}/token", {"spec": spec})
    return answer["status"]["token"]


def test_a_bound_token_proves_its_node_and_no_other_does(bare):
    make_node(bare, "hk-1", "hk")
    probe = bare.api.create(f"{CORE}/pods", pod("probe-x", "hk-1", account="probe"))
    other = bare.api.create(f"{CORE}/pods", pod("other-x", "hk-1", account="other"))
    good = token_of(bare, "probe", of_pod=probe)
    head, claims, signature = good.split(".")
    with Viewer(bare.kubeconfig("admin")) as viewer:
        for _ in range(3):
            verdict = viewer.review(good)
            assert verdict["node"] == "hk-1" and verdict["reviews"] == 1, verdict
        refused = {
            "unknown": f"{head}.{claims}.{signature[:-8]}AAAAAAAA",
            "audience": token_of(bare, "probe", audience="somebody", of_pod=probe),
            "account": token_of(bare, "other", of_pod=other),
            "unbound": token_of(bare, "probe"),
            "malformed": "secret"}
        for reason, token in refused.items():
            verdict = viewer.review(token)
            assert verdict["node"] == "" and verdict["refused"].get(reason) == 1, (reason, verdict)
            assert token not in verdict["error"]
        # The pod is gone, and so is what its token proves; what was proven is remembered for a while.
        late = token_of(bare, "probe", of_pod=probe)
        bare.api.delete(f"{CORE}/pods/probe-x", {"gracePeriodSeconds": 0})
        assert viewer.review(good)["node"] == "hk-1"
        assert viewer.review(late)["refused"]["unknown"] == 2


def poor_kubeconfig(bare, folder, rules):
    """Of a new service account that may do what the rules say."""
    name = f"poor-{folder.name[-8:].lower().replace('_', '-')}"
    bare.api.create(f"{CORE}/serviceaccounts", {"metadata": {"name": name}})
    bare.api.create(f"{RBAC}/clusterroles", {"metadata": {"name": name}, "rules": rules})
    bare.api.create(f"{RBAC}/clusterrolebindings", {
        "metadata": {"name": name},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": name},
        "subjects": [{"kind": "ServiceAccount", "name": name, "namespace": "default"}]})
    words = json.loads(pathlib.Path(bare.kubeconfig("admin")).read_text())
    answer = bare.api.create(f"{CORE}/serviceaccounts/{name}/token", {"spec": {"expirationSeconds": 3600}})
    words["users"][0]["user"] = {"token": answer["status"]["token"]}
    (folder / "kubeconfig").write_text(json.dumps(words))
    return name, folder / "kubeconfig"


def test_missing_rights_are_named(bare, tmp_path):
    make_node(bare, "hk-1", "hk")
    name, kubeconfig = poor_kubeconfig(bare, tmp_path, [
        {"apiGroups": [""], "resources": ["nodes"], "verbs": ["list", "watch"]}])
    with Viewer(kubeconfig) as viewer:
        viewer.wait("a word on pods", lambda v: "RBAC lacks list on pods" in v["trouble"])
        assert not viewer.view["ready"] and viewer.view["nodes"] == {}
        viewer.wait("a word on jobs", lambda v: "RBAC lacks list on jobs.batch" in v["trouble"])
        viewer.wait("a word on groups", lambda v: "RBAC lacks list on podgroups.scheduling.volcano.sh" in v["trouble"])
        verdict = viewer.review("a.b.c")
        assert "RBAC lacks create on tokenreviews.authentication.k8s.io" in verdict["error"]
        assert verdict["refused"] == {"unavailable": 1}
        bare.api.patch(f"{RBAC}/clusterroles/{name}", {"rules": [
            {"apiGroups": [""], "resources": ["nodes", "pods"], "verbs": ["list", "watch"]}]})
        viewer.wait("a view", lambda v: v["ready"] and "hk-1" in v["nodes"])
        viewer.ask("healed hk")
        viewer.wait("a failure", lambda v: v["write_failures"] == 1 and v["marked"] == 0)


def test_events_are_one_series_and_healed_lines_mark_a_node(bare):
    make_node(bare, "hk-1", "hk")
    about = bare.api.create(f"{CORE}/pods", pod("a"))
    with Viewer(bare.kubeconfig("admin")) as viewer:
        viewer.wait("the first view", lambda v: v["ready"] and "hk-1" in v["nodes"])
        for _ in range(5):
            viewer.ask(f"event default a {about['metadata']['uid']} planned in hk")
        viewer.ask("healed hk")
        viewer.wait("both", lambda v: v["events"] == 1 and v["marked"] == 1)
        events = [event for event in bare.api.get("/apis/events.k8s.io/v1/namespaces/default/events")["items"]
                  if event["regarding"].get("name") == "a"]
        assert [event["note"] for event in events] == ["planned in hk"]
        assert events[0]["reportingController"] == "fairlead.dev/extender"
        assert "fairlead.dev/line-healed" in bare.api.get("/api/v1/nodes/hk-1")["metadata"]["annotations"]
        assert viewer.view["write_failures"] == 0
