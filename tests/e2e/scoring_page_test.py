"""docs/scoring.md: what its example says that the extender said, it says."""

import json
import re

import yaml

from extender_stack import ROOT, Extender

PAGE = (ROOT / "docs" / "scoring.md").read_text().split("## 4. By hand")[1]
SITES = {"hk": 4, "sg": 1, "tyo": 4}  # HCAs of each site's one node


def write_config(folder):
    """The shipped sites and lines, with a node a site."""
    tokens = folder / "tokens"
    tokens.mkdir(mode=0o700)
    for site in SITES:
        (tokens / f"{site}-1").write_text(f"token-of-{site}-1-0123456789abcdef\n")
    shipped = yaml.safe_load((ROOT / "deploy" / "fairlead.yaml").read_text())
    listen = dict.fromkeys(("httpListen", "grpcListen", "opsListen"), "127.0.0.1:0")
    config = folder / "fairlead.yaml"
    config.write_text(json.dumps({
        "sites": shipped["sites"], "lines": shipped["lines"],
        "nodes": [{"name": f"{site}-1", "site": site, "hcas": hcas} for site, hcas in SITES.items()],
        "extender": {**listen, "tokenDirectory": str(tokens)}}))
    return config


def question(number, *nodes):
    owner = {"apiVersion": "batch/v1", "kind": "Job", "name": "train", "uid": "j-1", "controller": True}
    pod = {"metadata": {"name": f"train-{number}", "namespace": "ml", "uid": f"u-{number}", "ownerReferences": [owner],
                        "labels": {"batch.kubernetes.io/job-name": "train", "job-name": "train"},
                        "annotations": {"fairlead.dev/comm-bytes": "100MB"}},
           "spec": {"containers": [{"name": "w", "resources": {"limits": {"rdma/hca": "1"}, "requests": {"rdma/hca": "1"}}}]}}
    return json.dumps({"Pod": pod, "NodeNames": list(nodes)})


def alike(told, said):
    """The same words, and numbers within a hundredth of each other."""
    number = r"\d+(?:\.\d+)?"
    pairs = zip(map(float, re.findall(number, told)), map(float, re.findall(number, said)))
    return re.split(number, told) == re.split(number, said) and all(abs(a - b) <= max(0.01 * a, 0.1) for a, b in pairs)


def test_the_example_is_what_the_extender_says(tmp_path):
    told = re.search(r"```\n(hk: .*?)```", PAGE, re.DOTALL)[1].splitlines()
    with Extender(tmp_path, config=write_config(tmp_path)) as extender:
        lines = {("hk", "sg"): 36, ("hk", "tyo"): 48, ("sg", "tyo"): 70}
        extender.feed(*(f"path {a}-1 {b}-1 {b} {rtt} 1 0 0 HEALTHY NONE"
                        for (one, other), rtt in lines.items() for a, b in ((one, other), (other, one))))
        for a, b in lines:
            extender.await_state(a, b, "Healthy")
            extender.await_state(b, a, "Healthy")
        extender.post("/kube/prioritize", question(0, "sg-1"))
        scores = extender.post("/kube/prioritize", question(1, "hk-1", "tyo-1"))
        explained = extender.get("/explain?pod=ml/train-1")
    assert {each["Host"]: each["Score"] for each in scores} == {"hk-1": 10, "tyo-1": 7}
    # The age of the newest report weighs in, so the last digit may differ.
    said = [line for line in explained.splitlines() if re.match(r"(hk|tyo): ", line.strip())]
    assert len(told) == 2
    for line in told:
        assert any(alike(line, one.strip()) for one in said), (line, said)
