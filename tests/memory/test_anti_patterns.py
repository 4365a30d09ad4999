"""Corrections become memories of what not to do, in the words of whoever corrected."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre import Invalid, Kind, Nacre
from nacre.brain.feedback import Feedback
from nacre.domain.feedback import FeedbackKind, Signal, SignalId
from nacre.domain.memories import Note, Outcome
from nacre.memory import anti_patterns
from nacre.memory.anti_patterns import from_correction
from nacre.text.words import words


@pytest.fixture
def feedback(nacre, scope) -> Feedback:
    return Feedback(nacre.parts, scope.scope)


def signal(subject: str, detail: str | None = None, kind: FeedbackKind = FeedbackKind.CORRECTION) -> Signal:
    at = datetime(2026, 5, 1, tzinfo=UTC)
    return Signal(id=SignalId(uuid4()), kind=kind, subject=subject, detail=detail, at=at)


def taught(subject: str, detail: str | None = None) -> Note:
    """The note that a correction leads to, when it must lead to one."""
    note = from_correction(signal(subject, detail))
    assert note
    return note


@pytest.mark.spec("M8")
def test_a_correction_becomes_an_anti_pattern_that_recall_surfaces(scope, feedback):
    scope.remember("Ana likes long walks", category="user-preferences/leisure")
    feedback.record(
        "correction",
        "file operations: use search_files for content search",
        detail="use grep; BM25 recall is faster",
        session="s1",
    )

    (learned,) = feedback.learn()

    memory = learned.memory
    assert memory.category == "anti-patterns/file-operations"
    assert memory.content == "Don't use search_files for content search — instead use grep; BM25 recall is faster"
    assert memory.tags == ("anti-pattern",)
    assert memory.metadata == {"source": "correction", "session": "s1"}
    hit = scope.recall("Find the files whose content mentions invoices", limit=1)[0]
    assert (hit.id, hit.kind, hit.text) == (memory.id, Kind.MEMORY, memory.content)
    assert memory.content in scope.context("search the files for invoices", session="s2").text


@pytest.mark.spec("M8")
def test_only_corrections_become_anti_patterns_and_only_once(scope, feedback):
    for kind in FeedbackKind:
        feedback.record(kind.value, "send emails at night", detail=f"wait until morning, {kind.value}")

    assert len(feedback.learn()) == 1
    assert feedback.learn() == []
    assert len(feedback.take()) == len(FeedbackKind) - 1
    assert len(scope.recall("emails at night", kinds=["memory"])) == 1


@pytest.mark.spec("M8")
def test_the_same_correction_again_reinforces(scope, feedback, clock):
    outcomes = []
    for said in ("use grep", "Use grep", "use grep instead"):
        clock.advance(hours=1)
        feedback.record("correction", "use search_files for content search", detail=said)
        outcomes += [(learned.outcome, learned.memory.reinforced) for learned in feedback.learn()]

    assert outcomes == [(Outcome.CREATED, 0), (Outcome.REINFORCED, 1), (Outcome.REINFORCED, 2)]
    assert len(scope.recall("content search", kinds=["memory"])) == 1


def test_several_at_once_on_one_subject_are_one_memory(scope, feedback):
    for _ in range(5):
        feedback.record("correction", "Reports for Ana", detail="send PDF, not Word")

    assert len({learned.id for learned in feedback.learn()}) == 1
    assert len(scope.recall("reports for Ana", kinds=["memory"])) == 1


def test_two_rules_on_one_subject_both_stand(scope, feedback):
    feedback.record("correction", "Reports for Ana", detail="send PDF, not Word")
    feedback.record("correction", "Reports for Ana", detail="never mention salaries")
    feedback.learn()

    kept = "\n".join(hit.text for hit in scope.recall("reports for Ana", kinds=["memory"]))
    assert "PDF" in kept
    assert "salaries" in kept


def test_a_failure_in_the_middle_loses_and_doubles_nothing(nacre, scope, feedback, clock):
    for subject in ("use tabs", "send emails at night", "guess birthdays"):
        clock.advance(minutes=1)
        feedback.record("correction", subject, detail="ask me first")
    remember = nacre.parts.rememberer.remember

    def failing(owner, note: Note):
        remembered = remember(owner, note)
        if "emails" in note.text:
            raise RuntimeError("the power went")
        return remembered

    with pytest.raises(RuntimeError, match="power"):
        anti_patterns.learn(nacre.parts.database, failing, scope.scope)
    assert [each.subject for each in feedback.take()] == ["send emails at night", "guess birthdays"]

    assert [each.outcome for each in feedback.learn()] == [Outcome.REINFORCED, Outcome.CREATED]
    assert feedback.take() == []
    assert len(scope.recall("ask me first", kinds=["memory"])) == 3


def test_a_correction_that_teaches_nothing_does_not_stand_in_the_way(feedback, clock):
    for number in range(55):
        clock.advance(seconds=1)
        feedback.record("correction", f"answer {number}")
    clock.advance(seconds=1)
    feedback.record("correction", "use tabs", detail="use spaces")

    assert feedback.learn() == []
    assert [learned.memory.content for learned in feedback.learn()] == ["Don't use tabs — instead use spaces"]


def test_corrections_of_another_scope_teach_nothing(nacre, scope, feedback):
    feedback.record("correction", "use tabs", detail="use spaces")
    other = nacre.scope("assistant", user="bob")

    assert Feedback(nacre.parts, other.scope).learn() == []
    feedback.learn()
    assert list(other.recall("tabs or spaces")) == []


def test_corrections_older_than_seven_days_teach_nothing(feedback, clock):
    feedback.record("correction", "use tabs", detail="use spaces")
    clock.advance(days=7)
    assert feedback.learn() == []


@pytest.mark.parametrize(
    ("subject", "detail", "content"),
    [
        ("use tabs", "use spaces", "Don't use tabs — instead use spaces"),
        ("using tabs", "Use spaces.", "Don't use tabs — instead use spaces"),
        ("don't use tabs", "spaces instead", "Don't use tabs — instead spaces"),
        ("Never reply to all.", "Instead, ask me. It annoys!", "Don't reply to all — instead ask me. It annoys!"),
        ("send emails", "Bob has two addresses", "Don't send emails — Bob has two addresses"),
        ("indentation", "use spaces instead of tabs", "Don't use tabs (indentation) — instead use spaces"),
        ("tabs", "No, use spaces rather than tabs.", "Don't use tabs — instead use spaces"),
        ("tabs", "use spaces, not tabs, they align", "Don't use tabs — instead use spaces, they align"),
        ("tabs", "use spaces instead of tabs because I say so", "Don't use tabs — instead use spaces because I say so"),
        ("totals", "ask Ana instead of guessing them", "Don't guess them (totals) — instead ask Ana"),
        ("mail", "don't guess the address, ask me", "Don't guess the address (mail) — instead ask me"),
        ("mail", "Don't write to Bob since he left", "Don't write to Bob (mail) since he left"),
        ("replies", "stop using emoji; I dislike them", "Don't use emoji (replies); I dislike them"),
        ("don't use emoji", None, "Don't use emoji"),
        ("use spaces instead of tabs", None, "Don't use tabs — instead use spaces"),
        ("send emails at night", None, "Don't send emails at night"),
    ],
)
def test_a_plain_form_is_turned_into_a_rule(subject, detail, content):
    assert taught(subject, detail).text == content


@pytest.mark.parametrize(
    ("subject", "detail", "content"),
    [
        ("content search", "use grep", "content search: use grep"),
        ("search results", "sort by date", "search results: sort by date"),
        ("use of tabs", "use spaces", "use of tabs: use spaces"),
        ("writing style", "be concise", "writing style: be concise"),
        ("You wrote to the wrong Bob.", "Ask which one.", "You wrote to the wrong Bob. Ask which one."),
        ("totals", "ask Ana instead of improvising", "totals: ask Ana instead of improvising"),
        ("deploys", "run it before instead of after", "deploys: run it before instead of after"),
        ("files", "use grep when a file is not small", "files: use grep when a file is not small"),
        ("replies", "no emoji", "replies: no emoji"),
        ("informes", "no uses tablas", "informes: no uses tablas"),
        ("回复语言", "请用中文回复", "回复语言: 请用中文回复"),
        ("line\nbreaks\x1b", "kept\r\nout", "line breaks: kept out"),
        ("!!!", "be concise", "be concise"),
    ],
)
def test_any_other_form_is_left_as_it_was_said(subject, detail, content):
    assert taught(subject, detail).text == content


@pytest.mark.parametrize(
    ("subject", "domain"),
    [
        ("file operations: use search_files", "file-operations"),
        ("Email: send at night", "email"),
        ("email/recipients", "email"),
        ("anti-patterns/email: send at night", "email"),
        ("search_files for content search", "search-files"),
        ("The weekly report that Ana reads", "weekly-report"),
        ("don't send newsletters on Sundays", "newsletters"),
        ("and/or wording", "wording"),
        ("C++ builds", "c-plus-plus-builds"),
        ("der Wochenbericht für die Kollegen", "wochenbericht"),
        ("it", "general"),
        ("回复语言", "general"),
        ("%%%", "general"),
    ],
)
def test_the_domain_is_what_the_subject_begins_with(subject, domain):
    assert taught(subject, "be concise").category == f"anti-patterns/{domain}"


@pytest.mark.parametrize("subject", ["emoji", "the weekly report", "%%%", "\x01", "回复"])
def test_a_subject_alone_that_is_no_instruction_teaches_nothing(subject):
    assert from_correction(signal(subject)) is None
    assert from_correction(signal(subject, "???")) is None


# Pieces that the rules look for, among plain words, so that they meet in every order.
FORMS = """
    use using guessing ask stop don't never not no please instead of rather than because , ; . : - — ( /
    grep tabs search_files email Ana 42 the ok 回复
"""
PIECES = st.sampled_from(FORMS.split())
SAID = st.lists(PIECES, min_size=1, max_size=14).map(" ".join).filter(str.strip)
ADDED = {"don", "t", "instead", "use", "guess"}
DROPPED = {"don", "t", "do", "never", "stop", "not", "instead", "of", "rather", "than", "no", "please", "and"}


@given(SAID, st.none() | SAID)
def test_nothing_is_invented_and_nothing_is_lost(subject, detail):
    note = from_correction(signal(subject, detail))
    if note is None:
        return
    given, kept = set(words(f"{subject} {detail or ''}")), set(words(note.text))

    assert kept - given <= ADDED
    assert given - kept - set(words(note.category)) <= DROPPED | {"using", "guessing"}
    assert len(note.text.splitlines()) == 1


@given(st.text(min_size=1, max_size=300).filter(lambda text: text.strip()), st.text(max_size=300))
def test_any_text_can_be_learned_from(subject, detail):
    try:
        correction = signal(subject, detail or None)
    except Invalid:
        return
    note = from_correction(correction)
    assert note is None or note.category.startswith("anti-patterns/")


def test_the_longest_correction_is_learned(database_url):
    with Nacre(database_url) as nacre:
        feedback = Feedback(nacre.parts, nacre.scope("a").scope)
        feedback.record("correction", "use " + "x " * 900, detail="use " + "y, not " * 1_400)
        assert len(feedback.learn()) == 1
