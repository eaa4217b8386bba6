"""The link page in headless Chromium, against a real extender fed by stand-in probes."""

import re
import struct
import subprocess
import tempfile

import pytest

from extender_stack import HEALTHY, Extender

LINES = HEALTHY[:2] + (
    "path hk1 tyo1 tyo 50.3 0.7 0.05 0 DEGRADED LOSS_FORWARD",
    "path tyo1 hk1 hk 50.4 0.7 0 0.05 DEGRADED LOSS_REVERSE",
)


def chromium(url, *options):
    with tempfile.TemporaryDirectory() as profile:
        command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
                   "--disable-background-networking", "--disable-component-update",
                   "--disable-sync", f"--user-data-dir={profile}", "--virtual-time-budget=6000",
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
    assert any(l.startswith("hk to sg: Healthy, none, median 36.2 ms, loss 0 %") for l in labels)
    assert any(l.startswith("hk to tyo: Degraded, loss forward, median 50.3 ms, loss 5.0 % there")
               for l in labels)


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


def test_the_page_follows_the_links_without_being_loaded_again(extender):
    page = chromium(extender.url("/links"), "--window-size=1280,900", "--dump-dom")
    assert "Not up to date" not in page
    assert re.search(r"Updated \d", page)


@pytest.mark.parametrize("width", [400, 1280])
def test_nothing_is_cut_off_at_the_side(extender, width, tmp_path):
    """The page itself never scrolls sideways: a probe element reports its width."""
    picture = tmp_path / "page.png"
    chromium(extender.url("/links"), f"--window-size={width},1200", "--hide-scrollbars",
             f"--screenshot={picture}")
    head = picture.read_bytes()[:24]
    assert struct.unpack(">II", head[16:24]) == (width, 1200)
    wrapper = tmp_path / "wrapper.html"
    wrapper.write_text(
        f'<iframe id="f" style="width:{width}px;height:1200px;border:0"></iframe><script>'
        'fetch; f.onload=()=>setTimeout(()=>{document.title='
        '"width "+f.contentDocument.documentElement.scrollWidth},2000);'
        f'f.src="{extender.url("/links")}"</script>')
    page = chromium(wrapper.as_uri(), "--window-size=1400,1300", "--dump-dom",
                    "--disable-web-security", "--allow-file-access-from-files",
                    "--disable-site-isolation-trials")
    assert re.search(r"<title>width (\d+)</title>", page).group(1) == str(width)


def test_names_are_text_never_markup(extender):
    page = extender.get("/links")
    assert "innerHTML" not in page and "insertAdjacentHTML" not in page
    assert "default-src 'none'" in page


def test_it_asks_nobody_but_the_extender(extender):
    page = extender.get("/links")
    assert not re.search(r'(?:src|href)\s*=\s*["\'](?!data:)', page)
