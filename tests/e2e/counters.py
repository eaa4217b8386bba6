"""The probes' cumulative counters of all six links at one moment."""

import time

from programs import PAIRS

_FATES = ("probes_answered_total", "probes_lost_total", "probes_late_total", "probes_discarded_total")


class Counters:
    """Names as in linkprobe/metrics, without fairlead_linkprobe_. A link that has none yet counts 0."""

    def __init__(self, stack):
        self._of = {site.name: stack.probe_metrics(site) for site in stack.lab.sites()}

    def get(self, pair, name, **labels):
        return int(self._of[pair[0]].sum(name, dst_site=pair[1], **labels))

    def answered(self, pair):
        return self.get(pair, "probes_answered_total")

    def sent(self, pair):
        return self.get(pair, "probes_sent_total")

    def lost(self, pair, *directions):
        """In these directions, or in all of them and unknown ones."""
        if not directions:
            return self.get(pair, "probes_lost_total")
        return sum(self.get(pair, "probes_lost_total", direction=d) for d in directions)

    def under_way(self, pair):
        return self.sent(pair) - sum(self.get(pair, name) for name in _FATES)

    def of_host(self, site, name, **labels):
        """A counter of the whole probe of a site."""
        return int(self._of[site].sum(name, **labels))


def wait_for_answers(stack, count, timeout_s=90, since=None, each=None):
    """Until every link has had so many more answers than in `since`, by default than now."""
    since = since or Counters(stack)
    next_look = time.monotonic() + 1

    def enough():
        nonlocal next_look
        if time.monotonic() < next_look:  # Each look takes CPU time from what is measured.
            return False
        next_look = time.monotonic() + 1
        now = Counters(stack)
        return all(now.answered(pair) - since.answered(pair) >= count for pair in PAIRS)

    return stack.wait(enough, timeout_s, f"{count} answers on every link", each=each)
