"""A test program of build/ci/bin that prints a line of JSON for each thing it sees."""

import os
import subprocess
import threading

from conftest import BUILD
from fairlead_lab.descent import dying_with_us


class TalkingTool:
    """At work from its making on, and ended by `kill` or at the end of a `with`, whatever state it is in."""

    def __init__(self, name, *words):
        self._process = subprocess.Popen([str(BUILD / "bin" / name), *map(str, words)], text=True,
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, preexec_fn=dying_with_us())
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self._process.stdout:
            self.hear(line)

    def hear(self, line):
        """What to make of one line; called by a thread."""
        raise NotImplementedError

    def ask(self, line):
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def send(self, number):
        os.kill(self._process.pid, number)

    def wait_end(self, timeout_s):
        """Its exit status, once it has said all."""
        status = self._process.wait(timeout_s)
        self._reader.join()
        return status

    def kill(self):
        """Also one that has ended, or is stopped."""
        self._process.kill()
        self._process.wait()
        self._reader.join()
        self._process.stdin.close()
        self._process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()
