"""Figures that tests measure: in the log where they arise, and all of them at its end.

A conftest imports both names.
"""

import pytest

_figures = []


@pytest.fixture(scope="session")
def figures():
    """Call it with a name and a value: both are in the log, and all of them at its end."""
    def note(name, value):
        print(f"figure: {name} = {value}")
        _figures.append((name, value))
    return note


def pytest_terminal_summary(terminalreporter):
    if _figures:
        terminalreporter.section("measured")
    for name, value in _figures:
        terminalreporter.write_line(f"figure: {name} = {value}")
