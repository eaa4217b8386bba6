"""What the recording rules make of series."""

import json
import subprocess

import pytest

from alert_cases import E1, E2, LEADING, LINK, P1, PATH
from rules_file import RULES, recorded

BACK = 'src_site="sg",dst_site="hk"'
PORT = f'{P1},device="mlx5_0",port="1"'


def states(link, name):
    """One series a state, as the extender has them."""
    return {f'fairlead_extender_link_state{{{E1},{link},state="{each}"}}': f"{int(each == name)}x20"
            for each in ("Unknown", "Healthy", "Suspect", "Degraded", "Down")}


CASES = {
    # name of the case: (series, recorded metric, {labels: value})
    "states as numbers": (
        {**LEADING, **states(LINK, "Unknown"), **states(BACK, "Down"), **states('src_site="hk",dst_site="tyo"', "Healthy"),
         **states('src_site="tyo",dst_site="hk"', "Suspect"), **states('src_site="sg",dst_site="tyo"', "Degraded")},
        "link:fairlead_extender_link_state:code",
        {LINK: 0, BACK: 4, 'src_site="hk",dst_site="tyo"': 1, 'src_site="tyo",dst_site="hk"': 2, 'src_site="sg",dst_site="tyo"': 3}),
    "the leader's value": (
        {**LEADING, f"fairlead_extender_link_rtt_p50_seconds{{{E1},{LINK}}}": "0.036x20",
         f"fairlead_extender_link_rtt_p50_seconds{{{E2},{LINK}}}": "0.9x20"},
        "link:fairlead_extender_link_rtt_p50_seconds:max", {LINK: 0.036}),
    "one that is not elected": (
        {f"fairlead_extender_link_rtt_p50_seconds{{{E1},{LINK}}}": "0.036x20"},
        "link:fairlead_extender_link_rtt_p50_seconds:max", {LINK: 0.036}),
    "what is left of a line": (
        {**LEADING, f"fairlead_extender_link_available_bytes_per_second{{{E1},{LINK}}}": "4e9x20",
         f'fairlead_extender_link_rate_bytes_per_second{{{E1},{LINK},source="declared"}}': "1e10x20",
         f"fairlead_extender_link_available_bytes_per_second{{{E1},{BACK}}}": "0x20",
         f'fairlead_extender_link_rate_bytes_per_second{{{E1},{BACK},source="declared"}}': "0x20"},
        "link:fairlead_extender_link_available:ratio", {LINK: 0.4}),
    "loss over all paths": (
        {f'fairlead_linkprobe_probes_lost_total{{{PATH},direction="forward"}}': "0+6x20",
         f'fairlead_linkprobe_probes_lost_total{{{PATH},direction="reverse"}}': "0x20",
         f"fairlead_linkprobe_probes_sent_total{{{PATH}}}": "0+600x20",
         f'fairlead_linkprobe_probes_sent_total{{{PATH.replace("n1", "n2")}}}': "0+600x20"},
        "link:fairlead_linkprobe_probes_lost:ratio_rate5m",
        {f'{LINK},direction="forward"': 0.005, f'{LINK},direction="reverse"': 0}),
    "no loss where nothing is sent": (
        {f'fairlead_linkprobe_probes_lost_total{{{PATH},direction="forward"}}': "0x20",
         f"fairlead_linkprobe_probes_sent_total{{{PATH}}}": "7x20"},
        "link:fairlead_linkprobe_probes_lost:ratio_rate5m", {}),
    "marks, once for two sources of packets": (
        {f'fairlead_linkprobe_hca_np_ecn_marked_roce_packets_total{{{PORT},source="hw_counters"}}': "0+60x20",
         f'fairlead_linkprobe_hca_receive_packets_total{{{PORT},source="counters"}}': "0+1200x20",
         f'fairlead_linkprobe_hca_receive_packets_total{{{PORT},source="netdev"}}': "0+1200x20"},
        "port:fairlead_linkprobe_hca_marked:ratio_rate5m", {PORT: 0.05}),
    "reasons of paths": (
        {f'fairlead_linkprobe_link_reason{{{PATH},reason="rtt_step"}}': "1x20",
         f'fairlead_linkprobe_link_reason{{{PATH.replace("n1", "n2")},reason="rtt_step"}}': "1x20"},
        "link:fairlead_linkprobe_link_reason:count", {f'{LINK},reason="rtt_step"': 2}),
}


@pytest.mark.parametrize("name", CASES)
def test_recorded(name, tmp_path):
    series, metric, expected = CASES[name]
    assert metric in recorded()
    test = tmp_path / "test.json"
    test.write_text(json.dumps({"rule_files": [str(RULES)], "evaluation_interval": "1m", "tests": [{
        "interval": "1m", "input_series": [{"series": key, "values": values} for key, values in series.items()],
        "promql_expr_test": [{"expr": f"round({metric}, 1e-6)", "eval_time": "15m", "exp_samples": [
            {"labels": f"{{{labels}}}", "value": value} for labels, value in expected.items()]}]}]}))
    done = subprocess.run(["promtool", "test", "rules", test], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
