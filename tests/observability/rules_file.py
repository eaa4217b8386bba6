"""deploy/prometheus/rules.yaml as values."""

import dataclasses
import re

import yaml

from source_families import ROOT

RULES = ROOT / "deploy" / "prometheus" / "rules.yaml"


@dataclasses.dataclass(frozen=True)
class Alert:
    name: str
    expr: str
    hold_s: int  # `for`
    labels: dict
    annotations: dict


def _rules():
    return [rule for group in yaml.safe_load(RULES.read_text())["groups"] for rule in group["rules"]]


def alerts():
    return [Alert(rule["alert"], rule["expr"], seconds(rule["for"]), rule["labels"], rule["annotations"])
            for rule in _rules() if "alert" in rule]


def recorded():
    """{name: expression} of the recording rules."""
    return {rule["record"]: rule["expr"] for rule in _rules() if "record" in rule}


def alone(name):
    """A rules file with one alert, and the recording rules that it stands on."""
    alert = next(rule for rule in _rules() if rule.get("alert") == name)
    kept, text = [], str(alert)
    for rule in reversed([rule for rule in _rules() if "record" in rule]):
        if rule["record"] in text:
            kept.insert(0, rule)
            text += rule["expr"]
    return {"groups": [{"name": "alone", "rules": [*kept, alert]}]}


def seconds(duration):
    amount, unit = re.fullmatch(r"(\d+)([smh])", duration).groups()
    return int(amount) * {"s": 1, "m": 60, "h": 3600}[unit]
