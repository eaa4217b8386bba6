"""Probes and replies in captures, whatever carried them; the layout is linkprobe/wire/packet.h's."""

import concurrent.futures

_BYTES = 128
_MAGIC = b"FLP1"
PROBE, REPLY = 1, 2
# What a capture has to keep of a packet: headers of either transport and the message. With whole
# jumbo frames to keep room for, tcpdump's buffer holds only some dozens of packets.
_SNAP_BYTES = 256


def message(packet):
    """The probe packet inside, or None."""
    inside = packet.ud_message if packet.is_roce else packet.payload
    return inside if len(inside) == _BYTES and inside.startswith(_MAGIC) else None


def exchange(kind):
    """A key function for LineCapture.round_trips: session and sequence of packets of that kind."""
    def key(packet):
        inside = message(packet)
        return inside[8:24] if inside and inside[5] == kind else None
    return key


def within(key, site, end_ns, seconds):
    """The key of what `site` saw in the time before end_ns of its clock; None for what it saw otherwise."""
    def in_time(packet):
        if packet.site == site and not end_ns - seconds * 1e9 <= packet.time_ns <= end_ns:
            return None
        return key(packet)
    return in_time


def is_kind(kind):
    """A predicate for LineCapture.loss."""
    key = exchange(kind)
    return lambda packet: key(packet) is not None


def lost_sequences(capture, source, target, kind):
    """[(sequence, seconds before the newest packet)] of packets that left source and did not reach target."""
    key = exchange(kind)
    arrived = {key(packet) for packet in capture.received(target)}
    sent = [(key(packet), packet.time_ns) for packet in capture.sent(source) if key(packet)]
    return [(int.from_bytes(name[8:], "big"), round((sent[-1][1] - at) / 1e9, 1))
            for name, at in sent if name not in arrived]


class LineCaptures:
    """Captures of all lines while inside; afterwards, by (from, to), the LineCapture."""

    def __init__(self, lab):
        self._lines = lab.lines()
        self._running = []
        self._by_pair = {}

    def __getitem__(self, pair):
        return self._by_pair[pair]

    def __enter__(self):
        with concurrent.futures.ThreadPoolExecutor(len(self._lines)) as pool:
            self._running = list(pool.map(
                lambda line: line.capture(snap_bytes=_SNAP_BYTES, expression="udp", quiet=True), self._lines))
        return self

    def __exit__(self, *_):
        with concurrent.futures.ThreadPoolExecutor(len(self._lines)) as pool:
            for line, result in zip(self._lines, pool.map(lambda running: running.stop(), self._running)):
                self._by_pair[line.a, line.b] = self._by_pair[line.b, line.a] = result
