"""Agents: what each shares, its teams, and what others may read of it."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from nacre.access import sharing
from nacre.brain.graph import Graph
from nacre.brain.probing import probed
from nacre.domain import checks
from nacre.domain.documents import check_members
from nacre.domain.entities import Entity
from nacre.domain.graph_reports import GraphPicture, GraphStats, Walk
from nacre.domain.links import Link
from nacre.domain.navigation import check_offset
from nacre.domain.operations import Selector
from nacre.domain.scopes import Scope, ScopeInfo
from nacre.domain.sharing import SharingSettings, own_scope
from nacre.store.base.homes import Homes
from nacre.wiring import Parts


@probed("teams")
class Teams:
    """The teams of one agent. Whoever leaves a team sees its documents no more; nothing is removed."""

    def __init__(self, parts: Parts, agent: str) -> None:
        self._parts = parts
        self._scope = own_scope(agent)

    def set(self, team: str, members: Iterable[str]) -> dict[str, list[str]]:
        """Let a team have these members and no others; without any, there is no such team. Returns every team."""
        named, chosen = checks.name("team", team), check_members(members)
        return sharing.set_team(self._parts.database, self._scope, named, chosen)

    def leave(self, user: str) -> None:
        """Take a user out of every team."""
        sharing.leave_teams(self._parts.database, self._scope, user)

    def list(self) -> dict[str, list[str]]:
        """Every team and its members, by name."""
        return sharing.teams(self._parts.database, self._scope)


@probed("agent")
class Agent:
    """One agent, whoever it speaks with."""

    def __init__(self, parts: Parts, name: str) -> None:
        self._parts = parts
        self._scope = own_scope(name)

    def users(self) -> list[str]:
        """The users that something was kept for with this agent, by name."""
        return sharing.users(self._parts.database, self._scope.agent)

    def scopes(self, *, limit: int = 100, offset: int = 0) -> list[ScopeInfo]:
        """The users and chats that something was kept for, the agent's own memory first."""
        checks.count("limit", limit)
        check_offset(offset)
        return sharing.scopes_of_agent(self._parts.database, self._scope.agent, limit, offset)

    @property
    def teams(self) -> Teams:
        """Who of the agent's users share documents with each other."""
        return Teams(self._parts, self._scope.agent)

    def sharing(self) -> SharingSettings:
        """What the agent shares: nothing, unless it was told to."""
        return sharing.settings(self._parts.database, self._scope)

    def share(
        self, *, knowledge_graph: bool | None = None, memory: bool | None = None, read_policy: str | None = None
    ) -> SharingSettings:
        """Change what the agent shares; what is not named stays as it is.

        `knowledge_graph` and `memory` give all its users and chats one graph, or one long-term memory. `read_policy`
        is `shared` where other agents may read its graph, and `isolated` where not. Nothing is moved or lost: what
        was kept before is there again when the setting is. What was said before is learned before, so that it stays
        where it was said; a language model does not read it any more.
        """
        self._parts.learner.settle_all(agent=self._scope.agent)
        if knowledge_graph is not None and self._parts.model_worker:
            self._parts.model_worker.pass_over(self._scope.agent)
        return sharing.share(
            self._parts.database,
            self._scope,
            knowledge_graph=knowledge_graph,
            memory=memory,
            read_policy=read_policy,
        )


class OpenGraph:
    """Another agent's graph, to read; `Denied` unless that agent's `read_policy` is `shared`."""

    def __init__(self, parts: Parts, scope: Scope) -> None:
        self._graph = Graph(parts, scope, Homes(parts.settled, SharingSettings.open_home))

    def get(self, entity: Selector) -> Entity:
        """The entity in force that goes by an id, a slug or a name."""
        return self._graph.get(entity)

    def links(self, entity: Selector) -> list[Link]:
        """The links in force at an entity, in both directions, the newest first."""
        return self._graph.links(entity)

    def search(
        self,
        query: str | None = None,
        *,
        type: str | None = None,  # noqa: A002 - the documents' name
        limit: int = 10,
        offset: int = 0,
    ) -> list[Entity]:
        """Entities by name and description, prefixes included; without a query, the last changed first."""
        return self._graph.search(query, type=type, limit=limit, offset=offset)

    def mentioned(self, text: str) -> list[Entity]:
        """The entities that a text names, in its order."""
        return self._graph.mentioned(text)

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
        return self._graph.walk(seeds, hops=hops, limit=limit, direction=direction, as_of=as_of)

    def profile(self, message: str | None = None, *, budget: int = 300) -> str:
        """The `[KNOWLEDGE GRAPH]` block: what `message` names first, then the last changed, within a budget."""
        return self._graph.profile(message, budget=budget)

    def stats(self) -> GraphStats:
        """How many entities and links are in force, and of what types."""
        return self._graph.stats()

    def picture(self, *, limit: int = 200) -> GraphPicture:
        """The most connected entities and the links between them, at most three times as many, for drawing."""
        return self._graph.picture(limit=limit)
