"""What the cluster tool does without guests: texts, plans, images, the proxy."""

import json
import pathlib
import re
import socket
import subprocess
import sys
import threading

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "lab")]

from fairlead_cluster import ClusterError, cache, cli, credentials, egress, images, node_words, plan, ports  # noqa: E402
from fairlead_cluster import control_plane_words, controllers, kwok, pods, rootfs, toolchain, versions, wait_for  # noqa: E402
from fairlead_cluster.node import ready_status  # noqa: E402


def test_the_version_is_the_one_of_the_module_file():
    assert versions.kubernetes_version("require k8s.io/kubernetes v1.37.2\n") == "1.37.2"
    assert versions.kubernetes_version("require (\n\tk8s.io/kubernetes v1.38.0 // indirect\n)") == "1.38.0"
    with pytest.raises(ClusterError, match="requires no release"):
        versions.kubernetes_version("module x\n")
    assert "gitVersion=v1.37.2" in versions.linker_words("1.37.2")
    assert "gitMinor=37" in versions.linker_words("1.37.2")


def test_every_program_is_a_tool_of_the_module_and_staging_modules_are_of_one_version():
    text = (versions.MODULE / "go.mod").read_text()
    for name in versions.PROGRAMS:
        assert f"k8s.io/kubernetes/cmd/{name}\n" in text
    assert f"{kwok.PACKAGE}/cmd/kwok\n" in text
    minor = versions.kubernetes_version().removeprefix("1.")
    replaced = [row for row in text.splitlines() if "=>" in row]
    assert replaced and all(row.endswith(f" v0.{minor}") for row in replaced)


def test_the_containerd_of_the_nodes_is_one_that_knows_cdi():
    major, _, _ = versions.containerd_version().split(".")
    assert int(major) >= 2
    text = (versions.CONTAINERD_MODULE / "go.mod").read_text()
    for name in versions.CONTAINERD_PROGRAMS:
        assert f"{versions.CONTAINERD}/cmd/{name}\n" in text


@pytest.mark.parametrize("release", controllers.RELEASES, ids=lambda release: release.name)
def test_controllers_are_tools_of_their_modules_in_the_version_that_is_built(release):
    text = (release.module / "go.mod").read_text()
    assert re.search(rf"^(tool |\t){re.escape(release.package)}$", text, re.MULTILINE)
    assert f"\t{release.source} v{release.programs().version} // indirect\n" in text


def test_kueue_is_built_against_the_job_set_that_runs_beside_it():
    job_set, kueue = (versions.required_version(module, versions.JOB_SET)
                      for module in (versions.JOB_SET_MODULE, versions.KUEUE_MODULE))
    assert job_set == kueue


@pytest.mark.parametrize("text, version", [
    ("go version go1.26.8 linux/amd64", (1, 26, 8)), ("go version go1.9 linux/arm64", (1, 9, 0)), ("", None),
    ("sh: go: not found", None)])
def test_versions_of_go(text, version):
    assert toolchain.version_of(text) == version


WHOLE = {"sites": ["a", {"name": "b", "memory_mb": 8000, "forward": [9464]}, "c"],
         "lines": [{"between": ["a", "b"]}, {"between": ["b", "c"]}]}


def test_a_cluster_takes_the_first_sites_and_the_lines_between_them():
    two = plan.first_sites(WHOLE, 2)
    assert [site["name"] for site in two["sites"]] == ["a", "b"]
    assert [site["memory_mb"] for site in two["sites"]] == [3072, 8000]
    assert [site["forward"] for site in two["sites"]] == [[10250], [9464, 10250]]
    assert two["lines"] == [{"between": ["a", "b"]}]
    assert WHOLE["sites"][1]["forward"] == [9464]


@pytest.mark.parametrize("nodes", [0, -1, 4])
def test_more_nodes_than_sites_are_refused(nodes):
    with pytest.raises(ClusterError, match=f"{nodes} nodes were asked for; the sites file has 3"):
        plan.first_sites(WHOLE, nodes)


def test_a_sites_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(ClusterError, match="no-such"):
        plan.document(1, tmp_path / "no-such")
    (tmp_path / "broken").write_text("{")
    with pytest.raises(ClusterError, match="broken"):
        plan.document(1, tmp_path / "broken")


def test_tokens_name_their_users_and_groups():
    rows = credentials.token_rows(credentials.users(["hk"]), {
        "admin": "t1", "kube-controller-manager": "t2", "kube-scheduler": "t3", "kubelet-hk": "t4"})
    assert rows.splitlines() == [
        't1,admin,admin,"system:masters"', "t2,system:kube-controller-manager,system:kube-controller-manager",
        "t3,system:kube-scheduler,system:kube-scheduler", 't4,system:node:hk,system:node:hk,"system:nodes"']


def test_credentials_are_for_one_run_and_only_for_us(tmp_path):
    made = credentials.Credentials(tmp_path / "c", {"hk": "172.20.1.2"})
    assert made.folder.stat().st_mode & 0o77 == 0
    assert len(set(made.tokens.values())) == len(made.tokens) == 4
    made.write_kubeconfigs(6443)
    servers = {name: json.loads(made.kubeconfig_path(name).read_text())["clusters"][0]["cluster"]["server"]
               for name in made.tokens}
    assert servers["kubelet-hk"] == "https://10.0.2.2:6443" and servers["admin"] == "https://127.0.0.1:6443"
    names = subprocess.run(["openssl", "x509", "-in", made.apiserver[0], "-noout", "-ext", "subjectAltName"],
                           capture_output=True, text=True, check=True).stdout
    assert "127.0.0.1" in names and "10.0.2.2" in names and "10.96.0.1" in names


def test_what_runs_in_the_guest_is_shell_and_json():
    for script in (node_words.setup_script("/share/hk"), node_words.import_script(["/a.tar", "/b.tar"])):
        subprocess.run(["bash", "-n"], input=script.encode(), check=True)
    assert "default" not in node_words.setup_script("/share/hk")
    assert json.loads(node_words.cni_config(3))["plugins"][0]["ipam"]["ranges"] == [[{"subnet": "10.244.3.0/24"}]]
    kubelet = json.loads(node_words.kubelet_config("/ca", "/crt", "/key"))
    assert kubelet["authentication"]["anonymous"] == {"enabled": False}
    assert kubelet["authorization"] == {"mode": "Webhook"}


def test_the_scheduler_takes_more_configuration():
    text = control_plane_words.scheduler_config("/k", {"extenders": [{"urlPrefix": "http://127.0.0.1:1"}]})
    config = json.loads(text)
    assert config["clientConnection"]["kubeconfig"] == "/k" and len(config["extenders"]) == 1


@pytest.mark.parametrize("node, status", [
    (None, "Missing"), ({"status": {}}, "Unknown"),
    ({"status": {"conditions": [{"type": "DiskPressure", "status": "False"}, {"type": "Ready", "status": "True"}]}},
     "True")])
def test_readiness_of_a_node(node, status):
    assert ready_status(node) == status


def test_ldd_is_read():
    text = ("\tlinux-vdso.so.1 (0x1)\n\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x2)\n"
            "\t/lib64/ld-linux-x86-64.so.2 (0x3)\n")
    assert rootfs.parse_ldd(text) == ["/lib/x86_64-linux-gnu/libc.so.6", "/lib64/ld-linux-x86-64.so.2"]
    with pytest.raises(ClusterError, match="libgone.so.1"):
        rootfs.parse_ldd("\tlibgone.so.1 => not found\n")


def test_a_root_file_system_holds_programs_that_run_in_it(tmp_path):
    root = rootfs.Rootfs(tmp_path / "root")
    root.add_program("bash")
    root.add_busybox(["ls"])
    assert (tmp_path / "root/bin/bash").is_file() and (tmp_path / "root/usr/bin/ls").readlink().name == "busybox"
    linker = tmp_path / "root/lib64/ld-linux-x86-64.so.2"
    found = subprocess.run([linker, "--list", tmp_path / "root/usr/bin/bash"], capture_output=True, text=True, check=True,
                           env={"LD_LIBRARY_PATH": str(tmp_path / "root/lib/x86_64-linux-gnu")})
    assert "not found" not in found.stdout
    with pytest.raises(ClusterError, match="no-such-program is missing"):
        root.add_program("no-such-program")


def test_an_images_fingerprint_follows_content_mode_and_links(tmp_path):
    (tmp_path / "file").write_text("a")
    seen = [images.fingerprint(tmp_path)]
    assert images.fingerprint(tmp_path) == seen[0]
    (tmp_path / "file").write_text("b")
    seen.append(images.fingerprint(tmp_path))
    (tmp_path / "file").chmod(0o700)
    seen.append(images.fingerprint(tmp_path))
    (tmp_path / "link").symlink_to("file")
    seen.append(images.fingerprint(tmp_path))
    assert len(set(seen)) == 4


TABLE = egress.parse_table(["172.20.1.2:10250=40001"])


@pytest.mark.parametrize("asked, port", [
    ("172.20.1.2:10250", 40001), ("127.0.0.1:9443", 9443), ("localhost:9443", 9443), ("[::1]:9443", 9443),
    ("172.20.1.2:22", None), ("172.20.9.2:10250", None), ("example.org:443", None), ("127.0.0.1:0", None),
    ("127.0.0.1:70000", None), ("127.0.0.1", None), ("", None)])
def test_the_api_server_gets_nowhere_but_to_kubelets_and_this_machine(asked, port):
    assert egress.target(f"CONNECT {asked} HTTP/1.1\r\nHost: x\r\n".encode(), TABLE) == port


@pytest.mark.parametrize("request_", [b"", b"GET / HTTP/1.1\r\n", b"CONNECT\r\n", b"\xff\xfe\r\n"])
def test_what_is_no_connect_request_is_refused(request_):
    assert egress.target(request_, TABLE) is None


def test_the_proxy_carries_both_directions():
    with socket.create_server(("127.0.0.1", 0)) as kubelet:
        near, far = socket.socketpair()
        port = kubelet.getsockname()[1]
        threading.Thread(target=egress._serve, args=(far, {"172.20.1.2:10250": port}), daemon=True).start()
        with near:
            near.settimeout(20)
            near.sendall(b"CONNECT 172.20.1.2:10250 HTTP/1.1\r\n\r\nearly")
            server, _ = kubelet.accept()
            with server:
                server.settimeout(20)
                assert server.recv(5, socket.MSG_WAITALL) == b"early"
                server.sendall(b"answer")
                server.shutdown(socket.SHUT_WR)
                reader = near.makefile("rb")
                assert reader.readline() == b"HTTP/1.1 200 Connection established\r\n"
                assert reader.read() == b"\r\nanswer"


def test_a_cache_that_cannot_be_written_is_named(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("FAIRLEAD_CACHE", str(tmp_path / "file"))
    with pytest.raises(ClusterError, match="Not a directory; set FAIRLEAD_CACHE"):
        cache.folder("images")
    monkeypatch.setenv("FAIRLEAD_CACHE", str(tmp_path / "new"))
    assert cache.folder("a", "b").is_dir() and cache.folder("a", "b") == tmp_path / "new/a/b"


def test_free_ports_are_distinct():
    assert len(set(ports.free(20))) == 20


def test_kubectls_words_are_passed_on_untouched():
    assert cli.split_kubectl(["kubectl", "-n", "x", "get", "pods"]) == (["kubectl"], ["-n", "x", "get", "pods"])
    assert cli.split_kubectl(["kubectl", "--name", "two", "get", "--name"]) == (
        ["kubectl", "--name", "two"], ["get", "--name"])
    assert cli.split_kubectl(["kubectl", "--help"]) == (["kubectl", "--help"], [])
    assert cli.split_kubectl(["up", "--nodes", "2"]) == (["up", "--nodes", "2"], [])
    assert cli.split_kubectl([]) == ([], [])


def test_a_pods_document_asks_for_what_it_is_told():
    pod = pods.document("p", node="hk", resources={"rdma/hca": 1}, host_network=True, tolerations=[])
    assert pod["spec"]["nodeSelector"] == {"kubernetes.io/hostname": "hk"}
    assert pod["spec"]["containers"][0]["resources"] == {"limits": {"rdma/hca": "1"}}
    assert pod["spec"]["containers"][0]["imagePullPolicy"] == "Never"
    assert pod["spec"]["hostNetwork"] is True and pod["spec"]["tolerations"] == []


def test_waiting_says_what_for_and_gives_up_with_a_reason():
    answers = iter([None, 0, "value"])
    assert wait_for("it", lambda: next(answers), 20, poll_s=0) == "value"
    with pytest.raises(ClusterError, match="gave up waiting for node hk after 0 s; log /x"):
        wait_for("node hk", lambda: None, 0, poll_s=0, hint=lambda: "log /x")


def test_the_tool_explains_itself():
    tool = HERE / "cluster"
    assert "cluster kubectl get nodes" in subprocess.run([tool, "--help"], capture_output=True, text=True, check=True).stdout
    nothing = subprocess.run([tool, "status", "--name", "no-such"], capture_output=True, text=True)
    assert nothing.returncode == 1 and "no cluster 'no-such' is up; 'cluster up --name no-such'" in nothing.stderr
    bad = subprocess.run([tool, "down", "--name", "../x"], capture_output=True, text=True)
    assert bad.returncode == 1 and "must be letters" in bad.stderr
