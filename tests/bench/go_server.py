"""Builds and starts the reference extender in Go."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def _toolchain():
    for candidate in (shutil.which("go"), "/usr/local/go/bin/go", "/usr/lib/go/bin/go"):
        if candidate and os.access(candidate, os.X_OK):
            return candidate
    sys.exit("bench: no Go toolchain found; install golang-go")


def start(folder, sites):
    """(process, port) of go_reference on the loopback; sites: {node: site}, folder: for what it needs."""
    binary = folder / "go_reference"
    subprocess.run([_toolchain(), "build", "-o", binary, "."], check=True, cwd=HERE / "go_reference",
                   env={**os.environ, "GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOTOOLCHAIN": "local",
                        "GOCACHE": os.environ.get("GOCACHE", str(HERE.parents[1] / ".cache/go"))})
    table = folder / "sites.json"
    table.write_text(json.dumps(sites))
    process = subprocess.Popen([binary, "--sites", table], stdout=subprocess.PIPE, text=True)
    return process, int(process.stdout.readline().split()[1])
