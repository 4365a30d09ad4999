"""The recall lab: hits and why they rank, what would be injected, and feedback."""

import re
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from nacre import ScopedNacre, Turn
from nacre.recall import fusion, reranking, token_ranking
from nacre.tools import essentials

VIEW = Path(__file__).parents[2] / "dashboard/src/views/recall"
SAID = "The heron sculpture stands in the atrium."
QUESTION = "Where does the heron sculpture stand?"
# What the demo knows much of, and what it knows nothing of.
LAUNCH = "When does Pebble launch?"
UNKNOWN = "Who won the election in Mongolia?"


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


def test_what_is_injected_is_what_the_agent_gets_within_the_budget(page: Page, site: str, scope: ScopedNacre) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(lab(site, q=LAUNCH, budget=90))
    injected = page.get_by_role("region", name="What would be injected")
    context = scope.context(LAUNCH, budget=90)

    expect(injected.get_by_role("img", name=f"{context.tokens} of 90 tokens")).to_be_visible()
    assert 0 < context.tokens <= 90
    assert context.left_out > 1
    cut = f"Cut for want of room: {context.left_out} relevant lines did not fit."
    expect(injected.get_by_text("Cut for want of room")).to_have_text(cut)
    injected.get_by_role("button", name="Exact text").click()
    expect(injected.get_by_label("Exact text")).to_have_text(context.text, use_inner_text=True)
    injected.get_by_role("button", name="Copy").click()
    expect(page.get_by_text("The context is on the clipboard.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == context.text


def test_the_context_is_shown_block_by_block_with_days_and_scores(page: Page, site: str, scope: ScopedNacre) -> None:
    page.goto(lab(site, q=LAUNCH))
    injected = page.get_by_role("region", name="What would be injected")
    context = scope.context(LAUNCH)
    memories = [line for line in context.lines if line.label == "memory"]
    unsure = [line for line in context.lines if not line.sure and line.label == "episode"]

    shown = injected.get_by_role("listitem", name="memory", exact=True).locator(".recall-lines li")
    expect(shown).to_have_count(len(memories))
    for place, line in enumerate(memories):
        expect(shown.nth(place)).to_contain_text(line.text.partition("] ")[2])
        expect(shown.nth(place)).to_contain_text(f"{line.score:.2f}")
        expect(shown.nth(place).locator("time")).to_have_attribute("datetime", re.compile(f"^{line.at:%Y-%m-%d}T"))
    less_sure = injected.get_by_role("listitem", name="episode, less sure")
    less_sure.get_by_text(f"{len(unsure)} lines in which the answer may be").click()
    expect(less_sure.locator(".recall-lines li")).to_have_count(len(unsure))
    expect(injected.get_by_text("Cut for want of room")).to_have_count(0)


@pytest.mark.usefixtures("told")
def test_hits_that_are_injected_say_so(page: Page, site: str) -> None:
    page.goto(lab(site))

    best = page.get_by_role("listitem", name="Hit 1", exact=True)
    expect(best.get_by_text("injected", exact=True)).to_be_visible()


def test_a_question_of_which_nothing_is_known_is_answered_by_no_bars(page: Page, site: str, scope: ScopedNacre) -> None:
    page.goto(lab(site, q=UNKNOWN))
    recalled = scope.recall(UNKNOWN)
    assert len(recalled) > 1

    hits = page.get_by_role("region", name="Nothing related")
    expect(hits.get_by_role("heading", name="Nothing that is known bears on this")).to_be_visible()
    expect(hits.get_by_text(f"{recalled.related:.0%}".replace("%", " % related"))).to_be_visible()
    expect(hits.get_by_role("img")).to_have_count(0)
    hits.get_by_text(f"Show the {len(recalled)} that come nearest all the same").click()
    best = hits.get_by_role("listitem", name="Hit 1", exact=True)
    expect(best.get_by_role("img", name=re.compile(f"^Score {recalled[0].score:.2f}"))).to_be_visible()
    injected = page.get_by_role("region", name="What would be injected")
    expect(injected.get_by_role("heading", name="The agent would be told nothing")).to_be_visible()


@pytest.mark.usefixtures("told")
def test_a_bar_is_as_long_as_the_probability(page: Page, site: str, scope: ScopedNacre) -> None:
    page.goto(lab(site))
    bar = page.get_by_role("listitem", name="Hit 1", exact=True).locator(".recall-bar")
    expect(bar).to_be_visible()

    parts = bar.evaluate("bar => [...bar.children].map(part => parseFloat(part.style.width))")
    assert sum(parts) == pytest.approx(scope.recall(QUESTION)[0].score * 100, abs=0.1)


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


def test_the_lab_takes_for_unlikely_what_tools_do() -> None:
    written = re.findall(r"UNLIKELY = ([\d.]+)", (VIEW / "asking.ts").read_text())

    assert [float(each) for each in written] == [essentials.UNLIKELY]


def test_the_lab_weighs_channels_as_recall_does() -> None:
    written = re.findall(r"(\w+): \{ weight: ([\d.]+)", (VIEW / "channels.tsx").read_text())

    assert {name: float(weight) for name, weight in written} == pytest.approx(
        {**fusion.WEIGHTS, **fusion.BONUSES, "tokens": float(token_ranking.SHARE), "rerank": float(reranking.SHARE)}
    )
