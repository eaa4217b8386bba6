"""Programs built once from their Go modules into the cache, in the versions that a module file pins."""

import fcntl
import os
import pathlib
import re
import subprocess
import time

from fairlead_lab.descent import dying_with_us
from fairlead_lab.kernel import cache_dir

from . import cache, toolchain
from .errors import ClusterError
from .progress import say

_TOLD_EVERY_S = 15.0
_LEAST_FREE_BYTES = 6 << 30  # Go's build cache takes most of it.


def required_version(module, package, text=None):
    """The version, such as '1.37.2', of a package that the go.mod in folder `module` (or its text) requires."""
    text = (module / "go.mod").read_text() if text is None else text
    found = re.search(rf"^\s*(?:require )?{re.escape(package)} v(\d+\.\d+\.\d+)\b", text, re.MULTILINE)
    if not found:
        raise ClusterError(f"{module / 'go.mod'} requires no release of {package}")
    return found.group(1)


class GoPrograms:
    """The programs of one module folder in one version."""

    def __init__(self, name, module, version, packages, linker_words, minutes):
        """packages: {program: Go package}, in the order of building; minutes: what all take on two cores."""
        self.name = name
        self.version = version
        self._module = module
        self._packages = packages
        self._linker_words = linker_words
        self._minutes = minutes

    def home(self):
        """The cache folder of the version."""
        return cache_dir() / self.name.lower() / self.version

    def program(self, name):
        return self.home() / "bin" / name

    def missing(self):
        return [name for name in self._packages if not self.program(name).exists()]

    def ensure(self, progress=say):
        """Builds what is missing. The folder of programs."""
        cache.folder(self.name.lower(), self.version, "bin")
        if not self.missing():
            return self.home() / "bin"
        with open(self.home() / "lock", "w") as lock:
            self._lock(lock, progress)
            wanted = self.missing()  # Anew: another run may have built them meanwhile.
            if wanted:
                self._check_space()
                go = toolchain.find(cache_dir(), progress)
                progress(f"building {self.name} {self.version} once into {self.home()}: {', '.join(wanted)} "
                         f"(about {self._minutes} minutes on two cores; log {self.home() / 'build.log'})")
                for number, name in enumerate(wanted, 1):
                    self._build(go, name, f"{number} of {len(wanted)}", progress)
        return self.home() / "bin"

    def _lock(self, file, progress):
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress(f"another run builds {self.name}; waiting for it")
            fcntl.flock(file, fcntl.LOCK_EX)

    def _check_space(self):
        free = os.statvfs(self.home()).f_bavail * os.statvfs(self.home()).f_frsize
        if free < _LEAST_FREE_BYTES:
            raise ClusterError(f"{self.home()} has {free >> 30} GiB free and the build takes 6; make room or set "
                               "FAIRLEAD_CACHE (and GOCACHE) to a folder on a larger disk")

    def build_command(self, go, name, target):
        return ["nice", "-n", "10", go, "build", "-v", "-trimpath", "-buildvcs=false", "-mod=readonly",
                "-ldflags", self._linker_words, "-o", str(target), self._packages[name]]

    def _build(self, go, name, place, progress):
        part = self.home() / "bin" / f".{name}.part"
        begin = told = time.monotonic()
        log_path = self.home() / "build.log"
        env = {**os.environ, "CGO_ENABLED": "0", "GOTOOLCHAIN": "local", "GOWORK": "off"}
        env.pop("GOFLAGS", None)
        with open(log_path, "w") as log:
            process = subprocess.Popen(self.build_command(go, name, part), cwd=self._module, env=env, stdout=log,
                                       stderr=log, stdin=subprocess.DEVNULL, preexec_fn=dying_with_us())
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
        os.replace(part, pathlib.Path(self.program(name)))
        progress(f"built {name} ({place}) in {time.monotonic() - begin:.0f} s")


def _lines(path):
    return path.read_bytes().count(b"\n")
