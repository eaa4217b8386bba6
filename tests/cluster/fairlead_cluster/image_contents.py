"""What is in the images that every cluster has."""

import collections
import glob

from .rootfs import Rootfs

Image = collections.namedtuple("Image", "fill command")

_APPLETS = ("basename", "cat", "chmod", "cp", "cut", "date", "dirname", "du", "echo", "env", "expr", "false", "find",
            "grep", "head", "hostname", "id", "ip", "kill", "ln", "ls", "mkdir", "mknod", "mv", "nc", "netstat",
            "nproc", "od", "pidof", "ps", "pwd", "readlink", "rm", "sed", "seq", "sleep", "sort", "stat", "stty",
            "tail", "tee", "test", "timeout", "touch", "tr", "true", "uname", "uniq", "wc", "wget", "which", "xargs")
_VERBS = ("ibv_devinfo", "ibv_devices", "ibv_rc_pingpong", "ib_write_bw", "ib_send_lat", "rping")
# libibverbs loads a provider by name at run time, so ldd does not show them.
_PROVIDERS = ("/usr/lib/x86_64-linux-gnu/libibverbs/*.so", "/etc/libibverbs.d/*.driver")


def stage(folder, fill):
    """The folder, filled."""
    fill(Rootfs(folder))
    return folder


def add_verbs(root):
    """libibverbs' providers, for any image whose programs open an HCA."""
    for pattern in _PROVIDERS:
        for path in glob.glob(pattern):
            root.add(path)


def _pause(root):
    root.add_busybox(["sleep", "sh"])


def _verbs(root):
    root.add_busybox(_APPLETS)
    for program in ("bash", *_VERBS):
        root.add_program(program)
    root.add_busybox(["sh"])
    add_verbs(root)
    root.write("/etc/passwd", "root:x:0:0:root:/root:/bin/bash\n")
    root.write("/etc/group", "root:x:0:\n")


def of_programs(*paths):
    """A fill of images.ensure(): programs built on this machine at /usr/bin, with a shell and the small tools.

    Without what only a debugger reads: a guest takes seconds for every ten megabytes.
    """
    def fill(root):
        root.add_busybox([*_APPLETS, "sh"])
        for path in paths:
            root.strip(root.add_program(path))
        add_verbs(root)
    return fill


STANDARD = {
    "pause": Image(_pause, ("/usr/bin/sleep", "2147483647")),
    "verbs": Image(_verbs, ("/usr/bin/sleep", "2147483647")),
}
