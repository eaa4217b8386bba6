"""The keys of the configuration as common/config reads them: type, range, default, and what needs a restart."""

import dataclasses
import re

from source_families import ROOT

CONFIG = ROOT / "common" / "config"
# What a reader is called and where its keys are, for those that get their mapping from a caller.
PLACES = {
    "ParseLocatedConfig": [""], "ReadSites": ["sites[]"], "ReadLines": ["lines[]"], "ReadNodes": ["nodes[]"],
    "ReadLineEnds": ["lines[]", "migration.lines[]"], "ReadQuery": ["extender.prometheus.queries[]"],
    "ReadLimits": ["migration.limits"], "ReadBreaker": ["migration.breaker"], "ReadRelocation": ["migration.relocation"],
    "ReadLimit": [f"migration.limits.{each}" for each in ("cluster", "site", "namespace")],
    "ReadThresholds": ["migration.policy", "migration.lines[]"], "ReadMode": ["migration.classes[]", "migration.lines[]"],
    "ReadNamespaceModes": ["migration.namespaces[]"], "ReadClassOverrides": ["migration.classes[]"],
    "ReadLineOverrides": ["migration.lines[]"], "ReadPools": ["deviceplugin"], "ReadPool": ["deviceplugin.pools[]"],
    "ReadPriority": ["deviceplugin.pools[]"], "ReadHcaSelector": ["deviceplugin.pools[].select"],
}
# Functions that pass the name of a key on, and are no readers themselves.
PASSING = {"ReadOptional", "ReadDelay", "ReadShare", "ReadWindows", "ReadScalars", "ReadItems", "Within", "RefuseTwice"}
# What a value is, by the function that parses it.
PARSED = {
    "ParseListenAddress": "ADDRESS:PORT", "ParseDialAddress": "HOST:PORT", "ParseCertificateName": "DNS name",
    "ParseSocketPath": 'absolute path or `""`', "ParseAbsolutePath": "absolute path", "ParseBytes": "bytes",
    "ParseLabelKey": "label key", "ParseSiteName": "site", "ParseNodeName": "name", "ParseUrl": "URL",
    "ParseServiceAccount": "NAMESPACE/NAME", "ParseAudience": "text", "ParseResourceName": "resource name",
    "ParsePoolResource": "resource name", "ParseGidPrefix": "prefixes", "ParseVendor": "PCI vendors",
    "ParseDriver": "kernel drivers", "ParseGlob": "names with `*`, `?`", "ParsePciAddress": "PCI addresses",
    "ParseTransport": "`auto`, `verbs`, `udp`", "ParseMigrationMode": "`off`, `dry-run`, `enforce`",
}
_UNITS = (("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 10**9), ("ms", 10**6), ("us", 1000), ("ns", 1))
_VALUES = {"Nanoseconds": lambda n: n, "Milliseconds": lambda n: n * 10**6, "Seconds": lambda n: n * 10**9}
_FUNCTION = re.compile(r"^(?:[\w:<>&*,]+ )+?\*?&?(\w+)\(([^;{]*?)\) *(?:const )?\{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
_CALL = re.compile(r"\b(?:(\w+)\.(Value|Text|Flag|Count|Number|Ratio|Duration|Rate|Child|List)|(%s))(?=\()"
                   % "|".join(sorted(PASSING | {"section", "ReadLimit"})))


@dataclasses.dataclass(frozen=True)
class Key:
    """`default` is "" where there is none; `kind` is "" for what holds other keys, "list" for lists of those."""
    kind: str
    default: str
    required: bool = False


class Unknown(Exception):
    """Something in common/config that this module does not understand."""


def keys():
    """{path: Key}, such as detector.window or deviceplugin.pools[].slots."""
    structs = _structs()
    found = {}
    for path in sorted(CONFIG.glob("*.cc")):
        text = _bare(path.read_text())
        constants = _constants(text)
        for name, parameters, body in _FUNCTION.findall(text):
            if name not in PASSING:
                for place, key in _of_function(name, parameters, body, constants, structs):
                    found.setdefault(place, key)
    _spread(found, structs)
    return found


def restart_keys():
    """Paths whose change waits for a restart; what is below one does too."""
    return set(re.findall(r'\.Add\("([\w.]+)"', (CONFIG / "restart_keys.cc").read_text()))


def _of_function(name, parameters, body, constants, structs):
    calls = list(_CALL.finditer(body))
    if not calls:
        return
    own = re.search(r'SectionReader \w+\(\w+, "([\w.]+)", problems\)', body)
    places = [own[1]] if own else PLACES.get(name)
    types = dict((variable, kind) for kind, variable in
                 re.findall(r"\b([A-Z]\w+)&? (\w+)\b", parameters + "\n" + body))
    required = set(re.findall(r'\.Require\("(\w+)"\)', body))
    for names in re.findall(r'string_view key : \{([^}]*)\}\) reader\.Require\(key\);', body):
        required |= set(re.findall(r'"(\w+)"', names))
    inner = None
    for call in calls:
        words = arguments(body, call.end())
        variable, method = call[1], call[2] or call[3]
        if method in PASSING | {"ReadLimit"}:
            variable, words = words[0], words[1:]
        key = re.fullmatch(r'"(\w+)"', words[0]) if words else None
        if key is None or method == "RefuseTwice":
            continue
        if places is None:
            raise Unknown(f"{name} of common/config reads {key[1]!r}, and PLACES of config_sources.py does not say "
                          "where in the file that is")
        for place in places:
            base = f"{place}.{inner}" if inner and variable == "inner" else place
            if method == "ReadItems":  # its own keys are those of the items
                base = base.rpartition(".")[0]
            told = _key(method, words, constants, structs, types)
            yield f"{base}.{key[1]}".lstrip("."), dataclasses.replace(told, required=key[1] in required)
        if method == "Within":
            inner = key[1]


def _key(method, words, constants, structs, types):
    if method in ("List", "ReadItems"):
        return Key("two sites" if words[0] == '"between"' else "list", "")
    if method in ("Child", "Within", "section", "ReadLimit"):
        return Key("", words[1] if method == "ReadLimit" else "")
    duration = method in ("Duration", "ReadDelay")
    if method == "Text":
        kind = "text"
    elif method == "Flag":
        kind = "`true`, `false`"
    elif method in ("Ratio", "ReadShare"):
        kind = "share"
    elif method == "Rate":
        kind = "rate"
    elif method == "ReadWindows":
        kind = "weekly windows"
    elif method == "ReadDelay":
        kind = "duration, 1us to 1m"
    elif method == "ReadOptional":
        kind = f"0 to {_value(words[1], constants)}"
    elif method in ("Value", "ReadScalars"):
        kind = _parsed(words[2])
    else:
        least, most = (_value(word, constants) for word in words[2:4])
        kind = f"{_shown(least, duration)} to {_shown(most, duration)}"
        kind = {"Duration": "duration, ", "Number": "number, "}.get(method, "") + kind
    member = words[2] if method == "ReadOptional" else words[1]
    return Key(kind, _default(member, method, duration, structs, types))


def _parsed(parser):
    if parser.startswith("OneOf"):
        return ", ".join(f"`{word}`" for word in re.findall(r'\{"([^"]+)",', parser))
    if parser not in PARSED:
        raise Unknown(f"PARSED of config_sources.py does not say what {parser} takes")
    return PARSED[parser]


def _default(member, method, duration, structs, types):
    """As it would be written in the file."""
    first, *rest = member.split(".")
    kind, value = types.get(first), None
    for name in rest:
        kind, value = structs.get(kind, {}).get(name, (None, None))
    if value in (None, "", "{}"):
        return "`false`" if method == "Flag" and kind else ""
    if kind == "ListenAddress":
        host, port = re.fullmatch(r'\{"([^"]+)", (\d+)\}', value).groups()
        return f"`{host}:{port}`"
    if value.startswith('"'):
        return f"`{value[1:-1]}`"
    if re.fullmatch(r"\w+::k\w+", value):
        return "`" + re.sub(r"(?<!^)(?=[A-Z])", "-", value.split("::k")[1]).lower() + "`"
    if value in ("true", "false"):
        return f"`{value}`"
    number = _value(value, {})
    if method in ("Ratio", "ReadShare"):
        return f"`{number * 100:g}%`"
    if method == "Value":
        scale, unit = next((s, u) for s, u in ((10**9, "GB"), (10**6, "MB"), (1, "B")) if number % s == 0)
        return f"`{number // scale}{unit}`"
    return f"`{_shown(number, duration)}`"


def _spread(found, structs):
    """Gives `MoveLimit cluster{2, 6}` to the keys of `cluster`, whose struct knows the other defaults only."""
    names = [re.sub("_(.)", lambda match: match[1].upper(), member) for member in structs["MoveLimit"]]
    for path, key in list(found.items()):
        if not key.default or key.kind:
            continue
        _, braced = structs["MigrationLimits"][key.default.split(".")[-1]]
        for name, number in zip(names, re.findall(r"\d+", braced)):
            found[f"{path}.{name}"] = dataclasses.replace(found[f"{path}.{name}"], default=f"`{number}`")
        found[path] = Key("", "")


def _structs():
    """{struct: {member: (type, initialiser)}} of all headers that hold configuration."""
    found, strings = {}, {}
    for header in (*sorted(CONFIG.glob("*_config.h")), CONFIG / "config.h",
                   ROOT / "common" / "link" / "detector_settings.h"):
        text = _bare(header.read_text())
        strings.update(re.findall(r'constexpr const char\* (\w+) = ("[^"]*");', text))
        for name, body in re.findall(r"^struct (\w+) \{\n(.*?)^\};", text, re.MULTILINE | re.DOTALL):
            members = found.setdefault(name, {})
            for kind, member, given, braced in re.findall(
                    r"^  ([\w:<>]+) (\w+)(?: = ([^;]*)|(\{[^;]*\}))?;", body, re.MULTILINE):
                members[member] = (kind, strings.get(given, given) or braced)
    return found


def _constants(text):
    found = {}
    for name, value in re.findall(r"constexpr [\w:]+ (\w+) = ([^;]*);", text):
        try:
            found[name] = _value(value, found)
        except (NameError, SyntaxError, TypeError):
            pass
    return found


def _value(text, constants):
    text = re.sub(r"(?<=\d)'(?=\d)", "", text)
    return eval(text, {"__builtins__": {}}, {**_VALUES, **constants})  # numbers of our own sources


def _shown(value, duration):
    if not duration:
        return f"{value:g}" if isinstance(value, float) else str(value)
    if value == 0:
        return "0s"
    unit, scale = next((unit, scale) for unit, scale in _UNITS if value % scale == 0)
    return f"{value // scale}{unit}"


def _bare(text):
    """Without comments."""
    return re.sub(r"//[^\n\"]*$", "", text, flags=re.MULTILINE)


def arguments(text, at):
    """The arguments of the call whose opening parenthesis is at `at`, white space made single."""
    depth, quoted, begin, found = 0, False, at + 1, []
    for i in range(at, len(text)):
        c = text[i]
        if quoted:
            quoted = c != '"' or text[i - 1] == "\\"
        elif c == '"':
            quoted = True
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
        if not quoted and (depth == 0 or depth == 1 and c == ","):
            found.append(" ".join(text[begin:i].split()))
            begin = i + 1
        if depth == 0 and not quoted:
            return found
    raise Unknown(f"a call that does not end: {text[at:at + 60]!r}")
