"""The demo, run and interrupted as a user would."""

import os
import pathlib
import re
import signal
import subprocess
import sys
import time

from extender_stack import BUILD, ROOT
from fairlead_lab import state

DEMO = ROOT / "tests" / "demo" / "demo.py"
PATIENCE_S = 600


class Demo:
    """demo.py in a process group of its own, as in a terminal; `with` leaves nothing behind."""

    def __init__(self, folder):
        self.output = folder / "demo.out"
        with open(self.output, "w") as out:
            self.process = subprocess.Popen([sys.executable, DEMO, "--build", BUILD], stdin=subprocess.DEVNULL,
                                            stdout=out, stderr=out, start_new_session=True)
        self.folder = state.folder_of(f"demo-{self.process.pid}")

    def text(self):
        return self.output.read_text()

    def wait_for(self, words):
        deadline = time.monotonic() + PATIENCE_S
        while words not in self.text():
            assert self.process.poll() is None, self.text()
            assert time.monotonic() < deadline, self.text()
            time.sleep(0.1)

    def press_ctrl_c(self):
        """A terminal sends it to the whole foreground group."""
        os.killpg(self.process.pid, signal.SIGINT)

    def left_over(self):
        """What still runs or lies about of it."""
        found = [str(self.folder)] if self.folder.exists() else []
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                words = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if str(self.folder).encode() in words:
                found.append(words.replace(b"\0", b" ").decode(errors="replace"))
        return found

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        state.take_down(f"demo-{self.process.pid}")


def test_the_whole_demo(tmp_path, figures):
    begin = time.monotonic()
    with Demo(tmp_path) as demo:
        code = demo.process.wait(PATIENCE_S)
        figures("demo, without the build", f"{time.monotonic() - begin:.0f} s")
        text = demo.text()
        print(text)
        assert code == 0, text
        left = demo.left_over()
    table = text[text.index("Injected against found"):]
    for injected in ("hk-sg 36 ms", "hk-tyo 50 ms", "sg-tyo 68 ms", "third pod of a gang", "+25 ms on HK-SG",
                     "5 % loss from hk to sg only", "fluctuation on HK-SG", "3 s spike"):
        rows = [row for row in table.splitlines() if row.strip().startswith(injected)]
        assert rows and all(re.search(r"\s{2,}ok\s{2,}", row) for row in rows), table
    assert "All 11 rows came out as they should" in table
    assert left == []


def test_ctrl_c_leaves_nothing(tmp_path, figures):
    with Demo(tmp_path) as demo:
        demo.wait_for("a fairlead-linkprobe in each site")
        assert len([one for one in demo.left_over() if "fairlead-extender" in one]) == 1
        begin = time.monotonic()
        demo.press_ctrl_c()
        assert demo.process.wait(60) == 130, demo.text()
        figures("demo ends after Ctrl-C", f"{time.monotonic() - begin:.1f} s")
        assert demo.left_over() == []
        assert "Traceback" not in demo.text()
