"""fairlead-extender as schedulers, probes, operators and attackers meet it."""

import concurrent.futures
import http.client
import json
import pathlib
import re
import socket
import ssl
import subprocess
import time

import pytest

from extender_stack import BUILD, HEALTHY, ROOT, Extender, write_config

FIXTURES = ROOT / "tests/testdata/kube-scheduler-1.37"
PROGRAM = BUILD / "bin/fairlead-extender"


@pytest.fixture(scope="module")
def extender(tmp_path_factory):
    with Extender(tmp_path_factory.mktemp("extender")) as running:
        running.feed(*HEALTHY)
        running.await_state("hk", "sg", "Healthy")
        running.await_state("hk", "tyo", "Healthy")
        yield running


def member(index, names, **annotations):
    """A request of the gang `train`, made from what kube-scheduler really sent."""
    args = json.loads((FIXTURES / "prioritize-names-job-index1.json").read_text())
    args["Pod"]["metadata"]["uid"] = f"uid-{index}"
    args["Pod"]["metadata"]["annotations"].update(
        {"fairlead.dev/" + key.replace("_", "-"): value for key, value in annotations.items()})
    args["NodeNames"] = names
    return json.dumps(args)


def raw(extender, data, hang_up=False):
    with socket.create_connection(("127.0.0.1", extender.http), timeout=30) as client:
        try:
            client.sendall(data)
            if hang_up:
                client.shutdown(socket.SHUT_WR)
        except (BrokenPipeError, ConnectionResetError):
            pass
        answer = b""
        try:
            while piece := client.recv(65536):
                answer += piece
        except ConnectionResetError:
            pass
        return answer.decode(errors="replace")


def request(headers, body=b"", verb="POST", path="/kube/prioritize"):
    return (f"{verb} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{headers}\r\n").encode() + body


def test_a_gang_is_drawn_together_and_the_sentences_name_the_numbers(extender):
    extender.post("/kube/prioritize", member(0, ["hk1"], comm_bytes="1kB"))
    extender.post("/kube/prioritize", member(1, ["hk2"], comm_bytes="1kB"))
    scores = {e["Host"]: e["Score"] for e in extender.post(
        "/kube/prioritize", member(2, ["sg1", "tyo1"], comm_bytes="1kB"))}
    assert all(isinstance(score, int) and 0 <= score <= 10 for score in scores.values())
    assert scores["sg1"] > scores["tyo1"]
    newest = json.loads(extender.get("/explain.json"))["decisions"][0]
    assert newest["members"] == [{"site": "hk", "members": 2}]
    assert "36." in newest["sites"][0]["sentence"] and "50." in newest["sites"][1]["sentence"]
    assert "placed so far: 2 in hk" in extender.get("/explain")
    pod = newest["pod"]
    asked = json.loads(extender.get(f"/explain.json?pod={pod}"))["decisions"]
    assert asked and {decision["pod"] for decision in asked} == {pod}
    assert "placed so far: 2 in hk" in extender.get(f"/explain?pod={pod}")
    assert "No scheduler has asked about pod" in extender.get("/explain?pod=nobody%2Fhere")


def test_a_reload_takes_in_a_new_node(extender):
    text = extender.config.read_text()
    extender.config.write_text(text.replace("extender:", "  - {name: sg2, site: sg, hcas: 1}\nextender:"))
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        extender.post("/kube/prioritize", member(7, ["sg2", "hk1"]))
        if json.loads(extender.get("/explain.json"))["decisions"][0]["nodes_without_site"] == 0:
            break
        time.sleep(0.2)
    else:
        pytest.fail("sg2 stayed unknown")


def test_metrics_and_readiness(extender):
    metrics = extender.get("/metrics", extender.ops)
    assert 'fairlead_extender_link_state{src_site="hk",dst_site="sg",state="Healthy"} 1' in metrics
    assert 'fairlead_extender_probes_connected{site="hk"} 1' in metrics
    assert float(re.search(r"(?m)^fairlead_extender_reports_accepted_total (\S+)", metrics)[1]) > 0
    assert extender.get("/readyz", extender.ops).startswith("ok")


@pytest.mark.parametrize("headers, body, status", [
    ("Transfer-Encoding: chunked\r\n", b"2\r\n{}\r\n0\r\n\r\n", 411),
    ("", b"", 411),
    ("Content-Length: 2\r\nContent-Length: 2\r\n", b"{}", 400),
    ("Content-Length: -1\r\n", b"{}", 400),
    ("Content-Length: 0x2\r\n", b"{}", 400),
    ("Content-Length: 2, 2\r\n", b"{}", 400),
    ("Content-Length: 99999999999999999999\r\n", b"{}", 413),
    (f"Content-Length: {100 << 20}\r\n", b"x" * (1 << 20), 413),
    ("Content-Encoding: gzip\r\nContent-Length: 2\r\n", b"{}", 415),
    ("Content-Length: 5\r\n", b"hello", 400),
    ("Content-Length: 1\r\n", b"{", 400),
    ("Content-Length: 10\r\n", b'{"Pod":[]}', 400),
    ("Content-Length: 19\r\n", b'{"NodeNames":["\xff"]}'[:19], 400),
    ("Content-Length: 2\r\n", b"{}", 200),
    ("Content-Length: 44\r\n", b'{"Pod":null,"Nodes":null,"NodeNames":null}  ', 200),
    ("content-length: 17\r\n", b'{"nodenames":[]} ', 200),
])
def test_what_is_refused_and_what_is_taken(extender, headers, body, status):
    answer = raw(extender, request(headers, body))
    assert answer.startswith(f"HTTP/1.1 {status} "), answer
    assert answer.split("\r\n\r\n", 1)[1], "the answer says why"


def test_wrong_method_and_path(extender):
    assert raw(extender, request("", verb="GET")).startswith("HTTP/1.1 405 ")
    assert raw(extender, request("Content-Length: 0\r\n", path="/nowhere")).startswith("HTTP/1.1 404 ")


def test_ten_thousand_names_and_deep_nesting(extender):
    names = [f"node-{i}" for i in range(10_000)]
    assert len(extender.post("/kube/prioritize", json.dumps({"NodeNames": names}))) == 10_000
    deep = '{"x":' + "[" * 500_000 + "]" * 500_000 + ',"NodeNames":["a"]}'
    assert extender.post("/kube/prioritize", deep) == [{"Host": "a", "Score": 5}]


def test_names_of_any_bytes_come_back_as_they_were(extender):
    names = ["\u0000", '"\\', "é€😀", "<script>", "a b\n"]
    answer = extender.post("/kube/filter", json.dumps({"NodeNames": names}))
    assert answer["NodeNames"] == names
    extender.get("/explain")


def test_full_nodes_come_back_byte_for_byte(extender):
    node = '{"metadata":{"name":"hk1","labels":{"a":"1"}},  "status":{"x":1.50,"y":"\\u00e9"}}'
    body = '{"Pod":null,"Nodes":{"metadata":{},"items":[%s]},"NodeNames":null}' % node
    answer = raw(extender, request(f"Content-Length: {len(body)}\r\n", body.encode(),
                                   path="/kube/filter"))
    assert node in answer and '"NodeNames":null' in answer


def test_slow_and_silent_clients_make_nobody_wait(extender):
    idle = [socket.create_connection(("127.0.0.1", extender.http)) for _ in range(150)]
    for client in idle[::2]:
        client.sendall(b"POST /kube/prioritize HTTP/1.1\r\nContent-Le")
    body = member(9, ["hk1", "sg1"])
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        slowest = max(pool.map(lambda _: timed(extender, body), range(40)))
    for client in idle:
        client.close()
    assert slowest < 10, "a request waited for the silent ones"


def timed(extender, body):
    started = time.monotonic()
    extender.post("/kube/prioritize", body)
    return time.monotonic() - started


def test_refusals_are_counted(extender):
    metrics = extender.get("/metrics", extender.ops)
    for code in (400, 411, 413, 415):
        assert re.search(rf'requests_total{{code="{code}",path="/kube/prioritize"}} [1-9]', metrics)
    assert re.search(r'decode_errors_total{reason="truncated"} [1-9]', metrics)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A certificate for 127.0.0.1 that is its own authority."""
    folder = tmp_path_factory.mktemp("tls")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                    "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=extender",
                    "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder / "tls.key",
                    "-out", folder / "tls.crt"], check=True, capture_output=True)
    return folder


def test_https_where_certificates_are_given(certificate, tmp_path):
    tls = {"certificateFile": certificate / "tls.crt", "keyFile": certificate / "tls.key",
           "caFile": certificate / "tls.crt"}
    with Extender(tmp_path, tls=tls) as running:
        client = ssl.create_default_context(cafile=certificate / "tls.crt")
        connection = http.client.HTTPSConnection("127.0.0.1", running.http, context=client,
                                                 timeout=30)
        names = [f"node-{i}" for i in range(20_000)]  # more than one TLS record each way
        for _ in range(2):  # the connection is kept
            connection.request("POST", "/kube/prioritize", json.dumps({"NodeNames": names}))
            reply = connection.getresponse()
            assert reply.status == 200 and len(json.loads(reply.read())) == len(names)
        connection.request("POST", "/kube/prioritize", "{")
        assert connection.getresponse().status == 400
        connection.close()
        assert not raw(running, request("Content-Length: 2\r\n", b"{}")).startswith("HTTP/1.1 200")
        connection = http.client.HTTPSConnection("127.0.0.1", running.http, context=client,
                                                 timeout=30)
        connection.request("GET", "/links")
        assert connection.getresponse().status == 200, "a plain client disturbed nobody"
        code, seconds = running.stop()
    assert code == 0 and seconds < 2


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=60,
                          check=False)


def test_a_taken_port_is_named(extender, tmp_path):
    config = write_config(tmp_path, httpListen=f"127.0.0.1:{extender.http}")
    result = run("--config", config)
    assert result.returncode == 1
    assert str(extender.http) in result.stderr and "httpListen" in result.stderr


def test_a_missing_token_directory_is_named(tmp_path):
    result = run("--config", write_config(tmp_path, tokenDirectory="/nowhere/tokens"))
    assert result.returncode == 1 and "/nowhere/tokens" in result.stderr


def test_plain_text_beyond_the_loopback_must_be_asked_for(tmp_path):
    result = run("--config", write_config(tmp_path, grpcListen="0.0.0.0:0"))
    assert result.returncode == 1 and "plaintext" in result.stderr


def test_command_line(tmp_path):
    config = write_config(tmp_path)
    assert run("--config", config, "--check-config").stdout == f"{config}: ok\n"
    assert "Usage:" in run("--help").stdout
    assert re.match(r"fairlead-extender \d+\.\d+", run("--version").stdout)
    assert run().returncode == 2 and run("--config", config, "more").returncode == 2
    assert run("--nonsense").returncode == 2
    pathlib.Path(config).write_text("extender: {httpListn: x}\n")
    wrong = run("--config", config, "--check-config")
    assert wrong.returncode == 1 and "httpListn" in wrong.stderr and ":1" in wrong.stderr


def test_scheduler_configurations_are_printed_and_checked(tmp_path):
    file = tmp_path / "scheduler.yaml"
    for scheduler, key in ("kube-scheduler", "weight: 5"), ("volcano", "extender.prioritizeVerb: prioritize"):
        file.write_text(run("scheduler-config", "--for", scheduler).stdout)
        right = run("check-scheduler-config", file)
        assert right.returncode == 0 and right.stdout.endswith(": ok\n"), right.stdout
        lines = file.read_text().splitlines()
        number = next(i for i, line in enumerate(lines) if key in line) + 1
        file.write_text(file.read_text().replace(key, key.split(":")[0] + ": 0"))
        wrong = run("check-scheduler-config", file)
        assert wrong.returncode == 1 and f"{file}:{number}: error: {key.split(':')[0]}" in wrong.stdout, wrong.stdout
    environment = tmp_path / "environment"
    environment.write_text("PATH=/bin\nHTTP_PROXY=http://proxy:3128\n")
    file.write_text(run("scheduler-config", "--for", "volcano", "--url", "http://10.0.0.9:8471").stdout)
    assert run("check-scheduler-config", file).returncode == 0
    proxied = run("check-scheduler-config", file, "--env", environment)
    assert proxied.returncode == 1 and "NO_PROXY" in proxied.stdout
    for words in ["scheduler-config"], ["scheduler-config", "--for", "nomad"], ["check-scheduler-config"], \
                 ["check-scheduler-config", tmp_path / "none"], ["check-scheduler-config", environment], \
                 ["scheduler-config", "--for", "kube-scheduler", "--url", "https://x"], \
                 ["scheduler-config", "--for", "kube-scheduler", "--url", "http://a:99999"], \
                 ["scheduler-config", "--for", "kube-scheduler", "--timeout", "0"], \
                 ["scheduler-config", "--for", "kube-scheduler", "--weight", "1000"], \
                 ["scheduler-config", "--for", "volcano", "--weight", "5"], \
                 ["check-scheduler-config", file, "--env", file], \
                 ["check-scheduler-config", file, "--feature-gates", "off"]:
        refused = run(*words)
        assert refused.returncode == 2 and refused.stderr, words


def test_volcano_is_answered_beside_kube_scheduler(extender):
    body = (ROOT / "tests/testdata/volcano-2026-08/prioritize-worker2.json").read_text()
    scores = extender.post("/volcano/prioritize", body)
    assert set(scores["nodeScore"]) == {"n1", "n2", "n3", "n4"} and scores["errorMessage"] == ""
    assert extender.post("/volcano/prioritize", "nonsense")["nodeScore"] == {}
    assert extender.post("/volcano/jobReady", "{}") == {"status": True}
    metrics = extender.get("/metrics", extender.ops)
    assert 'fairlead_extender_requests_total{code="200",path="/volcano/jobReady"} 1' in metrics
    assert "extender.jobReadyVerb" in (extender.folder / "extender.log").read_text()


def test_sigterm_ends_it_within_two_seconds(tmp_path):
    with Extender(tmp_path) as running:
        running.feed(*HEALTHY)
        running.await_state("hk", "sg", "Healthy")
        with socket.create_connection(("127.0.0.1", running.http)) as idle:
            idle.sendall(b"POST /kube/pri")
            code, seconds = running.stop()
    assert code == 0 and seconds < 2
