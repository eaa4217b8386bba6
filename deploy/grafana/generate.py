#!/usr/bin/env python3
"""Writes the dashboards beside this file: fairlead-lines.json, fairlead-nodes.json, fairlead-decisions.json.

    generate.py            writes them
    generate.py --check    exit 1 if one of them is not what would be written
"""
import argparse
import json
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))

import decisions  # noqa: E402
import lines  # noqa: E402
import nodes  # noqa: E402


def documents():
    """{path: text} of every dashboard."""
    built = [module.build() for module in (lines, nodes, decisions)]
    return {FOLDER / f"{board['uid']}.json": json.dumps(board, indent=1) + "\n" for board in built}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    stale = [path.name for path, text in documents().items() if not path.exists() or path.read_text() != text]
    if check:
        for name in stale:
            print(f"generate: {name} is not what generate.py writes; run it without --check", file=sys.stderr)
        return 1 if stale else 0
    for path, text in documents().items():
        path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
