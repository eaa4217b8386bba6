"""A small pcap reader: IPv4 packets of an Ethernet capture as plain values."""

import dataclasses
import struct

from .errors import LabError

ROCE_PORT = 4791
UDP, ICMP = 17, 1
_MAGIC = {  # (byte order, nanoseconds per tick of the fraction)
    b"\xd4\xc3\xb2\xa1": ("<", 1000),
    b"\xa1\xb2\xc3\xd4": (">", 1000),
    b"\x4d\x3c\xb2\xa1": ("<", 1),
    b"\xa1\xb2\x3c\x4d": (">", 1),
}


@dataclasses.dataclass(frozen=True)
class Packet:
    """One IPv4 packet as seen on site0 of a site. time_ns is that guest's wall clock."""

    time_ns: int
    site: str
    outgoing: bool
    src: str
    dst: str
    protocol: int
    ttl: int
    ecn: int  # The two ECN bits: 3 is Congestion Experienced.
    dscp: int
    sport: int  # 0 unless UDP.
    dport: int
    payload: bytes  # After the UDP header; for other protocols after the IP header.
    length: int  # IP length in bytes as sent, which the capture may have cut.

    @property
    def is_roce(self):
        return self.protocol == UDP and self.dport == ROCE_PORT

    @property
    def opcode(self):
        """The BTH opcode of a RoCE packet: 0x64 is UD SEND only."""
        return self.payload[0]

    @property
    def dest_qp(self):
        return int.from_bytes(self.payload[5:8], "big")

    @property
    def ud_message(self):
        """What the application sent in a RoCE UD SEND: without BTH, DETH, padding and ICRC."""
        padding = (self.payload[1] >> 4) & 3
        return self.payload[20 : len(self.payload) - 4 - padding]


def read(path, site, address):
    """Packets of the capture at path, made at site whose HCA has the address. A cut tail is left out."""
    with open(path, "rb") as file:
        data = file.read()
    if len(data) < 24:
        return []
    if data[:4] not in _MAGIC:
        raise LabError(f"{path} is not a pcap file (it begins with {data[:4]!r})")
    order, tick = _MAGIC[data[:4]]
    record = struct.Struct(order + "IIII")
    packets, at = [], 24
    while at + 16 <= len(data):
        seconds, fraction, held, _ = record.unpack_from(data, at)
        frame = data[at + 16 : at + 16 + held]
        at += 16 + held
        if len(frame) < held:
            break
        packet = _parse(frame, seconds * 10**9 + fraction * tick, site, address)
        if packet:
            packets.append(packet)
    return packets


def _dotted(four):
    return ".".join(str(byte) for byte in four)


def _parse(frame, time_ns, site, address):
    if len(frame) < 34 or frame[12:14] != b"\x08\x00":
        return None
    ip = frame[14:]
    head = (ip[0] & 15) * 4
    length = int.from_bytes(ip[2:4], "big")
    tos, ttl, protocol = ip[1], ip[8], ip[9]
    body = ip[head:length]
    sport = dport = 0
    if protocol == UDP and len(body) >= 8:
        sport, dport = struct.unpack_from("!HH", body)
        body = body[8:]
    src = _dotted(ip[12:16])
    return Packet(time_ns, site, src == address, src, _dotted(ip[16:20]), protocol, ttl, tos & 3,
                  tos >> 2, sport, dport, bytes(body), length)
