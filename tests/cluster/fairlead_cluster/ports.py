"""Free TCP ports of the loopback."""

import contextlib
import socket


def free(count):
    """Distinct ports that nobody listens on now. Whoever uses them must bear that one is taken meanwhile."""
    with contextlib.ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
