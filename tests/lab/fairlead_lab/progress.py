"""Progress lines on stderr."""

import sys


def say(text):
    print(f"lab: {text}", file=sys.stderr, flush=True)
