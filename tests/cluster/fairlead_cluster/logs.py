"""Everything that a cluster wrote, gathered into one folder."""

import pathlib
import shutil

from fairlead_lab import LabError

_FROM_GUEST = ("/var/log/pods",)


def gather(lab, target, pods=True):
    """Copies all logs below target; the paths of the files. pods: also what containers wrote, asked of each guest."""
    target = pathlib.Path(target)
    target.mkdir(parents=True, exist_ok=True)
    for log in sorted(lab.host.logs.glob("*.log")):
        shutil.copyfile(log, _place(target / "host" / log.name))
    for site in lab.sites():
        for log in sorted((site.folder / "log").glob("*.log")):
            shutil.copyfile(log, _place(target / site.name / log.name))
        if site.console.exists():
            shutil.copyfile(site.console, _place(target / site.name / "console.log"))
        if pods:
            _pod_logs(site, target / site.name)
    return sorted(path for path in target.rglob("*") if path.is_file())


def _place(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def _pod_logs(site, target):
    """The containers' logs lie on the guest's RAM and come over the shared folder."""
    exchange = site.folder / ".pod-logs"
    script = 'rm -rf "$0"; mkdir -p "$0"; for d in "$@"; do [ ! -d "$d" ] || cp -rL "$d" "$0/"; done'
    try:
        site.run(["sh", "-c", script, exchange, *_FROM_GUEST], timeout=60, check=False)
    except LabError as error:
        _place(target / "pods-not-read.txt").write_text(f"{error}\n")
        return
    if exchange.exists():
        shutil.copytree(exchange, target, dirs_exist_ok=True)
        shutil.rmtree(exchange, ignore_errors=True)
