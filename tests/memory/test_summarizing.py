"""Sessions are summed up, searchable, linked to entities, and summed up anew when they go on."""

from collections.abc import Iterator

import pytest

from nacre import Invalid, Nacre, NotFound, ScopedNacre
from nacre.domain.dreams import Method, PassName, PassStatus
from nacre.domain.hits import Kind
from nacre.domain.summaries import SummaryMethod
from nacre.domain.turns import Turn
from nacre.memory import summarizing
from nacre.memory.summarizing import BUDGET, summarize
from nacre.models.language_models import RemoteLanguageModel
from nacre.store.evidence import summaries as stored
from nacre.store.work import usage
from nacre.text.budget import count_tokens
from nacre.upkeep.cycles import Dreamer, PassContext
from nacre.upkeep.summaries import SummaryPass
from tests.cases import in_turn
from tests.models import llm_service
from tests.models.llm_service import LanguageModelService

pytestmark = pytest.mark.spec("S22")

GOOD = "Mara moved to Porto and starts at Acme on May 31."


def talk(scope: ScopedNacre, session: str = "s1") -> None:
    scope.observe_many(
        [
            Turn(role="user", speaker="Mara", session=session, text="Hi! How are you?"),
            Turn(role="assistant", session=session, text="Fine, thanks."),
            Turn(role="user", speaker="Mara", session=session, text="I moved to Porto and I work at Acme."),
            Turn(role="user", speaker="Mara", session=session, text="My first day is May 31."),
        ]
    )


@pytest.fixture
def service() -> Iterator[LanguageModelService]:
    with llm_service.running() as running:
        running.answer = lambda _question: {"summary": GOOD}
        yield running


@pytest.fixture
def model(service: LanguageModelService) -> RemoteLanguageModel:
    return RemoteLanguageModel("tiny", endpoint=service.url, timeout_seconds=20)


def by_model(nacre: Nacre, scope: ScopedNacre, model: RemoteLanguageModel, session: str = "s1"):
    return summarize(nacre.parts.database, nacre.parts.embedder, scope.scope, session, model=model)


def dream(nacre: Nacre, scope: ScopedNacre, model: RemoteLanguageModel | None = None, **given):
    dreamer = Dreamer(nacre.parts.database, lambda: [SummaryPass(nacre.parts.embedder)], model)
    return dreamer.dream(scope.scope, **given).passes[0]


def test_a_session_is_summed_up_in_its_own_sentences(scope, clock):
    talk(scope)
    clock.advance(hours=1)
    made = scope.summaries.summarize("s1").summary

    assert made.content == "Mara: I moved to Porto and I work at Acme. My first day is May 31."
    assert (made.method, made.turns) == (SummaryMethod.EXTRACTIVE, 4)
    assert made.earliest_at == made.latest_at < made.created_at
    assert scope.summaries.of("s1") == made
    assert scope.summaries.list() == [made]


def test_a_summary_is_searchable_and_stays_out_of_other_recalls(scope):
    talk(scope)
    made = scope.summaries.summarize("s1").summary

    (hit,) = scope.summaries.search("Where does Mara live? Porto")
    assert (hit.id, hit.kind, hit.text) == (made.id, Kind.SUMMARY, made.content)
    assert (hit.source.id, hit.source.quote, hit.source.session) == (made.id, made.content, "s1")
    assert [each.id for each in scope.recall("Porto", kinds=["summary"])] == [made.id]
    assert {each.kind for each in scope.recall("Porto Acme May")} == {Kind.TURN}
    assert made.content not in scope.context("Where does Mara work? Acme or Porto?").text


def test_a_summary_does_not_change_how_turns_rank(scope):
    talk(scope)
    talk(scope, "s2")
    before = [(hit.id, hit.source.session) for hit in scope.recall("Porto May 31")]
    scope.summaries.summarize("s1")

    assert [(hit.id, hit.source.session) for hit in scope.recall("Porto May 31")] == before


def test_a_summary_is_linked_to_the_entities_its_turns_speak_of(scope, clock):
    talk(scope)
    clock.advance(minutes=10)
    made = scope.summaries.summarize("s1").summary

    assert {"Mara", "Porto", "Acme"} <= set(made.entities)
    assert scope.graph.get("Porto").last_synthesized_at == clock.now
    expanded = scope.summaries.expand("porto")
    assert (expanded.entity_name, expanded.total) == ("Porto", 1)
    (shown,) = expanded.summaries
    assert (shown.id, shown.session_key, shown.harness) == (made.id, "s1", "assistant")
    assert (shown.earliest_at, shown.latest_at, shown.content) == (made.earliest_at, made.latest_at, made.content)


def test_links_follow_a_merge_and_its_undo(scope):
    talk(scope)
    scope.summaries.summarize("s1")
    scope.graph.add("Oporto", type="location")
    merged = scope.graph.merge("Oporto", "Porto")
    assert scope.summaries.expand("Oporto").total == 1

    scope.graph.undo(merged.record.id)
    assert scope.summaries.expand("Oporto").total == 0
    assert scope.summaries.expand("Porto").total == 1


def test_an_entity_that_nobody_knows_has_no_sessions(scope):
    talk(scope)
    scope.summaries.summarize("s1")

    expanded = scope.summaries.expand("Nobody At All")

    assert (expanded.entity_name, expanded.summaries, expanded.total) == ("Nobody At All", (), 0)


def test_sessions_are_narrowed_down_by_time_by_session_and_by_number(scope, clock):
    for session in ("old", "recent", "new"):
        talk(scope, session)
        scope.summaries.summarize(session)
        clock.advance(days=20)

    def sessions(**given):
        return [each.session_key for each in scope.summaries.expand("Porto", **given).summaries]

    assert sessions() == ["new", "recent", "old"]
    assert sessions(time_range="last_month") == ["new"]
    assert sessions(time_range="last_week") == []
    assert sessions(time_range="2026-05-15") == ["new", "recent"]
    assert sessions(time_range="2026-05-15T00:00:00Z/2026-05-21") == ["recent"]
    assert sessions(session="old") == ["old"]
    assert sessions(max_results=1) == ["new"]
    assert scope.summaries.expand("Porto", max_results=1).total == 3
    assert scope.summaries.expand().total == 3
    assert [each.session for each in scope.summaries.list(limit=1, offset=1)] == ["recent"]


@in_turn(
    "given",
    [
        {"time_range": "lately"},
        {"time_range": 7},
        {"time_range": "2026-05-02/2026-05-01"},
        {"time_range": "0001-01-01T00:00:00+14:00"},
        {"max_results": 51},
        {"max_results": 0},
        {"session": ""},
    ],
)
def test_bad_bounds_are_refused(scope, given):
    with pytest.raises(Invalid):
        scope.summaries.expand("Porto", **given)


def test_a_session_that_nobody_held_cannot_be_summed_up(scope):
    for call in (scope.summaries.summarize, scope.summaries.of):
        with pytest.raises(NotFound):
            call("nowhere")
    with pytest.raises(Invalid):
        scope.summaries.summarize("")


def test_a_session_that_went_on_is_summed_up_anew(scope, clock):
    talk(scope)
    first = scope.summaries.summarize("s1").summary
    clock.advance(hours=1)
    scope.observe("user", "I left Acme for Globex in 2026.", speaker="Mara", session="s1")
    second = scope.summaries.summarize("s1").summary

    assert second.turns == 5
    assert (second.created_at, second.updated_at) == (first.created_at, clock.now)
    assert second.last_seq > first.last_seq
    assert scope.summaries.list() == [second]
    assert [hit.id for hit in scope.summaries.search("Globex Porto")] == [second.id]
    before = scope.recall("Porto", kinds=["summary"], as_of=first.latest_at)
    assert [hit.text for hit in before] == [first.content]


def test_a_model_writes_the_summary_where_there_is_one(nacre, scope, model, service):
    talk(scope)
    made = by_model(nacre, scope, model)

    assert (made.summary.content, made.summary.method, made.notes) == (GOOD, SummaryMethod.ABSTRACTIVE, ())
    assert (made.input_tokens, made.output_tokens) == (100, 10)
    with nacre.parts.database.read(scope.scope) as tx:
        assert [(each.purpose, each.calls) for each in usage.totals(tx)] == [(summarizing.PURPOSE, 1)]
    assert "Mara: I moved to Porto" in str(service.asked[0]["messages"])


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("Mara moved to Lisbon.", "Lisbon"),
        ("Mara moved to Porto in 1999.", "1999"),
        ("Mara and Kelvin moved to Porto.", "Kelvin"),
        ("   ", "empty"),
        ("Porto. " * 400, "tokens"),
    ],
)
def test_a_summary_that_names_what_nobody_said_is_refused_and_that_is_said(nacre, scope, service, answer, why):
    service.answer = lambda _question: {"summary": answer}
    talk(scope)
    made = by_model(nacre, scope, RemoteLanguageModel("tiny", endpoint=service.url))

    assert made.summary.method is SummaryMethod.EXTRACTIVE
    assert "Lisbon" not in made.summary.content
    assert why in made.notes[0]
    assert made.input_tokens == 100


@pytest.mark.parametrize("mood", ["failing", "garbage", "refusing"])
def test_a_model_that_is_away_costs_only_its_words(nacre, scope, model, service, mood):
    service.mood = mood
    talk(scope)
    made = by_model(nacre, scope, model)

    assert made.summary.method is SummaryMethod.EXTRACTIVE
    assert "language model" in made.notes[0]


def test_dreaming_waits_until_a_session_is_quiet(nacre, scope, clock):
    talk(scope)
    clock.advance(minutes=29)
    assert dream(nacre, scope).counts["sessions"] == 0

    clock.advance(minutes=1)
    report = dream(nacre, scope)
    assert (report.name, report.status, report.method) == (PassName.SUMMARIES, PassStatus.DONE, Method.RULES)
    assert [change.items for change in report.changes] == [("s1",)]
    assert scope.summaries.of("s1").turns == 4

    clock.advance(days=1)
    assert dream(nacre, scope).status is PassStatus.SKIPPED
    scope.observe("user", "I left Acme.", speaker="Mara", session="s1")
    clock.advance(minutes=5)
    assert dream(nacre, scope).status is PassStatus.SKIPPED
    clock.advance(minutes=25)
    assert dream(nacre, scope).counts["sessions"] == 1
    assert scope.summaries.of("s1").turns == 5


def test_a_talk_that_is_handed_over_late_goes_by_when_it_came_in(nacre, scope, clock):
    scope.observe("user", "I moved to Porto.", session="old", at=clock.now.replace(year=2020))

    assert dream(nacre, scope).counts["sessions"] == 0


def test_a_dry_run_only_says_what_is_due(nacre, scope, clock, model, service):
    talk(scope)
    clock.advance(hours=1)
    report = dream(nacre, scope, model, dry_run=True)

    assert [change.items for change in report.changes] == [("s1",)]
    assert scope.summaries.list() == []
    assert service.asked == []


def test_the_pass_says_what_it_refused_and_what_it_cost(nacre, scope, clock, model, service):
    service.answer = lambda _question: {"summary": "Mara moved to Lisbon."}
    talk(scope)
    clock.advance(hours=1)
    report = dream(nacre, scope, model)

    assert "Lisbon" in report.refused[0].why
    assert (report.method, report.input_tokens, report.output_tokens) == (Method.RULES, 100, 10)
    assert report.counts == {"sessions": 1, "abstractive": 0}


def test_the_pass_ends_when_people_come(nacre, scope, clock):
    talk(scope)
    talk(scope, "s2")
    clock.advance(hours=1)
    answers = iter([False, True])
    night = PassContext(
        scope=scope.scope,
        database=nacre.parts.database,
        model=None,
        dry_run=False,
        disturbed=lambda: next(answers),
    )
    report = SummaryPass(nacre.parts.embedder).run(night)

    assert (report.status, report.counts["sessions"]) == (PassStatus.STOPPED, 1)


def test_sessions_and_their_summaries_stay_personal_where_the_graph_is_shared(nacre, scope):
    nacre.agent("assistant").share(knowledge_graph=True)
    other = nacre.scope(agent="assistant", user="ben")
    talk(scope)
    talk(other)
    scope.summaries.summarize("s1")

    assert scope.summaries.expand("Porto").total == 1
    assert "Porto" in scope.summaries.of("s1").entities
    assert scope.graph.get("Porto").last_synthesized_at is not None
    assert other.summaries.expand("Porto").total == 0
    assert list(other.summaries.search("Porto")) == []


def test_a_turn_that_is_forgotten_meanwhile_is_not_summed_up(nacre, scope, monkeypatch, clock):
    talk(scope)
    clock.advance(minutes=1)
    scope.observe("user", "The flat costs 950 euros.", speaker="Mara", session="s1")
    purge = [lambda: scope.forget(before=clock.now, purge=True)]
    made = summarizing._made

    def slow(*given):
        for each in purge[:]:
            each()
            purge.clear()
        return made(*given)

    monkeypatch.setattr(summarizing, "_made", slow)
    summary = scope.summaries.summarize("s1").summary

    assert summary.content == "Mara: The flat costs 950 euros."


def test_what_tools_gave_back_is_summed_up_only_where_there_is_nothing_else(scope):
    scope.observe("tool", "rows=4711 table=kiln", session="s1")
    assert "4711" in scope.summaries.summarize("s1").summary.content
    scope.observe("user", "I moved to Porto.", session="s1")

    assert scope.summaries.summarize("s1").summary.content == "user: I moved to Porto."


def test_a_huge_session_is_shown_to_a_model_in_part(nacre, scope, model, service, monkeypatch):
    monkeypatch.setattr(summarizing, "MAX_MATERIAL", 1_000)
    said = [f"Box {n} holds {'stone ' * 60}of kind {n}." for n in range(30)]
    scope.observe_many([Turn(role="user", session="s1", text=text) for text in said])
    service.answer = lambda _question: {"summary": "Boxes hold stone."}
    made = by_model(nacre, scope, model)

    assert made.summary.method is SummaryMethod.ABSTRACTIVE
    shown = count_tokens(service.asked[0]["messages"][-1]["content"])
    assert 900 < shown < 1_100 < count_tokens("\n".join(said))
    assert count_tokens(scope.summaries.summarize("s1").summary.content) <= BUDGET


def test_summaries_of_another_tenant_are_out_of_reach(nacre, scope):
    talk(scope)
    scope.summaries.summarize("s1")
    stranger = nacre.scope(agent="assistant", user="eve")

    assert stranger.summaries.list() == []
    assert stranger.summaries.expand().total == 0
    with pytest.raises(NotFound):
        stranger.summaries.of("s1")


def test_forgetting_turns_takes_their_summary_out_of_force(nacre, scope, clock):
    talk(scope)
    made = scope.summaries.summarize("s1").summary
    clock.advance(minutes=1)
    with nacre.parts.database.write(scope.scope) as tx:
        stored.set_aside(tx, [each.id for each in scope.conversations.last("s1")])

    assert scope.summaries.list() == []
    assert list(scope.summaries.search("Porto")) == []
    earlier = scope.recall("Porto", kinds=["summary"], as_of=made.latest_at)
    assert [hit.id for hit in earlier] == [made.id]


def test_purging_turns_leaves_no_version_of_their_summary(nacre, scope, clock):
    talk(scope)
    first = scope.summaries.summarize("s1").summary
    clock.advance(minutes=1)
    second = scope.summaries.summarize("s1").summary
    with nacre.parts.database.write(scope.scope) as tx:
        stored.purge(tx, [each.id for each in scope.conversations.last("s1")])

    assert scope.summaries.list() == []
    for each in (first, second):
        with pytest.raises(NotFound):
            scope.graph.link("Mara", "lives_in", "Porto", said_in=each.id)


@pytest.mark.parametrize("purge", [False, True])
def test_forgetting_a_session_forgets_its_summary(scope, clock, purge):
    talk(scope)
    scope.summaries.summarize("s1")
    clock.advance(minutes=1)
    scope.forget(before=clock.now, purge=purge)

    assert scope.summaries.list() == []
    assert list(scope.summaries.search("Porto")) == []
