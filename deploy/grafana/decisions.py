"""The dashboard of decisions: answers to schedulers, the view they rest on, moves of gangs, and every "no"."""

from panels import bars, dashboard, heatmap, query, row, stat, steps, table, timeline, timeseries, value_mapping

YES = value_mapping({0: ("no", "red"), 1: ("yes", "green")})
LEADS = value_mapping({0: ("follows", "blue"), 1: ("leads", "green")})
SCHEDULERS = 'path=~"/kube/.*|/volcano/.*"'
RATE = "[$__rate_interval]"


def leaders(expression):
    """What the leader has; a follower's view is as good, and its counts are others."""
    return f"{expression} unless on (job, instance) fairlead_extender_leading == 0"


def answers():
    return [
        row("Answers"),
        timeline("Who leads", "One replica at a time.", [query("fairlead_extender_leading", "{{instance}}")], LEADS, w=16, h=5),
        stat("Term", "Grows with each leader.", [query("max(fairlead_extender_leader_term)", "term", instant=True)], w=4, h=5),
        stat("Leaders", "One is right.", [query("sum(fairlead_extender_leading)", "leaders", instant=True)], w=4, h=5,
             steps=[{"color": "red", "value": None}, {"color": "green", "value": 1}, {"color": "red", "value": 2}]),
        timeseries("Requests of schedulers", "By path and status code.",
                   [query(f"path_code:fairlead_extender_requests:rate5m{{{SCHEDULERS}}} > 0", "{{path}} {{code}}")], unit="reqps"),
        timeseries("How long answers take", "99th percentile over five minutes.",
                   [query("path:fairlead_extender_request_duration_seconds:p99_5m", "{{path}}")], unit="s"),
        heatmap("Time of answers", "From the last byte of the request to the answer in the kernel's hands.",
                f"sum by (le) (increase(fairlead_extender_request_duration_seconds_bucket{{{SCHEDULERS}}}{RATE}))", "s"),
        timeseries("Requests that got no answer", "A follower was asked, the body could not be read, or another error.",
                   [query(f"sum by (instance) (rate(fairlead_extender_follower_refusals_total{RATE}))", "{{instance}} follows"),
                    query(f"sum by (reason) (rate(fairlead_extender_decode_errors_total{RATE}))", "unreadable: {{reason}}"),
                    query(f'sum by (path, code) (rate(fairlead_extender_requests_total{{code!="200"}}{RATE}))', "{{path}} {{code}}")],
                   unit="reqps"),
    ]


def view():
    return [
        row("What they rest on"),
        timeseries("Objects", "In the leader's view of the cluster.",
                   [query(f"max by (kind) ({leaders('fairlead_extender_cluster_objects')})", "{{kind}}")], w=8, log=True),
        timeseries("Age of the view", "Since the API server told of a resource. Beyond kubernetes.stale scores are neutral.",
                   [query(f"max by (resource) ({leaders('fairlead_extender_cluster_age_seconds')})", "{{resource}}")], unit="s", w=8),
        timeseries("Probes connected", "By site.",
                   [query(f"max by (site) ({leaders('fairlead_extender_probes_connected')})", "{{site}}")], w=8),
        timeseries("Reports", "Paths taken from probes, and what was refused.",
                   [query(f"sum(rate(fairlead_extender_reports_accepted_total{RATE}))", "taken"),
                    query(f"sum by (reason) (rate(fairlead_extender_reports_refused_total{RATE}))", "refused: {{reason}}"),
                    query(f"sum by (reason) (rate(fairlead_extender_tokens_refused_total{RATE}))", "token refused: {{reason}}")],
                   unit="cps"),
        timeseries("API server", "Lists, watches, writes and the Lease that failed, by reason; conflicts are ordinary.",
                   [query(f"sum by (resource, reason) (rate(fairlead_extender_cluster_follow_failures_total{RATE}))", "{{resource}} {{reason}}"),
                    query(f"sum by (reason) (rate(fairlead_extender_write_failures_total{RATE}))", "write: {{reason}}"),
                    query(f"sum by (reason) (rate(fairlead_extender_lease_failures_total{RATE})) > 0", "Lease: {{reason}}")],
                   unit="cps"),
        timeline("Listed whole", "Where the API server has the resource.",
                 [query("min by (resource) (fairlead_extender_cluster_synced and fairlead_extender_cluster_absent == 0)", "{{resource}}")],
                 YES, w=12, h=6),
        timeseries("Events", "Written for people, dropped as there were too many; nodes marked for waiting pods.",
                   [query(f"sum(rate(fairlead_extender_events_written_total{RATE}))", "written"),
                    query(f"sum(rate(fairlead_extender_events_dropped_total{RATE}))", "dropped"),
                    query(f"sum(rate(fairlead_extender_nodes_marked_total{RATE}))", "nodes marked")], unit="cps", h=6),
    ]


def migration():
    return [
        row("Gangs and moves"),
        bars("Gangs by verdict", "Now. All but `move` are a no, and docs/migration.md says what each means.",
             [query("reason:fairlead_extender_migration_gangs:max > 0", "{{reason}}", instant=True)], w=8),
        timeseries("Verdicts over time", "Gangs by the newest verdict about them.",
                   [query("reason:fairlead_extender_migration_gangs:max > 0", "{{reason}}")], stack=True, w=16),
        timeseries("Changes of verdicts", "Times a gang came to a verdict from another.",
                   [query(f"sum by (reason) ({leaders(f'increase(fairlead_extender_migration_verdicts_total{RATE})')}) > 0", "{{reason}}")],
                   bars=True, stack=True),
        stat("Mode", "Of the cluster; namespaces and classes may have others.",
             [query(f"max by (mode) ({leaders('fairlead_extender_migration_mode')}) == 1", "{{mode}}", instant=True)], w=4, h=8),
        stat("Held", "The breaker: too much is bad at once.",
             [query(f"max({leaders('fairlead_extender_migration_held')})", "held", instant=True)], w=4, h=8, mappings=value_mapping(
                 {0: ("no", "green"), 1: ("held", "red")})),
        timeseries("Moves under way", "By the step they are in, and those that are stuck.",
                   [query(f"sum by (step) ({leaders('fairlead_extender_migration_moves_open')})", "{{step}}"),
                    query(f"sum({leaders('fairlead_extender_migration_moves_stuck')})", "stuck")], stack=True),
        timeseries("Moves ended", "By lever and how; only `done` moved a gang.",
                   [query(f"sum by (lever, outcome) (increase(fairlead_extender_migration_moves_total{RATE}))", "{{lever}} {{outcome}}")],
                   bars=True, stack=True),
        timeseries("Requests of moves", "To the API server, by kind and result.",
                   [query(f"sum by (kind, result) (rate(fairlead_extender_migration_calls_total{RATE}))", "{{kind}} {{result}}")], unit="cps"),
        timeseries("Time of a round", "What deciding about all gangs took.",
                   [query(f"max({leaders('fairlead_extender_migration_round_seconds')})", "round")], unit="s", w=4),
    ]


def tests_and_configuration():
    return [
        row("Bandwidth tests and configuration"),
        timeseries("Tests ended", "By kind and what became of them.",
                   [query(f"sum by (kind, result) (increase(fairlead_extender_bandwidth_leases_ended_total{RATE}))", "{{kind}} {{result}}")],
                   bars=True, stack=True),
        timeseries("Edits of the configuration", "Taken and refused, by program.",
                   [query(f"sum by (result) (increase(fairlead_extender_config_reloads_total{RATE}))", "extender {{result}}"),
                    query(f"sum by (result) (increase(fairlead_linkprobe_config_reloads_total{RATE}))", "linkprobe {{result}}"),
                    query(f"sum by (result) (increase(fairlead_deviceplugin_config_reloads_total{RATE}))", "deviceplugin {{result}}")],
                   bars=True),
        table("Edits that wait for a restart", "Keys that are not live.",
              [query("max by (job, instance, key) (fairlead_extender_config_restart_needed or fairlead_linkprobe_config_restart_needed "
                     "or fairlead_deviceplugin_config_restart_needed) == 1")],
              {"job": "job", "instance": "instance", "key": "key"}, w=24, h=6),
    ]


def build():
    return dashboard(
        "fairlead-decisions", "Fairlead: decisions",
        "What schedulers were answered and on what ground, what is decided about gangs, and every no. /explain of the extender has each decision in a sentence.",
        [], [*answers(), *view(), *migration(), *tests_and_configuration()])
