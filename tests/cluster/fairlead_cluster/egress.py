"""The API server's only way to anything but etcd: an HTTP CONNECT proxy on a unix socket.

    python3 -m fairlead_cluster.egress SOCKET HOST:PORT=LOCAL_PORT...

Addresses of nodes are invented on this machine: what the API server would dial is somebody else's. So it
asks here (EgressSelectorConfiguration), where a node's kubelet is the port that QEMU forwards to it, the
loopback is itself (webhooks of controllers on this host), and everything else is refused.
"""

import os
import re
import socket
import sys
import threading

_REQUEST = re.compile(rb"^CONNECT (\S+) HTTP/1\.[01]\r\n")
_LONGEST_HEAD = 16384


def target(request, table):
    """The loopback port that a request head asks for, or None where it must not go."""
    found = _REQUEST.match(request)
    if not found:
        return None
    asked = found.group(1).decode("ascii", "replace")
    if asked in table:
        return table[asked]
    host, _, port = asked.rpartition(":")
    if host in ("127.0.0.1", "localhost", "[::1]") and port.isdigit() and 0 < int(port) < 65536:
        return int(port)
    return None


def parse_table(words):
    """{'172.20.1.2:10250': 40001} of the words 'HOST:PORT=LOCAL_PORT'."""
    pairs = (word.rpartition("=") for word in words)
    return {asked: int(local) for asked, _, local in pairs}


def _pump(source, sink):
    try:
        while data := source.recv(1 << 16):
            sink.sendall(data)
    except OSError:
        pass
    try:
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def _serve(client, table):
    with client:
        head = b""
        while b"\r\n\r\n" not in head and len(head) < _LONGEST_HEAD:
            data = client.recv(4096)
            if not data:
                return
            head += data
        head, _, rest = head.partition(b"\r\n\r\n")
        port = target(head + b"\r\n", table)
        if port is None:
            print(f"refused: {head.splitlines()[:1]}", flush=True)
            client.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
            return
        try:
            server = socket.create_connection(("127.0.0.1", port), 10)
        except OSError as error:
            print(f"port {port}: {error}", flush=True)
            client.sendall(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
            return
        with server:
            server.settimeout(None)
            client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            server.sendall(rest)
            back = threading.Thread(target=_pump, args=(server, client), daemon=True)
            back.start()
            _pump(client, server)
            back.join()


def _serve_quietly(client, table):
    try:
        _serve(client, table)
    except OSError as error:  # One client's trouble is its own.
        print(f"a connection broke: {error}", flush=True)


def main():
    path, table = sys.argv[1], parse_table(sys.argv[2:])
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        if os.path.exists(path):
            os.unlink(path)
        listener.bind(path)
        listener.listen(64)
        print(f"ready: {table}", flush=True)
        while True:
            client, _ = listener.accept()
            threading.Thread(target=_serve_quietly, args=(client, table), daemon=True).start()


if __name__ == "__main__":
    main()
