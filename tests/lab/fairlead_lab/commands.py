"""What each command of the tool does. Each takes the parsed options and returns an exit status or None."""

import json
import os
import pathlib
import shutil
import sys
import time

from . import state, terminal
from .errors import LabError
from .impairment import SETTINGS, fields_of
from .lab import Lab
from .units import number


def up(options):
    lab = Lab.up(options.name, options.file, accel=options.accel, owner_pid=options.owner_pid)
    _print_status(lab.status())


def down(options):
    for name in state.names() if options.all else [options.name]:
        if not state.take_down(name) and not options.all:
            print(f"lab: no lab '{name}' is up", file=sys.stderr)


def names(_):
    for name in state.names():
        print(f"{name}  {'running' if state.is_running(state.folder_of(name)) else 'stale'}")


def status(options):
    about = Lab.attach(options.name).status()
    if options.json:
        print(json.dumps(about, indent=2))
    else:
        _print_status(about)


def _print_status(about):
    print(f"lab {about['name']} ({about['accel']}), shared folder {about['share']}")
    for name, site in about["sites"].items():
        if site["exit"] is not None:
            print(f"  {name:<8} ended with {site['exit']}; see {site['console']}")
            continue
        ports = ", ".join(f"{guest} at 127.0.0.1:{host}" for guest, host in site["ports"].items())
        daemons = ", ".join(_daemon_text(daemon, d["exit"]) for daemon, d in site["daemons"].items()
                            if not daemon.startswith("capture-"))
        print(f"  {name:<8} {site['address']:<12} GID {site['gid']:<20}"
              f"{'  ports ' + ports if ports else ''}{'  runs ' + daemons if daemons else ''}")
    for name, line in about["lines"].items():
        _print_line(name, line)


def _daemon_text(name, code):
    return name if code is None else f"{name} (ended with {code})"


def _print_line(name, line):
    both = [_setting_text(line[d]) for d in ("forward", "reverse")]
    ways = f"each way {both[0]}" if both[0] == both[1] else f"forward {both[0]}; reverse {both[1]}"
    print(f"  {name:<8} RTT {number(line['rtt_ms'])} ms, {ways}{'  (changed)' if line['changed'] else ''}")


def _setting_text(setting):
    parts = [f"delay {number(setting['delay_ms'])}ms"]
    for word, unit in (("jitter", "ms"), ("loss", "%"), ("duplicate", "%"), ("reorder", "%"), ("corrupt", "%")):
        value = setting[SETTINGS[word][0]]
        if value:
            parts.append(f"{word} {number(value)}{unit}")
    if setting["gemodel"]:
        parts.append(f"gemodel {setting['gemodel']}")
    if setting["rate_mbit"]:
        parts.append(f"rate {number(setting['rate_mbit'])}mbit")
    if setting["ecn"]:
        parts.append("ecn")
    return " ".join(parts)


def line(options):
    lab = Lab.attach(options.name)
    words = {w: getattr(options, w) for w in SETTINGS if getattr(options, w) is not None}
    if options.line is None and (words or options.restore):
        raise LabError("name the line to change, such as hk-sg")
    if options.restore and words:
        raise LabError("--restore takes back every change; give it alone")
    chosen = [lab.line(options.line)] if options.line else lab.lines()
    if options.restore:
        chosen[0].restore(options.direction)
    elif words:
        unset = {w: None for w, off in (("rate", "none"), ("limit", "auto")) if words.get(w) == off}
        fields = fields_of({w: text for w, text in words.items() if w not in unset})
        fields.update({SETTINGS[w][0]: None for w in unset})
        chosen[0].set(options.direction, **fields)
    for one in chosen:
        _print_line(one.name, {"rtt_ms": one.rtt_ms(), "changed": one.is_changed(),
                               **{d: vars(one.settings(d)) for d in ("forward", "reverse")}})


def execute(options):
    site = Lab.attach(options.name).site(options.site)
    if options.detach:
        process = site.spawn(options.detach, options.argv)
        print(process.log_path)
        return 0
    return terminal.run(site, options.argv, options.tty)


def shell(options):
    return terminal.run(Lab.attach(options.name).site(options.site), ["bash", "-l"], True)


def stop(options):
    code = Lab.attach(options.name).site(options.site).stop(options.daemon)
    return code if code >= 0 else 128 - code


def logs(options):
    site = Lab.attach(options.name).site(options.site)
    path = site.log_path(options.daemon) if options.daemon else site.console
    if not path.exists():
        raise LabError(f"{options.site} has no log of '{options.daemon}'; 'lab status' lists what runs")
    with open(path, "rb") as file:
        while True:
            data = file.read(1 << 16)
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
            if not data:
                if not options.follow:
                    return
                time.sleep(0.2)


def capture(options):
    line_ = Lab.attach(options.name).line(options.line)
    target = pathlib.Path(options.output)
    if not target.is_dir() or not os.access(target, os.W_OK):
        raise LabError(f"output '{target}' is not a writable folder")
    running = line_.capture(options.snap, options.filter)
    print("lab: capturing" + ("" if options.seconds else "; Ctrl-C ends it"), file=sys.stderr)
    begin = time.monotonic()
    try:
        while options.seconds is None or time.monotonic() < begin + options.seconds:
            time.sleep(0.05)
    except KeyboardInterrupt:
        pass
    result = running.stop()
    for site in (line_.a, line_.b):
        file = target / f"{line_.name}-{site}.pcap"
        shutil.copy(running.path(site), file)
        running.path(site).unlink()
        print(f"{file}  {len(result.packets(site))} packets")


def put(options):
    Lab.attach(options.name).site(options.site).put(options.source, options.target)


def get(options):
    print(Lab.attach(options.name).site(options.site).get(options.source, options.target))


def forward(options):
    print(Lab.attach(options.name).site(options.site).forward(options.port))


def refresh(options):
    for site in Lab.attach(options.name).sites():
        site.refresh()
