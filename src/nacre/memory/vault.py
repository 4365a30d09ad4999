"""Documents: kept as evidence, cut into pieces that recall finds, and heard by the graph, all in one transaction."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2b
from heapq import merge
from itertools import islice
from uuid import UUID

from nacre.domain import checks, ids
from nacre.domain.audits import CALLER
from nacre.domain.documents import (
    MAX_LINKS,
    Document,
    DocumentId,
    DocumentInfo,
    SavedDocument,
    SaveOutcome,
    Visibility,
    check_path,
    check_visibility,
    visibility_of,
)
from nacre.domain.errors import Conflict, Invalid, NotFound
from nacre.domain.forgetting import ForgetReport
from nacre.domain.hits import Kind
from nacre.domain.ids import SourceId
from nacre.domain.memories import Status
from nacre.domain.scopes import Scope
from nacre.graph.operations import path
from nacre.graph.operations.endings import set_aside
from nacre.memory import forgetting
from nacre.memory.changing import DOCUMENTS_ENDED, Changes
from nacre.memory.passage_drafts import prepare
from nacre.models.embedders import Embedder
from nacre.store.base import scopes, sharing
from nacre.store.base.databases import Database, Transaction
from nacre.store.evidence import documents, passages, sources
from nacre.store.evidence.documents import DocumentVersion
from nacre.store.evidence.sources import SourceKind, SourceRow
from nacre.text import injections, markdown

# The operations of the log that are about documents.
SAVE_DOCUMENT = "save_document"
ARCHIVE_DOCUMENT = "archive_document"
REASON = "no document says it any more"

# Brings what a document says into the graph of a transaction's scope, where the source of that id holds its words.
Heard = Callable[[Transaction, SourceId], object]
# Reads a document that is handed over at a moment, without a transaction.
Hear = Callable[[str, datetime], Heard]


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentDraft:
    """A document to be kept, and for whom; without a visibility it is for its owner."""

    path: str
    content: str
    visibility: Visibility | None = None
    team: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", check_path("path", self.path))
        checks.text("content", self.content)
        object.__setattr__(self, "visibility", check_visibility(self.visibility, self.team))

    @property
    def digest(self) -> bytes:
        """Names the words."""
        return digest(self.content)


@dataclass(frozen=True, slots=True)
class ExpectedDigest:
    """What a writer last saw under a path: the digest of a document in force, or None for none."""

    digest: bytes | None


@dataclass(frozen=True, slots=True)
class _PreparedDocument:
    """A draft with all that can be made ready without a transaction."""

    draft: DocumentDraft
    read: markdown.ParsedDocument
    source: SourceRow
    pieces: Sequence[tuple[UUID, markdown.DocumentPiece]]
    prepared: passages.PreparedPassages
    heard: Heard

    def at(self, moment: datetime) -> passages.PreparedPassages:
        """The passages as of the moment of the transaction: what they replace ends at the same one."""
        return replace(self.prepared, drafts=[replace(each, at=moment) for each in self.prepared.drafts])


class DocumentVault:
    """The one way in which documents are kept, archived and removed."""

    def __init__(self, database: Database, embedder: Embedder | None, hear: Hear) -> None:
        self._database = database
        self._embedder = embedder
        self._hear = hear

    def save(self, scope: Scope, draft: DocumentDraft, expected: ExpectedDigest | None = None) -> SavedDocument:
        """Keep a document under its path, in place of what was there, which stays readable as of before.

        `Conflict` where something else than `expected` is there.
        """
        known = self._unchanged(scope, draft)
        if known:
            return known
        ready = self._ready(draft)
        with self._database.write(scope) as tx:
            home = sharing.moved(tx, sharing.home_of_documents(tx, draft.visibility, draft.team))
            scopes.lock(home)
            before = documents.at_path(home, draft.path)
            if before and before.in_force and before.digest == draft.digest:
                return SavedDocument(document=before.document, outcome=SaveOutcome.UNCHANGED)
            if expected and expected.digest != (before.digest if before and before.in_force else None):
                raise Conflict(f"`{draft.path}` was changed by someone else just now.")
            _put_back_facts(home, before)
            if before and before.digest == draft.digest:
                return _restore(home, before, ready)
            return _write(home, before, ready)

    def archive(
        self, scope: Scope, selector: str | UUID, visibility: str | None = None, team: str | None = None
    ) -> DocumentInfo:
        """Take a document out of force, and what the graph learned from it alone; it stays readable as of before."""
        with self._database.write(scope) as tx:
            home, found = locate(tx, selector, visibility, team)
            return archive_in(home, found.document.id)

    def restore(
        self, scope: Scope, selector: str | UUID, visibility: str | None = None, team: str | None = None
    ) -> SavedDocument:
        """Put an archived document back in force."""
        with self._database.read(scope) as tx:
            home, found = locate(tx, selector, visibility, team, status=Status.ARCHIVED)
            content = sources.text_of(home, found.document.source)
        document = found.document
        draft = DocumentDraft(
            path=document.path,
            content=content,
            visibility=None if document.visibility is Visibility.PERSONAL else document.visibility,
            team=document.team,
        )
        return self.save(scope, draft)

    def purge(
        self, scope: Scope, selector: str | UUID, visibility: str | None = None, team: str | None = None
    ) -> tuple[Scope, ForgetReport]:
        """Remove a document for good, with all it ever said; returns where it was."""
        with self._database.write(scope) as tx:
            home, found = locate(tx, selector, visibility, team)
            scopes.lock(home)
            return home.scope, forgetting.purge_documents(home, [found.document.id])

    def _unchanged(self, scope: Scope, draft: DocumentDraft) -> SavedDocument | None:
        """What is there already, without making anything ready."""
        with self._database.read(scope) as tx:
            home = sharing.moved(tx, sharing.home_of_documents(tx, draft.visibility, draft.team))
            before = documents.at_path(home, draft.path)
        if before is None or not before.in_force or before.digest != draft.digest:
            return None
        return SavedDocument(document=before.document, outcome=SaveOutcome.UNCHANGED)

    def _ready(self, draft: DocumentDraft) -> _PreparedDocument:
        now = self._database.clock()
        read = markdown.read(draft.path, draft.content)
        if len(read.links) > MAX_LINKS:
            raise Invalid("content", f"has {len(read.links):,} wikilinks; at most {MAX_LINKS:,} are allowed")
        source = SourceRow(
            id=ids.new(now),
            kind=SourceKind.DOCUMENT,
            text=draft.content,
            at=now,
            ref=draft.path,
            flags=injections.flags(draft.content),
        )
        pieces = [(ids.new(now), piece) for piece in read.pieces]
        # No graph is read by the members of a team alone.
        heard = self._hear(draft.content, now) if draft.team is None else lambda _tx, _source: None
        return _PreparedDocument(draft, read, source, pieces, self._prepared(draft.content, pieces), heard)

    def _prepared(self, text: str, pieces: Sequence[tuple[UUID, markdown.DocumentPiece]]) -> passages.PreparedPassages:
        now = self._database.clock()
        drafts = [
            passages.PassageDraft(kind=Kind.DOCUMENT, item_id=key, text=piece.within(text), at=now)
            for key, piece in pieces
            if text[piece.start : piece.end].strip()
        ]
        return prepare(self._embedder, drafts)


def _put_back_facts(home: Transaction, before: DocumentVersion | None) -> None:
    """Put back in force what went out of it with an archived document, unless somebody changed it since."""
    if before and before.archived_by:
        with suppress(Conflict, NotFound):
            path.undo(home, before.archived_by, actor=CALLER)


def _restore(home: Transaction, before: DocumentVersion, ready: _PreparedDocument) -> SavedDocument:
    """Put a document back in force as it was: its words are kept already, and so are its pieces."""
    document = replace(before.document, status=Status.ACTIVE, archived_at=None, updated_at=home.now)
    documents.save(home, document, before.digest)
    known = dict(zip((key for key, _ in ready.pieces), documents.chunk_ids(home, document), strict=True))
    again = ready.at(home.now)
    passages.add(home, replace(again, drafts=[replace(each, item_id=known[each.item_id]) for each in again.drafts]))
    ready.heard(home, document.source)
    return SavedDocument(document=document, outcome=SaveOutcome.RESTORED, flags=ready.source.flags)


def digest(content: str) -> bytes:
    """A name for the words of a document."""
    return blake2b(content.encode(), digest_size=16).digest()


def locate(
    tx: Transaction,
    selector: str | UUID,
    visibility: str | None = None,
    team: str | None = None,
    *,
    status: Status | None = None,
) -> tuple[Transaction, DocumentVersion]:
    """The document that a path or an id means among those that the transaction's scope may see, and where it is.

    Of several under one path, one in force comes first, then the scope's own, then that of a team.
    """
    chosen = check_visibility(visibility, team)
    named = selector if isinstance(selector, UUID) else check_path("document", selector)
    found = [
        (home, version)
        for home in seen(tx, chosen, team)
        if (version := _named(home, named)) and (status is None or version.document.status is status)
    ]
    if not found:
        raise NotFound("document", str(selector))
    return min(found, key=lambda each: not each[1].in_force)


def seen(tx: Transaction, visibility: Visibility | None = None, team: str | None = None) -> list[Transaction]:
    """The same transaction in every scope whose documents its scope may see, those of one visibility where named."""
    return [
        sharing.moved(tx, place)
        for place in sharing.with_documents(tx)
        if (visibility is None or visibility_of(place) is visibility) and (team is None or place.team == team)
    ]


def get(
    tx: Transaction, selector: str | UUID, visibility: str | None, team: str | None, as_of: datetime | None
) -> Document:
    """The document that a path or an id means, with its words; or as it was at a moment."""
    home, found = locate(tx, selector, visibility, team)
    if as_of is None:
        return documents.whole(home, found.document)
    held = documents.then(home, as_of, document=found.document.id)
    if not held:
        raise NotFound("document of that time", str(selector))
    return held[0]


def listed(
    homes: Sequence[Transaction],
    *,
    prefix: str | None,
    status: Status,
    as_of: datetime | None,
    limit: int,
    offset: int,
) -> list[DocumentInfo]:
    """Documents of some scopes without their words, the last changed first; or those in force at a moment."""
    end = offset + limit
    pages: list[Iterable[DocumentInfo]] = [
        documents.newest(home, prefix=prefix, status=status, limit=end)
        if as_of is None
        else map(documents.listed, documents.then(home, as_of, prefix=prefix, limit=end))
        for home in homes
    ]
    last_first = merge(*pages, key=lambda each: (each.updated_at, each.id), reverse=True)
    return [*islice(last_first, offset, end)]


def _named(home: Transaction, selector: str | UUID) -> DocumentVersion | None:
    if isinstance(selector, str):
        found = documents.at_path(home, selector)
        if found is not None:
            return found
        try:
            selector = UUID(selector)
        except ValueError:
            return None
    # Recall names the piece of a document that it found.
    key = documents.of_chunk(home, selector) or selector
    return documents.by_id(home, [key]).get(key)


def archive_in(home: Transaction, key: DocumentId, expected: bytes | None = None) -> DocumentInfo:
    """Take a document out of force where it is, unless it is or says something else than expected by now."""
    scopes.lock(home)
    found = documents.by_id(home, [key])[key]
    document = found.document
    if not found.in_force or (expected is not None and found.digest != expected):
        return document
    changes = Changes(home, CALLER)
    ended = documents.archive(home, [document])
    set_aside(changes.journal, documents.sources_of(home, key), (), REASON)
    record = changes.written(ARCHIVE_DOCUMENT, {"document_id": str(document.id), DOCUMENTS_ENDED: ended})
    documents.note_archived(home, key, record.id)
    return replace(document, status=Status.ARCHIVED, archived_at=home.now)


def _write(home: Transaction, before: DocumentVersion | None, ready: _PreparedDocument) -> SavedDocument:
    document = DocumentInfo(
        id=before.document.id if before else DocumentId(ids.new(home.now)),
        path=ready.draft.path,
        title=ready.read.title,
        visibility=visibility_of(home.scope),
        team=home.scope.team,
        properties=ready.read.properties,
        source=SourceId(ready.source.id),
        created_at=before.document.created_at if before else home.now,
        updated_at=home.now,
    )
    sources.add(home, [replace(ready.source, at=home.now)])
    if before:
        passages.end(home, documents.chunk_ids(home, before.document))
        documents.save(home, document, ready.draft.digest)
    else:
        documents.add(home, document, ready.draft.digest)
        sharing.note_documents(home)
    documents.add_chunks(home, document, ready.pieces)
    documents.put_links(home, document.id, ready.read.links)
    passages.add(home, ready.at(home.now))
    ready.heard(home, document.source)
    if before:
        _forget_words(home, document)
    outcome = SaveOutcome.CHANGED if before else SaveOutcome.CREATED
    return SavedDocument(document=document, outcome=outcome, flags=ready.source.flags)


def _forget_words(home: Transaction, document: DocumentInfo) -> None:
    """Take out of force what the graph learned from what a document once said and says no more."""
    changes = Changes(home, CALLER)
    earlier = [each for each in documents.sources_of(home, document.id) if each != document.source]
    set_aside(changes.journal, earlier, (), REASON)
    if changes.journal.changes:
        changes.written(SAVE_DOCUMENT, {"document_id": str(document.id)})
