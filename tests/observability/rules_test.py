"""Each alert fires, does not fire early, and resolves, as promtool evaluates the rules."""

import json
import re
import subprocess

import pytest

from alert_cases import CASES
from rules_file import RULES, alerts, alone
from source_families import ROOT

ALERTS = {alert.name: alert for alert in alerts()}
RUNBOOKS = (ROOT / "docs" / "alerts.md").read_text()


def ids():
    """A name for each case; the second of an alert gets a number."""
    seen = {}
    for case in CASES:
        seen[case.alert] = seen.get(case.alert, 0) + 1
        yield case.alert if seen[case.alert] == 1 else f"{case.alert}-{seen[case.alert]}"


IDS = list(ids())


def document(case, rules):
    """The case as promtool reads it, for a file of rules."""
    alert = ALERTS[case.alert]
    unit_s = {"m": 60, "h": 3600}[case.unit]
    fired = [{"exp_labels": {**case.labels, **alert.labels},
              "exp_annotations": {**alert.annotations, "summary": case.summary}}]
    moments = [(case.quiet * unit_s, []), (case.fires * unit_s, fired), (case.resolved * unit_s, [])]
    if alert.hold_s >= unit_s:
        moments.append((case.bad_from * unit_s + alert.hold_s // 2, []))
    return {"rule_files": [str(rules)], "evaluation_interval": f"1{case.unit}",
            "tests": [{"interval": f"1{case.unit}",
                       "input_series": [{"series": name, "values": values} for name, values in case.series.items()],
                       "alert_rule_test": [{"eval_time": f"{at}s", "alertname": case.alert, "exp_alerts": expected}
                                           for at, expected in sorted(moments, key=lambda moment: moment[0])]}]}


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory):
    """{id: what promtool says of the case}. All rules for every case would take it three times as long."""
    folder = tmp_path_factory.mktemp("rules")
    files = {name: folder / f"{name}.json" for name in IDS}
    for name, case in zip(IDS, CASES):
        rules = folder / f"rules-{name}.json"
        rules.write_text(json.dumps(alone(case.alert)))
        files[name].write_text(json.dumps(document(case, rules)))
    done = subprocess.run(["promtool", "test", "rules", *files.values()], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=300)
    parts = re.split(r"^Unit Testing: +(\S+)$", done.stdout, flags=re.MULTILINE)
    told = dict(zip(parts[1::2], parts[2::2]))
    return {name: told.get(str(path), f"promtool said nothing of it: {done.stdout[-2000:]}")
            for name, path in files.items()}


def test_promtool_accepts_the_rules():
    done = subprocess.run(["promtool", "check", "rules", RULES], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr


def test_prometheus_takes_what_the_readme_shows(tmp_path):
    section = (ROOT / "README.md").read_text().split("## Watch it")[1]
    config = tmp_path / "prometheus.yml"
    shown = re.search(r"```yaml\n(.*?)```", section, re.DOTALL)[1]
    config.write_text(shown.replace("fairlead/deploy/prometheus/rules.yaml", str(RULES)))
    done = subprocess.run(["promtool", "check", "config", config], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and "1 rule files found" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("name", IDS)
def test_fires_not_early_and_resolves(name, verdicts):
    assert verdicts[name].strip() == "SUCCESS", verdicts[name]


def test_each_alert_has_a_case():
    assert {case.alert for case in CASES} == set(ALERTS)


@pytest.mark.parametrize("name", ALERTS)
def test_an_alert_can_be_acted_on(name):
    alert = ALERTS[name]
    assert alert.labels["severity"] in ("critical", "warning", "info") and len(alert.labels) == 1
    assert alert.hold_s >= 30
    assert set(alert.annotations) <= {"summary", "description", "runbook_url"}
    assert alert.annotations["summary"].endswith(".")
    assert alert.annotations["runbook_url"] == f"docs/alerts.md#{name.lower()}"
    assert "{{" not in alert.annotations.get("description", "")
    book = re.search(rf"^### {name}\n(.*?)(?=^##|\Z)", RUNBOOKS, re.MULTILINE | re.DOTALL)
    assert book, f"docs/alerts.md has no ### {name}"
    for part in ("**Means**", "**Look**", "**Do**"):
        assert part in book[1], f"docs/alerts.md, {name}: no {part}"


def test_no_runbook_is_left_of_an_alert_that_is_gone():
    assert set(re.findall(r"^### (\w+)$", RUNBOOKS, re.MULTILINE)) == set(ALERTS)
