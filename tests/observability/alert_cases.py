"""What has to be the case for each alert to fire, and what it says then.

Every case is well for 20 minutes, bad for 40 and well again for 60. A series is written as promtool does.
"""

import dataclasses

LEADER = 'fairlead_extender_leading{job="extender",instance="e1:9472"}'
LEADING = {LEADER: "1x120", 'fairlead_extender_leading{job="extender",instance="e2:9472"}': "0x120"}
E1 = 'job="extender",instance="e1:9472"'
E2 = 'job="extender",instance="e2:9472"'
P1 = 'job="linkprobe",instance="n1:9471"'
N1 = 'job="deviceplugin",instance="n1:9473"'
LINK = 'src_site="hk",dst_site="sg"'
PATH = f'{P1},{LINK},peer="sg-1",path="0",transport="rdma_ud_hw"'
PROBE = {"job": "linkprobe", "instance": "n1:9471"}
NODE = {"job": "deviceplugin", "instance": "n1:9473"}
SITES = {"src_site": "hk", "dst_site": "sg"}


def gauge(bad, well="0"):
    """`well` may be "_", which is no value: promtool counts those otherwise."""
    return f"{well}x{20 if well == '_' else 19} {bad}x39 {well}x60"


def counter(step=5):
    return f"0x19 {step}+{step}x39 {step * 40}x60"


@dataclasses.dataclass(frozen=True)
class Case:
    """`labels` without the severity. Minutes unless `unit` says otherwise."""
    alert: str
    series: dict
    labels: dict
    summary: str
    unit: str = "m"
    quiet: int = 19
    bad_from: int = 20
    fires: int = 59
    resolved: int = 115


def state(name):
    return {**LEADING, f'fairlead_extender_link_state{{{E1},{LINK},state="{name}"}}': gauge(1),
            f'fairlead_extender_link_state{{{E1},{LINK},state="Healthy"}}': gauge(0, 1),
            f'fairlead_extender_link_state{{{E1},src_site="hk",dst_site="tyo",state="Healthy"}}': "1x120",
            # The follower's opinion does not count.
            f'fairlead_extender_link_state{{{E2},src_site="sg",dst_site="hk",state="{name}"}}': "1x120"}


def migration(reason):
    return {**LEADING, f'fairlead_extender_migration_gangs{{{E1},reason="{reason}"}}': gauge(2),
            f'fairlead_extender_migration_gangs{{{E1},reason="lines_well"}}': "5x120",
            f'fairlead_extender_migration_gangs{{{E2},reason="{reason}"}}': "7x120"}


CASES = [
    Case("FairleadLineDown", state("Down"), {**SITES, "state": "Down"}, "Line hk to sg is down: no probe comes back."),
    Case("FairleadLineDegraded",
         {**state("Degraded"), f'fairlead_linkprobe_link_reason{{{PATH},reason="rtt_step"}}': gauge(1, "_"),
          f'fairlead_linkprobe_link_reason{{{PATH.replace("sg-1", "sg-2")},reason="rtt_step"}}': gauge(1, "_"),
          f'fairlead_linkprobe_link_reason{{{PATH.replace("sg-1", "sg-3")},reason="none"}}': "1x120"},
         {**SITES, "state": "Degraded"}, "Line hk to sg is degraded, rtt_step by 2 paths."),
    Case("FairleadLineNotMeasured", state("Unknown"), {**SITES, "state": "Unknown"},
         "Line hk to sg has not been judged for 5 minutes."),
    Case("FairleadLineLossHigh",
         {f'fairlead_linkprobe_loss_ratio_lower{{{PATH},direction="reverse"}}': gauge(0.05, 0.001),
          f'fairlead_linkprobe_loss_ratio_lower{{{PATH},direction="forward"}}': "0.01x120"},
         {**SITES, "direction": "reverse"}, "At least 5% of the probes are lost between hk and sg, reverse."),
    Case("FairleadLineLossByCounters",
         {**LEADING, f'fairlead_extender_link_port_loss_ratio{{{E1},{LINK},counts="yes",bound="lower"}}': gauge(2e-5),
          f'fairlead_extender_link_port_loss_ratio{{{E1},{LINK},counts="yes",bound="upper"}}': "1x120",
          f'fairlead_extender_link_port_loss_ratio{{{E1},src_site="hk",dst_site="tyo",counts="no",bound="lower"}}': "1x120"},
         {**SITES, "bound": "lower"},
         "The HCAs' counters show that 0.002% of the packets or more are lost between hk and sg."),
    Case("FairleadLineDetour",
         {'fairlead_extender_leading{job="extender",instance="e1:9472"}': "1x300",
          f'fairlead_extender_link_rtt_p50_seconds{{{E1},{LINK}}}': "0.036x199 0.048x39 0.036x60",
          f'fairlead_extender_link_rtt_p50_seconds{{{E1},src_site="hk",dst_site="tyo"}}': "0.050x199 0.0515x100"},
         SITES, "The RTT between hk and sg is 48ms, over a tenth more than a week ago.",
         unit="h", quiet=199, bad_from=200, fires=239, resolved=260),
    Case("FairleadLineSlowerThanDeclared",
         {f'fairlead_linkprobe_bandwidth_bytes_per_second{{{P1},{LINK},source="saturation",at_least="false"}}':
              gauge("2.5e9", "1.2e10"),
          f'fairlead_linkprobe_bandwidth_bytes_per_second{{{P1},src_site="hk",dst_site="tyo",source="saturation",at_least="true"}}':
              "1e6x120",
          f'fairlead_linkprobe_line_declared_bytes_per_second{{{P1},{LINK}}}': "1.25e10x120",
          f'fairlead_linkprobe_line_declared_bytes_per_second{{{P1},src_site="hk",dst_site="tyo"}}': "1.25e10x120"},
         SITES, "The newest test filled hk to sg and found 20% of the declared capacity."),
    Case("FairleadLineCapacityDoubtful",
         {**LEADING, f'fairlead_extender_link_declared_doubt{{{E1},{LINK},doubt="exceeded"}}': gauge(1, "_"),
          f'fairlead_extender_link_declared_doubt{{{E2},src_site="hk",dst_site="tyo",doubt="exceeded"}}': "1x120"},
         {**SITES, "doubt": "exceeded"}, "The capacity that is declared for hk to sg can't be right: exceeded."),
    Case("FairleadLineFull",
         {**LEADING, f'fairlead_extender_link_available_bytes_per_second{{{E1},{LINK}}}': gauge("1e8", "6e9"),
          f'fairlead_extender_link_rate_bytes_per_second{{{E1},{LINK},source="declared"}}': "1e10x120"},
         SITES, "Line hk to sg has 1% of its capacity left."),
    Case("FairleadBandwidthTestsSpent",
         {**LEADING,
          f'fairlead_extender_bandwidth_wait{{{E1},{LINK},kind="train",reason="bytes_spent"}}': "_x20 1x99 _x10",
          f'fairlead_extender_bandwidth_wait{{{E1},{LINK},kind="saturation",reason="off"}}': "1x130",
          f'fairlead_extender_bandwidth_wait{{{E2},{LINK},kind="saturation",reason="bytes_spent"}}': "1x130"},
         {**SITES, "kind": "train"},
         "Today's bytes for tests of the line hk to sg are spent; train waits until 0:00 UTC.",
         fires=100, resolved=129),
    Case("FairleadProbeNotReporting", {f"fairlead_linkprobe_report_stream_connected{{{P1}}}": gauge(0, 1)}, PROBE,
         "linkprobe at n1:9471 reaches no extender."),
    Case("FairleadProbeTransportDown",
         {f'fairlead_linkprobe_transport_up{{{P1},kind="verbs"}}': gauge(0, 1),
          f'fairlead_linkprobe_transport_up{{{P1},kind="udp"}}': "0x120",
          'fairlead_linkprobe_transport_up{job="linkprobe",instance="n2:9471",kind="verbs"}': "0x120",
          'fairlead_linkprobe_transport_up{job="linkprobe",instance="n2:9471",kind="udp"}': "1x120"},
         PROBE, "linkprobe at n1:9471 can neither send nor receive probes."),
    Case("FairleadProbeSilent",  # the newest reply stays that of minute 20 until minute 60
         {f"fairlead_linkprobe_last_reply_timestamp_seconds{{{PATH}}}": "0+60x19 1200x39 3600+60x60"},
         PROBE, "No probe of linkprobe at n1:9471 has been answered for 39m 0s, by any peer."),
    Case("FairleadBelowFloor",
         {f'fairlead_linkprobe_samples_refused_total{{{PATH},reason="below_floor"}}': counter(3),
          f'fairlead_linkprobe_samples_refused_total{{{PATH.replace("hk", "tyo")},reason="impossible"}}': "0+3x120"},
         SITES, "30 round trips between hk and sg were faster than light in fibre in 10 minutes."),
    Case("FairleadClockSteps", {f'fairlead_linkprobe_clock_steps_total{{{P1},kind="verbs"}}': "0x19 1+1x39 40x90"},
         PROBE, "The clock of n1:9471 was set 40 times in an hour.", bad_from=24, resolved=145),
    Case("FairleadHostNoise",
         {f'fairlead_linkprobe_host_lateness_p90_seconds{{{P1},kind="verbs"}}': gauge(0.05, 0.001)}, PROBE,
         "n1:9471 wakes linkprobe 50ms late."),
    Case("FairleadSpuriousRetransmission",
         {f'fairlead_linkprobe_spurious_retransmission{{{P1},device="mlx5_0",port="1",cause="adaptive_timer"}}': gauge(1)},
         {**PROBE, "device": "mlx5_0", "port": "1", "cause": "adaptive_timer"},
         "mlx5_0 port 1 of n1:9471 takes part in resending packets that had arrived: adaptive_timer."),
    Case("FairleadCongestionMarks",
         {f'fairlead_linkprobe_hca_np_ecn_marked_roce_packets_total{{{P1},device="mlx5_0",port="1",source="hw_counters",'
          'counter="np_ecn_marked_roce_packets"}': counter(60),
          f'fairlead_linkprobe_hca_receive_packets_total{{{P1},device="mlx5_0",port="1",source="counters",'
          'counter="port_rcv_packets"}': "0+1200x120"},
         {**PROBE, "device": "mlx5_0", "port": "1"},
         "5% of what mlx5_0 port 1 of n1:9471 receives is marked Congestion Experienced."),
    Case("FairleadPaused",
         {f'fairlead_linkprobe_hca_pause_seconds_total{{{P1},device="mlx5_0",port="1",source="ethtool",'
          'counter="rx_prio3_pause_duration",direction="receive",priority="3"}': counter(15)},
         {**PROBE, "device": "mlx5_0", "port": "1", "direction": "receive", "priority": "3"},
         "mlx5_0 port 1 of n1:9471 is paused for 25% of the time (receive, priority 3)."),
    Case("FairleadEndsDiffer",
         {f'fairlead_linkprobe_peer_difference{{{PATH},trait="path_mtu",here="4096",there="1024"}}': gauge(1, "_")},
         {**SITES, "peer": "sg-1", "trait": "path_mtu", "here": "4096", "there": "1024"},
         "path_mtu is 4096 in hk and 1024 at sg-1 in sg."),
    Case("FairleadHcaUnhealthy",
         {f'fairlead_deviceplugin_device_healthy{{{N1},device="mlx5_1"}}': gauge(0, 1),
          f'fairlead_deviceplugin_device_ailment{{{N1},device="mlx5_1",reason="link_down"}}': gauge(1, "_")},
         {**NODE, "device": "mlx5_1"}, "HCA mlx5_1 of n1:9473 is unhealthy: link_down."),
    Case("FairleadNoHealthyDevice",
         {f'fairlead_deviceplugin_devices{{{N1},resource="rdma/hca",health="healthy"}}': gauge(0, 2),
          f'fairlead_deviceplugin_devices{{{N1},resource="rdma/hca",health="unhealthy"}}': gauge(2, 0),
          # A pool that has no device at all is no fault.
          f'fairlead_deviceplugin_devices{{{N1},resource="rdma/other",health="healthy"}}': "0x120",
          f'fairlead_deviceplugin_devices{{{N1},resource="rdma/other",health="unhealthy"}}': "0x120"},
         {**NODE, "resource": "rdma/hca"}, "n1:9473 has devices of rdma/hca, and none is healthy."),
    Case("FairleadNotOffered",
         {f'fairlead_deviceplugin_connected{{{N1},resource="rdma/hca"}}': gauge(0, 1),
          f"fairlead_deviceplugin_kubelet_present{{{N1}}}": "1x120",
          'fairlead_deviceplugin_connected{job="deviceplugin",instance="n2:9473",resource="rdma/hca"}': "0x120",
          'fairlead_deviceplugin_kubelet_present{job="deviceplugin",instance="n2:9473"}': "0x120"},
         {**NODE, "resource": "rdma/hca"}, "kubelet of n1:9473 does not read the devices of rdma/hca."),
    Case("FairleadAllocationsRefused",
         {f'fairlead_deviceplugin_allocations_total{{{N1},resource="rdma/hca",result="refused"}}': counter(1),
          f'fairlead_deviceplugin_allocations_total{{{N1},resource="rdma/other",result="granted"}}': "0+1x120"},
         {**NODE, "resource": "rdma/hca"}, "n1:9473 refused rdma/hca to pods, 15 times in 15 minutes."),
    Case("FairleadContainerStartsFail",
         {f'fairlead_deviceplugin_container_starts_total{{{N1},resource="rdma/hca",result="failed"}}': counter(1),
          f'fairlead_deviceplugin_container_starts_total{{{N1},resource="rdma/other",result="taken"}}': "0+1x120"},
         {**NODE, "resource": "rdma/hca"},
         "Containers with rdma/hca could not start on n1:9473, 15 times in 15 minutes."),
    Case("FairleadNodeFault",
         {f'fairlead_node_check{{{N1},check="port_state",status="fault"}}': gauge(1, "_"),
          f'fairlead_node_check{{{N1},check="acs",status="warning"}}': "1x120"},
         {**NODE, "check": "port_state", "status": "fault"}, "The doctor finds a fault on n1:9473: port_state."),
    Case("FairleadNoLeader", {LEADER: gauge(0, 1), f'fairlead_extender_requests_total{{{E1},path="/links",code="200"}}': "0x120"},
         {}, "No extender leads."),
    Case("FairleadNoLeader",  # one that is not elected, and away
         {f'fairlead_extender_requests_total{{{E1},path="/links",code="200"}}': gauge("_", 1).replace("_x39", "_x40")},
         {}, "No extender leads."),
    Case("FairleadTwoLeaders",
         {LEADER: "1x120", 'fairlead_extender_leading{job="extender",instance="e2:9472"}': gauge(1)}, {},
         "2 extenders lead at once."),
    Case("FairleadClusterViewStale",
         {**LEADING, f'fairlead_extender_cluster_age_seconds{{{E1},resource="nodes"}}': gauge(200, 20),
          f'fairlead_extender_cluster_age_seconds{{{E1},resource="podgroups"}}': "900x120",
          f'fairlead_extender_cluster_age_seconds{{{E2},resource="pods"}}': "900x120"},
         {"resource": "nodes"}, "The API server has told the extender nothing of nodes for 3m 20s."),
    Case("FairleadClusterNotListed",
         {f'fairlead_extender_cluster_synced{{{E2},resource="jobs"}}': gauge(0, 1),
          f'fairlead_extender_cluster_absent{{{E2},resource="jobs"}}': "0x120",
          f'fairlead_extender_cluster_synced{{{E2},resource="podgroups"}}': "0x120",
          f'fairlead_extender_cluster_absent{{{E2},resource="podgroups"}}': "1x120"},
         {"resource": "jobs"}, "An extender cannot list jobs."),
    Case("FairleadSchedulerRequestsFail",
         {f'fairlead_extender_requests_total{{{E1},path="/kube/filter",code="400"}}': counter(),
          f'fairlead_extender_requests_total{{{E1},path="/kube/filter",code="200"}}': "0+5x120",
          f'fairlead_extender_requests_total{{{E1},path="other",code="404"}}': "0+5x120"},
         {"path": "/kube/filter", "code": "400"}, "Requests of schedulers to /kube/filter end with code 400."),
    Case("FairleadFollowerAsked", {f"fairlead_extender_follower_refusals_total{{{E2}}}": counter()},
         {"job": "extender", "instance": "e2:9472"}, "Schedulers keep asking e2:9472, which does not lead."),
    Case("FairleadBodiesUnreadable", {f'fairlead_extender_decode_errors_total{{{E1},reason="malformed"}}': counter()},
         {"reason": "malformed"}, "Requests of schedulers cannot be read: malformed."),
    Case("FairleadAnswersSlow",
         {f'fairlead_extender_request_duration_seconds_bucket{{{E1},path="/kube/filter",le="0.1"}}':
              "0+10x19 200x39 200+10x60",
          f'fairlead_extender_request_duration_seconds_bucket{{{E1},path="/kube/filter",le="0.25"}}': "0+10x120",
          f'fairlead_extender_request_duration_seconds_bucket{{{E1},path="/kube/filter",le="+Inf"}}': "0+10x120",
          f'fairlead_extender_request_duration_seconds_bucket{{{E1},path="/links",le="0.1"}}': "0x120",
          f'fairlead_extender_request_duration_seconds_bucket{{{E1},path="/links",le="+Inf"}}': "0+10x120"},
         {"path": "/kube/filter"}, "One answer in a hundred to /kube/filter takes 248.5ms or longer."),
    Case("FairleadProbesRefused", {f'fairlead_extender_reports_refused_total{{{E1},reason="unauthenticated"}}': counter()},
         {"reason": "unauthenticated"}, "The extender refuses reports of probes: unauthenticated."),
    Case("FairleadTokensRefused", {f'fairlead_extender_tokens_refused_total{{{E1},reason="audience"}}': counter()},
         {"reason": "audience"}, "Tokens of probes prove nothing to the extender: audience."),
    Case("FairleadWritesFail", {f'fairlead_extender_write_failures_total{{{E1},reason="forbidden"}}': counter()},
         {"reason": "forbidden"}, "The extender cannot write Events or node annotations: forbidden."),
    Case("FairleadQueryWithoutAnswer",
         {f'fairlead_extender_promql_answer_age_seconds{{{E1},query="router-rtt"}}': gauge(900, 10),
          f'fairlead_extender_promql_queries_total{{{E1},query="router-rtt"}}': "1+1x120"},
         {"query": "router-rtt"}, "The query router-rtt of extender.prometheus has had no answer for 5 minutes."),
    Case("FairleadQueryWithoutAnswer",  # one that never had any
         {f'fairlead_extender_promql_answer_age_seconds{{{E1},query="loss"}}': "_x60 5x60",
          f'fairlead_extender_promql_queries_total{{{E1},query="loss"}}': "0x19 1+1x99"},
         {"query": "loss"}, "The query loss of extender.prometheus has had no answer for 5 minutes."),
    *(Case("FairleadConfigRefused",
           {f'fairlead_{program}_config_reloads_total{{job="{program}",instance="n1:1",result="refused"}}': counter(1),
            f'fairlead_{program}_config_reloads_total{{job="{program}",instance="n1:1",result="applied"}}': "0+1x120"},
           {"job": program, "instance": "n1:1"},
           "n1:1 refused an edit of its configuration and keeps the last good one.")
      for program in ("extender", "linkprobe", "deviceplugin")),
    *(Case("FairleadRestartNeeded",
           {f'fairlead_{program}_config_restart_needed{{job="{program}",instance="n1:1",key="{program}.opsListen"}}': gauge(1)},
           {"job": program, "instance": "n1:1", "key": f"{program}.opsListen"},
           f"The edit of {program}.opsListen takes effect at n1:1 only after a restart.")
      for program in ("extender", "linkprobe", "deviceplugin")),
    Case("FairleadMigrationHeld",
         {**LEADING, f"fairlead_extender_migration_held{{{E1}}}": gauge(1),
          f"fairlead_extender_migration_held{{{E2}}}": "1x120"}, {},
         "Too many lines or gangs are bad at once; every move is held."),
    Case("FairleadMigrationBlocked", migration("no_better_place"), {"reason": "no_better_place"},
         "Gangs that stay on bad lines until a person does something (no_better_place): 2."),
    Case("FairleadMigrationAdvised", migration("dry_run"), {"reason": "dry_run"},
         "Gangs that would gain from a move now, while migration.mode is dry-run for them: 2."),
    Case("FairleadMoveStuck",
         {**LEADING, f"fairlead_extender_migration_moves_stuck{{{E1}}}": gauge(1),
          f"fairlead_extender_migration_moves_stuck{{{E2}}}": "1x120"}, {},
         "Gangs that were stopped to be moved and do not run again: 1."),
    Case("FairleadMovesFail",  # the first of its kind
         {f'fairlead_extender_migration_moves_total{{{E1},lever="suspend",outcome="refused"}}': "_x20 1x130",
          f'fairlead_extender_migration_moves_total{{{E1},lever="suspend",outcome="done"}}': "_x20 1+1x129"},
         {"lever": "suspend", "outcome": "refused"},
         "A move by suspend ended in the last hour without moving its gang: refused.", resolved=140),
    Case("FairleadMovesFail",
         {f'fairlead_extender_migration_moves_total{{{E1},lever="volcano",outcome="unanswered"}}': "3x99 4x150"},
         {"lever": "volcano", "outcome": "unanswered"},
         "A move by volcano ended in the last hour without moving its gang: unanswered.",
         quiet=99, bad_from=100, fires=139, resolved=220),
]
