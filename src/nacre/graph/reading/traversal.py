"""Walk from the entities that matter to the memories and turns about them, within every budget.

An item's score is importance × relevance × nearness. Importance is that of the claim that rests on it, or of the
memory itself where the entity is only mentioned. Relevance is how much of the query its words share. Nearness is 1 at
the focal entities and falls with each link by the link's confidence × strength, and once more for the hop.
"""

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock
from time import monotonic
from uuid import UUID
from weakref import WeakKeyDictionary

from nacre.domain.claims import Claim
from nacre.domain.hits import Kind
from nacre.domain.ids import AspectId, ClaimId, EntityId, LinkId, MemoryId, SourceId
from nacre.domain.links import RELATED_TO
from nacre.domain.traversals import EvidencePath, Focus, Traversal, TraversalConfig, TraversalTelemetry
from nacre.graph.reading import evidence
from nacre.graph.reading.evidence import EvidenceHomes, Item
from nacre.store.base.databases import Database, Transaction
from nacre.store.reads import neighbourhoods, traversals
from nacre.store.reads.traversals import TraversalClaim, TraversalEdge
from nacre.text import tokens
from nacre.text.tokens import PackedTerms

HOP_DECAY = 0.7
MAX_ENTITIES = 200
MAX_CONSTRAINTS = 200
# So many times the budget is read, for the most relevant of it to be chosen.
_READ = 5
_ENTITIES_A_STATEMENT = 16
_EDGES_READ = 100

DEFAULT = TraversalConfig()


@dataclass(frozen=True, slots=True)
class _EntityPath:
    """How an entity was reached, and how near it is."""

    nearness: float = 1.0
    links: tuple[LinkId, ...] = ()


# What a traversal brings may well share no word with the query: that is what it is for.
UNRELATED = 0.5
MAX_QUERY = 2_000


class Relevance:
    """From 0.5 for a text without a word of the query to 1 for a text with all of them; 1 where nothing is asked."""

    def __init__(self, query: str | None) -> None:
        self._query = (query or "")[:MAX_QUERY]
        self._asked: dict[str, frozenset[int]] = {}

    def of_text(self, text: str) -> float:
        """The relevance of words."""
        return self.of(tokens.pack(text)) if self._query else 1.0

    def of(self, packed: PackedTerms) -> float:
        """The relevance of words that are packed already."""
        asked = self._terms(packed.language)
        if not asked:
            return 1.0
        shared = len(asked.intersection(key for key, _ in packed.items()))
        return UNRELATED + (1 - UNRELATED) * shared / len(asked)

    def _terms(self, language: str) -> frozenset[int]:
        """The query's terms as a text of a language is indexed."""
        if language not in self._asked:
            packed = tokens.pack(self._query, language)
            self._asked[language] = frozenset(key for key, _ in packed.items())
        return self._asked[language]


@dataclass(slots=True)
class _TraversalRun:
    """A traversal under way: what it may still do, and what it came by."""

    tx: Transaction
    config: TraversalConfig
    places: EvidenceHomes
    relevance: Relevance
    clock: Callable[[], float]
    deadline: float
    ways: dict[UUID, _EntityPath] = field(default_factory=dict)
    collected: set[UUID] = field(default_factory=set)
    aspects: dict[AspectId, None] = field(default_factory=dict)
    constraints: dict[ClaimId, Claim] = field(default_factory=dict)
    items: dict[UUID, Item] = field(default_factory=dict)
    paths: dict[UUID, dict[UUID, EvidencePath]] = field(default_factory=lambda: defaultdict(dict))
    timed_out: bool = False

    def late(self) -> bool:
        """Whether time is up; once it is, it stays so."""
        self.timed_out = self.timed_out or self.clock() >= self.deadline
        return self.timed_out

    def keep(
        self, item: Item, entity: UUID, importance: float, relevance: float, claim: TraversalClaim | None = None
    ) -> None:
        """Note a way to an item; of several that lead through one entity, the best stays."""
        way = self.ways[entity]
        score = importance * max(relevance, self.relevance.of(item.packed)) * way.nearness
        known = self.paths[item.id].get(entity)
        if known is None or score > known.score:
            self.items[item.id] = item
            self.paths[item.id][entity] = EvidencePath(
                entity=EntityId(entity),
                score=score,
                links=way.links,
                aspect=AspectId(claim.aspect) if claim else None,
                claim=ClaimId(claim.id) if claim else None,
            )


def traverse(
    tx: Transaction,
    focus: Focus,
    config: TraversalConfig = DEFAULT,
    *,
    query: str | None = None,
    clock: Callable[[], float] = monotonic,
) -> Traversal:
    """The evidence around a focus, the best first. Time is looked at before every statement and within loops."""
    began = clock()
    places = EvidenceHomes.of(tx, config.scope or tx.scope)
    walk = _TraversalRun(tx, config, places, Relevance(query), clock, began + config.timeout_ms / 1000)
    in_force = neighbourhoods.active(tx, focus.entity_ids[:MAX_ENTITIES])
    focal = [key for key in focus.entity_ids if key in in_force]
    walk.ways = {key: _EntityPath() for key in focal}
    frontier: Sequence[UUID] = focal
    for hop in range(config.max_dependency_hops + 1):
        for some in _portions(frontier):
            if not walk.late():
                _collect(walk, some)
        if hop < config.max_dependency_hops:
            frontier = _next(walk, frontier)
    return _result(walk, focus, focal, (clock() - began) * 1000)


def _collect(walk: _TraversalRun, entities: Sequence[UUID]) -> None:
    """Gather constraints, and the evidence of claims and mentions, of some entities."""
    walk.collected.update(entities)
    room = MAX_CONSTRAINTS - len(walk.constraints)
    walk.constraints |= {each.id: each for each in traversals.constraints(walk.tx, entities, room)}
    if walk.late():
        return
    config = walk.config
    top = traversals.top_aspects(walk.tx, entities, config.max_aspects_per_entity, config.aspect_filter)
    walk.aspects |= dict.fromkeys(aspect.id for aspect in top)
    if top and not walk.late():
        held = traversals.held_in(walk.tx, [aspect.id for aspect in top], _READ * config.max_attributes_per_aspect)
        _collect_claims(walk, held)
    # Whoever asks for one side of an entity does not want whatever else was said of it.
    if config.aspect_filter is None and not walk.late():
        _collect_mentions(walk, entities)


def _collect_claims(walk: _TraversalRun, claims: Iterable[TraversalClaim]) -> None:
    """The evidence of each aspect's most important and most relevant claims."""
    by_aspect: dict[UUID, list[tuple[float, TraversalClaim]]] = defaultdict(list)
    for claim in claims:
        by_aspect[claim.aspect].append((walk.relevance.of_text(claim.text), claim))
    best = [pair for some in by_aspect.values() for pair in _best(some, walk.config.max_attributes_per_aspect)]
    memories = [claim.memory for _, claim in best if claim.memory]
    sources = [claim.source for _, claim in best if claim.source]
    if walk.late():
        return
    known, standing = evidence.items(walk.places, memories, sources)
    for relevance, claim in best:
        if walk.late():
            return
        whole = known.get(claim.memory) if claim.memory else None
        for item in [whole] if whole else standing.get(claim.source, ()) if claim.source else ():
            walk.keep(item, claim.entity, claim.importance, relevance, claim)


def _best(claims: Iterable[tuple[float, TraversalClaim]], limit: int) -> list[tuple[float, TraversalClaim]]:
    return sorted(claims, key=lambda pair: (-pair[0] * pair[1].importance, -pair[1].id.int))[:limit]


def _collect_mentions(walk: _TraversalRun, entities: Sequence[UUID]) -> None:
    """Fill up with what mentions the entities whose claims did not yield enough."""
    enough = walk.config.max_attributes_per_aspect
    yielded = {entity: {item for item, ways in walk.paths.items() if entity in ways} for entity in entities}
    spoken: dict[UUID, list[UUID]] = {}
    for entity in entities:
        if walk.late():
            return
        if len(yielded[entity]) < enough:
            spoken[entity] = traversals.mentions_of(walk.tx, entity, _READ * enough)
    _, standing = evidence.items(walk.places, (), [source for some in spoken.values() for source in some])
    for entity, sources in spoken.items():
        if walk.late():
            return
        new = {item.id: item for source in sources for item in standing[source] if item.id not in yielded[entity]}
        best = sorted(new.values(), key=lambda item: (-item.importance * walk.relevance.of(item.packed), -item.id.int))
        for item in best[: enough - len(yielded[entity])]:
            walk.keep(item, entity, item.importance, 0.0)


def _next(walk: _TraversalRun, frontier: Sequence[UUID]) -> list[UUID]:
    """The entities that the strongest links of each entity lead on to, the nearest first."""
    reached: dict[UUID, _EntityPath] = {}
    for entity in frontier:
        if walk.late():
            break
        edges = traversals.edges_of(walk.tx, entity, walk.config.min_confidence, _EDGES_READ)
        way = walk.ways[entity]
        for edge in _chosen(walk, edges):
            nearness = way.nearness * HOP_DECAY * edge.strength
            if edge.other not in reached or reached[edge.other].nearness < nearness:
                reached[edge.other] = _EntityPath(nearness, (*way.links, LinkId(edge.id)))
    room = max(MAX_ENTITIES - len(walk.ways), 0)
    nearest = sorted(reached, key=lambda key: (-reached[key].nearness, key.int))[:room]
    walk.ways |= {key: reached[key] for key in nearest}
    return nearest


def _chosen(walk: _TraversalRun, edges: Sequence[TraversalEdge]) -> list[TraversalEdge]:
    """An entity's strong links to new entities; or, where it has no strong link at all, those by co-occurrence."""
    strong = [edge for edge in edges if edge.strength >= walk.config.min_dependency_strength]
    followed = strong or [edge for edge in edges if edge.predicate == RELATED_TO]
    new: dict[UUID, TraversalEdge] = {}
    for edge in followed:
        if edge.other not in walk.ways:
            new.setdefault(edge.other, edge)
    return list(new.values())[: walk.config.max_branching]


def _portions(entities: Sequence[UUID]) -> Iterator[Sequence[UUID]]:
    return (entities[at : at + _ENTITIES_A_STATEMENT] for at in range(0, len(entities), _ENTITIES_A_STATEMENT))


def _result(walk: _TraversalRun, focus: Focus, focal: Sequence[EntityId], took_ms: float) -> Traversal:
    ways = {item: tuple(sorted(found.values(), key=lambda path: -path.score)) for item, found in walk.paths.items()}
    ranked = sorted(ways, key=lambda item: (-ways[item][0].score, -item.int))[: walk.config.max_traversal_paths]
    memories = [MemoryId(item) for item in ranked if walk.items[item].kind is Kind.MEMORY]
    turns = [SourceId(item) for item in ranked if walk.items[item].kind is Kind.TURN]
    return Traversal(
        memory_ids=tuple(memories),
        memory_scores={key: ways[key][0].score for key in memories},
        memory_paths={key: ways[key] for key in memories},
        turn_ids=tuple(turns),
        turn_scores={key: ways[key][0].score for key in turns},
        turn_paths={key: ways[key] for key in turns},
        constraints=tuple(walk.constraints.values()),
        entity_count=len(walk.collected),
        timed_out=walk.timed_out,
        active_aspect_ids=tuple(walk.aspects),
        focal_entity_ids=tuple(focal),
        source=focus.source,
        session=focus.session,
        took_ms=took_ms,
    )


MAX_SCOPES = 1_000


class LastTraversals:
    """The last traversal of each scope; of very many scopes, those that were traversed last."""

    def __init__(self, room: int = MAX_SCOPES) -> None:
        self._room = room
        self._last: OrderedDict[UUID, TraversalTelemetry] = OrderedDict()
        self._lock = Lock()

    def note(self, scope_id: UUID, traversal: Traversal, at: datetime) -> None:
        """Note what a traversal came to."""
        seen = TraversalTelemetry(
            at=at,
            source=traversal.source,
            focal_entity_ids=traversal.focal_entity_ids,
            entity_count=traversal.entity_count,
            memory_count=len(traversal.memory_ids),
            turn_count=len(traversal.turn_ids),
            constraint_count=len(traversal.constraints),
            timed_out=traversal.timed_out,
            took_ms=traversal.took_ms,
        )
        with self._lock:
            self._last[scope_id] = seen
            self._last.move_to_end(scope_id)
            while len(self._last) > self._room:
                self._last.popitem(last=False)

    def of(self, scope_id: UUID) -> TraversalTelemetry | None:
        """The last traversal of a scope, if there was one since the brain was opened."""
        with self._lock:
            return self._last.get(scope_id)


_LAST: WeakKeyDictionary[Database, LastTraversals] = WeakKeyDictionary()
_LOCK = Lock()


def last_traversals(database: Database) -> LastTraversals:
    """What is known of the traversals of a database; forgotten with it."""
    with _LOCK:
        return _LAST.setdefault(database, LastTraversals())
