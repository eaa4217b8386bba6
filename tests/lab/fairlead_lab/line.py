"""A line of a running lab: what netem does to it now."""

import concurrent.futures
import contextlib
import dataclasses
import fcntl
import json

from .capture import RunningCapture
from .errors import LabError
from .guestnet import device
from .impairment import Impairment

DIRECTIONS = ("forward", "reverse", "both")


class Line:
    """A line as named: line 'sg-hk' is line 'hk-sg' with forward and reverse exchanged."""

    def __init__(self, lab, line, flipped):
        self._lab = lab
        self._line = line
        self._flipped = flipped
        self.a, self.b = (line.b, line.a) if flipped else (line.a, line.b)
        self.name = f"{self.a}-{self.b}"

    def _real(self, direction):
        if direction not in DIRECTIONS:
            raise LabError(f"direction '{direction}' is none of {', '.join(DIRECTIONS)}")
        if direction == "both":
            return ("forward", "reverse")
        other = {"forward": "reverse", "reverse": "forward"}
        return (other[direction] if self._flipped else direction,)

    def settings(self, direction):
        """The Impairment in force for 'forward' or 'reverse'."""
        return self._now()[self._real(direction)[0]]

    def configured(self, direction):
        """The Impairment that the sites file gives for 'forward' or 'reverse'."""
        return getattr(self._line, self._real(direction)[0])

    def rtt_ms(self):
        """The sum of both delays in force: the RTT without queues and processing."""
        return sum(setting.delay_ms for setting in self._now().values())

    def is_changed(self):
        """Whether the line differs from the sites file."""
        return any(self.settings(d) != self.configured(d) for d in ("forward", "reverse"))

    def set(self, direction="both", **fields):
        """Changes fields of Impairment and leaves the others as they are, e.g. set(loss_pct=5).

        direction forward means a to b. Packets under way are kept. When it returns it is in force.
        """
        if fields.get("gemodel") and "loss_pct" not in fields:
            fields["loss_pct"] = 0.0
        if fields.get("loss_pct") and "gemodel" not in fields:
            fields["gemodel"] = ""
        self._apply({d: lambda old: old.changed(**fields) for d in self._real(direction)})

    def restore(self, direction="both"):
        """Back to the values of the sites file."""
        self._apply({d: lambda _, d=d: getattr(self._line, d) for d in self._real(direction)})

    @contextlib.contextmanager
    def changed(self, direction="both", **fields):
        """Context manager: set() inside, and what was in force before afterwards."""
        before = self._now()
        self.set(direction, **fields)
        try:
            yield self
        finally:
            self._apply({d: lambda _, d=d: before[d] for d in self._real(direction)})

    def capture(self, snap_bytes=0, expression="", quiet=False):
        """Starts tcpdump on site0 at both ends; a RunningCapture.

        snap_bytes cuts packets (0: whole); expression is a tcpdump filter beyond "this line's packets";
        quiet disturbs what runs in the guests least, see RunningCapture.
        """
        return RunningCapture(self._lab, self, snap_bytes, expression, quiet)

    def _file(self):
        return self._lab.folder / f"line{self._line.index}.json"

    def _now(self):
        try:
            stored = json.loads(self._file().read_text())
        except FileNotFoundError:
            stored = {}
        return {
            d: Impairment(**stored[d]) if d in stored else getattr(self._line, d) for d in ("forward", "reverse")
        }

    def _apply(self, changes):
        with open(self._lab.folder / f"line{self._line.index}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            now = self._now()
            new = {d: change(now[d]) for d, change in changes.items()}
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                # list() hands on what went wrong in a thread.
                list(pool.map(lambda d: self._tell(d, now[d], new[d]), new))
            stored = {d: dataclasses.asdict(setting) for d, setting in {**now, **new}.items()}
            temporary = self._file().with_suffix(".new")
            temporary.write_text(json.dumps(stored))
            temporary.replace(self._file())

    def _tell(self, direction, old, new):
        site = self._lab.site(self._line.a if direction == "forward" else self._line.b)
        nic = device(self._line)
        if old.ecn and not new.ecn:
            # netem cannot be told to stop marking, so it is made anew; packets under way are lost.
            site.run(["tc", "-n", "wan", "qdisc", "del", "dev", nic, "root"])
        site.run(["tc", "-n", "wan", "qdisc", "replace", "dev", nic, "root", *new.tc_words()])
