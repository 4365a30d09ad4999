"""The first minute: an empty server, the demo, and the playground."""

import re
import shlex
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from socket import socket

import pytest
from playwright.sync_api import Page, expect

from nacre import Nacre, ScopedNacre, Settings
from nacre.cli.addresses import Address
from nacre.cli.app import run
from tests.dashboard.test_shell import VIEWS, findings_in_both_themes, settled
from tests.serving import answering

OpenPage = Callable[..., Page]
# The pairs of words of which one covers the other by more than a hair.
OVERLAPPING = """all => all.flatMap((one, at) => all.slice(at + 1).filter(other => {
  const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
  const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return across > 3 && down > 3;
}).map(other => `${one.textContent} on ${other.textContent}`))"""


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Nacre]:
    """A brain that nobody has told anything."""
    with Nacre(tmp_path / "empty.db", settings=Settings(worker="off")) as nacre:
        yield nacre


@pytest.fixture
def empty_site(empty: Nacre, listener: socket) -> Iterator[str]:
    with answering(empty, listener):
        yield Address.of(listener, "demo").url


@pytest.fixture
def empty_page(empty_site: str, open_page: OpenPage) -> Page:
    return open_page(empty_site)


def test_the_first_page_has_no_serious_accessibility_finding(empty_page: Page) -> None:
    settled(empty_page)

    assert findings_in_both_themes(empty_page) == {}


def test_every_view_of_an_empty_server_opens_and_the_first_shows_commands_that_fill_it(
    empty_page: Page, empty_site: str, empty: Nacre
) -> None:
    for view in VIEWS:
        empty_page.goto(f"{empty_site}#/{view}")
        settled(empty_page)
        expect(empty_page.get_by_role("alert")).to_have_count(0)
    empty_page.goto(empty_site)
    expect(empty_page.get_by_role("navigation", name="Views")).to_be_visible()
    expect(empty_page.locator("pre code")).to_have_count(2)

    over_http, on_this_machine = (shlex.split(each) for each in empty_page.locator("pre code").all_inner_texts())

    assert subprocess.run(over_http, capture_output=True, check=False).returncode == 0
    assert run(on_this_machine[1:]) == 0
    assert len(empty.scope("assistant").recall("When do we launch Pebble?")) == 2


def test_what_is_said_first_grows_a_graph(empty_page: Page, empty: Nacre) -> None:
    box = empty_page.get_by_role("textbox", name="Say something")
    box.fill("Maya founded Larkspur in Utrecht.")
    box.press("Enter")

    expect(empty_page.get_by_role("heading", name="Playground")).to_be_visible()
    expect(empty_page.get_by_text("Learned", exact=True)).to_be_visible()
    expect(empty_page.get_by_role("application")).to_have_attribute("data-lit", re.compile(r"^[1-9]"))
    assert {"Maya", "Larkspur"} <= {each.name for each in empty.scope("assistant").graph.search(limit=10)}


def test_the_demo_is_loaded_into_an_agent_of_its_own(empty_page: Page, empty: Nacre) -> None:
    empty_page.get_by_role("button", name="Load the demo").click()

    expect(empty_page).to_have_url(re.compile("agent=demo"), timeout=90_000)
    expect(empty_page.get_by_role("application")).to_have_attribute("data-nodes", re.compile(r"^\d{2,}"))
    demo = empty.scope("demo")
    assert empty.agents() == ["demo"]
    versions = demo.ontology.versions("Launch Day", "schedule/launch/date")
    assert {"June 16", "September 1"} <= {each.value for each in versions}
    assert [each.value for each in versions if each.status.value == "active"] == ["September 1"]
    assert "plans/launch.md" in {each.path for each in demo.vault.list()}


def test_the_playground_observes_and_shows_what_would_be_told(
    site: str, open_page: OpenPage, scope: ScopedNacre
) -> None:
    page = open_page(f"{site}#/playground", reduced_motion="no-preference")
    box = page.get_by_role("textbox", name="Say something")
    box.fill("When does Pebble launch?")
    box.press("Enter")

    said = page.get_by_role("list").filter(has_text="When does Pebble launch?")
    expect(said.get_by_text("Before it answers, the agent would be told")).to_be_visible()
    expect(said.get_by_text(re.compile("September 1")).first).to_be_visible()
    expect(page.get_by_role("application")).to_have_attribute("data-lit", re.compile(r"^[1-9]"))
    expect(page.locator("[data-step=done]")).to_be_visible()
    session = next(each.session for each in scope.conversations.sessions() if each.session.startswith("playground"))
    assert [each.turn.text for each in scope.conversations.last(session)] == ["When does Pebble launch?"]


def test_on_a_phone_the_names_of_what_was_used_stand_beside_each_other(site: str, open_page: OpenPage) -> None:
    page = open_page(f"{site}#/playground", viewport={"width": 390, "height": 844})
    box = page.get_by_role("textbox", name="Say something")
    box.fill("When does Pebble launch?")
    box.press("Enter")
    expect(page.locator("[data-step=done]")).to_be_visible()
    expect(page.get_by_role("application")).to_have_attribute("data-layout", "done")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the picture").click()
        page.get_by_role("button", name="SVG").click()

    page.set_content(saved.value.path().read_text(encoding="utf-8"))
    names = page.locator("text[font-weight]")
    assert names.count() > 4
    assert names.evaluate_all(OVERLAPPING) == []
