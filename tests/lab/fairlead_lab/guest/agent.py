"""The agent of a guest: runs commands for the lab. Arguments: TCP port, file with the token.

Every connection carries one request. A request is refused without the token, since any user of the
host can connect to a forwarded port.
"""

import fcntl
import hmac
import json
import os
import pty
import signal
import socket
import struct
import subprocess
import sys
import termios
import threading
import time

import framing


_LINGER_S = 20  # How long the other side has to take its answer and close.


class Daemons:
    """Detached commands by name. Thread-safe."""

    def __init__(self):
        self._lock = threading.Lock()
        self._running = {}

    def spawn(self, name, argv, env, cwd, log):
        with self._lock:
            old = self._running.get(name)
            if old and old.poll() is None:
                return {"error": f"'{name}' is already running here (pid {old.pid}); stop it first"}
            os.makedirs(os.path.dirname(log), exist_ok=True)
            with open(log, "ab") as out:
                process = subprocess.Popen(argv, env=env, cwd=cwd, stdin=subprocess.DEVNULL, stdout=out,
                                           stderr=subprocess.STDOUT, start_new_session=True)
            self._running[name] = process
            return {"pid": process.pid}

    def state(self):
        with self._lock:
            return {name: {"pid": p.pid, "exit": p.poll()} for name, p in self._running.items()}

    def _find(self, name):
        with self._lock:
            return self._running.get(name)

    def stop(self, name, signal_number, grace):
        process = self._find(name)
        if process is None:
            return {"error": f"nothing named '{name}' was started here"}
        if process.poll() is None:
            kill_group(process, signal_number)
            try:
                process.wait(grace)
            except subprocess.TimeoutExpired:
                kill_group(process, signal.SIGKILL)
                process.wait()
        return {"exit": process.returncode}

    def signal(self, name, signal_number):
        process = self._find(name)
        if process is None or process.poll() is not None:
            return {"error": f"'{name}' is not running here"}
        process.send_signal(signal_number)
        return {}

    def wait(self, name, timeout):
        process = self._find(name)
        if process is None:
            return {"error": f"nothing named '{name}' was started here"}
        try:
            return {"exit": process.wait(timeout)}
        except subprocess.TimeoutExpired:
            return {"exit": None}


def kill_group(process, signal_number):
    try:
        os.killpg(process.pid, signal_number)
    except ProcessLookupError:
        pass


class Command:
    """One command whose streams travel over the connection; it dies with the connection."""

    def __init__(self, sock, request, env):
        self._sock = sock
        self._lock = threading.Lock()
        self._moved = 0  # Frames begun and ended, so odd while one is on its way.
        self._terminal = None
        if request.get("tty"):
            self._start_on_terminal(request, env)
        else:
            self._process = subprocess.Popen(request["argv"], env=env, cwd=request.get("cwd"), bufsize=0,
                                             stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                             stderr=subprocess.PIPE, start_new_session=True)
            self._outputs = [(self._process.stdout.fileno(), framing.STDOUT),
                             (self._process.stderr.fileno(), framing.STDERR)]
            self._input = self._process.stdin.fileno()

    def _start_on_terminal(self, request, env):
        self._terminal, far = pty.openpty()
        self._resize(*request["tty"])

        def take_terminal():
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self._process = subprocess.Popen(request["argv"], env=env, cwd=request.get("cwd"), stdin=far,
                                         stdout=far, stderr=far, start_new_session=True,
                                         preexec_fn=take_terminal)
        os.close(far)
        self._outputs = [(self._terminal, framing.STDOUT)]
        self._input = self._terminal

    def _resize(self, rows, columns):
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def _pump_out(self, descriptor, kind):
        while True:
            try:
                data = os.read(descriptor, 1 << 16)
            except OSError:  # A terminal whose last user has gone.
                return
            if not data:
                return
            try:
                with self._lock:
                    self._moved += 1
                    framing.send(self._sock, kind, data)
                    self._moved += 1
            except OSError:
                return

    def _pump_in(self):
        try:
            while True:
                kind, data = framing.receive(self._sock)
                if kind == framing.STDIN:
                    self._feed(data)
                elif kind == framing.STDIN_END and self._terminal is None:
                    self._process.stdin.close()
                elif kind == framing.WINDOW and self._terminal is not None:
                    self._resize(*json.loads(data))
        except (OSError, ConnectionError):
            if self._process.poll() is None:
                kill_group(self._process, signal.SIGTERM)
                try:
                    self._process.wait(5)
                except subprocess.TimeoutExpired:
                    kill_group(self._process, signal.SIGKILL)

    def _feed(self, data):
        try:
            while data:
                data = data[os.write(self._input, data):]
        except OSError:  # The command closed its input; its output still counts.
            pass

    def _drain(self, thread):
        """Waits for the rest of a stream, but not for a background child that holds it open."""
        while thread.is_alive():
            before = self._moved
            thread.join(0.5)
            if self._moved == before and before % 2 == 0:
                return

    def run(self):
        threads = [threading.Thread(target=self._pump_out, args=o, daemon=True) for o in self._outputs]
        listener = threading.Thread(target=self._pump_in, daemon=True)
        listener.start()
        for thread in threads:
            thread.start()
        code = self._process.wait()
        for thread in threads:
            self._drain(thread)
        with self._lock:
            framing.send(self._sock, framing.RESULT, json.dumps({"exit": code}).encode())
        # Closing with input unread would reset the connection and with it lose the result.
        self._sock.shutdown(socket.SHUT_WR)
        listener.join(_LINGER_S)
        if self._terminal is not None:
            os.close(self._terminal)


def drop_caches():
    """Forgets what is cached of the host's files, so that rebuilt programs are seen."""
    with open("/proc/sys/vm/drop_caches", "w") as knob:
        knob.write("3")
    return {}


def answer(daemons, sock, request, env):
    op = request["op"]
    name = request.get("name")
    if op == "exec":
        Command(sock, request, env).run()
        return None
    if op == "spawn":
        return daemons.spawn(name, request["argv"], env, request.get("cwd"), request["log"])
    if op == "stop":
        return daemons.stop(name, request["signal"], request["grace"])
    if op == "signal":
        return daemons.signal(name, request["signal"])
    if op == "wait":
        return daemons.wait(name, request["timeout"])
    if op == "state":
        return daemons.state()
    if op == "clock":
        if request.get("step_ns"):
            time.clock_settime_ns(time.CLOCK_REALTIME, time.time_ns() + request["step_ns"])
        return {"ns": time.time_ns()}
    if op == "refresh":
        return drop_caches()
    return {"error": f"unknown request '{op}'"}


def serve(daemons, sock, token):
    with sock:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            framing.send(sock, framing.HELLO)
            request = json.loads(framing.receive_line(sock))
            if not hmac.compare_digest(str(request.get("token", "")), token):
                result = {"error": "the token is not this lab's"}
            else:
                env = {**os.environ, **request.get("env", {})}
                result = answer(daemons, sock, request, env)
        except (ConnectionError, ValueError):
            return
        except (OSError, KeyError, TypeError) as error:
            result = {"error": str(error), "errno": getattr(error, "errno", None)}
        try:
            if result is not None:
                framing.send(sock, framing.RESULT, json.dumps(result).encode())
                sock.shutdown(socket.SHUT_WR)
                sock.settimeout(_LINGER_S)
                while sock.recv(1 << 16):
                    pass
        except OSError:
            pass


def main():
    with open(sys.argv[2]) as file:
        token = file.read().strip()
    listener = socket.create_server(("0.0.0.0", int(sys.argv[1])), backlog=64)
    daemons = Daemons()
    print("LAB-READY", flush=True)
    while True:
        sock, _ = listener.accept()
        threading.Thread(target=serve, args=(daemons, sock, token), daemon=True).start()


main()
