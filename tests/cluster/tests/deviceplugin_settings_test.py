"""The plugin in Singapore as other configurations have it: plugins_registry, CDI, NFD, devices that leave the list."""

import base64
import json
import re

import pytest

from conftest import BUILD
from fairlead_cluster import wait_for
from plugin_pod import allocatable, wait_allocatable
from restarts import admitted, container_of, kill, registered_after, start_kubelet, stop_kubelet

pytestmark = pytest.mark.long

SLOTS = 64
RESOURCES = 2  # rdma/hca and the probe's.
CDI_FOLDER = "/var/run/cdi"
CDI_FILE = f"{CDI_FOLDER}/fairlead.dev-hca.json"
NFD_FOLDER = "/etc/kubernetes/node-feature-discovery/features.d"  # Where NFD's worker reads.
REGISTRY = "/var/lib/kubelet/plugins_registry"
CHECKPOINT = "/var/lib/kubelet/device-plugins/kubelet_internal_checkpoint"
HCA = {"node": "sg", "host_network": True, "resources": {"rdma/hca": 1}}
OTHER = {
    "registration": "registry", "removeAfter": "4s", "cdi": True, "cdiDirectory": CDI_FOLDER,
    "nfdFeatureFile": f"{NFD_FOLDER}/fairlead",
    "pools": [{"resource": "rdma/hca", "network": "host", "slots": SLOTS, "trafficClass": 106}],
}
# As Kubernetes wants names and values of labels.
LABEL_NAME = re.compile(r"fairlead\.dev/[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?")
LABEL_VALUE = re.compile(r"[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?")


@pytest.fixture(scope="module")
def plugin(cluster, plugins):
    """The plugin with OTHER settings, to the end of the run."""
    made = plugins.replace("sg", **OTHER)
    made.wait_until_well()
    wait_allocatable(cluster, "sg", SLOTS)
    return made


@pytest.fixture(scope="module")
def holder(plugin, module_pods):
    """A pod that runs on all along."""
    pod = module_pods.create("holder", **HCA)
    assert pod.wait("Running", "Failed") == "Running", pod.explain()
    return pod


def sg(cluster, *words):
    return cluster.nodes["sg"].site.run(words).out


def labels(cluster):
    """The feature file as NFD reads it: names and values."""
    return dict(line.split("=", 1) for line in sg(cluster, "cat", f"{NFD_FOLDER}/fairlead").splitlines())


def cdi_devices(cluster):
    """{name: paths in the container} that the runtime is told; nothing where there is no file."""
    text = sg(cluster, "bash", "-c", f"cat {CDI_FILE} 2> /dev/null || true")
    if not text:
        return {}
    told = json.loads(text)
    assert told["kind"] == "fairlead.dev/hca"
    return {d["name"]: [node["path"] for node in d["containerEdits"]["deviceNodes"]] for d in told["devices"]}


def answers_to(cluster, pod):
    """What the plugin answered for a pod, as kubelet keeps it."""
    kept = json.loads(sg(cluster, "cat", CHECKPOINT))["Data"]["PodDeviceEntries"]
    uid = pod.get()["metadata"]["uid"]
    return b"".join(base64.b64decode(entry["AllocResp"]) for entry in kept if entry["PodUID"] == uid)


def test_kubelet_finds_the_plugin_in_its_registry(cluster, plugin):
    assert plugin.metrics().sum("registered") == plugin.metrics().sum("connected") == RESOURCES
    assert sg(cluster, "bash", "-c", f"ls {REGISTRY} | grep -c '^fairlead-'").strip() == str(RESOURCES)
    assert sg(cluster, "bash", "-c", f"ls {REGISTRY}/../device-plugins | grep -c '^fairlead-' || true").strip() == "0"
    assert allocatable(cluster, "sg", "fairlead.dev/probe") > 0


def test_device_nodes_come_by_cdi(cluster, plugin, holder):
    hca = plugin.list()["hcas"][0]
    assert cdi_devices(cluster) == {hca["id"]: ["/dev/infiniband/rdma_cm", f"/dev/infiniband/{hca['uverbs']}"]}
    answered = answers_to(cluster, holder)
    assert f"fairlead.dev/hca={hca['id']}".encode() in answered and b"/dev/infiniband" not in answered
    assert holder.exec("ls", "/dev/infiniband").stdout.split() == ["rdma_cm", hca["uverbs"]]
    assert "PORT_ACTIVE" in holder.exec("ibv_devinfo", "-d", hca["device"]).stdout


def test_nfd_is_told_what_the_node_has(cluster, plugin):
    hca = plugin.list()["hcas"][0]
    told = labels(cluster)
    expected = {"hca.count": "1", "hca.healthy": "1", "hca.protocol.roce": "true", "rdma.netns-mode": "shared",
                "hca.rate-gbps": str(hca["ports"][0]["rate_bits_per_second"] // 10**9)}
    expected |= {f"hca.driver.{hca['driver']}": "true"} if hca["driver"] else {}
    assert told == {f"fairlead.dev/{name}": value for name, value in expected.items()}
    for name, value in told.items():
        assert LABEL_NAME.fullmatch(name) and LABEL_VALUE.fullmatch(value)
    assert sg(cluster, "ls", "-A", NFD_FOLDER).split() == ["fairlead"]


def test_a_thousand_allocates_through_the_real_socket(cluster, plugin, figures):
    listed = {r["resource"]: r["devices"] for r in plugin.list()["resources"]}
    ids = [device["id"] for device in listed["rdma/hca"]]
    assert len(ids) == SLOTS
    socket = sg(cluster, "bash", "-c", f"ls {REGISTRY}/fairlead-rdma_hca-*.sock").strip()
    before = plugin.metrics()
    took = json.loads(sg(cluster, BUILD / "bin" / "deviceplugin_allocate_often", socket, 1000, *ids))
    after = plugin.metrics()
    granted = {"resource": "rdma/hca", "result": "granted"}
    assert took["count"] == 1000
    assert after.value("allocations_total", **granted) - (before.value("allocations_total", **granted) or 0) == 1000
    assert after.sum("allocations_total", resource="rdma/hca", result="refused") == 0
    figures(f"1,000 Allocates of {SLOTS} devices, as the caller sees them, under emulation: median, p99",
            f"{took['p50_us'] / 1e3:.2f} ms, {took['p99_us'] / 1e3:.2f} ms")
    figures("of these in the plugin, p99 at most", within(before, after, 0.99))


def within(before, after, share):
    """The bucket of the plugin's own histogram that holds this share of what came between two scrapes."""
    def buckets(metrics):
        found = metrics.values("allocate_duration_seconds_bucket", resource="rdma/hca")
        return {float(dict(labels)["le"]): count for labels, count in found.items()}

    counts = {le: count - buckets(before).get(le, 0) for le, count in buckets(after).items()}
    return next((f"{le * 1e3:g} ms" for le in sorted(counts) if counts[le] >= share * max(counts.values())), "not told")


def test_a_device_that_is_gone_for_long_is_not_listed_any_more(cluster, plugin, holder, figures):
    device = plugin.list()["hcas"][0]["device"]
    before = container_of(holder)
    sg(cluster, "rdma", "link", "delete", device)
    wait_for("the device to leave the plugin's lists",
             lambda: not plugin.metrics().values("device_healthy", device=device), 60)
    assert cdi_devices(cluster) == {} and labels(cluster)["fairlead.dev/hca.count"] == "0"
    wait_for("the node to have no HCA", lambda: allocatable(cluster, "sg", of="capacity") == 0, 60)
    assert allocatable(cluster, "sg") == 0
    assert container_of(holder) == before

    sg(cluster, "rdma", "link", "add", device, "type", "rxe", "netdev", "site0")
    wait_allocatable(cluster, "sg", SLOTS)
    assert len(cdi_devices(cluster)) == 1 and labels(cluster)["fairlead.dev/hca.healthy"] == "1"
    assert allocatable(cluster, "sg", of="capacity") == SLOTS


def test_the_plugin_is_killed_and_kubelet_finds_its_new_sockets(cluster, plugin, holder, figures):
    before, process = container_of(holder), plugin.pid()
    killed = kill(plugin)
    assert len(cdi_devices(cluster)) == 1  # It stays: containers that start again meanwhile need it.
    with admitted(cluster, **HCA) as pod:
        seconds = registered_after(plugin, killed, RESOURCES)
        figures("plugins_registry, plugin killed: all resources registered after", f"{seconds:.2f} s")
        pod.wait_until_it_runs()
        wait_allocatable(cluster, "sg", SLOTS)
    assert container_of(holder) == before and plugin.pid() != process
    assert sg(cluster, "bash", "-c", f"ls {REGISTRY} | grep -c '^fairlead-'").strip() == str(RESOURCES)


def test_kubelet_restarts_and_finds_the_plugin_again(cluster, plugin, holder, figures):
    before, process = container_of(holder), plugin.pid()
    stopped = stop_kubelet(cluster, "sg")
    with admitted(cluster, **HCA) as pod:
        pod.wait_until_bound()
        seconds = registered_after(plugin, start_kubelet(cluster, "sg", stopped), RESOURCES)
        figures("plugins_registry, kubelet back: all resources registered after", f"{seconds:.2f} s")
        pod.wait_until_it_runs()
        wait_allocatable(cluster, "sg", SLOTS)
    assert (container_of(holder), plugin.pid()) == (before, process)
