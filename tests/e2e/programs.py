"""Fairlead's programs in the default lab, kept while tests in a row ask for the same ones."""

import time

from fairlead_stack import Stack

# How the probes run. Windows are short so that a measurement can be compared with a capture of
# its whole window.
MODES = {
    "verbs": {"transport": "verbs", "reportWindow": "15s"},
    "udp": {"transport": "udp", "reportWindow": "15s"},
    "fast": {"transport": "verbs", "reportWindow": "15s", "probesPerSecond": 25},
}
PAIRS = [("hk", "sg"), ("hk", "tyo"), ("sg", "hk"), ("sg", "tyo"), ("tyo", "hk"), ("tyo", "sg")]


class Programs:
    """At most one Stack of the lab, in one of the MODES."""

    def __init__(self, lab, build):
        self._lab = lab
        self._build = build
        self._stack = None
        self._mode = None

    def get(self, mode):
        """The running Stack; what a test before left otherwise is put right."""
        if self._stack is None:
            self._stack = Stack(self._lab, self._build, linkprobe=MODES[mode])
            self._stack.start()
        elif mode != self._mode or not self._is_whole():
            self._stack.restart_probes(**MODES[mode])
        self._mode = mode
        return self._stack

    def _is_whole(self):
        return (len(self._stack.probes) == len(self._lab.sites())
                and all(process.poll() is None for process in self._stack.probes.values()))

    def stop(self):
        if self._stack is not None:
            self._stack.stop()
            self._stack = None


def six_healthy(stack):
    """Whether all six directed links are Healthy, as the extender has it and as the probes do now."""
    links = stack.links()
    if len(links.pairs()) != len(PAIRS) or not links.all_in("Healthy"):
        return False
    return sum(stack.probe_metrics(site).sum("link_state", state="Healthy") for site in stack.lab.sites()) == len(PAIRS)


def wait_until_healthy(stack, timeout_s=120, each=None):
    """The seconds until all six directed links were Healthy."""
    return stack.wait(lambda: six_healthy(stack), timeout_s, "six Healthy links", each=each)


def restore_lines(lab):
    for line in lab.lines():
        if line.is_changed():
            line.restore()


class Watch:
    """Every state that any link has been in since the watch began."""

    def __init__(self, stack):
        self._stack = stack
        self._begin = time.monotonic()
        self._last = {}
        self.changes = []  # (seconds, pair, state, reason, evidence)

    def look(self):
        """Notes what changed; the Links just seen."""
        links = self._stack.links()
        seconds = time.monotonic() - self._begin
        for pair in links.pairs():
            seen = links.state(*pair)
            if self._last.get(pair) != seen:
                self._last[pair] = seen
                self.changes.append((seconds, pair, *seen, links.get(*pair)["evidence"]))
        return links

    def wait(self, condition, timeout_s, what, each=lambda: None):
        """Looks until condition() is true, then prints what it saw."""
        def turn():
            self.look()
            each()

        try:
            self._stack.wait(condition, timeout_s, what, each=turn)
        finally:
            print(self)

    def seconds(self):
        return time.monotonic() - self._begin

    def first(self, pair, state, reason):
        """The seconds until the link was first in that state for that reason, or None."""
        return next((s for s, p, *seen, _ in self.changes if p == pair and seen == [state, reason]), None)

    def of(self, *pairs):
        """{(state, reason)} that these links were in."""
        return {(state, reason) for _, pair, state, reason, _ in self.changes if pair in pairs}

    def __str__(self):
        return "\n".join(f"{s:6.1f} s  {a} > {b}: {state} ({reason}): {evidence}"
                         for s, (a, b), state, reason, evidence in self.changes)
