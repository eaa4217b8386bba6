"""The Kubernetes programs: built once from their Go modules into the cache."""

import fcntl
import os
import pathlib
import subprocess
import time

from fairlead_lab.descent import dying_with_us
from fairlead_lab.kernel import cache_dir

from . import cache, toolchain
from .errors import ClusterError
from .progress import say
from .versions import MODULE, PROGRAMS, kubernetes_version, linker_words

_TOLD_EVERY_S = 15.0
_LEAST_FREE_BYTES = 6 << 30  # Go's build cache takes most of it.


def home():
    """The cache folder of the pinned version."""
    return cache_dir() / "kubernetes" / kubernetes_version()


def program(name):
    return home() / "bin" / name


def missing():
    return [name for name in PROGRAMS if not program(name).exists()]


def ensure(progress=say):
    """Builds what is missing; some 15 minutes on two cores where nothing is there. The folder of programs."""
    if not missing():
        return home() / "bin"
    cache.folder("kubernetes", kubernetes_version(), "bin")
    with open(home() / "lock", "w") as lock:
        _lock(lock, progress)
        wanted = missing()  # Anew: another run may have built them meanwhile.
        if wanted:
            _check_space()
            go = toolchain.find(cache_dir(), progress)
            progress(f"building Kubernetes {kubernetes_version()} once into {home()}: {', '.join(wanted)} "
                     f"(about 15 minutes on two cores; log {home() / 'build.log'})")
            for number, name in enumerate(wanted, 1):
                _build(go, name, f"{number} of {len(wanted)}", progress)
    return home() / "bin"


def _lock(file, progress):
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        progress("another run builds Kubernetes; waiting for it")
        fcntl.flock(file, fcntl.LOCK_EX)


def _check_space():
    free = os.statvfs(home()).f_bavail * os.statvfs(home()).f_frsize
    if free < _LEAST_FREE_BYTES:
        raise ClusterError(f"{home()} has {free >> 30} GiB free and the build takes 6; make room or set "
                           "FAIRLEAD_CACHE (and GOCACHE) to a folder on a larger disk")


def build_command(go, name, target):
    return ["nice", "-n", "10", go, "build", "-v", "-trimpath", "-buildvcs=false", "-mod=readonly",
            "-ldflags", linker_words(kubernetes_version()), "-o", str(target), f"k8s.io/kubernetes/cmd/{name}"]


def _build(go, name, place, progress):
    part = home() / "bin" / f".{name}.part"
    begin = told = time.monotonic()
    log_path = home() / "build.log"
    env = {**os.environ, "CGO_ENABLED": "0", "GOTOOLCHAIN": "local", "GOWORK": "off"}
    env.pop("GOFLAGS", None)
    with open(log_path, "w") as log:
        process = subprocess.Popen(build_command(go, name, part), cwd=MODULE, env=env, stdout=log, stderr=log,
                                   stdin=subprocess.DEVNULL, preexec_fn=dying_with_us())
        try:
            while process.poll() is None:
                time.sleep(0.2)
                if time.monotonic() - told >= _TOLD_EVERY_S:
                    told = time.monotonic()
                    progress(f"building {name} ({place}), {told - begin:.0f} s, "
                             f"{_lines(log_path)} packages compiled or fetched")
        except BaseException:
            process.terminate()
            process.wait()
            raise
    if process.returncode != 0:
        rows = log_path.read_text(errors="replace").splitlines()[-15:]
        raise ClusterError(f"go build of {name} ended with {process.returncode}; log {log_path} ends:\n"
                           + "\n".join(rows))
    os.replace(part, pathlib.Path(program(name)))
    progress(f"built {name} ({place}) in {time.monotonic() - begin:.0f} s")


def _lines(path):
    return path.read_bytes().count(b"\n")
