"""The acts of the demo, in order. Each writes what it did and adds rows to the closing table."""

import json
import threading
import time

from gang import TrainingGang

BOTH_WAYS = [("hk", "sg"), ("sg", "hk")]


class Acts:
    """Runs on a lab and a stack that the caller starts and ends."""

    def __init__(self, lab, stack, report):
        self.lab = lab
        self.stack = stack
        self.report = report
        self.gang = TrainingGang("llm", stack.nodes)
        self._other_sites = [n for n, site, _ in stack.nodes if site != "hk"]

    def run(self):
        self.measure()
        self.rank()
        self.report.title("HK-SG degrades, HK-TYO only hiccups")
        self.report.line("dwell and recovery are shortened to seconds for this demo; production takes a minute")
        spike = threading.Thread(target=self._spike)
        self._degrade("+25 ms on HK-SG", {"delay_ms": 18 + 12.5}, None,
                      {pair: {"rtt_step"} for pair in BOTH_WAYS}, beside=spike)
        self._spike_row()
        self._degrade("5 % loss from hk to sg only", {"loss_pct": 5}, "forward",
                      {("hk", "sg"): {"loss_forward"}, ("sg", "hk"): {"loss_reverse"}})
        # A Pareto tail has its median 0.32 jitters below its mean.
        self._degrade("fluctuation on HK-SG, median unchanged",
                      {"jitter_ms": 28, "delay_ms": 18 + 0.32 * 28, "distribution": "pareto"}, "forward",
                      {pair: {"fluctuation"} for pair in BOTH_WAYS}, median_stays=True)

    # Act 2

    def measure(self):
        self.report.title("Six directed links, measured with RDMA verbs")
        self.stack.start()
        self.report.line("fairlead-extender runs on this host, a fairlead-linkprobe in each site")
        shown = [0.0]

        def show():
            if time.monotonic() - shown[0] > 8:
                shown[0] = time.monotonic()
                self.report.line("waiting for six Healthy links (each needs a baseline of ten seconds)")
                self.report.links(self.stack.links())

        took = self.stack.wait(self._six_healthy, timeout_s=120, what="six Healthy links", each=show)
        links = self.stack.links()
        self.report.line(f"all Healthy after {took:.0f} s")
        self.report.links(links)
        for line in self.lab.lines():
            a, b = line.name.split("-")
            p50 = links.p50_ms(a, b)
            self.report.row(f"{line.name} {line.rtt_ms():.0f} ms", "p50 within 10 ms, by verbs",
                            f"p50 {p50:.1f} ms over {links.get(a, b)['rung']}",
                            abs(p50 - line.rtt_ms()) < 10 and links.get(a, b)["rung"].startswith("rdma_ud"))

    def _six_healthy(self):
        links = self.stack.links()
        return len(links.pairs()) == 6 and links.all_in("Healthy")

    # Act 3

    def rank(self):
        self.report.title("Where should the gang's third pod go?")
        self.report.line(f"gang '{self.gang.name}': {TrainingGang.SIZE} pods, an HCA each; a site has two, so no site "
                         "holds it")
        self.report.line("two members were placed in hk; asked for the third in both forms:")
        names = self._scores()
        full = self._scores(self.gang.nodes_form)
        self._show_scores(names)
        best = max(names.values())
        self.report.row("third pod of a gang in hk", "sg 10, tyo lower, both forms agree", self._short(names),
                        names == full and self._site_score(names, "sg") == best == 10
                        and self._site_score(names, "tyo") < best)

    def _scores(self, form=None):
        self.gang.place_two(self.stack)
        answer = self.stack.post("/kube/prioritize", (form or self.gang.names_form)(2, self._other_sites))
        return {entry["Host"]: entry["Score"] for entry in answer}

    def _site_score(self, scores, site):
        """Nodes of a site score alike; a host that the answer leaves out has 0."""
        return max(scores.get(node, 0) for node in self.gang.nodes_of([site]))

    def _short(self, scores):
        return ", ".join(f"{site} {self._site_score(scores, site)}" for site in ("sg", "tyo"))

    def _show_scores(self, scores):
        self.report.line("scores: " + ", ".join(f"{node} {scores.get(node, 0)}" for node in self._other_sites))
        decision = json.loads(self.stack.get(self.stack.url("/explain.json")))["decisions"][0]
        self.report.line(f"  plan: {decision['plan']}")
        for site in decision["sites"]:
            self.report.line(f"  {site['site']}: {site['sentence']}")

    # Act 4

    def _degrade(self, what, change, direction, expected, beside=None, median_stays=False):
        """Injects, waits for the expected reasons, shows the scores, restores, waits for recovery."""
        before = self.stack.links()
        self.report.line(f"--- {what}")
        line = self.lab.line("hk-sg")
        line.set(**change, **({"direction": direction} if direction else {}))
        if beside:
            beside.start()
        begin = time.monotonic()
        seen = {}

        def look():
            links = self.stack.links()
            for pair, reasons in expected.items():
                state, reason = links.state(*pair)
                if pair not in seen and state == "Degraded" and reason in reasons:
                    seen[pair] = time.monotonic() - begin
                    self.report.line(f"{pair[0]} > {pair[1]}: Degraded ({reason}) after {seen[pair]:.1f} s: "
                                     f"{links.get(*pair)['evidence']}")
            return len(seen) == len(expected)

        try:
            self.stack.wait(look, timeout_s=45, what="Degraded and its reason, both ways")
            found = ", ".join(f"{a} > {b} {'/'.join(sorted(expected[a, b]))} in {seen[a, b]:.1f} s"
                              for a, b in expected)
            passed = True
        except Exception as error:  # The closing table says it; the other acts go on.
            self.stack.check_alive()
            found, passed = f"{error}; {self._states(expected)}", False
            for pair in expected:
                self.report.line(f"{pair[0]} > {pair[1]}: {self.stack.links().get(*pair)['evidence']}")
        links = self.stack.links()
        if median_stays and passed:
            moved_ms = links.p50_ms("hk", "sg") - before.p50_ms("hk", "sg")
            passed = abs(moved_ms) < 6
            found += f", p50 moved {moved_ms:.1f} ms"
        self.report.links(links)
        scores = self._scores()
        self._show_scores(scores)
        self.report.row(what, "Degraded, reason and direction named", found, passed)
        if beside:
            beside.join()
        line.restore()
        try:
            took = self.stack.wait(self._six_healthy, timeout_s=90, what="six Healthy links after the line was restored")
            self.report.row(f"restored after {what}", "all Healthy", f"all Healthy after {took:.1f} s", True)
        except Exception as error:
            self.stack.check_alive()
            self.report.row(f"restored after {what}", "all Healthy", f"{error}; {self._states()}", False)

    def _states(self, pairs=None):
        links = self.stack.links()
        return ", ".join("{} > {} {} ({})".format(a, b, *links.state(a, b)) for a, b in pairs or links.pairs())

    def _spike(self):
        """3 s of +20 ms on HK-TYO, beside the first degradation."""
        line = self.lab.line("hk-tyo")
        self._tyo_states = set()
        line.set(delay_ms=line.rtt_ms() / 2 + 10)
        end = time.monotonic() + 3
        restored = False
        until = time.monotonic() + 12
        while time.monotonic() < until:
            links = self.stack.links()
            self._tyo_states |= {links.state(*pair) for pair in (("hk", "tyo"), ("tyo", "hk"))}
            if not restored and time.monotonic() > end:
                line.restore()
                restored = True
            time.sleep(0.25)

    def _spike_row(self):
        states = sorted(f"{state} ({reason})" for state, reason in self._tyo_states)
        self.report.row("3 s spike of 20 ms on HK-TYO", "never Degraded", ", ".join(states),
                        not any(state in ("Degraded", "Down") for state, _ in self._tyo_states))
