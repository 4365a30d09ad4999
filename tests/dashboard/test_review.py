"""Review: everything that waits for a person, decided on in a real browser and looked up in the brain."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from nacre import NotFound, ScopedNacre
from nacre.domain.proposals import Proposal
from nacre.graph.operations.handlers import OPERATIONS

WORDS = Path(__file__).parents[2] / "dashboard/src/views/review/words.ts"
COLOUR = "looks/general/colour"


def proposed(scope: ScopedNacre, value: str, *, entity: str = "Kite", confidence: float = 0.8) -> Proposal:
    """A proposal for the colour of something, which rests on what somebody said."""
    scope.graph.add(entity, type="product")
    said = scope.observe("user", f"I looked again. It is {value} now, they say.", session="paint", speaker="Ines")
    order = {
        "operation": "set_claim_value",
        "payload": {"entity": entity, "aspect": "looks", "claim_key": "colour", "value": value},
        "evidence": [{"quote": f"It is {value} now", "source_id": str(said.id)}],
        "confidence": confidence,
        "reason": "Ines saw it.",
    }
    return scope.ontology.submit([order], propose=True, actor="scribe").proposals[0]


def colours(scope: ScopedNacre, entity: str = "Kite") -> list[str]:
    return [claim.value for claim in scope.ontology.claims(entity)]


def toast(page: Page, words: str) -> None:
    expect(page.get_by_role("status").filter(has_text=words).first).to_be_visible()


def test_an_accepted_proposal_changes_the_brain_and_undo_takes_it_back(
    site: str, open_page: Callable[..., Page], scope: ScopedNacre
) -> None:
    scope.ontology.set("Kite", COLOUR, "red")
    proposal = proposed(scope, "blue")
    page = open_page(f"{site}/#/review/proposal-{proposal.id}")

    change = page.get_by_role("region", name="What would change")
    expect(change).to_contain_text("red")
    expect(change).to_contain_text("blue")
    evidence = page.get_by_role("region", name="Evidence")
    expect(evidence).to_contain_text("I looked again. It is blue now, they say.")
    expect(evidence).to_contain_text("Ines")
    expect(evidence.get_by_role("link", name="paint")).to_be_visible()
    page.get_by_role("button", name="Accept").click()
    toast(page, "Accepted: Set Kite’s colour to “blue”.")
    assert colours(scope) == ["blue"]

    page.get_by_role("button", name="Undo").click()
    toast(page, "Taken back.")
    assert colours(scope) == ["red"]


def test_a_rejected_proposal_keeps_the_reason(site: str, open_page: Callable[..., Page], scope: ScopedNacre) -> None:
    proposal = proposed(scope, "blue")
    page = open_page(f"{site}/#/review/proposal-{proposal.id}")

    waiting = page.get_by_role("list", name="Waiting for review").get_by_role("listitem")
    expect(waiting.filter(has_text="Set Kite’s colour")).to_be_visible()
    before = waiting.count()
    page.get_by_role("button", name="Reject").click()
    dialog = page.get_by_role("dialog", name="Reject")
    dialog.get_by_label("Why? (optional)").fill("She meant the other one.")
    dialog.get_by_role("button", name="Reject").click()
    toast(page, "Rejected: Set Kite’s colour to “blue”.")
    expect(waiting).to_have_count(before - 1)

    decided = scope.ontology.proposals.get(proposal.id)
    assert (decided.status, decided.result) == ("rejected", {"reason": "She meant the other one."})


def test_a_proposal_can_be_put_right_before_it_is_accepted(
    site: str, open_page: Callable[..., Page], scope: ScopedNacre
) -> None:
    proposal = proposed(scope, "blue")
    page = open_page(f"{site}/#/review/proposal-{proposal.id}")

    page.get_by_role("button", name="Edit").click()
    page.get_by_role("textbox", name="Value").fill("")
    page.get_by_role("button", name="Save and accept").click()
    expect(page.get_by_role("alert")).to_contain_text("value")
    page.get_by_role("textbox", name="Value").fill("teal")
    page.get_by_role("spinbutton", name="Confidence").fill("0.9")
    page.get_by_role("button", name="Save and accept").click()
    toast(page, "Accepted: Set Kite’s colour to “teal”.")

    (claim,) = scope.ontology.claims("Kite")
    assert (claim.value, claim.confidence, claim.proposal) == ("teal", 0.9, proposal.id)


def test_duplicates_are_merged_into_the_chosen_one_and_taken_apart_again(
    site: str, open_page: Callable[..., Page], scope: ScopedNacre
) -> None:
    keep, gone = (scope.graph.add(name, type="organization").id for name in ("Northwind Lab", "Northwind Labs"))
    scope.ontology.set("Northwind Labs", "place/general/city", "Oslo")
    scope.graph.scan_duplicates()
    page = open_page(f"{site}/#/review?kind=duplicate")

    page.get_by_role("link", name=re.compile("Northwind Labs? and Northwind Labs? the same")).click()
    sides = page.get_by_role("region", name=re.compile("Side"))
    stays, goes = (
        sides.filter(has=page.get_by_role("link", name=name, exact=True))
        for name in ("Northwind Lab", "Northwind Labs")
    )
    stays.get_by_role("button", name=re.compile("Keep this one|Stays")).click()
    expect(goes).to_contain_text("Oslo")
    page.get_by_role("button", name="Merge").click()
    toast(page, "Merged Northwind Labs into Northwind Lab.")
    with pytest.raises(NotFound):
        scope.graph.get(gone)
    assert [claim.value for claim in scope.ontology.claims(keep)] == ["Oslo"]

    page.get_by_role("button", name="Undo").click()
    toast(page, "Taken back.")
    assert scope.graph.get(gone).name == "Northwind Labs"


def test_a_dismissed_pair_stays_away_until_that_is_taken_back(
    site: str, open_page: Callable[..., Page], scope: ScopedNacre
) -> None:
    scope.graph.add("Northwind Lab", type="organization")
    scope.graph.add("Northwind Labs", type="organization")
    scope.graph.scan_duplicates()
    waiting = len(scope.graph.duplicates())
    page = open_page(f"{site}/#/review?kind=duplicate")

    pair = page.get_by_role("link", name=re.compile("Northwind Labs? and Northwind Labs? the same"))
    pair.click()
    page.get_by_role("button", name="Dismiss").click()
    toast(page, "are two things.")
    expect(pair).to_have_count(0)
    page.get_by_role("button", name="Scan for duplicates").click()
    toast(page, "No new duplicates")
    assert len(scope.graph.duplicates()) == waiting - 1

    page.get_by_role("button", name="Undo").click()
    toast(page, "Taken back.")
    assert len(scope.graph.duplicates()) == waiting


def test_the_queue_can_be_worked_with_the_keyboard_alone(
    site: str, open_page: Callable[..., Page], scope: ScopedNacre
) -> None:
    made = [proposed(scope, "blue", entity=name) for name in ("Kite", "Boat", "Lamp")]
    page = open_page(f"{site}/#/review?kind=proposal")
    words = page.get_by_role("article", name="In review").get_by_role("heading", level=2)

    # The last comes first.
    expect(words).to_have_text("Set Lamp’s colour to “blue”")
    page.keyboard.press("j")
    expect(words).to_have_text("Set Boat’s colour to “blue”")
    page.keyboard.press("k")
    page.keyboard.press("r")
    page.keyboard.type("No.")
    page.keyboard.press("Enter")
    toast(page, "Rejected: Set Lamp’s colour")
    expect(words).to_have_text("Set Boat’s colour to “blue”")
    page.keyboard.press("x")
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(page.get_by_role("heading", name="2 proposals selected")).to_be_visible()
    page.keyboard.press("a")
    toast(page, "Accepted: 2 proposals.")

    assert [scope.ontology.proposals.get(each.id).status for each in made] == ["applied", "applied", "rejected"]
    page.get_by_role("button", name="Undo").press("Enter")
    toast(page, "Taken back.")
    assert colours(scope) == colours(scope, "Boat") == []


def test_a_conflict_shows_both_sides_and_accepting_one_rejects_the_other(
    site: str, open_page: Callable[..., Page], scope: ScopedNacre
) -> None:
    blue, teal = proposed(scope, "blue", confidence=0.9), proposed(scope, "teal", confidence=0.4)
    page = open_page(f"{site}/#/review/conflict-{blue.id}")

    expect(page.get_by_role("heading", name="What is Kite’s colour: “blue” or “teal”?")).to_be_visible()
    first, second = (page.get_by_role("region", name=f"Value {place}", exact=True) for place in (1, 2))
    expect(first).to_contain_text("It is blue now")
    expect(second).to_contain_text("It is teal now")
    second.get_by_role("button", name="Choose").click()
    page.get_by_role("button", name="Accept “teal”").click()
    toast(page, "1 other was rejected.")

    assert colours(scope) == ["teal"]
    assert scope.ontology.proposals.get(teal.id).status == "applied"
    assert scope.ontology.proposals.get(blue.id).result == {"reason": "“teal” was accepted instead."}


def test_every_operation_of_the_catalogue_has_a_sentence() -> None:
    worded = set(re.findall(r"^  (\w+): ", WORDS.read_text(), flags=re.MULTILINE))

    assert OPERATIONS.keys() <= worded
