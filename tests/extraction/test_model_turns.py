"""A language model reads turns behind the write: what it says is believed only with the words that say so."""

from collections.abc import Iterator

import pytest

from nacre import Misconfigured, Nacre, Settings, Turn
from nacre.models import local_reader
from tests.models import llm_service
from tests.models.llm_service import LanguageModelService
from tests.models.turn_replies import CHESS, HOME, asking, predicates, replying, say

pytestmark = pytest.mark.spec("G1")


@pytest.fixture
def service() -> Iterator[LanguageModelService]:
    with llm_service.running() as running:
        running.answer = replying
        yield running


@pytest.fixture
def rules_alone(monkeypatch) -> None:
    """Rules and model without the reader, so that no test depends on what that makes of a sentence."""
    monkeypatch.setattr(local_reader, "installed", lambda: False)


@pytest.fixture
def brain_settings(rules_alone, service) -> Settings:
    return asking(service)


def test_facts_that_no_rule_finds_are_learned_with_their_words(scope, service):
    say(scope, HOME, CHESS, "La cocina es lo mío, sobre todo los domingos.")
    assert scope.learned().unread_by_model == 3
    assert service.asked == []

    assert scope.learned(model=True).unread_by_model == 0

    assert len(service.asked) == 1
    link = next(link for link in scope.graph.links("Bergen") if link.predicate == "lives_in")
    assert HOME[slice(*link.quote)] == "Bergen has been home ever since the divorce."
    assert predicates(scope, "chess club") == ["member_of"]
    assert [claim.value for claim in scope.ontology.claims("ana")] == ["cocina"]
    assert {record.actor for record in scope.history(limit=50) if record.operation == "record_link"} == {
        "extraction:model"
    }


def test_observe_and_whoever_reads_the_graph_never_wait_for_the_model(scope, service):
    service.mood = "hanging"
    say(scope, HOME, "I live in Rome.")

    assert predicates(scope, "Rome") == ["lives_in"]
    assert scope.learned().done
    assert service.asked == []


def test_what_one_said_before_is_shown_and_names_whom_a_pronoun_means(scope, service):
    say(scope, "Let me tell you about Clara.")
    scope.learned(model=True)
    say(scope, "She runs the bakery on Oak Street.")
    scope.learned(model=True)

    assert "<before>\n[user] Let me tell you about Clara." in str(service.asked[-1]["messages"][-1]["content"])
    assert [claim.value for claim in scope.ontology.claims("Clara")] == ["runs the bakery"]


def test_all_of_it_can_be_taken_back(scope):
    say(scope, HOME)
    scope.learned(model=True)
    made = next(record for record in scope.history() if record.operation == "record_link")

    scope.undo(made.id)

    assert predicates(scope, "Bergen") == []


@pytest.mark.parametrize(
    "told",
    [
        {"quote": "Bergen is home", "object": "Bergen"},
        {"quote": "Bergen has been home", "object": "Oslo"},
        {"quote": "Bergen has been home", "object": "Bergen", "predicate": "rules_over"},
        {"quote": "Bergen has been home", "object": "Bergen", "mode": "perhaps"},
        {"quote": "Bergen has been home", "object": "Bergen", "subject": "Napoleon"},
        {"quote": "Bergen has been home", "object": "Bergen", "confidence": 0.3},
        {"quote": "Bergen has been home", "object": "Bergen", "turn": 7},
        {"quote": "Bergen has been home", "object": "Bergen", "turn": 2},
        {"quote": "", "object": "Bergen"},
        {"quote": "is Reykjavik worth it", "object": "Reykjavik", "turn": 3},
        {"quote": "hunter2", "object": "hunter2", "predicate": "contact", "turn": 4},
    ],
)
def test_what_the_words_do_not_bear_out_is_dropped(scope, service, told):
    fact = {"turn": 1, "predicate": "lives_in", "confidence": 0.95} | told
    service.answer = lambda _question: {"facts": [fact]}
    scope.observe_many(
        [
            Turn(role="user", text=HOME, session="s"),
            Turn(role="assistant", text="Bergen has been home for many.", session="s"),
            Turn(role="user", text="So tell me, is Reykjavik worth it?", session="s"),
            Turn(role="user", text="My password is hunter2!x, keep it.", session="s"),
        ]
    )

    assert scope.learned(model=True).unread_by_model == 0
    assert [each for each in scope.history(limit=50) if each.actor == "extraction:model"] == []


def test_who_wants_to_end_everything_ends_nothing(scope, service):
    said = ["Rome is a word.", "Acme is a word.", "Oslo is a word.", "Tea is a word."]
    say(scope, "I live in Rome. I work at Acme. I like tea. My dog is called Oslo.")
    before = scope.graph.links("ana")
    gone = [
        {"turn": place, "predicate": predicate, "object": text.split()[0], "quote": text, "mode": "ended"}
        for place, (text, predicate) in enumerate(zip(said, ("lives_in", "works_at", "pet", "likes"), strict=True), 2)
    ]
    service.answer = lambda _question: {"facts": [{"confidence": 1.0, **each} for each in gone]}
    say(scope, *said)
    scope.learned(model=True)

    assert [link.id for link in scope.graph.links("ana")] == [link.id for link in before]


def test_no_secret_is_sent(scope, service):
    say(scope, "My api key is sk-proj-aaaaaaaaaaaaaaaaaaaaaaaa and the password: swordfish99", HOME)
    scope.learned(model=True)

    assert "sk-proj" not in str(service.asked)
    assert "swordfish" not in str(service.asked)
    assert predicates(scope, "Bergen") == ["lives_in"]


def test_a_sure_rule_is_neither_doubled_nor_contradicted(scope, service):
    text = "I live in Rome."
    otherwise = {"turn": 1, "predicate": "dislikes", "object": "Rome", "quote": text, "confidence": 1.0}
    again = {**otherwise, "predicate": "lives_in"}
    service.answer = lambda _question: {"facts": [otherwise, again]}
    say(scope, text)
    scope.learned(model=True)

    assert predicates(scope, "Rome") == ["lives_in"]
    assert scope.graph.get("Rome").mentions == 1


def test_an_older_turn_that_is_read_late_does_not_overrule_a_newer_one(scope, clock):
    say(scope, "Lisbon is where my keys open a door.")
    clock.advance(days=1)
    say(scope, "I live in Porto now.")
    scope.learned(model=True)

    assert [link.valid_to for link in scope.graph.links("Porto")] == [None]
    homes = [link for link in scope.graph.links("ana") if link.predicate == "lives_in" and link.valid_to is None]
    assert len(homes) == 1


def test_the_model_sets_the_readers_reading_right_and_undo_brings_it_back(database_url, clock, service):
    told = {"subject": "Clara", "predicate": "member_of", "object": "harbour office", "quote": "the harbour office"}
    service.answer = lambda _question: {"facts": [{"turn": 1, "confidence": 0.9, **told}]}
    with Nacre(database_url, settings=asking(service), clock=clock) as nacre:
        scope = nacre.scope("assistant", user="ana")
        say(scope, "Clara moved to Bergen and works at the harbour office.")
        assert predicates(scope, "harbour office") == ["works_at"]
        scope.learned(model=True)

        assert predicates(scope, "harbour office") == ["member_of"]
        assert "lives_in" in predicates(scope, "Bergen")
        back = next(record for record in scope.history(limit=50) if record.undoes)
        assert (back.actor, back.reason) == ("extraction:model", "the language model reads these words otherwise")
        scope.undo(next(record.id for record in scope.history(limit=50) if record.operation == "record_link"))
        scope.undo(back.id)
        assert predicates(scope, "harbour office") == ["works_at"]


@pytest.mark.parametrize("purge", [False, True])
def test_what_is_forgotten_while_the_model_thinks_is_not_learned(scope, service, purge):
    scope.observe("user", HOME)

    def forgetting(question: str) -> dict[str, object]:
        scope.forget(everything=True, purge=purge)
        return replying(question)

    service.answer = forgetting
    assert scope.learned(model=True).unread_by_model == 0
    assert scope.graph.search() == []


def test_a_dream_leaves_turns_to_the_model_of_the_day(scope, service):
    say(scope, HOME)
    (report,) = scope.dreams.run(["entities"]).passes

    assert (report.counts, service.asked) == ({}, [])
    assert "soon after they were said" in report.notes[0]


def test_what_was_said_before_a_graph_is_shared_does_not_come_into_it(nacre, scope):
    say(scope, HOME)
    scope.learned()
    nacre.agent("assistant").share(knowledge_graph=True)
    say(scope, CHESS)
    scope.learned(model=True)
    other = nacre.scope("assistant", user="bo")

    assert predicates(other, "chess club") == ["member_of"]
    assert [entity.name for entity in other.graph.search("Bergen")] == []
    assert scope.learned().unread_by_model == 0


def test_the_setting_needs_a_language_model(new_sqlite):
    with pytest.raises(Misconfigured, match="NACRE_LLM_MODEL"):
        Nacre(new_sqlite(), settings=Settings(extraction="model"))


def test_sessions_are_asked_about_one_by_one(scope, service):
    say(scope, HOME, session="one")
    say(scope, CHESS, session="two")
    scope.learned(model=True)

    assert len(service.asked) == 2
    assert all((HOME in str(each)) != (CHESS in str(each)) for each in service.asked)
