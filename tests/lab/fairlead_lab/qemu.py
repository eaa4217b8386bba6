"""QEMU's command line for a site, and its monitor."""

import json
import re
import shutil
import socket

from . import guestnet
from .errors import LabError
from .state import guest_mark

BINARY = "qemu-system-x86_64"


def binary():
    path = shutil.which(BINARY)
    if not path:
        raise LabError(f"{BINARY} is missing; install it (apt-get install qemu-system-x86)")
    return path


def accelerator_words(accel):
    if accel == "kvm":
        return ["-accel", "kvm", "-cpu", "host"]
    return ["-accel", "tcg,thread=multi", "-cpu", "max"]


def base_command(accel, kernel, initrd, append):
    """What every guest has in common; append is its kernel command line beyond the usual."""
    return [
        binary(), "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot",
        *accelerator_words(accel),
        "-kernel", str(kernel.image), "-initrd", str(initrd),
        "-append", f"console=ttyS0 quiet net.ifnames=0 mitigations=off panic=1 {append}",
    ]


def _share(identity, tag, path, *options):
    return [
        "-fsdev", ",".join([f"local,id={identity}", f"path={path}", "security_model=none", *options]),
        "-device", f"virtio-9p-pci,fsdev={identity},mount_tag={tag}",
    ]


def monitor_path(folder, site):
    return folder / f"{site.name}.monitor"


def console_path(folder, site):
    return folder / f"{site.name}.console"


def command(folder, topology, site, accel, kernel, initrd):
    """QEMU's argument list for a site of the lab in folder."""
    ports = [guestnet.AGENT_PORT, *(p for p in site.forward if p != guestnet.AGENT_PORT)]
    # Port 0: the system picks a free one when QEMU binds, so nobody can take it in between.
    forwards = "".join(f",hostfwd=tcp:127.0.0.1:0-:{port}" for port in ports)
    share = folder / "share"
    argv = base_command(accel, kernel, initrd, f"lab.share={share} lab.site={site.name}")
    argv += [
        "-name", f"fairlead-lab-{site.name}", "-smbios", guest_mark(folder),
        "-smp", str(site.cpus), "-m", str(site.memory_mb),
        "-serial", f"file:{console_path(folder, site)}",
        "-qmp", f"unix:{monitor_path(folder, site)},server=on,wait=off",
        *_share("root", "hostroot", "/", "readonly=on", "multidevs=remap"),
        *_share("share", "share", share),
        *_share("modules", "modules", kernel.modules, "readonly=on"),
        "-netdev", f"user,id=ctl,ipv6=off{forwards}",
        "-device", f"virtio-net-pci,netdev=ctl,mac={guestnet.control_mac(site)},romfile=",
    ]
    for line in topology.lines_of(site.name):
        near, far = ("a", "b") if line.a == site.name else ("b", "a")
        ends = f"local.type=unix,local.path={folder}/line{line.index}{near}.sock,"
        ends += f"remote.type=unix,remote.path={folder}/line{line.index}{far}.sock"
        argv += [
            "-netdev", f"dgram,id=line{line.index},{ends}",
            "-device", f"virtio-net-pci,netdev=line{line.index},mac={guestnet.line_mac(line, site)},"
            "host_mtu=9000,romfile=",
        ]
    return argv


def human_monitor(path, words, timeout=10.0):
    """The answer of QEMU's human monitor to a command."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
        sock.settimeout(timeout)
        sock.connect(str(path))
        stream = sock.makefile("rw")
        stream.readline()
        for request in (
            {"execute": "qmp_capabilities"},
            {"execute": "human-monitor-command", "arguments": {"command-line": words}},
        ):
            stream.write(json.dumps(request) + "\n")
            stream.flush()
            answer = {}
            while "return" not in answer and "error" not in answer:
                answer = json.loads(stream.readline())
        return answer.get("return", "")


_FORWARD = re.compile(r"TCP\[HOST_FORWARD\]\s+\d+\s+127\.0\.0\.1\s+(\d+)\s+\S+\s+(\d+)")


def forwards(path):
    """Guest port -> host port, as QEMU has bound them."""
    table = human_monitor(path, "info usernet")
    return {int(guest): int(host) for host, guest in _FORWARD.findall(table)}


def add_forward(path, guest_port):
    """Forwards one more guest port; the host port."""
    known = forwards(path)
    if guest_port not in known:
        answer = human_monitor(path, f"hostfwd_add ctl tcp:127.0.0.1:0-:{guest_port}").strip()
        if answer:
            raise LabError(f"port {guest_port} cannot be forwarded: {answer}")
        known = forwards(path)
    return known[guest_port]
