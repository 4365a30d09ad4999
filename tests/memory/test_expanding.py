"""A saved memory becomes focused entries in the background, and is never lost by it."""

from collections.abc import Iterator
from dataclasses import replace
from uuid import UUID

import pytest

from nacre import Conflict, Nacre, ScopedNacre
from nacre.domain.jobs import MAX_ATTEMPTS, Job, JobStatus
from nacre.domain.memories import EXPANDED_FROM, Memory, MemoryFilter, Note, Status
from nacre.memory.changing import Changes
from nacre.memory.expanding import KIND, REASON, Expander
from nacre.memory.remembering import Rememberer
from nacre.models.language_models import LanguageModel, RemoteLanguageModel
from nacre.store.evidence import memories
from nacre.store.work import jobs
from nacre.work.handlers import handlers
from nacre.work.queues import run_next
from tests.models import llm_service
from tests.models.llm_service import LanguageModelService

TWO = "I prefer tea and I live in Porto. The launch of Pebble moved to May 31."
ENTRIES = [
    {"content": "ana prefers tea.", "category": "user-preferences/drinks", "tags": ["Tea"]},
    {"content": "ana lives in Porto.", "category": "general", "tags": ["porto"]},
    {"content": "The Pebble launch moved to May 31.", "category": "project-context/pebble", "tags": ["launch"]},
]


pytestmark = pytest.mark.spec("M6")


class Brain:
    """A scope with its expander, and the steps that a worker takes between calls."""

    def __init__(self, nacre: Nacre, scope: ScopedNacre, model: LanguageModel | None = None) -> None:
        parts = nacre.parts
        self.scope = scope
        self.database = parts.database
        near = parts.memory_search.neighbours
        self.expander = Expander(self.database, parts.embedder, model, neighbours=near)
        self.rememberer = Rememberer(self.database, parts.embedder, near, self.expander.request)

    def remember(self, text: str, **given) -> Memory:
        return self.rememberer.remember(self.scope.scope, Note(text=text, **given)).memory

    def work(self) -> int:
        done = 0
        while run_next(self.database, handlers(lambda: self.expander)):
            done += 1
        return done

    def current(self) -> dict[str, Memory]:
        with self.database.read(self.scope.scope) as tx:
            return {memory.content: memory for memory in memories.newest(tx, MemoryFilter(), 100)}

    def stored(self, memory_id: UUID) -> Memory:
        with self.database.read(self.scope.scope) as tx:
            return memories.by_id(tx, [memory_id])[memory_id]

    def jobs(self) -> list[Job]:
        with self.database.read(self.scope.scope) as tx:
            return jobs.newest(tx, None, 100)


@pytest.fixture
def brain(nacre: Nacre, scope: ScopedNacre) -> Brain:
    return Brain(nacre, scope)


@pytest.fixture
def service() -> Iterator[LanguageModelService]:
    with llm_service.running() as running:
        running.answer = lambda _question: {"entries": ENTRIES}
        yield running


@pytest.fixture
def thinking(nacre: Nacre, scope: ScopedNacre, service: LanguageModelService) -> Brain:
    return Brain(nacre, scope, RemoteLanguageModel("tiny", endpoint=service.url, timeout_seconds=20))


def test_rules_split_a_memory_into_statements_that_quote_their_source(brain, scope):
    original = brain.remember(TWO, tags=("talk",), metadata={"k": "v"}, importance=0.7)

    assert brain.work() == 1

    current = brain.current()
    assert set(current) == {"ana prefers tea", "ana lives in Porto.", "The launch of Pebble moved to May 31."}
    assert {content: memory.category for content, memory in current.items()} == {
        "ana prefers tea": "user-preferences",
        "ana lives in Porto.": "general",
        "The launch of Pebble moved to May 31.": "project-context",
    }
    for memory in current.values():
        assert memory.source == original.source
        assert memory.metadata == {"k": "v", EXPANDED_FROM: str(original.id)}
        assert (memory.importance, memory.created_at, memory.tags[0]) == (0.7, original.created_at, "talk")
        assert len(memory.tags) <= 5
    archived = brain.stored(original.id)
    assert (archived.status, archived.archive_reason) == (Status.ARCHIVED, REASON)
    quotes = {hit.text: hit.source.quote for hit in scope.recall("Porto tea Pebble launch")}
    assert quotes == {
        "ana prefers tea": "I prefer tea",
        "ana lives in Porto.": "I live in Porto.",
        "The launch of Pebble moved to May 31.": "The launch of Pebble moved to May 31.",
    }


def test_before_its_expansion_a_memory_is_as_it_was_saved(brain, scope, clock):
    brain.remember(TWO)
    saved = clock.now
    assert [hit.text for hit in scope.recall("Porto")] == [TWO]

    clock.advance(minutes=1)
    brain.work()

    assert [hit.text for hit in scope.recall("Porto", as_of=saved)] == [TWO]
    # It is as old as its words, whenever somebody got round to sorting them out.
    assert ("ana lives in Porto.", saved) in [(hit.text, hit.at) for hit in scope.recall("Porto")]


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("Standup is at nine", "general"),
        ("The launch moved to May 31", "project-context/launch"),
        ("ana prefers tea", "user-preferences"),
        ("John moved to Oslo. He likes it.", "general"),
        ("- tea\n- coffee", "general"),
        ("明日は東京駅で会う。20時に来て。", "general"),
        ("word " * 5_000, "general"),
        (" ".join(f"Person{n} lives in City{n}." for n in range(11)), "general"),
    ],
)
def test_a_memory_that_needs_no_change_is_left_alone(brain, text, category):
    brain.remember(text, category=category)

    assert brain.work() == 0
    assert list(brain.current()) == [text]


@pytest.mark.parametrize(
    ("text", "content", "category"),
    [
        ("I prefer tea", "ana prefers tea", "user-preferences"),
        ("My favourite colour is green", "ana's favourite colour is green", "user-preferences"),
        ("Don't send mails without asking", "Don't send mails without asking", "anti-patterns"),
        ("The deadline is on June 12", "The deadline is on June 12", "project-context"),
    ],
)
def test_a_single_statement_is_improved_where_it_surely_can_be(brain, text, content, category):
    brain.remember(text)
    brain.work()

    (improved,) = brain.current().values()
    assert (improved.content, improved.category) == (content, category)
    assert ("anti-pattern" in improved.tags) == (category == "anti-patterns")


def test_without_a_user_the_first_person_stays(nacre):
    brain = Brain(nacre, nacre.scope("assistant"))
    brain.remember("I prefer tea and I live in Porto")
    brain.work()

    assert set(brain.current()) == {"I prefer tea", "I live in Porto"}


def test_an_account_number_is_not_written_into_a_sentence(nacre):
    brain = Brain(nacre, nacre.scope("assistant", user="u-4711"))
    brain.remember("I prefer tea")
    brain.work()

    assert set(brain.current()) == {"The user prefers tea"}


def test_what_another_memory_says_already_is_reinforced_and_not_repeated(brain):
    brain.remember(TWO)
    brain.work()
    before = {memory.id for memory in brain.current().values()}
    again = brain.remember(TWO)
    assert brain.stored(again.id).status is Status.ACTIVE
    brain.work()

    current = brain.current()
    assert {memory.id for memory in current.values()} == before
    assert brain.stored(again.id).status is Status.ARCHIVED
    assert [memory.reinforced for memory in current.values()] == [1, 1, 1]


def test_doing_the_same_job_twice_changes_nothing_more(brain):
    original = brain.remember(TWO)
    brain.work()
    once = brain.current()
    with brain.database.write(brain.scope.scope) as tx:
        jobs.enqueue(tx, KIND, {"memory_id": str(original.id)})
    brain.work()

    assert brain.current() == once


def test_what_was_expanded_is_not_expanded_again(brain):
    brain.remember(TWO)
    brain.work()
    entries = brain.current().values()
    with brain.database.write(brain.scope.scope) as tx:
        for memory in entries:
            brain.expander.request(tx, memory)

    assert brain.work() == 0


def test_a_memory_that_is_forgotten_meanwhile_stays_forgotten(brain):
    for purge in (False, True):
        original = brain.remember(TWO)
        apply = brain.expander.expand(brain.scope.scope, original.id)
        brain.scope.forget(original.id, purge=purge)
        with brain.database.write(brain.scope.scope) as tx:
            apply(tx)
        # A purge takes the job as well.
        assert brain.work() == (0 if purge else 1)
        assert brain.current() == {}


def test_a_memory_that_changes_meanwhile_is_expanded_as_it_is_then(brain, clock):
    original = brain.remember(TWO)
    stale = brain.expander.expand(brain.scope.scope, original.id)
    with brain.database.write(brain.scope.scope) as tx:
        Changes(tx, "test").save(replace(original, content="I prefer coffee. I live in Faro."))

    def write() -> None:
        with brain.database.write(brain.scope.scope) as tx:
            stale(tx)

    with pytest.raises(Conflict):
        write()
    brain.work()
    assert set(brain.current()) == {"ana prefers coffee.", "ana lives in Faro."}


@pytest.mark.parametrize("payload", [{}, {"memory_id": 7}, {"memory_id": "nobody"}])
def test_a_job_that_names_no_memory_is_dead_at_once(brain, payload):
    with brain.database.write(brain.scope.scope) as tx:
        jobs.enqueue(tx, KIND, payload)
    brain.work()

    assert [(job.status, job.attempts) for job in brain.jobs()] == [(JobStatus.DEAD, 1)]


def test_a_model_writes_the_entries_where_there_is_one(thinking, scope, service):
    original = thinking.remember(TWO, tags=("talk",))

    assert thinking.work() == 1

    current = thinking.current()
    assert {(memory.content, memory.category, memory.tags) for memory in current.values()} == {
        ("ana prefers tea.", "user-preferences/drinks", ("talk", "tea")),
        ("ana lives in Porto.", "general", ("talk", "porto")),
        ("The Pebble launch moved to May 31.", "project-context/pebble", ("talk", "launch")),
    }
    assert {hit.source.quote for hit in scope.recall("Porto tea Pebble")} == {TWO}
    assert thinking.stored(original.id).status is Status.ARCHIVED
    (asked,) = service.asked
    assert "Copy names" in asked["messages"][0]["content"]


@pytest.mark.parametrize(
    ("entries", "reason"),
    [
        (ENTRIES[:2], "lose `Pebble`"),
        ([], "must be from 1 to 10"),
        ([{"content": f"{TWO} {n}"} for n in range(11)], "must be from 1 to 10"),
        ([*ENTRIES, {"content": "  "}], "must not be empty"),
        ([*ENTRIES, {"content": "ana met Bob in 1999."}], "which the memory does not"),
        ([{"content": TWO, "category": "no such/path!"}], "`category` must be"),
        ([{"content": TWO + " really" * 100}], "far longer"),
    ],
)
def test_a_proposal_that_loses_or_makes_up_is_refused_and_the_memory_stays(thinking, service, entries, reason):
    service.answer = lambda _question: {"entries": entries}
    original = thinking.remember(TWO)

    thinking.work()

    assert list(thinking.current()) == [TWO]
    assert thinking.stored(original.id).status is Status.ACTIVE
    (dead,) = thinking.jobs()
    assert dead.status is JobStatus.DEAD
    assert reason in (dead.error or "")
    # The model had one chance to mend it.
    assert len(service.asked) == 2
    assert "refused" in service.asked[1]["messages"][-1]["content"]


def test_a_refused_proposal_may_be_mended_by_the_model(thinking, service):
    service.answer = lambda question: {"entries": ENTRIES if "refused" in question else ENTRIES[:1]}
    thinking.remember(TWO)
    thinking.work()

    assert len(thinking.current()) == 3


def test_a_model_that_would_change_nothing_changes_nothing(thinking, service):
    service.answer = lambda _question: {"entries": [{"content": "Standup is at nine", "tags": ["standup"]}]}
    original = thinking.remember("Standup is at nine")
    thinking.work()

    assert [memory.id for memory in thinking.current().values()] == [original.id]
    assert thinking.jobs()[0].status is JobStatus.DONE


def test_the_category_a_caller_chose_is_only_made_more_exact(thinking, service):
    service.answer = lambda _question: {
        "entries": [
            {"content": "ana prefers tea and lives in Porto", "category": "home/porto"},
            {"content": "Pebble launch: May 31", "category": "user-preferences"},
        ]
    }
    thinking.remember(TWO, category="home")
    thinking.work()

    assert {memory.category for memory in thinking.current().values()} == {"home/porto", "home"}


AWAY = {"garbage": "no usable reply", "failing": "no usable reply", "hanging": "did not answer"}


@pytest.mark.parametrize("mood", AWAY)
def test_a_model_that_is_away_leaves_the_memory_and_a_dead_job_with_the_reason(nacre, scope, service, clock, mood):
    service.mood = mood
    seconds = 0.3 if mood == "hanging" else 20
    brain = Brain(nacre, scope, RemoteLanguageModel("tiny", endpoint=service.url, timeout_seconds=seconds))
    original = brain.remember(TWO)
    for _ in range(MAX_ATTEMPTS):
        assert brain.work() == 1
        clock.advance(hours=2)
    assert brain.work() == 0

    (dead,) = brain.jobs()
    assert (dead.status, dead.attempts) == (JobStatus.DEAD, MAX_ATTEMPTS)
    assert AWAY[mood] in (dead.error or "")
    assert [memory.id for memory in brain.current().values()] == [original.id]


def test_a_dead_expansion_is_replayed_when_the_model_is_back(thinking, scope, service, clock):
    service.mood = "failing"
    thinking.remember(TWO)
    for _ in range(MAX_ATTEMPTS):
        thinking.work()
        clock.advance(hours=2)
    service.mood = "well"
    with thinking.database.write(scope.scope) as tx:
        assert jobs.replay(tx) == 1
    thinking.work()

    assert len(thinking.current()) == 3


def test_better_labels_alone_keep_the_entry_its_id_and_its_date(scope, brain, clock):
    made = brain.remember("The launch of Pebble is planned for spring")
    clock.advance(days=9)

    assert brain.work() == 1

    kept = scope.memories.get(made.id)
    assert (kept.status, kept.content, kept.category) == (Status.ACTIVE, made.content, "project-context")
    assert kept.updated_at == made.updated_at
    assert [match.memory.id for match in scope.memories.search("project context")] == [made.id]
