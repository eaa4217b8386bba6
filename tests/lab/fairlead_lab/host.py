"""Programs on the host that live as long as the lab does."""

import collections
import signal

from . import state
from .errors import LabError

_ANSWER_S = 10.0

HostState = collections.namedtuple("HostState", "pid exit")


class HostPrograms:
    """Started by the lab's supervisor, so they end with the lab whatever happens to this process.

    A child that such a program starts is its own affair while it runs; the lab's end finds that too.
    """

    def __init__(self, lab_folder):
        self._folder = lab_folder
        self.logs = lab_folder / "host-log"

    def log_path(self, name):
        return self.logs / f"{name}.log"

    def spawn(self, name, argv, env=None):
        """Starts argv on the host; its pid. stdout and stderr are appended to log_path(name)."""
        self.logs.mkdir(exist_ok=True)
        request = {"op": "start", "name": name, "argv": [str(word) for word in argv], "env": env or {},
                   "log": str(self.log_path(name))}
        return self._ask(request)["pid"]

    def stop(self, name, grace_s=5.0, signal_number=signal.SIGTERM):
        """Ends it (SIGKILL after grace_s); its exit status."""
        request = {"op": "stop", "name": name, "signal": int(signal_number), "grace": grace_s}
        return self._ask(request, grace_s + _ANSWER_S)["exit"]

    def states(self):
        """{name: HostState} of all that was started; exit is None while it runs."""
        programs = self._ask({"op": "guests"})["programs"]
        return {name: HostState(**about) for name, about in programs.items()}

    def _ask(self, request, timeout=_ANSWER_S):
        try:
            answer = state.ask(self._folder, request, timeout)
        except OSError as error:
            raise LabError(f"the lab's supervisor does not answer ({error}); has the lab ended?") from None
        if "error" in answer:
            raise LabError(answer["error"])
        return answer
