"""Proposals that wait are put in order: what says the same waits once, rivals are left to people."""

from collections.abc import Iterator

import pytest

from nacre import Invalid, Nacre, Settings
from tests.models import llm_service
from tests.models.llm_service import LanguageModelService

pytestmark = pytest.mark.spec("S8")


@pytest.fixture
def brain_settings():
    return Settings(worker="off", embedder="off")


def claim(value, **more):
    payload = {"entity": "Newsletter", "aspect": "schedule", "claim_key": "weekday", "value": value}
    return {"operation": "set_claim_value", "payload": payload | more.pop("payload", {}), **more}


def propose(scope, *envelopes, clock=None):
    made = []
    for each in envelopes:
        made += scope.ontology.order(each, propose=True).proposals
        if clock:
            clock.advance(minutes=1)
    return [each.id for each in made]


def statuses(scope, keys):
    return [scope.ontology.proposals.get(key).status.value for key in keys]


def test_what_says_the_same_however_spelled_waits_once(scope, clock):
    scope.graph.add("Newsletter", aliases=["The Letter"])
    spelled = {"entity": "the letter", "aspect": "Schedule", "claim_key": "Weekday", "value": " tuesday. "}
    keys = propose(
        scope,
        claim("Tuesday", reason="once", confidence=0.5),
        claim("Tuesday", reason="twice", confidence=0.5),
        {"operation": "set_claim_value", "payload": spelled, "confidence": 0.4},
        {"operation": "add_claim_value", "payload": claim("Tuesday")["payload"]},
        clock=clock,
    )

    done = scope.ontology.proposals.consolidate(actor="ana")

    assert done.examined == 4
    assert [(each.kept, each.rejected) for each in done.repeated] == [(keys[0], (keys[1], keys[2]))]
    assert statuses(scope, keys) == ["pending", "rejected", "rejected", "pending"]
    gone = scope.ontology.proposals.get(keys[1])
    assert (gone.rejected_by, gone.result) == ("ana", {"reason": f"The proposal `{keys[0]}` says the same."})
    assert scope.ontology.proposals.consolidate().repeated == ()


def test_the_surest_waits_on(scope, clock):
    keys = propose(scope, claim("Tuesday", confidence=0.5), claim("Tuesday", confidence=0.9), clock=clock)

    assert [each.kept for each in scope.ontology.proposals.consolidate().repeated] == [keys[1]]


def test_another_value_time_or_operation_is_another_proposal(scope):
    keys = propose(
        scope,
        claim("Tuesday"),
        claim("Friday"),
        claim("Tuesday", payload={"valid_from": "2026-01-01T00:00:00Z"}),
        claim("Tuesday", payload={"kind": "constraint"}),
        claim("Tuesday", payload={"entity": "Gazette"}),
        {"operation": "create_entity", "payload": {"name": "Newsletter"}},
    )

    assert scope.ontology.proposals.consolidate().repeated == ()
    assert set(statuses(scope, keys)) == {"pending"}


def test_rivals_are_named_and_nothing_is_decided(scope):
    keys = propose(scope, claim("Tuesday"), claim("Friday"))

    (rivals,) = scope.ontology.proposals.consolidate().rivals

    assert [each.value for each in rivals.conflict.values] == ["Tuesday", "Friday"]
    assert rivals.advice is None
    assert set(statuses(scope, keys)) == {"pending"}


def test_what_was_put_forward_by_reading_can_be_a_rival(scope):
    for text in ("Bob's favourite colour is green.", "Bob's favourite colour is red."):
        scope.ontology.proposals.extract(text, write_proposals=True)

    (rivals,) = scope.ontology.proposals.consolidate().rivals
    assert {each.value for each in rivals.conflict.values} == {"green", "red"}


def test_a_dry_run_decides_nothing(scope):
    keys = propose(scope, claim("Tuesday"), claim("Tuesday"))

    assert len(scope.ontology.proposals.consolidate(dry_run=True).repeated) == 1
    assert set(statuses(scope, keys)) == {"pending"}


def test_only_those_that_have_waited_longest_are_gone_through(scope, clock):
    keys = propose(scope, claim("Tuesday"), claim("Friday"), claim("Tuesday"), clock=clock)

    done = scope.ontology.proposals.consolidate(limit=2)

    assert (done.examined, done.repeated) == (2, ())
    assert set(statuses(scope, keys)) == {"pending"}


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"limit": 0}, "limit"),
        ({"limit": 201}, "limit"),
        ({"actor": " "}, "actor"),
        ({"use_provider": True}, "use_provider"),
    ],
)
def test_what_cannot_be_asked_for_is_refused(given, field):
    with Nacre(":memory:", settings=Settings(worker="off", embedder="off")) as nacre, pytest.raises(Invalid) as refused:
        nacre.scope("a").ontology.proposals.consolidate(**given)
    assert refused.value.field == field


@pytest.fixture
def service() -> Iterator[LanguageModelService]:
    with llm_service.running() as running:
        yield running


@pytest.fixture
def advised(sqlite_url, clock, service):
    settings = Settings(worker="off", embedder="off", llm_model="tiny", llm_endpoint=service.url)
    with Nacre(sqlite_url, settings=settings, clock=clock) as nacre:
        yield nacre.scope("assistant")


def test_a_language_model_may_say_which_rival_is_best_and_decides_nothing(advised, service, clock):
    keys = propose(advised, claim("Tuesday"), claim("Friday", reason="It moved"), clock=clock)
    service.answer = lambda _question: {"choices": [{"claim": 1, "value": "b", "why": "It moved."}]}

    (rivals,) = advised.ontology.proposals.consolidate(use_provider=True).rivals

    assert (rivals.advice.proposal, rivals.advice.why) == (keys[1], "It moved.")
    assert "It moved" in str(service.asked[0])
    assert set(statuses(advised, keys)) == {"pending"}


@pytest.mark.parametrize(
    "choices", [[], [{"claim": 7, "value": "A", "why": "x"}], [{"claim": 1, "value": "Z", "why": "x"}]]
)
def test_advice_that_is_about_nothing_is_left_out(advised, service, clock, choices):
    propose(advised, claim("Tuesday"), claim("Friday"), clock=clock)
    service.answer = lambda _question: {"choices": choices}

    assert advised.ontology.proposals.consolidate(use_provider=True).rivals[0].advice is None


def test_without_an_answer_there_is_a_note_and_the_rest_is_done(advised, service, clock):
    propose(advised, claim("Tuesday"), claim("Friday"), claim("Friday"), clock=clock)
    service.mood = "failing"

    done = advised.ontology.proposals.consolidate(use_provider=True)

    assert len(done.repeated) == 1
    assert "gave no advice" in done.notes[0]
