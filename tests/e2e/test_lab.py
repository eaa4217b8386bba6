"""The lab itself: HCAs, lines, losses, captures. Timings are those of captures, the shortest of many, with wide margins."""

import concurrent.futures
import json
import pathlib
import socket
import subprocess
import urllib.request

import pytest

from fairlead_lab import HOST, LabError, pcap

LINES = [("hk-sg", 36.0), ("hk-tyo", 50.0), ("sg-tyo", 68.0)]
TOOL = pathlib.Path(__file__).resolve().parents[1] / "lab" / "lab"


def is_ping(packet):
    return packet.protocol == pcap.ICMP and packet.payload[0] == 8


def is_echo(packet):
    return packet.protocol == pcap.ICMP and packet.payload[0] == 0


def ping(site, address, count, interval=0.1):
    return site.run(["busybox", "ping", "-c", str(count), "-i", str(interval), "-W", "2", address], check=False)


def fastest(capture, prober, responder):
    """The shortest ground-truth RTT in ms: a busy machine only ever adds to it."""
    return min(capture.result.ping_round_trips(prober, responder))


@pytest.mark.parametrize("index, name", [(1, "hk"), (2, "sg"), (3, "tyo")])
def test_every_site_has_one_hca(lab, index, name):
    site = lab.site(name)
    assert site.gid == f"::ffff:172.20.{index}.2"
    assert "link rxe0/1 state ACTIVE physical_state LINK_UP netdev site0" in site.run(["rdma", "link"]).out
    gid = site.run(["cat", "/sys/class/infiniband/rxe0/ports/1/gids/1"]).out.strip()
    assert gid == f"0000:0000:0000:0000:0000:ffff:ac14:{index:02x}02"
    assert "active_mtu:\t\t4096" in site.run(["ibv_devinfo", "-d", "rxe0"]).out


@pytest.mark.parametrize("name, rtt", LINES)
def test_verbs_work_over_the_line_and_the_capture_sees_it(lab, name, rtt):
    line = lab.line(name)
    a, b = lab.site(line.a), lab.site(line.b)
    words = ["ibv_ud_pingpong", "-d", "rxe0", "-g", "1", "-s", "1024", "-n", "20"]
    with line.capture() as capture:
        server = b.spawn("pingpong", words)
        b.wait_for_port(18515, 30)
        a.run([*words, b.address])
        assert server.wait(30) == 0
    sent = [p for p in capture.result.sent(line.a) if p.is_roce]
    assert len(sent) == 20
    assert {p.opcode for p in sent} == {0x64}
    assert all(p.ttl == 64 for p in sent)
    assert all(p.ttl == 62 for p in capture.result.received(line.b) if p.is_roce)
    assert capture.result.loss(line.a, line.b, grace_s=0).lost == 0


@pytest.mark.parametrize("name, rtt", LINES)
def test_rtt_in_captures_is_the_configured_one(lab, name, rtt):
    line = lab.line(name)
    assert line.rtt_ms() == rtt
    with line.capture() as capture:
        ping(lab.site(line.a), lab.site(line.b).address, 40, 0.05)
    assert rtt - 5 < fastest(capture, line.a, line.b) < rtt + 7


def test_a_lines_delay_changes_and_comes_back(lab):
    line = lab.line("hk-sg")
    with line.changed(delay_ms=40), line.capture() as slower:
        ping(lab.site("hk"), lab.site("sg").address, 40, 0.05)
    with line.capture() as restored:
        ping(lab.site("hk"), lab.site("sg").address, 40, 0.05)
    assert 75 < fastest(slower, "hk", "sg") < 87
    assert 31 < fastest(restored, "hk", "sg") < 43
    assert not line.is_changed()


@pytest.mark.parametrize("direction, lossy, clean", [("forward", ("hk", "sg"), ("sg", "hk")),
                                                     ("reverse", ("sg", "hk"), ("hk", "sg"))])
def test_loss_is_in_the_named_direction_only(lab, direction, lossy, clean):
    line = lab.line("hk-sg")
    line.set(loss_pct=30, direction=direction)
    with line.capture() as capture:
        ping(lab.site("hk"), lab.site("sg").address, 100, 0.02)
    of = {("hk", "sg"): is_ping, ("sg", "hk"): is_echo}
    broken = capture.result.loss(*lossy, where=of[lossy], grace_s=0)
    whole = capture.result.loss(*clean, where=of[clean], grace_s=0)
    assert whole.lost == 0 and whole.sent > 0
    # 30 % of 100: fewer than 10 or more than 55 happens once in a million runs.
    assert 10 <= broken.lost <= 55
    answered = sum(1 for p in capture.result.received("hk") if is_echo(p))
    assert answered == 100 - broken.lost


def test_the_other_end_of_a_lines_name_flips_its_directions(lab):
    lab.line("sg-hk").set(loss_pct=7, direction="forward")
    assert lab.line("hk-sg").settings("reverse").loss_pct == 7
    assert lab.line("hk-sg").settings("forward").loss_pct == 0


def test_ecn_marks_instead_of_losing(lab):
    lab.line("hk-sg").set(loss_pct=50, ecn=True, direction="forward")
    with lab.line("hk-sg").capture() as capture:
        # Type of service 2: ECN-capable.
        lab.site("hk").run(["python3", "-c", _SEND_ECN, lab.site("sg").address])
    arrived = [p for p in capture.result.received("sg") if p.dport == 7001]
    assert len(arrived) == 60
    assert {p.ecn for p in arrived} == {2, 3}


_SEND_ECN = """
import socket, sys, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, 2)
for i in range(60):
    s.sendto(i.to_bytes(4, "big"), (sys.argv[1], 7001))
    time.sleep(0.01)
time.sleep(0.3)
"""


def test_jitter_keeps_the_order_of_packets(lab):
    lab.line("hk-sg").set(jitter_ms=10, direction="forward")
    with lab.line("hk-sg").capture() as capture:
        lab.site("hk").run(["python3", "-c", _SEND_ECN, lab.site("sg").address])
    numbers = [int.from_bytes(p.payload, "big") for p in capture.result.received("sg") if p.dport == 7001]
    assert numbers == list(range(60))


def test_guests_reach_the_host_and_nothing_else(lab):
    hk = lab.site("hk")
    assert hk.run(["ip", "route", "show", "default"]).out == ""
    assert f"{HOST} dev ctl0" in hk.run(["ip", "route"]).out
    assert hk.run(["busybox", "nc", "-w", "2", "192.0.2.1", "80"], check=False).code != 0


def test_guests_reach_a_server_on_the_hosts_loopback(lab):
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(30)
        words = ["busybox", "nc", "-w", "10", HOST, str(server.getsockname()[1])]
        caller = lab.site("tyo").spawn("caller", ["sh", "-c", "echo from tyo | " + " ".join(words)])
        connection, _ = server.accept()
        with connection:
            assert connection.makefile().readline() == "from tyo\n"
        caller.stop()


def test_a_guests_port_is_reachable_from_the_host(lab):
    hk = lab.site("hk")
    (lab.share / "page.txt").write_text("from hk")
    hk.spawn("web", ["busybox", "httpd", "-f", "-p", "9464", "-h", str(lab.share)])
    hk.wait_for_port(9464, 20)
    with urllib.request.urlopen(f"http://127.0.0.1:{hk.ports()[9464]}/page.txt", timeout=10) as page:
        assert page.read() == b"from hk"
    assert hk.forward(9464) == hk.ports()[9464]
    assert hk.forward(8081) not in (None, hk.ports()[9464])


def test_commands_pass_on_status_output_and_input(lab):
    hk = lab.site("hk")
    done = hk.run(["sh", "-c", "cat; echo err >&2; exit 7"], stdin=b"in", check=False)
    assert done == (7, "in", "err\n")
    with pytest.raises(LabError, match="ended with 3"):
        hk.run(["sh", "-c", "exit 3"])
    with pytest.raises(LabError, match="No such file"):
        hk.run(["/no/such/program"])
    with pytest.raises(LabError, match="still ran after"):
        hk.run(["sleep", "1234"], timeout=1)
    hk.run(["sh", "-c", "while pgrep -f '[s]leep 1234'; do sleep 0.1; done"], timeout=30)
    big = bytes(range(256)) * 20000
    assert hk.run(["sha1sum"], stdin=big).out == subprocess.run(
        ["sha1sum"], input=big, capture_output=True, check=True).stdout.decode()


def test_many_commands_at_once(lab):
    hk = lab.site("hk")
    with concurrent.futures.ThreadPoolExecutor(10) as pool:
        outs = pool.map(lambda n: hk.run(["sh", "-c", f"sleep 0.2; echo {n}"]).out, range(30))
        assert list(outs) == [f"{n}\n" for n in range(30)]


def test_daemons_live_beyond_their_call_and_are_stopped(lab):
    hk = lab.site("hk")
    script = 'trap "echo bye; exit 5" TERM; echo up; while :; do sleep 0.1; done'
    daemon = hk.spawn("loop", ["bash", "-c", script])
    daemon.wait_for_log("up", 20)
    assert daemon.poll() is None
    with pytest.raises(LabError, match="already running"):
        hk.spawn("loop", ["true"])
    assert daemon.stop() == 5
    assert daemon.log().endswith("bye\n")
    stubborn = hk.spawn("stubborn", ["bash", "-c", 'trap "" TERM; echo up; while :; do sleep 0.1; done'])
    stubborn.wait_for_log("up", 20)
    assert stubborn.stop(grace_s=0.5) == -9


def test_files_go_in_and_out(lab, tmp_path):
    hk = lab.site("hk")
    (tmp_path / "tool").write_bytes(b"#!/bin/sh\necho works\n")
    (tmp_path / "tool").chmod(0o755)
    hk.put(tmp_path / "tool", "/usr/local/bin/tool")
    assert hk.run(["tool"]).out == "works\n"
    assert not pathlib.Path("/usr/local/bin/tool").exists()
    hk.get("/usr/local/bin/tool", tmp_path / "back")
    assert (tmp_path / "back").read_bytes() == (tmp_path / "tool").read_bytes()


def test_the_command_line_does_what_the_package_does(lab):
    def tool(*words, code=0):
        done = subprocess.run([TOOL, words[0], "--name", lab.name, *words[1:]], capture_output=True, text=True,
                              timeout=60)
        assert done.returncode == code, done.stderr
        return done.stdout

    assert tool("exec", "hk", "--", "sh", "-c", "echo hello; exit 9", code=9) == "hello\n"
    tool("line", "hk-sg", "--delay", "25ms", "--loss", "2%", "--direction", "reverse")
    status = json.loads(tool("status", "--json"))
    assert status["lines"]["hk-sg"]["reverse"]["delay_ms"] == 25
    assert status["lines"]["hk-sg"]["forward"]["delay_ms"] == 18
    assert status["lines"]["hk-sg"]["rtt_ms"] == 43
    assert set(status["sites"]["hk"]["ports"]) >= {"9464"}
    tool("line", "hk-sg", "--restore")
    assert not lab.line("hk-sg").is_changed()
    tool("line", "hk-xx", code=1)
    tool("line", "hk-sg", "--delay", "5 parsecs", code=1)
