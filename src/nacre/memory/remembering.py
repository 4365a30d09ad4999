"""What an agent is told to keep becomes a long-term memory entry."""

from collections.abc import Iterable, Mapping

from nacre.domain import checks, ids
from nacre.domain.hits import Kind
from nacre.domain.ids import MemoryId, SourceId
from nacre.domain.memories import Memory, check_category, check_metadata, check_tags
from nacre.domain.scopes import Scope
from nacre.models.embedders import Embedder
from nacre.store import memories, passages, sources
from nacre.store.databases import Database
from nacre.store.sources import Source, SourceKind


def remember(
    database: Database,
    embedder: Embedder | None,
    scope: Scope,
    text: str,
    *,
    category: str,
    tags: Iterable[str],
    metadata: Mapping[str, str],
) -> Memory:
    """Keep `text` as an entry whose evidence is the text itself."""
    checks.text("text", text)
    now = database.clock()
    source = Source(id=SourceId(ids.new(now)), kind=SourceKind.NOTE, text=text, at=now)
    memory = Memory(
        id=MemoryId(ids.new(now)),
        content=text,
        category=check_category(category),
        source=SourceId(source.id),
        quote=(0, len(text)),
        created_at=now,
        updated_at=now,
        tags=check_tags(tags),
        metadata=check_metadata(metadata),
    )
    draft = passages.Draft(kind=Kind.MEMORY, item_id=memory.id, text=memory.searchable, at=now)
    prepared = passages.prepare(embedder, [draft])
    with database.write(scope) as tx:
        passages.add(tx, prepared)
        sources.add(tx, [source])
        memories.add(tx, memory)
    return memory
