"""Where the source of a Go module is."""

import json
import os
import pathlib
import subprocess

from . import cache, toolchain
from .errors import ClusterError


def folder(pinned, name):
    """The folder of module `name` in the version that the go.mod in the folder `pinned` requires; fetched where it is
    missing. ClusterError where it cannot be had."""
    done = subprocess.run([toolchain.find(cache.folder()), "mod", "download", "-json", name], cwd=pinned,
                          capture_output=True, text=True, env={**os.environ, "GOTOOLCHAIN": "local", "GOWORK": "off"})
    if done.returncode != 0:
        trouble = (done.stderr or done.stdout).strip()[-500:]
        raise ClusterError(f"module {name} of {pinned / 'go.mod'} cannot be had: {trouble}")
    return pathlib.Path(json.loads(done.stdout)["Dir"])
