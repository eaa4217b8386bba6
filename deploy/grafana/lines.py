"""The dashboard of lines: how each is now, and how it came to be so."""

from panels import (STATES, bars, dashboard, heatmap, matrix, query, row, stat, steps, table, timeline, timeseries,
                    value_mapping, variable)

OF = '{src_site=~"$site", dst_site=~"$peer_site"}'
WAY = "{{src_site}} > {{dst_site}}"
STATE_CODES = value_mapping({number: (name, color) for number, (name, color) in enumerate(STATES.items())})


def of(name, *matchers):
    """A metric of the links that are chosen."""
    return name + OF[:-1] + "".join(f", {each}" for each in matchers) + "}"


def now():
    return [
        row("Now"),
        stat("Links by state", "As the leading extender judges them; each direction counts.",
             [query(f"sum by (state) ({of('link:fairlead_extender_link_state:max')})", "{{state}}", instant=True)],
             w=24, h=4, colors=STATES),
        matrix("State now", "From a row's site to a column's.", of("link:fairlead_extender_link_state:code"),
               mappings=STATE_CODES),
        matrix("RTT, median", "Over the reporting window, of the best transport rung.",
               of("link:fairlead_extender_link_rtt_p50_seconds:max"), unit="s"),
        matrix("Path stretch", "Smallest RTT over that of light in fibre: 1.5 is usual, more is a detour.",
               of("link:fairlead_linkprobe_path_stretch:ratio"), steps=steps("green", yellow=1.8, orange=2.5)),
        matrix("Loss now", "The worse direction, over the reporting window.",
               f"max by (src_site, dst_site) ({of('link:fairlead_extender_link_loss_ratio:max')})", unit="percentunit",
               steps=steps("green", yellow=1e-4, orange=1e-3, red=1e-2)),
        matrix("Bandwidth left", "Of the line's rate, less what the ports of its ends carry.",
               of("link:fairlead_extender_link_available_bytes_per_second:min"), unit="Bps"),
        matrix("Share left", "Bandwidth left over the line's rate.", of("link:fairlead_extender_link_available:ratio"),
               unit="percentunit", steps=steps("red", orange=0.05, yellow=0.2, green=0.5)),
    ]


def delay():
    return [
        row("State and delay"),
        timeline("State", "As the leading extender judges each link.",
                 [query(of("link:fairlead_extender_link_state:code"), WAY)], STATE_CODES),
        timeseries("RTT and its floor", "Median and 99th percentile. Dashed: light in fibre between the two sites; nothing true is below it.",
                   [query(of("link:fairlead_extender_link_rtt_p50_seconds:max"), f"{WAY} p50"),
                    query(of("link:fairlead_linkprobe_rtt_p99_seconds:max"), f"{WAY} p99"),
                    query(of("link:fairlead_linkprobe_rtt_floor_seconds:max"), f"{WAY} floor")],
                   unit="s", w=24, h=9, dashed=".* floor"),
        timeseries("Variation of delay", "99th percentile less minimum, each direction by itself.",
                   [query(of("link:fairlead_linkprobe_delay_variation_seconds:max"), f"{WAY} {{{{direction}}}}")], unit="s"),
        timeseries("Jitter", "RFC 3550, each direction by itself; the worst path.",
                   [query(f"max by (src_site, dst_site, direction) ({of('fairlead_linkprobe_jitter_seconds')})",
                          f"{WAY} {{{{direction}}}}")], unit="s"),
        heatmap("RTT above the window's minimum", "All links that are chosen: queues show as a band that widens upwards.",
                f"sum by (le) (increase({of('fairlead_linkprobe_rtt_excess_seconds_bucket')}[$__rate_interval]))", "s"),
        timeseries("Reasons", "Paths by what their own probes say; none is left out.",
                   [query(of("link:fairlead_linkprobe_link_reason:count", 'reason!="none"'), f"{WAY} {{{{reason}}}}")],
                   stack=True),
        timeseries("Hops", "Routers crossed. A change is another route.",
                   [query(f"max by (src_site, dst_site, direction) ({of('fairlead_linkprobe_path_hops')})",
                          f"{WAY} {{{{direction}}}}")]),
        timeseries("Probers", "Nodes with a fresh verdict. Two or more must agree, where there are so many.",
                   [query(f"max by (src_site, dst_site) ({of('fairlead_extender_link_probers')})", WAY)]),
    ]


def loss():
    return [
        row("Loss and congestion"),
        timeseries("Loss of probes", "Over five minutes, by the direction in which they were lost.",
                   [query(of("link:fairlead_linkprobe_probes_lost:ratio_rate5m"), f"{WAY} {{{{direction}}}}")],
                   unit="percentunit"),
        timeseries("Loss by the HCAs' counters", "95 % bounds of what can only be of this line. 1e-5 halves a fast long line.",
                   [query(of("link:fairlead_extender_link_port_loss_ratio:max"), f"{WAY} {{{{bound}}}}")],
                   unit="percentunit", log=True),
        timeseries("Congestion marks", "Share of probes that arrive with Congestion Experienced.",
                   [query(f"sum by (src_site, dst_site, direction) (rate({of('fairlead_linkprobe_probe_ecn_marked_total')}[$__rate_interval]))"
                          " / on (src_site, dst_site) group_left () (sum by (src_site, dst_site) "
                          f"(rate({of('fairlead_linkprobe_probes_sent_total')}[$__rate_interval])) > 0)",
                          f"{WAY} {{{{direction}}}}")], unit="percentunit"),
        timeseries("Samples refused", "Faster than light in fibre, or impossible: clocks, coordinates, site labels.",
                   [query(f"sum by (src_site, dst_site, reason) (rate({of('fairlead_linkprobe_samples_refused_total')}[$__rate_interval]))",
                          f"{WAY} {{{{reason}}}}")], unit="cps"),
        timeseries("Late, doubled, overtaken", "Probes that came after they counted as lost, twice, or behind a later one.",
                   [query(f"sum by (src_site, dst_site) (rate({of('fairlead_linkprobe_probes_late_total')}[$__rate_interval]))", f"{WAY} late"),
                    query(f"sum by (src_site, dst_site) (rate({of('fairlead_linkprobe_probes_duplicate_total')}[$__rate_interval]))", f"{WAY} doubled"),
                    query(f"sum by (src_site, dst_site) (rate({of('fairlead_linkprobe_probes_reordered_total')}[$__rate_interval]))", f"{WAY} overtaken")],
                   unit="cps"),
        table("Ends that differ", "What is not alike at both ends of a path.",
              [query(f"max by (src_site, dst_site, peer, trait, here, there) ({of('fairlead_linkprobe_peer_difference')})")],
              {"src_site": "from", "dst_site": "to", "peer": "peer", "trait": "what", "here": "here", "there": "there"}),
    ]


def bandwidth():
    return [
        row("Bandwidth"),
        timeseries("Rate and what is left", "Rate: measured or declared. Left: less what the ports of both ends carry.",
                   [query(of("link:fairlead_extender_link_rate_bytes_per_second:max"), f"{WAY} rate"),
                    query(of("link:fairlead_extender_link_available_bytes_per_second:min"), f"{WAY} left")],
                   unit="Bps", dashed=".* rate"),
        timeseries("Found by tests", "Newest train or saturation test of each line.",
                   [query(f"max by (src_site, dst_site, source) ({of('fairlead_linkprobe_bandwidth_bytes_per_second')})",
                          f"{WAY} {{{{source}}}}")], unit="Bps"),
        table("Why a line is not tested now", "docs/extender.md has what each reason needs.",
              [query(f"max by (src_site, dst_site, kind, reason) ({of('fairlead_extender_bandwidth_wait')}) == 1")],
              {"src_site": "from", "dst_site": "to", "kind": "test", "reason": "waits for"}),
        bars("Spent on tests today", "Bytes since 0:00 UTC, by line.",
             [query("max by (line) (fairlead_extender_bandwidth_spent_today_bytes)", "{{line}}")], unit="bytes"),
        table("Declared capacity that can't be right", "exceeded, not_reached or zero; see the runbooks.",
              [query(f"max by (src_site, dst_site, doubt) ({of('fairlead_extender_link_declared_doubt')}) == 1")],
              {"src_site": "from", "dst_site": "to", "doubt": "doubt"}),
        timeseries("Told by other Prometheus queries", "Age of the newest answer to each query of extender.prometheus.",
                   [query("max by (query) (fairlead_extender_promql_answer_age_seconds)", "{{query}}")], unit="s"),
    ]


def build():
    sites = "label_values(link:fairlead_extender_link_state:code, {label})"
    return dashboard(
        "fairlead-lines", "Fairlead: lines", "Links between sites: state, RTT, loss and bandwidth, as scores see them.",
        [variable("site", "From", sites.format(label="src_site")), variable("peer_site", "To", sites.format(label="dst_site"))],
        [*now(), *delay(), *loss(), *bandwidth()])
