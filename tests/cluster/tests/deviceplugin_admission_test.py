"""The admission policy that keeps priorities of the same HCAs apart."""

import pytest

from conftest import ROOT
from fairlead_cluster import ApiError, pods as pod_documents, wait_for

POLICY = ROOT / "deploy" / "admission-policy.yaml"
PODS = "/api/v1/namespaces/default/pods?dryRun=All"


@pytest.fixture(scope="module")
def policy(cluster):
    """The policy in force."""
    cluster.kubectl("apply", "-f", POLICY)
    wait_for("the policy to be in force", lambda: refusal(cluster, main={"rdma/hca": 1, "rdma/hca-bulk": 1}), 60)
    yield
    cluster.kubectl("delete", "-f", POLICY)


def refusal(cluster, init=(), **containers):
    """Why a pod with containers that ask for these resources is refused; None where it is not."""
    document = pod_documents.document("asks")
    main = document["spec"]["containers"][0]

    def container(name, asked):
        return main | {"name": name, "resources": {"limits": {key: str(value) for key, value in asked.items()}}}

    document["spec"]["containers"] = [container(*item) for item in containers.items()]
    if init:
        document["spec"]["initContainers"] = [container("first", init)]
    try:
        cluster.api.create(PODS, document)
    except ApiError as error:
        return f"{error.code} {error}"
    return None


BOTH = {"rdma/hca": 1, "rdma/hca-bulk": 2, "cpu": 1}
WHY = ("container {} asks for rdma/hca and rdma/hca-bulk, which are priorities of the same HCAs and set the same "
       "variables; ask for one of them, or for each in a container of its own")


@pytest.mark.parametrize("name, asked", [
    ("bad", {"good": {"rdma/hca": 1}, "bad": BOTH}),
    ("first", {"init": BOTH, "main": {}}),
])
def test_one_container_with_two_priorities_is_refused(cluster, policy, name, asked):
    refused = refusal(cluster, **asked)
    assert refused.startswith("422 ") and refused.endswith(WHY.format(name))


@pytest.mark.parametrize("asked", [
    {"main": {"rdma/hca": 2, "cpu": 1}},
    {"main": {"rdma/hca": 1}, "bulk": {"rdma/hca-bulk": 1}},
    {"init": {"rdma/hca-bulk": 1}, "main": {"rdma/hca": 1}},
    {"main": {"example.com/other": 1, "rdma/hca-bulk": 1}},
    {"main": {}},
])
def test_other_pods_are_accepted(cluster, policy, asked):
    assert refusal(cluster, **asked) is None
