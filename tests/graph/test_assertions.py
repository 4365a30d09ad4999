"""Who said what: attribution beside the claims, which it never changes."""

from datetime import timedelta
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from nacre import Conflict, Invalid, Nacre, NotFound, Settings
from nacre.domain.assertion_operations import CreateAssertion
from nacre.domain.assertions import Stance
from nacre.domain.commands import Quotation
from nacre.domain.operations import MergeEntities, RestoreEntity
from nacre.store.tables import schema
from tests import examples
from tests.cases import in_turn

SEVEN = ["claims", "believes", "observed", "decided", "prefers", "denies", "questions"]
OWNER = "ownership/service_owner"


def contents(found):
    return [each.content for each in found]


@pytest.mark.spec("S10")
@pytest.mark.parametrize("predicate", SEVEN)
def test_somebody_may_stand_to_a_statement_in_seven_ways(scope, predicate):
    made = scope.ontology.assertions.add("Billing", predicate, "It loses invoices", speaker="Ana")

    assert scope.ontology.assertions.get(made.id).predicate == predicate
    assert [stance.value for stance in Stance] == SEVEN


@pytest.mark.spec("S10")
def test_an_assertion_holds_all_that_the_document_lists(scope, clock):
    turn = scope.observe("user", "I am sure that billing belongs to the web team.", speaker="Ana")
    claim = scope.ontology.set("Billing", OWNER, "platform")
    quote = "billing belongs to the web team"

    made = scope.ontology.assertions.add(
        "Billing",
        "claims",
        "The web team owns billing",
        speaker="Ana",
        asserted_at=clock() - timedelta(days=1),
        confidence=0.6,
        evidence=[{"quote": quote, "source": str(turn.id)}, Quotation(quote="said on the phone")],
        claim=claim.id,
        created_by="notetaker",
    )

    assert (made.entity, made.claim, made.status) == (claim.entity, claim.id, "active")
    assert (made.content, made.speaker, made.confidence) == ("The web team owns billing", "Ana", 0.6)
    assert (made.asserted_at, made.created_at) == (clock() - timedelta(days=1), clock())
    assert made.evidence == (Quotation(quote=quote, source=turn.id), Quotation(quote="said on the phone"))
    assert (made.source, made.quote) == (turn.id, (15, 46))
    assert (made.created_by, made.supersedes, made.archived_at) == ("notetaker", None, None)


@pytest.mark.spec("S10")
def test_a_quote_that_is_not_in_its_source_word_for_word_is_refused(scope):
    turn = scope.observe("user", "Billing belongs to the web team.")

    for quote in ("billing belongs", "Billing belongs to a team", "Billing  belongs"):
        with pytest.raises(Invalid, match="word for word"):
            scope.ontology.assertions.add("Billing", "claims", "x", evidence=[{"quote": quote, "source": turn.id}])
    with pytest.raises(NotFound):
        scope.ontology.assertions.add("Billing", "claims", "x", evidence=[{"quote": "Billing", "source": uuid4()}])
    assert scope.ontology.assertions.list() == []


@pytest.mark.spec("S10")
def test_an_assertion_never_changes_a_claim(nacre, scope):
    claim = scope.ontology.set("Billing", OWNER, "platform")
    before = claims(nacre, scope)

    made = scope.ontology.assertions.add("Billing", "denies", "Platform owns billing", claim=claim.id)
    scope.ontology.assertions.link_claim(made.id, claim.id)
    newer = scope.ontology.assertions.supersede(made.id, "Web owns billing", predicate="decided")
    scope.ontology.assertions.archive(newer.id)

    assert claims(nacre, scope) == before


def claims(nacre, scope):
    with nacre.parts.database.read(scope.scope) as tx:
        table = schema.attributes
        return tx.execute(select(table).where(table.c.scope_id == tx.scope_id)).all()


@pytest.mark.spec("S10")
def test_an_assertion_is_linked_to_a_claim_that_is_in_force(nacre, scope):
    old = scope.ontology.set("Billing", OWNER, "platform")
    new = scope.ontology.set("Billing", OWNER, "web")
    made = scope.ontology.assertions.add("Billing", "believes", "Web owns billing")
    theirs = nacre.scope(agent="assistant", user="bob").ontology.set("Billing", OWNER, "web")

    assert scope.ontology.assertions.link_claim(made.id, new.id).claim == new.id
    assert contents(scope.ontology.assertions.list(claim=new.id)) == ["Web owns billing"]
    for wrong in (old.id, theirs.id, uuid4()):
        with pytest.raises(NotFound):
            scope.ontology.assertions.link_claim(made.id, wrong)


@pytest.mark.spec("S10")
def test_an_archived_assertion_stays_readable_with_who_and_why(scope, clock):
    made = scope.ontology.assertions.add("Billing", "observed", "It is slow")
    clock.advance(hours=1)
    scope.ontology.assertions.archive(made.id, reason="measured wrongly")

    gone = scope.ontology.assertions.get(made.id)
    assert (gone.status, gone.archived_at, gone.archived_by) == ("archived", clock(), "caller")
    assert gone.archive_reason == "measured wrongly"
    assert scope.ontology.assertions.list() == []
    assert contents(scope.ontology.assertions.list(status="archived")) == ["It is slow"]
    with pytest.raises(Conflict, match="archived already"):
        scope.ontology.assertions.archive(made.id)


@pytest.mark.spec("S10")
def test_a_superseded_assertion_gives_way_to_one_that_names_it(scope, clock):
    claim = scope.ontology.set("Billing", OWNER, "web")
    made = scope.ontology.assertions.add("Billing", "believes", "Web owns it", speaker="Ana", claim=claim.id)
    clock.advance(days=1)

    newer = scope.ontology.assertions.supersede(made.id, "Platform owns it", predicate="claims", confidence=0.4)

    assert (newer.supersedes, newer.entity, newer.speaker, newer.claim) == (made.id, made.entity, "Ana", claim.id)
    assert (newer.predicate, newer.confidence, newer.asserted_at) == ("claims", 0.4, clock())
    assert scope.ontology.assertions.get(made.id).status == "superseded"
    assert contents(scope.ontology.assertions.list()) == ["Platform owns it"]
    with pytest.raises(Conflict, match="superseded already"):
        scope.ontology.assertions.supersede(made.id, "Nobody owns it")


@pytest.mark.spec("S10")
def test_every_operation_is_undone(scope):
    made = scope.ontology.assertions.add("Billing", "believes", "Web owns it")
    newer = scope.ontology.assertions.supersede(made.id, "Platform owns it")
    archived = scope.ontology.assertions.archive(newer.id)

    scope.ontology.undo(archived.record.id)
    assert contents(scope.ontology.assertions.list()) == ["Platform owns it"]
    for record in scope.graph.history(limit=2)[1:]:
        assert record.operation == "archive_assertion"
    superseding = next(each for each in scope.graph.history() if each.operation == "supersede_assertion")
    scope.ontology.undo(superseding.id)
    assert scope.ontology.assertions.list() == [made]


def test_assertions_are_listed_by_entity_speaker_predicate_and_page(scope, clock):
    for speaker, predicate, entity in [
        ("Ana", "claims", "Billing"),
        ("Bob", "denies", "Billing"),
        ("Ana", "claims", "Search"),
    ]:
        scope.ontology.assertions.add(entity, predicate, f"{speaker} on {entity}", speaker=speaker)
        clock.advance(minutes=1)
    listed = scope.ontology.assertions.list

    assert contents(listed()) == ["Ana on Search", "Bob on Billing", "Ana on Billing"]
    assert contents(listed(entity="billing")) == ["Bob on Billing", "Ana on Billing"]
    assert contents(listed(speaker="Ana", predicate="claims")) == ["Ana on Search", "Ana on Billing"]
    assert contents(listed(limit=1, offset=1)) == ["Bob on Billing"]
    with pytest.raises(NotFound):
        listed(entity="Nobody")


def test_what_was_in_force_at_a_moment_is_listed_as_of_it(scope, clock):
    start = clock()
    first = scope.ontology.assertions.add("Billing", "believes", "first")
    scope.ontology.assertions.add("Billing", "observed", "other", asserted_at=start - timedelta(days=9))
    clock.advance(days=1)
    second = scope.ontology.assertions.supersede(first.id, "second")
    clock.advance(days=1)
    scope.ontology.assertions.archive(second.id)

    listed = scope.ontology.assertions.list
    assert contents(listed()) == ["other"]
    assert contents(listed(as_of=start - timedelta(days=1))) == ["other"]
    assert contents(listed(as_of=start)) == ["first", "other"]
    assert contents(listed(as_of=start + timedelta(days=1))) == ["second", "other"]
    assert contents(listed(as_of=start + timedelta(days=2))) == ["other"]
    assert contents(listed(as_of=clock(), status=None)) == ["second", "first", "other"]
    with pytest.raises(Invalid, match="tells of now"):
        listed(as_of=start, status="archived")


def test_assertions_go_along_when_entities_are_merged(scope):
    scope.graph.add("Billing")
    made = scope.ontology.assertions.add("Billing API", "claims", "It is slow")
    merged = scope.ontology.apply([MergeEntities(target="Billing", source="Billing API")])[0]

    assert contents(scope.ontology.assertions.list(entity="Billing")) == ["It is slow"]
    scope.ontology.undo(merged.record.id)
    assert scope.ontology.assertions.list(entity="Billing API") == [made]


def test_assertions_leave_and_come_back_with_their_entity(scope, clock):
    kept = scope.ontology.assertions.add("Billing", "claims", "It is slow")
    gone = scope.ontology.assertions.add("Billing", "claims", "It is fast")
    scope.ontology.assertions.archive(gone.id)
    clock.advance(minutes=1)
    scope.graph.archive("Billing")
    assert scope.ontology.assertions.list() == []

    scope.ontology.apply([RestoreEntity(entity="billing")])

    assert [each.id for each in scope.ontology.assertions.list()] == [kept.id]


def test_another_tenant_sees_and_changes_nothing(nacre, scope):
    made = scope.ontology.assertions.add("Billing", "claims", "It is slow")
    turn = scope.observe("user", "It is slow")
    other = nacre.scope(agent="assistant", user="bob").ontology.assertions

    assert other.list() == []
    for act in (other.get, other.archive, lambda key: other.supersede(key, "x")):
        with pytest.raises(NotFound):
            act(made.id)
    with pytest.raises(NotFound):
        other.add("Billing", "claims", "x", evidence=[{"quote": "It is slow", "source": turn.id}])


def test_a_shared_graph_brings_the_evidence_along(nacre):
    nacre.agent("assistant").share(knowledge_graph=True)
    ana, bob = (nacre.scope("assistant", user=user) for user in ("ana", "bob"))
    turn = ana.observe("user", "Billing is slow")

    ana.ontology.assertions.add("Billing", "claims", "slow", evidence=[{"quote": "is slow", "source": turn.id}])

    assert bob.ontology.assertions.list()[0].evidence[0].quote == "is slow"


def test_a_purged_source_leaves_no_quote_behind(scope, clock):
    first = scope.observe("user", "Billing is slow, says the swordfish")
    clock.advance(days=1)
    second = scope.observe("user", "Billing is slow")
    quotes = [{"quote": "slow", "source": second.id}, {"quote": "the swordfish", "source": first.id}]
    made = scope.ontology.assertions.add("Billing", "claims", "slow", evidence=quotes)

    scope.forget(before=clock(), purge=True)

    left = scope.ontology.assertions.get(made.id)
    assert [each.quote for each in left.evidence] == ["slow"]
    assert left.source == second.id


@in_turn(
    "wrong",
    [
        {"predicate": "says"},
        {"predicate": None},
        {"content": ""},
        {"content": "x" * 10_001},
        {"content": "a\x00b"},
        {"entity": " "},
        {"speaker": "a\nb"},
        {"confidence": 1.5},
        {"confidence": True},
        {"asserted_at": "yesterday"},
        {"evidence": "a quote"},
        {"evidence": [{"quote": ""}]},
        {"evidence": [{"source": None}]},
        {"evidence": [{"quote": "x", "source": "nowhere"}]},
        {"evidence": [{"quote": "x", "colour": "blue"}]},
        {"evidence": [5]},
        {"evidence": [{"quote": "x"}] * 101},
        {"claim": "nonsense"},
    ],
)
def test_bad_input_is_refused_and_leaves_nothing(scope, wrong):
    with pytest.raises(Invalid):
        scope.ontology.assertions.add(**{"entity": "Billing", "predicate": "claims", "content": "x", **wrong})
    assert scope.graph.search() == []


@in_turn("wrong", [{"offset": -1}, {"limit": 0}, {"status": "gone"}, {"predicate": "says"}])
def test_a_bad_filter_is_refused(scope, wrong):
    with pytest.raises(Invalid):
        scope.ontology.assertions.list(**wrong)


@examples.costly()
@given(
    st.text(min_size=1, max_size=60).filter(lambda text: text.strip() and "\x00" not in text), st.sampled_from(SEVEN)
)
def test_what_was_said_is_kept_to_the_letter(new_sqlite, content, predicate):
    with Nacre(new_sqlite(), settings=Settings(worker="off", embedder="off")) as nacre:
        scope = nacre.scope(agent="a")
        applied = scope.ontology.apply([CreateAssertion(entity="Ana", predicate=predicate, content=content)])[0]

        assert applied.outcome.assertion
        kept = scope.ontology.assertions.get(applied.outcome.assertion)

    assert (kept.content, kept.predicate) == (content, predicate)
