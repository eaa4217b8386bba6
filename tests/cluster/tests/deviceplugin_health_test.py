"""HCAs that come, go and fail under a running kubelet, as it and the pods see them."""

import pytest

from fairlead_cluster import wait_for
from plugin_pod import DOWN_AFTER_S, allocatable, wait_allocatable

# A second HCA, on a cable of its own.
PLUG_IN = """
ip link add fab0 type veth peer name fab1
ip link set fab0 up; ip link set fab1 up
ip addr add 10.77.0.1/24 dev fab0
rdma link add rxe1 type rxe netdev fab0
"""
DRIVERS = "rdma_rxe rdma_ucm ib_uverbs"  # In the order in which they can be removed.
LOAD = f"modprobe -a {DRIVERS}; rdma link show rxe0/1 2> /dev/null || rdma link add rxe0 type rxe netdev site0"
ILL = "an HCA is not healthy any more"
WELL = "an HCA is healthy again"


def bash(cluster, node, script):
    """Runs a script in the guest; the guest's time at its end and its output."""
    out, _, ended = cluster.nodes[node].site.run(
        ["bash", "-ec", f"{script}\ndate +%s.%N"]).out.rstrip().rpartition("\n")
    return float(ended), out


def port(way):
    """A script that takes rxe1's port up or down and ends when the kernel says so."""
    state = {"up": "ACTIVE", "down": "DOWN"}[way]
    return f"ip link set fab0 {way}; until grep -q {state} /sys/class/infiniband/rxe1/ports/1/state; do sleep 0.02; done"


def event_after(plugin, message, begin_s, **fields):
    """Waits for a line of the plugin's log from then on; how many seconds later it was."""
    def found():
        return [at for at in plugin.events(message, **fields) if at >= begin_s]

    return wait_for(f"'{message}' of {fields}", found, 60)[0] - begin_s


@pytest.fixture(scope="module")
def second_hca(cluster, plugins, figures):
    """rxe1 beside rxe0 in Hong Kong, there for pods; at the end it is gone, though still listed as unhealthy."""
    try:
        begin, _ = bash(cluster, "hk", PLUG_IN)
        seconds = event_after(plugins.at["hk"], "an HCA is there", begin, device="rxe1")
        figures("an HCA that is added is offered", f"{seconds:.1f} s")
        wait_allocatable(cluster, "hk", 8)
        yield
    finally:
        bash(cluster, "hk", "ip link delete fab0")  # Takes rxe1 with it.
    wait_allocatable(cluster, "hk", 4)


@pytest.fixture(scope="module")
def holder(second_hca, module_pods):
    """A pod with more slots than one HCA has."""
    pod = module_pods.create("holder", node="hk", resources={"rdma/hca": 5}, host_network=True)
    assert pod.wait("Running", "Failed") == "Running", pod.explain()
    return pod


def health_in_status(pod):
    """{device ID: health} as the pod's status has it."""
    status = pod.get()["status"]["containerStatuses"][0].get("allocatedResourcesStatus", [])
    return {r["resourceID"]: r["health"] for named in status if named["name"] == "rdma/hca" for r in named["resources"]}


def rxe1_in_status(pod, health):
    """Whether the status has slots of rxe1, all of this health, and those of rxe0 healthy."""
    found = health_in_status(pod)
    of_rxe1 = {h for i, h in found.items() if i.startswith("rxe1-")}
    return of_rxe1 == {health} and {h for i, h in found.items() if i.startswith("rxe0-")} == {"Healthy"}


def flap_then_cut(cluster, plugin):
    """The port is down for less than the debounce, then for good: the guest's times of the first's end, the other's begin."""
    reads = plugin.metrics().value("node_reads_total")

    def over():
        now = plugin.metrics()
        return now.value("node_reads_total") > reads and not now.sum("device_ailment", device="rxe1")

    flap, _ = bash(cluster, "hk", f"{port('down')}; {port('up')}")
    wait_for("the flap to have been seen", over, 60)
    _, down = bash(cluster, "hk", f"date +%s.%N; {port('down')}")
    return flap, float(down)


def test_a_container_with_two_hcas_has_the_nodes_and_settings_of_both(holder):
    env = dict(row.split("=", 1) for row in holder.exec("env").stdout.splitlines())
    assert (env["NCCL_IB_HCA"], env["UCX_NET_DEVICES"]) == ("=rxe0:1,rxe1:1", "rxe0:1,rxe1:1")
    assert env["NCCL_IB_GID_INDEX"] == "1"
    assert holder.exec("ls", "/dev/infiniband").stdout.split() == ["rdma_cm", "uverbs0", "uverbs1"]


def test_a_port_that_goes_down_and_comes_back(cluster, plugins, holder, figures):
    plugin = plugins.at["hk"]
    flap, down = flap_then_cut(cluster, plugin)
    seconds = event_after(plugin, ILL, flap, device="rxe1") - (down - flap)
    figures(f"a port that is down is on ListAndWatch, debounce {DOWN_AFTER_S} s", f"{seconds:.1f} s")
    assert seconds >= DOWN_AFTER_S  # What was shorter has left no trace.
    assert plugin.metrics().value("device_healthy", device="rxe1") == 0
    wait_allocatable(cluster, "hk", 4)
    assert allocatable(cluster, "hk", of="capacity") == 8
    wait_for("the pod's status to tell", lambda: rxe1_in_status(holder, "Unhealthy"), 60,
             hint=lambda: str(health_in_status(holder)))

    up, _ = bash(cluster, "hk", port("up"))
    figures("a port that is up again is on ListAndWatch, debounce 2 s",
            f"{event_after(plugin, WELL, up, device='rxe1'):.1f} s")
    wait_allocatable(cluster, "hk", 8)
    assert plugin.metrics().value("device_healthy", device="rxe1") == 1
    wait_for("the pod's status to tell", lambda: rxe1_in_status(holder, "Healthy"), 60,
             hint=lambda: str(health_in_status(holder)))
    assert holder.phase() == "Running"


def test_an_hca_that_is_removed_and_added_again(cluster, plugins, holder):
    plugin = plugins.at["hk"]
    gone, _ = bash(cluster, "hk", "rdma link delete rxe1")
    event_after(plugin, ILL, gone, device="rxe1")
    wait_allocatable(cluster, "hk", 4)
    assert plugin.metrics().value("device_ailment", device="rxe1", reason="removed") == 1
    back, _ = bash(cluster, "hk", "rdma link add rxe1 type rxe netdev fab0")
    event_after(plugin, WELL, back, device="rxe1")
    wait_allocatable(cluster, "hk", 8)
    assert holder.phase() == "Running"


@pytest.fixture
def no_drivers(cluster, plugins):
    """Neither plugin nor drivers in Singapore; drivers are there again after the test."""
    plugins.at["sg"].pod.delete()
    plugins.at["sg"].pod.wait_gone()
    try:
        _, left = bash(cluster, "sg", f"rdma link delete rxe0; modprobe -r {DRIVERS}; ls /dev/infiniband || true")
        assert left == ""
        yield
    finally:
        bash(cluster, "sg", LOAD)


def test_drivers_that_come_after_the_plugin(cluster, plugins, no_drivers):
    plugin = plugins.start("sg")
    plugin.wait_until_well()
    wait_allocatable(cluster, "sg", 16, resource="fairlead.dev/probe")
    wait_allocatable(cluster, "sg", 0)  # kubelet writes its node's status from time to time only
    assert plugin.list()["hcas"] == []
    bash(cluster, "sg", LOAD)
    wait_allocatable(cluster, "sg", 4)
    assert plugin.list()["rdma_cm"]
