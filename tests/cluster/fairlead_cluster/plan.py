"""Which sites a cluster has: the lab's first few, large enough for a kubelet."""

import json
import pathlib

from fairlead_lab.topology import DEFAULT_FILE

from .errors import ClusterError
from .node_words import KUBELET_PORT

NODE_MEMORY_MB = 3072


def document(nodes=2, sites_file=None):
    """The lab document of the first `nodes` sites of a sites file (default: the lab's) and the lines between them."""
    path = pathlib.Path(sites_file or DEFAULT_FILE)
    try:
        whole = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise ClusterError(f"sites file {path}: {error}") from None
    return first_sites(whole, nodes)


def first_sites(whole, nodes):
    known = [{"name": site} if isinstance(site, str) else dict(site) for site in whole.get("sites", [])]
    if not 1 <= nodes <= len(known):
        raise ClusterError(f"{nodes} nodes were asked for; the sites file has {len(known)} sites, and a node is a site")
    sites = known[:nodes]
    for site in sites:
        site["memory_mb"] = max(NODE_MEMORY_MB, site.get("memory_mb", 0))
        site["forward"] = sorted({*site.get("forward", []), KUBELET_PORT})
    names = {site["name"] for site in sites}
    return {"sites": sites, "lines": [line for line in whole.get("lines", []) if names.issuperset(line["between"])]}
