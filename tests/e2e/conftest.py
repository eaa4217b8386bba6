"""Labs for the end-to-end tests."""

import pathlib
import sys
import uuid

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "lab"))

from fairlead_lab import Lab  # noqa: E402

TWO_SITES = {
    "sites": [{"name": "east", "memory_mb": 512}, {"name": "west", "memory_mb": 512}],
    "lines": [{"between": ["east", "west"], "delay": "20ms"}],
}


def fresh_name(kind):
    """A lab name that no other test run on this machine has."""
    return f"e2e-{kind}-{uuid.uuid4().hex[:8]}"


@pytest.fixture(scope="session")
def booted_lab():
    """The default lab, booted once. It ends with this process even if that is killed."""
    with Lab.up(fresh_name("main")) as lab:
        yield lab


@pytest.fixture
def lab(booted_lab):
    """The default lab with every line as in the sites file and no daemons left running."""
    yield booted_lab
    for line in booted_lab.lines():
        if line.is_changed():
            line.restore()
    for site in booted_lab.sites():
        for name, daemon in site.daemons().items():
            if daemon["exit"] is None:
                site.stop(name)


@pytest.fixture
def two_sites():
    """The document of a small lab of two sites, 40 ms apart."""
    return TWO_SITES


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """A failed test shows the end of what each daemon of the lab wrote."""
    outcome = yield
    report = outcome.get_result()
    lab = item.funcargs.get("lab") if hasattr(item, "funcargs") else None
    if report.when == "call" and report.failed and lab is not None:
        for log in sorted(pathlib.Path(lab.share).glob("*/log/*.log")):
            text = log.read_text(errors="replace")[-3000:]
            report.sections.append((f"{log.parent.parent.name}: {log.name}", text))
