"""What programs serve on /metrics, against docs/metrics.md."""

import re

_SERIES = re.compile(r"^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+(?: \d+)?$", re.MULTILINE)
_LABEL = re.compile(r'(\w+)="(?:[^"\\]|\\.)*"')


def faults(text, page):
    """Where a scrape is not as the page (metrics_reference.Page) says; a sentence each."""
    found = []
    types = dict(re.findall(r"^# TYPE (\S+) (\S+)$", text, re.MULTILINE))
    helps = dict(re.findall(r"^# HELP (\S+) (.*)$", text, re.MULTILINE))
    for name, kind in types.items():
        row = page.rows.get(name) or page.rows.get(page.pattern_of(name))
        if row is None:
            found.append(f"{name} is not in docs/metrics.md")
        elif (row[0], row[2]) != (kind, helps.get(name, "").replace('\\"', '"')):
            found.append(f"{name} is a {kind}, {helps.get(name)!r}; docs/metrics.md: {row[0]}, {row[2]!r}")
    for name, labels in _SERIES.findall(text):
        family = name if name in types else re.sub(r"_(bucket|sum|count)$", "", name)
        has = set(_LABEL.findall(labels)) - ({"le"} if types.get(family) == "histogram" else set())
        if page.labels(family) not in (None, has):
            found.append(f"{name} has the labels {sorted(has)}; docs/metrics.md: {sorted(page.labels(family))}")
    return sorted(set(found))
