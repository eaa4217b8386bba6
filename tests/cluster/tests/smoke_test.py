"""What every cluster must be able to do before anything of ours runs in it."""

import pytest

from fairlead_cluster import Api, ApiError, wait_for


def test_nodes_are_ready_and_say_their_site(cluster):
    nodes = {node["metadata"]["name"]: node for node in cluster.api.get("/api/v1/nodes")["items"]}
    assert set(nodes) == {"hk", "sg"} == set(cluster.nodes)
    assert cluster.node_states() == {"hk": "True", "sg": "True"}
    for name, node in nodes.items():
        assert node["metadata"]["labels"]["topology.kubernetes.io/region"] == name
        assert {a["type"]: a["address"] for a in node["status"]["addresses"]}["InternalIP"] == \
            cluster.nodes[name].site.address
        assert node["status"]["nodeInfo"]["kubeletVersion"] == f"v{cluster.version}"


def test_a_pod_runs_on_each_node_and_sees_no_hca_that_it_did_not_ask_for(cluster, pods):
    made = {node: pods.create("plain", node=node) for node in cluster.nodes}
    for node, pod in made.items():
        assert pod.wait("Running", "Failed") == "Running", pod.explain()
        assert pod.get()["spec"]["nodeName"] == node
    for node, pod in made.items():
        assert cluster.nodes[node].site.run(["ls", "/dev/infiniband/uverbs0"]).out.strip() == "/dev/infiniband/uverbs0"
        seen = pod.exec("sh", "-c", "ls /dev; ibv_devinfo 2>&1 || echo no HCA").stdout.split("\n")
        assert "null" in seen and "no HCA" in seen and "infiniband" not in seen


def test_a_pod_reaches_the_api_by_its_service_address_and_nothing_beyond(cluster, pods):
    script = 'nc -w 5 10.96.0.1 443 < /dev/null && echo api; nc -w 5 192.0.2.1 443 < /dev/null || echo nothing'
    for network in (True, False):
        pod = pods.create("api", node="hk", host_network=network, command=["bash", "-c", script])
        assert pod.wait("Succeeded", "Failed") == "Succeeded", pod.explain()
        assert pod.log().split()[0] == "api" and pod.log().split()[-1] == "nothing"


def test_a_kubelet_may_change_its_own_node_only(cluster):
    as_hk = Api.of(cluster.kubeconfig_of("kubelet-hk"))
    label = {"metadata": {"labels": {"topology.kubernetes.io/zone": "z"}}}
    assert as_hk.patch("/api/v1/nodes/hk", label)["metadata"]["labels"]["topology.kubernetes.io/zone"] == "z"
    with pytest.raises(ApiError) as refused:
        as_hk.patch("/api/v1/nodes/sg", label)
    assert refused.value.code == 403
    with pytest.raises(ApiError) as refused:
        as_hk.get("/api/v1/secrets")
    assert refused.value.code == 403


def test_an_error_of_the_api_tells_what_was_asked(cluster):
    with pytest.raises(ApiError, match="GET /api/v1/nodes/nowhere gave 404") as caught:
        cluster.api.get("/api/v1/nodes/nowhere")
    assert caught.value.code == 404
    assert cluster.api.get_or_none("/api/v1/nodes/nowhere") is None


def test_the_api_server_is_led_to_kubelets_and_refused_everywhere_else(cluster):
    assert cluster.kubectl("get", "--raw", "/api/v1/nodes/sg:10250/proxy/healthz").stdout == "ok"
    hooks = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations"
    rule = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["configmaps"]}
    cluster.api.create(hooks, {"metadata": {"name": "outside"}, "webhooks": [{
        "name": "outside.fairlead.dev", "clientConfig": {"url": "https://192.0.2.1/"}, "rules": [rule],
        "sideEffects": "None", "admissionReviewVersions": ["v1"], "timeoutSeconds": 5}]})
    try:
        refused = wait_for("the webhook to be in force", lambda: refusal(cluster), 60)
    finally:
        cluster.api.delete(f"{hooks}/outside")
    assert "dialing 192.0.2.1:443, code 403" in refused


def refusal(cluster):
    """Why a new object is refused; None where it is not."""
    try:
        cluster.api.create("/api/v1/namespaces/default/configmaps", {"metadata": {"generateName": "try-"}})
    except ApiError as error:
        return str(error)
    return None
