"""What the demo prints: titles, lines, the link table, the closing table."""

import os
import shutil
import sys
import textwrap
import time


def milliseconds(seconds):
    return "-" if seconds is None else f"{seconds * 1e3:.1f}"


def percent(direction):
    ratio = direction["loss_ratio"]
    return "-" if ratio is None else f"{ratio * 100:.2f}"


_COLUMNS = [
    ("link", lambda l: f"{l['from']} > {l['to']}"),
    ("state", lambda l: l["state"] if l["state"] == "Healthy" else f"{l['state']} {l['reason']}"),
    ("min", lambda l: milliseconds(l["rtt_seconds"]["min"])),
    ("p50", lambda l: milliseconds(l["rtt_seconds"]["p50"])),
    ("p99", lambda l: milliseconds(l["rtt_seconds"]["p99"])),
    ("jit fwd", lambda l: milliseconds(l["forward"]["jitter_seconds"])),
    ("jit rev", lambda l: milliseconds(l["reverse"]["jitter_seconds"])),
    ("loss fwd", lambda l: percent(l["forward"])),
    ("loss rev", lambda l: percent(l["reverse"])),
    ("hops", lambda l: "-" if l["forward"]["hops"] is None else str(l["forward"]["hops"])),
    ("samples", lambda l: str(l["samples"])),
    ("age s", lambda l: "-" if l["age_seconds"] is None else f"{l['age_seconds']:.1f}"),
    ("rung", lambda l: l["rung"] or "-"),
    ("stretch", lambda l: "-" if l["path_stretch"] is None else f"{l['path_stretch']:.2f}"),
]


def _print_wrapped(rows, columns):
    """As a table `columns` wide: the last two cells of a row take as many lines as they need."""
    firsts = [max(len(row[i]) for row in rows) for i in (0, 1)]
    left = max(columns - sum(firsts) - 8, 40)
    widths = firsts + [left * 2 // 5, left - left * 2 // 5]
    for row in rows:
        cells = [textwrap.wrap(cell, width) or [""] for cell, width in zip(row, widths)]
        for i in range(max(map(len, cells))):
            texts = [lines[i] if i < len(lines) else "" for lines in cells]
            print("  " + "  ".join(t.ljust(w) for t, w in zip(texts, widths)).rstrip())


class Report:
    """Prints as it goes; remembers the rows of the closing table."""

    def __init__(self):
        self._begin = time.monotonic()
        self._number = 0
        self._rows = []

    def title(self, text):
        self._number += 1
        print(f"\n{self._number}. {text}", flush=True)

    def line(self, text):
        print(f"{time.monotonic() - self._begin:6.1f} s  {text}", flush=True)

    def links(self, links):
        """The table of directed links; times in ms, losses in %."""
        rows = [[title for title, _ in _COLUMNS]]
        for pair in links.pairs():
            link = links.get(*pair)
            rows.append([cell(link) for _, cell in _COLUMNS])
        widths = [max(len(row[i]) for row in rows) for i in range(len(_COLUMNS))]
        for row in rows:
            print("          " + "  ".join(c.ljust(w) for c, w in zip(row, widths)).rstrip())
        print("          (times in ms, loss in %, stretch = min over the fibre floor)", flush=True)

    def row(self, injected, expected, found, passed):
        self._rows.append((injected, expected, found, passed))
        self.line(f"{'ok' if passed else 'WRONG'}: {found}")

    def closing_table(self):
        """Prints it; the exit status of the demo."""
        self.title("Injected against found")
        heads = ("injected", "", "expected", "found")
        rows = [heads] + [(i, "ok" if ok else "WRONG", e, f) for i, e, f, ok in self._rows]
        _print_wrapped(rows, shutil.get_terminal_size((120, 24)).columns)
        wrong = [row[0] for row in self._rows if not row[3]]
        if wrong:
            print(f"\ndemo: not as it should be: {'; '.join(wrong)}", file=sys.stderr)
            load, cores = os.getloadavg()[1], os.cpu_count()
            if load > 1.5 * cores:
                print(f"demo: this machine was busy (load {load:.1f} in the last 5 minutes, {cores} cores), which "
                      "delays emulated sites by tens of ms; try again when it is idle", file=sys.stderr)
        else:
            print(f"\nAll {len(self._rows)} rows came out as they should.", flush=True)
        return 1 if wrong else 0
