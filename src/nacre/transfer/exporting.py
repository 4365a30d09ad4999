"""Writes a scope for others, in any of the formats, as it is at one moment."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TextIO

from nacre.domain.errors import Invalid
from nacre.domain.scopes import Scope
from nacre.domain.sharing import SharingSettings
from nacre.domain.transfers import Format, Transfer
from nacre.store.base import sharing
from nacre.store.base.databases import Database, Transaction
from nacre.transfer import files, graphml, graphs, markdown, mcp, rockbot_folders, scopes, turtle
from nacre.transfer.graphs import ScopeGraph

# What is written into a file, and into a folder, from where a scope keeps its graph and its memories.
Writer = Callable[[Transaction, Transaction, TextIO], dict[str, int]]
Filler = Callable[[Transaction, Transaction, Path], dict[str, int]]

WRITERS: Mapping[Format, Writer] = {
    Format.MCP: lambda graph, _kept, out: mcp.write(ScopeGraph(graph), out),
    Format.GRAPHML: lambda graph, _kept, out: graphml.write(ScopeGraph(graph), out),
    Format.TURTLE: lambda graph, _kept, out: turtle.write(ScopeGraph(graph), out),
    Format.MARKDOWN: lambda graph, kept, out: markdown.write(ScopeGraph(graph), graphs.in_force(kept), out),
}
FILLERS: Mapping[Format, Filler] = {
    Format.MARKDOWN: lambda graph, kept, root: markdown.write_folder(ScopeGraph(graph), graphs.in_force(kept), root),
    Format.ROCKBOT: lambda graph, kept, root: rockbot_folders.write(ScopeGraph(graph), graphs.memories(kept), root),
}


def write(database: Database, scope: Scope, of: Format, out: TextIO) -> Transfer:
    """Write a scope into an open file."""
    with database.read(scope) as tx:
        shared = sharing.of(tx)
        if of is Format.JSONL:
            return Transfer(format=of, counts=scopes.write(tx, out), notes=_elsewhere(shared, scope))
        if of not in WRITERS:
            raise Invalid("path", f"must be a folder: `{of.value}` is more than one file")
        return Transfer(format=of, counts=WRITERS[of](*_homes(tx, shared, scope), out))


def write_to(database: Database, scope: Scope, of: Format, path: Path) -> Transfer:
    """Write a scope to a path: a folder where the format is one, or where Markdown is not to be one file."""
    if of not in FILLERS or (of in WRITERS and path.suffix):
        with files.new_file(path) as out:
            return write(database, scope, of, out)
    with files.new_folder(path) as root, database.read(scope) as tx:
        return Transfer(format=of, counts=FILLERS[of](*_homes(tx, sharing.of(tx), scope), root))


def _homes(tx: Transaction, shared: SharingSettings, scope: Scope) -> tuple[Transaction, Transaction]:
    return sharing.moved(tx, shared.graph_home(scope)), sharing.moved(tx, shared.memory_home(scope))


def _elsewhere(shared: SharingSettings, scope: Scope) -> tuple[str, ...]:
    kept = {"graph is": shared.graph_home(scope), "memories are": shared.memory_home(scope)}
    return tuple(
        f"The {name} kept in `{home}`, which the agent shares: export that, too."
        for name, home in kept.items()
        if home != scope
    )
