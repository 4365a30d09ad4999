"""The thread through every room: observe, remember, recall, context, on both databases."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from nacre import Closed, Invalid, Kind, Misconfigured, Nacre, Scope, Settings, Turn
from tests.cases import in_turn


def test_the_first_example_works_as_printed(database_url):
    with Nacre(database_url) as nacre:
        ana = nacre.scope(agent="assistant", user="ana")
        ana.observe("user", "My colleague John works on DevOps at Hostinger. I prefer dark mode.", session="s1")
        ana.remember("The launch moved to May 3", category="project-context/launch", tags=["launch"])

        hits = ana.recall("what does John do?", limit=5)
        assert hits[0].source.quote == "My colleague John works on DevOps at Hostinger. I prefer dark mode."
        assert hits[0].source.session == "s1"
        text = ana.context("tell John about the launch", session="s2", budget=800).text
        assert "Hostinger" in text
        assert "The launch moved to May 3" in text


def test_a_turn_is_evidence_with_its_exact_words_and_place(scope, clock):
    said = scope.observe(
        "user",
        "Héllo — 你好, I live in Łódź.",
        speaker="Ana",
        session="s1",
        ref="m-17",
        at=clock.now - timedelta(days=3),
    )

    hit = scope.recall("who lives in Łódź")[0]

    assert (hit.id, hit.kind, hit.at) == (said.id, Kind.TURN, clock.now - timedelta(days=3))
    source = hit.source
    assert (source.id, source.ref, source.session, source.speaker) == (said.id, "m-17", "s1", "Ana")
    assert hit.text[source.start : source.end] == source.quote == "Héllo — 你好, I live in Łódź."


def test_a_memory_can_be_recalled_by_content_tag_or_category(scope):
    memory = scope.remember("Standup is at nine", category="project-context/rituals", tags=["meeting"])
    scope.observe("user", "The weather is fine")

    for question in ("when is standup", "meeting", "rituals"):
        hit = scope.recall(question)[0]
        assert (hit.id, hit.kind) == (memory.id, Kind.MEMORY), question
        assert hit.source.quote == "Standup is at nine"


def test_recall_right_after_a_write_sees_it(scope):
    for number in range(30):
        scope.observe("user", f"The code of locker {number} is {number * 7919}", session="codes")
        assert str(number * 7919) in scope.recall(f"code of locker {number}", limit=1)[0].text


def test_two_scopes_with_the_same_names_never_see_each_other(nacre):
    owners = [
        nacre.scope("assistant"),
        nacre.scope("assistant", user="ana"),
        nacre.scope("assistant", user="bob"),
        nacre.scope("assistant", user="ana", chat="c1"),
        nacre.scope("other", user="ana"),
    ]
    for number, owner in enumerate(owners):
        owner.observe("user", f"My secret word is swordfish{number}", session="s")
        owner.remember(f"The secret word is swordfish{number}")

    for number, owner in enumerate(owners):
        texts = {hit.text for hit in owner.recall("secret word", limit=100)}
        assert texts == {f"My secret word is swordfish{number}", f"The secret word is swordfish{number}"}
        assert f"swordfish{number}" in owner.context("secret word", session="s").text


def test_a_speaker_named_in_the_question_comes_first(scope):
    scope.observe("user", "I love pottery classes", speaker="Melanie", session="s")
    scope.observe("user", "Great. I love pottery classes too", speaker="Caroline", session="s")

    assert scope.recall("What does Caroline love?")[0].source.speaker == "Caroline"
    assert scope.recall("What does Melanie love?")[0].source.speaker == "Melanie"


def test_a_turn_is_found_by_the_words_around_it(scope):
    scope.observe("user", "How was the marathon in Boston?", session="a")
    scope.observe("user", "Exhausting, I finished last", session="a")
    scope.observe("user", "Dinner was exhausting too", session="b")

    refs = [hit.text for hit in scope.recall("Boston marathon result", limit=2)]

    assert refs == ["How was the marathon in Boston?", "Exhausting, I finished last"]


def test_filters_narrow_what_is_searched(scope, clock):
    for day in range(4):
        scope.observe("user", f"Cake number {day}", session=f"s{day}", at=clock.now - timedelta(days=day))
    scope.remember("Cake is a lie")
    newest, oldest = clock.now - timedelta(days=1), clock.now - timedelta(days=2)

    assert {hit.text for hit in scope.recall("cake", kinds=["memory"])} == {"Cake is a lie"}
    assert {hit.text for hit in scope.recall("cake", session="s2")} == {"Cake number 2"}
    assert scope.recall("cake", session="never heard of").hits == ()
    between = {hit.text for hit in scope.recall("cake", since=oldest, until=newest)}
    assert between == {"Cake number 1", "Cake number 2"}
    assert {hit.text for hit in scope.recall("cake", as_of=oldest)} == {"Cake number 2", "Cake number 3"}


def test_explain_says_which_channel_gave_what(scope):
    scope.observe("user", "The launch moved to May", speaker="Ana", session="s")

    explained = scope.recall("When is Ana's launch?", explain=True)[0]

    assert set(explained.channels) == {"lexical", "window", "session", "vector", "speaker"}
    assert scope.recall("launch")[0].channels == {}


def test_scores_fall_from_one_hit_to_the_next(scope):
    scope.observe_many(Turn(role="user", text=f"river {'bank ' * n}", session=str(n)) for n in range(12))

    scores = [hit.score for hit in scope.recall("river bank", limit=12)]

    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)


def test_an_unanswerable_question_gives_no_hits(scope):
    assert list(scope.recall("anything at all")) == []
    scope.observe("user", "The cat sat on the mat")
    assert list(scope.recall("%%% ???")) == []


def test_without_an_embedder_words_alone_rank(database_url):
    with Nacre(database_url, settings=Settings(embedder="off")) as nacre:
        scope = nacre.scope("a")
        scope.observe("user", "The launch moved to May")
        hit = scope.recall("launch", explain=True)[0]
        assert "vector" not in hit.channels
        assert hit.text == "The launch moved to May"


def test_what_was_written_is_there_after_a_restart(database_url):
    with Nacre(database_url) as nacre:
        nacre.scope("a").observe("user", "The blue whale sings", session="s")
        before = nacre.scope("a").recall("whale", explain=True)
    with Nacre(database_url) as nacre:
        assert nacre.scope("a").recall("whale", explain=True) == before


def test_a_brain_in_memory_works_from_many_threads():
    from concurrent.futures import ThreadPoolExecutor

    with Nacre(":memory:") as nacre, ThreadPoolExecutor(8) as pool:
        scope = nacre.scope("a")
        list(pool.map(lambda n: scope.observe("user", f"fact {n} about whales", session="s"), range(100)))
        assert len(scope.recall("whales", limit=200)) == 100


@in_turn("text", ["", "   \n", "x" * 5_000_000, "nul\x00byte", "lone \ud800 surrogate", None, 7, b"bytes"])
def test_bad_text_is_refused_and_nothing_is_written(scope, text):
    attempts: list[Callable[[], object]] = [
        lambda: scope.observe("user", text),
        lambda: scope.observe_many([Turn(role="user", text="good"), Turn(role="user", text=text)]),
        lambda: scope.remember(text),
        lambda: scope.recall(text),
        lambda: scope.context(text, session="s"),
    ]
    for attempt in attempts:
        with pytest.raises(Invalid) as refused:
            attempt()
        assert refused.value.code == "invalid"
    assert list(scope.recall("good text nul bytes surrogate x")) == []


@in_turn(
    ("field", "attempt"),
    [
        ("at", lambda s: s.observe("user", "x", at=datetime(2026, 1, 1))),  # noqa: DTZ001
        ("at", lambda s: s.observe("user", "x", at="2026-01-01")),
        ("role", lambda s: s.observe("wizard", "x")),
        ("role", lambda s: s.observe(None, "x")),
        ("session", lambda s: s.observe("user", "x", session="")),
        ("session", lambda s: s.observe("user", "x", session="a\nb")),
        ("speaker", lambda s: s.observe("user", "x", speaker="n" * 201)),
        ("ref", lambda s: s.observe("user", "x", ref=5)),
        ("turns", lambda s: s.observe_many([("user", "x")])),
        ("limit", lambda s: s.recall("x", limit=0)),
        ("limit", lambda s: s.recall("x", limit=10**9)),
        ("limit", lambda s: s.recall("x", limit=True)),
        ("limit", lambda s: s.recall("x", limit="5")),
        ("kinds", lambda s: s.recall("x", kinds=["poem"])),
        ("kinds", lambda s: s.recall("x", kinds="turn")),
        ("as_of", lambda s: s.recall("x", as_of=datetime(2026, 1, 1))),  # noqa: DTZ001
        (
            "since",
            lambda s: s.recall("x", since=datetime(2026, 1, 2, tzinfo=UTC), until=datetime(2026, 1, 1, tzinfo=UTC)),
        ),
        ("budget", lambda s: s.context("x", budget=0)),
        ("session", lambda s: s.context("x", session="")),
        ("category", lambda s: s.remember("x", category="a//b")),
        ("category", lambda s: s.remember("x", category="a b")),
        ("tags", lambda s: s.remember("x", tags="launch")),
        ("tags", lambda s: s.remember("x", tags=[""])),
        ("metadata", lambda s: s.remember("x", metadata={"a": 1})),
        ("agent", lambda s: Scope(agent="")),
        ("agent", lambda s: Scope(agent=7)),  # type: ignore[arg-type]
        ("user", lambda s: Scope(agent="a", user="")),
        ("chat", lambda s: Scope(agent="a", chat="\x00")),
    ],
)
def test_bad_values_are_refused_by_name_and_nothing_is_written(scope, field, attempt):
    with pytest.raises(Invalid) as refused:
        attempt(scope)
    assert refused.value.field == field
    assert list(scope.recall("x")) == []


def test_a_closed_brain_says_so(database_url):
    nacre = Nacre(database_url)
    nacre.close()
    with pytest.raises(Closed):
        nacre.scope("a").observe("user", "hello")


@pytest.mark.parametrize(
    "address", ["mysql://localhost/x", "/no/such/folder/brain.db", "postgresql://127.0.0.1:1/none"]
)
def test_an_address_that_cannot_work_is_explained(address):
    from nacre import NacreError

    with pytest.raises(NacreError) as refused:
        Nacre(address)
    assert refused.value.code in {"misconfigured", "unavailable"}


def test_a_file_that_is_no_database_is_refused_untouched(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("these are my notes, not a database" * 100)
    with pytest.raises(Misconfigured):
        Nacre(path)
    assert path.read_text().startswith("these are my notes")
