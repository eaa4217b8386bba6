"""Whether this machine has time to emulate three sites."""

import os
import time

PATIENCE_S = 60
ENOUGH_IDLE = 0.7  # of all cores


def _idle_and_total():
    with open("/proc/stat", encoding="ascii") as stat:
        ticks = [int(field) for field in stat.readline().split()[1:9]]
    return ticks[3] + ticks[4], sum(ticks)  # idle and iowait


def idle_share(seconds):
    """The share of all cores that had nothing to do for so long."""
    idle, total = _idle_and_total()
    time.sleep(seconds)
    idle_after, total_after = _idle_and_total()
    return (idle_after - idle) / max(total_after - total, 1)


def await_idle(line):
    """Waits a while for other work to end, saying so with `line`; goes on with a warning if it does not."""
    begin = time.monotonic()
    share = idle_share(1)
    while share < ENOUGH_IDLE and time.monotonic() - begin < PATIENCE_S:
        line(f"waiting for this machine to be idle: {1 - share:.0%} of its {os.cpu_count()} cores is in use")
        share = idle_share(5)
    if share < ENOUGH_IDLE:
        line("it stays busy; emulated sites will be late by tens of ms, and rows below may come out wrong for it")
