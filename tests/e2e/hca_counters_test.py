"""What the HCAs' own counters say, beside what perftest sent and what a line was made to lose."""

import pytest

pytestmark = pytest.mark.long

MESSAGE_BYTES = 65536
PACKET_BYTES = 4096
# Of a packet of 4096 bytes: Ethernet 14, IPv4 20, UDP 8, BTH 12, RETH 16 at most, ICRC 4.
HEADERS_RATIO = 1 + 74 / PACKET_BYTES
PORT = 18515


def write_bw(lab, source, target, messages, timeout_s):
    """`messages` RDMA WRITEs between two sites; the bytes that perftest says it has sent."""
    options = ["-d", "rxe0", "-x", "1", "-F", "-u", "17", "-m", str(PACKET_BYTES), "-s", str(MESSAGE_BYTES),
               "-n", str(messages), "-p", str(PORT)]
    server = lab.site(target).spawn("write-bw", ["ib_write_bw", *options])
    try:
        lab.site(target).wait_for_port(PORT, 30)
        out = lab.site(source).run(["ib_write_bw", *options, lab.site(target).address], timeout=timeout_s).out
    finally:
        server.stop()
    row = next(words for words in map(str.split, out.splitlines()) if words[:1] == [str(MESSAGE_BYTES)])
    return int(row[0]) * int(row[1])


class Reading:
    """One scrape of a site's probe."""

    def __init__(self, stack, site):
        self.metrics = stack.probe_metrics(stack.lab.site(site))

    def read_at(self):
        return self.metrics.value("counters_read_timestamp_seconds")

    def sum(self, name, **labels):
        return self.metrics.sum(name, device="rxe0", port="1", **labels)


def quiet_minute(stack, site):
    """Until what was carried before this call has left the probe's window of a minute."""
    begin = next_reading(stack, site).read_at()
    stack.wait(lambda: Reading(stack, site).read_at() > begin + 62, 120, f"a minute of {site}'s counters")


def next_reading(stack, site):
    """A scrape whose counters were read after this call."""
    before = Reading(stack, site).read_at() or 0
    # The reading under way may have begun earlier; the one after it has not.
    seen = []

    def newer():
        now = Reading(stack, site)
        if now.read_at() and now.read_at() > (seen[-1].read_at() if seen else before) + 1:
            seen.append(now)
        return len(seen) >= 2

    stack.wait(newer, 40, f"two readings of the counters of {site}")
    return seen[-1]


def test_bytes_agree_with_perftest(verbs_stack, figures):
    lab = verbs_stack.lab
    before = {site: next_reading(verbs_stack, site) for site in ("hk", "sg")}
    sent = write_bw(lab, "hk", "sg", 160, timeout_s=120)
    after = {site: next_reading(verbs_stack, site) for site in ("hk", "sg")}

    def counted(site, name, source):
        return after[site].sum(name, source=source) - before[site].sum(name, source=source)

    transmitted = counted("hk", "hca_transmit_bytes_total", "netdev")
    received = counted("sg", "hca_receive_bytes_total", "netdev")
    packets = counted("hk", "hca_transmit_packets_total", "hw_counters")
    figures("counters: bytes of ib_write_bw", f"{sent}")
    figures("counters: transmitted over these", f"{transmitted / sent:.4f}")
    figures("counters: received over these", f"{received / sent:.4f}")
    figures("counters: packets over these", f"{packets * PACKET_BYTES / sent:.4f}")
    # Probes, acknowledgements and the programs' own TCP come on top: some 50 kB a second at most.
    rest = 50_000 * (after["hk"].read_at() - before["hk"].read_at())
    assert sent * HEADERS_RATIO * 0.98 <= transmitted <= sent * HEADERS_RATIO * 1.02 + rest
    assert sent * HEADERS_RATIO * 0.98 <= received <= sent * HEADERS_RATIO * 1.02 + rest
    assert sent / PACKET_BYTES <= packets <= sent / PACKET_BYTES * 1.05 + rest / 100


@pytest.mark.parametrize("loss", [0, 1e-3, 1e-2])
def test_fused_loss_agrees_with_what_is_injected(verbs_stack, figures, loss):
    lab = verbs_stack.lab
    if loss:
        lab.line("hk-sg").set(loss_pct=loss * 100, direction="forward")
    quiet_minute(verbs_stack, "hk")
    write_bw(lab, "hk", "sg", 600, timeout_s=240)
    reading = next_reading(verbs_stack, "hk")
    bounds = {name: reading.sum(f"transport_loss_ratio{name}", direction="transmit")
              for name in ("", "_lower", "_upper")}
    sources = reading.metrics.values("fused_loss_ratio", device="rxe0", direction="transmit")
    figures(f"counters: transport loss at {loss:g}",
            f"{bounds['']:.2g}, {bounds['_lower']:.2g} to {bounds['_upper']:.2g}")
    assert sources, "the probe says nothing about loss"
    # One time in twenty the truth is outside by a little, and other packets of the port, which are few
    # beside the bulk, cross other lines.
    if loss:
        assert bounds["_lower"] <= loss * 1.2
    assert bounds["_upper"] >= loss * 0.8


def test_used_bandwidth_reaches_the_link_page(verbs_stack):
    verbs_stack.wait(lambda: verbs_stack.links().get("hk", "sg")["used_bytes_per_second"] is not None, 60,
                     "the use of the line from hk to sg")
    link = verbs_stack.links().get("hk", "sg")
    assert link["used_source"] == "passive"
    assert link["used_nodes"] == 2
    assert 0 <= link["used_age_seconds"] < 30
    assert link["used_bytes_per_second"] < 1e9
