"""Queries that have no series in observability_test.py, and why: (dashboard, panel), with a refId where it is not of
all its queries, or the recorded metric."""

_OFF = "tests of lines are off in this lab, since they take the guests' CPUs; lease_test.py has them"
_HARDWARE = "only drivers of hardware count it; soft-RoCE does not"
_ELECTED = "only elected replicas have it; tests/cluster has an election"
_WELL = "has series only where something is wrong"

REASONS = {
    ("fairlead-lines", "Reasons"): _WELL,
    ("fairlead-lines", "Loss by the HCAs' counters"): "needs reliable traffic of gangs over one line only; hca_counters_test.py makes it",
    ("fairlead-lines", "Ends that differ"): _WELL,
    ("fairlead-lines", "Found by tests"): _OFF,
    ("fairlead-lines", "Spent on tests today"): _OFF,
    ("fairlead-lines", "Declared capacity that can't be right"): _WELL,
    ("fairlead-lines", "Told by other Prometheus queries"): "no queries are configured here; promql_test.py has them",
    ("fairlead-nodes", "Held by"): "only kubelet tells what a container holds; tests/cluster has one",
    ("fairlead-nodes", "Marked Congestion Experienced"): _HARDWARE,
    ("fairlead-nodes", "Paused"): _HARDWARE,
    ("fairlead-nodes", "Resending what had arrived"): _WELL,
    ("fairlead-nodes", "NICs at fault"): _WELL,
    ("fairlead-nodes", "Packets refused"): _WELL,
    ("fairlead-decisions", "Who leads"): _ELECTED,
    ("fairlead-decisions", "Term"): _ELECTED,
    ("fairlead-decisions", "Leaders"): _ELECTED,
    ("fairlead-decisions", "API server", "B"): _WELL,
    ("fairlead-decisions", "API server", "C"): _ELECTED,
    ("fairlead-decisions", "Reports", "B"): _WELL,
    ("fairlead-decisions", "Reports", "C"): _WELL,
    ("fairlead-decisions", "Requests that got no answer"): _WELL,
    ("fairlead-decisions", "Changes of verdicts"): "only for a moment after a change",
    ("fairlead-decisions", "Moves ended"): "nothing is moved in dry-run; migration_test.py moves",
    ("fairlead-decisions", "Requests of moves"): "nothing is moved in dry-run; migration_test.py moves",
    ("fairlead-decisions", "Edits that wait for a restart"): _WELL,
    "link:fairlead_extender_link_port_loss_ratio:max": "as the panel Loss by the HCAs' counters",
    "port:fairlead_linkprobe_hca_marked:ratio_rate5m": _HARDWARE,
    "port:fairlead_linkprobe_hca_paused:rate5m": _HARDWARE,
}
