"""Sharing settings of an agent: among its users, and with other agents."""

from collections import defaultdict
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from nacre.domain import checks
from nacre.domain.errors import Denied, Invalid
from nacre.domain.hits import Kind
from nacre.domain.scopes import Scope

EVERYTHING = frozenset(Kind)
_OF_THE_GRAPH = frozenset({Kind.CLAIM, Kind.LINK})


class ReadPolicy(StrEnum):
    """Who may read an agent's graph: itself alone, or every other agent, too."""

    ISOLATED = "isolated"
    SHARED = "shared"

    @classmethod
    def of(cls, value: object) -> "ReadPolicy":
        """The policy that a caller named."""
        return cls(checks.choice("read_policy", value, cls))


@dataclass(frozen=True, slots=True, kw_only=True)
class SharingSettings:
    """What an agent shares. Each setting stands for itself; turns, sessions and working memory stay personal."""

    share_knowledge_graph: bool = False
    share_memory: bool = False
    read_policy: ReadPolicy = ReadPolicy.ISOLATED

    def __post_init__(self) -> None:
        for field in ("share_knowledge_graph", "share_memory"):
            if not isinstance(getattr(self, field), bool):
                raise Invalid(field, f"must be true or false, not {getattr(self, field)!r}")
        object.__setattr__(self, "read_policy", ReadPolicy.of(self.read_policy))

    def graph_home(self, scope: Scope) -> Scope:
        """The scope that a scope's graph is kept in."""
        return own_scope(scope.agent) if self.share_knowledge_graph else scope

    def memory_home(self, scope: Scope) -> Scope:
        """The scope that a scope's long-term memories are kept in."""
        return own_scope(scope.agent) if self.share_memory else scope

    def open_home(self, scope: Scope) -> Scope:
        """The scope of a graph, for another agent to read."""
        if self.read_policy is not ReadPolicy.SHARED:
            # Whether there is such an agent is none of the reader's business.
            raise Denied(f"No agent `{scope.agent}` lets other agents read its graph.")
        return self.graph_home(scope)

    def places(self, scope: Scope) -> dict[Scope, frozenset[Kind]]:
        """Which scopes hold what a scope may recall, and which kinds of it; its own comes first."""
        if not (self.share_knowledge_graph or self.share_memory):
            return {scope: EVERYTHING}
        kinds: dict[Scope, set[Kind]] = defaultdict(set)
        for kind in Kind:
            kinds[self._home(kind, scope)].add(kind)
        return {place: frozenset(kinds) for place, kinds in kinds.items()}

    def _home(self, kind: Kind, scope: Scope) -> Scope:
        if kind is Kind.MEMORY:
            return self.memory_home(scope)
        return self.graph_home(scope) if kind in _OF_THE_GRAPH else scope


@lru_cache(maxsize=1_000)
def own_scope(agent: str) -> Scope:
    """The scope that belongs to an agent and to none of its users."""
    return Scope(agent=agent)
