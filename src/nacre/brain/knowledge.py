"""Looking through a scope's graph, and at the state it is in. Nothing here changes what is known."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from nacre.brain.probing import probed
from nacre.domain import checks, graph_reports
from nacre.domain.claims import Claim, ClaimKind, ClaimStatus
from nacre.domain.communities import Communities, CommunityRefresh
from nacre.domain.constellations import Constellation, DrawingLimits
from nacre.domain.graph_reports import GraphHealth, GraphQuality, HygieneReport, Impact
from nacre.domain.navigation import (
    DIRECTIONS,
    MAX_LABELS,
    MAX_PAGE,
    AspectOutline,
    ClaimOutline,
    Dependency,
    EntityDetail,
    EntityPage,
    EntityTree,
    GroupOutline,
    KnowledgeStats,
    Label,
    PinnedEntity,
    TreeLimits,
    check_offset,
)
from nacre.domain.operations import Selector
from nacre.domain.scopes import Scope
from nacre.graph.identity import naming
from nacre.graph.reading import communities, constellations, hygiene, labels, navigation, quality, statistics
from nacre.graph.reading.walks import impact
from nacre.store.base.homes import Homes
from nacre.wiring import Parts

ALL = "all"


@probed("knowledge")
class Knowledge:
    """The graph as people read it. An entity is named by its id, its slug, its name, or a part of its name."""

    def __init__(self, parts: Parts, scope: Scope, graphs: Homes | None = None) -> None:
        self._parts = parts
        self._scope = scope
        self._graphs = graphs or parts.graphs
        self._shown = graphs or parts.shown_graphs

    def entities(
        self,
        *,
        type: str | None = None,  # noqa: A002 - the documents' name
        q: str | None = None,
        limit: int = 50,
        offset: int = 0,
    ) -> EntityPage:
        """The entities in force: the pinned first, then the most mentioned, the last changed, and by name.

        `q` is a part of a name, in any case.
        """
        checks.count("limit", limit, maximum=MAX_PAGE)
        check_offset(offset)
        looked_for = navigation.wanted(type, q)
        with self._shown.read(self._scope) as tx:
            items = navigation.listed(tx, looked_for, limit, offset)
        return EntityPage(items=tuple(items), limit=limit, offset=offset)

    def entity(self, entity: Selector) -> EntityDetail:
        """One entity in numbers: the one that goes by the name, or whose name begins so, or else holds it."""
        with self._shown.read(self._scope) as tx:
            return navigation.detail(tx, entity)

    def labels(self, ids: Sequence[UUID]) -> list[Label]:
        """What ids of entities, claims, links and assertions stand for, in force or not; unknown ids are left out."""
        if not ids:
            return []
        checks.count("ids", len(ids), maximum=MAX_LABELS)
        with self._shown.read(self._scope) as tx:
            return labels.read(tx, list(dict.fromkeys(ids)))

    def tree(
        self, entity: Selector, *, max_aspects: int = 20, max_groups: int = 20, max_claims: int = 50, depth: int = 3
    ) -> EntityTree:
        """What is believed of an entity, in outline: aspects, their groups and their claims."""
        limits = TreeLimits(max_aspects=max_aspects, max_groups=max_groups, max_claims=max_claims, depth=depth)
        with self._shown.read(self._scope) as tx:
            return navigation.tree(tx, entity, limits)

    def aspects(self, entity: Selector, *, limit: int = 50, offset: int = 0) -> list[AspectOutline]:
        """The aspects of an entity, the weightiest first, each with its counts."""
        checks.count("limit", limit, maximum=MAX_PAGE)
        check_offset(offset)
        with self._shown.read(self._scope) as tx:
            return navigation.aspect_outlines(tx, entity, limit, offset)

    def groups(self, entity: Selector, aspect: UUID | str) -> list[GroupOutline]:
        """The groups of an aspect, the fullest first, each with its counts."""
        with self._shown.read(self._scope) as tx:
            return navigation.groups(tx, entity, aspect)

    def claims(self, entity: Selector, aspect: UUID | str, group: str) -> list[ClaimOutline]:
        """The claims of a group, by name, each with what it says now."""
        with self._shown.read(self._scope) as tx:
            return navigation.claims(tx, entity, aspect, group)

    def attributes(
        self,
        entity: Selector,
        aspect: UUID | str,
        group: str | None = None,
        claim: str | None = None,
        *,
        kind: str | None = None,
        status: str = ClaimStatus.ACTIVE.value,
        limit: int = 50,
        offset: int = 0,
    ) -> list[Claim]:
        """Versions of the claims of an aspect, a group or one claim; `status` may be `all`."""
        checks.count("limit", limit, maximum=MAX_PAGE)
        check_offset(offset)
        of_kind = None if kind is None else checks.choice("kind", kind, ClaimKind)
        of_status = None if checks.choice("status", status, [*ClaimStatus, ALL]) == ALL else status
        with self._shown.read(self._scope) as tx:
            return navigation.versions(
                tx,
                entity,
                aspect,
                group=group,
                claim=claim,
                kind=of_kind,
                status=of_status,
                limit=limit,
                offset=offset,
            )

    def dependencies(
        self, entity: Selector, *, direction: str = "both", limit: int = 100, offset: int = 0
    ) -> list[Dependency]:
        """The links in force between an entity and others, the strongest first: incoming, outgoing or both."""
        checks.choice("direction", direction, DIRECTIONS)
        checks.count("limit", limit)
        check_offset(offset)
        ways = ("outgoing", "incoming") if direction == "both" else (direction,)
        with self._shown.read(self._scope) as tx:
            return navigation.dependencies(tx, entity, ways, limit, offset)

    def pinned(self, *, limit: int = 200) -> list[PinnedEntity]:
        """The pinned entities, the last pinned first."""
        checks.count("limit", limit)
        with self._shown.read(self._scope) as tx:
            return navigation.pinned(tx, limit)

    def stats(self) -> KnowledgeStats:
        """How much is known, how much of what is remembered it covers, and where feedback has moved it."""
        with self._shown.read(self._scope) as tx:
            return statistics.knowledge(tx, self._scope)

    def constellation(
        self,
        *,
        limit: int = 150,
        aspects: int = 6,
        attributes: int = 4,
        dependencies: int = 500,
        proposals: int = 50,
        dreams: int = 10,
        shared: bool = True,
        as_of: datetime | None = None,
    ) -> Constellation:
        """The graph as a dashboard draws it, with the graphs of agents whose `read_policy` is `shared`.

        What is pinned comes first, then what has the most links. `as_of` shows what was believed at a moment.
        """
        moment = checks.optional_instant("as_of", as_of)
        span = DrawingLimits(
            limit=limit,
            aspects=aspects,
            attributes=attributes,
            dependencies=dependencies,
            proposals=proposals,
            dreams=dreams,
        )
        with self._shown.read(self._scope) as tx:
            return constellations.draw(tx, self._scope, span, as_of=moment, shared=shared)

    def hygiene(self, *, limit: int = 50, memory_limit: int = 200) -> HygieneReport:
        """What in the graph looks wrong; reading it changes nothing.

        All entities and claims are looked at, and the newest `memory_limit` memories. `limit` is how many findings of
        a kind are shown.
        """
        with self._shown.read(self._scope) as tx:
            return hygiene.report(tx, self._scope, limit=limit, memory_limit=memory_limit)

    def quality(self) -> GraphQuality:
        """How much of what is believed can be looked up, how much of the graph is garbage, and how well it is built."""
        with self._shown.read(self._scope) as tx:
            return quality.report(tx)

    def health(self) -> GraphHealth:
        """Whether recall can walk the graph: how many links pass its gates, and what stops the others."""
        with self._shown.read(self._scope) as tx:
            return quality.walk_report(tx)

    def impact(self, entity: Selector, *, direction: str = "downstream", max_depth: int = 3) -> Impact:
        """What a change of an entity may come to: `downstream` along the links, or `upstream` against them.

        What depends on an entity, uses or requires it has a link to it, and so stands upstream.
        """
        checks.choice("direction", direction, graph_reports.DIRECTIONS)
        checks.count("max_depth", max_depth, maximum=graph_reports.MAX_DEPTH)
        with self._shown.read(self._scope) as tx:
            return impact(tx, naming.find(tx, entity), direction, max_depth)

    def communities(self, *, limit: int = 50, offset: int = 0) -> Communities:
        """Groups of entities that are linked more closely with each other than with the rest, the largest first.

        They are made in the background when many links have changed, at most once an hour.
        """
        checks.count("limit", limit, maximum=MAX_PAGE)
        check_offset(offset)
        with self._graphs.read(self._scope) as tx:
            found = communities.listed(tx, limit, offset)
        self._parts.follow_ups.work_later()
        return found

    def refresh_communities(self) -> CommunityRefresh:
        """Make the communities anew, now."""
        return communities.refresh(self._parts.database, self._graphs.of(self._scope))
