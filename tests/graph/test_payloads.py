"""Operations as JSON writes them: every one of them, in every mode."""

import json
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre import Invalid
from nacre.domain.claim_operations import AddClaimValue, ArchiveAspect, SetClaimValue, SupersedeClaimValue
from nacre.domain.commands import Command, Origin, Quotation, payload
from nacre.domain.ids import SourceId
from nacre.domain.operations import ArchiveEntity, ArchiveLink, MergeEntities, SourceQuote, UpsertEntity, UpsertLink
from nacre.graph.operations import payloads
from nacre.graph.operations.handlers import OPERATIONS
from tests import examples
from tests.graph import strategies

KEY = UUID("0192f0c1-5c7e-7a31-9d0e-3f2b8c1a4d5e")


@pytest.mark.spec("S7")
@pytest.mark.parametrize("name", sorted(OPERATIONS))
@examples.costly(2)
@given(data=st.data())
def test_what_the_log_keeps_can_be_read_back(name, data):
    """Proposals are carried out from what was stored, so nothing may be lost on the way."""
    operation = data.draw(strategies.operations(OPERATIONS[name]))

    stored = json.loads(json.dumps(payload(operation)))

    assert payloads.to_operation(name, stored) == operation


SPELLED = [
    ("create_entity", {"name": "Ana", "entity_type": "person"}, UpsertEntity(name="Ana", type="person")),
    ("archive_entity", {"selector": "Ana", "force": True}, ArchiveEntity(entity="Ana", force=True)),
    ("archive_entity", {"entity_id": str(KEY)}, ArchiveEntity(entity=KEY)),
    ("archive_entity", {"name": "Ana", "reason": None}, ArchiveEntity(entity="Ana")),
    ("archive_aspect", {"entity": "Ana", "selector": "work"}, ArchiveAspect(entity="Ana", aspect="work")),
    (
        "add_claim_value",
        {"entity": "Ana", "entity_type": "person", "aspect": "taste", "claim_key": "drink", "value": "茶"},
        AddClaimValue(entity="Ana", entity_type="person", aspect="taste", claim="drink", value="茶"),
    ),
    (
        "set_claim_value",
        {"entity": "Ana", "aspect": "home", "group_key": "eu", "claim": "city", "new_value": "Rome", "force": True},
        SetClaimValue(entity="Ana", aspect="home", group="eu", claim="city", value="Rome", force=True),
    ),
    (
        "supersede_claim_value",
        {"attribute_id": str(KEY), "value": "Rome", "valid_from": "2026-05-01T11:00:00+02:00"},
        SupersedeClaimValue(attribute_id=KEY, new_value="Rome", valid_from=datetime(2026, 5, 1, 9, tzinfo=UTC)),
    ),
    (
        "create_link",
        {"source_entity": "Ana", "link_type": "worksAt", "target_entity": "Acme", "strength": 1},
        UpsertLink(source="Ana", predicate="works_at", target="Acme"),
    ),
    (
        "create_link",
        {"source_entity_id": str(KEY), "dependency_type": "owns", "value": "a cat"},
        UpsertLink(source=KEY, predicate="owns", value="a cat"),
    ),
    ("archive_link", {"dependency_id": str(KEY)}, ArchiveLink(link=KEY)),
    ("archive_link", {"id": str(KEY)}, ArchiveLink(link=KEY)),
    (
        "merge_entities",
        {"target_entity_id": str(KEY), "source_entity_ids": ["ana-doe"], "force": False},
        MergeEntities(target=KEY, source="ana-doe"),
    ),
    (
        "create_entity",
        {"name": "Ana", "aliases": ["A."], "evidence": {"source_id": str(KEY), "quote": [0, 3]}},
        UpsertEntity(name="Ana", aliases=("A.",), evidence=SourceQuote(source=SourceId(KEY), quote=(0, 3))),
    ),
]


@pytest.mark.spec("S7")
@pytest.mark.parametrize(("name", "payload", "operation"), SPELLED)
def test_the_documents_names_and_their_other_spellings_are_read(name, payload, operation):
    assert payloads.to_operations(name, payload) == [operation]


def test_a_merge_of_several_sources_is_one_operation_for_each():
    envelope = {
        "operation": "merge_entities",
        "payload": {"target_entity": "Ana", "source_entities": ["Ana D.", "Ana Doe"]},
    }

    merges = [command.operation for command in payloads.to_commands(envelope)]

    assert merges == [MergeEntities(target="Ana", source="Ana D."), MergeEntities(target="Ana", source="Ana Doe")]
    with pytest.raises(Invalid, match="comes to 2 operations"):
        payloads.to_command(envelope)


def test_an_envelope_holds_the_grounds_and_fills_what_the_payload_leaves_out():
    envelope = {
        "operation": "create_link",
        "payload": {"source": "Ana", "predicate": "related_to", "target": "Bob"},
        "rationale": "They are\nalways   named together.",
        "evidence": ["Ana and Bob", {"quote": "Bob", "source_ref": str(KEY)}],
        "confidence": 0.4,
        "risk": "low",
        "source_kind": "transcript",
        "source_id": "t-1",
        "actor": "scribe",
    }

    assert payloads.to_command(envelope) == Command(
        operation=UpsertLink(
            source="Ana",
            predicate="related_to",
            target="Bob",
            confidence=0.4,
            reason="They are always named together.",
        ),
        reason="They are\nalways   named together.",
        evidence=(Quotation(quote="Ana and Bob"), Quotation(quote="Bob", source=KEY)),
        confidence=0.4,
        risk="low",
        origin=Origin(kind="transcript", id="t-1"),
        actor="scribe",
    )


def test_what_a_payload_says_comes_before_what_its_envelope_says():
    stated = {"entity": "Ana", "aspect": "home", "claim": "city", "value": "Rome", "confidence": 0.9, "reason": "said"}

    operation: Any = payloads.to_command(
        {"operation": "set_claim_value", "payload": stated, "confidence": 0.2, "reason": "guessed"}
    ).operation

    assert (operation.confidence, operation.reason) == (0.9, "said")


def test_an_update_of_a_link_only_changes_what_its_payload_names():
    """Otherwise how sure somebody is of the order would become how sure the link is."""
    command = payloads.to_command(
        {"operation": "update_link", "payload": {"id": str(KEY), "strength": 0.3}, "confidence": 0.2, "reason": "seen"}
    )

    operation: Any = command.operation
    assert (operation.strength, operation.confidence, operation.reason) == (0.3, None, None)
    assert (command.confidence, command.reason) == (0.2, "seen")


ANA = {"name": "Ana"}
REFUSED = [
    ("nothing", "operation"),
    ([], "operation"),
    ({}, "operation"),
    ({"operation": "create_entty", "payload": ANA}, "operation"),
    ({"operation": ["create_entity"], "payload": ANA}, "operation"),
    ({"operation": "create_entity"}, "payload"),
    ({"operation": "create_entity", "payload": {}}, "payload"),
    ({"operation": "create_entity", "payload": [1]}, "payload"),
    ({"operation": "create_entity", "payload": ANA, "agent_id": "another"}, "agent_id"),
    ({"operation": "create_entity", "payload": ANA, "reason": "a", "rationale": "b"}, "rationale"),
    ({"operation": "create_entity", "payload": ANA, "evidence": "Ana"}, "evidence"),
    ({"operation": "create_entity", "payload": ANA, "evidence": [{"qoute": "Ana"}]}, "qoute"),
    ({"operation": "create_entity", "payload": ANA, "evidence": [{"quote": "Ana", "source_id": "t-1"}]}, "source_id"),
    ({"operation": "create_entity", "payload": ANA, "evidence": [{"source": str(KEY)}]}, "quote"),
    ({"operation": "create_entity", "payload": ANA, "confidence": 2}, "confidence"),
    ({"operation": "create_entity", "payload": ANA, "confidence": "high"}, "confidence"),
    ({"operation": "create_entity", "payload": ANA, "risk": "none"}, "risk"),
    ({"operation": "create_entity", "payload": ANA, "actor": "a\nb"}, "actor"),
    ({"operation": "create_entity", "payload": {"name": "Ana", "nmae": "Ana"}}, "nmae"),
    ({"operation": "create_entity", "payload": {"type": "person"}}, "name"),
    ({"operation": "create_entity", "payload": {"name": 5}}, "name"),
    ({"operation": "create_entity", "payload": {"name": "A\x00"}}, "name"),
    ({"operation": "create_entity", "payload": {"name": "\ud800"}}, "name"),
    ({"operation": "create_entity", "payload": {"name": " "}}, "name"),
    ({"operation": "create_entity", "payload": {"name": "Ana", "aliases": "A"}}, "aliases"),
    ({"operation": "create_entity", "payload": {"name": "Ana", "aliases": [1]}}, "aliases"),
    ({"operation": "create_entity", "payload": {"name": "Ana", "properties": [1]}}, "properties"),
    ({"operation": "create_entity", "payload": {"name": "Ana", "confidence": True}}, "confidence"),
    ({"operation": "create_entity", "payload": {"name": "Ana", "confidence": float("nan")}}, "confidence"),
    ({"operation": "create_entity", "payload": {"name": "Ana", "confidence": 10**400}}, "confidence"),
    (
        {"operation": "create_entity", "payload": {"name": "Ana", "evidence": {"source": str(KEY), "quote": [1]}}},
        "quote",
    ),
    ({"operation": "archive_entity", "payload": {"entity": "Ana", "force": "yes"}}, "force"),
    ({"operation": "archive_entity", "payload": {"entity": "Ana", "selector": "Bob"}}, "selector"),
    ({"operation": "archive_aspect", "payload": {"entity": "Ana", "aspect": "work", "reason": 5}}, "reason"),
    ({"operation": "clean_up_graph", "payload": {"untouched_since": "yesterday"}}, "untouched_since"),
    ({"operation": "clean_up_graph", "payload": {"untouched_since": "2026-05-01T10:00:00"}}, "untouched_since"),
    ({"operation": "clean_up_graph", "payload": {"untouched_since": 5}}, "untouched_since"),
    ({"operation": "merge_entities", "payload": {"target": "Ana", "source_entities": "Bob"}}, "source_entities"),
    ({"operation": "merge_entities", "payload": {"target": "Ana", "source_entities": []}}, "source_entities"),
]


@pytest.mark.spec("S7")
@pytest.mark.parametrize(("envelope", "field"), REFUSED)
def test_what_cannot_be_meant_is_refused_by_the_name_of_the_field(envelope, field):
    with pytest.raises(Invalid) as refused:
        payloads.to_command(envelope)

    assert refused.value.field == field


def test_an_unknown_operation_is_told_the_known_ones():
    with pytest.raises(Invalid, match=r"must be one of add_alias, .*update_link.*, not 'explode'"):
        payloads.to_command({"operation": "explode", "payload": ANA})


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, min_size=1, max_size=3) | st.dictionaries(st.text(max_size=8), inner, min_size=1, max_size=3)
    ),
    max_leaves=8,
)


@examples.cheap()
@given(
    name=st.sampled_from(sorted(OPERATIONS)),
    payload=st.dictionaries(
        st.sampled_from(["entity", "name", "aspect", "value", "source", "target", "evidence", "link", "type", "force"])
        | st.text(max_size=5),
        json_values,
        max_size=5,
    ),
)
def test_whatever_json_comes_in_is_read_or_refused(name, payload):
    """No input leads to another error than `Invalid`."""
    try:
        commands = payloads.to_commands({"operation": name, "payload": payload})
    except Invalid:
        return
    assert all(command.operation.operation == name for command in commands)
