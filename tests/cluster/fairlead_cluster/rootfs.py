"""The root file system of an image, staged from programs of this machine and the libraries they load."""

import os
import pathlib
import re
import shutil
import subprocess

from .errors import ClusterError

_SEARCH = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"

_UNWINDER = "libgcc_s.so.1"  # libc loads it when a thread ends itself, so ldd does not show it.


def parse_ldd(text):
    """Paths of the libraries that ldd lists. ClusterError where one is missing."""
    lost = re.findall(r"^\s*(\S+) => not found", text, re.MULTILINE)
    if lost:
        raise ClusterError(f"libraries are missing: {', '.join(lost)}")
    return sorted(set(re.findall(r"(?:=> |^\s+)(/\S+) \(0x", text, re.MULTILINE)))


def libraries(path):
    """What the dynamic linker loads for the program or library at path; nothing for static ones."""
    done = subprocess.run(["ldd", str(path)], capture_output=True, text=True)
    if done.returncode != 0:  # "not a dynamic executable"
        return []
    return parse_ldd(done.stdout)


def find(program):
    """The path of a program given by name or path."""
    path = shutil.which(str(program), path=_SEARCH)
    if not path:
        raise ClusterError(f"{program} is missing on this machine; '.ci/setup' installs what images need")
    return pathlib.Path(path)


class Rootfs:
    """A folder that becomes an image. Merged /usr: /bin, /lib and so on are links into it."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        for name in ("bin", "sbin", "lib", "lib64"):
            (self.folder / "usr" / name).mkdir(parents=True)
            (self.folder / name).symlink_to(f"usr/{name}")
        for name in ("etc", "dev", "proc", "sys", "run", "tmp", "var", "root"):
            (self.folder / name).mkdir()
        (self.folder / "tmp").chmod(0o1777)

    def _place(self, target):
        target = str(target)
        if re.match(r"/(bin|sbin|lib|lib64)/", target):
            target = "/usr" + target
        place = self.folder / target.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        return place

    def add(self, source, target=None):
        """Copies a file and the libraries it loads; target: its path in the image, by default the same."""
        self.add_file(source, target or source)
        for library in libraries(source):
            self.add_file(library, library)
            unwinder = pathlib.Path(library).with_name(_UNWINDER)
            if unwinder.exists():
                self.add_file(unwinder, unwinder)

    def add_file(self, source, target):
        place = self._place(target)
        if not place.exists():
            shutil.copyfile(os.path.realpath(source), place)
            place.chmod(0o755 if os.access(source, os.X_OK) else 0o644)

    def add_program(self, program):
        """A program of this machine by name or path; where it is in the image, in /usr/bin."""
        path = find(program)
        self.add(path, f"/usr/bin/{path.name}")
        return f"/usr/bin/{path.name}"

    def strip(self, target):
        """Takes the debugging information out of a program in the image."""
        subprocess.run([find("strip"), "--strip-debug", self._place(target)], check=True)

    def add_busybox(self, applets):
        """busybox under the names of these applets."""
        self.add_file(find("busybox"), "/usr/bin/busybox")
        for applet in applets:
            link = self._place(f"/usr/bin/{applet}")
            if not link.exists():
                link.symlink_to("busybox")

    def write(self, target, text):
        self._place(target).write_text(text)
