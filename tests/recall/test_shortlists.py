"""A scope too large for memory is answered like any other, from passages that the database finds."""

from datetime import UTC, datetime, timedelta

import pytest

from nacre import Nacre, Settings, Turn
from nacre.recall.questions import FOUND_BY_WORDS
from nacre.store.reads import scope_indexes, shortlists
from tests import plans

SMALL = 20
# What hundreds of turns say is not learned: it takes longer than all the rest, and these tests are about finding turns.
WHOLE = Settings(worker="off", extraction="off")
LARGE = WHOLE.model_copy(update={"index_passages": SMALL})
PEOPLE = ["Ana", "Bob", "Chidi", "Dora", "Emeka"]
THINGS = ["kayak", "violin", "telescope", "greenhouse", "pottery wheel", "bicycle", "chess set", "sourdough starter"]
PLACES = ["Lisbon", "Porto", "the harbour", "her grandmother's attic", "a market stall", "the old library"]
DEEDS = ["repaired", "sold", "borrowed", "painted", "lost", "inherited"]
QUESTIONS = [
    "Who repaired the telescope?",
    "What did Ana sell in Lisbon?",
    "Who lost something in the old library?",
    "sourdough starter from the attic",
    "What did Emeka paint at the harbour?",
    "Where is the violin that Dora inherited?",
]


def conversation() -> list[Turn]:
    """A few hundred turns in sessions of twelve, by one rule."""
    began = datetime(2025, 1, 6, 9, 0, tzinfo=UTC)
    said = []
    for number in range(300):
        who, deed = PEOPLE[number % 5], DEEDS[number // 5 % 6]
        thing, place = THINGS[number // 7 % 8], PLACES[number // 11 % 6]
        words = f"{who} {deed} the {thing} in {place}" if number % 3 else f"Good to hear that, note {number}"
        role = "user" if number % 3 else "assistant"
        at = began + timedelta(hours=number)
        said.append(Turn(role=role, text=words, speaker=who, session=f"s{number // 12}", at=at))
    return said


@pytest.fixture
def brains(database_url, clock):
    """The same memory, held whole and too large for it. Another user's speaks of the same things."""
    whole = Nacre(database_url, settings=WHOLE, clock=clock)
    large = Nacre(database_url, settings=LARGE, clock=clock)
    with whole, large:
        whole.scope(agent="a", user="ana").observe_many(conversation())
        theirs = [Turn(role="user", text=f"Ana sold a telescope and a violin in Lisbon, {each}") for each in range(30)]
        whole.scope(agent="a", user="eve").observe_many(theirs)
        yield whole, large


@pytest.fixture
def scopes(brains):
    return [brain.scope(agent="a", user="ana") for brain in brains]


@pytest.fixture
def build(database_url):
    """Has PostgreSQL make the indexes of large scopes."""
    return lambda: scope_indexes.build(database_url, SMALL)


def on_postgresql(test):
    """Only PostgreSQL has indexes of single scopes."""
    return pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)(test)


def texts(found):
    return [hit.text for hit in found]


def assert_alike(whole, large):
    for question in QUESTIONS:
        expected, found = whole.recall(question, limit=4), large.recall(question, limit=4)
        assert [hit.id for hit in found] == [hit.id for hit in expected], question


def test_the_best_hits_are_those_of_the_whole_index(brains, scopes):
    assert_alike(*scopes)

    assert [len(brain.parts.indexes) for brain in brains] == [1, 0]


@on_postgresql
def test_the_best_hits_by_indexes_are_those_of_the_whole_index(scopes, build):
    build()

    assert_alike(*scopes)


def test_a_filter_never_leaves_nothing(scopes):
    """Better matches of other sessions and times do not take the place of what passes."""
    _, large = scopes
    since, until = datetime(2025, 1, 10, tzinfo=UTC), datetime(2025, 1, 11, tzinfo=UTC)

    in_session = large.recall("Who sold what?", session="s3", limit=3)
    then = large.recall("Who repaired what?", since=since, until=until, limit=3)

    assert {hit.source.session for hit in in_session} == {"s3"}
    assert len(then) == 3
    assert all(since <= hit.at <= until for hit in then)


def test_each_filter_is_part_of_what_the_database_is_asked(scopes, monkeypatch):
    """Only one passage is chosen by words here, so a filter that came later would find it gone."""
    monkeypatch.setattr("nacre.recall.shortlists.BY_WORDS", 1)
    _, large = scopes
    kept = large.remember("The telescope belongs to the club")
    large.vault.save("tools/telescope.md", "# Telescope\nA telescope has two lenses.")

    assert {hit.kind for hit in large.recall("telescope", kinds=["memory"])} == {"memory"}
    assert [match.memory.id for match in large.memories.search("telescope")] == [kept.id]
    assert large.vault.search("telescope", prefix="tools", origins=["vault"]).items
    assert large.recall("telescope", session="s6")[0].source.session == "s6"


def test_what_has_ended_is_recalled_only_as_of_before(scopes, clock):
    _, large = scopes
    kept = large.remember("The spare key lies under the blue flowerpot")
    before = clock.advance(minutes=1)
    clock.advance(minutes=1)
    large.forget(kept.id)

    assert "blue flowerpot" not in " ".join(texts(large.recall("Where is the spare key?")))
    assert "blue flowerpot" in large.recall("Where is the spare key?", as_of=before)[0].text


def test_nothing_of_another_user_is_found(brains, scopes):
    _, large = scopes
    theirs = brains[1].scope(agent="a", user="eve")

    question = "Ana sold a telescope and a violin in Lisbon"
    own, others = (texts(each.recall(question, limit=50, kinds=["turn"])) for each in (large, theirs))

    assert {text.startswith(question) for text in own} == {False}
    assert {text.startswith(question) for text in others} == {True}


def test_what_is_said_to_a_large_scope_is_found_at_once(scopes):
    _, large = scopes
    large.observe("user", "My submarine is moored in Genoa", session="s99")

    assert large.recall("Where is the submarine?")[0].text == "My submarine is moored in Genoa"


def test_what_only_the_graph_knows_is_found(scopes):
    """The answer shares no word with the question, so neither words nor meaning choose its passage."""
    whole, large = scopes
    said = "Zoltan is employed by Brightwater"
    large.observe("user", said, session="s98")
    large.graph.link("Zoltan", "works_at", "Brightwater", reason=said)
    question = "Zoltan"

    assert [hit.id for hit in large.recall(question)[:2]] == [hit.id for hit in whole.recall(question)[:2]]


@on_postgresql
@pytest.mark.parametrize("filters", [{}, {"session": "s3"}, {"kinds": ["turn"]}])
def test_meaning_finds_what_words_do_not(scopes, build, filters):
    """Nobody has said `stargazing`, or any other word of the question."""
    whole, large = scopes
    before = large.recall("stargazing astronomy", **filters)
    build()
    after = large.recall("stargazing astronomy", **filters)

    assert (texts(before), before.notes) == ([], (FOUND_BY_WORDS,))
    assert after.notes == ()
    assert [hit.id for hit in after] == [hit.id for hit in whole.recall("stargazing astronomy", **filters)]


def test_without_an_index_of_vectors_a_note_says_that_words_alone_found_it(scopes):
    whole, large = scopes
    for ask in (lambda scope: scope.recall, lambda scope: scope.context, lambda scope: scope.vault.search):
        assert (ask(whole)("telescope").notes, ask(large)("telescope").notes) == ((), (FOUND_BY_WORDS,))


@on_postgresql
def test_both_indexes_of_a_scope_are_used(brains, build):
    build()
    scope = brains[1].scope(agent="a", user="ana")
    with plans.collected() as sent:
        scope.recall("telescope", session="s3")
        scope.recall("telescope")

    with brains[1].parts.database.read(scope.scope) as tx:
        used = {sql for each in sent.values() for sql in _indexes(tx.connection, each)}
        space = brains[1].parts.embedder.embed(["space"]).space
        names = {scope_indexes.words_name(tx.scope_id), scope_indexes.meaning_name(tx.scope_id, space)}
    # A cluster shortens long names to have room for the number of a shard.
    assert {name[:46] for name in names} <= {name[:46] for name in used}


def _indexes(connection, sent):
    plan = connection.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {sent.sql}", sent.values).scalar_one()
    return {plans.index_of(node) for node in plans.nodes(plan[0]["Plan"])}


@on_postgresql
def test_indexes_are_made_once_and_dropped_when_no_scope_needs_them(brains, build, database_url):
    first, again = build(), build()

    # The other user's scope is larger than the limit, too.
    assert (len(first.made), again.made, again.dropped) == (4, (), ())
    assert set(scope_indexes.build(database_url, 10**9).dropped) == set(first.made)


@on_postgresql
def test_a_database_that_may_not_have_pgvector_gets_indexes_of_words(brains, database_url, monkeypatch):
    monkeypatch.setattr(scope_indexes, "_EXTENSION", "CREATE EXTENSION no_such_extension")

    built = scope_indexes.build(database_url, SMALL)

    assert all(name.startswith("passages_words_") for name in built.made)
    assert "CREATE EXTENSION vector" in built.notes[0]


@on_postgresql
def test_what_is_said_to_a_scope_with_indexes_is_found_at_once(scopes, build):
    build()
    _, large = scopes
    large.observe("user", "My submarine is moored in Genoa", session="s99")

    found = large.recall("Where is the submarine?")

    assert (found[0].text, found.notes) == ("My submarine is moored in Genoa", ())


@on_postgresql
def test_common_words_are_answered_from_the_newest(scopes, build, monkeypatch):
    """Where every word of a question is said everywhere, not all that say it are ranked."""
    build()
    monkeypatch.setattr(shortlists, "MANY", 30)
    _, large = scopes
    newest = large.observe("user", "Ana repaired the violin again", session="s99")

    assert newest.id in [hit.id for hit in large.recall("Ana repaired violin", limit=20)]
    assert large.recall("Ana repaired", session="s0")
