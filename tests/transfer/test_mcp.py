"""The file of the MCP reference memory server."""

import io
import json

import pytest

from nacre import Settings
from tests.transfer.histories import exported

FILE = """\
{"type":"entity","name":"John_Smith","entityType":"person","observations":["Speaks fluent Spanish","Graduated in 2019"]}
{"type":"relation","from":"John_Smith","to":"Anthropic","relationType":"works at"}
{"type":"entity","name":"Anthropic","entityType":"company","observations":[]}
{"type":"entity","name":"Порт 🦪","entityType":"harbour","observations":["Opened — \\"東京\\" style"]}
{"type":"relation","from":"Порт 🦪","to":"Nowhere","relationType":"related_to"}
"""


@pytest.fixture
def brain_settings():
    return Settings(worker="off", embedder="off")


def load(scope, text=FILE, **options):
    return scope.transfer.load(text.encode(), format="mcp", **options)


@pytest.mark.spec("N5")
def test_entities_relations_and_observations_come_in_intact(scope):
    report = load(scope)

    assert report.skipped == ()
    assert report.counts == {"claims": 3, "entities": 4, "links": 2, "memories": 3}
    john, company = scope.graph.get("John_Smith"), scope.graph.get("Anthropic")
    assert (john.type, company.type) == ("person", "organization")
    assert [link.predicate for link in scope.graph.links(john.id)] == ["works_at"]
    assert scope.graph.links(john.id)[0].target == company.id
    said = {claim.value: claim for claim in scope.ontology.claims(john.id)}
    assert set(said) == {"Speaks fluent Spanish", "Graduated in 2019"}
    assert {claim.slot.aspect for claim in said.values()} == {"observations"}


@pytest.mark.spec("N5")
def test_what_was_observed_is_evidence_and_is_recalled(scope):
    load(scope)

    hit = scope.recall("Does John Smith speak Spanish?", limit=1)[0]
    claim = next(each for each in scope.ontology.claims("John_Smith") if each.value == hit.text)

    assert hit.text == hit.source.quote == "Speaks fluent Spanish"
    assert claim.evidence == hit.source.id
    assert claim.memory == hit.id


def test_a_type_that_nobody_knows_is_kept_by_its_name(scope):
    load(scope)

    harbour = scope.graph.get("Порт 🦪")

    assert (harbour.type, harbour.properties) == ("unknown", {"entity_type": "harbour"})


def test_one_undo_takes_the_import_back(scope):
    scope.graph.add("Anthropic", type="organization")
    before = (scope.graph.search(limit=100), scope.memories.search(limit=100))

    report = load(scope)
    scope.undo(report.batch)

    assert (scope.graph.search(limit=100), scope.memories.search(limit=100)) == before
    assert scope.recall("Spanish").hits == ()
    assert {record.batch for record in scope.history(limit=100) if record.undone_by} == {report.batch}


def test_a_dry_run_tells_the_same_and_changes_nothing(scope):
    scope.graph.add("Anthropic")
    before = exported(scope)

    tried = load(scope, dry_run=True)

    assert exported(scope) == before
    assert tried.dry_run
    assert tried.batch is None
    assert load(scope).counts == tried.counts


def test_the_same_file_twice_says_nothing_twice(scope):
    load(scope)
    again = load(scope)

    assert again.skipped == ()
    assert len(scope.graph.search(limit=100)) == 4
    assert len(scope.memories.search(limit=100)) == 3
    assert len(scope.ontology.claims("John_Smith")) == 2
    assert len(scope.graph.links("John_Smith")) == 1


def test_what_cannot_be_read_is_listed_and_the_rest_comes_in(scope):
    lines = [
        b"",
        b"not json",
        b'"just a text"',
        b'{"type":"entity"}',
        b'{"type":"entity","name":"  "}',
        b'{"type":"entity","name":"Ana","observations":"none"}',
        b'{"type":"entity","name":"Bo","observations":[7]}',
        b'{"type":"spell","name":"Cy"}',
        b'{"type":"relation","from":"Di","to":"Ed"}',
        b'{"type":"relation","from":"Di","to":"Ed","relationType":"!!!"}',
        b'{"type":"entity","name":"\xff"}',
        b'{"type":"entity","name":"' + b"x" * 201 + b'"}',
        b'{"type":"entity","name":"Fi","observations":["' + b"y" * 10_001 + b'"]}',
        b'{"type":"entity","name":"A\\u0000"}',
        b'{"type":"entity","name":"Gus","entityType":null}',
    ]

    report = scope.transfer.load(b"\n".join(lines), format="mcp")

    assert [each.where for each in report.skipped] == [
        "line 2",
        "line 3",
        "line 4",
        "line 5",
        "line 6",
        "line 7",
        "line 8",
        "line 11",
        "line 12",
        "line 13 observations[0]",
        "line 14",
        "line 9",
        "line 10",
    ]
    assert all(each.why for each in report.skipped)
    assert report.counts == {"entities": 2}
    assert {entity.name for entity in scope.graph.search(limit=100)} == {"Fi", "Gus"}
    assert scope.memories.search(limit=10) == []


def test_what_came_in_goes_out_again(scope, nacre):
    load(scope)
    out = io.StringIO()
    scope.transfer.export(out, format="mcp")
    copy = nacre.scope("copy")
    load(copy, out.getvalue())
    again = io.StringIO()
    copy.transfer.export(again, format="mcp")

    held = [json.loads(line) for line in out.getvalue().splitlines()]
    assert again.getvalue() == out.getvalue()
    assert {"type": "relation", "from": "John_Smith", "to": "Anthropic", "relationType": "works at"} in held
    assert {each["name"]: each["entityType"] for each in held if each["type"] == "entity"}["Порт 🦪"] == "harbour"


def test_an_import_keeps_to_its_scope(scope, nacre):
    other = nacre.scope("assistant", user="bo")
    other.graph.add("John_Smith", type="person")
    before = exported(other)

    load(scope)

    assert exported(other) == before


def test_an_import_into_a_shared_graph_is_taken_back_whole(nacre):
    nacre.agent("assistant").share(knowledge_graph=True)
    ana, bo = nacre.scope("assistant", user="ana"), nacre.scope("assistant", user="bo")

    report = load(ana)
    seen = bo.ontology.claims("John_Smith")
    ana.undo(report.batch)

    assert len(seen) == 2
    assert bo.graph.search(limit=10) == []
    assert ana.memories.search(limit=10) == []


def test_many_records_come_in_as_one_batch_and_progress_is_told(scope):
    lines = "".join(f'{{"type":"entity","name":"Thing {number}","observations":[]}}\n' for number in range(250))
    told: list[int] = []

    report = scope.transfer.load(lines.encode(), progress=told.append)

    assert report.counts == {"entities": 250}
    assert (told[-1], told) == (250, sorted(told))
    assert len({record.batch for record in scope.history(limit=250)}) == 1


def test_each_of_many_observations_counts_as_a_record(scope):
    said = [f"Bought lamp number {number} on a rainy day." for number in range(250)]
    line = json.dumps({"type": "entity", "name": "Ana", "entityType": "person", "observations": said})
    told: list[int] = []

    report = scope.transfer.load(line.encode(), format="mcp", progress=told.append)

    assert report.counts == {"claims": 250, "entities": 1, "memories": 250}
    assert (told[-1], told) == (251, sorted(told))
    assert len({record.batch for record in scope.history(limit=600)}) == 1


def test_nothing_is_said_of_a_thing_that_is_refused(scope):
    line = json.dumps({"type": "entity", "name": "x" * 10_000, "entityType": "person", "observations": ["Is tall."]})

    report = scope.transfer.load(line.encode(), format="mcp")

    assert report.counts == {}
    assert len(report.skipped) == 1
