"""The guest kernel: Debian's package, downloaded once, unpacked into the cache, never installed."""

import dataclasses
import fcntl
import lzma
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from .errors import LabError
from .progress import say

_PACKAGES = r"^linux-image-6\.12\.[0-9.]+\+deb12-amd64$"
# Modules that a guest loads; they are kept uncompressed, since decompressing under emulation is slow.
INITRD_MODULES = ("9p", "9pnet_virtio", "overlay")
GUEST_MODULES = ("virtio_net", "veth", "sch_netem", "ib_uverbs", "rdma_ucm", "rdma_rxe")


@dataclasses.dataclass(frozen=True)
class Kernel:
    version: str
    image: pathlib.Path
    modules: pathlib.Path  # The folder lib/modules/<version>.

    def module_closure(self, names):
        """Files of the named modules and what they need, in loading order."""
        depends, by_name = {}, {}
        for row in (self.modules / "modules.dep").read_text().splitlines():
            path, _, needs = row.partition(":")
            depends[path] = needs.split()
            by_name[pathlib.PurePath(path).name.split(".")[0].replace("-", "_")] = path
        order = []
        for name in names:
            if name not in by_name:
                raise LabError(f"kernel {self.version} has no module {name}; remove {self.modules.parents[2]}")
            # modules.dep lists the nearest need first, so the farthest is loaded first.
            for path in [*reversed(depends[by_name[name]]), by_name[name]]:
                if path not in order:
                    order.append(path)
        return [self.modules / path for path in order]


def cache_dir():
    """FAIRLEAD_CACHE, else XDG_CACHE_HOME/fairlead, else ~/.cache/fairlead."""
    if os.environ.get("FAIRLEAD_CACHE"):
        return pathlib.Path(os.environ["FAIRLEAD_CACHE"])
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return pathlib.Path(base) / "fairlead"


def ensure():
    """The newest cached kernel; fetches it where there is none."""
    home = cache_dir() / "lab-kernel"
    try:
        home.mkdir(parents=True, exist_ok=True)
        lock = open(home / "lock", "w")
    except OSError as error:
        raise LabError(f"cache {home}: {error.strerror}; set FAIRLEAD_CACHE to a writable folder") from None
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return _newest(home) or _fetch(home)


def _version_key(name):
    return [int(part) for part in re.findall(r"\d+", name)]


def _newest(home):
    found = [d for d in home.iterdir() if d.is_dir() and (d / "complete").exists()]
    if not found:
        return None
    root = max(found, key=lambda d: _version_key(d.name))
    return _kernel_in(root, root.name)


def _kernel_in(root, version):
    return Kernel(version, root / "boot" / f"vmlinuz-{version}", root / "lib/modules" / version)


def _run(argv, **options):
    try:
        done = subprocess.run(argv, capture_output=True, text=True, **options)
    except FileNotFoundError:
        raise LabError(f"{argv[0]} is missing; install it (apt-get install apt dpkg kmod)") from None
    return done.returncode, done.stdout, done.stderr.strip()


def _package():
    _, out, _ = _run(["apt-cache", "search", "--names-only", _PACKAGES])
    names = [row.split()[0] for row in out.splitlines() if row.strip()]
    if not names:
        raise LabError(
            "this machine's package sources list no linux-image-6.12.*+deb12-amd64. Add bookworm-security "
            "('deb http://deb.debian.org/debian-security bookworm-security main' or your mirror of it) to "
            "/etc/apt/sources.list, run 'apt-get update', and try again"
        )
    return max(names, key=_version_key)


def _download(package, work):
    """Downloads the package into the folder work; the file."""
    as_root = ["-o", "APT::Sandbox::User=root"] if os.geteuid() == 0 else []
    argv = ["apt-get", *as_root, "-q", "download", package]
    with open(work / "err", "w+") as err, open(work / "out", "w") as out:
        process = subprocess.Popen(argv, cwd=work, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        try:
            while True:
                try:
                    code = process.wait(3)
                    break
                except subprocess.TimeoutExpired:
                    say(f"{sum(f.stat().st_size for f in work.rglob('*') if f.is_file()) / 1e6:.0f} MB so far")
        finally:
            process.kill()
        err.seek(0)
        trouble = err.read().strip()
    debs = list(work.glob("*.deb"))
    if code != 0 or not debs:
        raise LabError(
            f"apt-get download {package} failed: {trouble or 'no file came'}. The list of packages may be "
            "older than the mirror: run 'apt-get update' and try again"
        )
    return debs[0]


def _fetch(home):
    package = _package()
    say(f"fetching the guest kernel {package} (about 110 MB, once; kept in {home})")
    work = pathlib.Path(tempfile.mkdtemp(prefix=".new-", dir=home))
    try:
        deb = _download(package, work)
        say("unpacking it and indexing its modules (some 20 s)")
        code, _, err = _run(["dpkg", "-x", str(deb), str(work / "root")])
        if code != 0:
            raise LabError(f"dpkg -x {deb.name}: {err}")
        deb.unlink()
        return _finish(home, work / "root")
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _depmod(root, version):
    depmod = shutil.which("depmod") or "/usr/sbin/depmod"
    code, _, err = _run([depmod, "-b", str(root), version])
    if code != 0:
        raise LabError(f"depmod: {err}")


def _finish(home, root):
    version = next((root / "lib/modules").iterdir()).name
    _depmod(root, version)
    kernel = _kernel_in(root, version)
    for path in kernel.module_closure(INITRD_MODULES + GUEST_MODULES):
        if path.suffix == ".xz":
            path.with_suffix("").write_bytes(lzma.decompress(path.read_bytes()))
            path.unlink()
    _depmod(root, version)
    (root / "complete").touch()
    shutil.rmtree(home / version, ignore_errors=True)
    root.rename(home / version)
    return _kernel_in(home / version, version)
