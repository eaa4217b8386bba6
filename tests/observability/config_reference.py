#!/usr/bin/env python3
"""docs/config.md: its tables of keys, made from common/config and deploy/fairlead.yaml.

    config_reference.py            what in the page is not as in the sources; exit 1 where something is
    config_reference.py --write    writes the tables anew

Types, ranges and defaults are what common/config reads; the meaning is the key's comment in deploy/fairlead.yaml.
"""
import argparse
import re
import sys

from config_example import meanings
from config_sources import keys, restart_keys
from source_families import ROOT

PAGE = ROOT / "docs" / "config.md"
_TABLE = re.compile(r"(<!-- keys: ([\w ]+) -->\n).*?(<!-- end -->)", re.DOTALL)
# Keys that stand within braces in the file, where no comment fits.
WITHIN = {
    "sites[].name": "as nodes' labels say it", "sites[].latitude": "degrees, north positive",
    "sites[].longitude": "degrees, east positive", "lines[].between": "the ends; their order does not matter",
    "lines[].capacity": "what the line carries in each direction", "nodes[].name": "as the API server knows it",
    "nodes[].site": "where it is", "nodes[].hcas": "HCAs that pods may ask for",
    "concurrent": "under way at a time", "perWindow": "begun within `limits.window`",
    "migration.lines[].between": "the line", "migration.lines[].maxRtt": "as in `policy`",
    "migration.lines[].maxJitter": "as in `policy`", "migration.lines[].maxLoss": "as in `policy`",
    "migration.lines[].minBandwidth": "as in `policy`", "migration.lines[].mode": "gangs on this line are moved by this mode at most",
    "migration.namespaces[].name": "the namespace", "migration.namespaces[].mode": "of its gangs",
    "migration.classes[].priorityClass": "the class", "migration.classes[].mode": "of its gangs",
    "migration.classes[].margin": "in place of `margin`", "migration.classes[].minRuntime": "in place of `minRuntime`",
}


def rows(known, said, restart):
    """{section: rows of its table}, in the order of deploy/fairlead.yaml."""
    found = {}
    for path, meaning in said.items():
        key = known[path]
        section, _, rest = path.partition(".")
        section = section.removesuffix("[]")
        if not rest or not key.kind:
            continue
        meaning = meaning or WITHIN.get(path) or WITHIN.get(rest.split(".")[-1], "?")
        default = "required" if key.required else key.default
        shown = path if path.startswith(("sites", "lines", "nodes", "site.", "tls")) else rest
        change = "restart" if any(path == each or path.startswith(each + ".") for each in restart) else ""
        found.setdefault(section, []).append(
            f"| `{shown}` | {key.kind} | {default}{' ' if default else ''}| {change}{' ' if change else ''}| {_cell(meaning)} |")
    return found


def _cell(text):
    return re.sub(r"(?<!`)\*(?!`)", r"\\*", text).replace("|", r"\|")


def renewed(text, tables):
    def table(match):
        body = [row for section in match[2].split() for row in tables[section]]
        return match[1] + "\n".join(["| key | takes | default | change | meaning |", "|---|---|---|---|---|", *body]) + "\n" + match[3]
    return _TABLE.sub(table, text)


def faults(text, known, said, restart):
    """What is wrong with the page and with deploy/fairlead.yaml, a sentence each."""
    found = [f"{path} is read by common/config, and deploy/fairlead.yaml does not show it" for path in sorted(set(known) - set(said))]
    found += [f"{path} is in deploy/fairlead.yaml, and common/config does not read it" for path in sorted(set(said) - set(known))]
    if found:
        return found
    tables = rows(known, said, restart)
    shown = {section for match in _TABLE.finditer(text) for section in match[2].split()}
    found = [f"docs/config.md has no table for {section}" for section in sorted(set(tables) - shown)]
    found += [f"{row.split('`')[1]} has no comment in deploy/fairlead.yaml" for table in tables.values() for row in table
              if row.endswith("| ? |")]
    if not found and renewed(text, tables) != text:
        found.append("the tables of docs/config.md are not as in the sources")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    sources = keys(), meanings(), restart_keys()
    if parser.parse_args().write:
        PAGE.write_text(renewed(PAGE.read_text(), rows(*sources)))
    found = faults(PAGE.read_text(), *sources)
    for fault in found:
        print(f"config_reference: {fault}; `tests/observability/config_reference.py --write` renews the tables", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
