"""The fairlead.yaml of a run in the lab."""

import json

# Where the lab's sites lie; the fibre floor of each line comes from here.
COORDINATES = {"hk": (22.32, 114.17), "sg": (1.35, 103.82), "tyo": (35.68, 139.69)}


def document(lab, nodes, extender, tls, detector, linkprobe):
    """The configuration as a dict. `nodes` is [(name, site, hcas)]; the other four are sections."""
    sites = []
    for site in lab.sites():
        entry = {"name": site.name}
        if site.name in COORDINATES:
            entry["latitude"], entry["longitude"] = COORDINATES[site.name]
        sites.append(entry)
    return {
        "sites": sites,
        "lines": [{"between": line.name.split("-"), "capacity": "10Gbps"} for line in lab.lines()],
        "nodes": [{"name": name, "site": site, "hcas": hcas} for name, site, hcas in nodes],
        "tls": tls,
        "detector": detector,
        "linkprobe": linkprobe,
        "extender": extender,
    }


def text(value, indent=0):
    """A dict as block YAML."""
    lines = []
    pad = "  " * indent
    for key, item in value.items():
        if isinstance(item, dict):
            lines += [f"{pad}{key}:", text(item, indent + 1)] if item else []
        elif isinstance(item, list) and item and isinstance(item[0], dict):
            lines.append(f"{pad}{key}:")
            for entry in item:
                fields = ", ".join(f"{k}: {_scalar(v)}" for k, v in entry.items())
                lines.append(f"{pad}  - {{{fields}}}")
        else:
            lines.append(f"{pad}{key}: {_scalar(item)}")
    return "\n".join(line for line in lines if line)


def _scalar(value):
    if isinstance(value, list):
        return f"[{', '.join(map(_scalar, value))}]"
    return json.dumps(value)
