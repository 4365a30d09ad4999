"""Everything that came in is kept, and everything that is known points at the exact words it rests on."""

import json

import pytest
from sqlalchemy import select

from nacre.store.evidence import sources as stored_sources
from nacre.store.tables.schema import assertions, attributes, links, memories, memory_sources, mentions, sources

pytestmark = pytest.mark.spec("M9")

SAID = (
    "Ruth works at Acme. Ruth lives in Braga.",
    "Good morning! I live in Porto, and my favourite colour is green.",
    "Ruth no longer works at Acme; she works at Initech.",
    "Zoë 🙂 works at Łódź Metro.",
)


def rows(nacre, scope, table):
    """What a table holds of a scope."""
    with nacre.parts.database.read(scope.scope) as tx:
        return tx.execute(select(table).where(table.c.scope_id == tx.scope_id)).all()


def kept(nacre, scope):
    """Every piece of evidence by its id."""
    return {row.id: row for row in rows(nacre, scope, sources)}


def test_every_turn_is_kept_as_it_was_said(nacre, scope):
    observed = [scope.observe("user", text, session="s", ref=f"line-{place}") for place, text in enumerate(SAID)]

    evidence = kept(nacre, scope)

    assert [evidence[each.id].text for each in observed] == list(SAID)
    assert [(evidence[each.id].kind, evidence[each.id].ref) for each in observed] == [
        ("turn", f"line-{place}") for place in range(len(SAID))
    ]


def test_what_is_learned_from_turns_points_at_the_exact_words(nacre, scope):
    for text in SAID:
        scope.observe("user", text, session="s")
    scope.learned()
    evidence = kept(nacre, scope)

    learned = [*rows(nacre, scope, links), *rows(nacre, scope, attributes)]
    assert len(learned) >= 4
    for row in learned:
        words = evidence[row.source_id].text[row.quote_start : row.quote_end]
        assert words.strip()
        assert 0 <= row.quote_start < row.quote_end <= len(evidence[row.source_id].text)
    names = {entity.id: {entity.name, *entity.aliases} for entity in scope.graph.search(limit=50)}
    places = rows(nacre, scope, mentions)
    assert places
    for row in places:
        if row.entity_id in names:
            assert evidence[row.source_id].text[row.quote_start : row.quote_end] in names[row.entity_id]


def test_a_link_quotes_the_sentence_that_states_it(scope):
    scope.observe("user", SAID[0], session="s")

    quoted = {link.predicate: scope.ontology.explain_link(link.id).evidence.quote for link in scope.graph.links("Ruth")}

    assert set(quoted) == {"works_at", "lives_in"}
    assert "Acme" in quoted["works_at"]
    assert "Braga" in quoted["lives_in"]
    assert all(words in SAID[0] for words in quoted.values())


def test_a_memory_rests_on_every_text_that_said_it(nacre, scope, clock):
    first = "Ana prefers tea in the morning"
    second = "Ana prefers tea in the morning, green tea from the Azores"
    made = scope.remember(first)
    clock.advance(seconds=1)
    scope.remember(second)

    assert [each.quote for each in scope.memories.evidence(made.id)] == [first, second]
    assert {row.text for row in kept(nacre, scope).values()} == {first, second}
    assert {row.kind for row in kept(nacre, scope).values()} == {"note"}


def test_a_structured_payload_is_kept_as_it_was_handed_over(nacre, scope):
    given = {
        "entities": [{"source": "Zoë", "relationship": "works at", "target": "Łódź Metro"}],
        "aspects": [
            {"entityName": "Zoë", "aspect": "taste", "attributes": [{"claimKey": "drink", "content": "tea\x00"}]}
        ],
        "hints": ["who drives \ud83d"],
        "unknown": 3,
    }
    made = scope.remember("Zoë works at Łódź Metro and drinks tea", structured=given)

    payloads = [row for row in kept(nacre, scope).values() if row.kind == stored_sources.SourceKind.STRUCTURED]
    assert len(payloads) == 1
    assert json.loads(payloads[0].text)["entities"] == given["entities"]
    assert payloads[0].id in {each.id for each in scope.memories.evidence(made.id)}


def test_claims_of_a_structured_memory_name_it_and_its_words(nacre, scope):
    drinks = {"entityName": "Ruth", "aspect": "taste", "attributes": [{"claimKey": "drink", "content": "tea"}]}
    text = "Ruth drinks tea. Nothing else."
    made = scope.remember(text, structured={"aspects": [drinks]})

    (claim,) = scope.ontology.claims("Ruth")
    (why,) = scope.ontology.explain(entity="Ruth")

    assert claim.memory == made.id
    assert why.evidence.quote in text
    assert "tea" in why.evidence.quote


def test_nothing_in_the_store_points_at_evidence_that_is_not_there(nacre, scope):
    for text in SAID:
        scope.observe("user", text, session="s")
    scope.remember("Ruth lives in Braga")
    scope.forget(before=nacre.parts.database.clock(), purge=True)
    evidence = kept(nacre, scope)

    for table in (links, attributes, assertions, memories, memory_sources, mentions):
        assert {row.source_id for row in rows(nacre, scope, table) if row.source_id} <= set(evidence), table.name
