"""The dashboards of deploy/grafana as values."""

import json
import re

from source_families import ROOT

FOLDER = ROOT / "deploy" / "grafana"


def boards():
    """{uid: dashboard}, as parsed from the files."""
    read = [json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json"))]
    return {board["uid"]: board for board in read}


def queries():
    """[(uid, title of the panel, refId, expression)] of all panels."""
    return [(uid, panel["title"], target["refId"], target["expr"]) for uid, board in boards().items()
            for panel in board["panels"] for target in panel.get("targets", ())]


def filled(expression, rate_interval="5m"):
    """The expression as Grafana sends it where all values of each variable are chosen."""
    return re.sub(r"\$(?!__)\w+", ".*", expression.replace("$__rate_interval", rate_interval))
