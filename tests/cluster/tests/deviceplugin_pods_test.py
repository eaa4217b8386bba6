"""What a real kubelet makes of the device plugin, and what its pods can do."""

import concurrent.futures
import re
import time

import pytest

from fairlead_cluster import wait_for
from plugin_pod import GPU, GPUS, IMAGE, allocatable

HOST = {"host_network": True}
IDLE_S = 60
# A pod that asked for nothing makes the node of the HCA by itself and tries to open it.
OPEN_ANYWAY = """
ls /dev/infiniband
mknod /tmp/uverbs c $(tr : ' ' < /sys/class/infiniband_verbs/uverbs0/dev) && echo made
(: < /tmp/uverbs) && echo opened
ibv_devinfo > /dev/null && echo an HCA
true
"""
# Both ends in one container; each pins 1 MiB where the limit is 64 KiB.
PINGPONG = """
ulimit -l 64
ibv_rc_pingpong -d rxe0 -g 1 -n 5 -s 1048576 > /dev/null & server=$!
until ibv_rc_pingpong -d rxe0 -g 1 -n 5 -s 1048576 localhost > /dev/null 2>&1; do
  kill -0 $server 2> /dev/null || break
  sleep 0.2
done
wait $server
"""


@pytest.fixture(scope="module")
def made(cluster, plugins, module_pods):
    """Pods that run from here on, made at once: one takes a guest ten seconds, several hardly more."""
    hca = {"resources": {"rdma/hca": 1}, **HOST}
    may_lock = {"securityContext": {"capabilities": {"add": ["IPC_LOCK"]}}}
    made = {
        "hk": module_pods.create("asks", node="hk", **hca),
        "sg": module_pods.create("asks", node="sg", securityContext={"runAsUser": 1000, "runAsGroup": 1000}, **hca),
        "plain": module_pods.create("plain", node="hk"),
        "bulk": module_pods.create("bulk", node="hk", resources={"rdma/hca-bulk": 1, GPU: 1},
                                   container_fields=may_lock),
        "probe": module_pods.create("probe", node="sg", image=IMAGE, command=["sleep", "1000000"],
                                    resources={"fairlead.dev/probe": 1}, **HOST),
    }
    for pod in made.values():
        assert pod.wait("Running", "Failed") == "Running", pod.explain()
    return made


@pytest.fixture(scope="module")
def before(plugins, made):
    """When the pods were there, and what the plugin in Singapore had used by then."""
    return time.monotonic(), plugins.at["sg"].usage()


def env_of(pod):
    rows = pod.exec("env").stdout.splitlines()
    return {key: value for key, _, value in (row.partition("=") for row in rows)
            if re.match(r"NCCL|UCX|GLOO|FAIRLEAD|NVIDIA", key)}


def settings_of(resource, best, traffic_class):
    return {f"FAIRLEAD_HCAS_{resource}": f"rxe0:1 roce 10Gbps GID {best['gid_index']} {best['gid']}",
            "NCCL_IB_HCA": "=rxe0:1", "UCX_NET_DEVICES": "rxe0:1",
            "NCCL_IB_GID_INDEX": str(best["gid_index"]), "UCX_IB_GID_INDEX": str(best["gid_index"]),
            "NCCL_IB_TC": str(traffic_class), "UCX_IB_TRAFFIC_CLASS": str(traffic_class),
            "NCCL_IB_TIMEOUT": "20", "NCCL_IB_RETRY_CNT": "7", "UCX_RC_TIMEOUT": "4295ms", "UCX_RC_RETRY_COUNT": "7"}


def test_allocatable_is_slots_times_healthy_hcas_as_list_has_it(cluster, plugins):
    for node, plugin in plugins.at.items():
        listed = {r["resource"]: [d["id"] for d in r["devices"] if d["healthy"]] for r in plugin.list()["resources"]}
        assert listed["rdma/hca"] == [f"rxe0-s{slot}" for slot in range(4)]
        assert listed["rdma/hca-bulk"] == ["rxe0-s0", "rxe0-s1"]
        assert listed.get(GPU) == ([gpu.lower() for gpu in GPUS] if node == "hk" else None)
        assert listed["fairlead.dev/probe"]
        assert {r: allocatable(cluster, node, r) for r in listed} == {r: len(ids) for r, ids in listed.items()}


def test_a_container_has_its_hca_and_the_settings_that_fit_it(cluster, plugins, made, before):
    for name, node in (("hk", "hk"), ("sg", "sg"), ("bulk", "hk")):
        hca = plugins.at[node].list()["hcas"][0]
        best = min(hca["ports"][0]["gids"], key=lambda gid: gid["rank"])
        assert (best["type"], best["gid"]) == ("RoCE v2", cluster.nodes[node].site.address)
        told = settings_of("RDMA_HCA_BULK", best, 10 * 4 + 2) if name == "bulk" else settings_of("RDMA_HCA", best, 106)
        told |= {"NVIDIA_VISIBLE_DEVICES": GPUS[0]} if name == "bulk" else {}
        assert env_of(made[name]) == told
        assert made[name].exec("ls", "/dev/infiniband").stdout.split() == ["rdma_cm", hca["uverbs"]]
        assert "PORT_ACTIVE" in made[name].exec("ibv_devinfo", "-d", "rxe0").stdout


def test_a_container_that_asked_for_none_has_no_hca_and_cannot_make_itself_one(made):
    tried = made["plain"].exec("sh", "-c", OPEN_ANYWAY)
    assert tried.stdout.split() == ["made"], tried.stderr
    assert "/tmp/uverbs: Operation not permitted" in tried.stderr


def run_until_done(pod, *commands):
    """What they print, one after the other; each is tried again for a while, for the other end may not be there yet."""
    tries = [f"for i in $(seq 60); do timeout 60 {command} && break; sleep 0.5; done" for command in commands]
    return pod.exec("bash", "-c", "; ".join(tries) + " 2>&1", timeout_s=300).stdout


def test_verbs_and_rdma_cm_across_the_line(cluster, made, figures):
    """Between two sites, without privilege; in Singapore by a user without rights."""
    address = cluster.nodes["sg"].site.address
    write, ping = "ib_write_bw -d rxe0 -x 1 -n 20 -s 65536 -u 17", "rping -C 3 -v"
    with concurrent.futures.ThreadPoolExecutor() as pool:
        server = pool.submit(run_until_done, made["sg"], write, f"{ping} -s")
        client = pool.submit(run_until_done, made["hk"], f"{write} {address}", f"{ping} -c -a {address}").result()
        served = server.result()
    assert "BW average" in client and client.count("ping data: rdma-ping") == 3
    assert served.count("server ping data: rdma-ping") == 3
    row = next(row.split() for row in client.splitlines() if row.split()[:2] == ["65536", "20"])
    figures("ib_write_bw between pods, HK to SG", f"{row[3]} MB/s")


def test_memory_is_pinned_within_the_limit_of_the_runtime_or_with_ipc_lock(made):
    refused = made["hk"].exec("bash", "-c", PINGPONG, check=False)
    assert refused.returncode != 0 and "Couldn't register MR" in refused.stderr
    granted = made["bulk"].exec("bash", "-c", PINGPONG, check=False)
    assert granted.returncode == 0, granted.stderr


def test_linkprobe_has_verbs_by_asking_for_the_probe_resource(made):
    assert made["probe"].exec("ls", "/dev/infiniband").stdout.split() == ["rdma_cm", "uverbs0"]
    assert env_of(made["probe"]) == {}
    found = made["probe"].exec("fairlead-linkprobe", "devices").stdout
    assert "probes go over verbs from rxe0 port 1 gid_index 1" in found


def test_who_holds_what(plugins, made):
    held = {("hk", made["hk"].name): "rdma/hca", ("hk", made["bulk"].name): "rdma/hca-bulk",
            ("sg", made["sg"].name): "rdma/hca", ("sg", made["probe"].name): "fairlead.dev/probe"}
    for (node, pod), resource in held.items():
        wait_for(f"the metric that {pod} holds {resource}",
                 lambda: plugins.at[node].metrics().value("allocated", pod=pod, resource=resource) == 1, 60)
    for node, plugin in plugins.at.items():
        listed = [h for h in plugin.list("--pods")["held"] if h["resource"] != GPU]
        assert {(node, h["pod"]): h["resource"] for h in listed} == {k: v for k, v in held.items() if k[0] == node}
        assert all(h["container"] == "main" and h["namespace"] == "default" and len(h["ids"]) == 1 for h in listed)


def test_what_the_plugin_costs(plugins, before, figures):
    begin, used = before
    plugin = plugins.at["sg"]
    wait_for("an idle minute", lambda: time.monotonic() - begin >= IDLE_S, IDLE_S + 30)
    now, seconds = plugin.usage(), time.monotonic() - begin
    assert now.begin_s == pytest.approx(used.begin_s, abs=1)  # It has not been restarted.
    figures("device plugin: resident memory", f"{now.rss_bytes / 2**20:.1f} MiB")
    figures("device plugin: CPU when idle, under emulation", f"{(now.cpu_s - used.cpu_s) / seconds * 100:.2f} % of a core")
    registered = max(plugin.events("registered with kubelet")[:3])
    figures("device plugin: from its start to kubelet's having all resources, under emulation",
            f"{registered - now.begin_s:.2f} s")
    figures("device plugin: a reading of the node, under emulation",
            f"{plugin.metrics().value('node_read_seconds') * 1e3:.0f} ms")
    assert now.rss_bytes < 64 * 2**20
