"""The knowledge graph for an agent."""

from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

from nacre.brain import ScopedNacre
from nacre.domain import checks
from nacre.domain.entities import Entity, EntityType
from nacre.domain.errors import Invalid, NotFound
from nacre.domain.graph_reports import ReachedNode
from nacre.domain.links import Link, Taste
from nacre.graph.reading import rendering
from nacre.text.injections import neutral
from nacre.text.tokens import content_words
from nacre.tools import lines

LISTED, WALKED, DIRECT, FOUND, RELATIONS, HINTS = 30, 20, 10, 10, 5, 10
DEPTH, MAX_DEPTH = 2, 3
MAX_LINKS = 50
# Databases bound the parameters of a statement.
AT_ONCE = 500
EVERYTHING = "*"
NOTHING = "The graph is empty."


class GraphTools:
    """People, projects and things, and how they hang together."""

    def __init__(self, scope: ScopedNacre) -> None:
        self._graph = scope.graph

    def knowledge_graph(  # noqa: PLR0917 - the parameters of the document, as models call them
        self,
        action: str,
        query: str | None = None,
        type: str | None = None,  # noqa: A002 - the document's name
        entity_id: str | None = None,
        entity: str | None = None,
        depth: int = DEPTH,
    ) -> str:
        """Ask the knowledge graph: `search` by query, `list` a type, `get` an entity, or follow its `neighbors`."""
        match checks.choice("action", action, ("search", "list", "get", "neighbors")):
            case "search":
                return self._entities(self._asked(_needed("query", query), type)) or self._hints()
            case "list":
                return self._entities(self._graph.search(type=type, limit=LISTED)) or NOTHING
            case "get":
                return self._whole(_needed("entity_id", entity_id or entity))
            case _:
                checks.count("depth", depth, maximum=MAX_DEPTH)
                return self._chains(_needed("entity", entity or entity_id), depth)

    def knowledge_graph_search(
        self, query: str, entity_type: str | None = None, entity_id: str | None = None, max_depth: int = DEPTH
    ) -> str:
        """Find entities by name or keyword (`*` lists all), or start at one and follow its connections both ways."""
        checks.text("query", query)
        depth = checks.count("max_depth", max_depth, maximum=MAX_DEPTH)
        if entity_id is not None:
            reached = self._reached(entity_id, depth) or self._direct(entity_id)
            if reached:
                return reached
        if query == EVERYTHING:
            return self._entities(self._graph.search(type=entity_type, limit=LISTED)) or NOTHING
        return self._with_relations(self._asked(query, entity_type)) or self._hints()

    def _asked(self, query: str, kind: str | None) -> list[Entity]:
        """Entities that a question names, else those that its words find."""
        named = [each for each in self._graph.mentioned(query) if kind is None or each.type == kind]
        words = " ".join(content_words(query)) or query
        found = self._graph.search(words, type=kind, limit=FOUND)
        return list({each.id: each for each in [*named, *found]}.values())[:FOUND]

    def _whole(self, selector: str) -> str:
        found = self._graph.node(selector)
        return "\n".join([self._entities([found.entity]), *self._lines(found.links)])

    def _chains(self, selector: str, depth: int) -> str:
        found = self._graph.get(selector)
        walk = self._graph.walk([found.id], hops=depth, limit=WALKED)
        names = self._names([step for node in walk.nodes for step in node.path])
        values = [
            rendering.ARROW.join([found.name, link.predicate, link.value])
            for link in walk.links
            if link.value and link.source == found.id
        ]
        shown = [*values, *rendering.chains(found.name, walk.nodes, names)][:WALKED]
        return "\n".join(shown) or f"{found.name} has no connections."

    def _reached(self, selector: str, depth: int) -> str:
        try:
            start = self._graph.get(selector)
        except NotFound:
            return ""
        nodes = self._graph.walk([start.id], hops=depth, limit=WALKED).nodes[:WALKED]
        known = {node.entity_id: self._graph.get(node.entity_id) for node in nodes}
        names: dict[UUID, str] = {start.id: start.name, **{key: each.name for key, each in known.items()}}
        felt = self._tastes(list(known.values()))
        shown = {key: _line(each, felt) for key, each in known.items()}
        return "\n".join(_reached_line(start, node, shown[node.entity_id], names, nodes) for node in nodes)

    def _direct(self, selector: str) -> str:
        try:
            return "\n".join(self._lines(self._graph.links(selector)[:DIRECT]))
        except NotFound:
            return ""

    def _entities(self, entities: Sequence[Entity]) -> str:
        felt = self._tastes(entities)
        return "\n".join(_line(each, felt) for each in entities)

    def _tastes(self, entities: Sequence[Entity]) -> dict[UUID, Taste]:
        wanted = [each.id for each in entities if each.type is EntityType.PREFERENCE]
        return self._graph.tastes(wanted) if wanted else {}

    def _with_relations(self, entities: Sequence[Entity]) -> str:
        felt = self._tastes(entities)
        return "\n".join(
            line
            for each in entities
            for line in (
                _line(each, felt),
                *(f"  {edge}" for edge in self._lines(self._graph.links(each.id)[:RELATIONS])),
            )
        )

    def _hints(self) -> str:
        known = self._entities(self._graph.search(limit=HINTS))
        return f"Nothing fits. The graph knows, among others:\n{known}" if known else NOTHING

    def _lines(self, links: Sequence[Link]) -> list[str]:
        ends = [end for link in links for end in (link.source, link.target) if end]
        return [neutral(edge) for edge in rendering.edge_lines(links, self._names(ends))]

    def _names(self, ids: Sequence[UUID]) -> dict[UUID, str]:
        wanted = list(dict.fromkeys(ids))
        some = (wanted[start : start + AT_ONCE] for start in range(0, len(wanted), AT_ONCE))
        return {each.id: each.name for keys in some for each in self._graph.get_many(keys)}


def _line(entity: Entity, felt: Mapping[UUID, Taste]) -> str:
    return neutral(rendering.entity_line(entity, felt.get(entity.id)))


def _reached_line(
    start: Entity, node: ReachedNode, entity: str, names: dict[UUID, str], nodes: Sequence[ReachedNode]
) -> str:
    on_the_way = [each for each in nodes if each.entity_id in node.path]
    way = rendering.chains(start.name, on_the_way, names)[-1]
    return f"{entity} (depth {node.depth}, via {node.via}: {way})"


def entity_lines(scope: ScopedNacre, selector: str) -> Iterator[str]:
    """What is known of an entity: what it is like and how it is connected."""
    node = scope.graph.node(selector)
    found, links = node.entity, node.links
    yield f"{rendering.one_line(found.name)} ({kind_and_taste(found, scope.graph.tastes([found.id]))})"
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


def kind_and_taste(entity: Entity, felt: Mapping[UUID, Taste]) -> str:
    """What an entity is; of what is disliked, by whom."""
    return ", ".join(filter(None, (entity.type.value, str(felt.get(entity.id, "")))))


def _needed(field: str, value: str | None) -> str:
    if value is None:
        raise Invalid(field, "is needed for this action")
    return checks.text(field, value)
