"""A thousand nodes, fifty gangs, and minutes of lines that become bad and well at random, on a real API server with its
controllers and scheduler. Whatever moves does so whole, goes back nowhere too early, and keeps to the limits; when all
lines of a site are cut nothing moves at all. No guests."""

import collections
import itertools
import random
import threading
import time

import pytest

from extender_stand import RTT_MS, Gang, probe_tokens
from fairlead_cluster import wait_for
from fairlead_cluster.fake_cluster import SITES, FakeCluster, nodes_of
from migration_stand import Replica, allow_moves

pytestmark = pytest.mark.long

JOBS = "/apis/batch/v1/namespaces/default/jobs"
POOLS = 25
PER_SITE = 10  # nodes of a pool, with room for one pod each
SIZE = 12  # so that every gang crosses a line, and the two of a pool want each other's room
WEATHER_S = 420
CUTS = (120, 270)  # seconds at which all lines of a site are cut
CUT_S = 40
BAD_MS = 400
EXCLUSION_S = 90
WINDOW_S = 60
LIMITS = {"cluster": {"concurrent": 4, "perWindow": 20}, "site": {"concurrent": 3, "perWindow": 12},
          "namespace": {"concurrent": 4, "perWindow": 20}}
# Hours are minutes here.
MIGRATION = {
    "mode": "enforce", "interval": "1s", "minRuntime": "0s", "nearCompletion": "0s", "gangCooldown": "15s",
    "gangMoves": 100, "exclusion": f"{EXCLUSION_S}s", "destinationCooldown": "2s",
    "evidence": {"degradedFor": "1s", "staleAfter": "30s"}, "policy": {"for": "10s", "maxRtt": "250ms"},
    "breaker": {"lines": "60%", "gangs": "100%", "leastGangs": 1000, "hold": "10s"},
    "limits": {"window": f"{WINDOW_S}s", **LIMITS}, "relocation": {"beginTimeout": "30s"}}
LINES = list(RTT_MS)


def counts(text):
    """{site: members} of "hk:10,sg:2"."""
    return {site: int(members) for site, members in (part.split(":") for part in text.split(",") if ":" in part)}


def touched(move):
    before, after = counts(move["from"]), counts(move["to"])
    return {site for site in before | after if before.get(site) != after.get(site)}


def disturbs(move):
    return bool(move.get("by"))


class Watcher:
    """Reads every gang's record once a second: what it saw of each move last, and how many were ever under way."""

    def __init__(self, cluster, extender):
        self._cluster = cluster
        self._extender = extender
        self._done = threading.Event()
        self.moves = {}  # by (gang, number), each the record's lines
        self.most = collections.Counter()  # under way at once, in all and by site
        self.torn = []  # suspended, and no move is under way
        self.held = []  # (from, to) by the wall's clock: what looks that follow each other all saw
        self.trouble = None
        self._thread = threading.Thread(target=self._run)

    def look(self):
        jobs = self._cluster.api.get(JOBS)["items"]
        under_way = collections.Counter()
        for job in jobs:
            name = job["metadata"]["name"]
            text = job["metadata"].get("annotations", {}).get("fairlead.dev/moves", "")
            move = dict(line.split(": ", 1) for line in text.splitlines() if not line.startswith("past"))
            if move:
                self.moves[name, int(move["move"])] = move
            is_open = bool(move) and move["step"] != "closed"
            if job["spec"].get("suspend") and not is_open:
                self.torn.append((name, move))
            if is_open and disturbs(move):
                under_way.update(["cluster", *touched(move)])
        for what, number in under_way.items():
            self.most[what] = max(self.most[what], number)

    def _run(self):
        before = None
        while not self._done.wait(1):
            try:
                held = time.time() if self._extender.report()["held"] else None
                if held and before and self.held and self.held[-1][1] == before:
                    self.held[-1] = (self.held[-1][0], held)
                elif held and before:
                    self.held.append((before, held))
                before = held
                self.look()
            except Exception as error:  # the thread's end is the test's
                self.trouble = error
                return

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._done.set()
        self._thread.join()


def cut_of(seconds):
    """The number of the cut that lasts then; None."""
    return next((n for n, begin in enumerate(CUTS) if begin <= seconds < begin + CUT_S), None)


def weather(seed):
    """Yields the lines that are bad from now on, once every few seconds until the weather is over."""
    chance = random.Random(seed)
    begin = time.monotonic()
    bad = []
    while (passed := time.monotonic() - begin) < WEATHER_S:
        cut = cut_of(passed)
        if cut is not None:
            bad = [line for line in LINES if SITES[cut] in line]
        elif len(bad) > 2:
            bad = []
        elif bad and chance.random() < 0.5:
            bad.remove(chance.choice(bad))
        elif len(bad) < 2:
            bad.append(chance.choice([line for line in LINES if line not in bad]))
        yield bad
        time.sleep(chance.uniform(3, 8))
    yield []


@pytest.fixture(scope="module")
def fleet(tmp_path_factory):
    folder = tmp_path_factory.mktemp("weather")
    nodes = nodes_of(SITES, POOLS * PER_SITE)
    for node in nodes:
        node["metadata"]["labels"]["pool"] = f"p{int(node['metadata']['name'].rpartition('-')[2]) // PER_SITE:02d}"
    with FakeCluster(nodes) as cluster:
        allow_moves(cluster)
        probe_tokens(cluster, folder / "tokens", SITES)
        with Replica(cluster, folder, folder / "tokens", migration=MIGRATION) as extender:
            extender.feed()
            cluster.start_scheduler(extender.scheduler_config(ignorable="false"))
            yield cluster, extender


def per_window(moves):
    """The most that began within one window."""
    began = sorted(int(move["began"]) for move in moves)
    # Records have whole seconds.
    return max((sum(first <= other < first + WINDOW_S - 1 for other in began) for first in began), default=0)


def went_back(moves):
    """Pairs of moves of one gang of which the later one returns to what the earlier one left, too early."""
    wrong = []
    for earlier, later in itertools.combinations(sorted(moves, key=lambda move: int(move["move"])), 2):
        if int(later["began"]) - int(earlier["began"]) >= EXCLUSION_S:
            continue
        sites = set(counts(later["to"]))
        left = [set(line.split("~")) for line in earlier["left"].split(",") if "~" in line]
        crosses = len(sites) == 2 and sites in left
        if counts(later["to"]) == counts(earlier["from"]) or crosses:
            wrong.append((earlier, later))
    return wrong


def test_bad_weather(fleet, figures):
    cluster, extender = fleet
    gangs = [Gang(cluster, f"g{number:02d}", SIZE, pool=f"p{number % POOLS:02d}") for number in range(2 * POOLS)]
    for gang in gangs:
        assert len(gang.wait_bound(timeout_s=240)) > 1, gang.sites()
        gang.wait_running(120)
    with Watcher(cluster, extender) as seen:
        for bad in weather(seed=7):
            extender.feed(degraded=["_".join(line) for line in bad], **{"_".join(line): BAD_MS for line in bad})
            assert seen.trouble is None, seen.trouble
        wait_for("the last moves to end", lambda: not extender.report()["moves_open"], 180,
                 hint=lambda: str(extender.report()["moves_open"])[:3000])
    seen.look()

    disturbed = {key: move for key, move in seen.moves.items() if disturbs(move)}
    outcomes = collections.Counter(move["outcome"] for move in seen.moves.values())
    figures("weather: moves", f"{len(disturbed)} of {len({gang for gang, _ in disturbed})} gangs; {dict(outcomes)}")
    figures("weather: under way at once", str(dict(seen.most)))
    figures("weather: held", f"{sum(end - begin for begin, end in seen.held):.0f} s")
    assert len(disturbed) >= 20, "too few to say anything"
    assert set(outcomes) <= {"done", "cancelled", "refused"}, outcomes

    assert not seen.torn
    for gang in gangs:
        gang.wait_running(60)
        last = max((number for name, number in disturbed if name == gang.name), default=None)
        if last is not None:
            assert gang.sites() == counts(disturbed[gang.name, last]["to"]), (gang.name, disturbed[gang.name, last])

    assert seen.most["cluster"] <= LIMITS["cluster"]["concurrent"]
    assert per_window(disturbed.values()) <= LIMITS["cluster"]["perWindow"]
    for site in SITES:
        assert seen.most[site] <= LIMITS["site"]["concurrent"], (site, seen.most)
        of_site = [move for move in disturbed.values() if site in touched(move)]
        assert per_window(of_site) <= LIMITS["site"]["perWindow"], site

    for gang in gangs:
        assert not went_back([move for (name, _), move in disturbed.items() if name == gang.name])

    assert sum(end - begin for begin, end in seen.held) > len(CUTS) * CUT_S / 2
    for (gang, _), move in disturbed.items():
        # A decision of the moment before may be recorded a moment later.
        inside = [span for span in seen.held if span[0] < int(move["began"]) - 1 and int(move["began"]) + 1 < span[1]]
        assert not inside, (gang, move, inside)
