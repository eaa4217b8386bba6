"""Commands in a guest with this terminal's (or these pipes') input and output passed through."""

import json
import os
import select
import shutil
import signal
import sys
import termios
import threading
import tty

from . import framing
from .errors import LabError


def _pump_in(sock):
    try:
        while True:
            data = os.read(0, 1 << 16)
            if not data:
                break
            framing.send(sock, framing.STDIN, data)
        framing.send(sock, framing.STDIN_END)
    except OSError:
        pass


def _size():
    columns, rows = shutil.get_terminal_size()
    return [rows, columns]


def _pump_out(sock):
    """The exit status of the command, once its output has been passed on."""
    while True:
        kind, data = framing.receive(sock)
        if kind == framing.RESULT:
            return json.loads(data)
        target = 1 if kind == framing.STDOUT else 2
        while data:
            data = data[os.write(target, data):]


def run(site, argv, with_terminal):
    """Runs argv in the site; the exit status as a shell gives it."""
    request = {"op": "exec", "argv": argv, "env": {}, "cwd": "/"}
    if with_terminal:
        if not sys.stdin.isatty():
            raise LabError("a terminal was asked for, but standard input is none; leave -t out")
        request["tty"] = _size()
        request["env"] = {"TERM": os.environ.get("TERM", "linux")}
    try:
        with site.connect(request) as sock:
            sock.settimeout(None)
            answer = _on_terminal(sock) if with_terminal else _on_pipes(sock)
    except BrokenPipeError:  # Whoever read our output has gone; the command has been ended.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 141
    except OSError as error:
        raise LabError(f"site {site.name} does not answer ({error}); see {site.console}") from None
    if "error" in answer:
        print(f"lab: {site.name}: {answer['error']}", file=sys.stderr)
        return 127 if answer.get("errno") == 2 else 126
    code = answer["exit"]
    return code if code >= 0 else 128 - code


def _on_pipes(sock):
    # With nobody to type, a waiting read of the terminal would take input meant for the shell.
    if sys.stdin is None or sys.stdin.isatty():
        framing.send(sock, framing.STDIN_END)
    else:
        threading.Thread(target=_pump_in, args=(sock,), daemon=True).start()
    return _pump_out(sock)


def _on_terminal(sock):
    before = termios.tcgetattr(0)
    lock = threading.Lock()

    def resized(*_):
        with lock:
            framing.send(sock, framing.WINDOW, json.dumps(_size()).encode())

    def type_in():
        while True:
            ready, _, _ = select.select([0], [], [])
            data = os.read(0, 4096) if ready else b""
            if not data:
                return
            with lock:
                framing.send(sock, framing.STDIN, data)

    threading.Thread(target=type_in, daemon=True).start()
    try:
        tty.setraw(0, termios.TCSADRAIN)  # Keeps what was typed ahead.
        signal.signal(signal.SIGWINCH, resized)
        return _pump_out(sock)
    finally:
        signal.signal(signal.SIGWINCH, signal.SIG_DFL)
        termios.tcsetattr(0, termios.TCSADRAIN, before)
