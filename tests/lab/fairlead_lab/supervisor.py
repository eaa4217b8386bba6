"""The process that holds a lab: starts its guests and ends with them.

    python3 -m fairlead_lab.supervisor FOLDER LOCK_FD OWNER_FD

It ends the guests and removes the folder when it is told to (control.sock, SIGTERM) or when the owner
(a pidfd, -1 for none) has ended. Guests carry PR_SET_PDEATHSIG, so they die with it however it dies.
"""

import ctypes
import json
import os
import pathlib
import selectors
import shutil
import signal
import socket
import subprocess
import sys

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True)


def _start(argv, log):
    parent = os.getpid()

    def die_with_parent():
        _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)

    with open(log, "ab") as out:
        return subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                preexec_fn=die_with_parent, start_new_session=True)


class Supervisor:
    def __init__(self, folder, owner):
        self._folder = pathlib.Path(folder)
        self._owner = owner
        self._guests = {}
        self._selector = selectors.DefaultSelector()

    def _listen(self):
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(str(self._folder / "control.sock"))
        listener.listen(16)
        return listener

    def _answer(self, listener):
        """Serves one request; True when it asks to end."""
        connection, _ = listener.accept()
        with connection:
            connection.settimeout(5)
            try:
                request = json.loads(connection.makefile().readline())
                reply = self._reply(request)
                connection.sendall(json.dumps(reply).encode() + b"\n")
            except (OSError, ValueError, KeyError, TypeError):
                return False
            return request["op"] == "down"

    def _reply(self, request):
        if request["op"] == "owner":
            self._change_owner(request["pid"])
        guests = {name: {"pid": g.pid, "exit": g.poll()} for name, g in self._guests.items()}
        return {"guests": guests}

    def _change_owner(self, pid):
        """From now on the lab ends with pid; None means that it stays until it is taken down."""
        new = -1 if pid is None else os.pidfd_open(pid)
        if self._owner >= 0:
            self._selector.unregister(self._owner)
            os.close(self._owner)
        self._owner = new
        if new >= 0:
            self._selector.register(new, selectors.EVENT_READ)

    def run(self):
        (self._folder / "supervisor.pid").write_text(str(os.getpid()))
        listener = self._listen()
        wake, signalled = os.pipe()
        os.set_blocking(signalled, False)
        signal.set_wakeup_fd(signalled)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, lambda *_: None)
        self._selector.register(listener, selectors.EVENT_READ)
        self._selector.register(wake, selectors.EVENT_READ)
        if self._owner >= 0:
            self._selector.register(self._owner, selectors.EVENT_READ)
        try:
            commands = json.loads((self._folder / "guests.json").read_text())
            for name, argv in commands.items():
                self._guests[name] = _start(argv, self._folder / f"{name}.qemu.log")
            self._wait(listener)
        finally:
            self._end()

    def _wait(self, listener):
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is not listener:
                    return
                if self._answer(listener):
                    return

    def _end(self):
        for guest in self._guests.values():
            guest.kill()
        for guest in self._guests.values():
            guest.wait()
        shutil.rmtree(self._folder, ignore_errors=True)


def main():
    os.chdir("/")
    # The lock's descriptor (argument 2) stays open as long as this process lives.
    Supervisor(sys.argv[1], int(sys.argv[3])).run()


if __name__ == "__main__":
    main()
