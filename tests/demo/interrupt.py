"""How a demo is ended from outside."""

import signal


def raise_interrupt(*_):
    raise KeyboardInterrupt


def heed_signals():
    """SIGINT and SIGTERM raise KeyboardInterrupt, also in a shell's background, where SIGINT is ignored from birth."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, raise_interrupt)
