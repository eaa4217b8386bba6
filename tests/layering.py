#!/usr/bin/env python3
"""Checks that the sources keep to the layers in layering_rules.json; prints what does not.

    layering.py [ROOT]
"""
import json
import pathlib
import re
import sys

RULES = pathlib.Path(__file__).resolve().parent / "layering_rules.json"
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def load_rules(path=RULES):
    return json.loads(path.read_text())


def sources(root, folders):
    """Every C++ file below the folders, in order."""
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".h", ".cc"):
                yield path


def includes(text):
    """(line number, "<" or '"', what) of every include."""
    for number, line in enumerate(text.splitlines(), 1):
        if found := INCLUDE.match(line):
            yield number, found[1], found[2]


def code(line):
    """The line without comments and string literals, near enough for a search of words."""
    line = re.sub(r'"(\\.|[^"\\])*"', '""', line)
    return re.sub(r"//.*", "", line)


class Checker:
    """Collects the findings of one tree."""

    def __init__(self, root, rules):
        self.root = pathlib.Path(root)
        self.rules = rules
        self.findings = []

    def run(self):
        present = [c for c in self.rules["components"] if (self.root / c).is_dir()]
        for pure in self.rules["pure"]:
            if not any(sources(self.root, [pure])):
                self.add(pure, 0, "is a pure folder in layering_rules.json but holds no source")
        for path in sources(self.root, present):
            name = path.relative_to(self.root).as_posix()
            text = path.read_text(errors="replace")
            self.check_components(name, text)
            self.check_heavy(name, text)
            self.check_length(name, text)
            if any(name.startswith(pure + "/") for pure in self.rules["pure"]):
                self.check_pure(name, text)
            if name.endswith(".h") and "#pragma once" not in text:
                self.add(name, 1, "has no #pragma once")
        for path in sources(self.root, ["tests"]):
            self.check_length(path.relative_to(self.root).as_posix(), path.read_text(errors="replace"))
        return self.findings

    def add(self, name, line, why):
        self.findings.append(f"{name}:{line}: {why}" if line else f"{name}: {why}")

    def check_components(self, name, text):
        component = name.split("/")[0]
        allowed = self.rules["components"][component]
        for line, kind, what in includes(text):
            if kind != '"':
                continue
            first = what.split("/")[0]
            if what.startswith(".") or "/" not in what:
                self.add(name, line, f'"{what}" does not begin at the repository root')
            elif first not in allowed:
                self.add(name, line, f"{component}/ must not include {what}")

    def check_heavy(self, name, text):
        if not name.endswith(".h"):
            return
        for line, _, what in includes(text):
            for heavy, homes in self.rules["heavy_headers"].items():
                if what.startswith(heavy) and not name.startswith(tuple(homes)):
                    self.add(name, line, f"<{what}> belongs into a .cc; forward-declare or hide it")

    def check_length(self, name, text):
        most = self.rules["most_lines"]
        kind = "test" if name.startswith("tests/") else "main.cc" if name.endswith("/main.cc") else "other"
        lines = len(text.splitlines())
        if lines > most[kind]:
            self.add(name, 0, f"has {lines} lines, at most {most[kind]}; split it by idea")

    def check_pure(self, name, text):
        own = tuple(f"{pure}/" for pure in self.rules["pure"])
        for line, kind, what in includes(text):
            if kind == '"' and not what.startswith(own) and what not in self.rules["pure_may_include"]:
                self.add(name, line, f"a pure core must not include {what}")
            if kind == "<" and what not in self.rules["pure_system_headers"]:
                self.add(name, line, f"a pure core must not include <{what}>")
        for number, line in enumerate(text.splitlines(), 1):
            for pattern, why in self.rules["pure_forbidden"].items():
                if found := re.search(pattern, code(line)):
                    self.add(name, number, f"{found[0].strip()} {why}")


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else RULES.parent.parent
    findings = Checker(root, load_rules()).run()
    print("\n".join(findings))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
