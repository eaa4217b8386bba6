"""Progress lines on stderr, and waiting that says what it waits for."""

import sys
import time

from .errors import ClusterError

_TOLD_EVERY_S = 5.0


def say(text):
    print(f"cluster: {text}", file=sys.stderr, flush=True)


def wait_for(what, condition, timeout_s, progress=say, poll_s=0.25, hint=lambda: ""):
    """The first true value of condition(). Says every few seconds that it waits for `what`.

    ClusterError after timeout_s; hint() is then asked for what a reader should know.
    """
    begin = told = time.monotonic()
    while True:
        value = condition()
        if value:
            return value
        now = time.monotonic()
        if now - begin > timeout_s:
            raise ClusterError(f"gave up waiting for {what} after {now - begin:.0f} s{_tail(hint())}")
        if now - told >= _TOLD_EVERY_S:
            progress(f"waiting for {what}, {now - begin:.0f} s")
            told = now
        time.sleep(poll_s)


def _tail(hint):
    return f"; {hint}" if hint else ""
