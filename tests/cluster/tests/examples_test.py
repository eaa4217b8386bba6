"""deploy/examples on a real API server, with JobSet's, Kueue's and Volcano's definitions and the admission policy in
force; the plain Jobs are placed by the extender. No guests."""

import json
import re
import subprocess

import pytest
import yaml

from conftest import BUILD, ROOT, fresh_name
from extender_stand import Extender, allow, probe_tokens
from fairlead_cluster import ApiError, definitions, wait_for
from fairlead_cluster import pods as pod_documents
from fairlead_cluster.fake_cluster import SITES, FakeCluster, nodes_of

EXAMPLES = ROOT / "deploy" / "examples"
FILES = sorted(path.stem for path in EXAMPLES.glob("*.yaml") if path.stem != "pools")
READERS = [ROOT / "extender" / "gang" / name for name in ("pod_wishes.cc", "move_wishes.cc")]
SIZE = 4
PODS_PER_FILE = {"kueue-queues": 0, "triton": 4}


def documents(name):
    return [one for one in yaml.safe_load_all((EXAMPLES / f"{name}.yaml").read_text()) if one]


def templates(value, count=1):
    """(template, count) of all pods that are made from the document."""
    if isinstance(value, list):
        for one in value:
            yield from templates(one, count)
    elif isinstance(value, dict):
        count *= value.get("parallelism", value.get("replicas", 1))
        for key, one in value.items():
            if key == "template" and "containers" in one.get("spec", {}):
                yield one, count
            else:
                yield from templates(one, count)


def nodes():
    """Two of each site, so that a gang of four needs two sites."""
    made = nodes_of(SITES, 2)
    for node in made:
        node["metadata"]["labels"]["example.com/hca"] = "true"
        for part in ("capacity", "allocatable"):
            node["status"][part] |= {"nvidia.com/gpu": "8", "rdma/hca-bulk": "64"}
    return made


def in_force(cluster):
    """Whether the policy refuses a container that asks for two priorities."""
    pod = pod_documents.document("asks", resources={"rdma/hca": 1, "rdma/hca-bulk": 1})
    try:
        cluster.api.create("/api/v1/namespaces/default/pods?dryRun=All", pod)
    except ApiError as error:
        return error.code == 422
    return False


@pytest.fixture(scope="module")
def fleet():
    with FakeCluster(nodes()) as running:
        allow(running)
        running.kubectl("apply", "-f", ROOT / "deploy" / "admission-policy.yaml")
        definitions.define(running.api, definitions.of_job_set() + definitions.of_kueue() + definitions.of_volcano())
        wait_for("the policy to be in force", lambda: in_force(running), 60)
        yield running


@pytest.fixture(scope="module")
def extender(fleet, tmp_path_factory):
    tokens = tmp_path_factory.mktemp("tokens")
    probe_tokens(fleet, tokens, SITES)
    with Extender(fleet, tmp_path_factory.mktemp("extender"), tokens) as running:
        running.feed()
        fleet.start_scheduler(f"{running.scheduler_config()}\nprofiles: [{{schedulerName: fairlead-scheduler}}]\n")
        yield running


@pytest.fixture
def namespace(fleet):
    """A namespace of the test's own, whose pods may be made; they are gone after it."""
    name = fresh_name("example")
    path = f"/api/v1/namespaces/{name}"
    fleet.api.create("/api/v1/namespaces", {"metadata": {"name": name}})
    wait_for("the service account", lambda: fleet.api.get_or_none(f"{path}/serviceaccounts/default"), 60, poll_s=0.05)
    yield name
    for made in ("apis/batch/v1/namespaces/{}/jobs", "apis/apps/v1/namespaces/{}/deployments"):
        fleet.api.delete(f"/{made.format(name)}", {"propagationPolicy": "Background"})
    wait_for("pods to end", lambda: not fleet.api.get(f"{path}/pods")["items"], 60, poll_s=0.05)


def make(fleet, namespace, name):
    """Creates the example strictly: unknown and doubled fields are errors. What kubectl says, a line an object."""
    return fleet.kubectl("create", "--validate=strict", "-n", namespace, "-f", EXAMPLES / f"{name}.yaml").splitlines()


def test_there_are_both_trainings_in_all_four_forms_and_inference():
    forms = {f"{what}-{form}" for what in ("torchrun", "mpi") for form in ("job", "volcano", "jobset", "kueue")}
    assert set(FILES) == forms | {"kueue-queues", "triton"}
    listed = re.findall(r"^\| \[([a-z-]+)\.yaml\]", (EXAMPLES / "README.md").read_text(), re.MULTILINE)
    assert sorted(listed) == sorted([*FILES, "pools"])


@pytest.mark.parametrize("name", FILES)
def test_it_is_admitted_with_its_pods(fleet, namespace, name):
    made = make(fleet, namespace, name)
    assert len(made) == len(documents(name)) and all(line.endswith(" created") for line in made)
    found = list(templates(documents(name)))
    assert sum(count for _, count in found) == PODS_PER_FILE.get(name, SIZE)
    for number, (template, _) in enumerate(found):
        pod = {"apiVersion": "v1", "kind": "Pod", "spec": template["spec"],
               "metadata": template.get("metadata", {}) | {"name": f"one-{number}"}}
        fleet.api.create(f"/api/v1/namespaces/{namespace}/pods?dryRun=All&fieldValidation=Strict", pod)


@pytest.mark.parametrize("name", ["torchrun-job", "mpi-job"])
def test_a_plain_job_is_placed_as_one_gang(fleet, extender, namespace, name):
    make(fleet, namespace, name)

    def bound():
        pods = fleet.api.get(f"/api/v1/namespaces/{namespace}/pods")["items"]
        return pods if sum("nodeName" in pod["spec"] for pod in pods) == SIZE else None

    pods = wait_for("the gang to be bound", bound, 90, hint=lambda: extender.get("/explain")[:2000])
    assert len({pod["spec"]["nodeName"] for pod in pods}) == SIZE
    assert {pod["spec"]["nodeName"].partition("-")[0] for pod in pods} == {"hk", "sg"}  # the nearest two
    decided = json.loads(extender.get(f"/explain.json?pod={namespace}/{pods[0]['metadata']['name']}"))["decisions"][0]
    assert decided["gang_size"] == SIZE and decided["notes"] == [], decided

    def judged():
        gangs = json.loads(extender.get("/migrations.json"))["gangs"]
        return next((gang for gang in gangs if gang["namespace"] == namespace and gang["ready"] == SIZE), None)

    asked = pods[0]["metadata"]["annotations"]["fairlead.dev/migration"]
    gang = wait_for("a decision about moving it", judged, 60)
    assert (gang["reason"], gang["mode"], gang["size"]) == ("lines_well", asked, SIZE), gang


@pytest.mark.parametrize("name", [name for name in FILES if PODS_PER_FILE.get(name) is None])
def test_annotations_are_those_that_the_extender_reads(name):
    known = {word for path in READERS for word in re.findall(r'\bRead\(\s*"([a-z-]+)"', path.read_text())}
    for template, _ in templates(documents(name)):
        used = {key for key in template["metadata"]["annotations"] if key.startswith("fairlead.dev/")}
        assert used and used <= {f"fairlead.dev/{word}" for word in known}


@pytest.mark.parametrize("what", ["torchrun", "mpi"])
def test_volcano_jobs_say_what_plain_ones_say_which_can_be_read(what):
    (plain, _), = templates(documents(f"{what}-job"))
    for template, _ in templates(documents(f"{what}-volcano")):
        assert template["metadata"]["annotations"].items() <= plain["metadata"]["annotations"].items()


def test_the_pools_are_right_and_offer_what_the_examples_ask_for(tmp_path):
    values = yaml.safe_load((EXAMPLES / "pools.yaml").read_text())
    config = tmp_path / "fairlead.yaml"
    config.write_text(json.dumps(values["config"]))
    done = subprocess.run([BUILD / "bin" / "fairlead-deviceplugin", "--config", config, "--node-name", "hk-1",
                           "--check-config"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    offered = {pool["resource"] for pool in values["config"]["deviceplugin"]["pools"]}
    asked = {resource for name in FILES for template, _ in templates(documents(name))
             for container in template["spec"]["containers"] for resource in container["resources"]["limits"]}
    assert asked == offered | {"nvidia.com/gpu"}
