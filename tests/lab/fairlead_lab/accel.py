"""Which accelerator the guests get. KVM counts only if a guest really boots with it."""

import hashlib
import os
import pathlib
import subprocess
import tempfile

from . import initrd, qemu
from .errors import LabError
from .kernel import cache_dir

CHOICES = ("auto", "tcg", "kvm")
_PROBE_SECONDS = 15


def choose(kernel, wanted=None):
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
    works = _remembered(kernel)
    if not works and wanted == "kvm":
        raise LabError("/dev/kvm is there but a guest does not boot with it; use --accel tcg")
    return "kvm" if works else "tcg"


def _remembered(kernel):
    """The probe's outcome, kept until the machine is booted again or QEMU or the kernel changes."""
    boot = pathlib.Path("/proc/sys/kernel/random/boot_id").read_text()
    version = os.stat(qemu.binary()).st_mtime_ns
    key = hashlib.sha256(f"{boot}{version}{kernel.version}{os.geteuid()}".encode()).hexdigest()[:16]
    note = cache_dir() / "lab-kernel" / f"kvm-{key}"
    if note.exists():
        return note.read_text() == "yes"
    works = _boots(kernel)
    for old in note.parent.glob("kvm-*"):
        old.unlink(missing_ok=True)
    note.write_text("yes" if works else "no")
    return works


def _boots(kernel):
    with tempfile.TemporaryDirectory() as work:
        image = os.path.join(work, "initrd")
        initrd.build(kernel, image, init="probe.sh")
        argv = qemu.base_command("kvm", kernel, image, "")
        argv += ["-m", "512", "-serial", "stdio"]
        try:
            done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=_PROBE_SECONDS)
        except subprocess.TimeoutExpired:
            return False
        return b"LAB-PROBE-OK" in done.stdout
