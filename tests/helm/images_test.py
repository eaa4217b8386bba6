"""What the images' builder says of them; the build itself is part of the long tests on a cluster."""

import importlib.util
import re

import chart

_FOLDER = chart.ROOT / "deploy" / "images"
_spec = importlib.util.spec_from_file_location("build_images", _FOLDER / "build.py")
build_images = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(build_images)


def test_the_dockerfile_has_a_target_for_each_program():
    text = (_FOLDER / "Dockerfile").read_text()
    targets = re.findall(r"^FROM \$\{BASE\} AS (\S+)$", text, re.MULTILINE)
    assert targets == ["programs", *build_images.PROGRAMS] and set(build_images.LIMIT_MB) == set(build_images.PROGRAMS)
    users = dict(zip(targets, [re.search(r"^USER (\S+)$", part, re.MULTILINE) for part in text.split("FROM ${BASE}")[1:]]))
    assert users["deviceplugin"] is None
    assert users["extender"][1] == users["linkprobe"][1] == "65532:65532"


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
