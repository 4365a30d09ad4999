"""A scope's knowledge graph."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from datetime import datetime
from uuid import UUID

from nacre.brain.probing import probed
from nacre.domain import checks, ids
from nacre.domain.audits import CALLER, AuditRecord
from nacre.domain.commands import Command, Operation
from nacre.domain.contexts import MAX_BUDGET
from nacre.domain.duplicates import Decision, DuplicateCandidate
from nacre.domain.entities import Entity, Node
from nacre.domain.errors import Invalid, Misconfigured
from nacre.domain.extractions import Extraction
from nacre.domain.graph_reports import GraphPicture, GraphSketch, GraphStats, Walk
from nacre.domain.links import Link, Taste
from nacre.domain.navigation import check_offset
from nacre.domain.operation_results import DuplicateReport, OperationResult
from nacre.domain.operations import (
    ArchiveEntity,
    ArchiveLink,
    CleanUpGraph,
    DismissDuplicate,
    MergeEntities,
    PruneGraph,
    Selector,
    SourceQuote,
    UpsertEntity,
    UpsertLink,
)
from nacre.domain.scopes import Scope
from nacre.graph.identity import matching, naming
from nacre.graph.operations import duplicates, path
from nacre.graph.reading import evidence, nodes, profiles, searching, statistics, walks
from nacre.memory import histories
from nacre.store.base.homes import Homes
from nacre.wiring import Parts

MAX_LINKS = MAX_DRAWN = 10_000


@probed("graph")
class Graph:
    """Entities and the links between them. An entity is named by its id, its slug or any of its names."""

    def __init__(self, parts: Parts, scope: Scope, graphs: Homes | None = None) -> None:
        self._parts = parts
        self._scope = scope
        self._graphs = graphs or parts.graphs

    def add(
        self,
        name: str,
        *,
        type: str = "unknown",  # noqa: A002 - the documents' name
        slug: str | None = None,
        description: str | None = None,
        aliases: Iterable[str] = (),
        properties: Mapping[str, str] | None = None,
        confidence: float = 1.0,
        said_in: UUID | str | None = None,
        quote: str | None = None,
        actor: str = CALLER,
    ) -> Entity:
        """Add an entity, or add to the one that has the slug or goes by the name; nothing it knew is lost.

        `said_in` is the evidence that speaks of it, such as an observed turn's id, and `quote` the exact words in it.
        """
        applied = self.upsert(
            name,
            type=type,
            slug=slug,
            description=description,
            aliases=aliases,
            properties=properties,
            confidence=confidence,
            said_in=said_in,
            quote=quote,
            actor=actor,
        )
        return self.get(applied.outcome.entity or name)

    def upsert(
        self,
        name: str,
        *,
        type: str = "unknown",  # noqa: A002 - the documents' name
        slug: str | None = None,
        description: str | None = None,
        aliases: Iterable[str] = (),
        properties: Mapping[str, str] | None = None,
        confidence: float = 1.0,
        said_in: UUID | str | None = None,
        quote: str | None = None,
        actor: str = CALLER,
    ) -> OperationResult:
        """As `add`, for those who want what was done rather than what came of it."""
        operation = UpsertEntity(
            name=name,
            type=type,
            slug=slug,
            description=description,
            aliases=tuple(aliases),
            properties=properties or {},
            confidence=confidence,
            evidence=quoted(self._parts, self._scope, said_in, quote),
        )
        return self.apply([operation], actor=actor)[0]

    def link(
        self,
        source: Selector,
        predicate: str,
        target: Selector | None = None,
        *,
        value: str | None = None,
        confidence: float = 1.0,
        strength: float = 1.0,
        reason: str | None = None,
        properties: Mapping[str, str] | None = None,
        valid_from: datetime | None = None,
        valid_to: datetime | None = None,
        said_in: UUID | str | None = None,
        quote: str | None = None,
    ) -> Link:
        """Link two entities, or an entity and a plain value; unknown names become entities of their own.

        `said_in` is the evidence it rests on, such as an observed turn's id, and `quote` the exact words in it.
        """
        operation = UpsertLink(
            source=source,
            predicate=predicate,
            target=target,
            value=value,
            confidence=confidence,
            strength=strength,
            reason=reason,
            properties=properties or {},
            valid_from=valid_from,
            valid_to=valid_to,
            evidence=quoted(self._parts, self._scope, said_in, quote),
        )
        key = self.apply([operation])[0].outcome.link
        with self._graphs.read(self._scope) as tx:
            return nodes.link(tx, key)

    def get(self, entity: Selector, *, as_of: datetime | None = None) -> Entity:
        """The entity that goes by an id, a slug or a name: in force, or as it was at a moment."""
        moment = checks.optional_instant("as_of", as_of)
        with self._graphs.read(self._scope) as tx:
            return naming.find(tx, entity, moment)

    def get_many(self, keys: Sequence[UUID], *, as_of: datetime | None = None) -> list[Entity]:
        """The entities with these ids, in their order, in force or not, or as they were at a moment."""
        moment = checks.optional_instant("as_of", as_of)
        with self._graphs.read(self._scope) as tx:
            return nodes.by_ids(tx, keys, moment)

    def first_said_in(self, keys: Sequence[UUID]) -> dict[UUID, UUID]:
        """The first piece of evidence that speaks of each of these entities, where there is any."""
        with self._graphs.read(self._scope) as tx:
            return nodes.first_sources(tx, keys)

    def home(self) -> Scope:
        """Where the graph is kept: in the scope itself, or in the agent's own where it shares its graph."""
        return self._graphs.of(self._scope)

    def links(self, entity: Selector, *, as_of: datetime | None = None, limit: int | None = None) -> list[Link]:
        """The links in force at an entity, or at a moment, in both directions, the newest first; all, or so many."""
        moment = checks.optional_instant("as_of", as_of)
        if limit is not None:
            checks.count("limit", limit, maximum=MAX_LINKS)
        with self._graphs.read(self._scope) as tx:
            return nodes.links_at(tx, entity, moment, limit)

    def node(self, entity: Selector, *, as_of: datetime | None = None, limit: int | None = None) -> Node:
        """An entity and the links in force at it, or at a moment, the newest first; all links, or so many.

        It may come from the cache, where there is one.
        """
        moment = checks.optional_instant("as_of", as_of)
        if limit is not None:
            checks.count("limit", limit, maximum=MAX_LINKS)
        with self._graphs.read(self._scope) as tx:
            return nodes.find(tx, entity, moment, limit, self._parts.cache)

    def extract(
        self,
        text: str,
        *,
        provider: str | None = None,
        model: str | None = None,
        min_confidence: float | None = None,
        ref: str | None = None,
        dry_run: bool = False,
    ) -> Extraction:
        """Bring what a text says into the graph: read by a language model where there is one, else by rules.

        The text is kept as evidence. `provider` and `model` name one of the settings' choices.
        """
        try:
            return self._parts.extractor.extract(
                self._scope,
                text,
                provider=provider,
                model=model,
                min_confidence=min_confidence,
                ref=ref,
                dry_run=dry_run,
            )
        except Misconfigured as error:
            if provider or model:
                raise Invalid("model", f"cannot be used: {str(error).rstrip('.')}") from error
            raise

    def archive(self, entity: Selector, *, reason: str | None = None, actor: str = CALLER) -> OperationResult:
        """Take an entity and its links out of force."""
        return self.apply([ArchiveEntity(entity=entity, reason=reason)], actor=actor)[0]

    def archive_link(self, link: UUID | str, *, reason: str | None = None) -> OperationResult:
        """Take a link out of force."""
        return self.apply([ArchiveLink(link=link, reason=reason)])[0]

    def merge(
        self,
        target: Selector,
        source: Selector,
        *,
        reason: str | None = None,
        force: bool = False,
        actor: str = CALLER,
    ) -> OperationResult:
        """Make two entities one: the source gives all it has to the target.

        A source that is pinned, or of another type, is only merged by force.
        """
        return self.apply([MergeEntities(target=target, source=source, reason=reason, force=force)], actor=actor)[0]

    def resolve(self, changed: Sequence[Selector]) -> DuplicateReport:
        """Merge what changed entities almost certainly duplicate, and queue what they may duplicate for review."""
        with self._graphs.write(self._scope) as tx:
            return duplicates.resolve(tx, [naming.find(tx, each).id for each in changed], self._parts.embedder)

    def scan_duplicates(self, *, threshold: float = 0.9, limit: int = 100) -> int:
        """Look for duplicates in the whole graph and queue them for review; returns how many are new."""
        checks.count("limit", limit)
        with self._graphs.write(self._scope) as tx:
            bar = checks.fraction("threshold", threshold)
            return duplicates.scan(tx, self._parts.embedder, threshold=bar, limit=limit)

    def duplicates(
        self, *, status: str = Decision.PENDING.value, limit: int = 50, offset: int = 0
    ) -> list[DuplicateCandidate]:
        """The pairs of entities that wait for a decision, the most alike first. `merge` decides one way.

        A `status` of `dismissed` or `merged` shows what was decided, the last first.
        """
        wanted = Decision(checks.choice("status", status, list(Decision)))
        with self._graphs.read(self._scope) as tx:
            return duplicates.listed(tx, wanted, limit=checks.count("limit", limit), offset=check_offset(offset))

    def dismiss_duplicate(
        self, candidate: UUID | str, *, reason: str | None = None, actor: str = CALLER
    ) -> OperationResult:
        """Decide that two entities are not the same; the pair does not come back, unless that is undone."""
        key = ids.parse("candidate", candidate)
        return self.apply([DismissDuplicate(candidate=key, reason=reason)], actor=actor)[0]

    def prune(self, min_confidence: float, *, dry_run: bool = False) -> OperationResult:
        """Take what is less sure than `min_confidence` out of force; a dry run only counts."""
        return self.apply([PruneGraph(min_confidence=min_confidence)], dry_run=dry_run)[0]

    def clean_up(self, *, untouched_since: datetime, dry_run: bool = False) -> OperationResult:
        """Take out of force what was neither changed nor spoken of since a moment; a dry run only counts."""
        return self.apply([CleanUpGraph(untouched_since=untouched_since)], dry_run=dry_run)[0]

    def search(
        self,
        query: str | None = None,
        *,
        type: str | None = None,  # noqa: A002 - the documents' name
        limit: int = 10,
        offset: int = 0,
        as_of: datetime | None = None,
    ) -> list[Entity]:
        """Entities by name and description, prefixes included; without a query, the last changed first.

        `as_of` finds what was in force at a moment and shows it as it was.
        """
        moment = checks.optional_instant("as_of", as_of)
        with self._graphs.read(self._scope) as tx:
            if query is None:
                return searching.newest(tx, type=type, limit=limit, offset=offset, as_of=moment)
            asked = checks.text("query", query)
            return searching.search(tx, asked, type=type, limit=limit, offset=offset, as_of=moment)

    def mentioned(self, text: str) -> list[Entity]:
        """The entities that a text names, in its order."""
        with self._graphs.read(self._scope) as tx:
            return matching.mentioned(tx, checks.text("text", text))

    def walk(
        self,
        seeds: Sequence[Selector],
        *,
        hops: int = 2,
        limit: int = 15,
        direction: str = "both",
        as_of: datetime | None = None,
    ) -> Walk:
        """Everything within `hops` of entities, each once and by a shortest way, and the best links on the way."""
        moment = checks.optional_instant("as_of", as_of)
        with self._graphs.read(self._scope) as tx:
            starts = [naming.subject(tx, seed, moment).id for seed in seeds]
            return walks.walk(tx, starts, hops=hops, limit=limit, direction=direction, as_of=moment)

    def tastes(self, keys: Sequence[UUID], *, as_of: datetime | None = None) -> dict[UUID, Taste]:
        """Who likes and who dislikes the preferences among these entities, now or at a moment."""
        moment = checks.optional_instant("as_of", as_of)
        with self._graphs.read(self._scope) as tx:
            return nodes.of_entities(tx, keys, moment)

    def profile(self, message: str | None = None, *, budget: int = 300, as_of: datetime | None = None) -> str:
        """The `[KNOWLEDGE GRAPH]` block: what `message` names first, then the last changed, within a budget."""
        checks.count("budget", budget, maximum=MAX_BUDGET)
        with self._graphs.read(self._scope) as tx:
            return profiles.profile(tx, message, budget, checks.optional_instant("as_of", as_of))

    def stats(self, *, as_of: datetime | None = None) -> GraphStats:
        """How many entities and links are in force, or were at a moment, and of what types."""
        with self._graphs.read(self._scope) as tx:
            return statistics.stats(tx, checks.optional_instant("as_of", as_of))

    def picture(self, *, limit: int = 200, as_of: datetime | None = None, values: bool = True) -> GraphPicture:
        """The most connected entities and the links between them, at most three times as many, for drawing.

        Links to plain values are among them, unless `values` is False.
        """
        checks.count("limit", limit, maximum=MAX_DRAWN)
        moment = checks.optional_instant("as_of", as_of)
        with self._graphs.read(self._scope) as tx:
            return statistics.picture(tx, limit, moment, values=values)

    def sketch(self, *, limit: int = 2_000) -> GraphSketch:
        """As `picture`, for many entities: few words for each, and how many there are in all."""
        checks.count("limit", limit, maximum=MAX_DRAWN)
        with self._graphs.read(self._scope) as tx:
            return statistics.sketch(tx, limit)

    def apply(
        self, batch: Sequence[Operation | Command], *, actor: str = CALLER, dry_run: bool = False
    ) -> list[OperationResult]:
        """Carry out operations in order, all or none; a dry run shows what they would come to."""
        checks.name("actor", actor)
        run = path.dry_run if dry_run else path.apply
        with self._graphs.write(self._scope) as tx, tx.tried() if dry_run else nullcontext():
            path.bring_evidence(tx, batch, self._scope)
            return run(tx, batch, actor=actor)

    def undo(self, operation: UUID | str, *, actor: str = CALLER) -> OperationResult:
        """Take back an operation or a batch by its id, unless something later rests on it."""
        with self._graphs.write(self._scope) as tx:
            key = ids.parse("operation", operation)
            return histories.undo_in(tx, self._scope, key, checks.name("actor", actor), self._parts.embedder)

    def history(self, *, limit: int = 50, before: int | None = None) -> list[AuditRecord]:
        """What was done to the graph, the last operation first."""
        with self._graphs.read(self._scope) as tx:
            return histories.newest_here(tx, checks.count("limit", limit), before)


def quoted(parts: Parts, scope: Scope, said_in: UUID | str | None, quote: str | None) -> SourceQuote | None:
    """The evidence that a caller names: a source, and its exact words or all of it."""
    if said_in is None:
        return None
    key = ids.parse("said_in", said_in)
    with parts.database.read(scope) as tx:
        return evidence.quoted(tx, key, quote)
