"""The link page in headless Chromium, against a real extender fed by stand-in probes."""

import html
import http.server
import json
import re
import struct
import subprocess
import tempfile
import threading

import pytest

from extender_stack import HEALTHY, ROOT, Extender

LINES = HEALTHY[:2] + (
    "path hk1 tyo1 tyo 50.3 0.7 0.05 0 DEGRADED LOSS_FORWARD",
    "path tyo1 hk1 hk 50.4 0.7 0 0.05 DEGRADED LOSS_REVERSE",
)


def chromium(url, *options):
    with tempfile.TemporaryDirectory() as profile:
        command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
                   "--disable-background-networking", "--disable-component-update",
                   "--disable-sync", f"--user-data-dir={profile}", "--virtual-time-budget=12000",
                   *options, url]
        return subprocess.run(command, capture_output=True, timeout=120, check=True).stdout.decode()


@pytest.fixture(scope="module")
def extender(tmp_path_factory):
    with Extender(tmp_path_factory.mktemp("page")) as running:
        running.feed(*LINES)
        running.await_state("hk", "sg", "Healthy")
        running.await_state("tyo", "hk", "Degraded")
        yield running


@pytest.fixture(scope="module")
def document(extender):
    return chromium(extender.url("/links"), "--window-size=1280,900", "--dump-dom")


def test_matrix_names_state_median_and_loss_of_each_link(document):
    labels = re.findall(r'aria-label="([^"]*)"', document)
    assert any(l.startswith("hk to sg: Healthy, median 36.2 ms, loss 0 %") for l in labels)
    assert any(l.startswith("hk to tyo: Degraded, loss forward, median 50.3 ms, loss 5.0 % there")
               for l in labels)


def test_quantities_are_written_as_people_say_them(tmp_path):
    page = (ROOT / "extender/web/page.js").read_text()
    functions = "\n".join(line for line in page.splitlines()
                          if re.match(r"function (fixed|ms|pct|span|rate|tick|counted)\(", line))
    expected = {
        "ms(null)": "–", "ms(0)": "0 ms", "ms(4e-8)": "40 ns", "ms(0.9996e-6)": "1.0 µs",
        "ms(12.34e-6)": "12.3 µs", "ms(412e-6)": "412 µs", "ms(999.6e-6)": "1.0 ms",
        "ms(0.0362)": "36.2 ms", "ms(0.09996)": "100 ms", "ms(0.2503)": "250 ms",
        "pct(null)": "–", "pct(0)": "0 %", "pct(1)": "100 %", "pct(0.9996)": "100 %",
        "pct(0.123)": "12 %", "pct(0.0996)": "10 %", "pct(0.05)": "5.0 %", "pct(1e-5)": "0.0010 %",
        "pct(1e-9)": "<0.000001 %",
        "span(null)": "–", "span(-3)": "<1 s", "span(0.4)": "<1 s", "span(45.9)": "45 s",
        "span(119.9)": "119 s", "span(181.92)": "3 min", "span(7199)": "119 min", "span(9000)": "2 h",
        "span(200000)": "2 days",
        "rate(null)": "–", "rate(0)": "0 b/s", "rate(1.25e9)": "10.0 Gb/s", "rate(5e10)": "400 Gb/s",
        "rate(1.2495e8)": "1.00 Gb/s", "rate(6e4)": "480 kb/s", "rate(1.5e11)": "1.20 Tb/s",
        "tick(1.2)": "1200", "tick(0.0362)": "36.2", "tick(4e-4)": "0.400",
        'counted(0, "link", "links")': "0 links", 'counted(1, "link", "links")': "1 link",
        'counted(2, "link", "links")': "2 links",
    }
    sheet = tmp_path / "sheet.html"
    sheet.write_text(f"""<meta charset="utf-8"><script>{functions}
      document.title = JSON.stringify([{", ".join(expected)}]);</script>""")
    title = re.search(r"<title>(.*)</title>", chromium(sheet.as_uri(), "--dump-dom")).group(1)
    assert dict(zip(expected, json.loads(html.unescape(title)))) == expected


def test_every_cell_is_a_button_that_the_keyboard_reaches(document):
    cells = re.findall(r'<button[^>]*class="cell [^>]*>', document)
    assert len(cells) >= 6
    assert all('type="button"' in c and "aria-pressed" in c and "tabindex" not in c for c in cells)


def test_the_worst_link_is_shown_in_detail_at_first(document):
    assert re.search(r'id="detail-title">(hk → tyo|tyo → hk)<', document)
    assert 'class="badge Degraded"' in document
    assert "as the script says" in document
    assert re.search(r'<path class="p50" d="M', document)


def test_a_link_named_in_the_address_is_shown(extender):
    page = chromium(extender.url("/links#sg/hk"), "--window-size=1280,900", "--dump-dom")
    assert 'id="detail-title">sg → hk<' in page


def test_it_says_when_it_was_updated_and_has_no_trouble(document):
    assert re.search(r"Updated \d", document)
    assert re.search(r'<div id="trouble" role="alert"></div>', document)


class Beside(http.server.BaseHTTPRequestHandler):
    """Serves a script beside the extender's page, on one origin, so that it may look into it."""

    extender = None
    script = ""
    log_message = lambda *_: None

    def do_GET(self):
        if self.path == "/favicon.ico":
            return self.send_error(404)
        if self.path == "/":
            kind, body = "text/html", f"<!doctype html><body>{self.script}"
        else:
            kind = "application/json" if "json" in self.path else "text/html"
            body = self.extender.get(self.path)
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(body.encode())


def inside(extender, width, script, path="/links"):
    """Runs `script` (an async function's body, `page` is the document at `path`) and returns what
    it returns."""
    handler = type("Handler", (Beside,), {"extender": extender, "script": f"""
        <iframe id=f style="width:{width}px;height:1200px;border:0" src="{path}"></iframe><script>
        const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
        f.onload = async () => {{
          await sleep(1500);
          const page = f.contentDocument;
          const result = await (async () => {{ {script} }})();
          const shown = document.createElement("pre");
          shown.className = "result";
          shown.textContent = JSON.stringify(result);
          document.body.append(shown);
        }}</script>"""})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = chromium(f"http://127.0.0.1:{server.server_port}/", "--window-size=1400,1300",
                        "--dump-dom")
        server.shutdown()
    return json.loads(html.unescape(re.search(r'<pre class="result">(.*?)</pre>', page, re.S)[1]))


@pytest.mark.parametrize("width", [400, 1280])
def test_the_page_never_scrolls_sideways(extender, width):
    whole, seen = inside(extender, width, """
        return [page.documentElement.scrollWidth, page.documentElement.clientWidth];""")
    assert whole == seen


def test_arrow_keys_move_and_enter_shows(extender):
    title = inside(extender, 400, """
        const cell = [...page.querySelectorAll("button")].find(
            (b) => b.getAttribute("aria-label").startsWith("hk to tyo"));
        cell.focus();
        cell.dispatchEvent(new f.contentWindow.KeyboardEvent("keydown", {key: "ArrowLeft"}));
        page.activeElement.click();  // what a browser makes of Enter on a button
        await sleep(1000);
        return page.getElementById("detail-title").textContent;""")
    assert title == "hk \u2192 sg"


def test_it_refreshes_in_place(extender):
    """The cells stay the same elements, so neither the focus nor a screen reader loses its place."""
    result = inside(extender, 1280, """
        const cell = page.querySelector("button");
        const real = f.contentWindow.fetch;
        let asked = 0;
        f.contentWindow.fetch = (...what) => { asked++; return real.apply(f.contentWindow, what); };
        cell.focus();
        await sleep(4500);
        return [page.querySelector("button") === cell, page.activeElement === cell, asked >= 2];""")
    assert result == [True, True, True]


def test_it_tells_when_the_extender_is_gone(tmp_path):
    with Extender(tmp_path) as running:
        running.feed(*HEALTHY)
        running.await_state("hk", "sg", "Healthy")
        gone = inside(running, 400, """
            f.contentWindow.fetch = () => Promise.reject(new Error("refused"));
            await sleep(2500);
            return page.getElementById("trouble").textContent;""")
    assert gone.startswith("Not up to date: refused")


@pytest.mark.parametrize("width", [400, 1280])
def test_screenshot(extender, width, tmp_path):
    picture = tmp_path / "page.png"
    chromium(extender.url("/links"), f"--window-size={width},1200", f"--screenshot={picture}")
    assert struct.unpack(">II", picture.read_bytes()[16:24]) == (width, 1200)


def test_names_are_text_never_markup(extender):
    page = extender.get("/links")
    assert "innerHTML" not in page and "insertAdjacentHTML" not in page
    assert "default-src 'none'" in page


def test_it_asks_nobody_but_the_extender(extender):
    page = extender.get("/links")
    assert not re.search(r'(?:src|href)\s*=\s*["\'](?!data:|links"|migrations")', page)
