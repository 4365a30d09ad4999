"""A scope as notes for people: one for each entity, with [[wikilinks]], and one for each category of memories."""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import TextIO
from uuid import UUID

from nacre.domain.claims import Claim
from nacre.domain.links import Link
from nacre.domain.memories import GENERAL, Memory, check_category
from nacre.transfer.graphs import Portrait, ScopeGraph
from nacre.transfer.records import attempt, written
from nacre.transfer.rockbot import KEPT

# What a file name or a wikilink cannot hold.
_UNFIT = re.compile(r'[\\/:*?"<>|#^\[\]\x00-\x1f\x7f]+')
MAX_NAME_BYTES = 180

Note = Iterator[str]


def write(graph: ScopeGraph, memories: Iterable[Memory], out: TextIO) -> dict[str, int]:
    """Write all notes into one file; returns how many entities and memories that were."""
    stems, kept = _stems(graph), list(memories)
    for portrait in graph.portraits():
        out.write("\n".join(_entity(portrait, graph, stems)) + "\n\n")
    for category, some in groupby(kept, key=lambda memory: memory.category):
        out.write("\n".join(_category(category, some)) + "\n\n")
    return {"entities": len(graph.entities), "memories": len(kept)}


def write_folder(graph: ScopeGraph, memories: Iterable[Memory], root: Path) -> dict[str, int]:
    """Write a file for each note into an empty folder; returns how many entities and memories that were."""
    stems, kept = _stems(graph), list(memories)
    for portrait in graph.portraits():
        note = (*_front(portrait), *_entity(portrait, graph, stems))
        _write(root / "entities" / f"{stems[portrait.entity.id]}.md", note)
    for category, some in groupby(kept, key=lambda memory: memory.category):
        checked = attempt("category", lambda named=category: check_category(named))  # type: ignore[misc]
        _write(root / "memories" / f"{checked if isinstance(checked, str) else GENERAL}.md", _category(category, some))
    return {"entities": len(graph.entities), "memories": len(kept)}


def _write(path: Path, lines: Iterable[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")


def _stems(graph: ScopeGraph) -> dict[UUID, str]:
    """A file name of its own for every entity: no name can lead elsewhere, and none differs by case alone."""
    taken: set[str] = set()
    stems: dict[UUID, str] = {}
    for key, name in graph.names.items():
        fit = _UNFIT.sub("-", " ".join(name.split())).encode()[:MAX_NAME_BYTES].decode("utf-8", "ignore").strip(" .")
        stem = fit if fit and fit.casefold() not in taken else f"{fit or 'entity'} {key.hex[-6:]}"
        taken.add(stem.casefold())
        stems[key] = stem
    return stems


def _front(portrait: Portrait) -> Note:
    entity = portrait.entity
    yield "---"
    yield f"id: {entity.id}"
    yield f"type: {entity.type.value}"
    # JSON is YAML.
    yield f"aliases: {written(list(entity.aliases))}"
    yield f"created: {entity.created_at:%Y-%m-%d}"
    yield "---"


def _entity(portrait: Portrait, graph: ScopeGraph, stems: dict[UUID, str]) -> Note:
    entity = portrait.entity
    yield f"# {_line(graph.names[entity.id])}"
    yield ""
    felt = [_line(str(portrait.taste))] if portrait.taste and str(portrait.taste) else []
    told = [entity.type.value, *felt, *(f"also {_line(alias)}" for alias in entity.aliases)]
    yield f"*{', '.join(told)}*"
    if entity.description:
        yield from ("", _line(entity.description))
    plain = {name: value for name, value in sorted(entity.properties.items()) if not name.startswith(KEPT)}
    yield from _section("Properties", [f"- {_line(name)}: {_line(value)}" for name, value in plain.items()])
    yield from _section("Claims", [line for claim in portrait.claims for line in _claim(claim, portrait)])
    yield from _section("Links", [line for link in portrait.links for line in _link(link, portrait, graph, stems)])


def _section(title: str, lines: list[str]) -> Note:
    if lines:
        yield from ("", f"## {title}", "", *lines)


def _claim(claim: Claim, portrait: Portrait) -> Note:
    keys = [claim.slot.aspect, *([claim.slot.claim] if claim.slot.claim else [])]
    yield f"- **{'/'.join(keys)}**: {_line(claim.value)}{_held(claim)}"
    yield from _quote(claim.id, portrait)


def _link(link: Link, portrait: Portrait, graph: ScopeGraph, stems: dict[UUID, str]) -> Note:
    end = _line(link.value or "") if link.target is None else _wikilink(stems[link.target], graph.names[link.target])
    yield f"- {link.predicate} {end}{_held(link)}"
    yield from _quote(link.id, portrait)


def _wikilink(stem: str, name: str) -> str:
    return f"[[{stem}]]" if stem == name else f"[[{stem}|{_UNFIT.sub('-', _line(name))}]]"


def _held(fact: Claim | Link) -> str:
    since = f", since {fact.valid_from:%Y-%m-%d}" if fact.valid_from else ""
    until = f", until {fact.valid_to:%Y-%m-%d}" if fact.valid_to else ""
    return f" ({fact.confidence:.2f}{since}{until})"


def _quote(fact: UUID, portrait: Portrait) -> Note:
    if fact in portrait.quotes:
        yield f"  > {_line(portrait.quotes[fact])}"


def _category(category: str, memories: Iterable[Memory]) -> Note:
    yield f"# Memories: {_line(category)}"
    yield ""
    for memory in memories:
        tags = "".join(f" #{tag}" for tag in memory.tags if re.fullmatch(r"[\w/-]+", tag))
        yield f"- {_line(memory.content)} ({memory.created_at:%Y-%m-%d}){tags}"


def _line(text: str) -> str:
    return " ".join(text.split())
