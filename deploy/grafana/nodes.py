"""The dashboard of nodes: their HCAs, health, counters, and what the doctor finds."""

from panels import bars, dashboard, query, row, stat, steps, table, timeline, timeseries, value_mapping, variable

WELL = value_mapping({0: ("unhealthy", "red"), 1: ("healthy", "green")})
YES = value_mapping({0: ("no", "red"), 1: ("yes", "green")})
PORT = "{{node}} {{device}}/{{port}}"
ERRORS = ("packet_seq_err|out_of_sequence|implied_nak_seq_err|local_ack_timeout_err|roce_adp_retrans|duplicate_request|"
          "rnr_nak_retry_err|out_of_buffer|out_of_seq_request|rcvd_seq_err|completer_retry_err|retry_exceeded_err")


def plugin(expression):
    """With the label node in place of the target's, of the nodes that are chosen."""
    return f'{expression} * on (job, instance) group_left (node) fairlead_deviceplugin_info{{node=~"$node"}}'


def probe(expression):
    return f'{expression} * on (job, instance) group_left (node, site) fairlead_linkprobe_info{{node=~"$node", site=~"$site"}}'


def devices():
    return [
        row("HCAs"),
        stat("Devices offered", "To kubelet, by health, over the nodes that are chosen.",
             [query(f"sum by (health) ({plugin('fairlead_deviceplugin_devices')})", "{{health}}", instant=True)],
             w=8, colors={"healthy": "green", "unhealthy": "red"}),
        stat("Resources that kubelet does not read", "Each is a node and a resource.",
             [query(f"count({plugin('(fairlead_deviceplugin_connected == 0)')}) or vector(0)", "not connected", instant=True)],
             w=8, steps=steps("green", red=1)),
        stat("Held by containers", "Devices that kubelet says a container has.",
             [query(f"count({plugin('fairlead_deviceplugin_allocated')}) or vector(0)", "held", instant=True)], w=8),
        table("HCAs", "What each node has.", [query(plugin("fairlead_deviceplugin_device_info"))],
              {"node": "node", "device": "HCA", "driver": "driver", "protocol": "protocol", "pci": "PCI", "numa_node": "NUMA",
               "firmware": "firmware"}, w=14),
        table("What ails", "Also before the debounce has passed.", [query(plugin("fairlead_deviceplugin_device_ailment"))],
              {"node": "node", "device": "HCA", "reason": "reason"}, w=10),
        timeline("Health", "As kubelet is told.", [query(plugin("fairlead_deviceplugin_device_healthy"), "{{node}} {{device}}")], WELL),
        table("Held by", "Container and device.", [query(plugin("fairlead_deviceplugin_allocated"))],
              {"node": "node", "namespace": "namespace", "pod": "pod", "container": "container", "resource": "resource", "id": "device"}),
        table("In no pool", "HCAs that are left out, and why each pool does not take them.",
              [query(plugin("fairlead_deviceplugin_device_left_out"))],
              {"node": "node", "device": "HCA", "pool": "pool", "reason": "reason"}),
        timeseries("Allocations", "kubelet's calls, by result. A refused one fails its pod for good.",
                   [query("sum by (node, resource, result) (" +
                          plugin("rate(fairlead_deviceplugin_allocations_total[$__rate_interval])") + ")",
                          "{{node}} {{resource}} {{result}}")], unit="cps"),
        timeline("Read by kubelet", "Whether kubelet reads the devices of each resource.",
                 [query(plugin("fairlead_deviceplugin_connected"), "{{node}} {{resource}}")], YES, w=12),
    ]


def doctor():
    return [
        row("Doctor"),
        bars("Checks by status", "Of all nodes that are chosen.",
             [query(f"count by (status) ({plugin('fairlead_node_check')})", "{{status}}", instant=True)], w=8),
        table("Faults and warnings", "`fairlead-deviceplugin doctor` on the node says what was seen, what it costs, what to do.",
              [query(plugin('fairlead_node_check{status=~"fault|warning"}'))],
              {"node": "node", "check": "check", "status": "status"}, w=16),
    ]


def counters():
    return [
        row("What the HCAs count"),
        timeseries("Traffic", "Of each port, to wherever.",
                   [query(probe("max by (job, instance, device, port, direction) (fairlead_linkprobe_hca_traffic_bytes_per_second)"),
                          f"{PORT} {{{{direction}}}}")], unit="Bps"),
        timeseries("Loss", "Lower ends of the 95 % intervals: proven gaps of reliable connections, and the better of these and probes.",
                   [query(probe("fairlead_linkprobe_transport_loss_ratio_lower"), f"{PORT} {{{{direction}}}} counters"),
                    query(probe("fairlead_linkprobe_fused_loss_ratio_lower"), f"{PORT} {{{{direction}}}} fused")],
                   unit="percentunit", log=True),
        timeseries("Errors and retransmissions", "Per second, by the driver's names.",
                   [query(probe(f'rate({{__name__=~"fairlead_linkprobe_hca_.*_total", counter=~"{ERRORS}"}}[$__rate_interval])'),
                          f"{PORT} {{{{counter}}}}")], unit="cps", w=24),
        timeseries("Marked Congestion Experienced", "Share of received packets, where the driver tells.",
                   [query(probe("port:fairlead_linkprobe_hca_marked:ratio_rate5m"), PORT)], unit="percentunit"),
        timeseries("Paused", "Share of time. all: global pause, else PFC of one priority.",
                   [query(probe("port:fairlead_linkprobe_hca_paused:rate5m"), f"{PORT} {{{{direction}}}} {{{{priority}}}}")],
                   unit="percentunit"),
        table("Resending what had arrived", "By whose timer; adaptive_timer is this node's.",
              [query(probe("fairlead_linkprobe_spurious_retransmission") + " == 1")],
              {"node": "node", "device": "HCA", "port": "port", "cause": "cause"}),
        table("NICs at fault", "That linkprobe blames, in place of a line or peer.",
              [query(probe("fairlead_linkprobe_nic_bad") + " == 1")], {"node": "node", "device": "HCA", "port": "port"}),
    ]


def probes():
    return [
        row("linkprobe"),
        table("Transports", "The rung that each node measures on.", [query(probe("fairlead_linkprobe_transport_info"))],
              {"node": "node", "site": "site", "kind": "kind", "transport": "rung"}, w=8),
        timeline("Reports", "Whether an extender takes them.",
                 [query(probe("fairlead_linkprobe_report_stream_connected"), "{{node}}")], YES, w=16),
        timeseries("Lateness of the host", "90th percentile of how late the probe is woken. Above detector.hostNoise nothing is judged.",
                   [query(probe("fairlead_linkprobe_host_lateness_p90_seconds"), "{{node}} {{kind}}")], unit="s"),
        timeseries("Delay inside hosts", "Medians of what this host and its peers add to a probe; taken out of the RTT.",
                   [query(probe("max by (job, instance) (fairlead_linkprobe_prober_delay_seconds)"), "{{node}} here"),
                    query(probe("max by (job, instance) (fairlead_linkprobe_responder_delay_seconds)"), "{{node}} peers")], unit="s"),
        timeseries("Packets refused", "Not taken or not answered, by reason.",
                   [query("sum by (node, reason) (" + probe("rate(fairlead_linkprobe_packets_refused_total[$__rate_interval])") + ") > 0",
                          "{{node}} {{reason}}")], unit="cps"),
        timeseries("Probes sent", "To all peers.",
                   [query("sum by (node) (" + probe("sum by (job, instance) (rate(fairlead_linkprobe_probes_sent_total[$__rate_interval]))") + ")",
                          "{{node}}")], unit="cps"),
        timeseries("Clock set", "Times that the host's wall clock jumped.",
                   [query("sum by (node) (" + probe("increase(fairlead_linkprobe_clock_steps_total[$__rate_interval])") + ")", "{{node}}")],
                   bars=True),
        timeseries("Sessions", "In force, by this node's part in them.",
                   [query("sum by (node, role) (" + probe("fairlead_linkprobe_sessions") + ")", "{{node}} {{role}}")]),
    ]


def build():
    return dashboard(
        "fairlead-nodes", "Fairlead: nodes", "HCAs, their health and counters, the doctor's findings, and the probes.",
        [variable("node", "Node", 'label_values({__name__=~"fairlead_(linkprobe|deviceplugin)_info"}, node)'),
         variable("site", "Site of probes", "label_values(fairlead_linkprobe_info, site)")],
        [*devices(), *doctor(), *counters(), *probes()])
