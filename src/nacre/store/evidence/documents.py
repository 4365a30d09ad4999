"""Documents, their pieces and their links."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, and_, bindparam, delete, func, insert, or_, select, update

from nacre.domain.documents import Document, DocumentId, DocumentInfo, visibility_of
from nacre.domain.hits import Kind
from nacre.domain.ids import SourceId
from nacre.domain.memories import Status
from nacre.store.base import scopes
from nacre.store.base.databases import Transaction
from nacre.store.evidence import evidence_references, passages
from nacre.store.evidence import sources as stored_sources
from nacre.store.tables.schema import chunks, documents, sources, wikilinks
from nacre.store.tables.schema import passages as passages_table
from nacre.text import markdown

_OF_CHUNK = and_(passages_table.c.scope_id == chunks.c.scope_id, passages_table.c.item_id == chunks.c.id)
_OF_DOCUMENT = and_(documents.c.scope_id == chunks.c.scope_id, documents.c.id == chunks.c.document_id)
_OF_SOURCE = and_(sources.c.scope_id == chunks.c.scope_id, sources.c.id == chunks.c.source_id)


@dataclass(frozen=True, slots=True)
class DocumentVersion:
    """A document as it is stored, the digest of its words, and the operation that archived it."""

    document: DocumentInfo
    digest: bytes
    archived_by: UUID | None = None

    @property
    def in_force(self) -> bool:
        """Whether it is not archived."""
        return self.document.status is Status.ACTIVE


@dataclass(frozen=True, slots=True)
class DocumentRows:
    """Documents and pieces of documents, and the evidence that they are."""

    documents: Sequence[UUID] = ()
    chunks: Sequence[UUID] = ()
    sources: Sequence[UUID] = ()


def add(tx: Transaction, document: DocumentInfo, digest: bytes) -> None:
    """Keep a new document."""
    tx.execute(insert(documents), [{"scope_id": tx.scope_id, "id": document.id, **_columns(document, digest)}])


def save(tx: Transaction, document: DocumentInfo, digest: bytes) -> None:
    """Write a document that is there already as it is now."""
    here = (documents.c.scope_id == tx.scope_id, documents.c.id == document.id)
    tx.execute(update(documents).where(*here).values(_columns(document, digest)))


def add_chunks(tx: Transaction, document: DocumentInfo, pieces: Sequence[tuple[UUID, markdown.DocumentPiece]]) -> None:
    """Keep the pieces of the document as it is now."""
    rows = [
        {"id": key, "position": position, "start": piece.start, "end": piece.end}
        for position, (key, piece) in enumerate(pieces)
    ]
    whole = {"scope_id": tx.scope_id, "document_id": document.id, "source_id": document.source}
    tx.execute(insert(chunks), [{**whole, **row} for row in rows])


def chunk_ids(tx: Transaction, document: DocumentInfo) -> list[UUID]:
    """The pieces of the document as it is now, in order."""
    now = and_(chunks.c.document_id == document.id, chunks.c.source_id == document.source)
    mine = select(chunks.c.id).where(chunks.c.scope_id == tx.scope_id, now).order_by(chunks.c.position)
    return list(tx.execute(mine).scalars())


def sources_of(tx: Transaction, document: DocumentId) -> list[UUID]:
    """All that a document ever said."""
    mine = (chunks.c.scope_id == tx.scope_id, chunks.c.document_id == document)
    return list(tx.execute(select(chunks.c.source_id).distinct().where(*mine)).scalars())


def archive(tx: Transaction, some: Sequence[DocumentInfo]) -> int:
    """Take documents that are in force out of force; returns the revision at which their passages ended."""
    revision = passages.end(tx, [key for each in some for key in chunk_ids(tx, each)])
    _set_status(tx, [each.id for each in some], Status.ARCHIVED, tx.now)
    return revision


def resume(tx: Transaction, revision: int) -> None:
    """Put what went out of force at a revision back, as if it had never been archived, unless it came back since."""
    ended = and_(
        passages_table.c.kind == Kind.DOCUMENT.value,
        passages_table.c.revision == revision,
        passages_table.c.ended_at == documents.c.archived_at,
    )
    rows = tx.execute(
        select(passages_table.c.seq, documents.c.id)
        .join_from(passages_table, chunks, _OF_CHUNK)
        .join(documents, _OF_DOCUMENT)
        .where(passages_table.c.scope_id == tx.scope_id, ended)
    ).all()
    if rows:
        step = scopes.advance(tx)
        back = update(passages_table).where(
            passages_table.c.scope_id == tx.scope_id, passages_table.c.seq == bindparam("the_seq")
        )
        tx.execute(back.values(ended_at=None, revision=step.revision), [{"the_seq": row.seq} for row in rows])
        _set_status(tx, list({row.id for row in rows}), Status.ACTIVE, None)


def _set_status(tx: Transaction, keys: Sequence[UUID], status: Status, at: datetime | None) -> None:
    for some in evidence_references.portions(keys):
        here = (documents.c.scope_id == tx.scope_id, documents.c.id.in_(some))
        tx.execute(update(documents).where(*here).values(status=status.value, archived_at=at, archived_by=None))


def note_archived(tx: Transaction, document: DocumentId, operation: UUID) -> None:
    """Note which operation of the log archived a document."""
    here = (documents.c.scope_id == tx.scope_id, documents.c.id == document)
    tx.execute(update(documents).where(*here).values(archived_by=operation))


def put_links(tx: Transaction, document: DocumentId, links: Iterable[markdown.Wikilink]) -> None:
    """Let these be the links of a document."""
    tx.execute(delete(wikilinks).where(wikilinks.c.scope_id == tx.scope_id, wikilinks.c.document_id == document))
    rows = [
        {
            "scope_id": tx.scope_id,
            "document_id": document,
            "position": position,
            "target": link.target,
            "target_key": last_part(markdown.key(link.target)),
            "heading": link.heading,
            "label": link.label,
            "embed": link.embed,
            "start": link.start,
            "end": link.end,
        }
        for position, link in enumerate(links)
    ]
    if rows:
        tx.execute(insert(wikilinks), rows)


def links(tx: Transaction, keys: Sequence[UUID]) -> dict[UUID, list[markdown.Wikilink]]:
    """The links of documents as they are now, in the order of the text."""
    wikilinks_by_id: dict[UUID, list[markdown.Wikilink]] = {key: [] for key in keys}
    for some in evidence_references.portions(keys):
        mine = (wikilinks.c.scope_id == tx.scope_id, wikilinks.c.document_id.in_(some))
        for row in tx.execute(select(wikilinks).where(*mine).order_by(wikilinks.c.document_id, wikilinks.c.position)):
            wikilinks_by_id[row.document_id].append(
                markdown.Wikilink(
                    target=row.target,
                    heading=row.heading,
                    label=row.label,
                    embed=row.embed,
                    start=row.start,
                    end=row.end,
                )
            )
    return wikilinks_by_id


def last_part(key: str) -> str:
    """What a key is found by: the name that ends it."""
    return key.rpartition("/")[2] or key


def at_path(tx: Transaction, path: str) -> DocumentVersion | None:
    """The document under a path, in force or not."""
    return next(iter(_versions(tx, documents.c.path == path)), None)


def is_in_force(tx: Transaction, source: UUID) -> bool:
    """Whether these are the words of a document in force."""
    return bool(_versions(tx, documents.c.source_id == source, documents.c.status == Status.ACTIVE.value))


def by_id(tx: Transaction, keys: Sequence[UUID]) -> dict[UUID, DocumentVersion]:
    """Documents by their ids, in force or not."""
    versions_by_id: dict[UUID, DocumentVersion] = {}
    for some in evidence_references.portions(keys):
        versions_by_id |= {each.document.id: each for each in _versions(tx, documents.c.id.in_(some))}
    return versions_by_id


def of_chunk(tx: Transaction, chunk: UUID) -> UUID | None:
    """The document that a piece belongs to."""
    mine = select(chunks.c.document_id).where(chunks.c.scope_id == tx.scope_id, chunks.c.id == chunk)
    document_id: UUID | None = tx.execute(mine).scalar_one_or_none()
    return document_id


def below(tx: Transaction, prefix: str) -> dict[str, DocumentVersion]:
    """Every document below a prefix, in force or not, by path."""
    return {each.document.path: each for each in _versions(tx, _below(prefix))}


def newest(tx: Transaction, *, prefix: str | None, status: Status, limit: int) -> list[DocumentInfo]:
    """Documents, the last changed first."""
    wanted = [documents.c.status == status.value, *([_below(prefix)] if prefix else [])]
    return [each.document for each in _versions(tx, *wanted, limit=limit)]


def whole(tx: Transaction, document: DocumentInfo) -> Document:
    """A document with its words."""
    return Document(**_fields(document), content=stored_sources.text_of(tx, document.source))


def then(
    tx: Transaction,
    moment: datetime,
    *,
    document: UUID | None = None,
    prefix: str | None = None,
    limit: int | None = None,
) -> list[Document]:
    """The documents that were in force at a moment, as they were, the last changed first."""
    held = and_(
        passages_table.c.at <= moment, or_(passages_table.c.ended_at.is_(None), passages_table.c.ended_at > moment)
    )
    wanted = [_below(prefix)] if prefix else []
    if document:
        wanted.append(documents.c.id == document)
    rows = tx.execute(
        select(chunks.c.document_id, chunks.c.source_id, sources.c.at)
        .distinct()
        .join_from(chunks, passages_table, _OF_CHUNK)
        .join(documents, _OF_DOCUMENT)
        .join(sources, _OF_SOURCE)
        .where(chunks.c.scope_id == tx.scope_id, held, *wanted)
        .order_by(sources.c.at.desc(), chunks.c.document_id.desc())
        .limit(limit)
    ).all()
    now = by_id(tx, [row.document_id for row in rows])
    return [_as_it_was(tx, now[row.document_id].document, row.source_id, row.at) for row in rows]


def called(tx: Transaction, keys: Collection[str]) -> list[DocumentInfo]:
    """The documents in force whose name or title is one of some keys."""
    documents_by_id: dict[UUID, DocumentInfo] = {}
    every = sorted(keys)
    for start in range(0, len(every), evidence_references.TOGETHER):
        some = every[start : start + evidence_references.TOGETHER]
        named = or_(documents.c.name_key.in_(some), documents.c.title_key.in_(some))
        active = documents.c.status == Status.ACTIVE.value
        documents_by_id |= {each.document.id: each.document for each in _versions(tx, active, named)}
    return list(documents_by_id.values())


def linking(tx: Transaction, keys: Collection[str] | None = None) -> list[DocumentInfo]:
    """The documents in force with a link to any of some keys, or to anything."""
    linked = select(wikilinks.c.document_id).where(wikilinks.c.scope_id == tx.scope_id)
    to = linked if keys is None else linked.where(wikilinks.c.target_key.in_(sorted(keys)))
    active = documents.c.status == Status.ACTIVE.value
    return [each.document for each in _versions(tx, active, documents.c.id.in_(to))]


def seqs(tx: Transaction, prefix: str) -> list[int]:
    """The passages in force of the documents below a prefix."""
    mine = select(passages_table.c.seq).join_from(chunks, passages_table, _OF_CHUNK).join(documents, _OF_DOCUMENT)
    return list(
        tx.execute(
            mine.where(chunks.c.scope_id == tx.scope_id, passages_table.c.ended_at.is_(None), _below(prefix))
        ).scalars()
    )


def parts(tx: Transaction, wanted: Sequence[int]) -> dict[int, DocumentId]:
    """The documents that passages are part of, by sequence number."""
    rows = tx.execute(
        select(passages_table.c.seq, chunks.c.document_id)
        .join_from(passages_table, chunks, _OF_CHUNK)
        .where(passages_table.c.scope_id == tx.scope_id, passages_table.c.seq.in_(wanted))
    )
    return {row.seq: DocumentId(row.document_id) for row in rows}


def searchable(tx: Transaction, keys: Collection[UUID]) -> dict[UUID, str]:
    """Pieces as search sees them: with what they stand under."""
    rows = tx.execute(
        select(chunks.c.id, chunks.c.position, chunks.c.source_id, sources.c.text, sources.c.ref)
        .join_from(chunks, sources, _OF_SOURCE)
        .where(chunks.c.scope_id == tx.scope_id, chunks.c.id.in_(keys))
    ).all()
    read = {row.source_id: markdown.read(row.ref, row.text) for row in rows}
    return {row.id: read[row.source_id].pieces[row.position].within(row.text) for row in rows}


def before(tx: Transaction, moment: datetime) -> list[UUID]:
    """The documents that were last changed before a moment."""
    old = and_(documents.c.scope_id == tx.scope_id, documents.c.updated_at < moment)
    return list(tx.execute(select(documents.c.id).where(old)).scalars())


def rows_of(tx: Transaction, keys: Sequence[UUID], moment: datetime | None = None) -> DocumentRows:
    """All that documents consist of, and what others were before a moment."""
    conditions: list[ColumnElement[bool]] = [
        chunks.c.document_id.in_(some) for some in evidence_references.portions(keys)
    ]
    if moment is not None:
        outdated = and_(sources.c.at < moment, documents.c.source_id != chunks.c.source_id)
        conditions.append(outdated)
    mine = select(chunks.c.id, chunks.c.source_id).join_from(chunks, sources, _OF_SOURCE).join(documents, _OF_DOCUMENT)
    rows = [row for each in conditions for row in tx.execute(mine.where(chunks.c.scope_id == tx.scope_id, each))]
    # A memory may rest on the same words.
    used = evidence_references.in_use(tx, {row.source_id for row in rows})
    return DocumentRows(list(keys), list({row.id for row in rows}), sorted({row.source_id for row in rows} - used))


def _versions(tx: Transaction, *conditions: ColumnElement[bool], limit: int | None = None) -> list[DocumentVersion]:
    mine = select(documents).where(documents.c.scope_id == tx.scope_id, *conditions)
    rows = tx.execute(mine.order_by(documents.c.updated_at.desc(), documents.c.id.desc()).limit(limit))
    return [DocumentVersion(_to_document(tx, row), row.digest, row.archived_by) for row in rows]


def _below(prefix: str) -> ColumnElement[bool]:
    # Not LIKE, which takes A for a on SQLite.
    inside = func.substr(documents.c.path, 1, len(prefix) + 1) == f"{prefix}/"
    return or_(documents.c.path == prefix, inside)


def _as_it_was(tx: Transaction, document: DocumentInfo, source: UUID, at: datetime) -> Document:
    text = stored_sources.text_of(tx, source)
    read = markdown.read(document.path, text)
    return Document(
        id=document.id,
        path=document.path,
        title=read.title,
        visibility=document.visibility,
        team=document.team,
        properties=read.properties,
        source=SourceId(source),
        created_at=document.created_at,
        updated_at=at,
        content=text,
    )


def listed(document: DocumentInfo) -> DocumentInfo:
    """A document without its words."""
    return DocumentInfo(**_fields(document))


def _fields(document: DocumentInfo) -> dict[str, Any]:
    return {field.name: getattr(document, field.name) for field in fields(DocumentInfo)}


def _to_document(tx: Transaction, row: Any) -> DocumentInfo:
    return DocumentInfo(
        id=DocumentId(row.id),
        path=row.path,
        title=row.title,
        visibility=visibility_of(tx.scope),
        team=tx.scope.team,
        properties=row.properties,
        source=SourceId(row.source_id),
        created_at=row.created_at,
        updated_at=row.updated_at,
        status=Status(row.status),
        archived_at=row.archived_at,
    )


def _columns(document: DocumentInfo, digest: bytes) -> dict[str, object]:
    return {
        "path": document.path,
        "title": document.title,
        "title_key": markdown.key(document.title),
        "name_key": markdown.key(markdown.name_of(document.path)),
        "source_id": document.source,
        "digest": digest,
        "properties": dict(document.properties),
        "status": document.status.value,
        "created_at": document.created_at,
        "updated_at": document.updated_at,
        "archived_at": document.archived_at,
        "archived_by": None,
    }
