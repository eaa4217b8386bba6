"""The guests' initial RAM disk: busybox, five modules and /init, written as a newc cpio archive."""

import os
import pathlib
import shutil

from .errors import LabError
from .kernel import INITRD_MODULES

_GUEST = pathlib.Path(__file__).resolve().parent / "guest"


def _entry(name, mode, data, number):
    head = (number, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0)
    out = b"070701" + b"".join(b"%08X" % value for value in head) + name.encode() + b"\0"
    out += b"\0" * (-len(out) % 4)
    return out + data + b"\0" * (-len(data) % 4)


def archive(entries):
    """A newc cpio archive of (name, mode, data) entries."""
    out = b"".join(_entry(*entry, number) for number, entry in enumerate(entries, 1))
    return out + _entry("TRAILER!!!", 0, b"", 0)


def _busybox():
    path = shutil.which("busybox")
    if not path:
        raise LabError("busybox is missing; install it (apt-get install busybox-static)")
    data = pathlib.Path(path).read_bytes()
    if b"/lib64/ld-linux" in data[:4096]:
        raise LabError("this busybox is not static; install the static one (apt-get install busybox-static)")
    return data


def build(kernel, path, init="init.sh"):
    """Writes the initrd for kernel to path; init names the script of guest/ that becomes /init."""
    entries = [(d, 0o040755, b"") for d in ("bin", "dev", "proc", "sys", "m", "lower", "rw", "newroot")]
    entries.append(("bin/busybox", 0o100755, _busybox()))
    entries.append(("init", 0o100755, (_GUEST / init).read_bytes()))
    modules = kernel.module_closure(INITRD_MODULES)
    entries += [(f"m/{module.name}", 0o100644, module.read_bytes()) for module in modules]
    entries.append(("m/order", 0o100644, "".join(m.name + "\n" for m in modules).encode()))
    temporary = f"{path}.{os.getpid()}"
    pathlib.Path(temporary).write_bytes(archive(entries))
    os.replace(temporary, path)
