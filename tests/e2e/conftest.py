"""Labs for the end-to-end tests."""

import os
import pathlib
import shutil
import sys
import uuid

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "lab"), str(ROOT / "tests" / "demo")]

from extender_stack import BUILD  # noqa: E402
from fairlead_lab import Lab  # noqa: E402
from fairlead_stack.figures import figures, pytest_terminal_summary  # noqa: E402, F401
from programs import MODES, Programs, restore_lines  # noqa: E402

TWO_SITES = {
    "sites": [{"name": "east", "memory_mb": 512}, {"name": "west", "memory_mb": 512}],
    "lines": [{"between": ["east", "west"], "delay": "20ms"}],
}


def fresh_name(kind):
    """A lab name that no other test run on this machine has."""
    return f"e2e-{kind}-{uuid.uuid4().hex[:8]}"


def pytest_configure(config):
    config.addinivalue_line("markers", "long: takes minutes; `make test-long` runs it")


@pytest.fixture(scope="session")
def booted_lab():
    """The default lab, booted once. It ends with this process even if that is killed."""
    with Lab.up(fresh_name("main")) as lab:
        yield lab


@pytest.fixture(scope="session")
def programs(booted_lab):
    """Fairlead in the default lab; nothing runs until a test asks for it."""
    running = Programs(booted_lab, BUILD)
    yield running
    running.stop()


def _stack(mode):
    @pytest.fixture(name=f"{mode}_stack")
    def stack(programs, booted_lab):
        """Extender and probes in the default lab, with every line as in the sites file."""
        yield programs.get(mode)
        restore_lines(booted_lab)
    return stack


verbs_stack, udp_stack, fast_stack = map(_stack, MODES)


@pytest.fixture
def lab(booted_lab, programs):
    """The default lab with every line as in the sites file and no daemons left running."""
    programs.stop()
    yield booted_lab
    restore_lines(booted_lab)
    for site in booted_lab.sites():
        for name, daemon in site.daemons().items():
            if daemon["exit"] is None:
                site.stop(name)


@pytest.fixture
def two_sites():
    """The document of a small lab of two sites, 40 ms apart."""
    return TWO_SITES


def pytest_collection_modifyitems(items):
    """The demo and others that boot labs of their own come before the shared lab is up, then those that
    share running programs, together."""
    order = ["verbs_stack", "udp_stack", "fast_stack", "booted_lab"]

    def place(item):
        return next((i for i, name in enumerate(order) if name in item.fixturenames), -1)

    items.sort(key=place)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """A failed test shows the end of what each program of the lab wrote; FAIRLEAD_LOGS keeps all of it."""
    outcome = yield
    report = outcome.get_result()
    lab = item.funcargs.get("booted_lab") if hasattr(item, "funcargs") else None
    if not report.failed or lab is None:
        return
    logs = sorted([*lab.share.glob("*/log/*.log"), *lab.share.glob("fairlead/*.log")])
    for log in logs:
        text = log.read_text(errors="replace")[-3000:]
        report.sections.append((f"{log.parent.parent.name}: {log.name}", text))
    if os.environ.get("FAIRLEAD_LOGS"):
        kept = pathlib.Path(os.environ["FAIRLEAD_LOGS"]) / "e2e" / item.name
        for log in [*logs, *lab.share.glob("fairlead/*.yaml")]:
            target = kept / log.relative_to(lab.share)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(log, target)
