"""The dashboards are what generate.py writes, are dashboards by Grafana's types, and query what exists."""

import copy
import json
import re
import subprocess
import sys

import pytest

import grafana_types
from dashboards import FOLDER, boards, filled, queries
from metrics_reference import Page
from promql_names import Names
from rules_file import recorded
from source_families import words

BOARDS = boards()
QUERIES = queries()
IDS = [f"{uid}: {title} {ref}" for uid, title, ref, _ in QUERIES]


def panels(board, *kinds):
    return [panel for panel in board["panels"] if not kinds or panel["type"] in kinds]


@pytest.fixture(scope="module")
def names():
    return Names(Page(), recorded(), words())


@pytest.fixture(scope="module")
def types():
    try:
        grafana_types.load()
    except grafana_types.Unavailable as reason:
        pytest.skip(str(reason))
    return grafana_types


def test_the_files_are_what_the_generator_writes():
    done = subprocess.run([sys.executable, FOLDER / "generate.py", "--check"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_there_are_three_with_fixed_uids():
    assert sorted(BOARDS) == ["fairlead-decisions", "fairlead-lines", "fairlead-nodes"]
    assert len({board["title"] for board in BOARDS.values()}) == 3
    assert {path.stem for path in FOLDER.glob("*.json")} == set(BOARDS)


@pytest.mark.parametrize("uid", BOARDS)
def test_grafana_knows_each_key_and_value(types, uid):
    assert types.faults(BOARDS[uid]) == []


@pytest.mark.parametrize("change, fault", [
    (lambda board: board["panels"][1].update(colour="red"), "knows no such key"),
    (lambda board: board.update(schemaVersion="41"), "is no int"),
    (lambda board: board["panels"][1]["options"].update(colorMode="loud"), "is none of"),
    (lambda board: board["panels"][1]["targets"][0].update(expression="up"), "knows no such key"),
    (lambda board: board["templating"]["list"][1].update(multi="yes"), "is no bool"),
], ids=["panel key", "number", "option", "query key", "variable"])
def test_a_wrong_dashboard_is_found(types, change, fault):
    board = copy.deepcopy(BOARDS["fairlead-lines"])
    change(board)
    assert any(fault in each for each in types.faults(board)), types.faults(board)


@pytest.mark.parametrize("uid", BOARDS)
def test_a_dashboard_loads_quickly(uid):
    assert 0 < sum(1 for query in QUERIES if query[0] == uid) < 40


@pytest.mark.parametrize("uid", BOARDS)
def test_panels_are_told_apart_and_explained(uid):
    board = BOARDS[uid]
    ids = [panel["id"] for panel in panels(board)]
    assert len(set(ids)) == len(ids)
    shown = [panel for panel in panels(board) if panel["type"] != "row"]
    assert len({panel["title"] for panel in shown}) == len(shown)
    for panel in shown:
        assert panel["description"].endswith("."), panel["title"]
        assert panel["targets"] and len({target["refId"] for target in panel["targets"]}) == len(panel["targets"])


@pytest.mark.parametrize("uid", BOARDS)
def test_no_panel_covers_another(uid):
    taken = {}
    for panel in panels(BOARDS[uid]):
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= 24, panel["title"]
        for cell in ((x, y) for x in range(place["x"], place["x"] + place["w"])
                     for y in range(place["y"], place["y"] + place["h"])):
            assert taken.setdefault(cell, panel["title"]) == panel["title"], (cell, taken[cell], panel["title"])


@pytest.mark.parametrize("uid", BOARDS)
def test_variables_are_declared_and_used(uid):
    declared = {each["name"] for each in BOARDS[uid]["templating"]["list"]}
    used = set(re.findall(r"\$\{?(?!__)(\w+)\}?", json.dumps(BOARDS[uid]["panels"])))
    assert declared == used and "datasource" in declared
    for panel in panels(BOARDS[uid]):
        for target in panel.get("targets", ()):
            assert target["datasource"]["uid"] == "${datasource}"


@pytest.mark.parametrize("query", QUERIES, ids=IDS)
def test_a_panel_queries_what_exists(names, query):
    *_, expression = query
    assert names.faults(expression) == []
    for ranged in re.findall(r"\[([^\]]*)\]", expression):
        assert ranged == "$__rate_interval", "Grafana chooses the range by the scrape interval"


def test_variables_ask_for_what_exists(names):
    for board in BOARDS.values():
        for variable in board["templating"]["list"]:
            if variable["type"] != "query":
                continue
            metric, label = re.fullmatch(r"label_values\((.*), (\w+)\)", variable["query"]["query"]).groups()
            assert names.faults(metric) == [], variable["name"]
            assert label in names.labels(re.sub(r'.*?(fairlead_)\((\w+)\|.*?\)(\w+).*', r"\1\2\3", metric))


def test_promtool_parses_every_query(tmp_path):
    rules = tmp_path / "queries.json"
    rules.write_text(json.dumps({"groups": [{"name": "queries", "rules": [
        {"record": f"panel:query:n{number}", "expr": filled(expression)}
        for number, (*_, expression) in enumerate(QUERIES)]}]}))
    done = subprocess.run(["promtool", "check", "rules", rules], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
