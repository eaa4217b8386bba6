#!/usr/bin/env python3
"""docs/metrics.md: its tables of families, made from the programs' sources.

    metrics_reference.py            what in the page is not as in the sources; exit 1 where something is
    metrics_reference.py --write    writes names, types and meanings anew; labels stay as they are

A family that is new gets "?" for its labels: they have to be filled in by hand.
"""
import argparse
import pathlib
import re
import sys

from source_families import ROOT, families

PAGE = ROOT / "docs" / "metrics.md"
PROGRAMS = ("linkprobe", "extender", "deviceplugin")
_TABLE = re.compile(r"(<!-- families: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
_ROW = re.compile(r"^\| `(?P<name>[\w*]+)` \| (?P<type>\w+) \| (?P<labels>[^|]*?) *\| (?P<help>.*) \|$", re.MULTILINE)


class Page:
    """The page's rows: {name: (type, labels as written, help)}."""

    def __init__(self, text=None):
        self.text = PAGE.read_text() if text is None else text
        self.rows = {row["name"]: (row["type"], row["labels"], row["help"]) for row in _ROW.finditer(self.text)}

    def labels(self, name):
        """The labels of a family; of a counter of a driver those of the pattern it falls under."""
        row = self.rows.get(name) or self.rows.get(self.pattern_of(name))
        return None if row is None else set(re.findall(r"`(\w+)`", row[1]))

    def pattern_of(self, name):
        """The row of a driver's counter that has none of its own; None for others."""
        if not name.startswith("fairlead_linkprobe_hca_"):
            return None
        return "fairlead_linkprobe_hca_*_total" if name.endswith("_total") else "fairlead_linkprobe_hca_*"

    def renewed(self, known):
        """The text with tables of the families `known`."""
        def table(match):
            rows = ["| family | type | labels | meaning |", "|---|---|---|---|"]
            for name, family in sorted(known.items()):
                if family.program == match[2]:
                    labels = self.rows.get(name, (0, "?", 0))[1]
                    space = " " if labels else ""
                    rows.append(f"| `{name}` | {family.type} | {labels}{space}| {family.help} |")
            return match[1] + "\n".join(rows) + "\n" + match[3]
        return _TABLE.sub(table, self.text)


def faults(page, known):
    """What is wrong with the page, a sentence each."""
    found = [f"{name} is not in docs/metrics.md" for name in known if name not in page.rows]
    found += [f"{name} is in docs/metrics.md, and no program has it" for name in page.rows if name not in known]
    found += [f"{name}: its labels are not told in docs/metrics.md" for name, row in page.rows.items() if "?" in row[1]]
    if not found and page.renewed(known) != page.text:
        found.append("types or meanings in docs/metrics.md are not as in the sources")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    if parser.parse_args().write:
        PAGE.write_text(Page().renewed(families()))
    found = faults(Page(), families())
    for fault in found:
        print(f"metrics_reference: {fault}; `tests/observability/metrics_reference.py --write` renews the tables",
              file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
