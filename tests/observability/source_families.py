"""The metric families that the programs' sources name: full name, type and HELP text."""

import dataclasses
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Folders that fill families: the program, and the prefix where a file does not say one itself.
FOLDERS = {
    "linkprobe/metrics": ("linkprobe", "fairlead_linkprobe_"),
    "extender/metrics": ("extender", "fairlead_extender_"),
    "deviceplugin/metrics": ("deviceplugin", "fairlead_deviceplugin_"),
}
# Filled by two programs, under the prefix of each.
SHARED = {"common/metrics/reload_families.cc": ("linkprobe", "deviceplugin")}

_STRING = r'"(?:[^"\\]|\\.)*"'
_CONSTANT = re.compile(rf"(\w+)(?:\[\])?\s*=\s*((?:{_STRING}\s*)+);")
_PREFIX = re.compile(r'FamilySet \w+\("(\w+)"\)')
_BUILT = re.compile(rf"Build(Gauge|Counter|Histogram)\(\)\s*\.Name\(({_STRING})\)\s*\.Help\(((?:{_STRING}\s*)+)\)")
# A call that makes a family, and the type of what it makes.
_CALLS = {"Gauge": "gauge", "Counter": "counter", "Histogram": "histogram", "Duration": "gauge",
          "Count": "counter", "GaugeFamily": "gauge", "CounterFamily": "counter", "AddFailures": "counter"}
_CALL = re.compile(rf"\b({'|'.join(_CALLS)})\(")


@dataclasses.dataclass(frozen=True)
class Family:
    """`program` is the one whose /metrics has it."""
    name: str
    program: str
    type: str
    help: str


def families():
    """{name: Family} of all three programs."""
    found = {}
    for folder, (program, prefix) in FOLDERS.items():
        for path in sorted((ROOT / folder).glob("*.cc")):
            for family in _of_file(path.read_text(), program, prefix):
                found[family.name] = family
    for path, programs in SHARED.items():
        for program in programs:
            for family in _of_file((ROOT / path).read_text(), program, f"fairlead_{program}_"):
                found[family.name] = family
    for family in _of_ports():
        found[family.name] = family
    return found


def words():
    """Each string literal in the sources that may be a label or its value."""
    text = "".join(path.read_text() for component in ("common", "linkprobe", "extender", "deviceplugin")
                   for path in sorted((ROOT / component).rglob("*.cc")))
    return {_value(literal) for literal in re.findall(_STRING, text)}


def _of_file(text, program, prefix):
    text = re.sub(r"//[^\n\"]*$", "", text, flags=re.MULTILINE)
    prefix = next(iter(_PREFIX.findall(text)), prefix)
    for kind, name, help_text in _BUILT.findall(text):
        yield Family(_value(name), program, kind.lower(), _value(help_text))
    for call in _CALL.finditer(text):
        arguments = [_resolve(each, text[:call.start()]) for each in _arguments(text, call.end())]
        literal = [each for each in arguments if each is not None]
        if len(literal) < 2 or not re.fullmatch(r"[a-z][a-z0-9_]*", literal[0]):
            continue
        name = literal[0] if literal[0].startswith("fairlead_") else prefix + literal[0]
        yield Family(name, program, _CALLS[call[1]], literal[1])
    for name, help_text in re.findall(rf'AddLossBounds\(({_STRING}),\s*((?:{_STRING}\s*)+),', text):
        ratio = f"{prefix}{_value(name)}_loss_ratio"
        yield Family(ratio, program, "gauge", _value(help_text))
        for end in ("lower", "upper"):
            found = re.search(rf'"_{end}", ({_STRING})', text)
            yield Family(f"{ratio}_{end}", program, "gauge", _value(found[1]))


def _of_ports():
    """Counters of ports: those with a meaning of their own, and the pattern of all others."""
    meaning = (ROOT / "linkprobe/counters/meaning.cc").read_text()
    pause = (ROOT / "linkprobe/counters/pause_names.cc").read_text()
    constants = _constants(meaning)
    named = {constants[key]: constants[help_key] for key, help_key in
             (("kSent", "kBytesHelp"), ("kReceived", "kBytesHelp"),
              ("kSentPackets", "kPacketsHelp"), ("kReceivedPackets", "kPacketsHelp"))}
    named |= {_value(name): _value(text) for name, text in
              re.findall(rf'Known{{"\w+", ({_STRING}),\s*((?:{_STRING}\s*)+)[,}}]', meaning)}
    named |= {_value(name): _value(text) for name, text in
              re.findall(rf"meaning\.metric = ({_STRING});\s*meaning\.help = ({_STRING});", pause)}
    for name, text in named.items():
        yield Family(f"fairlead_linkprobe_{name}", "linkprobe", "counter", text)
    other = _value(re.search(rf"\.help = ({_STRING})}}", meaning)[1])
    yield Family("fairlead_linkprobe_hca_*_total", "linkprobe", "counter", other)
    yield Family("fairlead_linkprobe_hca_*", "linkprobe", "gauge", other)


def _constants(text):
    return {name: _value(literals) for name, literals in _CONSTANT.findall(text)}


def _resolve(argument, before):
    """The text of an argument that is a string, or a constant of one defined before; else None."""
    if re.fullmatch(rf"(?:{_STRING}\s*)+", argument):
        return _value(argument)
    if not re.fullmatch(r"\w+", argument):
        return None
    return _constants(before).get(argument)


def _arguments(text, begin):
    """The arguments of the call whose opening bracket ends at `begin`."""
    depth, start, i, arguments = 1, begin, begin, []
    while depth:
        if text[i] == '"':
            i = re.compile(_STRING).match(text, i).end()
            continue
        depth += {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}.get(text[i], 0)
        if depth == 0 or (depth == 1 and text[i] == ","):
            arguments.append(text[start:i].strip())
            start = i + 1
        i += 1
    return arguments


def _value(literals):
    return "".join(each[1:-1] for each in re.findall(_STRING, literals)).replace('\\"', '"')
