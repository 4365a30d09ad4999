"""The page around the views: navigation, themes, whose memory is in view, signing in, and what holds for every view."""

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page, Request, expect

from nacre import Nacre, Settings
from tests.dashboard.conftest import served

VIEWS = (
    *("", "playground", "entities", "review", "recall", "memories", "documents", "working", "sessions"),
    *("dreams", "jobs", "audit", "settings"),
)
MORE = ("settings/agent", "settings/tokens")
OVERFLOW = "[document.documentElement, document.querySelector('main')].map(at => at.scrollWidth - at.clientWidth)"
# Colours fade into those of another theme, however quickly: one frame of it is enough to be found.
FADED = """() => Promise.race([
  new Promise((resolve) => setTimeout(resolve, 5000)),
  Promise.allSettled(
    document.getAnimations().filter((each) => each instanceof CSSTransition).map((each) => each.finished)
  ),
])"""
# The rules of axe that look at colours.
COLOURS = ["color-contrast", "link-in-text-block"]
OpenPage = Callable[..., Page]


def settled(page: Page) -> None:
    """Wait until a view shows what it has."""
    expect(page.locator("h1").first).to_be_visible()
    expect(page.locator(".pearl")).to_have_count(0)


def serious_findings(page: Page, **options: object) -> dict[str, list[str]]:
    """What keeps people from using a page, and where it stands; axe takes options."""
    # Another view is the same document, which has read it then.
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE_SCRIPT)
    told = page.evaluate("options => axe.run(options)", {"resultTypes": ["violations"]} | options)
    found = told["violations"]
    grave = [each for each in found if each["impact"] in ("serious", "critical")]
    return {each["id"]: [node["html"][:200] for node in each["nodes"]] for each in grave}


@pytest.fixture
def team(demo_file: Path, tmp_path: Path) -> Iterator[tuple[Nacre, str]]:
    """A brain whose server wants tokens, and its address."""
    path = shutil.copy(demo_file, tmp_path / "team.db")
    with Nacre(path, settings=Settings(agent="demo", worker="off", auth="team")) as nacre, served(nacre) as address:
        yield nacre, address


def signed_in(page: Page, secret: str) -> None:
    page.get_by_label("Token").fill(secret)
    page.get_by_role("button", name="Sign in").click()


def test_views_are_reached_by_mouse_and_by_keys(page: Page, site: str) -> None:
    page.goto(f"{site}#/jobs")
    views = page.get_by_role("navigation", name="Views")
    views.get_by_role("link", name="Memories").click()
    expect(page.get_by_role("heading", name="Memories", level=1)).to_be_visible()
    expect(views.get_by_role("link", name="Memories")).to_have_attribute("aria-current", "page")

    page.keyboard.press("g")
    page.keyboard.press("d")
    expect(page.get_by_role("heading", name="Dreams", level=1)).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_contain_text("Go to Review")
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.keyboard.type("maya")
    expect(page.get_by_role("listbox").get_by_role("option", name="Maya").first).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Maya", level=1)).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Dreams", level=1)).to_be_visible()


def test_the_theme_follows_the_system_until_one_is_chosen(site: str, open_page: OpenPage) -> None:
    page = open_page(f"{site}#/jobs", color_scheme="light")
    shown = page.locator("html")
    expect(shown).to_have_attribute("data-theme", "light")
    page.emulate_media(color_scheme="dark")
    expect(shown).to_have_attribute("data-theme", "dark")

    page.get_by_role("button", name="Light theme").click()

    expect(shown).to_have_attribute("data-theme", "light")
    page.reload()
    expect(page.get_by_role("button", name="Dark theme")).to_be_visible()
    expect(shown).to_have_attribute("data-theme", "light")


def test_the_scope_in_view_is_chosen_and_stands_in_the_address(page: Page, site: str, brain: Nacre) -> None:
    brain.scope("demo", user="zoe").remember("The code word is swordfish.")
    brain.scope("other").remember("Nobody knows the code word.")
    page.goto(f"{site}#/memories")
    page.reload()
    page.get_by_role("combobox", name="User and chat").select_option("zoe")
    expect(page.get_by_text("The code word is swordfish.").first).to_be_visible()
    expect(page).to_have_url(re.compile("user=zoe"))

    page.get_by_role("combobox", name="Agent").select_option("other")
    expect(page.get_by_text("Nobody knows the code word.").first).to_be_visible()
    expect(page).to_have_url(re.compile(r"agent=other(?!.*user=)"))
    page.get_by_role("navigation", name="Views").get_by_role("link", name="Audit log").click()
    expect(page).to_have_url(re.compile("audit.*agent=other"))


def test_a_token_is_asked_for_and_only_a_right_one_opens(team: tuple[Nacre, str], open_page: OpenPage) -> None:
    brain, address = team
    page = open_page(address)
    signed_in(page, "nacre_wrong_token")
    expect(page.get_by_role("alert")).to_contain_text("not valid")

    signed_in(page, brain.tokens.issue("ana", "admin").secret)
    expect(page.get_by_role("navigation", name="Views")).to_be_visible()
    page.reload()
    expect(page.get_by_role("navigation", name="Views")).to_be_visible()


def test_who_may_only_look_is_told_so(team: tuple[Nacre, str], open_page: OpenPage) -> None:
    brain, address = team
    before = brain.scope("demo").history(limit=1)
    page = open_page(f"{address}#/audit")
    signed_in(page, brain.tokens.issue("viewer", "readonly", agent="demo").secret)
    page.get_by_role("button", name="Undo", exact=True).first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Take it back").click()

    expect(dialog.get_by_role("alert")).to_contain_text("The role `readonly` has no permission `recover`.")
    assert brain.scope("demo").history(limit=1) == before
    page.goto(f"{address}#/settings/tokens")
    expect(page.get_by_role("heading", name="This is not for your token").first).to_be_visible()


def test_a_server_that_goes_away_is_noticed_and_so_is_its_return(browser: Browser, brain: Nacre) -> None:
    with ExitStack() as stack:
        # Not `open_page`: a browser complains of a server that is gone.
        page = stack.enter_context(browser.new_context()).new_page()
        with served(brain) as address:
            page.goto(f"{address}#/jobs")
            expect(page.get_by_text("Live", exact=True)).to_be_visible()
        page.get_by_role("button", name="Done").click()
        expect(page.get_by_role("alert")).to_contain_text("The server does not answer")
        expect(page.get_by_text("Asking every 5 s")).to_be_visible()
        page.get_by_role("link", name="Working memory").click()
        expect(page.get_by_role("heading", name="This view could not be shown")).to_be_visible()
        page.go_back()
        expect(page.get_by_role("alert")).to_be_visible()

        with served(brain, urlsplit(address).port or 0):
            page.get_by_role("button", name="Try again").click()
            expect(page.get_by_role("region", name="Jobs")).to_be_visible()
            page.goto("about:blank")


def test_every_view_is_reached_on_a_phone(site: str, open_page: OpenPage) -> None:
    page = open_page(f"{site}#/jobs", viewport={"width": 390, "height": 844})
    views = page.get_by_role("navigation", name="Views")
    for view in VIEWS:
        link = views.locator(f'a[href^="#/{view}"]:not(.brand)').first
        if not link.is_visible():
            views.get_by_role("button", name="More").click()
        link.click()
        expect(link).to_have_attribute("aria-current", "page")


def test_an_address_that_is_nowhere_leads_back(page: Page, site: str) -> None:
    page.goto(f"{site}#/nowhere")
    page.get_by_role("link", name="Go to the constellation").click()
    expect(page.get_by_role("heading", name="Constellation", level=1)).to_be_visible()


def test_nothing_overflows_a_small_screen_and_nobody_else_is_asked(site: str, open_page: OpenPage) -> None:
    asked: set[str] = set()

    def noted(request: Request) -> None:
        asked.add(f"{urlsplit(request.url).scheme}://{urlsplit(request.url).netloc}")

    page = open_page("about:blank", viewport={"width": 360, "height": 740})
    page.on("request", noted)
    wide = {}
    for view in VIEWS + MORE:
        page.goto(f"{site}#/{view}")
        settled(page)
        wide[view] = page.evaluate(OVERFLOW)

    assert {view: over for view, over in wide.items() if max(over) > 0} == {}
    assert {each for each in asked if not each.startswith(("blob:", "data:"))} == {site}


def findings_in_both_themes(page: Page) -> dict[str, list[str]]:
    """What keeps people from using a page in the dark and in the light, which differ in nothing but colours."""
    page.emulate_media(color_scheme="dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.evaluate(FADED)
    found = serious_findings(page)
    page.emulate_media(color_scheme="light")
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    page.evaluate(FADED)
    return found | {f"{name} in the light": where for name, where in serious_findings(page, runOnly=COLOURS).items()}


def test_no_view_has_a_serious_accessibility_finding(site: str, open_page: OpenPage) -> None:
    page = open_page(site)
    found: dict[tuple[str, str], list[str]] = {}
    for view in VIEWS + MORE:
        page.goto(f"{site}#/{view}")
        settled(page)
        found |= {(view, name): where for name, where in findings_in_both_themes(page).items()}

    assert found == {}
