"""docs/metrics.md has every family, and rules and dashboards name nothing that does not exist."""

import pytest

from dashboards import queries
from metrics_reference import Page, faults
from promql_names import Names, metrics
from rules_file import alerts, recorded
from source_families import families, words

PAGE = Page()
EXPRESSIONS = {**recorded(), **{alert.name: alert.expr for alert in alerts()}}


@pytest.fixture(scope="module")
def names():
    return Names(PAGE, recorded(), words())


def test_the_reference_has_every_family():
    assert faults(PAGE, families()) == []


def test_a_family_that_is_missing_or_gone_is_found():
    known = families()
    gone = known.pop("fairlead_extender_leading")
    known["fairlead_extender_new_total"] = gone
    assert faults(PAGE, known) == ["fairlead_extender_new_total is not in docs/metrics.md",
                                   "fairlead_extender_leading is in docs/metrics.md, and no program has it"]


def test_names_follow_prometheus():
    for name, (kind, _, _) in PAGE.rows.items():
        assert name.endswith("_total") == (kind == "counter"), name
        assert not name.endswith(("_ms", "_us", "_ns", "_percent")), name


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_rules_name_what_exists(names, name):
    assert names.faults(EXPRESSIONS[name]) == []


@pytest.mark.parametrize("expression, fault", [
    ("fairlead_extender_leeding == 1", "no program and no rule has fairlead_extender_leeding"),
    ('fairlead_extender_link_state{status="Down"}', "has no label status"),
    ('fairlead_extender_link_state{state="Dead"}', "no state can be Dead"),
    ('fairlead_extender_link_state{state=~"Down|Dead"}', "no state can be Dead"),
    ("sum by (site) (fairlead_extender_link_state)", "no metric of it has the label site"),
    ("fairlead_extender_leading_bucket", "no program and no rule has fairlead_extender_leading_bucket"),
    ("link:fairlead_extender_link_state:sum", "no program and no rule has link:fairlead_extender_link_state:sum"),
    ("up == 0", "it names no metric of Fairlead"),
])
def test_wrong_names_are_found(names, expression, fault):
    assert any(fault in each for each in names.faults(expression)), names.faults(expression)


def test_every_recorded_metric_is_used():
    texts = [*EXPRESSIONS.values(), *(expression for *_, expression in queries()),
             *(alert.annotations["summary"] for alert in alerts())]
    used = {name for text in texts for name, _ in metrics(text)}
    assert set(recorded()) - used == set()
