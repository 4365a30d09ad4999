"""A real Chromium on a real server over a copy of the demo."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from nacre import Nacre, ScopedNacre, Settings
from nacre.cli import serving
from nacre.cli.addresses import Address
from nacre.http.dashboard import WEB

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
    server = serving.server(brain)
    with serving.listening("127.0.0.1", port, auth=brain.parts.settings.auth) as listener:
        thread = Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield Address.of(listener, "demo").url
        finally:
            server.should_exit = True
            thread.join()


@pytest.fixture
def site(brain: Nacre) -> Iterator[str]:
    """The address of a server over the demo's brain."""
    with served(brain) as address:
        yield address


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open a page at an address, with the options of a browser's context; what it complains about fails the test."""
    complaints: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        if message.text.startswith(REFUSED) or READS_BACK in message.text:
            return
        if message.type in ("error", "warning"):
            complaints.append(message.text)

    def opened(address: str, **options: object) -> Page:
        context = stack.enter_context(browser.new_context(**{"viewport": {"width": 1280, "height": 800}} | options))  # type: ignore[arg-type]
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)
        page.on("console", listen)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address)
        return page

    with ExitStack() as stack:
        yield opened
    assert complaints == []


@pytest.fixture
def page(site: str, open_page: Callable[..., Page]) -> Page:
    """A page that is nowhere yet. It is closed before the server ends, which waits for streams."""
    return open_page("about:blank")
