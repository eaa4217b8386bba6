"""Probes and replies in captures, whatever carried them; the layout is linkprobe/wire/packet.h's."""

_BYTES = 128
_MAGIC = b"FLP1"
PROBE, REPLY = 1, 2
# What a capture has to keep of a packet: headers of either transport and the message. With whole
# jumbo frames to keep room for, tcpdump's buffer holds only some dozens of packets.
SNAP_BYTES = 256


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


def is_kind(kind):
    """A predicate for LineCapture.loss."""
    key = exchange(kind)
    return lambda packet: key(packet) is not None
