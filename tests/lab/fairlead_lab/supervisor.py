"""The process that holds a lab: starts its guests and host programs and ends with them.

    python3 -m fairlead_lab.supervisor FOLDER LOCK_FD OWNER_FD

It ends them all and removes the folder when it is told to (control.sock, SIGTERM) or when the owner
(a pidfd, -1 for none) has ended. They carry PR_SET_PDEATHSIG, so they die with it however it dies.
"""

import json
import os
import pathlib
import selectors
import shutil
import signal
import socket
import subprocess
import sys

from .descent import dying_with_us
from .state import HOST_PROGRAM_MARK


def _start(argv, log, env=None):
    with open(log, "ab") as out:
        return subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=env,
                                preexec_fn=dying_with_us(), start_new_session=True)


def _kill_group(process):
    """Also what the process has started; it began a session of its own."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def _end_one(process, signal_number, grace):
    """Ends a process, by SIGKILL if it takes longer than grace seconds; its exit status."""
    if process.poll() is None:
        process.send_signal(signal_number)
        try:
            process.wait(grace)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    return process.returncode


class Supervisor:
    def __init__(self, folder, owner):
        self._folder = pathlib.Path(folder)
        self._owner = owner
        self._guests = {}
        self._programs = {}
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
        if request["op"] == "start":
            return self._start_program(request)
        if request["op"] == "stop":
            return self._stop_program(request)
        return {"guests": _states(self._guests), "programs": _states(self._programs)}

    def _start_program(self, request):
        name = request["name"]
        running = self._programs.get(name)
        if running and running.poll() is None:
            return {"error": f"'{name}' already runs on the host (pid {running.pid}); stop it first"}
        env = {**os.environ, **request["env"], HOST_PROGRAM_MARK: str(self._folder)}
        try:
            self._programs[name] = _start(request["argv"], request["log"], env)
        except OSError as error:
            return {"error": f"{request['argv'][0]}: {error.strerror}"}
        return {"pid": self._programs[name].pid}

    def _stop_program(self, request):
        process = self._programs.get(request["name"])
        if process is None:
            return {"error": f"nothing named '{request['name']}' was started on the host"}
        return {"exit": _end_one(process, request["signal"], request["grace"])}

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
        processes = [*self._guests.values(), *self._programs.values()]
        for process in processes:
            _kill_group(process)
        for process in processes:
            process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)


def _states(processes):
    return {name: {"pid": p.pid, "exit": p.poll()} for name, p in processes.items()}


def main():
    os.chdir("/")
    # The lock's descriptor (argument 2) stays open as long as this process lives.
    Supervisor(sys.argv[1], int(sys.argv[3])).run()


if __name__ == "__main__":
    main()
