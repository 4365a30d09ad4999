"""A real Chromium on a real server over a copy of the demo."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import socket

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, ViewportSize, expect, sync_playwright

from nacre import Nacre, ScopedNacre, Settings
from nacre.cli import listeners
from nacre.cli.addresses import Address
from nacre.http.dashboard import WEB
from tests.serving import answering

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
# A browser of a test asks nobody but the server it is sent to, and needs no sandbox for it.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
# Who asks for nothing else: the camera is where it goes at once. Without a graphics card, motion is drawn by the cores.
READER = {"color_scheme": "light", "reduced_motion": "reduce"}
# How long a page is waited for, in milliseconds. Chromium draws without a graphics card here, beside other tests.
PATIENCE = 120_000
# What Chromium says of a reply that the page shows in words of its own.
REFUSED = "Failed to load resource: the server responded with a status of 4"
# What Chromium says of itself where it has no graphics card, and copies every WebGL canvas onto the page.
READS_BACK = "GPU stall due to ReadPixels"


def chromium() -> str | None:
    """Where a Chromium or Chrome is, if there is one."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One browser for these tests; it ends before other tests start, because it occupies the event loop."""
    path = chromium()
    if path is None:
        pytest.skip("no Chromium or Chrome is installed")
    assert (WEB / "index.html").is_file(), "The dashboard is not built: script/test builds it."
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield found
        found.close()


@pytest.fixture
def brain(demo_file: Path, tmp_path: Path) -> Iterator[Nacre]:
    """The demo's brain, to change at will."""
    path = shutil.copy(demo_file, tmp_path / "demo.db")
    with Nacre(path, settings=Settings(agent="demo", worker="off")) as nacre:
        yield nacre


@pytest.fixture
def scope(brain: Nacre) -> ScopedNacre:
    """What the page shows first."""
    return brain.scope("demo")


@contextmanager
def served(brain: Nacre, port: int = 0) -> Iterator[str]:
    """The address of a server over a brain, while it runs."""
    auth = brain.parts.settings.auth
    with listeners.listening("127.0.0.1", port, auth=auth) as listener, answering(brain, listener):
        yield Address.of(listener, "demo").url


@pytest.fixture(scope="package")
def listener() -> Iterator[socket]:
    """One address for the servers of all tests: the browser reads and compiles what pages load once."""
    with listeners.listening("127.0.0.1", 0) as found:
        yield found


@pytest.fixture
def site(brain: Nacre, listener: socket) -> Iterator[str]:
    """The address of a server over the demo's brain."""
    with answering(brain, listener):
        yield Address.of(listener, "demo").url


@pytest.fixture(scope="package")
def window(browser: Browser) -> Iterator[Page]:
    """The one page that these tests open addresses in: another takes a browser longer than most tests take."""
    with browser.new_context() as context:
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)
        yield page


@pytest.fixture
def open_page(window: Page) -> Iterator[Callable[..., Page]]:
    """Open an address, in a window of some size and for some reader; what the page complains about fails the test."""
    complaints: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        if message.text.startswith(REFUSED) or READS_BACK in message.text:
            return
        if message.type in ("error", "warning"):
            complaints.append(message.text)

    def fail(error: Error) -> None:
        complaints.append(str(error))

    def opened(address: str, viewport: ViewportSize = DESKTOP, **reader: str) -> Page:
        window.set_viewport_size(viewport)
        window.emulate_media(**READER | reader)  # type: ignore[arg-type]
        window.goto(address)
        return window

    window.on("console", listen)
    window.on("pageerror", fail)
    yield opened
    _leave(window)
    window.remove_listener("console", listen)
    window.remove_listener("pageerror", fail)
    assert complaints == []


def _leave(window: Page) -> None:
    """Let the next test find the page as if it were new: an address of its server may have been one of this test."""
    if window.url.startswith("http"):
        window.evaluate("localStorage.clear(); sessionStorage.clear()")
    window.goto("about:blank")
    window.unroute_all()
    window.context.clear_cookies()
    window.context.clear_permissions()


@pytest.fixture
def page(site: str, open_page: Callable[..., Page]) -> Page:
    """A page that is nowhere yet. It is left before the server ends, which waits for streams."""
    return open_page("about:blank")
