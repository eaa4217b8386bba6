"""A running site: commands in it, daemons, files, ports."""

import collections
import errno
import fcntl
import json
import os
import pathlib
import re
import signal
import socket
import threading
import time

from . import framing, qemu
from .errors import LabError
from .guestnet import AGENT_PORT

Finished = collections.namedtuple("Finished", "code out err")


def _feed(sock, data):
    """Sends a command's input beside reading its output, so that neither waits for the other."""
    try:
        for at in range(0, len(data), 1 << 16):
            framing.send(sock, framing.STDIN, data[at : at + (1 << 16)])
        framing.send(sock, framing.STDIN_END)
    except OSError:  # The command ended without reading all of it.
        pass


class Process:
    """A detached command in a guest, known by its name there."""

    def __init__(self, site, name, log_path):
        self._site = site
        self.name = name
        self.log_path = log_path  # On the host, written as the command writes; stdout and stderr.

    def poll(self):
        """The exit status (negative: the signal), or None while it runs."""
        return self._site.daemons()[self.name]["exit"]

    def wait(self, timeout):
        """The exit status; LabError if it still runs after timeout seconds."""
        code = self._site.ask({"op": "wait", "name": self.name, "timeout": timeout}, timeout + 30)["exit"]
        if code is None:
            raise LabError(f"'{self.name}' in {self._site.name} still runs after {timeout} s; log: {self.log_path}")
        return code

    def stop(self, grace_s=5.0, signal_number=signal.SIGTERM):
        """Ends it and its children (SIGKILL after grace_s); the exit status."""
        return self._site.stop(self.name, grace_s, signal_number)

    def signal(self, number):
        self._site.ask({"op": "signal", "name": self.name, "signal": int(number)})

    def log(self):
        """What it has written so far."""
        try:
            return pathlib.Path(self.log_path).read_text(errors="replace")
        except FileNotFoundError:
            return ""

    def wait_for_log(self, pattern, timeout):
        """Waits for a match of the regular expression in its log; the match object."""
        deadline = time.monotonic() + timeout
        while True:
            ended = self.poll() is not None
            match = re.search(pattern, self.log())
            if match:
                return match
            if ended or time.monotonic() > deadline:
                raise LabError(f"'{self.name}' in {self._site.name} {'ended' if ended else 'did not write'} "
                               f"without '{pattern}'; it wrote: {self.log()[-2000:]}")
            time.sleep(0.1)


class Site:
    """One guest of a running lab. Thread-safe."""

    def __init__(self, lab_folder, site, agent_port, token):
        self.name = site.name
        self.index = site.index
        self.address = site.address
        self.gid = site.gid
        self.folder = lab_folder / "share" / site.name  # Same path on the host and in every guest.
        self.console = qemu.console_path(lab_folder, site)
        self._gate = lab_folder / f"{site.name}.gate"
        self._monitor = qemu.monitor_path(lab_folder, site)
        self._agent_port = agent_port
        self._token = token

    def connect(self, request, timeout=30.0):
        """A socket to the agent with the request sent."""
        # QEMU's listener queues one connection and the host's kernel resets those beyond it, so
        # callers, also those of other processes, come in one after the other.
        with open(self._gate, "w") as gate:
            fcntl.flock(gate, fcntl.LOCK_EX)
            sock = socket.create_connection(("127.0.0.1", self._agent_port), timeout)
            try:
                framing.receive(sock)
            except BaseException:
                sock.close()
                raise
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.sendall(json.dumps({"token": self._token, **request}).encode() + b"\n")
        return sock

    def ask(self, request, timeout=30.0):
        """The agent's answer to a request that is not exec."""
        try:
            with self.connect(request, timeout) as sock:
                _, data = framing.receive(sock)
        except OSError as error:
            raise LabError(f"site {self.name} does not answer ({error}); see {self.console}") from None
        return self._checked(json.loads(data))

    def _checked(self, answer):
        if "error" in answer:
            raise LabError(f"site {self.name}: {answer['error']}")
        return answer

    def run(self, argv, timeout=60.0, check=True, env=None, cwd=None, stdin=b""):
        """Runs a command: Finished(code, out, err) as text.

        check: an exit status other than 0 raises LabError. timeout in seconds: it is killed, LabError.
        """
        argv = [str(word) for word in argv]
        request = {"op": "exec", "argv": argv, "env": env or {}, "cwd": cwd}
        parts = {framing.STDOUT: bytearray(), framing.STDERR: bytearray()}
        deadline = time.monotonic() + timeout
        try:
            with self.connect(request) as sock:
                threading.Thread(target=_feed, args=(sock, stdin), daemon=True).start()
                while True:
                    sock.settimeout(max(0.001, deadline - time.monotonic()))
                    kind, data = framing.receive(sock)
                    if kind == framing.RESULT:
                        break
                    parts[kind] += data
        except TimeoutError:
            raise LabError(f"site {self.name}: {argv} still ran after {timeout} s and was ended; it wrote "
                           f"{bytes(parts[framing.STDOUT][-500:])!r}") from None
        except OSError as error:
            raise LabError(f"site {self.name} does not answer ({error}); see {self.console}") from None
        code = self._checked(json.loads(data))["exit"]
        out, err = (bytes(parts[k]).decode(errors="replace") for k in (framing.STDOUT, framing.STDERR))
        if check and code != 0:
            raise LabError(f"site {self.name}: {argv} ended with {code}: {(err or out)[-2000:].strip()}")
        return Finished(code, out, err)

    def spawn(self, name, argv, env=None, cwd=None):
        """Starts a command that outlives this call; a Process. name is unique among those running here."""
        if not re.match(r"^[A-Za-z0-9][A-Za-z0-9_.-]*$", name):
            raise LabError(f"daemon name '{name}' must be letters, digits, dashes, dots, underscores")
        log = self.log_path(name)
        self.ask({"op": "spawn", "name": name, "argv": [str(word) for word in argv], "env": env or {},
                  "cwd": cwd, "log": str(log)})
        return Process(self, name, log)

    def process(self, name):
        """The Process of a name that was spawned before."""
        if name not in self.daemons():
            raise LabError(f"site {self.name}: nothing named '{name}' was started here")
        return Process(self, name, self.log_path(name))

    def log_path(self, name):
        return self.folder / "log" / f"{name}.log"

    def daemons(self):
        """{name: {pid, exit}} of all that was spawned; exit is None while it runs."""
        return self.ask({"op": "state"})

    def stop(self, name, grace_s=5.0, signal_number=signal.SIGTERM):
        request = {"op": "stop", "name": name, "signal": int(signal_number), "grace": grace_s}
        return self.ask(request, grace_s + 30)["exit"]

    def wait_for_port(self, port, timeout):
        """Waits until something in the guest listens on the TCP port."""
        script = 'until [ -n "$(ss -Hltn "sport = :$0")" ]; do sleep 0.1; done'
        self.run(["bash", "-c", script, str(port)], timeout)

    def clock_ns(self):
        """The guest's wall clock."""
        return self.ask({"op": "clock"})["ns"]

    def clock_offset_ns(self):
        """By how much the guest's wall clock is ahead of the host's; good to a few ms."""
        best = None
        for _ in range(8):
            before = time.time_ns()
            there = self.clock_ns()
            after = time.time_ns()
            if best is None or after - before < best[0]:
                best = (after - before, there - (before + after) // 2)
        return best[1]

    def set_clock(self):
        """Steps the guest's wall clock to the host's."""
        self.ask({"op": "clock", "step_ns": -self.clock_offset_ns()})

    def refresh(self):
        """Makes the guest forget cached host files, so that rebuilt programs are seen."""
        self.ask({"op": "refresh"})

    def ports(self):
        """{guest TCP port: port on the host's 127.0.0.1}."""
        ports = qemu.forwards(self._monitor)
        ports.pop(AGENT_PORT, None)
        return ports

    def forward(self, port):
        """The port on the host's 127.0.0.1 for a guest TCP port; forwards it if it is not yet."""
        return qemu.add_forward(self._monitor, port)

    def put(self, source, target):
        """Copies a host file to a path in the guest, mode included."""
        source = pathlib.Path(source)
        mode = f"{os.stat(source).st_mode & 0o777:o}"
        script = 'cat > "$1.part" && chmod "$2" "$1.part" && mv "$1.part" "$1"'
        self.run(["sh", "-c", script, "put", target, mode], stdin=source.read_bytes(), timeout=300)

    def get(self, source, target):
        """Copies a guest file to a path on the host."""
        exchange = self.folder / f".get-{os.getpid()}-{time.monotonic_ns()}"
        self.run(["cp", "--", source, exchange], timeout=300)
        target = pathlib.Path(target)
        if target.is_dir():
            target = target / pathlib.PurePath(source).name
        try:
            os.replace(exchange, target)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
            target.write_bytes(exchange.read_bytes())
            exchange.unlink()
        return target
