"""`fairlead-extender replay` on recordings of a running extender and on files that are wrong."""

import json
import re
import subprocess
import time
import xml.etree.ElementTree

import pytest

from extender_stack import BUILD, HEALTHY, ROOT, Extender, write_config
from prometheus import Prometheus

BEGIN = 1795996800  # 2026-11-30T00:00:00Z
JOBS = """room: {hk: 8, sg: 8, tyo: 8}
gangs:
  - name: llm
    namespace: ml
    members: {hk: 4, sg: 4}
    annotations: {comm-pattern: allreduce, comm-bytes: 50MB, compute-ms: "200", checkpoint-on-request: "true"}
"""


def link(source, target, p50, bad):
    return {"from": source, "to": target, "state": "Degraded" if bad else "Healthy",
            "reason": "rtt_step" if bad else "none", "samples": 600, "quorum": 1, "agreeing": int(bad),
            "age_seconds": 0.2, "rtt_seconds": {"min": p50, "p50": p50, "p99": p50}}


def recording(points=200, bad=range(20, 150), step=60):
    """Lines of three sites, hk-sg bad in some of the points."""
    lines = []
    for i in range(points):
        links = [link(a, b, p50, worse) for x, y, p50, worse in
                 (("hk", "sg", 0.12 if i in bad else 0.036, i in bad), ("hk", "tyo", 0.05, False), ("sg", "tyo", 0.068, False))
                 for a, b in ((x, y), (y, x))]
        lines.append(json.dumps({"version": 1, "generated_at_unix_seconds": BEGIN + step * i, "links": links}))
    return lines


class Replay:
    def __init__(self, folder):
        self.folder = folder
        self.config = write_config(folder)
        self.write("links.jsonl", "\n".join(recording()) + "\n")
        self.write("jobs.yaml", JOBS)

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def __call__(self, *more, **files):
        words = [BUILD / "bin/fairlead-extender", "replay"]
        for name, standard in ("links", "links.jsonl"), ("jobs", "jobs.yaml"), ("config", "fairlead.yaml"):
            if files.get(name, standard):
                words += [f"--{name}", files.get(name, standard)]
        return subprocess.run([*words, *more], cwd=self.folder, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture
def replay(tmp_path):
    return Replay(tmp_path)


def test_text_json_and_picture_tell_of_one_move(replay):
    text = replay("--svg", "replay.svg")
    assert text.returncode == 0, text.stderr
    assert "1 move\n2026-11-30T00:30:00Z  ml/llm from 4 in hk and 4 in sg to 8 in hk, for hk-sg" in text.stdout
    picture = xml.etree.ElementTree.parse(replay.folder / "replay.svg").getroot()
    assert picture.tag.endswith("svg") and "1 move" in "".join(picture.itertext())
    told = json.loads(replay("--json").stdout)
    assert [(m["gang"], m["to"]) for m in told["moves"]] == [("ml/llm", {"hk": 8})]
    assert 0 <= told["together"]["regret_seconds"] < 1.2 * told["moves"][0]["cost_seconds"] + 60
    assert sum(told["gangs"][0]["verdict_seconds"].values()) == 200 * 60


def test_arguments(replay):
    for words in ["--nonsense"], ["more"]:
        assert replay(*words).returncode == 2
    for missing in "links", "jobs", "config":
        refused = replay(**{missing: ""})
        assert refused.returncode == 2 and f"--{missing}" in refused.stderr
    nameless = replay("--svg", "")
    assert nameless.returncode == 2 and "--svg needs the name of a file" in nameless.stderr


def test_no_picture_over_what_it_is_drawn_from(replay):
    refused = replay("--svg", "./links.jsonl")
    assert refused.returncode == 1 and "--svg ./links.jsonl is the file of --links" in refused.stderr
    assert (replay.folder / "links.jsonl").read_text() == "\n".join(recording()) + "\n"


def twice(lines):
    return lines[:5] + lines[4:]


def unsorted(lines):
    return [lines[1], lines[0], *lines[2:]]


def in_milliseconds(lines):
    return [lines[0], lines[1].replace("0.036", "36.2"), *lines[2:]]


def in_microseconds_of_a_site(lines):
    return [lines[0], lines[1].replace("0.036", "0.000036"), *lines[2:]]


def cut_off(lines):
    return [*lines[:-1], lines[-1][:-30]]


@pytest.mark.parametrize("spoil, number, said", [
    (twice, 6, "told before"), (unsorted, 2, "sort the file"), (in_milliseconds, 2, "36.2 s"),
    (in_microseconds_of_a_site, 2, "light in fibre"), (cut_off, 200, "cut off"), (lambda _: [], 0, "holds no link"),
], ids=["twice", "unsorted", "milliseconds", "below_the_floor", "cut_off", "empty"])
def test_bad_links_are_named_and_nothing_is_printed(replay, spoil, number, said):
    replay.write("bad.jsonl", "\n".join(spoil(recording())))
    refused = replay("--svg", "none.svg", links="bad.jsonl")
    assert refused.returncode == 1 and refused.stdout == "" and not (replay.folder / "none.svg").exists()
    assert said in refused.stderr and (f"bad.jsonl:{number}: " if number else "bad.jsonl: ") in refused.stderr


@pytest.mark.parametrize("before, after, said", [
    ("hk: 4, sg: 4", "hk: 4, us: 4", 'of site "us" no link was recorded'),
    ("room: {hk: 8, sg: 8", "room: {hk: 3, sg: 8", "room.hk is 3"),
    ("    members", "    start: 2027-11-30T00:00:00Z\n    members", "while links were recorded"),
    ("50MB", "fifty", "comm-bytes"),
], ids=["site", "room", "no_overlap", "annotation"])
def test_bad_jobs_are_named_and_nothing_is_printed(replay, before, after, said):
    replay.write("bad.yaml", JOBS.replace(before, after))
    refused = replay(jobs="bad.yaml")
    assert refused.returncode == 1 and refused.stdout == "" and "bad.yaml:" in refused.stderr and said in refused.stderr


def test_what_a_running_extender_tells_is_a_recording(replay, tmp_path):
    folder = tmp_path / "running"
    folder.mkdir()
    with Extender(folder) as extender:
        extender.feed(*HEALTHY)
        extender.await_state("hk", "sg", "Healthy")
        snapshots, histories = [extender.get("/links.json")], []
        deadline = time.monotonic() + 30
        while len(histories) < 1 and time.monotonic() < deadline:
            time.sleep(0.5)
            answer = extender.links("?from=hk&to=sg")
            history = next(l["history"] for l in answer["links"] if "history" in l)
            histories += [json.dumps(answer)] if len(history) >= 2 else []
        snapshots.append(extender.get("/links.json"))
    replay.write("snapshots.jsonl", "".join(snapshots))
    replay.write("histories.jsonl", "\n".join(histories))
    replay.write("of-two-sites.yaml", JOBS.replace(", tyo: 8", ""))
    for name, jobs in ("snapshots.jsonl", "jobs.yaml"), ("histories.jsonl", "of-two-sites.yaml"):
        told = replay("--json", links=name, jobs=jobs)
        assert told.returncode == 0, told.stderr
        verdicts = json.loads(told.stdout)["gangs"][0]["verdict_seconds"]
        assert set(verdicts) <= {"lines_well", "stale"} and verdicts.get("lines_well", 0) > 0, verdicts


def test_what_a_real_prometheus_tells_is_a_recording(replay, tmp_path):
    """Two jobs that scrape one extender stand for two replicas."""
    query = re.search(r"`(max by \(__name__.*?)`", (ROOT / "docs/migration.md").read_text()).group(1)
    for name in "running", "prometheus":
        (tmp_path / name).mkdir()
    with Extender(tmp_path / "running") as extender:
        extender.feed(*HEALTHY)
        extender.await_state("hk", "sg", "Healthy")
        target = [f"127.0.0.1:{extender.ops}"]
        prometheus = Prometheus(tmp_path / "prometheus", {"one": target, "other": target})
        try:
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline:
                states = prometheus.query('count_over_time(fairlead_extender_link_state{state="Healthy"}[1h]) >= 3')
                if {s["metric"]["job"] for s in states} == {"one", "other"}:
                    break
                time.sleep(0.5)
            now = time.time()
            reply = prometheus.range_reply(query, now - 120, now, 1)
            doubled = prometheus.range_reply('{__name__=~"fairlead_extender_link_.+"}', now - 120, now, 1)
        finally:
            prometheus.stop()
    replay.write("range.json", json.dumps(reply))
    told = replay("--json", links="range.json")
    assert told.returncode == 0, told.stderr
    verdicts = json.loads(told.stdout)["gangs"][0]["verdict_seconds"]
    assert set(verdicts) <= {"lines_well", "stale"} and verdicts.get("lines_well", 0) > 0, verdicts
    replay.write("doubled.json", json.dumps(doubled))
    refused = replay(links="doubled.json")
    assert refused.returncode == 1 and "told twice, as by two replicas" in refused.stderr and query in refused.stderr
