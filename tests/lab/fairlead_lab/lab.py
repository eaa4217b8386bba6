"""A lab as a whole: up, attach, status, down."""

import concurrent.futures
import json
import os
import pathlib
import secrets
import shutil
import subprocess
import sys
import time

from . import accel as accelerators
from . import framing, guestnet, initrd, kernel, qemu, state, topology
from .errors import LabError
from .host import HostPrograms
from .line import Line
from .progress import say
from .site import Site

_PACKAGE = pathlib.Path(__file__).resolve().parent
_BOOT_SECONDS = 180.0
_NEEDED = {"rdma": "iproute2", "tc": "iproute2", "ip": "iproute2", "modprobe": "kmod", "bash": "bash",
           "ibv_devinfo": "ibverbs-utils", "tcpdump": "tcpdump"}


class Lab:
    """A running lab. Get one by Lab.up() or Lab.attach(). Thread-safe."""

    def __init__(self, name, folder):
        self.name = name
        self.folder = folder
        self.share = folder / "share"  # Read-write, at the same path on the host and in every guest.
        try:
            about = json.loads((folder / "lab.json").read_text())
        except (OSError, ValueError):
            raise LabError(f"lab '{name}' is not up completely; 'lab down --name {name}' cleans it away") from None
        if about.get("protocol") != framing.PROTOCOL:
            raise LabError(f"lab '{name}' was started by another version of this tool; "
                           f"'lab down --name {name}' and 'lab up --name {name}' start it anew")
        self.accel = about["accel"]
        self.topology = topology.parse(about["topology"])
        self._sites = {
            site.name: Site(folder, site, about["agent_ports"][site.name], about["token"])
            for site in self.topology.sites
        }

    @classmethod
    def up(cls, name, sites_file=None, document=None, accel=None, owner_pid=0, progress=say):
        """Boots a lab and returns it ready.

        sites_file: JSON file (default: hk, sg, tyo); document: the same as a dict instead.
        accel: auto, tcg, kvm. owner_pid: the lab ends with that process, by default with this one;
        None: it stays until taken down. progress is called with a line of text now and then.
        """
        plan, document = _plan(sites_file, document)
        _check_programs()
        owner = os.getpid() if owner_pid == 0 else owner_pid
        image = kernel.ensure()
        accel = accelerators.choose(image, accel, progress)
        folder, lock = state.claim(name)
        try:
            token = _prepare(folder, plan, image, accel)
            _start_supervisor(folder, lock)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        finally:
            os.close(lock)
        try:
            progress(f"booting {', '.join(s.name for s in plan.sites)} with {accel} (lab '{name}')")
            _wait_ready(folder, plan, progress)
            ports = {s.name: qemu.forwards(qemu.monitor_path(folder, s))[guestnet.AGENT_PORT] for s in plan.sites}
            about = {"protocol": framing.PROTOCOL, "topology": document, "accel": accel, "token": token, "agent_ports": ports}
            (folder / "lab.json").write_text(json.dumps(about))
            lab = cls(name, folder)
            with concurrent.futures.ThreadPoolExecutor(8) as pool:
                list(pool.map(lambda site: site.set_clock(), lab.sites()))
            if owner != os.getpid():
                _hand_over(folder, owner)
            return lab
        except BaseException:
            state.take_down(name)
            raise

    @classmethod
    def attach(cls, name):
        """The running lab of that name."""
        folder = state.folder_of(name)
        if not folder.exists():
            raise LabError(f"no lab '{name}' is up; 'lab up --name {name}' starts it")
        if not state.is_running(folder):
            raise LabError(f"lab '{name}' has ended and left its folder; 'lab down --name {name}' cleans it away")
        return cls(name, folder)

    @property
    def host(self):
        """Programs on the host that end with the lab; see HostPrograms."""
        return HostPrograms(self.folder)

    def hand_over(self, owner_pid):
        """From now on the lab ends with that process; None: it stays until taken down."""
        _hand_over(self.folder, owner_pid)

    def sites(self):
        return list(self._sites.values())

    def site(self, name):
        self.topology.site(name)
        return self._sites[name]

    def lines(self):
        return [Line(self, line, False) for line in self.topology.lines]

    def line(self, name):
        """The line 'a-b'; 'b-a' is the same line seen from the other end."""
        return Line(self, *self.topology.line(name))

    def down(self):
        """Ends the guests and removes the lab's folder. Harmless when repeated."""
        state.take_down(self.name)

    def guests(self):
        """{site: {pid, exit}} of the QEMU processes; exit is None while it runs."""
        return state.ask(self.folder, {"op": "guests"})["guests"]

    def status(self):
        """What 'lab status --json' prints."""
        guests = self.guests()
        sites = {}
        for site in self.sites():
            entry = {"address": site.address, "gid": site.gid, **guests[site.name], "console": str(site.console)}
            if entry["exit"] is None:
                entry["ports"] = {str(guest): host for guest, host in site.ports().items()}
                entry["daemons"] = site.daemons()
            sites[site.name] = entry
        lines = {
            line.name: {
                "rtt_ms": line.rtt_ms(),
                "changed": line.is_changed(),
                **{d: vars(line.settings(d)) for d in ("forward", "reverse")},
            }
            for line in self.lines()
        }
        return {"name": self.name, "folder": str(self.folder), "share": str(self.share), "accel": self.accel,
                "sites": sites, "lines": lines}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.down()


def _plan(sites_file, document):
    if document is None:
        path = pathlib.Path(sites_file or topology.DEFAULT_FILE)
        return topology.load(path), json.loads(path.read_text())
    return topology.parse(document), document


def _check_programs():
    path = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
    missing = sorted({package for program, package in _NEEDED.items() if not shutil.which(program, path=path)})
    if missing:
        raise LabError(f"programs are missing; install them: apt-get install {' '.join(missing)}")
    qemu.binary()


def _prepare(folder, plan, image, accel):
    longest = folder / f"{max((s.name for s in plan.sites), key=len)}.monitor"
    if len(str(longest)) > 100:
        raise LabError(f"{folder} is too long a path for unix sockets; set XDG_RUNTIME_DIR to a shorter one")
    token = secrets.token_hex(16)
    initrd.build(image, folder / "initrd")
    commands = {}
    for site in plan.sites:
        home = folder / "share" / ".guest" / site.name
        home.mkdir(parents=True)
        (folder / "share" / site.name / "log").mkdir(parents=True)
        (home / "token").write_text(token)
        (home / "setup.sh").write_text(guestnet.script(plan, site, folder / "share", home / "token"))
        shutil.copy(_PACKAGE / "guest" / "agent.py", home / "agent.py")
        shutil.copy(_PACKAGE / "framing.py", home / "framing.py")
        commands[site.name] = qemu.command(folder, plan, site, accel, image, folder / "initrd")
    (folder / "guests.json").write_text(json.dumps(commands))
    return token


def _start_supervisor(folder, lock):
    owner = os.pidfd_open(os.getpid())
    try:
        argv = [sys.executable, "-m", "fairlead_lab.supervisor", str(folder), str(lock), str(owner)]
        with open(folder / "supervisor.log", "wb") as log:
            subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log, pass_fds=[lock, owner],
                             start_new_session=True, env={**os.environ, "PYTHONPATH": str(_PACKAGE.parent)})
    finally:
        os.close(owner)


def _hand_over(folder, owner):
    answer = state.ask(folder, {"op": "owner", "pid": owner})
    if "guests" not in answer:
        raise LabError(f"no process {owner} runs that could own the lab; see --owner-pid")


def _wait_ready(folder, plan, progress):
    begin = time.monotonic()
    waiting, told = list(plan.sites), begin
    while waiting:
        for site in list(waiting):
            console = _console(folder, site)
            if "LAB-READY" in console:
                waiting.remove(site)
            elif "LAB-FAIL" in console:
                raise LabError(f"site {site.name} did not come up:\n{console[-1500:]}")
        try:
            guests = state.ask(folder, {"op": "guests"})["guests"]
        except OSError:
            guests = {}
            if time.monotonic() - begin > 10:
                log = (folder / "supervisor.log").read_text() if folder.exists() else ""
                raise LabError(f"the lab's supervisor does not answer: {log[-1500:]}") from None
        for name, guest in guests.items():
            if guest["exit"] is not None:
                log = (folder / f"{name}.qemu.log").read_text()
                raise LabError(f"QEMU of site {name} ended with {guest['exit']}: {log[-1000:]}\n"
                               f"{_console(folder, plan.site(name))[-1000:]}")
        now = time.monotonic()
        if waiting and now - begin > _BOOT_SECONDS:
            last = _console(folder, waiting[0])[-1500:]
            raise LabError(f"site {waiting[0].name} is not ready after {_BOOT_SECONDS:.0f} s; its console:\n{last}")
        if waiting and now - told > 3:
            progress(f"{now - begin:.0f} s: waiting for {', '.join(s.name for s in waiting)}")
            told = now
        time.sleep(0.1)
    progress(f"ready after {time.monotonic() - begin:.1f} s")


def _console(folder, site):
    try:
        return qemu.console_path(folder, site).read_text(errors="replace")
    except FileNotFoundError:
        return ""
