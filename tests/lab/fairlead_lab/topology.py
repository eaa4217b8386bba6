"""Sites and lines of a lab, read from a JSON file, and the addresses that follow from them."""

import dataclasses
import json
import pathlib
import re

from .errors import LabError
from .impairment import Impairment, fields_of

_NAME = re.compile(r"^[a-z][a-z0-9-]{0,30}$")
_MAX_LINES_PER_SITE = 20  # PCI slots of a guest, less those of the control network and shares.


@dataclasses.dataclass(frozen=True)
class Site:
    """One guest. index counts from 1 in the order of the file and gives the addresses."""

    name: str
    index: int
    forward: tuple = ()  # Guest TCP ports reachable from the host.
    memory_mb: int = 1024
    cpus: int = 1

    @property
    def address(self):
        """The HCA's address."""
        return f"172.20.{self.index}.2"

    @property
    def router(self):
        """The address of the site router, the HCA's gateway."""
        return f"172.20.{self.index}.1"

    @property
    def gid(self):
        """GID 1 of the HCA (RoCE v2, IPv4-mapped)."""
        return f"::ffff:{self.address}"


@dataclasses.dataclass(frozen=True)
class Line:
    """A line from site a to site b; forward is a to b."""

    a: str
    b: str
    index: int
    forward: Impairment
    reverse: Impairment

    @property
    def name(self):
        return f"{self.a}-{self.b}"


@dataclasses.dataclass(frozen=True)
class Topology:
    sites: tuple
    lines: tuple

    def site(self, name):
        for site in self.sites:
            if site.name == name:
                return site
        raise LabError(f"no site '{name}' in this lab; it has {', '.join(s.name for s in self.sites)}")

    def line(self, name):
        """(line, flipped): flipped says that the name was given as b-a."""
        for line in self.lines:
            if name == line.name:
                return line, False
            if name == f"{line.b}-{line.a}":
                return line, True
        raise LabError(f"no line '{name}' in this lab; it has {', '.join(l.name for l in self.lines)}")

    def lines_of(self, site_name):
        return [line for line in self.lines if site_name in (line.a, line.b)]


DEFAULT_FILE = pathlib.Path(__file__).resolve().parent.parent / "sites.json"


def load(path):
    """The topology in the JSON file at path."""
    try:
        document = json.loads(pathlib.Path(path).read_text())
    except OSError as error:
        raise LabError(f"sites file {path}: {error.strerror}") from None
    except ValueError as error:
        raise LabError(f"sites file {path} is not JSON: {error}") from None
    try:
        return parse(document)
    except LabError as error:
        raise LabError(f"sites file {path}: {error}") from None


def parse(document):
    """The topology in a document of the form of sites.json."""
    _only(document, {"sites", "lines"}, "the file")
    sites = tuple(_site(entry, i) for i, entry in enumerate(_list(document, "sites"), 1))
    if not 1 <= len(sites) <= 200:
        raise LabError(f"{len(sites)} sites; a lab has 1 to 200")
    topology = Topology(sites, ())
    _distinct([site.name for site in sites], "site")
    lines = tuple(_line(entry, i, topology) for i, entry in enumerate(_list(document, "lines"), 1))
    if len(lines) > 250:
        raise LabError(f"{len(lines)} lines; a lab has at most 250")
    _distinct(["-".join(sorted((line.a, line.b))) for line in lines], "line")
    topology = Topology(sites, lines)
    for site in sites:
        if len(topology.lines_of(site.name)) > _MAX_LINES_PER_SITE:
            raise LabError(f"site {site.name} has more than {_MAX_LINES_PER_SITE} lines")
    return topology


def _site(entry, index):
    if isinstance(entry, str):
        entry = {"name": entry}
    _only(entry, {"name", "forward", "memory_mb", "cpus"}, f"site {index}")
    name = entry.get("name", "")
    if not isinstance(name, str) or not _NAME.match(name):
        raise LabError(f"site name '{name}' must be small letters, digits and dashes, at most 31")
    ports = entry.get("forward", [])
    if not isinstance(ports, list) or not all(isinstance(p, int) and 0 < p < 65536 for p in ports):
        raise LabError(f"site {name}: forward '{ports}' must be a list of TCP ports")
    memory, cpus = entry.get("memory_mb", 1024), entry.get("cpus", 1)
    if not isinstance(memory, int) or not 512 <= memory <= 65536:
        raise LabError(f"site {name}: memory_mb '{memory}' must be 512 to 65536")
    if not isinstance(cpus, int) or not 1 <= cpus <= 64:
        raise LabError(f"site {name}: cpus '{cpus}' must be 1 to 64")
    return Site(name, index, tuple(sorted(set(ports))), memory, cpus)


def _line(entry, index, topology):
    if not isinstance(entry, dict):
        raise LabError(f"line {index} must be an object")
    entry = dict(entry)
    ends = entry.pop("between", None)
    if not isinstance(ends, list) or len(ends) != 2 or ends[0] == ends[1]:
        raise LabError(f"line {index}: between '{ends}' must be two different sites")
    for end in ends:
        topology.site(end)
    forward, reverse = entry.pop("forward", {}), entry.pop("reverse", {})
    both = fields_of(entry)
    return Line(
        ends[0],
        ends[1],
        index,
        Impairment().changed(**{**both, **fields_of(forward)}),
        Impairment().changed(**{**both, **fields_of(reverse)}),
    )


def _list(document, key):
    value = document.get(key, [])
    if not isinstance(value, list):
        raise LabError(f"'{key}' must be a list")
    return value


def _only(entry, known, where):
    if not isinstance(entry, dict):
        raise LabError(f"{where} must be an object")
    for key in entry:
        if key not in known:
            raise LabError(f"{where}: unknown key '{key}'; known are {', '.join(sorted(known))}")


def _distinct(names, what):
    for name in names:
        if names.count(name) > 1:
            raise LabError(f"{what} '{name}' is there twice")
