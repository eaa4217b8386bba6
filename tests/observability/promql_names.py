"""The metrics, labels and values that PromQL expressions name, and whether there are such ones."""

import re

# Prometheus' own, and those of any Kubernetes target.
TARGET_LABELS = {"job", "instance", "namespace", "pod", "container", "le"}
_ANY = re.compile(r'\{\s*__name__=~"([^"]+)"([^}]*)\}')
_METRIC = re.compile(r"(?<![\w:\"'$])((?:\w+:)*fairlead_\w+(?::\w+)*)\s*(?:\{([^}]*)\})?")
_MATCHER = re.compile(r'(\w+)\s*(=~|!~|!=|=)\s*(?:"([^"]*)"|\'([^\']*)\')')
_GROUPING = re.compile(r"\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)")


def metrics(expression):
    """[(name, {label: [(operator, value)]})] in the order they come."""
    found = []
    for name, matchers in _METRIC.findall(expression):
        labels = {}
        for label, operator, one, other in _MATCHER.findall(matchers):
            labels.setdefault(label, []).append((operator, one or other))
        found.append((name, labels))
    return found


def grouped(expression):
    """The labels of by, on and their like."""
    return {label.strip() for each in _GROUPING.findall(expression) for label in each.split(",") if label.strip()}


class Names:
    """What the programs export and what rules record."""

    def __init__(self, page, recorded, words):
        """`page`: metrics_reference.Page; `recorded`: {name: expression}; `words`: values that labels can have."""
        self._page = page
        self._recorded = recorded
        self._words = words

    def labels(self, name):
        """The labels that series of a metric have, or None where nothing makes such series."""
        if name in self._recorded:
            expression = self._recorded[name]
            kept = re.findall(r"\bby\s*\(([^)]*)\)", expression)
            if kept:
                return {label.strip() for each in kept for label in each.split(",")}
            inner = [self.labels(each) or set() for each, _ in metrics(expression)]
            return set.union(*inner)
        return self._page.labels(name) if self._page.labels(name) is not None else self._histogram(name)

    def _histogram(self, name):
        family = re.sub(r"_(bucket|sum|count)$", "", name)
        row = self._page.rows.get(family)
        return self._page.labels(family) if row and row[0] == "histogram" else None

    def faults(self, expression):
        """What an expression names and does not exist, a sentence each."""
        found, known = [], set(TARGET_LABELS)
        for name, matchers in metrics(expression):
            labels = self.labels(name)
            if labels is None:
                found.append(f"no program and no rule has {name}")
                continue
            known |= labels
            for label, conditions in matchers.items():
                if label not in labels | TARGET_LABELS:
                    found.append(f"{name} has no label {label}, only {', '.join(sorted(labels)) or 'none'}")
                    continue
                found += [f"{name}: no {label} can be {value}" for operator, text in conditions
                          for value in _values(operator, text) if value not in self._words]
        for pattern, matchers in _ANY.findall(expression):
            fitting = [name for name in self._page.rows if re.fullmatch(pattern, name)]
            if not fitting:
                found.append(f"no metric is like {pattern}")
            known |= set().union(*map(self.labels, fitting))
            found += [f"none of {pattern} has the label {label}" for label, *_ in _MATCHER.findall(matchers)
                      if label not in known]
        found += [f"no metric of it has the label {label}" for label in sorted(grouped(expression) - known)]
        if not metrics(expression) and not _ANY.search(expression):
            found.append("it names no metric of Fairlead")
        return found


def _values(operator, text):
    """The words in a matcher; what is a number, a pattern or a dashboard's variable is none."""
    parts = text.split("|") if "~" in operator else [text]
    return [part for part in parts if part and not re.search(r"[.*+$%\[\\(]|^\d+$", part)]
