"""One cluster for the tests of this folder."""

import concurrent.futures
import os
import pathlib
import sys
import uuid

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "tests" / "cluster"), str(ROOT / "tests" / "lab")]

from fairlead_cluster import Cluster, ClusterError, image_contents, images  # noqa: E402
from fairlead_cluster.pods import Pods  # noqa: E402
from fairlead_stack.figures import figures, pytest_terminal_summary  # noqa: E402, F401
import plugin_pod  # noqa: E402

BUILD = pathlib.Path(os.environ.get("FAIRLEAD_BUILD", ROOT / "build" / "ci"))


def fresh_name(kind):
    """A cluster name that no other test run on this machine has."""
    return f"{kind}-{uuid.uuid4().hex[:8]}"


@pytest.fixture(scope="session")
def cluster():
    """Two nodes, hk and sg, booted once. It ends with this process even if that is killed.

    FAIRLEAD_TEST_CLUSTER names one that is up already and is used instead, which saves its developer a minute.
    """
    if os.environ.get("FAIRLEAD_TEST_CLUSTER"):
        running = Cluster.attach(os.environ["FAIRLEAD_TEST_CLUSTER"])
        for node in running.nodes.values():
            node.load_images(images.standard().values())
        yield running
        return
    with Cluster.up(fresh_name("cluster"), nodes=2) as running:
        yield running


@pytest.fixture
def pods(cluster):
    """Makes pods; they are gone after the test."""
    made = Pods(cluster)
    yield made
    made.remove_all()


@pytest.fixture(scope="session")
def fairlead_image(cluster):
    """Every node has the image of Fairlead's programs, with what plays NVML for them."""
    programs = image_contents.of_programs(BUILD / "bin" / "fairlead-deviceplugin", BUILD / "bin" / "fairlead-linkprobe")

    def fill(root):
        programs(root)
        root.add(BUILD / "tests" / "deviceplugin" / "gpu" / pathlib.Path(plugin_pod.NVML).name, plugin_pod.NVML)

    archive = images.ensure(plugin_pod.IMAGE, fill, ("/usr/bin/fairlead-deviceplugin", "--help"))
    with concurrent.futures.ThreadPoolExecutor() as pool:
        list(pool.map(lambda node: node.load_images([archive]), cluster.nodes.values()))


@pytest.fixture(scope="module")
def module_pods(cluster):
    """Makes pods; after the tests of the file they go while others come."""
    made = Pods(cluster)
    yield made
    made.remove_all(wait=False)


@pytest.fixture(scope="session")
def plugins(cluster, fairlead_image):
    """The device plugin on every node, with the HCA there for pods; in Hong Kong it has GPUs, too."""
    pods = Pods(cluster)
    made = plugin_pod.Plugins(cluster, pods)
    try:
        for node in cluster.nodes:
            made.start(node, **(plugin_pod.WITH_GPUS if node == "hk" else {}))
        for node, plugin in made.at.items():
            plugin.wait_until_well()
            plugin_pod.wait_allocatable(cluster, node, 4)
        yield made
    finally:
        pods.remove_all()


def pytest_configure(config):
    config.addinivalue_line("markers", "long: takes minutes; `make test-long` runs it")


def pytest_collection_modifyitems(items):
    """A test that boots a cluster of its own comes before the shared one is up, then those of the bare cluster.

    Long ones come last: they may leave Singapore without the device plugin that all others have there.
    """
    order = ["plugins", "cluster"]

    def place(item):
        needs = next((len(order) - i for i, name in enumerate(order) if name in item.fixturenames), 0)
        return needs > 0 and item.get_closest_marker("long") is not None, needs

    items.sort(key=place)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """A failed test keeps every log of the cluster below FAIRLEAD_LOGS and shows where kubelets complain."""
    outcome = yield
    report = outcome.get_result()
    running = item.funcargs.get("cluster") if hasattr(item, "funcargs") else None
    if not report.failed or running is None:
        return
    for node in running.nodes.values():
        report.sections.append((f"{node.name}: kubelet", node.trouble()))
    if os.environ.get("FAIRLEAD_LOGS"):
        target = pathlib.Path(os.environ["FAIRLEAD_LOGS"]) / "cluster" / item.name
        try:
            running.gather_logs(target)
            report.sections.append(("cluster", f"logs in {target}"))
        except (ClusterError, OSError) as error:
            report.sections.append(("cluster", f"logs were not kept: {error}"))
