"""NCCL's settings as a file in a real pod: mounted, written anew at each start, with the line that linkprobe measures."""

import pytest

from fairlead_cluster import wait_for
from plugin_pod import NCCL_CONFS, WITH_GPUS, wait_allocatable
from restarts import container_of
from verdict_test import probe, stack  # noqa: F401  (fixtures)

pytestmark = pytest.mark.long

CONF = "/etc/fairlead-nccl.conf"
POOLS = [{"resource": "rdma/hca", "network": "host", "slots": 4, "trafficClass": 106, "ncclConf": True}]
HCA = {"node": "hk", "host_network": True, "resources": {"rdma/hca": 1}, "restartPolicy": "Always"}
ALWAYS = {"NCCL_IB_HCA": "=rxe0:1", "NCCL_IB_TC": "106", "NCCL_IB_TIMEOUT": "20", "NCCL_IB_RETRY_CNT": "7"}
ENDS = ["bash", "-c", "sleep infinity & trap 'exit 1' TERM; wait"]  # When it is told to.


@pytest.fixture(scope="module")
def plugin(cluster, plugins):
    """The plugin in Hong Kong with a pool that wants files; afterwards it is as it was."""
    made = plugins.replace("hk", pools=POOLS)
    made.wait_until_well()
    wait_allocatable(cluster, "hk", 4)
    yield made
    plugins.replace("hk", **WITH_GPUS).wait_until_well()
    wait_allocatable(cluster, "hk", 4)


@pytest.fixture(scope="module")
def holder(plugin, module_pods):
    """A pod that began while nobody had measured a line."""
    pod = module_pods.create("trainer", command=ENDS, **HCA)
    assert pod.wait("Running", "Failed") == "Running", pod.explain()
    return pod


def settings_in(text):
    """As NCCL reads them."""
    rows = [row for row in text.splitlines() if row and not row.startswith("#")]
    return dict(row.split("=", 1) for row in rows)


def restart(pod):
    """Ends its container; kubelet starts it again after a back-off."""
    _, before, _ = container_of(pod)
    pod.exec("kill", "-TERM", "1", check=False)
    wait_for("the container to run again", lambda: container_of(pod)[1:] == (before + 1, True), 180, hint=pod.explain)


def test_the_file_is_mounted_in_place_of_the_variables(cluster, plugin, holder):
    text = holder.exec("cat", CONF).stdout
    assert ALWAYS.items() <= settings_in(text).items()
    assert "No facts of a line" in text and "NCCL_BUFFSIZE" not in settings_in(text)
    env = holder.exec("env").stdout.splitlines()
    assert [row for row in env if row.startswith("NCCL_")] == [f"NCCL_CONF_FILE={CONF}"]
    assert holder.exec("bash", "-c", f"echo x >> {CONF}", check=False).returncode != 0  # It can be read only.
    names = cluster.nodes["hk"].site.run(["ls", "-A", NCCL_CONFS]).out.split()
    assert len(names) == 1 and names[0].startswith("RDMA_HCA.rxe")
    assert plugin.metrics().value("nccl_confs_total", result="written") >= 2  # Allocate and the start.
    assert plugin.metrics().value("container_starts_total", resource="rdma/hca", result="taken") >= 1


def test_a_restarted_container_has_the_line_that_is_measured_meanwhile(cluster, plugin, holder, stack, probe):  # noqa: F811
    wait_for("the plugin to hear of the line",
             lambda: plugin.metrics().values("line_rtt_seconds", site="hk", peer_site="sg"), 120, hint=probe.pod.log)
    before = holder.exec("cat", CONF).stdout
    restart(holder)
    text = holder.exec("cat", CONF).stdout
    assert "Worst line of site hk: the line to sg (" in text and text != before
    assert ALWAYS.items() <= settings_in(text).items()
    assert int(settings_in(text)["NCCL_IB_QPS_PER_CONNECTION"]) > 1  # Soft RoCE over tens of milliseconds.


def test_files_that_cannot_be_written_keep_nothing_from_starting(cluster, plugin, holder, module_pods):
    run = cluster.nodes["hk"].site.run
    in_the_way = [f"{NCCL_CONFS}/.RDMA_HCA.rxe0-s{slot}.conf.new" for slot in range(4)]  # Where new bytes go first.
    run(["mkdir", *in_the_way])
    try:
        before = holder.exec("cat", CONF).stdout
        restart(holder)
        assert holder.exec("cat", CONF).stdout == before
        assert plugin.metrics().value("nccl_confs_total", result="kept") >= 1

        other = module_pods.create("other", **HCA)
        assert other.wait("Running", "Failed") == "Running", other.explain()
        env = other.exec("env").stdout.splitlines()
        assert "NCCL_IB_TIMEOUT=20" in env and not [row for row in env if row.startswith("NCCL_CONF_FILE")]
        assert plugin.metrics().value("nccl_confs_total", result="without") >= 1
        assert plugin.events("NCCL settings of a container cannot be written")
    finally:
        run(["rmdir", *in_the_way])


def test_files_that_nobody_holds_are_removed(cluster, plugin, holder):
    holder.delete()
    holder.wait_gone()
    wait_for("the file to be removed", lambda: not cluster.nodes["hk"].site.run(["ls", "-A", NCCL_CONFS]).out.split(),
             300)
