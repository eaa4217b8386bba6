"""Durations, percentages and rates as people write them: 18ms, 1%, 100mbit."""

import re

from .errors import LabError

_DURATION_MS = {"us": 0.001, "ms": 1.0, "s": 1000.0}
_RATE_MBIT = {"kbit": 0.001, "mbit": 1.0, "gbit": 1000.0}
_NUMBER = re.compile(r"^\s*([0-9]+(?:\.[0-9]+)?)\s*([a-z%]+)\s*$")


def _parse(text, units, what, example):
    match = _NUMBER.match(str(text).lower())
    if not match or match.group(2) not in units:
        raise LabError(f"{what} '{text}' is not understood: give a number and a unit, such as {example}")
    return float(match.group(1)) * units[match.group(2)]


def parse_ms(text, what="duration"):
    """Milliseconds of a duration such as '18ms', '250us' or '1.5s'."""
    return _parse(text, _DURATION_MS, what, "18ms")


def parse_percent(text, what="percentage"):
    """Percent (0..100) of a text such as '1%'."""
    value = _parse(text, {"%": 1.0}, what, "1%")
    if value > 100:
        raise LabError(f"{what} '{text}' is above 100%")
    return value


def parse_mbit(text, what="rate"):
    """Megabits per second of a rate such as '100mbit' or '10gbit'."""
    value = _parse(text, _RATE_MBIT, what, "100mbit")
    if value <= 0:
        raise LabError(f"{what} '{text}' must be above zero")
    return value


def number(value):
    """A float without trailing zeros and never in exponent form."""
    return f"{value:.6f}".rstrip("0").rstrip(".")
