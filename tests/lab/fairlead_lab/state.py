"""The folder of a running lab: where it is, who holds it, and how it is taken down.

Whoever runs a lab holds a lock on <folder>/lock: first the starting tool, then the supervisor, which
inherits the locked descriptor. A folder whose lock is free belongs to nobody and is stale.
"""

import fcntl
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import stat
import time

from .errors import LabError

_PREFIX = "fairlead-lab-"
HOST_PROGRAM_MARK = "FAIRLEAD_LAB_FOLDER"  # Environment variable of the lab's programs on the host.
PATIENCE_S = 15.0  # How long a supervisor may take to end its lab.
_NAME = re.compile(r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,39}$")


def base_dir():
    return pathlib.Path(os.environ.get("XDG_RUNTIME_DIR") or "/tmp")


def folder_of(name):
    if not _NAME.match(name):
        raise LabError(f"lab name '{name}' must be letters, digits, dashes, dots, underscores; at most 40")
    return base_dir() / f"{_PREFIX}{name}"


def names():
    """Names of the labs of this user that have a folder, running or stale."""
    found = []
    for path in base_dir().glob(f"{_PREFIX}*"):
        if path.is_dir() and path.stat().st_uid == os.geteuid():
            found.append(path.name[len(_PREFIX):])
    return sorted(found)


def _lock(folder):
    """A descriptor that holds the folder's lock, or None while somebody else does."""
    descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return descriptor
    except BlockingIOError:
        os.close(descriptor)
        return None


def is_running(folder):
    """Whether somebody holds the lab."""
    try:
        descriptor = _lock(folder)
    except OSError:
        return False
    if descriptor is None:
        return True
    os.close(descriptor)
    return False


def _check_ours(folder):
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
        raise LabError(f"{folder} is not a folder of this user; choose another --name or remove it")


def claim(name):
    """Creates the folder of a new lab and locks it; cleans a stale one. Returns (folder, lock)."""
    folder = folder_of(name)
    _remove_unfinished(name)
    work = base_dir() / f".{_PREFIX}{name}.{os.getpid()}"
    try:
        work.mkdir(mode=0o700)
    except OSError as error:
        raise LabError(f"{work}: {error.strerror}") from None
    lock = _lock(work)
    for _ in range(10):
        try:
            os.rename(work, folder)
            return folder, lock
        except OSError:
            try:
                _check_ours(folder)
            except FileNotFoundError:
                continue
            except LabError:
                shutil.rmtree(work)
                raise
        stale = _lock(folder)
        if stale is None:
            shutil.rmtree(work)
            raise LabError(f"lab '{name}' is already up; 'lab down --name {name}' takes it down")
        remove(folder)
        os.close(stale)
    shutil.rmtree(work)
    raise LabError(f"{folder} comes back whenever it is removed; is another 'lab up' running?")


def _remove_unfinished(name):
    """Removes what a tool left that was killed before its lab's folder had its name."""
    for work in base_dir().glob(f".{_PREFIX}{name}.[0-9]*"):
        if work.lstat().st_uid == os.geteuid() and not pathlib.Path("/proc", work.suffix[1:]).exists():
            shutil.rmtree(work, ignore_errors=True)


def processes_of(folder):
    """Pids of QEMU processes and host programs that belong to the folder."""
    mark = f"fairlead-lab={folder}".encode()
    program_mark = f"{HOST_PROGRAM_MARK}={folder}".encode()
    pids = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            words = pathlib.Path("/proc", entry, "cmdline").read_bytes().split(b"\0")
            variables = pathlib.Path("/proc", entry, "environ").read_bytes().split(b"\0")
        except OSError:  # Ended meanwhile, or another user's.
            continue
        # Its own argument, whole: neither a longer name's lab nor somebody's grep.
        if b"qemu-system" in words[0] and any(word == b"type=11,value=" + mark for word in words):
            pids.append(int(entry))
        elif program_mark in variables and int(entry) != os.getpid():
            pids.append(int(entry))
    return pids


def guest_mark(folder):
    """The QEMU argument by which processes_of knows a guest."""
    return f"type=11,value=fairlead-lab={folder}"


def remove(folder):
    """Ends whatever still runs for the folder and removes it. Waits until it is gone."""
    deadline = time.monotonic() + 10
    while True:
        pids = processes_of(folder)
        if not pids:
            break
        for pid in pids:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        if time.monotonic() > deadline:
            raise LabError(f"processes {pids} of {folder} do not end; end them by hand")
        time.sleep(0.05)
    shutil.rmtree(folder, ignore_errors=True)


def ask(folder, words, timeout=30.0):
    """One request to the supervisor; its answer. Raises OSError where none answers."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
        sock.settimeout(timeout)
        sock.connect(str(folder / "control.sock"))
        sock.sendall(json.dumps(words).encode() + b"\n")
        return json.loads(sock.makefile().readline() or "{}")


def take_down(name):
    """Ends the lab and removes its folder. False where there was none."""
    folder = folder_of(name)
    _remove_unfinished(name)
    if not folder.exists():
        return False
    _check_ours(folder)
    deadline = time.monotonic() + PATIENCE_S
    while is_running(folder):
        try:
            ask(folder, {"op": "down"}, PATIENCE_S)
        except (OSError, ValueError):
            pass
        if time.monotonic() > deadline:
            _kill_holder(folder)
        time.sleep(0.05)
    if folder.exists():
        remove(folder)
    return True


def _kill_holder(folder):
    """Kills a supervisor that does not answer; its guests die with it."""
    try:
        pid = int((folder / "supervisor.pid").read_text())
        words = pathlib.Path("/proc", str(pid), "cmdline").read_bytes().split(b"\0")
        if str(folder).encode() in words:
            os.kill(pid, signal.SIGKILL)
    except (OSError, ValueError):
        raise LabError(f"another process holds {folder} and does not answer; is 'lab up' still running?") from None
