"""Child processes that end when their parent does, however it ends."""

import ctypes
import os
import signal

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True)


def dying_with_us():
    """A preexec_fn for subprocess: the child is killed when the thread that started it ends."""
    parent = os.getpid()

    def before_exec():
        _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:  # It ended before the call above.
            os._exit(1)

    return before_exec
