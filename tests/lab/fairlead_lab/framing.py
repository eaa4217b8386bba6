"""Frames between the lab and the agent of a guest: one byte of kind, four of length, the data.

A connection begins with HELLO from the agent, then one JSON line from the lab, the request. The agent
answers with frames.
This file runs on both sides.
"""

import struct

HELLO, STDIN, STDIN_END, STDOUT, STDERR, RESULT, WINDOW = b"h", b"i", b"e", b"1", b"2", b"r", b"w"
_HEAD = struct.Struct("!cI")
_MAX = 1 << 24
PROTOCOL = 3  # Changes whenever this conversation does; a lab is used by the tool that speaks its own.


def send(sock, kind, data=b""):
    sock.sendall(_HEAD.pack(kind, len(data)) + data)


def _exactly(sock, count):
    parts = []
    while count:
        part = sock.recv(min(count, 1 << 16))
        if not part:
            raise ConnectionError("the other side closed the connection")
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def receive(sock):
    """(kind, data) of the next frame. Raises ConnectionError at the end."""
    kind, length = _HEAD.unpack(_exactly(sock, _HEAD.size))
    if length > _MAX:
        raise ConnectionError(f"a frame of {length} bytes is too long")
    return kind, _exactly(sock, length)


def receive_line(sock, limit=1 << 20):
    """The bytes up to the first newline."""
    line = bytearray()
    while not line.endswith(b"\n"):
        byte = sock.recv(1)
        if not byte or len(line) >= limit:
            raise ConnectionError("no request line came")
        line += byte
    return bytes(line)
