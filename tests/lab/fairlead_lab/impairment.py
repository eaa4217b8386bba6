"""What netem does to one direction of a line, as plain values, and the tc words for it."""

import dataclasses
import math

from .errors import LabError
from .units import number, parse_mbit, parse_ms, parse_percent

# A netem without a rate lets packets overtake each other whenever jitter exceeds their spacing;
# with a rate it queues each behind the one before it. So an unshaped line still gets this rate.
UNSHAPED_RATE_MBIT = 10000.0
# Room for every packet in flight on an unshaped line; netem's own default of 1000 drops silently.
UNSHAPED_LIMIT = 50000
_QUEUE_MS = 100.0  # Buffer of a shaped line beyond its delay.
_SMALL_PACKET_BYTES = 512  # The limit counts packets, so it is sized for packets this small.
DISTRIBUTIONS = ("normal", "pareto", "paretonormal")


@dataclasses.dataclass(frozen=True)
class Impairment:
    """One direction of a line. Unset numbers are zero; rate_mbit None means unshaped."""

    delay_ms: float = 0.0
    jitter_ms: float = 0.0
    distribution: str = "normal"
    loss_pct: float = 0.0
    gemodel: str = ""  # Gilbert-Elliott bursts as tc takes them: "p r 1-h 1-k", e.g. "1% 30%".
    duplicate_pct: float = 0.0
    reorder_pct: float = 0.0
    corrupt_pct: float = 0.0
    rate_mbit: float | None = None
    limit: int | None = None  # Packets; None means computed from rate and delay.
    ecn: bool = False  # Mark instead of dropping, for packets that are ECN-capable.

    def queue_limit(self):
        """Packets that the direction can hold, in flight and queued."""
        if self.limit is not None:
            return self.limit
        if self.rate_mbit is None:
            return UNSHAPED_LIMIT
        held_ms = self.delay_ms + 4 * self.jitter_ms + _QUEUE_MS
        return max(1000, math.ceil(self.rate_mbit * 1000 * held_ms / 8 / _SMALL_PACKET_BYTES))

    def tc_words(self):
        """The netem part of a tc command.

        netem keeps reorder, corrupt and rate of before where a change does not name them, so they
        are always named.
        """
        words = ["netem", "limit", str(self.queue_limit()), "delay", f"{number(self.delay_ms)}ms"]
        if self.jitter_ms > 0:
            words += [f"{number(self.jitter_ms)}ms", "distribution", self.distribution]
        if self.gemodel:
            words += ["loss", "gemodel", *self.gemodel.split()]
        elif self.loss_pct > 0:
            words += ["loss", "random", f"{number(self.loss_pct)}%"]
        if self.ecn:
            words += ["ecn"]
        if self.duplicate_pct > 0:
            words += ["duplicate", f"{number(self.duplicate_pct)}%"]
        if self.delay_ms > 0:
            words += ["reorder", f"{number(self.reorder_pct)}%"]
        words += ["corrupt", f"{number(self.corrupt_pct)}%"]
        words += ["rate", f"{number(self.rate_mbit or UNSHAPED_RATE_MBIT)}mbit"]
        return words

    def changed(self, **fields):
        """A copy with the given fields replaced, checked."""
        known = {field.name for field in dataclasses.fields(self)}
        for name in fields:
            if name not in known:
                raise LabError(f"a line has no setting '{name}'; it has {', '.join(sorted(known))}")
        new = dataclasses.replace(self, **fields)
        new._check()
        return new

    def _check(self):
        for name in ("delay_ms", "jitter_ms"):
            if not 0 <= getattr(self, name) <= 60000:
                raise LabError(f"{name} {getattr(self, name)} is outside 0..60000 ms")
        for name in ("loss_pct", "duplicate_pct", "reorder_pct", "corrupt_pct"):
            if not 0 <= getattr(self, name) <= 100:
                raise LabError(f"{name} {getattr(self, name)} is outside 0..100 %")
        if self.rate_mbit is not None and not 0 < self.rate_mbit <= 400000:
            raise LabError(f"rate_mbit {self.rate_mbit} is outside 0..400000 Mbit/s")
        if self.limit is not None and not 1 <= self.limit <= 10**7:
            raise LabError(f"limit {self.limit} is outside 1..10000000 packets")
        if self.distribution not in DISTRIBUTIONS:
            raise LabError(f"distribution '{self.distribution}' is none of {', '.join(DISTRIBUTIONS)}")
        if self.gemodel and self.loss_pct > 0:
            raise LabError("a direction takes either loss or gemodel; set the other to 0% or ''")
        for word in self.gemodel.split():
            parse_percent(word, "gemodel")
        if len(self.gemodel.split()) > 4:
            raise LabError(f"gemodel '{self.gemodel}' takes at most p r 1-h 1-k")
        if self.reorder_pct > 0 and self.delay_ms <= 0:
            raise LabError("reorder needs a delay, since it is the delay that a packet skips")


# Words of files and of the command line -> (field, parser).
SETTINGS = {
    "delay": ("delay_ms", parse_ms),
    "jitter": ("jitter_ms", parse_ms),
    "distribution": ("distribution", lambda text, what: str(text)),
    "loss": ("loss_pct", parse_percent),
    "gemodel": ("gemodel", lambda text, what: str(text)),
    "duplicate": ("duplicate_pct", parse_percent),
    "reorder": ("reorder_pct", parse_percent),
    "corrupt": ("corrupt_pct", parse_percent),
    "rate": ("rate_mbit", parse_mbit),
    "limit": ("limit", lambda text, what: _whole(text, what)),
    "ecn": ("ecn", lambda text, what: _truth(text, what)),
}


def fields_of(words):
    """Impairment fields of settings as written: {'delay': '18ms'} -> {'delay_ms': 18.0}."""
    fields = {}
    if not isinstance(words, dict):
        raise LabError(f"line settings '{words}' must be an object such as {{\"loss\": \"1%\"}}")
    for word, text in words.items():
        if word not in SETTINGS:
            raise LabError(f"unknown line setting '{word}'; known are {', '.join(SETTINGS)}")
        field, parse = SETTINGS[word]
        fields[field] = parse(text, word)
    # One kind of loss replaces the other.
    if fields.get("gemodel") and "loss_pct" not in fields:
        fields["loss_pct"] = 0.0
    if "loss_pct" in fields and "gemodel" not in fields:
        fields["gemodel"] = ""
    return fields


def _whole(text, what):
    try:
        return int(text)
    except (TypeError, ValueError):
        raise LabError(f"{what} '{text}' is not a whole number of packets") from None


def _truth(text, what):
    if isinstance(text, bool):
        return text
    if str(text).lower() in ("on", "off"):
        return str(text).lower() == "on"
    raise LabError(f"{what} '{text}' is neither on nor off")
