"""The recall lab: hits and why they rank, what would be injected, and feedback."""

import re
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from nacre import ScopedNacre, Turn
from nacre.recall import fusion, reranking

VIEW = Path(__file__).parents[2] / "dashboard/src/views/recall"
SAID = "The heron sculpture stands in the atrium."
QUESTION = "Where does the heron sculpture stand?"


@pytest.fixture
def told(scope: ScopedNacre) -> ScopedNacre:
    """A brain that was told where a sculpture stands."""
    scope.observe_many(
        [
            Turn(role="user", text="We bought art for the new house.", speaker="Noor", session="art"),
            Turn(role="user", text=SAID, speaker="Noor", session="art"),
            Turn(role="assistant", text="A fine place for it.", session="art"),
        ]
    )
    return scope


def lab(site: str, **options: object) -> str:
    """The address of a question."""
    return f"{site}#/recall?{urlencode({'q': QUESTION, **options})}"


def ask(page: Page, question: str) -> None:
    """Type a message and press Enter."""
    page.get_by_label("Message").fill(question)
    page.get_by_label("Message").press("Enter")


@pytest.mark.usefixtures("told")
def test_a_question_shows_ranked_hits_with_what_each_channel_gave(page: Page, site: str) -> None:
    page.goto(f"{site}#/recall")
    ask(page, QUESTION)

    best = page.get_by_role("listitem", name="Hit 1", exact=True)
    expect(best).to_contain_text(SAID)
    expect(best.locator("mark").first).to_have_text("heron")
    expect(best.get_by_role("img", name=re.compile(r"^Score 0\.\d\d: lexical 0\.\d\d, window"))).to_be_visible()
    expect(best.get_by_role("link", name="in art")).to_have_attribute("href", re.compile(r"^#/sessions/art\?turn="))

    best.get_by_role("button", name="Why this?").click()
    expect(best.get_by_role("row", name=re.compile("^lexical"))).to_contain_text("100 %")
    expect(best.get_by_text("We bought art for the new house.")).to_be_visible()


def test_a_mark_on_a_hit_becomes_feedback(page: Page, site: str, told: ScopedNacre) -> None:
    page.goto(lab(site, kinds="turn"))
    best = page.get_by_role("listitem", name="Hit 1", exact=True)
    best.get_by_role("button", name="Helpful").click()
    expect(best.get_by_role("button", name="Helpful")).to_have_attribute("aria-pressed", "true")
    second = page.get_by_role("listitem", name="Hit 2", exact=True)
    second.get_by_role("button", name="Wrong").click()
    second.get_by_label("What would be right?").fill("It stands in the garden.")
    second.get_by_role("button", name="Mark as wrong").click()
    expect(second.get_by_role("button", name="Wrong", exact=True)).to_have_attribute("aria-pressed", "true")

    wrong, helpful, *_ = told.feedback.recent()
    assert (helpful.kind, helpful.subject) == ("confirmation", SAID)
    assert (wrong.kind, wrong.detail) == ("correction", "It stands in the garden.")


def test_what_is_injected_is_what_the_agent_gets_within_the_budget(page: Page, site: str, told: ScopedNacre) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(lab(site, budget=90))
    injected = page.get_by_role("region", name="What would be injected")
    context = told.context(QUESTION, budget=90)

    expect(injected.get_by_role("img", name=f"{context.tokens} of 90 tokens")).to_be_visible()
    assert 0 < context.tokens <= 90
    injected.get_by_text("Cut for want of room").click()
    kept = {line for message in context.messages for line in message.text.splitlines()}
    cut = [line for line in injected.get_by_role("list", name="Cut").inner_text().splitlines() if line]
    assert cut
    assert kept.isdisjoint({f"- {line}" for line in cut})
    injected.get_by_role("button", name="Exact text").click()
    expect(injected.get_by_label("Exact text")).to_have_text(context.text, use_inner_text=True)
    injected.get_by_role("button", name="Copy").click()
    expect(page.get_by_text("The context is on the clipboard.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == context.text


@pytest.mark.usefixtures("told")
def test_the_last_questions_stay_at_hand_and_filters_narrow_the_hits(page: Page, site: str) -> None:
    page.goto(lab(site))
    expect(page.get_by_role("listitem", name="Hit 1", exact=True)).to_be_visible()
    ask(page, "Who bought art?")
    page.get_by_text("Options").click()
    page.get_by_label("Said in session").select_option("art")
    page.get_by_role("button", name=re.compile("^Ask ")).click()
    expect(page.get_by_role("heading", name="3 hits")).to_be_visible()

    page.get_by_role("button", name=QUESTION).click()
    expect(page.get_by_label("Message")).to_have_value(QUESTION)
    assert "within=art" in page.url
    assert page.evaluate("new URLSearchParams(location.hash.split('?')[1]).get('q')") == QUESTION


def test_the_lab_weighs_channels_as_recall_does() -> None:
    written = re.findall(r"(\w+): \{ weight: ([\d.]+)", (VIEW / "channels.tsx").read_text())

    assert {name: float(weight) for name, weight in written} == pytest.approx(
        {**fusion.WEIGHTS, **fusion.BONUSES, "rerank": float(reranking.SHARE)}
    )
