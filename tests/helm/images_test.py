"""What the images' builder says of them; the build itself is part of the long tests on a cluster."""

import functools
import importlib.util
import os
import pathlib
import re
import subprocess

import chart
import pytest

_FOLDER = chart.ROOT / "deploy" / "images"
_spec = importlib.util.spec_from_file_location("build_images", _FOLDER / "build.py")
build_images = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(build_images)


_BUILD = pathlib.Path(os.environ.get("FAIRLEAD_BUILD", chart.ROOT / "build" / "ci"))


def stages():
    """{stage: its text} of the Dockerfile."""
    text = (_FOLDER / "Dockerfile").read_text()
    parts = re.split(r"^FROM \S+ AS (\S+)$", text, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2]))


def test_the_dockerfile_has_a_target_for_each_program():
    found = stages()
    assert list(found) == ["programs", "runtime", *build_images.PROGRAMS]
    assert set(build_images.LIMIT_MB) == set(build_images.PROGRAMS)
    users = {name: re.search(r"^USER (\S+)$", text, re.MULTILINE) for name, text in found.items()}
    assert users["deviceplugin"] is None
    assert users["extender"][1] == users["linkprobe"][1] == "65532:65532"


def output(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout


@functools.cache
def depends(package):
    """Names of what an installed package needs; of alternatives all."""
    text = output("dpkg-query", "-W", "-f", "${Pre-Depends}, ${Depends}", package)
    return {re.match(r"[a-z0-9.+-]+", one.strip())[0] for one in re.split(r"[,|]", text) if one.strip()}


def installed_with(packages):
    """These and, of what they need, what this machine has."""
    have = set(re.findall(r"^\S+", output("dpkg-query", "-W", "-f", "${Package}\\n"), re.MULTILINE))
    reached, left = set(), list(packages)
    while left:
        package = left.pop()
        if package in have and package not in reached:
            reached.add(package)
            left += depends(package)
    return reached


def packages_of(libraries):
    """{package: library} that they come from. Of the path only the end is known to dpkg: /lib may be a link."""
    folder = output("gcc", "-print-multiarch").strip()
    return {output("dpkg", "-S", f"*/{folder}/{library}").split(":")[0]: library for library in libraries}


@pytest.mark.parametrize("program", build_images.PROGRAMS)
def test_an_image_has_the_libraries_of_its_program(program):
    listed = set()
    for stage in ("runtime", program):
        for install in re.findall(r"apt-get install -y --no-install-recommends(.*?)&&", stages()[stage], re.DOTALL):
            listed |= set(install.replace("\\", " ").split())
    needed = re.findall(r"NEEDED.*\[(.+)\]", output("readelf", "-d", str(_BUILD / "bin" / f"fairlead-{program}")))
    assert len(needed) > 5
    there = installed_with({"apt", *listed})
    assert {package: library for package, library in packages_of(needed).items() if package not in there} == {}


def test_the_package_list_names_each_package_once():
    told = "libssl3\t3.0.17-1~deb12u2\tamd64\topenssl 3.0.17-1~deb12u2\nlibgrpc++1.51\t1.51.1-3\tamd64\tgrpc 1.51.1-3\n"
    document = build_images.package_list(told, "fairlead-extender", "0.1.0")
    packages = {one["name"]: one for one in document["packages"]}
    assert set(packages) == {"fairlead-extender", "libssl3", "libgrpc++1.51"}
    assert packages["libssl3"]["externalRefs"][0]["referenceLocator"] == \
        "pkg:deb/debian/libssl3@3.0.17-1~deb12u2?arch=amd64&distro=debian-12"
    ids = [one["SPDXID"] for one in document["packages"]]
    assert len(set(ids)) == 3 and all(re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", one) for one in ids)
    assert [one["relatedSpdxElement"] for one in document["relationships"]] == ids


def test_a_size_counts_each_file_once(tmp_path):
    (tmp_path / "a").write_bytes(b"x" * 1000)
    (tmp_path / "b").hardlink_to(tmp_path / "a")
    (tmp_path / "c").symlink_to("a")
    assert build_images.size_bytes(tmp_path) == 1001


def test_a_missing_program_is_named(tmp_path):
    (tmp_path / "programs").mkdir()
    try:
        build_images.stripped(tmp_path / "programs", tmp_path / "out")
    except build_images.BuildError as error:
        assert "fairlead-extender is missing; build it" in str(error)
    else:
        raise AssertionError("nothing was said")
