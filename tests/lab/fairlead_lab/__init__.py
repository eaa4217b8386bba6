"""The WAN lab: sites with one HCA each (rdma_rxe) in QEMU guests, joined by emulated lines.

    from fairlead_lab import Lab

    with Lab.up("mytest") as lab:                   # hk, sg, tyo; ends with this process at the latest
        hk = lab.site("hk")
        hk.address, hk.gid                          # "172.20.1.2", "::ffff:172.20.1.2"
        code, out, err = hk.run(["rdma", "link"])   # raises LabError on failure; check=False: does not
        probe = hk.spawn("probe", ["/path/on/the/host/program", "--config", str(lab.share / "c.yaml")])
        probe.wait_for_log("ready", timeout=30); probe.log(); probe.poll(); probe.signal(1); probe.stop()
        hk.wait_for_port(9464, timeout=30)          # until something listens there
        port = hk.forward(9464)                     # http://127.0.0.1:{port} on the host is hk's port 9464
        hk.put("/tmp/a", "/etc/a"); hk.get("/var/log/b", "b")

        line = lab.line("hk-sg")                    # forward is hk to sg; lab.line("sg-hk") flips that
        line.set(delay_ms=43); line.set(loss_pct=5, direction="forward"); line.set(rate_mbit=100)
        line.set(gemodel="1% 30%", jitter_ms=6)     # only the named fields change; see Impairment
        line.settings("forward").delay_ms; line.rtt_ms(); line.restore()
        with line.changed(delay_ms=38):             # and back to what it was
            ...

        with line.capture() as capture:             # tcpdump on site0 at both ends
            ...
        result = capture.result                     # or: result = capture.stop()
        result.loss("hk", "sg").lost                # RoCE packets lost from hk to sg; .sent, .ratio
        result.loss("hk", "sg", where=lambda p: p.dport == 7000)
        result.packets("hk")                        # Packet: time_ns, outgoing, payload, dport, ttl, ecn ...
        result.round_trips("hk", "sg", request_key=..., reply_key=...)    # ground-truth RTTs, ms

Host names in guests: the host is 10.0.2.2 (fairlead_lab.HOST); nothing else outside the lab is reachable.
A guest sees the host's files at the same paths, read-only underneath, so programs built on the host run
there; lab.share is the folder that both sides write. A program rebuilt while the lab is up is seen after
site.refresh(). Lab.up(owner_pid=None) leaves the lab up for Lab.attach(name). lab.host.spawn(name, argv)
starts a program on the host that ends with the lab.

A guest's /dev/infiniband is that of its own kernel. Settings live in netem on the line NICs in network
namespace "wan" of each guest. netem keeps the order of packets unless reorder is asked for.
"""

from .capture import LineCapture, LossCount, RunningCapture
from .errors import LabError
from .guestnet import HOST
from .impairment import Impairment
from .lab import Lab
from .line import Line
from .pcap import Packet
from .site import Finished, Process, Site

__all__ = ["HOST", "Finished", "Impairment", "Lab", "LabError", "Line", "LineCapture", "LossCount", "Packet",
           "Process", "RunningCapture", "Site"]
