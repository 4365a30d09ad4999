"""The tools an agent calls, with the names and parameters of the documents: hand `tools(...)` to any agent framework.

Each answers with a short text for the agent to read. A refusal is a `NacreError` whose message says what to do.
"""

from collections.abc import Callable

from nacre.brain import ScopedNacre
from nacre.domain.working import session_namespace
from nacre.tools.graph import GraphTools
from nacre.tools.memory import MemoryTools
from nacre.tools.vault import VaultTools
from nacre.tools.working import WorkingMemoryTools

__all__ = ["GraphTools", "MemoryTools", "Tool", "VaultTools", "WorkingMemoryTools", "tools"]

Tool = Callable[..., str]


def tools(scope: ScopedNacre, *, session: str | None = None, namespace: str | None = None) -> list[Tool]:
    """Every tool as a typed, documented function, for an agent in a session or another namespace."""
    memory, graph = MemoryTools(scope), GraphTools(scope)
    offered: list[Tool] = [
        memory.save_memory,
        memory.search_memory,
        memory.delete_memory,
        memory.list_memory_categories,
        graph.knowledge_graph,
        graph.knowledge_graph_search,
        VaultTools(scope).vault_search,
    ]
    own = namespace or (session_namespace(session) if session else None)
    if own:
        working = WorkingMemoryTools(scope, own)
        offered += [
            working.save_to_working_memory,
            working.get_from_working_memory,
            working.list_working_memory,
            working.search_working_memory,
            working.delete_from_working_memory,
        ]
    return offered
