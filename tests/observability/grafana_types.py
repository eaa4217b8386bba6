"""Grafana's own types of dashboards (its foundation SDK): does a dashboard conform to them?"""

import enum
import importlib
import pathlib
import subprocess
import sys
import types
import typing

from source_families import ROOT

REQUIREMENTS = pathlib.Path(__file__).with_name("requirements.txt")
# Beside the build trees, which `make clean` removes; Python takes what lies there like any package.
FOLDER = ROOT / "build" / "grafana-types"

# Keys that the Prometheus data source gives to annotations; the SDK has types of panels and queries only.
ANNOTATION = {"titleFormat", "textFormat", "step"}


class Unavailable(Exception):
    """The types cannot be had; the message says why."""


def load():
    """Makes the SDK importable; installs it the first time, as requirements.txt pins it."""
    if not (FOLDER / "grafana_foundation_sdk").is_dir():
        done = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes",
                               "--disable-pip-version-check", "--root-user-action=ignore", "--target", FOLDER,
                               "-r", REQUIREMENTS], capture_output=True, text=True, timeout=120)
        if done.returncode != 0:
            raise Unavailable(f"pip cannot install {REQUIREMENTS.name}: {done.stderr.strip()[-300:]}")
    if str(FOLDER) not in sys.path:
        sys.path.append(str(FOLDER))
    importlib.import_module("grafana_foundation_sdk.cog.plugins").register_default_plugins()


def faults(board):
    """Where a dashboard, as parsed from JSON, is none by these types; a sentence each."""
    model = importlib.import_module("grafana_foundation_sdk.models.dashboard").Dashboard
    encoder = importlib.import_module("grafana_foundation_sdk.cog.encoder").JSONEncoder
    typed = model.from_json(board)
    found = list(_mistyped(typed, model, "dashboard"))
    kept = _plain(typed, encoder())
    return found + list(_lost(board, kept, "dashboard"))


def _plain(value, encoder):
    if hasattr(value, "to_json"):
        value = value.to_json()
    if isinstance(value, dict):
        return {key: _plain(each, encoder) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each, encoder) for each in value]
    return value.value if isinstance(value, enum.Enum) else value


def _lost(mine, kept, where):
    """What is in the JSON and in no type."""
    if isinstance(mine, dict) and isinstance(kept, dict):
        for key, value in mine.items():
            if key not in kept:
                if value is not None and not (where.startswith("dashboard.annotations") and key in ANNOTATION):
                    yield f"{where}.{key}: Grafana knows no such key"
            else:
                yield from _lost(value, kept[key], f"{where}.{key}")
    elif isinstance(mine, list) and isinstance(kept, list):
        for number, (each, other) in enumerate(zip(mine, kept)):
            yield from _lost(each, other, f"{where}[{number}]")
        if len(mine) != len(kept):
            yield f"{where}: {len(mine)} elements, {len(kept)} known"
    elif mine != kept:
        yield f"{where}: {mine!r} is taken for {kept!r}"


def _mistyped(value, hint, where):
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if isinstance(value, dict) and hasattr(hint, "from_json"):  # the SDK leaves some as they are
        value = hint.from_json(value)
    if hasattr(value, "to_json") and not isinstance(value, enum.Enum):
        for name, each in typing.get_type_hints(type(value)).items():
            yield from _mistyped(getattr(value, name), each, f"{where}.{name}")
    elif origin in (typing.Union, types.UnionType):
        meant = [each for each in arguments if (each is type(None)) == (value is None)] or arguments
        tried = [list(_mistyped(value, each, where)) for each in meant]
        if all(tried):
            yield from min(tried, key=len)
    elif hint in (typing.Any, object) or isinstance(hint, typing.TypeVar):
        return
    elif origin is list:
        if not isinstance(value, list):
            yield f"{where}: {value!r} is no list"
            return
        for number, each in enumerate(value):
            yield from _mistyped(each, arguments[0], f"{where}[{number}]")
    elif origin is dict:
        if not isinstance(value, dict):
            yield f"{where}: {value!r} is no object"
            return
        for key, each in value.items():
            yield from _mistyped(each, arguments[1], f"{where}.{key}")
    elif origin is typing.Literal:
        if value not in arguments:
            yield f"{where}: {value!r} is none of {arguments}"
    elif isinstance(hint, type) and issubclass(hint, enum.Enum):
        if value not in [each.value for each in hint] and value not in list(hint):
            yield f"{where}: {value!r} is none of {[each.value for each in hint]}"
    elif hint is float:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            yield f"{where}: {value!r} is no number"
    elif isinstance(hint, type):
        if not isinstance(value, hint) or (hint is int and isinstance(value, bool)):
            yield f"{where}: {value!r} is no {hint.__name__}"
