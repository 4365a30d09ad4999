"""Entities and memories as resources: listed by importance, read as text."""

from collections.abc import Iterator
from urllib.parse import quote, unquote

import mcp_types as types

from nacre.brain import ScopedNacre
from nacre.domain.errors import Invalid
from nacre.tools import graph, lines

ENTITY, MEMORY = "nacre://entity/", "nacre://memory/"
TEXT = "text/plain"
LISTED = 20
# Among how many of the last seen memories the most important are looked for.
LOOKED_AT = 200

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
        *(
            _resource(ENTITY + quote(e.entity.slug, safe=""), e.entity.name, graph.kind_and_taste(e.entity, felt))
            for e in entities
        ),
        *(_resource(MEMORY + each.short, each.short, each.content) for each in memories),
    ]


def _resource(uri: str, name: str, description: str) -> types.Resource:
    return types.Resource(uri=uri, name=lines.short(name), description=lines.short(description), mime_type=TEXT)


def read(scope: ScopedNacre, uri: str) -> str:
    """What a resource says."""
    if uri.startswith(ENTITY):
        return lines.fenced(graph.entity_lines(scope, unquote(uri.removeprefix(ENTITY))))
    if uri.startswith(MEMORY):
        return lines.fenced(_memory(scope, unquote(uri.removeprefix(MEMORY))))
    raise Invalid("uri", f"must begin with {ENTITY} or {MEMORY}")


def _memory(scope: ScopedNacre, key: str) -> Iterator[str]:
    memory = scope.memories.get(key)
    tags = f", tagged {', '.join(memory.tags)}" if memory.tags else ""
    yield f"[{memory.short}] {memory.category}{tags}; {memory.status.value}, kept on {memory.created_at:%Y-%m-%d}"
    yield memory.content
    for each in scope.memories.evidence(memory.id):
        yield from lines.grounds(each)
