"""Changes that wait for somebody to decide: seen, applied, rejected, and compared."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import select

from nacre import Conflict, Invalid, NotFound
from nacre.domain.claim_operations import AddClaimValue, SetClaimValue
from nacre.domain.commands import Command, Origin, Quotation
from nacre.domain.kind_operations import AttachInterface
from nacre.domain.operations import ArchiveEntity, PinEntity, RenameEntity, SourceQuote, UpsertEntity, UpsertLink
from nacre.store.tables.schema import memory_sources
from tests.graph.test_operations import rows


def city(value, **rest):
    return SetClaimValue(entity="Ana", aspect="home", claim="city", value=value, **rest)


@pytest.mark.spec("S8")
def test_a_proposal_changes_nothing_until_it_is_applied(nacre, scope, clock):
    scope.graph.add("Ana", type="person")
    before = rows(nacre, scope)
    grounds: dict[str, Any] = {"confidence": 0.0, "risk": "low", "origin": Origin(kind="transcript", id="t-1")}
    (made,) = scope.ontology.propose([Command(operation=city("Rome"), reason="said so", **grounds)], actor="scribe")

    proposals = scope.ontology.proposals
    assert rows(nacre, scope) == before
    assert scope.ontology.claims("Ana") == []
    assert proposals.get(made.id) == made == proposals.list()[0]
    assert (made.status, made.operation, made.payload["value"]) == ("pending", "set_claim_value", "Rome")
    assert (made.confidence, made.rationale, made.created_by) == (0.0, "said so", "scribe")

    clock.advance(minutes=5)
    applied = proposals.apply(made.id, actor="ana")

    (claim,) = scope.ontology.claims("Ana")
    record = scope.graph.history()[0]
    assert (applied.status, applied.applied_by, applied.applied_at) == ("applied", "ana", clock.now)
    assert (applied.audit, record.proposal, record.actor, record.reason) == (record.id, made.id, "ana", "said so")
    assert record.grounds["confidence"] == 0.0
    assert record.grounds["origin"]["id"] == "t-1"
    assert (claim.value, claim.proposal, claim.actor) == ("Rome", made.id, "ana")
    assert applied.result["claim"] == str(claim.id)


@pytest.mark.spec("S8")
def test_what_could_not_be_carried_out_is_not_proposed(scope):
    with pytest.raises(NotFound, match=r"^operations\[1\] \(archive_entity\)"):
        scope.ontology.propose([UpsertEntity(name="Ana"), ArchiveEntity(entity="Nobody")])

    assert scope.ontology.proposals.list() == []
    with pytest.raises(Invalid):
        scope.ontology.propose([])


def test_a_batch_may_rest_on_itself_and_is_listed_in_its_order(scope, clock):
    scope.ontology.propose([UpsertEntity(name="Zoe")])
    clock.advance(seconds=1)
    made = scope.ontology.propose([UpsertEntity(name="Ana"), RenameEntity(entity="Ana", new_name="Anna"), city("Rome")])

    proposals = scope.ontology.proposals
    listed = [each.id for each in proposals.list()]
    assert listed[:3] == [each.id for each in reversed(made)]
    assert len({each.batch for each in made}) == 1
    assert [each.id for each in proposals.list(limit=2, offset=1)] == listed[1:3]
    with pytest.raises(NotFound):
        proposals.apply(made[1].id)
    assert proposals.get(made[1].id).status == "pending"
    assert [proposals.apply(each.id).status for each in made[:2]] == ["applied", "applied"]


@pytest.mark.spec("S8")
def test_proposals_are_listed_by_status_and_page(scope):
    made = scope.ontology.propose([UpsertEntity(name=f"E{at}") for at in range(60)])
    proposals = scope.ontology.proposals
    proposals.apply(made[0].id)
    proposals.reject(made[1].id)

    assert len(proposals.list()) == 50
    assert len(proposals.list("pending", limit=200)) == 58
    assert [each.id for each in proposals.list("applied")] == [made[0].id]
    assert [each.id for each in proposals.list("rejected")] == [made[1].id]
    for wrong in ({"status": "open"}, {"limit": 0}, {"limit": 201}, {"offset": -1}, {"offset": True}):
        with pytest.raises(Invalid):
            proposals.list(**wrong)


@pytest.mark.spec("S8")
def test_a_proposal_is_decided_once(scope, clock):
    one, two = scope.ontology.propose([UpsertEntity(name="Ana"), UpsertEntity(name="Bob")])
    proposals = scope.ontology.proposals
    proposals.apply(one.id)
    rejected = proposals.reject(two.id, reason="nobody knows him", actor="ana")

    assert (rejected.status, rejected.rejected_by, rejected.rejected_at) == ("rejected", "ana", clock.now)
    assert rejected.result == {"reason": "nobody knows him"}
    for decided in (one, two):
        for decide in (proposals.apply, proposals.reject):
            with pytest.raises(Conflict, match="already"):
                decide(decided.id)
    assert [entity.name for entity in scope.graph.search()] == ["Ana"]


@pytest.mark.spec("S8")
def test_what_can_never_be_right_is_marked_as_failed(scope):
    """The mark must survive the error that it comes with."""
    scope.graph.add("Payable", type="interface")
    scope.graph.add("Ana")
    (made,) = scope.ontology.propose([AttachInterface(entity="Ana", interface="payable")])
    scope.graph.archive("payable")
    scope.graph.apply([RenameEntity(entity="Ana", new_name="Payable")])
    proposals = scope.ontology.proposals

    with pytest.raises(Invalid, match="must be an interface") as refused:
        proposals.apply(made.id)

    failed = proposals.get(made.id)
    assert (failed.status, failed.applied_by) == ("failed", None)
    assert failed.result == {"error": str(refused.value), "code": "invalid"}
    assert scope.graph.links("Payable") == []
    with pytest.raises(Conflict, match="failed already"):
        proposals.apply(made.id)


@pytest.mark.spec("S8")
def test_what_is_refused_for_now_stays_pending_and_can_be_tried_again(scope):
    scope.graph.add("Ana")
    (made,) = scope.ontology.propose([city("Rome")])
    rule = scope.ontology.set("Ana", "home/city", "Oslo", kind="constraint")
    proposals = scope.ontology.proposals

    with pytest.raises(Conflict):
        proposals.apply(made.id)

    assert proposals.get(made.id) == made
    scope.ontology.archive(rule.id, force=True)
    assert proposals.apply(made.id).status == "applied"


@pytest.mark.spec("S8")
def test_the_evidence_of_a_proposal_is_shown_where_it_stands(scope, clock):
    said = scope.observe("user", "My sister Ana moved to Rome", session="s1", ref="m-7")
    link = UpsertLink(
        source="Ana", predicate="lives_in", target="Rome", evidence=SourceQuote(source=said.id, quote=(10, 13))
    )
    evidence = (Quotation(quote="moved to Rome", source=said.id), Quotation(quote="she told me"))
    (made,) = scope.ontology.propose([Command(operation=link, evidence=evidence)])

    first, second, third = scope.ontology.proposals.evidence(made.id)

    assert (first.quote, first.source, first.place, first.kind) == ("moved to Rome", said.id, (14, 27), "turn")
    assert (first.at, first.ref) == (clock.now, "m-7")
    assert (first.before, first.after, first.session, first.role) == ("My sister Ana ", "", "s1", "user")
    assert (second.quote, second.source, second.place) == ("she told me", None, None)
    assert (second.before, second.session) == ("", None)
    assert (third.quote, third.source, third.place) == ("Ana", said.id, (10, 13))
    with pytest.raises(Invalid, match="word for word"):
        scope.ontology.propose([Command(operation=link, evidence=(Quotation(quote="Oslo", source=said.id),))])


@pytest.mark.spec("S8")
def test_undoing_what_a_proposal_did_is_noted_on_it(scope):
    (made,) = scope.ontology.propose([UpsertEntity(name="Ana")])
    proposals = scope.ontology.proposals
    applied = proposals.apply(made.id)

    undone = scope.ontology.undo(applied.audit)

    after = proposals.get(made.id)
    assert (after.status, after.applied_by) == ("applied", applied.applied_by)
    assert after.result == {**applied.result, "undone_by": str(undone.record.id)}
    scope.ontology.undo(undone.record.id)
    assert proposals.get(made.id).result == applied.result
    assert scope.graph.get("Ana").proposal == made.id


@pytest.mark.spec("S8")
def test_values_that_compete_for_a_claim_are_found(scope):
    scope.graph.add("Ana", aliases=["Annie"])
    orders = [
        Command(operation=city("Rome"), confidence=0.6, reason="a guess", evidence=(Quotation(quote="Roma"),)),
        AddClaimValue(entity="annie", aspect="Home", group="General", claim="City", value="Oslo"),
        city("rome."),
        AddClaimValue(entity="Ana", aspect="home", claim="street", value="Elm"),
        AddClaimValue(entity="Ana", aspect="home", value="It is old"),
        AddClaimValue(entity="Ana", aspect="home", value="It is big"),
        AddClaimValue(entity="Zoe", aspect="work", claim="tools", value="Git"),
        AddClaimValue(entity="zoe", aspect="work", claim="tools", value="Vim"),
    ]
    made = scope.ontology.propose(orders)
    proposals = scope.ontology.proposals

    ana, zoe = proposals.conflicts()

    assert (ana.entity, ana.entity_id) == ("Ana", scope.graph.get("Ana").id)
    assert (ana.aspect, ana.group, ana.claim, ana.cardinality) == ("home", "general", "city", "single")
    assert [(each.value, each.confidence, each.rationale, each.evidence) for each in ana.values] == [
        ("Rome", 0.6, "a guess", 1),
        ("Oslo", None, None, 0),
        ("rome.", None, None, 0),
    ]
    assert ana.proposals == tuple(each.id for each in made[:3])
    assert (zoe.entity, zoe.entity_id, zoe.cardinality) == ("Zoe", None, "multi")
    assert proposals.conflicts(limit=1) == [ana]
    proposals.reject(made[1].id)
    assert [each.entity for each in proposals.conflicts()] == ["Zoe"]


def twins(scope, *kinds):
    """Entities of one name: each of its own type or slug."""
    return [scope.graph.add("Mercury", type=kind, slug=f"mercury-{at}") for at, kind in enumerate(kinds)]


@pytest.mark.spec("S8")
def test_entities_of_one_name_are_planned_into_one(nacre, scope, clock):
    one, two = twins(scope, "project", "project")
    scope.graph.add("Mercury Rising", type="project", aliases=["Mercury"])
    said = scope.observe("user", "It is late", session="s1")
    scope.graph.apply([UpsertEntity(name="mercury", slug=two.slug, evidence=SourceQuote(source=said.id, quote=(0, 2)))])
    before = rows(nacre, scope)

    (plan,) = scope.ontology.proposals.repair_duplicates()

    assert (plan.target.id, [each.id for each in plan.sources]) == (two.id, [one.id])
    assert (plan.confidence, plan.risk, plan.proposals) == (0.86, "low", ())
    assert rows(nacre, scope) == before
    assert scope.ontology.proposals.list() == []


@pytest.mark.spec("S8")
def test_who_stays_is_the_pinned_then_the_last_changed(scope, clock):
    one, two = twins(scope, "project", "project")
    clock.advance(minutes=1)
    scope.graph.add("Mercury", slug=two.slug, description="late")
    proposals = scope.ontology.proposals
    assert proposals.repair_duplicates()[0].target.id == two.id

    scope.graph.apply([PinEntity(entity=one.id)])

    assert proposals.repair_duplicates()[0].target.id == one.id


@pytest.mark.spec("S8")
@pytest.mark.parametrize(
    ("kinds", "confidence", "risk"),
    [(("project", "unknown"), 0.72, "low"), (("project", "tool"), 0.72, "review_required")],
)
def test_repairs_are_proposed_when_asked_for_and_only_once(scope, kinds, confidence, risk):
    twins(scope, *kinds)
    proposals = scope.ontology.proposals

    (plan,) = proposals.repair_duplicates(propose=True, actor="janitor")
    (again,) = proposals.repair_duplicates(propose=True)

    (waiting,) = proposals.list()
    assert (plan.confidence, plan.risk) == (confidence, risk)
    assert plan.proposals == again.proposals == (waiting.id,)
    assert (waiting.operation, waiting.confidence, waiting.risk) == ("merge_entities", confidence, risk)
    assert waiting.created_by == "janitor"
    proposals.apply(waiting.id)
    assert len(scope.graph.search("Mercury")) == 1
    assert proposals.repair_duplicates() == []


@pytest.mark.spec("S8")
def test_a_pinned_source_blocks_a_merge(scope):
    one, two = twins(scope, "project", "project")
    scope.graph.apply([PinEntity(entity=one.id), PinEntity(entity=two.id)])
    proposals = scope.ontology.proposals

    (plan,) = proposals.repair_duplicates(propose=True)

    assert (plan.risk, plan.proposals) == ("blocked", ())
    with pytest.raises(Conflict, match="pinned"):
        proposals.merge_plan(one.id, [two.id], propose=True)
    assert proposals.list() == []


@pytest.mark.spec("S8")
def test_entities_that_somebody_told_apart_are_not_planned_into_one(scope):
    twins(scope, "project", "project")
    scope.graph.scan_duplicates()
    (pair,) = scope.graph.duplicates()
    assert len(scope.ontology.proposals.repair_duplicates()) == 1

    scope.graph.dismiss_duplicate(pair.id)

    assert scope.ontology.proposals.repair_duplicates() == []


@pytest.mark.spec("S8")
def test_a_merge_plan_tells_what_the_merge_will_move(nacre, scope):
    scope.graph.add("Ana", type="person")
    said = scope.observe("user", "So it goes", session="s1").id
    scope.remember("Fine, as ever")
    with nacre.parts.database.read(scope.scope) as tx:
        kept = tx.execute(
            select(memory_sources.c.source_id).where(memory_sources.c.scope_id == tx.scope_id)
        ).scalar_one()
    for source in (said, kept):
        scope.graph.apply(
            [UpsertEntity(name="Anna Doe", type="person", evidence=SourceQuote(source=source, quote=(0, 2)))]
        )
    scope.graph.link("Anna Doe", "owns", "Bakery")
    scope.ontology.set("Anna Doe", "home/city", "Rome")
    scope.ontology.set("Anna Doe", "home/city", "Oslo")
    proposals = scope.ontology.proposals

    plan = proposals.merge_plan("Ana", ["anna-doe", "Anna Doe"], propose=True)

    impact = plan.impact
    assert [each.name for each in plan.sources] == ["Anna Doe"]
    assert (impact.source_mentions, impact.aspects, impact.attributes, impact.links) == (2, 1, 2, 1)
    assert impact.memory_mentions == 1
    done = proposals.apply(plan.proposals[0]).result
    assert (done["claims"], done["links"]) == (impact.attributes, impact.links)
    for wrong in ([], ["Ana"], "Ana"):
        with pytest.raises(Invalid):
            proposals.merge_plan("Ana", wrong)


@pytest.mark.spec("S8")
def test_a_tenant_neither_sees_nor_decides_anothers_proposals(nacre, scope):
    scope.graph.add("Ana")
    (made,) = scope.ontology.propose([city("Rome")])
    scope.ontology.propose([city("Oslo")])
    twins(scope, "project", "tool")
    other = nacre.scope(agent="assistant", user="bob").ontology.proposals

    for attempt in (other.get, other.evidence, other.apply, other.reject):
        with pytest.raises(NotFound):
            attempt(made.id)
    assert (other.list(), other.conflicts(), other.repair_duplicates()) == ([], [], [])
    assert scope.ontology.proposals.get(made.id) == made


def test_an_unknown_or_unreadable_id_is_refused(scope):
    proposals = scope.ontology.proposals
    with pytest.raises(NotFound):
        proposals.get(uuid4())
    for attempt in (proposals.get, proposals.evidence, proposals.apply, proposals.reject):
        with pytest.raises(Invalid):
            attempt("first")


def test_of_two_who_apply_a_proposal_at_once_one_is_told(scope):
    scope.graph.add("Ana")
    (made,) = scope.ontology.propose([AddClaimValue(entity="Ana", aspect="home", value="It is old")])

    def attempt(_):
        try:
            return scope.ontology.proposals.apply(made.id).status.value
        except Conflict as error:
            return error.code

    with ThreadPoolExecutor(4) as pool:
        outcomes = sorted(pool.map(attempt, range(4)))

    assert outcomes == ["applied", "conflict", "conflict", "conflict"]
    assert len(scope.ontology.claims("Ana")) == 1


@pytest.mark.parametrize("door", ["propose", "submit"])
def test_a_proposal_for_a_shared_graph_brings_its_evidence_along(nacre, scope, door):
    """Another user of the agent applies it, who never saw the conversation."""
    nacre.agent("assistant").share(knowledge_graph=True)
    said = scope.observe("user", "As ever: room 12, second floor", session="s1")
    payload: dict[str, Any] = {"entity": "Ana", "aspect": "office", "claim": "room", "value": "12"}
    if door == "propose":
        order = Command(operation=SetClaimValue(**payload), evidence=(Quotation(quote="room 12", source=said.id),))
        (made,) = scope.ontology.propose([order])
    else:
        evidence = [{"quote": "room 12", "source_id": str(said.id)}]
        envelope = {"operation": "set_claim_value", "payload": payload, "evidence": evidence}
        (made,) = scope.ontology.submit([envelope], propose=True).proposals
    other = nacre.scope(agent="assistant", user="bob").ontology

    assert [each.quote for each in other.proposals.evidence(made.id)] == ["room 12"]
    other.proposals.apply(made.id)

    (claim,) = other.claims("Ana")
    assert (claim.evidence, claim.quote) == (said.id, (9, 16))
