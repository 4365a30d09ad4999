"""Working memory and conversations."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, Route, expect

from nacre import NotFound, ScopedNacre, Turn

BEGAN = datetime(2026, 5, 1, 9, tzinfo=UTC)


def talk(scope: ScopedNacre, many: int) -> list[str]:
    """A long conversation; the ids of its turns."""
    turns = [
        Turn(
            role="user",
            text=f"Remark number {place}.",
            speaker="Noor",
            session="long/talk",
            at=BEGAN + timedelta(minutes=place),
        )
        for place in range(many)
    ]
    return [str(each.id) for each in scope.observe_many(turns)]


def test_an_entry_of_working_memory_is_added_edited_and_deleted(page: Page, site: str, scope: ScopedNacre) -> None:
    page.goto(f"{site}#/working")
    page.get_by_role("button", name="Add an entry").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Namespace").fill("patrol/weather")
    dialog.get_by_label("Key").fill("storms/today")
    dialog.get_by_label("Value").fill("None in sight.")
    dialog.get_by_label("Keep it for").select_option("a day")
    dialog.get_by_role("button", name="Save").click()
    held = page.get_by_role("region", name="patrol/weather", exact=True)
    expect(held).to_contain_text("None in sight.")
    expect(held).to_contain_text(re.compile(r"23 h 59 m|1 d 00 h"))

    held.get_by_role("button", name="Edit").click()
    dialog.get_by_label("Value").fill("One from the west.")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    expect(held).to_contain_text("One from the west.")
    weather = scope.working("patrol/weather")
    entry = weather.get("storms/today")
    assert entry.value == "One from the west."
    assert timedelta(hours=23) < entry.expires_at - entry.stored_at <= timedelta(days=1)

    held.get_by_role("button", name="Inventory").click()
    expect(held.get_by_text("- patrol/weather/storms/today: expires in 23h")).to_be_visible()
    held.get_by_role("button", name="Delete").click()
    dialog.get_by_role("button", name="Delete").click()
    expect(held).to_have_count(0)
    with pytest.raises(NotFound):
        weather.get("storms/today")


def test_sessions_open_as_conversations_that_page_backwards(page: Page, site: str, scope: ScopedNacre) -> None:
    talk(scope, 60)
    page.goto(f"{site}#/sessions")
    page.get_by_role("link", name="long/talk").click()

    expect(page.get_by_role("heading", name="long/talk")).to_be_visible()
    expect(page.get_by_text("Remark number 59.")).to_be_visible()
    expect(page.get_by_text("Remark number 9.", exact=True)).to_have_count(0)
    page.get_by_role("button", name="Earlier turns").click()
    expect(page.get_by_text("Remark number 0.")).to_be_visible()


def test_an_address_marks_a_turn_however_far_back_it_is(page: Page, site: str, scope: ScopedNacre) -> None:
    ids = talk(scope, 60)
    page.goto(f"{site}#/sessions/long%2Ftalk?turn={ids[3]}")

    marked = page.locator("li[aria-current]")
    expect(marked).to_contain_text("Remark number 3.")
    expect(marked).to_be_in_viewport()
    page.goto(f"{site}#/sessions/long%2Ftalk?turn={scope.scope.agent}")
    expect(page.get_by_text("It may have been forgotten.")).to_be_visible()


def test_a_session_is_summed_up_on_request(page: Page, site: str, scope: ScopedNacre) -> None:
    talk(scope, 4)
    page.goto(f"{site}#/sessions/long%2Ftalk")
    page.get_by_role("button", name="Sum up now").click()

    expect(page.get_by_role("button", name="Sum up again")).to_be_visible()
    summary = scope.summaries.of("long/talk")
    assert summary.turns == 4
    expect(page.get_by_role("region", name="Summary")).to_contain_text(summary.content.splitlines()[0])


def test_what_is_still_being_read_when_something_changes_is_read_again(
    page: Page, site: str, scope: ScopedNacre
) -> None:
    talk(scope, 4)
    unanswered: list[Route] = []
    page.route("**/summaries?*", lambda route: route.continue_() if unanswered else unanswered.append(route))
    page.goto(f"{site}#/sessions/long%2Ftalk")
    page.get_by_role("button", name="Sum up now").click()

    expect(page.get_by_role("button", name="Sum up again")).to_be_visible()
