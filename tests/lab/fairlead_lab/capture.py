"""Captures on site0 at both ends of a line, and what can be counted from the two."""

import collections
import dataclasses
import pathlib
import statistics
import time

from . import pcap
from .errors import LabError

_HANDED_OVER_S = 1.5  # tcpdump asks the kernel for what came every second.


@dataclasses.dataclass(frozen=True)
class LossCount:
    """Packets of one direction, counted from both captures."""

    sent: int
    lost: int
    duplicated: int

    @property
    def ratio(self):
        return self.lost / self.sent if self.sent else 0.0


@dataclasses.dataclass(frozen=True)
class _End:
    site: str
    packets: list
    begin_ns: int  # This guest's clock when both captures had begun,
    end_ns: int  # and before the first of them ended.


class LineCapture:
    """The finished capture of a line: packets by site name, loss and ground-truth RTT."""

    def __init__(self, ends):
        self._ends = {end.site: end for end in ends}

    def packets(self, site):
        """Packets seen on site0 of the site, in order of capture."""
        return self._ends[site].packets

    def sent(self, src):
        """Packets that src sent over the line."""
        return [p for p in self.packets(src) if p.outgoing]

    def received(self, dst):
        """Packets that arrived at dst over the line."""
        return [p for p in self.packets(dst) if not p.outgoing]

    def loss(self, src, dst, where=lambda packet: packet.is_roce, grace_s=1.0):
        """LossCount from src to dst of the packets that satisfy where.

        Packets are told apart by ports and payload. Those sent less than grace_s before the end are
        left out, for they may still have been under way. It must exceed the one-way delay.
        """
        def identity(packet):
            return packet.protocol, packet.sport, packet.dport, packet.payload

        end = self._ends[src]
        last = end.end_ns - int(grace_s * 1e9)
        arrived = collections.Counter(identity(p) for p in self.received(dst) if where(p))
        sent = collections.Counter(
            identity(p) for p in self.sent(src) if where(p) and end.begin_ns <= p.time_ns <= last
        )
        lost = sum(max(0, count - arrived[key]) for key, count in sent.items())
        duplicated = sum(max(0, arrived[key] - count) for key, count in sent.items())
        return LossCount(sum(sent.values()), lost, duplicated)

    def round_trips(self, prober, responder, request_key, reply_key):
        """Ground-truth RTTs in ms, in order: (out to in) at the prober less (in to out) at the responder.

        request_key and reply_key give for a packet what a request and its reply have in common, or
        None for other packets. Exchanges of which not all four sightings exist are left out.
        """
        def times(packets, key):
            found = {}
            for packet in packets:
                value = key(packet)
                if value is not None:
                    found.setdefault(value, packet.time_ns)
            return found

        out = times(self.sent(prober), request_key)
        there = times(self.received(responder), request_key)
        back = times(self.sent(responder), reply_key)
        home = times(self.received(prober), reply_key)
        return [
            ((home[key] - sent_at) - (back[key] - there[key])) / 1e6
            for key, sent_at in out.items()
            if key in there and key in back and key in home
        ]

    def ping_round_trips(self, prober, responder):
        """round_trips of ICMP echo."""
        def key(kind):
            return lambda p: p.payload[4:8] if p.protocol == pcap.ICMP and p.payload[0] == kind else None

        return self.round_trips(prober, responder, key(8), key(0))

    def median_ping_ms(self, prober, responder):
        trips = self.ping_round_trips(prober, responder)
        if not trips:
            raise LabError(f"no ping between {prober} and {responder} was captured whole")
        return statistics.median(trips)


class RunningCapture:
    """tcpdump at both ends. Use as a context manager or call stop().

    quiet: the kernel hands packets over once a second, with the same stamps. tcpdump then takes next to
    no time from what it watches on a guest's only CPU, and the file is complete only after stop().
    """

    def __init__(self, lab, line, snap_bytes=0, expression="", quiet=False):
        self._sites = [lab.site(line.a), lab.site(line.b)]
        self._stamp = f"{line.name}-{time.time_ns()}"
        self._processes = []
        self._quiet = quiet
        self.result = None  # The LineCapture once stopped.
        far = {line.a: self._sites[1].address, line.b: self._sites[0].address}
        for site in self._sites:
            words = f"host {far[site.name]}" + (f" and ({expression})" if expression else "")
            argv = ["tcpdump", "-i", "site0", "-n", "-B", "16384", "-s", str(snap_bytes),
                    *([] if quiet else ["-U", "--immediate-mode"]),
                    "--time-stamp-precision=nano", "-w", str(self.path(site.name)), words]
            self._processes.append(site.spawn(f"capture-{self._stamp}", argv))
        for process in self._processes:
            process.wait_for_log("listening on", 30)
        self._begin = {site.name: site.clock_ns() for site in self._sites}

    def path(self, site):
        """The pcap file of a site, on the host."""
        return pathlib.Path(self._site(site).folder) / f"{self._stamp}.pcap"

    def _site(self, name):
        return next(site for site in self._sites if site.name == name)

    def stop(self):
        """Ends both captures; the LineCapture."""
        if self.result is None:
            end = {site.name: site.clock_ns() for site in self._sites}
            if self._quiet:
                time.sleep(_HANDED_OVER_S)
            for process in self._processes:
                process.stop(signal_number=2)
                self._check_drops(process)
            self.result = LineCapture([
                _End(s.name, pcap.read(self.path(s.name), s.name, s.address), self._begin[s.name], end[s.name])
                for s in self._sites
            ])
        return self.result

    def _check_drops(self, process):
        for row in process.log().splitlines():
            count, _, rest = row.partition(" ")
            if rest.startswith("packets dropped by kernel") and count != "0":
                raise LabError(f"the capture of {self._stamp} lost {row}; capture less with expression or snap_bytes")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
