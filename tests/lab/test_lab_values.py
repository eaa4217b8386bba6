"""What the lab does without guests: sites files, units, netem's words, captures, the initrd's archive."""

import json
import pathlib
import struct
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from fairlead_lab import Impairment, LabError, guestnet, initrd, pcap, topology, units  # noqa: E402
from fairlead_lab.impairment import fields_of  # noqa: E402

TWO = {"sites": ["a", "b"], "lines": [{"between": ["a", "b"], "delay": "18ms"}]}


def line_with(**settings):
    return {"sites": ["a", "b"], "lines": [{"between": ["a", "b"], **settings}]}


@pytest.mark.parametrize("document, message", [
    ([], "must be an object"),
    ({}, "0 sites"),
    ({"sites": "a"}, "must be a list"),
    ({"sites": ["a", "a"]}, "there twice"),
    ({"sites": ["A"]}, "small letters"),
    ({"sites": [""]}, "small letters"),
    ({"sites": [{"name": 3}]}, "small letters"),
    ({"sites": [{"name": "a", "port": 1}]}, "unknown key 'port'"),
    ({"sites": [{"name": "a", "forward": [70000]}]}, "TCP ports"),
    ({"sites": [{"name": "a", "forward": 80}]}, "TCP ports"),
    ({"sites": [{"name": "a", "memory_mb": 10}]}, "512"),
    ({"sites": [{"name": "a", "cpus": "2"}]}, "cpus"),
    ({"sites": ["a"], "lines": [{"between": ["a", "b"]}]}, "no site 'b'"),
    ({"sites": ["a"], "lines": [{"between": ["a", "a"]}]}, "two different sites"),
    ({"sites": ["a"], "lines": ["a-b"]}, "must be an object"),
    ({"sites": ["a", "b"], "lines": [{"between": ["a", "b"]}, {"between": ["b", "a"]}]}, "there twice"),
    (line_with(delay=18), "number and a unit"),
    (line_with(delay="18"), "number and a unit"),
    (line_with(delay="-1ms"), "number and a unit"),
    (line_with(delay="100s"), "outside"),
    (line_with(loss="101%"), "above 100%"),
    (line_with(loss="1%", gemodel="1% 30%"), "either loss or gemodel"),
    (line_with(gemodel="1"), "gemodel"),
    (line_with(rate="0mbit"), "above zero"),
    (line_with(reorder="1%"), "needs a delay"),
    (line_with(distribution="flat"), "none of"),
    (line_with(limit="many"), "whole number"),
    (line_with(ecn="maybe"), "neither on nor off"),
    (line_with(speed="1ms"), "unknown line setting 'speed'"),
    (line_with(forward=3), "must be an object"),
])
def test_bad_sites_files_are_refused_with_the_reason(document, message):
    with pytest.raises(LabError, match=message):
        topology.parse(document)


def test_files_that_are_no_json_are_refused(tmp_path):
    (tmp_path / "x").write_text("{")
    with pytest.raises(LabError, match="not JSON"):
        topology.load(tmp_path / "x")
    with pytest.raises(LabError, match="No such file"):
        topology.load(tmp_path / "y")


def test_the_default_file_is_three_sites():
    plan = topology.load(topology.DEFAULT_FILE)
    rtts = {line.name: line.forward.delay_ms + line.reverse.delay_ms for line in plan.lines}
    assert rtts == {"hk-sg": 36, "hk-tyo": 50, "sg-tyo": 68}
    assert any(line.forward.delay_ms != line.reverse.delay_ms for line in plan.lines)
    assert len({line.forward.jitter_ms for line in plan.lines}) == 3


def test_a_direction_of_a_line_overrides_what_holds_for_both():
    plan = topology.parse(line_with(delay="18ms", loss="1%", reverse={"loss": "2%"}))
    line, flipped = plan.line("b-a")
    assert flipped and line.name == "a-b"
    assert (line.forward.loss_pct, line.reverse.loss_pct) == (1, 2)
    assert line.forward.delay_ms == line.reverse.delay_ms == 18


@pytest.mark.parametrize("text, ms", [("18ms", 18), ("250us", 0.25), ("1.5s", 1500), (" 3 MS ", 3)])
def test_durations(text, ms):
    assert units.parse_ms(text) == pytest.approx(ms)


def test_netem_always_hears_what_it_would_else_remember():
    words = " ".join(Impairment(delay_ms=18).tc_words())
    assert "reorder 0%" in words and "corrupt 0%" in words and "rate 10000mbit" in words
    assert "loss" not in words and "jitter" not in words


@pytest.mark.parametrize("rate, delay", [(10, 100), (100, 36), (1000, 18), (10000, 200)])
def test_a_shaped_line_holds_at_least_what_is_in_flight(rate, delay):
    in_flight = rate * 1e6 * delay / 1e3 / 8
    assert Impairment(rate_mbit=rate, delay_ms=delay).queue_limit() * 1024 > in_flight


def test_one_kind_of_loss_replaces_the_other():
    bursts = Impairment().changed(loss_pct=5).changed(**fields_of({"gemodel": "1% 30%"}))
    assert "gemodel 1% 30%" in " ".join(bursts.tc_words())
    assert "random 5%" in " ".join(bursts.changed(**fields_of({"loss": "5%"})).tc_words())
    with pytest.raises(LabError, match="no setting 'speed'"):
        bursts.changed(speed=1)


def test_the_setup_script_is_shell_and_has_no_default_route():
    plan = topology.parse(TWO)
    script = guestnet.script(plan, plan.sites[0], "/share", "/share/token")
    subprocess.run(["bash", "-n"], input=script.encode(), check=True)
    assert "default" not in script.replace("all default", "")


def frame(payload, source="172.20.1.2", target="172.20.2.2", dport=4791, protocol=17, tos=2, ttl=62):
    udp = struct.pack("!HHHH", 49152, dport, 8 + len(payload), 0) + payload
    addresses = bytes(int(n) for n in (source + "." + target).split("."))
    ip = struct.pack("!BBHHHBBH", 0x45, tos, 20 + len(udp), 0, 0, ttl, protocol, 0) + addresses
    return b"\0" * 12 + b"\x08\x00" + ip + udp


def write_pcap(path, frames, magic=b"\x4d\x3c\xb2\xa1", order="<"):
    out = magic + struct.pack(order + "HHIIII", 2, 4, 0, 0, 65535, 1)
    for number, data in enumerate(frames):
        out += struct.pack(order + "IIII", 10, number, len(data), len(data)) + data
    path.write_bytes(out)


@pytest.mark.parametrize("magic, order, tick", [(b"\x4d\x3c\xb2\xa1", "<", 1), (b"\xa1\xb2\x3c\x4d", ">", 1),
                                                (b"\xd4\xc3\xb2\xa1", "<", 1000), (b"\xa1\xb2\xc3\xd4", ">", 1000)])
def test_captures_are_read_in_every_byte_order(tmp_path, magic, order, tick):
    # A UD SEND only with two bytes of padding.
    roce = bytes([0x64, 0x20, 0, 0, 0, 0, 0, 0x11]) + bytes(12) + b"hello!" + b"\0\0" + b"ICRC"
    write_pcap(tmp_path / "c", [frame(roce), frame(b"x", dport=7, source="172.20.2.2")], magic, order)
    first, second = pcap.read(tmp_path / "c", "sg", "172.20.2.2")
    assert (first.ud_message, first.dest_qp, first.opcode) == (b"hello!", 0x11, 0x64)
    assert (first.is_roce, first.outgoing, first.ecn, first.ttl) == (True, False, 2, 62)
    assert (second.is_roce, second.outgoing, second.dport, second.payload) == (False, True, 7, b"x")
    assert second.time_ns == 10 * 10**9 + tick


def test_cut_and_foreign_packets_are_left_out(tmp_path):
    write_pcap(tmp_path / "c", [b"short", b"\0" * 60, frame(b"whole")])
    whole = (tmp_path / "c").read_bytes()
    assert [p.payload for p in pcap.read(tmp_path / "c", "s", "1.1.1.1")] == [b"whole"]
    (tmp_path / "c").write_bytes(whole[:-1])
    assert pcap.read(tmp_path / "c", "s", "1.1.1.1") == []
    (tmp_path / "c").write_bytes(b"")
    assert pcap.read(tmp_path / "c", "s", "1.1.1.1") == []
    (tmp_path / "c").write_bytes(b"x" * 40)
    with pytest.raises(LabError, match="not a pcap file"):
        pcap.read(tmp_path / "c", "s", "1.1.1.1")


def test_the_initrds_archive_is_one_that_cpio_reads():
    data = initrd.archive([("d", 0o040755, b""), ("d/file", 0o100644, b"content")])
    listed = subprocess.run(["busybox", "cpio", "-t"], input=data, capture_output=True, check=True)
    assert listed.stdout.split() == [b"d", b"d/file"]


def test_the_tool_explains_itself():
    tool = pathlib.Path(__file__).resolve().parent / "lab"
    told = subprocess.run([tool, "--help"], capture_output=True, text=True, check=True).stdout
    assert "lab line hk-sg --restore" in told
    nothing = subprocess.run([tool, "status", "--name", "no-such-lab"], capture_output=True, text=True)
    assert nothing.returncode == 1 and "no lab 'no-such-lab' is up" in nothing.stderr
    assert json.loads(topology.DEFAULT_FILE.read_text())["sites"]
