"""The audit log."""

import re
from uuid import UUID

import pytest
from playwright.sync_api import Locator, Page, expect

from nacre import ScopedNacre
from nacre.domain.claim_operations import SetClaimValue
from nacre.domain.operations import ArchiveEntity


@pytest.fixture
def changed(scope: ScopedNacre) -> list[UUID]:
    """Two changes of one claim of Maya, the first first."""
    for value in ("the oak room", "the glass room"):
        order = SetClaimValue(entity="Maya", aspect="work", group="general", claim="favourite room", value=value)
        scope.ontology.apply([order], actor="Noor")
    return [each.id for each in reversed(scope.history(limit=2))]


def values(scope: ScopedNacre) -> dict[str, str]:
    versions = scope.ontology.versions("Maya", "work/general/favourite room")
    return {each.value: each.status.value for each in versions}


def entry(page: Page, words: str) -> Locator:
    return page.get_by_role("article").filter(has_text=words)


def test_a_change_is_taken_back_and_taken_back_again(
    page: Page, site: str, scope: ScopedNacre, changed: list[UUID]
) -> None:
    page.goto(f"{site}#/audit?actor=Noor")
    entry(page, "to “the glass room”").get_by_role("button", name="Undo").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("rows are put back")
    dialog.get_by_role("button", name="Take it back").click()

    expect(entry(page, "to “the glass room”")).to_contain_text("taken back")
    assert values(scope) == {"the oak room": "active"}
    page.get_by_role("status").get_by_role("button", name="Undo").click()
    expect(entry(page, "to “the glass room”").get_by_role("button", name="Undo")).to_be_visible()
    assert values(scope) == {"the glass room": "active", "the oak room": "superseded"}


def test_what_cannot_be_taken_back_names_what_must_go_first(
    page: Page, site: str, scope: ScopedNacre, changed: list[UUID]
) -> None:
    page.goto(f"{site}#/audit?actor=Noor")
    entry(page, "to “the oak room”").get_by_role("button", name="Undo").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("alert")).to_contain_text("later changes rest on it")
    expect(dialog.get_by_role("alert")).to_contain_text("to “the glass room” by Noor")
    expect(dialog.get_by_role("button", name="Take it back")).to_be_disabled()

    dialog.get_by_role("button", name="This one first").click()
    dialog.get_by_role("button", name="Take it back").click()

    expect(dialog).to_have_count(0)
    assert values(scope) == {"the oak room": "active"}


def test_a_change_tells_its_rows_before_and_after(page: Page, site: str, changed: list[UUID]) -> None:
    page.goto(f"{site}#/audit?about={changed[-1]}")
    found = page.get_by_role("article")
    expect(found).to_have_count(1)
    expect(found.get_by_role("link", name="Maya")).to_have_attribute("href", re.compile("#/entities/"))

    found.get_by_role("button", name="Details").click()

    expect(found.locator("del", has_text="active")).to_be_visible()
    expect(found.locator("ins", has_text="superseded")).to_be_visible()
    expect(found).to_contain_text("set_claim_value by Noor")


def test_changes_done_together_stand_together(page: Page, site: str, scope: ScopedNacre) -> None:
    scope.remember("Ines moved from Porto to Oslo in May.", category="people/ines")
    batch = scope.history(limit=1)[0].batch
    together = [each for each in scope.history(limit=50) if each.batch == batch]
    assert len(together) > 1
    page.goto(f"{site}#/audit?about={batch}")
    expect(page.get_by_role("article")).to_have_count(0)

    page.get_by_role("button", name=f"and {len(together) - 1} more, done together").click()
    expect(page.get_by_role("article")).to_have_count(len(together))

    page.get_by_role("button", name="Undo all").click()
    page.get_by_role("dialog").get_by_role("button", name="Take it back").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert all(each.undone_by for each in scope.history(limit=50) if each.batch == batch)


def test_the_log_is_read_backwards_and_filtered(page: Page, site: str, scope: ScopedNacre) -> None:
    records = scope.history(limit=1_000)
    assert len(records) > 100
    page.goto(f"{site}#/audit")
    expect(page.get_by_text("The last 100 changes.")).to_be_visible()
    page.get_by_role("button", name="Go further back").click()
    expect(page.get_by_text(re.compile(r"^(The last 200 changes\.|\d+ changes in all\.)$"))).to_be_visible()

    # The one that was not done for longest: the page has not read so far back.
    *_, oldest = dict.fromkeys(each.operation for each in records)
    page.get_by_role("combobox", name="What", exact=True).select_option(oldest)

    expect(page).to_have_url(re.compile(f"operation={oldest}"))
    expect(page.get_by_text(re.compile(r"^[1-9]\d* of the (last )?\d+ changes\."))).to_be_visible()


def test_what_is_gone_has_its_name_and_nothing_is_asked_for_in_vain(page: Page, site: str, scope: ScopedNacre) -> None:
    stray = scope.graph.get("Misc")
    scope.ontology.apply([ArchiveEntity(entity=stray.id)], actor="Noor")
    refused: list[str] = []
    page.on("response", lambda reply: refused.append(reply.url) if reply.status >= 400 else None)
    page.goto(f"{site}#/audit?actor=Noor")

    expect(entry(page, "Misc").get_by_role("link", name="Misc")).to_be_visible()
    page.goto(f"{site}#/audit")
    expect(page.get_by_text(re.compile(r"^(The last \d+ changes\.|\d+ changes in all\.)$"))).to_be_visible()
    expect(page.locator(".pearl")).to_have_count(0)
    assert refused == []
