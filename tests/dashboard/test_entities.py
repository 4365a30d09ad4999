"""The list of entities and the page of one: what is believed of it, why, and the ways to set it right."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from nacre import Nacre, NotFound, ScopedNacre
from nacre.domain.entities import Entity

MARCH, APRIL = datetime(2026, 3, 2, 9, tzinfo=UTC), datetime(2026, 4, 1, 9, tzinfo=UTC)
WORDS = "Mind the tide. It leaves at nine. Bring a coat."
DEPARTURE = "schedule/summer/departure"
RULE = "rules/general/cargo"


@pytest.fixture
def ferry(brain: Nacre, tmp_path: Path) -> Entity:
    """Something known since March, whose departure moved in April and whose cargo is a rule."""
    now = MARCH
    with Nacre(tmp_path / "demo.db", settings=brain.parts.settings, clock=lambda: now) as past:
        told = past.scope("demo")
        heard = told.observe("user", WORDS, speaker="Ines", session="harbour")
        found = told.graph.add("Blue Ferry", type="project")
        told.ontology.set(found.id, DEPARTURE, "at nine", said_in=heard.id, quote="It leaves at nine")
        told.ontology.set(found.id, RULE, "no cars", kind="constraint")
        now = APRIL
        told.ontology.set(found.id, DEPARTURE, "at ten", reason="The harbour is dredged in the morning.")
    return found


@pytest.fixture
def view(site: str, open_page: Callable[..., Page], ferry: Entity) -> Page:
    """The ferry's page."""
    page = open_page(f"{site}/#/entities/{ferry.id}")
    expect(page.get_by_role("heading", name="Blue Ferry")).to_be_visible()
    return page


def undo(page: Page) -> None:
    """Take back what the last message says was done."""
    page.get_by_role("status").get_by_role("button", name="Undo").last.click()
    expect(page.get_by_text("Taken back.")).to_be_visible()


def said(scope: ScopedNacre, ferry: Entity, path: str) -> list[tuple[str, str]]:
    return [(each.value, each.status.value) for each in scope.ontology.versions(ferry.id, path)]


def test_a_corrected_claim_keeps_its_history_and_undo_brings_the_old_value_back(
    view: Page, scope: ScopedNacre, ferry: Entity
) -> None:
    before = said(scope, ferry, DEPARTURE)
    claim = view.get_by_role("article", name=DEPARTURE)

    view.get_by_role("button", name=f"Correct {DEPARTURE}").click()
    view.get_by_label(f"New value of {DEPARTURE}").fill("at noon")
    view.get_by_label("Reason").fill("The captain called.")
    view.get_by_role("button", name="Save").click()

    expect(claim.get_by_role("button", name="2 earlier versions")).to_be_visible()
    held = scope.ontology.versions(ferry.id, DEPARTURE)
    assert said(scope, ferry, DEPARTURE) == [("at noon", "active"), ("at ten", "superseded"), ("at nine", "superseded")]
    assert held[0].decision == "The captain called."

    undo(view)
    expect(claim.get_by_text("at ten")).to_be_visible()
    assert said(scope, ferry, DEPARTURE) == before


def test_an_unfolded_claim_shows_what_it_said_and_the_words_it_rests_on_in_their_context(view: Page) -> None:
    claim = view.get_by_role("article", name=DEPARTURE)
    claim.get_by_role("button", name="1 earlier version").click()

    versions = claim.get_by_role("listitem")
    expect(versions).to_have_count(2)
    expect(versions.nth(0)).to_contain_text("The harbour is dredged in the morning.")
    expect(versions.nth(1).locator("mark")).to_have_text("It leaves at nine")
    expect(versions.nth(1).locator("blockquote")).to_have_text(WORDS)
    expect(versions.nth(1)).to_contain_text("Ines")
    expect(versions.nth(1).get_by_role("link", name="harbour")).to_have_attribute("href", "#/sessions/harbour")


def test_as_of_shows_the_value_of_then_to_be_read_only(view: Page) -> None:
    view.get_by_label("As of").fill("2026-03-20")

    claim = view.get_by_role("article", name=DEPARTURE)
    expect(claim.get_by_text("at nine")).to_be_visible()
    expect(claim.get_by_text("at ten")).to_have_count(0)
    expect(view.get_by_role("button", name=re.compile("Correct|Retract|Pin|Edit|Merge|Archive|Add"))).to_have_count(0)

    view.get_by_role("button", name="Back to now").click()
    expect(claim.get_by_text("at ten")).to_be_visible()


def test_a_constraint_refuses_a_correction_where_it_was_asked_until_it_is_forced(
    view: Page, scope: ScopedNacre, ferry: Entity
) -> None:
    view.get_by_role("button", name=f"Correct {RULE}").click()
    view.get_by_label(f"New value of {RULE}").fill("two cars")
    view.get_by_role("button", name="Save").click()

    expect(view.get_by_role("alert")).to_contain_text(f"A constraint holds `{RULE}`")
    assert said(scope, ferry, RULE) == [("no cars", "active")]

    view.get_by_role("checkbox", name="Replace it all the same").check()
    view.get_by_role("button", name="Replace the constraint").click()
    expect(view.get_by_role("article", name=RULE).get_by_role("button", name="1 earlier version")).to_be_visible()
    assert said(scope, ferry, RULE) == [("two cars", "active"), ("no cars", "superseded")]


def test_an_entity_is_pinned_renamed_retyped_described_archived_and_brought_back(
    view: Page, scope: ScopedNacre, ferry: Entity
) -> None:
    view.get_by_role("button", name="Pin").click()
    expect(view.get_by_role("button", name="Unpin")).to_be_visible()
    assert scope.graph.get(ferry.id).pinned_at

    view.get_by_role("button", name="Edit …").click()
    view.get_by_label("Name", exact=True).fill("青い船 / “Blue” 🛳")
    view.get_by_label("Description").fill("It crosses twice a day.")
    view.get_by_label("Kind").select_option("organization")
    view.get_by_role("button", name="Save").click()
    # The name, the kind and the description are three changes, and the dialog closes after all.
    expect(view.get_by_role("dialog")).to_have_count(0)
    expect(view.get_by_role("heading", name="青い船 / “Blue” 🛳", exact=True)).to_be_visible()
    expect(view.get_by_text("It crosses twice a day.")).to_be_visible()
    renamed = scope.graph.get(ferry.id)
    assert (renamed.name, renamed.description) == ("青い船 / “Blue” 🛳", "It crosses twice a day.")
    assert renamed.type == "organization"
    assert "Blue Ferry" in renamed.aliases

    view.get_by_role("button", name="Archive …").click()
    view.get_by_label("Reason").fill("It sank.")
    view.get_by_role("checkbox", name="Archive it all the same").check()
    view.get_by_role("button", name="Archive", exact=True).click()
    expect(view.get_by_role("heading", name="This is archived")).to_be_visible()
    expect(view.get_by_text("because: It sank.")).to_be_visible()
    with pytest.raises(NotFound):
        scope.graph.get(ferry.id)

    undo(view)
    expect(view.get_by_role("article", name=DEPARTURE).get_by_text("at ten")).to_be_visible()
    assert scope.graph.get(ferry.id).pinned_at


def test_a_merge_is_shown_before_it_is_done_and_can_be_taken_back(
    view: Page, scope: ScopedNacre, ferry: Entity
) -> None:
    target = scope.graph.add("Harbour Line", type="organization")

    view.get_by_role("button", name="Merge …").click()
    view.get_by_role("combobox", name="Merge into").fill("harbour l")
    view.get_by_role("option", name="Harbour Line").click()
    expect(view.get_by_role("dialog")).to_contain_text("3 claims and 0 links move to Harbour Line")
    view.get_by_role("checkbox", name="Merge them all the same").check()
    view.get_by_role("button", name="Merge", exact=True).click()

    expect(view.get_by_role("heading", name="Harbour Line")).to_be_visible()
    expect(view.get_by_role("article", name=DEPARTURE).get_by_text("at ten")).to_be_visible()
    assert scope.graph.get("Blue Ferry").id == target.id

    undo(view)
    expect(view.get_by_role("article", name=DEPARTURE)).to_have_count(0)
    assert scope.graph.get("Blue Ferry").id == ferry.id


def test_a_claim_and_a_link_are_added_and_ended_by_hand(view: Page, scope: ScopedNacre, ferry: Entity) -> None:
    scope.graph.add("Ines Vale", type="person")

    view.get_by_role("button", name="Add a claim …").click()
    view.get_by_label("Aspect").fill("crew")
    view.get_by_label("Claim", exact=True).fill("size")
    view.get_by_label("Value").fill("seven")
    view.get_by_role("button", name="Add", exact=True).click()
    expect(view.get_by_role("article", name="crew/general/size").get_by_text("seven")).to_be_visible()

    view.get_by_role("button", name="Add a link …").click()
    view.get_by_role("combobox", name="Link to").fill("ines v")
    view.get_by_role("option", name="Ines Vale").click()
    view.get_by_label("Relation").fill("owned_by")
    view.get_by_role("button", name="Add", exact=True).click()
    link = view.get_by_role("listitem", name="Blue Ferry owned by Ines Vale")
    expect(link).to_be_visible()
    assert [(each.predicate, each.valid_to) for each in scope.graph.links(ferry.id)] == [("owned_by", None)]

    link.get_by_role("button", name="Why").click()
    link.get_by_role("button", name="End").click()
    view.get_by_role("radio", name="It never was so").check()
    view.get_by_role("button", name="Remove", exact=True).click()
    expect(link).to_have_count(0)
    assert scope.graph.links(ferry.id) == []


def test_the_list_is_searched_and_filtered_and_leads_to_any_name(
    site: str, open_page: Callable[..., Page], scope: ScopedNacre
) -> None:
    odd = 'Ana "the /slash\\" 日本 🦦'
    scope.graph.add(odd, type="person")
    page = open_page(f"{site}/#/entities")

    page.get_by_label("Search names").fill("日本")
    page.get_by_label("Kind").select_option("person")
    rows = page.get_by_role("table").get_by_role("link")
    expect(rows).to_have_text([odd])
    rows.click()
    expect(page.get_by_role("heading", name=odd)).to_be_visible()

    page.go_back()
    page.get_by_label("Kind").select_option("project")
    expect(page.get_by_role("heading", name="Nothing fits these filters")).to_be_visible()
