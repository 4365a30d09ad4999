"""The graph as GraphML, for drawing and for graph libraries. Plain values are nodes of their own."""

import re
from collections.abc import Mapping
from typing import TextIO
from xml.sax.saxutils import escape, quoteattr

from nacre.domain.claims import Claim
from nacre.domain.links import Link
from nacre.domain.plain import plain
from nacre.transfer.graphs import Portrait, ScopeGraph
from nacre.transfer.records import written

_UNSPEAKABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_NODES = {
    "kind": "string",
    "name": "string",
    "slug": "string",
    "type": "string",
    "description": "string",
    "aliases": "string",
    "properties": "string",
    "confidence": "double",
    "mentions": "int",
    "created_at": "string",
    "updated_at": "string",
}
_EDGES = {
    "kind": "string",
    "predicate": "string",
    "confidence": "double",
    "strength": "double",
    "reason": "string",
    "properties": "string",
    "valid_from": "string",
    "valid_to": "string",
    "quote": "string",
    "created_at": "string",
}


def write(graph: ScopeGraph, out: TextIO) -> dict[str, int]:
    """Write the graph; returns how many entities, links and claims that were."""
    out.write('<?xml version="1.0" encoding="utf-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
    for about, keys in (("node", _NODES), ("edge", _EDGES)):
        for name, kind in keys.items():
            out.write(f'<key id="{about}_{name}" for="{about}" attr.name="{name}" attr.type="{kind}"/>\n')
    out.write('<graph id="G" edgedefault="directed">\n')
    counts = {"entities": 0, "links": 0, "claims": 0}
    # Entities first: some readers want both ends of an edge before the edge.
    for entity in graph.entities:
        held = {name: getattr(entity, name, None) for name in _NODES}
        more = {"kind": "entity", "aliases": "\n".join(entity.aliases), "properties": written(dict(entity.properties))}
        _element(out, "node", {"id": str(entity.id)}, {**held, **more})
        counts["entities"] += 1
    for portrait in graph.portraits():
        for fact in portrait.facts:
            _fact(out, portrait, fact)
            counts["links" if isinstance(fact, Link) else "claims"] += 1
    out.write("</graph>\n</graphml>\n")
    return counts


def _fact(out: TextIO, portrait: Portrait, fact: Link | Claim) -> None:
    target = fact.target if isinstance(fact, Link) else None
    end = f"value-{fact.id}" if target is None else str(target)
    if target is None:
        _element(out, "node", {"id": end}, {"kind": "value", "name": fact.value})
    held = {name: getattr(fact, name, None) for name in _EDGES}
    held |= {"kind": type(fact).__name__.lower(), "quote": portrait.quotes.get(fact.id)}
    if isinstance(fact, Link):
        held["properties"] = written(dict(fact.properties))
    else:
        held["predicate"] = str(fact.slot)
    _element(out, "edge", {"id": str(fact.id), "source": str(portrait.entity.id), "target": end}, held)


def _element(out: TextIO, name: str, attributes: Mapping[str, str], values: Mapping[str, object]) -> None:
    told = " ".join(f"{key}={quoteattr(value)}" for key, value in attributes.items())
    out.write(f"<{name} {told}>\n")
    for key, value in values.items():
        if value not in (None, ""):
            out.write(f'<data key="{name}_{key}">{_text(str(plain(value)))}</data>\n')
    out.write(f"</{name}>\n")


def _text(text: str) -> str:
    """A text between tags. XML has no form for most control characters, and readers make every `\\r` another sign."""
    return escape(_UNSPEAKABLE.sub("\ufffd", text), {"\r": "&#13;"})
