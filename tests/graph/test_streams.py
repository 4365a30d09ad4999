"""Every operation through its wire form: done, tried or proposed, one by one, as a batch and as a stream."""

import json

import pytest

from nacre import Ambiguous, Invalid, NotFound
from nacre.domain.operations import ArchiveEntity, UpsertEntity
from tests.graph.test_operations import rows

# The operations that the document lists.
DOCUMENT = {
    *("create_entity", "rename_entity", "archive_entity", "merge_entities"),
    *("create_aspect", "rename_aspect", "archive_aspect"),
    *("add_claim_value", "set_claim_value", "supersede_claim_value", "archive_claim_value", "restore_claim_version"),
    *("create_link", "update_link", "archive_link"),
    *("create_policy", "create_action_type", "create_interface", "attach_interface"),
}
MORE = {
    *("pin_entity", "unpin_entity", "add_alias", "remove_alias", "restore_entity", "merge_aspects", "set_task"),
    *("retype_entity", "record_claim", "declare_cardinality", "prune_graph", "clean_up_graph"),
}


def script(scope):
    """Every operation in its wire form, in an order in which all of them can be done."""
    done = {}

    def claim(value):
        return str(next(each.id for each in scope.ontology.claims("Ana") if each.value == value))

    def link():
        return str(scope.graph.links("Ana")[0].id)

    yield "create_entity", {"name": "Ana", "entity_type": "person"}
    yield "create_entity", {"name": "Anna Doe", "entity_type": "person"}
    yield "add_alias", {"entity": "Ana", "alias": "Annie"}
    yield "remove_alias", {"entity": "Ana", "alias": "Annie"}
    yield "rename_entity", {"selector": "Anna Doe", "new_name": "Ana Doe"}
    yield "pin_entity", {"entity": "Ana"}
    yield "unpin_entity", {"entity": "Ana"}
    yield "create_aspect", {"entity": "Ana", "name": "Work"}
    yield "rename_aspect", {"entity": "Ana", "selector": "work", "new_name": "Job"}
    yield "create_aspect", {"entity": "Ana", "name": "Career", "weight": 0.7}
    yield "merge_aspects", {"entity": "Ana", "target_aspect": "job", "source_aspect": "career"}
    yield "archive_aspect", {"entity": "Ana", "aspect": "job"}
    yield "add_claim_value", {"entity": "Ana", "aspect": "taste", "claim_key": "drinks", "value": "tea"}
    yield "set_claim_value", {"entity": "Ana", "aspect": "home", "claim": "city", "value": "Paris"}
    done["paris"] = claim("Paris")
    yield "supersede_claim_value", {"attribute_id": done["paris"], "new_value": "Rome"}
    yield "restore_claim_version", {"attribute_id": done["paris"]}
    yield "archive_claim_value", {"attribute_id": claim("tea")}
    yield (
        "record_claim",
        {"entity": "Ana", "aspect": "home", "claim": "city", "value": "Oslo", "said": "She moved to Oslo"},
    )
    yield "declare_cardinality", {"key": "home/general/city", "cardinality": "single"}
    yield "create_link", {"source_entity": "Ana", "link_type": "works_at", "target_entity": "Acme", "confidence": 0.5}
    yield "retype_entity", {"entity": "Acme", "entity_type": "company"}
    yield "update_link", {"dependency_id": link(), "strength": 0.4}
    yield "archive_link", {"link_id": link()}
    yield "create_policy", {"name": "No nuts", "definition": "Never serve nuts", "entity": "Ana"}
    yield "create_action_type", {"name": "Deploy", "definition": "Ship a build", "entity": "Ana"}
    yield "create_interface", {"name": "Payable", "definition": "Can be paid"}
    yield "attach_interface", {"entity": "Ana", "interface": "Payable"}
    yield "set_task", {"entity": "Write report", "status": "open", "expires_at": "2027-01-01T00:00:00Z"}
    yield "merge_entities", {"target_entity": "Ana", "source_entities": ["Ana Doe"]}
    yield "archive_entity", {"entity": "write-report", "reason": "over"}
    yield "restore_entity", {"entity": "write-report"}
    yield "prune_graph", {"min_confidence": 0.6}
    yield "clean_up_graph", {"untouched_since": "2026-01-01T00:00:00Z"}


def state(nacre, scope):
    """All that operations may change, and the log."""
    claims = [(claim.id, claim.status) for claim in scope.ontology.claims("Ana")] if scope.graph.search("Ana") else []
    return rows(nacre, scope), claims, [record.id for record in scope.graph.history(limit=500)]


@pytest.mark.spec("S7")
def test_every_operation_works_in_every_mode_and_is_written_down(nacre, scope):
    other = nacre.scope(agent="assistant", user="bob")
    seen = set()
    for name, payload in script(scope):
        envelope = {"operation": name, "payload": payload, "reason": f"to see {name}", "actor": "tester"}
        before = state(nacre, scope)

        tried = scope.ontology.submit([envelope], dry_run=True)
        assert (tried.count, tried.errors, len(tried.applied), tried.dry_run) == (1, (), 1, True), name
        assert state(nacre, scope) == before, name

        (proposed,) = scope.ontology.submit([envelope], propose=True).proposals
        assert (proposed.operation, proposed.status, proposed.created_by) == (name, "pending", "tester")
        assert state(nacre, scope) == before, name

        (applied,) = scope.ontology.submit([envelope]).applied
        record = scope.graph.history(limit=1)[0]
        assert record == applied.record
        assert (record.operation, record.actor, record.reason) == (name, "tester", f"to see {name}")
        assert tried.applied[0].outcome.summary == applied.outcome.summary
        seen.add(name)

    assert seen == DOCUMENT | MORE
    assert state(nacre, other) == ({table: set() for table in before[0]}, [], [])


MODES = [{}, {"dry_run": True}, {"propose": True}]


@pytest.mark.spec("S7")
@pytest.mark.parametrize("mode", MODES)
def test_an_unknown_operation_is_refused_in_every_mode(scope, mode):
    """In the seed system it was accepted as a proposal and failed when somebody applied it."""
    envelope = {"operation": "create_entty", "payload": {"name": "Ana"}}
    if "dry_run" in mode:
        (problem,) = scope.ontology.submit([envelope], **mode).errors
        assert (problem.index, problem.operation, problem.code) == (0, "create_entty", "invalid")
    else:
        with pytest.raises(Invalid, match=r"operations\[0\]: `operation` must be one of"):
            scope.ontology.submit([envelope], **mode)
    assert scope.ontology.proposals.list() == []


def test_a_dry_run_of_a_proposal_makes_no_sense(scope):
    envelope = {"operation": "create_entity", "payload": {"name": "Ana"}}
    with pytest.raises(Invalid, match="exclude each other"):
        scope.ontology.submit([envelope], dry_run=True, propose=True)


LINES = """
{"operation": "create_entity", "payload": {"name": "Ana"}}

{"operation": "archive_entity", "payload": {"entity": "Nobody"}}
{"operation": "create_entity", "payload": {"nmae": "Bob"}}
not json
{"operation": "rename_entity", "payload": {"entity": "Ana", "new_name": "Anna"}}
[1, 2]
{"operation": "archive_entity", "payload": {"entity": "Ana", "confidence": NaN}}
"""


@pytest.mark.spec("S7")
def test_a_dry_run_of_a_stream_goes_on_after_errors_and_tells_them_all(nacre, scope):
    report = scope.ontology.stream(LINES, dry_run=True)

    told = [(problem.index, problem.line, problem.operation, problem.code) for problem in report.errors]
    assert told == [
        (1, 4, "archive_entity", "not_found"),
        (2, 5, "create_entity", "invalid"),
        (3, 6, None, "invalid"),
        (5, 8, None, "invalid"),
        (6, 9, None, "invalid"),
    ]
    assert [each.outcome.summary for each in report.applied] == ["Ana (ana)", "Ana is called Anna now."]
    assert report.count == 7
    assert scope.graph.search() == []
    assert scope.graph.history() == []


@pytest.mark.spec("S7")
@pytest.mark.parametrize("mode", [{}, {"propose": True}])
def test_the_first_error_of_a_stream_leaves_nothing_and_names_its_line(scope, mode):
    good = ['{"operation": "create_entity", "payload": {"name": "Ana"}}', ""]
    bad = '{"operation": "archive_entity", "payload": {"entity": "Nobody"}}'

    with pytest.raises(NotFound, match=r"^line 3 \(archive_entity\): No entity `Nobody`"):
        scope.ontology.stream([*good, bad], **mode)

    assert (scope.graph.search(), scope.graph.history(), scope.ontology.proposals.list()) == ([], [], [])
    with pytest.raises(Invalid, match=r"^line 3: `line` is not JSON"):
        scope.ontology.stream([*good, "{"], **mode)


@pytest.mark.spec("S7")
def test_the_error_of_a_batch_names_its_place_and_keeps_its_class(scope):
    scope.graph.add("Bob", type="person")
    batch = [UpsertEntity(name="Ana"), ArchiveEntity(entity="Nobody")]

    with pytest.raises(NotFound, match=r"^operations\[1\] \(archive_entity\): No entity `Nobody`") as refused:
        scope.ontology.apply(batch)

    assert refused.value.code == "not_found"
    assert [entity.name for entity in scope.graph.search()] == ["Bob"]
    with pytest.raises(NotFound, match=r"^No entity `Nobody`"):
        scope.ontology.apply(batch[1:])


@pytest.mark.spec("S7")
def test_a_batch_is_up_to_500_operations(scope):
    def lines(count):
        return (json.dumps({"operation": "create_entity", "payload": {"name": f"E{at}"}}) for at in range(count))

    assert scope.ontology.stream(lines(500), dry_run=True).count == 500
    for mode in MODES:
        for wrong in (0, 501):
            with pytest.raises(Invalid, match="500"):
                scope.ontology.stream(lines(wrong), **mode)
    assert scope.graph.search() == []


def test_a_stream_that_never_ends_is_not_waited_for(scope):
    def endless():
        while True:
            yield '{"operation": "create_entity", "payload": {"name": "Ana"}}'

    with pytest.raises(Invalid, match="at most 500"):
        scope.ontology.stream(endless())


def test_a_stream_is_one_batch_and_is_undone_as_one(scope):
    lines = [json.dumps({"operation": "create_entity", "payload": {"name": name}}) for name in ("Ana", "Bob\u2028")]
    report = scope.ontology.stream("\ufeff" + "\n".join(lines))

    batches = {each.record.batch for each in report.applied}
    assert len(batches) == 1
    scope.ontology.undo(batches.pop())
    assert scope.graph.search() == []


def test_a_deeply_nested_line_is_refused(scope):
    (problem,) = scope.ontology.stream(["[" * 100_000], dry_run=True).errors

    assert (problem.line, problem.code) == (1, "invalid")


@pytest.mark.spec("S7")
def test_rows_rest_on_the_evidence_of_their_envelope(scope):
    said = scope.observe("user", "As ever: room 12, second floor", session="s1")
    envelope = {
        "operation": "set_claim_value",
        "payload": {"entity": "Ana", "aspect": "office", "claim": "room", "value": "12"},
        "evidence": ["she said so", {"quote": "room 12", "source_id": str(said.id)}],
        "confidence": 0,
    }

    scope.ontology.submit([envelope])

    (claim,) = scope.ontology.claims("Ana")
    assert (claim.evidence, claim.quote, claim.confidence) == (said.id, (9, 16), 0.0)
    assert scope.graph.history()[0].grounds["confidence"] == 0
    with pytest.raises(Invalid, match="word for word"):
        scope.ontology.submit([{**envelope, "evidence": [{"quote": "room 13", "source_id": str(said.id)}]}])


@pytest.mark.spec("S7")
@pytest.mark.parametrize("mode", MODES)
def test_no_mode_reaches_into_another_tenant(nacre, scope, mode):
    other = nacre.scope(agent="assistant", user="bob")
    said = other.observe("user", "Bob lives in Oslo", session="s1")
    bob = other.graph.add("Bob")
    orders = [
        {"operation": "archive_entity", "payload": {"entity": str(bob.id)}},
        {
            "operation": "create_entity",
            "payload": {"name": "Bob"},
            "evidence": [{"quote": "Oslo", "source_id": str(said.id)}],
        },
    ]
    for order in orders:
        if "dry_run" in mode:
            assert [each.code for each in scope.ontology.submit([order], **mode).errors] == ["not_found"]
        else:
            with pytest.raises(NotFound):
                scope.ontology.submit([order], **mode)
    assert other.graph.get("Bob").status == "active"
    assert scope.ontology.proposals.list() == []


def test_a_conflict_in_a_batch_keeps_what_its_error_carries(scope):
    for kind in ("person", "project"):
        scope.graph.add("Mercury", type=kind)
    with pytest.raises(Ambiguous, match=r"operations\[1\]") as refused:
        scope.ontology.apply([UpsertEntity(name="Ana"), ArchiveEntity(entity="Mercury")])

    assert refused.value.code == "ambiguous"
    assert len(refused.value.candidates) == 2
