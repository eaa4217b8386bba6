"""Which accelerator the guests get. KVM counts only if a guest really boots with it."""

import hashlib
import os
import pathlib
import subprocess
import tempfile

from . import initrd, qemu
from .errors import LabError
from .kernel import cache_dir
from .progress import say

CHOICES = ("auto", "tcg", "kvm")
_PROBE_SECONDS = 15


def choose(kernel, wanted=None, progress=say):
    """'tcg' or 'kvm'. FAIRLEAD_LAB_ACCEL overrides wanted."""
    wanted = os.environ.get("FAIRLEAD_LAB_ACCEL") or wanted or "auto"
    if wanted not in CHOICES:
        raise LabError(f"accelerator '{wanted}' is none of {', '.join(CHOICES)}")
    if wanted == "tcg":
        return "tcg"
    if not os.access("/dev/kvm", os.R_OK | os.W_OK):
        if wanted == "kvm":
            raise LabError("/dev/kvm is missing or closed to this user; join its group or use --accel tcg")
        return "tcg"
    trouble = _remembered(kernel, progress)
    if trouble and wanted == "kvm":
        raise LabError(f"/dev/kvm is there but a guest does not boot with it ({trouble}); use --accel tcg")
    return "tcg" if trouble else "kvm"


def _remembered(kernel, progress):
    """What is wrong with KVM here, "" if nothing; kept until the machine is booted again or QEMU or the kernel changes."""
    boot = pathlib.Path("/proc/sys/kernel/random/boot_id").read_text()
    version = os.stat(qemu.binary()).st_mtime_ns
    key = hashlib.sha256(f"{boot}{version}{kernel.version}{os.geteuid()}".encode()).hexdigest()[:16]
    note = cache_dir() / "lab-kernel" / f"kvm-{key}"
    if note.exists():
        return note.read_text()
    progress("trying whether a guest boots with KVM")
    trouble = _trouble(kernel)
    for old in note.parent.glob("kvm-*"):
        old.unlink(missing_ok=True)
    note.write_text(trouble)
    return trouble


def _trouble(kernel):
    """Boots a guest that only says that it has booted; what went wrong, or ""."""
    with tempfile.TemporaryDirectory() as work:
        image = os.path.join(work, "initrd")
        initrd.build(kernel, image, init="probe.sh")
        argv = qemu.base_command("kvm", kernel, image, "")
        argv += ["-m", "512", "-serial", "stdio"]
        try:
            done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=_PROBE_SECONDS)
            said = done.stdout
        except subprocess.TimeoutExpired as error:
            said = error.stdout or b"nothing came from it"
    if b"LAB-PROBE-OK" in said:
        return ""
    rows = said.decode(errors="replace").strip().splitlines()
    return rows[0][:200] if rows else "QEMU ended without a word"
