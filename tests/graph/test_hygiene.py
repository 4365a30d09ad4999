"""What looks wrong in a graph, how good it is, and whether it can be walked. Looking changes nothing."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import insert, select

from nacre import Invalid, Settings
from nacre.domain.graph_reports import Reason
from nacre.graph.identity.entity_checks import suspicion
from nacre.graph.reading import hygiene, quality
from nacre.store.reads.hygiene import PAGE
from nacre.store.tables.schema import entities, metadata
from tests.graph import rows


@pytest.fixture
def brain_settings() -> Settings:
    """The graph holds what a test puts there, and nothing that it only says."""
    return Settings(worker="off", extraction="off")


_READ_ONLY = {"sqlite": "PRAGMA query_only = ON", "postgresql": "SET TRANSACTION READ ONLY"}


@pytest.fixture
def write(nacre, scope):
    """A transaction of the scope, for rows."""
    return lambda: nacre.parts.database.write(scope.scope)


@pytest.fixture
def messy(scope, write, clock):
    """A graph with something of everything."""
    with write() as tx:
        rows.add_entity(tx, "42", kind="concept", mentions=3)
        rows.add_entity(tx, "Ana Ruiz", kind="person", mentions=2)
        rows.add_entity(tx, "ana ruiz", kind="project", slug="ana-2")
    scope.graph.link("RockBot", "uses", "RabbitMQ", confidence=0.9)
    scope.graph.link("RockBot", "is", "weak", confidence=0.9, strength=0.1)
    scope.ontology.set("RockBot", "work/owner", "platform")
    scope.ontology.set("RockBot", "general/status", "green")
    scope.remember("Yesterday Ana Ruiz restarted RabbitMQ")


def everything(nacre):
    """Every row of every table."""
    with nacre.parts.database.read_all() as tx:
        return {
            table.name: sorted(map(repr, tx.execute(select(table).execution_options(all_scopes=True))))
            for table in metadata.sorted_tables
        }


@pytest.mark.spec("S16")
def test_reports_read_and_do_not_write(nacre, scope, messy):
    """In a transaction that could not write, and with every row of every table as it was."""
    before = everything(nacre)
    with nacre.parts.database.read(scope.scope) as tx:
        tx.connection.exec_driver_sql(_READ_ONLY[nacre.parts.database.kind])
        assert hygiene.report(tx, scope.scope).suspicious_entities
        assert quality.report(tx).entities == 6
        assert quality.walk_report(tx).links == 2
        if nacre.parts.database.kind == "sqlite":
            tx.connection.exec_driver_sql("PRAGMA query_only = OFF")
    scope.knowledge.hygiene()
    scope.knowledge.quality()
    scope.knowledge.health()

    assert everything(nacre) == before


@pytest.mark.spec("S16")
@pytest.mark.parametrize(
    ("name", "kind", "reason"),
    [
        ("42", "concept", "numeric_only"),
        ("2026-05-01", "project", "numeric_only"),
        ("٤٢", "person", "numeric_only"),
        ("the user", "person", "generic_or_scaffolding_name"),
        ("Assistant", "agent", "generic_or_scaffolding_name"),
        ("用户", "person", "generic_or_scaffolding_name"),
        ("session_id", "concept", "metadata_role"),
        ("so I told him", "person", "discourse_fragment"),
        ("is it ready?", "concept", "discourse_fragment"),
        ("user: hello there", "person", "role_prefixed_scaffolding"),
        ("## Plans", "concept", "section_heading"),
        ("Next steps", "concept", "section_heading"),
        ("Open points:", "project", "section_heading"),
        ("xy", "concept", "too_short"),
        ("likes tea", "preference", "non_concrete_entity_type"),
        ("Flurbo", "unknown", "unknown_entity_type"),
        ("Flurbo", "event", "event_without_time_or_event_signal"),
        ("people", "person", "generic_word"),
        ("Ana Ruiz", "person", None),
        ("Go", "technology", None),
        ("東京", "place", None),
        ("李", "concept", None),
        ("And Then There Were None", "document", None),
        ("Launch", "event", None),
        ("Kickoff 2026", "event", None),
        ("文化祭", "event", None),
        ("C++", "technology", None),
        ("Home", "product", None),
        ("data governance", "concept", None),
    ],
)
def test_a_name_or_a_type_gives_a_reason_to_doubt(name, kind, reason):
    assert suspicion(name, kind) == (None if reason is None else Reason(reason))


@pytest.mark.spec("S16")
def test_never_mentioned_is_suspicious_only_where_nothing_is_known(scope, write):
    """Entities that people add by hand were never mentioned either."""
    with write() as tx:
        for name in ("Bare", "Linked", "Goal", "Claimed", "Mentioned", "Pinned"):
            rows.add_entity(tx, name, kind="project", mentions=int(name == "Mentioned"))
    scope.graph.link("Linked", "part_of", "Goal")
    scope.ontology.set("Claimed", "work/owner", "Ana")
    with write() as tx:
        rows.add_entity(tx, "7", kind="project", slug="seven", pinned_at=tx.now)

    found = scope.knowledge.hygiene().suspicious_entities
    assert {(each.name, each.reason) for each in found} == {("Bare", "zero_mentions"), ("Pinned", "zero_mentions")}


@pytest.mark.slow
@pytest.mark.spec("S16")
def test_the_whole_graph_is_looked_at_and_the_gravest_is_shown(scope, write, clock):
    """The original looks at the newest few only."""
    with write() as tx:
        long_ago: dict[str, Any] = rows.at(clock.now - timedelta(days=900))
        rows.add_entity(tx, "99", kind="concept", mentions=1, **long_ago)
        common = {"scope_id": tx.scope_id, "type": "unknown", "properties": {}, "confidence": 1.0, "mentions": 0}
        common |= {"status": "active", **rows.at(tx.now)}
        made = [
            {**common, "id": UUID(int=place + 1), "name": f"Flurbo {place}", "slug": f"f{place}"}
            for place in range(PAGE + 5)
        ]
        tx.execute(insert(entities), made)

    report = scope.knowledge.hygiene(limit=2)
    assert [each.reason for each in report.suspicious_entities] == ["numeric_only", "unknown_entity_type"]
    assert (report.totals.entities, report.totals.suspicious) == (PAGE + 6, PAGE + 6)


@pytest.mark.spec("S16")
def test_entities_with_one_name_are_duplicates_and_shared_aliases_are_not(scope, write):
    with write() as tx:
        for place, name in enumerate(("Ana Ruiz", "ana  ruiz", "ANA RUIZ")):
            rows.add_entity(tx, name, slug=f"a{place}", mentions=3 - place)
        rows.add_entity(tx, "Ana Ruíz", slug="gone", status="archived")
        rows.add_entity(tx, "Alexander", also=["Alex"])
        rows.add_entity(tx, "Alexandra", also=["Alex"])

    (twins,) = scope.knowledge.hygiene().duplicate_entities
    assert (twins.canonical_name, twins.count) == ("ana ruiz", 3)
    assert twins.names == ("Ana Ruiz", "ana  ruiz", "ANA RUIZ")
    assert len(twins.ids) == 3


@pytest.mark.spec("S16")
def test_claims_without_group_key_or_grounds_are_counted(scope, write):
    turn = scope.observe("user", "The owner is Ana")
    scope.ontology.set("RockBot", "work/people/owner", "Ana", said_in=turn.id, quote="Ana")
    scope.ontology.set("RockBot", "work/status", "green")
    scope.ontology.set("RockBot", "work/status", "red")

    summary = scope.knowledge.hygiene().attribute_summary
    assert (summary.missing_group_key, summary.missing_claim_key, summary.missing_source_memory) == (1, 0, 1)


@pytest.mark.spec("S16")
def test_memories_that_name_a_known_entity_are_safe_mentions(scope, write):
    with write() as tx:
        rows.add_entity(tx, "Ana Ruiz", mentions=1)
        rows.add_entity(tx, "Sam Lee", slug="sam-1", mentions=1)
        rows.add_entity(tx, "Sam Lee", slug="sam-2", mentions=1)
        rows.add_entity(tx, "Flurbo", kind="unknown", mentions=1)
    memory = scope.remember("On Monday Ana Ruiz met Sam Lee about Flurbo").memory
    scope.remember("ANA RUIZ IS SHOUTED HERE, which is not how the name is written")

    (candidate,) = scope.knowledge.hygiene().safe_mention_candidates
    assert (candidate.memory_id, candidate.entity_name, candidate.mention_text) == (memory.id, "Ana Ruiz", "Ana Ruiz")
    assert candidate.snippet == "On Monday Ana Ruiz met Sam Lee about Flurbo"


@pytest.mark.spec("S16")
def test_a_known_mention_is_no_candidate(scope, write):
    memory = scope.remember("On Monday Ana Ruiz met the team").memory
    scope.graph.add("Ana Ruiz", type="person", said_in=memory.source, quote="Ana Ruiz")

    report = scope.knowledge.hygiene()
    assert (report.safe_mention_candidates, report.totals.memories) == ((), 1)


@pytest.mark.spec("S16")
def test_the_quality_report_measures_citations_garbage_and_structure(scope, write):
    turn = scope.observe("user", "The owner is Ana")
    scope.graph.add("RockBot", type="project")
    scope.ontology.set("RockBot", "work/people/owner", "Ana", said_in=turn.id, quote="Ana")
    scope.ontology.set("RockBot", "info/status", "green")
    scope.ontology.set("RockBot", "profile/colour", "red")
    with write() as tx:
        rows.add_entity(tx, "42", kind="concept")
        rows.add_entity(tx, "Flurbo", kind="unknown")
        rows.add_entity(tx, "Ana Ruiz", mentions=1)

    report = scope.knowledge.quality()
    assert report.citation_coverage == pytest.approx(1 / 3, abs=1e-4)
    assert report.graph_garbage_rate == 0.25
    structure = report.structure_quality
    assert structure is not None
    assert (structure.unknown_types, structure.generic_aspects, structure.profile_aspects) == (
        1,
        {"info": 1},
        {"profile": 1},
    )
    # Three of four have a type, one of three aspects says what it is, and all claims have a key.
    assert structure.score == pytest.approx((3 / 4 + 1 / 3 + 1) / 3, abs=1e-3)
    assert report.reasons == {"numeric_only": 1, "unknown_entity_type": 1}


@pytest.mark.spec("S16")
def test_an_empty_graph_has_no_shares(scope):
    report = scope.knowledge.quality()

    assert (report.citation_coverage, report.graph_garbage_rate, report.structure_quality) == (None, None, None)
    assert scope.knowledge.health().state == "empty"
    assert scope.knowledge.hygiene().totals.entities == 0


@pytest.mark.spec("S16")
def test_a_graph_whose_links_are_never_walked_is_inert(scope):
    """In the seed system 8,397 links were never walked and the health check was green."""
    scope.graph.link("Ana", "related_to", "RockBot", strength=0.3, confidence=0.5, reason="seen together")

    health = scope.knowledge.health()
    assert (health.state, health.links, health.walkable_links, health.connected_entities) == ("inert", 1, 0, 0)
    assert "None of the 1 links is ever walked" in health.message


@pytest.mark.spec("S16")
def test_health_says_which_gate_stops_a_link(scope, write, clock):
    with write() as tx:
        known = {name: rows.add_entity(tx, name) for name in "ABCDEF"}
        for target, columns in (
            ("B", {"confidence": 0.5, "strength": 0.6}),
            ("C", {"confidence": 0.49, "strength": 1.0}),
            ("D", {"confidence": 0.5, "strength": 0.59}),
            ("E", {"valid_to": clock.now - timedelta(days=1)}),
            ("F", {"status": "archived"}),
        ):
            rows.add_link(tx, known["A"], "knows", known[target], **columns)
        rows.add_link(tx, known["A"], "prefers", value="tea")

    health = scope.knowledge.health()
    counted = (health.walkable_links, health.unsure, health.weak, health.out_of_time, health.archived)
    assert counted == (1, 1, 1, 1, 1)
    assert (health.links, health.connected_entities, health.entities, health.state) == (4, 2, 6, "healthy")


@pytest.mark.spec("S16")
def test_a_graph_that_is_hardly_walked_is_thin(scope, write):
    with write() as tx:
        hub = rows.add_entity(tx, "Hub")
        for place in range(6):
            confidence = 0.9 if place == 0 else 0.2
            rows.add_link(tx, hub, "knows", rows.add_entity(tx, f"Other {place}"), confidence=confidence)

    assert scope.knowledge.health().state == "thin"


@pytest.mark.parametrize("given", [{"limit": 0}, {"limit": 501}, {"memory_limit": 0}, {"memory_limit": 1_001}])
def test_limits_of_a_report_are_checked(scope, given):
    with pytest.raises(Invalid):
        scope.knowledge.hygiene(**given)


def test_a_report_sees_one_scope_and_its_shared_memories(nacre, scope, messy):
    other = nacre.scope("assistant", user="bob")

    assert other.knowledge.hygiene().totals.entities == 0
    nacre.agent("assistant").share(memory=True)
    other.remember("Everybody knows RockBot by now")
    scope.graph.add("RockBot", type="project")
    candidates = scope.knowledge.hygiene().safe_mention_candidates
    assert [each.entity_name for each in candidates] == ["RockBot"]
