"""Entities and memories as resources: listed by importance, read as text."""

from collections.abc import Iterator, Mapping
from urllib.parse import quote, unquote
from uuid import UUID

import mcp_types as types

from nacre.brain import ScopedNacre
from nacre.domain.entities import Entity
from nacre.domain.errors import Invalid
from nacre.domain.tastes import Taste
from nacre.graph.reading import rendering
from nacre.tools import lines

ENTITY, MEMORY = "nacre://entity/", "nacre://memory/"
TEXT = "text/plain"
LISTED = 20
# Among how many of the last seen memories the most important are looked for.
LOOKED_AT = 200
MAX_LINKS = 50

TEMPLATES = [
    types.ResourceTemplate(
        uri_template=f"{ENTITY}{{name}}",
        name="entity",
        title="A person or thing",
        description="What is known of an entity, by its name or slug: what it is like and how it is connected.",
        mime_type=TEXT,
    ),
    types.ResourceTemplate(
        uri_template=f"{MEMORY}{{id}}",
        name="memory",
        title="A memory",
        description="A long-term memory by its id, with the words it rests on.",
        mime_type=TEXT,
    ),
]


def listing(scope: ScopedNacre) -> list[types.Resource]:
    """The most important entities and memories."""
    entities = scope.knowledge.entities(limit=LISTED).items
    seen = [match.memory for match in scope.memories.search(limit=LOOKED_AT)]
    memories = sorted(seen, key=lambda memory: -memory.importance)[:LISTED]
    felt = scope.graph.tastes([each.entity.id for each in entities])
    return [
        *(_resource(ENTITY + quote(e.entity.slug, safe=""), e.entity.name, _kind(e.entity, felt)) for e in entities),
        *(_resource(MEMORY + each.short, each.short, each.content) for each in memories),
    ]


def _kind(entity: Entity, felt: Mapping[UUID, Taste]) -> str:
    """What an entity is; of what is disliked, by whom."""
    return ", ".join(filter(None, (entity.type.value, str(felt.get(entity.id, "")))))


def _resource(uri: str, name: str, description: str) -> types.Resource:
    return types.Resource(uri=uri, name=rendering.one_line(name), description=lines.short(description), mime_type=TEXT)


def read(scope: ScopedNacre, uri: str) -> str:
    """What a resource says."""
    if uri.startswith(ENTITY):
        return lines.fenced(_entity(scope, unquote(uri.removeprefix(ENTITY))))
    if uri.startswith(MEMORY):
        return lines.fenced(_memory(scope, unquote(uri.removeprefix(MEMORY))))
    raise Invalid("uri", f"must begin with {ENTITY} or {MEMORY}")


def _entity(scope: ScopedNacre, name: str) -> Iterator[str]:
    node = scope.graph.node(name)
    found, links = node.entity, node.links
    yield f"{rendering.one_line(found.name)} ({_kind(found, scope.graph.tastes([found.id]))})"
    if found.description:
        yield lines.short(found.description)
    if found.aliases:
        yield f"Also called: {', '.join(map(rendering.one_line, found.aliases))}"
    yield from (f"- {each.slot}: {lines.short(each.value)}" for each in scope.ontology.claims(found.id))
    ends = dict.fromkeys(end for link in links[:MAX_LINKS] for end in (link.source, link.target) if end)
    names: dict[UUID, str] = {each.id: each.name for each in scope.graph.get_many(list(ends))}
    yield from (f"- {edge}" for edge in rendering.edge_lines(links[:MAX_LINKS], names))
    if len(links) > MAX_LINKS:
        yield f"- … and {len(links) - MAX_LINKS} more connections"


def _memory(scope: ScopedNacre, key: str) -> Iterator[str]:
    memory = scope.memories.get(key)
    tags = f", tagged {', '.join(memory.tags)}" if memory.tags else ""
    yield f"[{memory.short}] {memory.category}{tags}; {memory.status.value}, kept on {memory.created_at:%Y-%m-%d}"
    yield memory.content
    for each in scope.memories.evidence(memory.id):
        yield from lines.grounds(each)
