"""The graph as RDF, in Turtle. Every fact is a statement of its own, too, that says how sure it is and when it holds.

The vocabulary is small: see docs/transfer.md.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from itertools import chain
from typing import TextIO
from urllib.parse import quote

from nacre.domain.claims import Claim
from nacre.domain.entities import Entity
from nacre.domain.links import Link
from nacre.domain.plain import plain
from nacre.transfer.graphs import Portrait, ScopeGraph

PREFIXES = {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "nacre": "urn:nacre:",
}
_ESCAPED = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_TO_ESCAPE = re.compile(r'[\\"\x00-\x1f\x7f]')


def write(graph: ScopeGraph, out: TextIO) -> dict[str, int]:
    """Write the graph; returns how many entities, links and claims that were."""
    counts = {"entities": 0, "links": 0, "claims": 0}
    for name, address in PREFIXES.items():
        out.write(f"@prefix {name}: <{address}> .\n")
    for portrait in graph.portraits():
        _subject(out, f"<urn:uuid:{portrait.entity.id}>", chain(_entity(portrait.entity), _direct(portrait)))
        counts["entities"] += 1
        for fact in portrait.facts:
            _subject(out, f"<urn:uuid:{fact.id}>", _fact(portrait, fact))
            counts["links" if isinstance(fact, Link) else "claims"] += 1
    return counts


def _entity(entity: Entity) -> Iterator[tuple[str, str]]:
    yield "a", f"<urn:nacre:type:{entity.type.value}>"
    yield "rdfs:label", literal(entity.name)
    yield "nacre:slug", literal(entity.slug)
    for alias in entity.aliases:
        yield "nacre:alias", literal(alias)
    if entity.description:
        yield "rdfs:comment", literal(entity.description)
    for name, value in sorted(entity.properties.items()):
        yield f"<urn:nacre:property:{part(name)}>", literal(value)
    yield "nacre:confidence", number(entity.confidence)
    yield "nacre:created", moment(entity.created_at)


def _direct(portrait: Portrait) -> Iterator[tuple[str, str]]:
    """Every fact in one step, for questions that ask no more."""
    for fact in portrait.facts:
        yield _predicate(fact), _object(fact)


def _predicate(fact: Link | Claim) -> str:
    if isinstance(fact, Link):
        return f"<urn:nacre:predicate:{part(fact.predicate)}>"
    keys = (fact.slot.aspect, fact.slot.group, fact.slot.claim)
    return f"<urn:nacre:claim:{'/'.join(part(key) for key in keys if key)}>"


def _object(fact: Link | Claim) -> str:
    if isinstance(fact, Link) and fact.target is not None:
        return f"<urn:uuid:{fact.target}>"
    return literal(fact.value or "")


def _fact(portrait: Portrait, fact: Link | Claim) -> Iterator[tuple[str, str]]:
    yield "a", "rdf:Statement, nacre:Link" if isinstance(fact, Link) else "rdf:Statement, nacre:Claim"
    yield "rdf:subject", f"<urn:uuid:{portrait.entity.id}>"
    yield "rdf:predicate", _predicate(fact)
    yield "rdf:object", _object(fact)
    if isinstance(fact, Link):
        yield "nacre:strength", number(fact.strength)
    yield "nacre:confidence", number(fact.confidence)
    for name, at in (("nacre:validFrom", fact.valid_from), ("nacre:validTo", fact.valid_to)):
        if at is not None:
            yield name, moment(at)
    if fact.id in portrait.quotes:
        yield "nacre:quote", literal(portrait.quotes[fact.id])


def _subject(out: TextIO, subject: str, facts: Iterator[tuple[str, str]]) -> None:
    told = " ;\n    ".join(f"{predicate} {value}" for predicate, value in facts)
    out.write(f"\n{subject} {told} .\n")


def literal(text: str) -> str:
    """A text in quotation marks."""
    return f'"{_TO_ESCAPE.sub(_escaped, text)}"'


def _escaped(match: re.Match[str]) -> str:
    return _ESCAPED.get(match[0]) or f"\\u{ord(match[0]):04X}"


def number(value: float) -> str:
    """A number of double precision."""
    return f'"{value!r}"^^xsd:double'


def moment(value: datetime) -> str:
    """A time in UTC."""
    return f'"{plain(value)}"^^xsd:dateTime'


def part(name: str) -> str:
    """A name as part of an address: whatever could end it is spelled by its bytes."""
    return quote(name, safe="")
