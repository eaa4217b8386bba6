"""The images that pods use: built from scratch with buildah, kept in the cache as docker archives."""

import contextlib
import fcntl
import hashlib
import os
import pathlib
import shutil
import subprocess
import tempfile

from fairlead_lab.descent import dying_with_us

from . import cache, image_contents
from .errors import ClusterError
from .progress import say

REGISTRY = "fairlead.test"  # Never contacted: pods use imagePullPolicy Never.
_KEPT = 4  # Archives of one image; older ones go.


def reference(name):
    """The name by which a pod asks for the image."""
    return f"{REGISTRY}/{name}:test"


def fingerprint(folder):
    """A hash of all paths, modes, links and contents below a folder."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        digest.update(f"{path.relative_to(folder)} {path.lstat().st_mode:o}\0".encode())
        if path.is_symlink():
            digest.update(os.readlink(path).encode())
        elif path.is_file():
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def _home():
    return cache.folder("cluster-images")


def ensure(name, fill, command, progress=say):
    """The archive of an image; fill(Rootfs) says what is in it, command is what it runs by default.

    Staged anew each time and built only if its content is not yet in the cache.
    """
    with open(_home() / "lock", "w") as lock, _work_folder() as work:
        fcntl.flock(lock, fcntl.LOCK_EX)
        root = image_contents.stage(work / "root", fill)
        key = hashlib.sha256(f"{fingerprint(root)}{command}".encode()).hexdigest()[:16]
        archive = _home() / f"{name}-{key}.tar"
        if archive.exists():
            os.utime(archive)
            return archive
        progress(f"building image {reference(name)}")
        _build(work, root, command, reference(name), archive)
        for old in sorted(_home().glob(f"{name}-*.tar"), key=os.path.getmtime)[:-_KEPT]:
            old.unlink()
        return archive


def standard(progress=say):
    """{name: archive} of the images that every cluster has."""
    return {name: ensure(name, image.fill, image.command, progress)
            for name, image in image_contents.STANDARD.items()}


@contextlib.contextmanager
def _work_folder():
    """A folder beside the archives that goes afterwards; those of runs that were killed go too."""
    for stale in _home().glob(".work-*"):
        if not pathlib.Path("/proc", stale.name.split("-")[1]).exists():
            shutil.rmtree(stale, ignore_errors=True)
    work = pathlib.Path(tempfile.mkdtemp(prefix=f".work-{os.getpid()}-", dir=_home()))
    try:
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)


def containerfile(command):
    words = ", ".join(f'"{word}"' for word in command)
    return f"FROM scratch\nCOPY root/ /\nENV PATH=/usr/bin:/usr/sbin\nCMD [{words}]\n"


def _build(work, root, command, tag, archive):
    (work / "Containerfile").write_text(containerfile(command))
    part = work / "image.tar"
    _buildah(work, "bud", "--quiet", "--format", "docker", "--pull-never", "--network", "none", "--timestamp", "0",
             "--file", str(work / "Containerfile"), "--tag", tag, str(work))
    _buildah(work, "push", "--quiet", tag, f"docker-archive:{part}:{tag}")
    os.replace(part, archive)


def _buildah(work, command, *words):
    argv = ["buildah", "--root", str(work / "storage"), "--runroot", str(work / "run"), "--storage-driver", "vfs",
            command, *words]
    env = {**os.environ, "BUILDAH_ISOLATION": "chroot", "TMPDIR": str(work)}
    try:
        done = subprocess.run(argv, capture_output=True, text=True, env=env,
                              preexec_fn=dying_with_us())
    except FileNotFoundError:
        raise ClusterError("buildah is missing; install it (apt-get install buildah)") from None
    if done.returncode != 0:
        raise ClusterError(f"buildah {command} ended with {done.returncode}: {done.stderr.strip()[-800:]}")
