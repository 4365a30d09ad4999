"""The notes of Basic Memory: Markdown files with observations and relations between notes.

`- [category] observation #tag (context)` and `- relation [[Target]] (context)` count wherever they stand, but not in
code; the format is that of its NOTE-FORMAT document. The notes themselves are kept as documents.
"""

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from nacre.domain.entities import EntityType, entity_type
from nacre.domain.errors import Invalid
from nacre.domain.operations import UpsertEntity
from nacre.domain.transfers import Format, SkippedRecord
from nacre.text import markdown
from nacre.transfer.mcp import TYPE
from nacre.transfer.records import MAX_RECORD, EntityRecord, FileRecords, LinkRecord, Record, attempt

_NOTE = "note"
_RELATES = "relates_to"
_FENCE = re.compile(r"\s*(?:```|~~~)")
# A box to tick and a link are no observations.
_OBSERVATION = re.compile(r"\s*[-*]\s+\[(?P<category>[^\[\]()|]{2,60})\](?!\()\s+(?P<content>\S.*)")
_RELATION = re.compile(
    r"\s*[-*]\s+(?!\[[^\[])(?P<relation>[^\[\]:]{0,100}?)\s*\[\[(?P<target>[^\[\]|#]{1,200})[^\[\]]*\]\]\s*(?:\(.*\))?\s*"
)
_LOOKED_AT = 20


def is_folder(path: Path) -> bool:
    """Whether notes of a folder have what only Basic Memory gives them."""
    heads = (_text(file) for file in islice(_notes(path), _LOOKED_AT))
    return any("permalink" in markdown.front_matter(head)[0] for head in heads if head)


def parse(path: Path) -> FileRecords:
    """The records of a folder: a thing for each note with what it observes, then the relations."""
    return FileRecords(_records(path))


def _notes(root: Path) -> Iterator[Path]:
    for file in sorted(root.rglob("*.md")):
        if not any(part.startswith(".") for part in file.relative_to(root).parts):
            yield file


def _text(file: Path) -> str:
    """The words of a note; none where it cannot be read, which the sync of the documents reports."""
    try:
        return file.read_bytes()[:MAX_RECORD].decode("utf-8-sig") if file.is_file() else ""
    except (OSError, UnicodeDecodeError):
        return ""


def _records(root: Path) -> Iterator[Record]:
    notes = [(file.relative_to(root).as_posix(), text) for file in _notes(root) if (text := _text(file))]
    titles: dict[str, str] = {}
    for where, text in notes:
        thing = attempt(where, lambda where=where, text=text: _thing(where, text))  # type: ignore[misc]
        yield thing
        if not isinstance(thing, SkippedRecord):
            titles[where] = thing.key
    for where, text in notes:
        if where in titles:
            for place, found in enumerate(_found(text, _RELATION)):
                spot, given = f"{where} relations[{place}]", found
                yield attempt(spot, lambda s=spot, g=given, source=titles[where]: _edge(s, source, g))  # type: ignore[misc]


def _thing(where: str, text: str) -> EntityRecord:
    properties = markdown.front_matter(text)[0]
    title, kind = markdown.read(where, text).title, properties.get("type", _NOTE)
    given = kind if isinstance(kind, str) else _NOTE
    named = entity_type(given)
    known = named is not EntityType.UNKNOWN or given.casefold() == _NOTE
    link = properties.get("permalink")
    key = link if isinstance(link, str) and link else where.removesuffix(".md")
    mark = f"{Format.BASIC_MEMORY.value}:{key}"
    if len(mark) > 200:
        raise Invalid("permalink", "must be shorter than 180 characters")
    upsert = UpsertEntity(name=title, type=named, properties={mark: where, **({} if known else {TYPE: given})})
    said = tuple(found["content"].strip() for found in _found(text, _OBSERVATION))
    return EntityRecord(where=where, key=key, upsert=upsert, said=said, apart=key)


def _edge(where: str, source: str, match: re.Match[str]) -> LinkRecord:
    relation = match["relation"].strip() or _RELATES
    return LinkRecord(where=where, source=source, predicate=relation, target=match["target"].strip())


def _found(text: str, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    fenced = False
    for line in text[markdown.front_matter(text)[1] :].splitlines():
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and (found := pattern.fullmatch(line)):
            yield found
