"""deploy/fairlead.yaml: its keys, those that stand there as comments too, and what is said of each."""

import re

from source_families import ROOT

EXAMPLE = ROOT / "deploy" / "fairlead.yaml"
_LINE = re.compile(r"^( *)(- )?([a-z]\w*):(?: (.*))?$", re.IGNORECASE)
_FLOW = re.compile(r"^(?:([a-z]\w*): )?\{(.*)\}$", re.IGNORECASE)


def meanings(text=None):
    """{path: sentence}, "" where the file says nothing."""
    found, parents, lead, last = {}, [], [], None
    for raw in (EXAMPLE.read_text() if text is None else text).splitlines():
        row, remark = _split(raw)
        if not row.strip():
            if remark and last and len(raw) - len(raw.lstrip()) > 8:  # goes on from the line above
                found[last] = f"{found[last]} {remark}".strip()
            elif remark:
                lead.append(remark)
            else:
                lead = []
            continue
        flow = re.match(r"^( *)- (\{.*\})$", row)
        if flow:
            parents = [each for each in parents if each[0] <= len(flow[1])]
            _add_flow(found, parents[-1][1] + "[]", flow[2], remark)
            continue
        match = _LINE.match(row)
        indent = len(match[1]) + (2 if match[2] else 0)
        parents = [each for each in parents if each[0] < (indent - 1 if match[2] else indent)]
        base = parents[-1][1] if parents else ""
        if match[2]:
            base += "[]"
            parents.append((indent - 1, base))
        path = f"{base}.{match[3]}".lstrip(".")
        parents.append((indent, path))
        found[path] = found.get(path) or " ".join([*(lead if base else []), remark]).strip()
        lead, last = [], path
        if (match[4] or "").startswith("{"):
            _add_flow(found, path, match[4], "")
    return found


def _split(raw):
    """The line as it is without a comment's mark before a key, and the remark behind it."""
    mark = len(raw) - len(raw.lstrip(" "))
    inside = raw[mark + 2:]
    if raw[mark:mark + 2] == "# " and mark <= 6 and re.match(r" *(- )?(\{|[a-z]\w*:( |$))", inside):
        raw = raw[:mark] + inside
    elif raw[mark:mark + 1] == "#":
        return "", raw[mark + 1:].strip()
    row, _, remark = raw.partition(" #")
    return row.rstrip(), remark.strip()


def _add_flow(found, path, text, remark):
    for key in re.findall(r"(?:^\{|, )(\w+):", text):
        found.setdefault(f"{path}.{key}", "")
    if remark:
        found[path] = remark
