"""Pages under docs/ and the READMEs: links lead somewhere; commands, keys, values and metrics that they name exist."""

import os
import pathlib
import re
import subprocess

import pytest
import yaml

from config_sources import keys
from metrics_reference import Page
from source_families import ROOT

BUILD = pathlib.Path(os.environ.get("FAIRLEAD_BUILD", ROOT / "build" / "ci"))
DOCS = sorted((ROOT / "docs").glob("*.md"))
PAGES = [ROOT / "README.md", *DOCS, ROOT / "helm" / "fairlead" / "README.md", ROOT / "deploy" / "examples" / "README.md",
         *sorted((ROOT / "tests").glob("*/README.md"))]
IDS = [str(path.relative_to(ROOT)) for path in PAGES]
PROGRAMS = ("fairlead-linkprobe", "fairlead-extender", "fairlead-deviceplugin")
VALUES = yaml.safe_load((ROOT / "helm" / "fairlead" / "values.yaml").read_text())
KEYS = {key.replace("[]", "") for key in keys()}
METRICS = Page()
MAKE = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE))
# Pages name keys and values with their section before them.
SECTIONS = sorted({key.split(".")[0] for key in KEYS} | set(VALUES))
# What looks like a key of ours: a key of Volcano's, a file.
OTHERS = {"extender.managedResources", "sites.json"}


def prose(text):
    """The page without blocks of code."""
    return re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(text):
    """The fragments that a page's headings have, as GitHub and others make them."""
    titles = re.findall(r"^#+ (.*)$", prose(text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).lower()).replace(" ", "-") for title in titles}


def broken_links(path, text):
    """The links that lead nowhere."""
    found = []
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(text)):
        if re.match(r"https?:", target):
            continue
        file, _, fragment = target.partition("#")
        page = path if not file else (path.parent / file).resolve()
        if not page.exists():
            found.append(target)
        elif fragment and fragment not in anchors(page.read_text()):
            found.append(target)
    return found


def unknown_keys(text):
    """Keys named with their section, such as detector.window, that neither the configuration nor the chart has."""
    found = set(re.findall(rf"`((?:{'|'.join(SECTIONS)})(?:\.\w+(?:\[\])?)+)(?![\w*.-])", text)) - OTHERS
    return {key for key in found if key.replace("[]", "") not in KEYS and not is_value(key)}


def is_value(name):
    """Whether the chart has this value; what is below `config` is of the configuration."""
    node = VALUES
    for word in name.split("."):
        if node is VALUES["config"]:
            return name.removeprefix("config.").split("[")[0] in KEYS
        if not isinstance(node, dict) or word not in node:
            return False
        node = node[word]
    return True


@pytest.fixture(scope="module")
def helps():
    """{program: what --help prints}."""
    return {name: subprocess.run([BUILD / "bin" / name, "--help"], capture_output=True, text=True, timeout=60,
                                 check=True).stdout for name in PROGRAMS}


def commands(text):
    """(program, the rest) of each command of ours that stands in a block of code or in backticks."""
    blocks = re.findall(r"^```(?:sh|bash)?\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    lines += re.findall(r"`([^`\n]+)`", prose(text))
    for line in lines:
        match = re.search(rf"(?:^|[ /$])({'|'.join(PROGRAMS)})(?= |$)([^#|>&]*)", line)
        if match:
            yield match[1], match[2].strip()


def command_faults(program, rest, said):
    """What of a command its program does not know."""
    words = re.findall(r"(?<!\S)(\S+)", rest)
    verb = words[0] if words and re.fullmatch(r"[a-z][a-z-]*", words[0]) else None
    faults = [] if verb is None or f"{program} {verb}" in said else [f"{program} has no command {verb}"]
    for flag in re.findall(r"(?<!\S)(--[a-z][a-z-]*)", rest):
        if not re.search(rf"{re.escape(flag)}(?![a-z-])", said):
            faults.append(f"{program} has no {flag}")
    return faults


@pytest.mark.parametrize("path", PAGES, ids=IDS)
def test_links_lead_somewhere(path):
    assert broken_links(path, path.read_text()) == []


@pytest.mark.parametrize("path", PAGES, ids=IDS)
def test_commands_and_flags_exist(path, helps):
    text = path.read_text()
    assert [fault for program, rest in commands(text) for fault in command_faults(program, rest, helps[program])] == []


@pytest.mark.parametrize("path", PAGES, ids=IDS)
def test_keys_exist(path):
    assert unknown_keys(path.read_text()) == set()


@pytest.mark.parametrize("path", PAGES, ids=IDS)
def test_metrics_exist(path):
    named = re.findall(r"`(fairlead_(?:linkprobe|extender|deviceplugin)_\w*[a-z])(?=[{`])", path.read_text())
    assert {name for name in named if not is_metric(name)} == set()


def is_metric(name):
    whole = re.sub(r"_(bucket|sum|count)$", "", name)
    return bool({name, whole, METRICS.pattern_of(name)} & set(METRICS.rows))


@pytest.mark.parametrize("path", PAGES, ids=IDS)
def test_values_of_the_chart_exist(path):
    assert [name for name in re.findall(r"--set(?:-string)? ([\w.]+)=", path.read_text()) if not is_value(name)] == []


@pytest.mark.parametrize("path", PAGES, ids=IDS)
def test_targets_of_make_exist(path):
    text = path.read_text()
    code = "".join(re.findall(r"^```.*?^```", text, re.MULTILINE | re.DOTALL)) + "\n".join(re.findall(r"`([^`\n]+)`", prose(text)))
    assert set(re.findall(r"(?:^|[ =\d])make ([a-z][a-z-]*)", code, re.MULTILINE)) - MAKE == set()


@pytest.mark.parametrize("path", PAGES, ids=IDS)
def test_files_and_folders_exist(path):
    """Those that are named from the root of the tree on."""
    named = re.findall(r"`((?:deploy|tests|docs|helm|common|proto|linkprobe|extender|deviceplugin)/[\w./-]*\w)[`#]", path.read_text())
    assert {name for name in named if not any((base / name).exists() for base in (ROOT, path.parent))} == set()


def test_every_page_is_linked_from_the_readme():
    text = (ROOT / "README.md").read_text()
    assert [path.name for path in DOCS if f"docs/{path.name}" not in text] == []


@pytest.mark.parametrize("text, fault", [
    ("[x](nowhere.md)", "nowhere.md"), ("[x](metrics.md#no-such-part)", "metrics.md#no-such-part"),
    ("[x](#nor-here)", "#nor-here")])
def test_a_broken_link_is_found(text, fault):
    assert broken_links(ROOT / "docs" / "made-up.md", text) == [fault] or "made-up" in fault


def test_wrong_commands_and_keys_are_found():
    said = "fairlead-linkprobe ping PEER --key-file FILE\n fairlead-linkprobe --config FILE"
    assert command_faults("fairlead-linkprobe", "ping 10.0.0.1 --key-file key", said) == []
    assert command_faults("fairlead-linkprobe", "pong 10.0.0.1 --key key", said) == [
        "fairlead-linkprobe has no command pong", "fairlead-linkprobe has no --key"]
    assert list(commands("```\nfairlead-linkprobe ping x \\\n  --count 3   # why\n```\nand `fairlead-extender --config f`")) == [
        ("fairlead-linkprobe", "ping x    --count 3"), ("fairlead-extender", "--config f")]
    assert unknown_keys("`detector.window` and `deviceplugin.pools[].dscp`, not `extender.managedResources`") == set()
    assert unknown_keys("`detector.windoww`, `extender.clusterIP`, `rbac.event`") == {"detector.windoww", "rbac.event"}
    assert is_value("config.detector.window") and not is_value("config.detector.windo") and not is_value("image.regstry")
    assert is_metric("fairlead_extender_leading") and not is_metric("fairlead_extender_leeding")
