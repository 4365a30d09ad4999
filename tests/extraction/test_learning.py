"""Learning follows the write: in order, exactly once, and the same graph whenever and however turns are read."""

from datetime import timedelta
from threading import Barrier, Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.kills import GraphRows, graph
from nacre import Invalid, Nacre, NotFound, Settings, Turn, Unavailable
from nacre.extraction import learning as learner_module
from nacre.extraction import lessons, portions
from nacre.extraction.rule_extraction import extract
from nacre.recall.questions import BEHIND
from nacre.store.evidence import learning_cursors
from nacre.work.learning import LearningThread
from tests import examples
from tests.waits import HANGS, eventually

pytestmark = pytest.mark.spec("N12")

OFF = Settings(worker="off", embedder="off")
SENTENCES = (
    "I met Maya yesterday.",
    "She lives in Rome.",
    "He works at Acme now.",
    "My brother Tom plays chess and he lives in Oslo.",
    "I live in Paris.",
    "I moved to Lisbon.",
    "I quit Acme and joined Globex.",
    "Maya moved to Berlin with Tom.",
    "Maya left Acme.",
    "I like tea. I can't stand coffee.",
    "I don't like tea any more.",
    "My favourite colour is green.",
    "my favourite colour is blue now",
    "Acme is in Oslo. It makes boats.",
    "ok, thanks!",
    "Rome is lovely, and Globex opened an office there.",
)
AGENTS = ("one", "two", "three")
SESSIONS = ("a", "b", None)
Said = tuple[str, int, int]
said = st.lists(
    st.tuples(st.sampled_from(("user", "user", "user", "assistant")), st.integers(0, 15), st.integers(0, 2)),
    min_size=2,
    max_size=14,
)


def turns(told: list[Said]) -> list[Turn]:
    return [Turn(role=role, text=SENTENCES[text], session=SESSIONS[session]) for role, text, session in told]


def graphs(nacre: Nacre, clock, told: list[Said]) -> list[GraphRows]:
    """The graph of the same turns: read after each, read in the end, and observed in one batch."""
    start = clock.now
    stamped = [
        Turn(role=turn.role, text=turn.text, session=turn.session, at=start + timedelta(minutes=place))
        for place, turn in enumerate(turns(told))
    ]
    at_once, later, batch = (nacre.scope(agent, user="ana") for agent in AGENTS)
    for turn in stamped:
        at_once.observe_many([turn])
        at_once.learned()
        later.observe_many([turn])
    batch.observe_many(stamped)
    nacre.settle()
    return [graph(nacre, agent) for agent in AGENTS]


@given(told=said)
@examples.costly()
def test_one_by_one_in_a_batch_or_later_it_is_the_same_graph(new_sqlite, clock, told):
    with Nacre(new_sqlite(), settings=OFF, clock=clock) as nacre:
        first, later, batch = graphs(nacre, clock, told)

    assert later == first
    assert batch == first


def test_on_postgresql_too_it_is_the_same_graph(postgres_url, clock):
    told = [("user", place, place % 3) for place in (*range(16), 1, 5, 2, 8, 11, 1)]
    with Nacre(postgres_url, settings=OFF, clock=clock) as nacre:
        first, later, batch = graphs(nacre, clock, told)

    assert first["links"]
    assert first == later == batch


def test_a_batch_knows_whom_a_pronoun_means(scope):
    told = ("I met Maya yesterday.", "She lives in Rome.", "ok", "fine", "nice", "good", "well", "right")
    scope.observe_many(Turn(role="user", text=text, session="s") for text in told)

    assert [link.predicate for link in scope.graph.links("Rome")] == ["lives_in"]


@pytest.mark.parametrize("blank", ["\n", " ", "\t", "\u00a0"])
def test_a_turn_that_begins_with_nothing_holds_nobody_up(nacre, scope, blank):
    scope.observe("user", blank * (portions.MAX_SLICE + 1) + "I live in Rome.")
    scope.observe("user", "I like tea.")

    assert nacre.settle()
    assert [link.predicate for link in scope.graph.links("Rome")] == ["lives_in"]


def test_an_address_too_long_for_a_name_takes_no_fact_with_it(scope):
    scope.observe("user", f"I live in Rome. I want this one https://shop.example/{'x' * 300}")

    assert [link.predicate for link in scope.graph.links("Rome")] == ["lives_in"]


def test_an_observation_tells_whether_it_was_learned(scope):
    first = scope.observe("user", "I live in Rome.")
    second = scope.observe("user", "I like tea.")

    assert (scope.learned(first.id, timeout=0).unread, scope.learned(second.id, timeout=0).unread) == (1, 2)
    assert scope.learned(first.id).done
    assert scope.learned(timeout=0).unread == 0


def test_what_is_asked_of_learning_is_checked(nacre, scope):
    other = nacre.scope("assistant", user="somebody else").observe("user", "hello")

    for wrong in (other.id, "00000000-0000-7000-8000-000000000000"):
        with pytest.raises(NotFound, match="observation"):
            scope.learned(wrong)
    for wrong in (-1, "soon", float("nan"), True):
        with pytest.raises(Invalid, match="timeout"):
            scope.learned(timeout=wrong)
    with pytest.raises(Invalid, match="observation"):
        scope.learned("one")


def test_what_only_the_agent_says_leaves_nothing_to_learn(scope):
    scope.observe("assistant", "Rome is the capital of Italy.")

    assert scope.learned(timeout=0).done


def test_the_background_learns_without_being_asked(sqlite_url):
    with Nacre(sqlite_url, settings=Settings(embedder="off")) as nacre:
        scope = nacre.scope("a")
        scope.observe("user", "Maya lives in Rome.")

        assert eventually(lambda: scope.learned(timeout=0).done)
        assert [link.predicate for link in scope.graph.links("Rome")] == ["lives_in"]


def test_what_a_process_left_unread_is_learned_by_the_next(database_url):
    with Nacre(database_url, settings=OFF) as nacre:
        nacre.scope("a", user="ana").observe("user", "Maya lives in Rome.")
        nacre.scope("b").observe("user", "Tom lives in Oslo.")

    with Nacre(database_url, settings=Settings(embedder="off")) as nacre:
        # Whichever scope is opened, every one is looked after.
        nacre.scope("c")
        assert eventually(lambda: nacre.scope("b").learned(timeout=0).done)
        assert eventually(lambda: nacre.scope("a", user="ana").learned(timeout=0).done)


def test_of_two_processes_that_learn_the_same_one_comes_first(database_url):
    with Nacre(database_url, settings=OFF) as one, Nacre(database_url, settings=OFF) as other:
        one.scope("a").observe_many(Turn(role="user", text=f"Maya likes boat {place}.") for place in range(60))
        ready = Barrier(2, timeout=HANGS)

        def learn(nacre: Nacre) -> None:
            ready.wait()
            nacre.settle()

        threads = [Thread(target=learn, args=(nacre,)) for nacre in (one, other)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert one.scope("a").learned(timeout=0).done
        assert one.scope("a").graph.get("Maya").mentions == 60


@pytest.mark.parametrize("first", ["I live in Lisbon.", "Hello there, nice weather."])
def test_what_is_read_while_everything_is_purged_is_nothing_of_what_comes_after(sqlite_url, monkeypatch, first):
    with Nacre(sqlite_url, settings=OFF) as here, Nacre(sqlite_url, settings=OFF) as elsewhere:
        ana, again = (nacre.scope("a", user="ana") for nacre in (here, elsewhere))
        ana.observe("user", first)
        read = portions.read

        def read_meanwhile(*given):
            found = read(*given)
            monkeypatch.setattr(portions, "read", read)
            again.forget(everything=True, purge=True)
            again.observe("user", "I live in Porto.")
            return found

        monkeypatch.setattr(portions, "read", read_meanwhile)
        ana.learned()

        assert again.learned().done
        assert [entity.name for entity in again.graph.search("Porto")] == ["Porto"]
        assert list(again.graph.search("Lisbon")) == []


def test_a_long_turn_is_learned_in_slices_and_goes_on_where_it_stopped(nacre, scope):
    filler = "The weather was as it is. " * 2_000
    text = f"Maya lives in Rome. {filler}Tom lives in Oslo. {filler}Ruth lives in Bergen."
    scope.observe("user", text)
    scope.observe("user", "Ana lives in Porto.")
    assert len(text) > 10 * portions.MAX_SLICE

    learner = nacre.parts.learner
    assert learner.learn_some(scope.scope)
    with nacre.parts.database.read(scope.scope) as tx:
        cursor = learning_cursors.position(tx)
    assert cursor
    assert 0 < cursor.offset <= portions.MAX_SLICE
    assert scope.learned().done

    homes = {name: link for name in ("Rome", "Oslo", "Bergen", "Porto") for link in scope.graph.links(name)}
    assert {link.predicate for link in homes.values()} == {"lives_in"}
    assert len(homes) == 4
    start, end = homes["Bergen"].quote
    assert text[start:end].startswith("Ruth lives in Bergen")


def test_a_slice_of_a_long_turn_is_brought_in_by_short_transactions(nacre, scope, monkeypatch):
    """Nobody else writes beside them; and what one of them stumbles over leaves those before it."""
    people = ["Ana", "Tom", "Ruth", "Maya", "Paul", "Laura", "Peter", "Julia", "Oscar", "Nina", "Hugo", "Clara"]
    text = " ".join(f"{name} lives in Rome. {'The weather was as it is. ' * 16}" for name in people)
    scope.observe("user", text)
    assert len(text) > portions.MAX_SLICE
    brought_in: list[int] = []
    apply_all = lessons._apply

    def applied(tx, texts):
        quotes = [fact.quote for each in texts for fact in each.found.facts]
        brought_in.append(max(end for _, end in quotes) - min(start for start, _ in quotes) if quotes else 0)
        if len(brought_in) == 3:
            raise ZeroDivisionError
        return apply_all(tx, texts)

    monkeypatch.setattr(lessons, "_apply", applied)
    learner = nacre.parts.learner
    assert learner.learn_some(scope.scope)
    assert scope.learned().done

    assert max(brought_in) <= portions.MAX_PART + 100
    assert [len(scope.graph.links(name)) for name in people] == [1] * len(people)


def test_the_background_lets_others_in_between_the_slices_of_a_long_turn(nacre):
    busy, quiet = (nacre.scope("assistant", user=name) for name in ("busy", "quiet"))
    busy.observe("user", f"{'The weather was as it is. ' * 3_000}Maya lives in Rome.")
    quiet.observe("user", "Ana lives in Porto.")
    done: list[str | None] = []

    background = LearningThread(nacre.parts.learner, lambda scope: done.append(scope.user))
    background.start()
    assert eventually(lambda: "busy" in done)
    background.stop()

    assert done == ["quiet", "busy"]
    assert [link.predicate for link in busy.graph.links("Rome")] == ["lives_in"]


def test_a_turn_that_the_rules_stumble_over_takes_no_other_with_it(scope, monkeypatch, caplog):
    def stumbling(text, **given):
        if "stumble" in text:
            raise ZeroDivisionError
        return extract(text, **given)

    monkeypatch.setattr(portions, "extract", stumbling)
    told = ("Maya lives in Rome.", "I stumble in Oslo.", "Tom lives in Bergen.")
    scope.observe_many(Turn(role="user", text=text) for text in told)

    assert scope.learned().done
    assert [scope.graph.get(name).name for name in ("Maya", "Tom")] == ["Maya", "Tom"]
    assert [hit.text for hit in scope.recall("stumble")][:1] == ["I stumble in Oslo."]
    assert "did not become part of the graph" in caplog.text


def test_what_takes_too_long_is_told_and_answered_from_what_is_there(scope, monkeypatch):
    monkeypatch.setattr(learner_module, "CALLER_SECONDS", 0.0)
    monkeypatch.setattr(portions, "MAX_TURNS", 1)
    scope.observe_many(Turn(role="user", text=f"Maya lives in Rome, house {place}.") for place in range(5))

    assert BEHIND in scope.recall("Maya").notes
    assert BEHIND in scope.context("Where does Maya live?").notes
    scope.learned()
    assert BEHIND not in scope.recall("Maya").notes


def test_nobody_waits_for_a_long_backlog_that_the_background_is_at(sqlite_url, monkeypatch):
    monkeypatch.setattr(learner_module, "CALLER_TURNS", 10)
    with Nacre(sqlite_url, settings=Settings(embedder="off")) as nacre:
        scope = nacre.scope("a")
        nacre.parts.learning.stop()
        scope.observe_many(Turn(role="user", text=f"Maya lives in Rome, house {place}.") for place in range(12))

        assert BEHIND in scope.recall("Maya").notes
        assert scope.learned(timeout=0).unread == 12
        assert scope.learned().done
        assert BEHIND not in scope.recall("Maya").notes


def test_what_is_learned_late_was_known_when_it_was_said(scope, clock):
    scope.observe("user", "Maya lives in Rome.")
    then = clock.now
    clock.advance(days=3)

    assert [entity.name for entity in scope.graph.search("Maya", as_of=then)] == ["Maya"]


def test_a_shared_graph_hears_its_users_in_the_order_in_which_they_speak(nacre):
    nacre.agent("assistant").share(knowledge_graph=True)
    ana, bob = (nacre.scope("assistant", user=name) for name in ("ana", "bob"))
    ana.observe("user", "Eva works at Acme.")
    bob.observe("user", "Eva left Acme.")

    assert [link.predicate for link in bob.graph.links("Eva")] == []
    assert [link.predicate for link in ana.graph.links("Eva")] == []


def test_what_was_said_before_a_graph_is_shared_stays_private(nacre):
    ana = nacre.scope("assistant", user="ana")
    ana.observe("user", "My therapist Sigmund works at Acme.")
    nacre.agent("assistant").share(knowledge_graph=True)

    assert nacre.scope("assistant", user="bob").graph.search() == []
    nacre.agent("assistant").share(knowledge_graph=False)
    assert "Sigmund" in [entity.name for entity in ana.graph.search()]


def test_where_extraction_is_off_nothing_waits_to_be_learned(sqlite_url):
    with Nacre(sqlite_url, settings=OFF) as nacre:
        nacre.scope("a").observe("user", "Maya lives in Rome.")
    with Nacre(sqlite_url, settings=Settings(worker="off", embedder="off", extraction="off")) as nacre:
        scope = nacre.scope("a")
        scope.observe("user", "Tom lives in Oslo.")

        assert not nacre.settle()
        assert scope.graph.search() == []
        assert scope.learned().unread == 2


def test_a_scope_that_is_forgotten_leaves_nothing_to_learn(scope):
    scope.observe("user", "Maya lives in Rome.")
    scope.forget(everything=True, purge=True)

    assert scope.learned(timeout=0).done
    assert scope.graph.search() == []


def test_learning_gives_up_no_turn_when_the_database_is_away(scope, monkeypatch):
    scope.observe("user", "Maya lives in Rome.")

    def away(*_given):
        raise Unavailable("away")

    with monkeypatch.context() as patched:
        patched.setattr(lessons, "_apply", away)
        with pytest.raises(Unavailable):
            scope.learned()
    assert scope.learned(timeout=0).unread == 1
    assert scope.learned().done
    assert scope.graph.get("Maya")


def test_a_name_that_a_turn_gives_is_known_to_the_next_one_in_any_case(scope):
    said = ("I met Zofka Lind today.", "zofka lind moved to Rome.")
    scope.observe_many([Turn(role="user", text=text, speaker="Ana", session="s1") for text in said])

    assert "lives_in" in {link.predicate for link in scope.graph.links("Zofka Lind")}
