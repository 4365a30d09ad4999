"""All that a scope knows of one entity, for a page about it."""

from datetime import datetime
from uuid import UUID

from nacre.brain.probing import probed
from nacre.domain import checks, ids
from nacre.domain.dossiers import MAX_VERSIONS, Beliefs, Citation, Connection, TimelineEntry
from nacre.domain.memories import Memory
from nacre.domain.navigation import DIRECTIONS, MAX_PAGE, check_offset
from nacre.domain.operations import Selector
from nacre.domain.scopes import Scope
from nacre.graph.identity import naming
from nacre.graph.reading import dossiers
from nacre.wiring import Parts


@probed("dossiers")
class Dossiers:
    """One entity at a time: what is believed of it and why, its links, who spoke of it, and what was done to it."""

    def __init__(self, parts: Parts, scope: Scope) -> None:
        self._parts = parts
        self._scope = scope
        self._graphs = parts.shown_graphs

    def beliefs(self, entity: Selector, *, as_of: datetime | None = None, versions: int = 10) -> Beliefs:
        """Everything that claims about an entity ever said, and which of it holds, or held at a moment.

        What holds comes first, then the last said; `versions` is how many of each claim are shown.
        """
        moment = checks.optional_instant("as_of", as_of)
        checks.count("versions", versions, maximum=MAX_VERSIONS)
        with self._graphs.read(self._scope) as tx:
            return dossiers.beliefs(tx, naming.subject(tx, entity, moment), moment, versions)

    def connections(
        self,
        entity: Selector,
        *,
        direction: str = "both",
        as_of: datetime | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> list[Connection]:
        """The links at an entity, in force or at a moment, the strongest first, those to plain values among them."""
        moment = checks.optional_instant("as_of", as_of)
        checks.choice("direction", direction, DIRECTIONS)
        checks.count("limit", limit)
        check_offset(offset)
        ways = ("outgoing", "incoming") if direction == "both" else (direction,)
        with self._graphs.read(self._scope) as tx:
            return dossiers.connections(
                tx, naming.subject(tx, entity, moment), ways, slice(offset, offset + limit), moment
            )

    def mentions(self, entity: Selector, *, limit: int = 50, offset: int = 0) -> list[Citation]:
        """Where an entity is spoken of, in context, the last said first."""
        checks.count("limit", limit, maximum=MAX_PAGE)
        check_offset(offset)
        with self._graphs.read(self._scope) as tx:
            return dossiers.mentions(tx, naming.find(tx, entity), limit, offset)

    def memories(self, entity: Selector, *, limit: int = 50, offset: int = 0) -> list[Memory]:
        """The memories in force that speak of an entity, or that claims about it rest on, the last seen first."""
        checks.count("limit", limit, maximum=MAX_PAGE)
        check_offset(offset)
        with self._graphs.read(self._scope) as tx:
            return dossiers.memories(tx, self._scope, naming.find(tx, entity), limit, offset)

    def timeline(self, entity: Selector, *, limit: int = 50, before: UUID | str | None = None) -> list[TimelineEntry]:
        """What was done to an entity, its names, claims and links, the last first; `before` is one to go on from.

        Each event's record is what `undo` takes.
        """
        checks.count("limit", limit, maximum=MAX_PAGE)
        start = ids.parse("before", before) if before else None
        with self._graphs.read(self._scope) as tx:
            return dossiers.timeline(tx, naming.find(tx, entity), start, limit)
