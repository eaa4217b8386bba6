#!/usr/bin/env python3
"""Builds the images of Fairlead's programs with buildah, lists what is in them and says how large they are.

    build.py --programs build/release/bin [--output build/images] [--base IMAGE] [--tag TAG]

Leaves for each program NAME-TAG.tar, a docker archive, and NAME-TAG.spdx.json, its packages. Without --base the base is
made of Debian's packages by mmdebstrap, in place of debian:bookworm-slim, which must then not be pulled.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ("extender", "linkprobe", "deviceplugin")
LIMIT_MB = {"extender": 140, "linkprobe": 165, "deviceplugin": 165}  # uncompressed, in 10^6 bytes
_MIRROR = "http://deb.debian.org/debian"
# What debian:bookworm-slim leaves out too.
_LEFT_OUT = ("/usr/share/doc/*", "/usr/share/man/*", "/usr/share/info/*", "/usr/share/locale/*", "/usr/share/lintian/*")


class BuildError(Exception):
    """A message for the one who called."""


def run(*words, **more):
    """The standard output of a command, as text."""
    try:
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True, stdin=subprocess.DEVNULL, **more)
    except FileNotFoundError:
        raise BuildError(f"{words[0]} is missing; install it (apt-get install {words[0]})") from None
    if done.returncode != 0:
        raise BuildError(f"{' '.join(map(str, words[:4]))} ... ended with {done.returncode}:\n{done.stderr[-3000:]}")
    return done.stdout


class Buildah:
    """buildah with storage of its own in a folder."""

    def __init__(self, folder):
        self._words = ["buildah", "--root", folder / "storage", "--runroot", folder / "run", "--storage-driver", "vfs"]
        self._env = {**os.environ, "BUILDAH_ISOLATION": "chroot", "TMPDIR": str(folder)}

    def __call__(self, *words):
        return run(*self._words, *words, env=self._env)


def make_base(buildah, folder):
    """An image of Debian 12's least packages, and apt; its name."""
    excluded = [f"--dpkgopt=path-exclude={pattern}" for pattern in _LEFT_OUT]
    # With usr-is-merged in place of usrmerge, which needs all of Perl.
    run("mmdebstrap", "--variant=apt", "--mode=root", "--include=usr-is-merged",
        "--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr", *excluded, "--dpkgopt=path-include=/usr/share/doc/*/copyright",
        "bookworm", folder / "base.tar", f"deb {_MIRROR} bookworm main", f"deb {_MIRROR} bookworm-updates main",
        f"deb {_MIRROR}-security bookworm-security main")
    (folder / "Base").write_text("FROM scratch\nADD base.tar /\nCMD [\"bash\"]\n")
    buildah("bud", "--quiet", "--format", "docker", "--file", folder / "Base", "--tag", "localhost/fairlead-base", folder)
    return "localhost/fairlead-base"


def stripped(programs, folder):
    """A folder with the programs alone, without what only a debugger reads."""
    folder.mkdir()
    for name in PROGRAMS:
        source = programs / f"fairlead-{name}"
        if not source.is_file():
            raise BuildError(f"{source} is missing; build it (cmake --preset release && cmake --build --preset release)")
        run("strip", "-o", folder / source.name, source)
    return folder


def size_bytes(folder):
    """What the files below a folder hold, each once."""
    seen = {}
    for path in folder.rglob("*"):
        status = path.lstat()
        seen[(status.st_dev, status.st_ino)] = status.st_size if not path.is_dir() or path.is_symlink() else 0
    return sum(seen.values())


def package_list(text, name, version):
    """An SPDX document of the packages that `dpkg-query` told, a line each: package, version, architecture, source."""
    packages = [{"SPDXID": "SPDXRef-image", "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION",
                 "filesAnalyzed": False}]
    for row in text.splitlines():
        package, number, architecture, source = row.split("\t")
        packages.append({
            "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", f"{package}-{architecture}"),
            "name": package, "versionInfo": number, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "supplier": "Organization: Debian", "sourceInfo": f"built from {source}",
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                              "referenceLocator": f"pkg:deb/debian/{package}@{number}?arch={architecture}&distro=debian-12"}]})
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"{name}-{version}",
            "documentNamespace": f"https://fairlead.dev/spdx/{name}-{version}",
            "creationInfo": {"created": "1970-01-01T00:00:00Z", "creators": ["Tool: dpkg-query"]},
            "packages": packages,
            "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                               "relatedSpdxElement": "SPDXRef-image"}]
            + [{"spdxElementId": "SPDXRef-image", "relationshipType": "CONTAINS", "relatedSpdxElement": one["SPDXID"]}
               for one in packages[1:]]}


def build(buildah, program, base, programs, arguments):
    """One image with its archive and package list; its size in bytes."""
    name = f"fairlead-{program}"
    tag = f"localhost/{name}:{arguments.tag}"
    revision = run("git", "-C", ROOT, "rev-parse", "HEAD").strip()
    buildah("bud", "--quiet", "--format", "docker", "--file", ROOT / "deploy" / "images" / "Dockerfile",
            "--target", program, "--build-arg", f"BASE={base}", "--build-arg", f"VERSION={arguments.tag}",
            "--build-arg", f"REVISION={revision}", "--build-context", f"programs={programs}", "--tag", tag, programs)
    container = buildah("from", "--pull-never", tag).strip()
    mounted = pathlib.Path(buildah("mount", container).strip())
    told = buildah("run", container, "--", "dpkg-query", "-W", "-f",
                   "${Package}\\t${Version}\\t${Architecture}\\t${source:Package} ${source:Version}\\n")
    stem = arguments.output / f"{name}-{arguments.tag}"
    stem.with_name(stem.name + ".spdx.json").write_text(
        json.dumps(package_list(told, name, arguments.tag), indent=1) + "\n")
    size = size_bytes(mounted)
    help_text = buildah("run", container, "--", f"/usr/bin/{name}", "--help")
    if name not in help_text:
        raise BuildError(f"{name} does not run in its image; it printed: {help_text[:500]}")
    archive = stem.with_name(stem.name + ".tar")
    archive.unlink(missing_ok=True)
    buildah("push", "--quiet", tag, f"docker-archive:{archive}:{tag}")
    return size


def version():
    """The version that CMakeLists.txt says."""
    return re.search(r"project\(fairlead VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, required=True, help="folder of the built programs")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "build" / "images")
    parser.add_argument("--base", help="an image to build on, such as docker.io/library/debian:bookworm-slim")
    parser.add_argument("--tag", default=version())
    arguments = parser.parse_args()
    arguments.output = arguments.output.resolve()
    arguments.output.mkdir(parents=True, exist_ok=True)
    work = pathlib.Path(tempfile.mkdtemp(prefix="fairlead-images."))
    too_large = []
    try:
        buildah = Buildah(work)
        programs = stripped(arguments.programs, work / "programs")
        print("images: making the base" if not arguments.base else f"images: on {arguments.base}", flush=True)
        base = arguments.base or make_base(buildah, work)
        for program in PROGRAMS:
            size = build(buildah, program, base, programs, arguments) / 1e6
            print(f"images: localhost/fairlead-{program}:{arguments.tag} {size:.0f} MB (limit {LIMIT_MB[program]}), "
                  f"{arguments.output}/fairlead-{program}-{arguments.tag}.tar", flush=True)
            if size > LIMIT_MB[program]:
                too_large.append(program)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    if too_large:
        raise BuildError(f"larger than their limit: {', '.join(too_large)}")


if __name__ == "__main__":
    try:
        main()
    except BuildError as error:
        sys.exit(f"images: {error}")
