"""How much the machine itself disturbs a measurement."""

import os
import pathlib
import subprocess
import sys
import time

# Three guests with 60 probes a second among them and nothing else on two cores: 15 to 20 %. One of the
# cores kept busy: from 26 %.
_IDLE_STALLED = 0.22
_PRESSURE = pathlib.Path("/proc/pressure/cpu")


def _waited_s():
    """Seconds so far in which something that could run waited for a CPU."""
    some = _PRESSURE.read_text().splitlines()[0]
    return int(some.rpartition("total=")[2]) / 1e6


class HostNoise:
    """Between its making and `stalled()`. Where the kernel tells no CPU pressure, the load stands in."""

    def __init__(self):
        self._known = _PRESSURE.exists()
        self._begin = time.monotonic()
        self._waited = _waited_s() if self._known else 0

    def stalled(self):
        """The share of the time, 0 to 1, in which something waited for a CPU."""
        if not self._known:
            return min(1.0, max(0.0, os.getloadavg()[0] / (os.cpu_count() or 1) - 0.5))
        return (_waited_s() - self._waited) / (time.monotonic() - self._begin)

    def is_idle(self):
        return self.stalled() < _IDLE_STALLED


class BusyCore:
    """Keeps one core of this machine busy while inside."""

    def __enter__(self):
        self._process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.wait()
