"""A Prometheus text exposition as values."""

import re

_SERIES = re.compile(r"^(?P<name>[a-zA-Z_:][\w:]*)(?:\{(?P<labels>.*)\})? (?P<value>\S+)(?: \d+)?$")
_LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')


class Metrics:
    """One scrape. Names are given without `prefix`."""

    def __init__(self, text, prefix=""):
        self._series = []
        self._prefix = prefix
        for line in text.splitlines():
            found = _SERIES.match(line)
            if found:
                self._series.append((found["name"], dict(_LABEL.findall(found["labels"] or "")),
                                     float(found["value"])))

    def values(self, name, **labels):
        """{frozenset of label pairs: value} of the series that carry these labels."""
        return {frozenset(has.items()): value for found, has, value in self._series
                if found == self._prefix + name and labels.items() <= has.items()}

    def value(self, name, **labels):
        """The one series with these labels, None where there is none; ValueError where several."""
        found = self.values(name, **labels)
        if len(found) > 1:
            raise ValueError(f"{name} {labels} names {len(found)} series")
        return next(iter(found.values()), None)

    def sum(self, name, **labels):
        """0 where there is no such series."""
        return sum(self.values(name, **labels).values())
