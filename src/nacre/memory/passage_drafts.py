"""Drafts of passages: what recall should know of a text, with the terms and vectors that it is found by."""

from collections.abc import Sequence

from nacre.domain.hits import Kind
from nacre.domain.memories import Memory
from nacre.domain.short_calls import CALLS
from nacre.models.embedders import Embedder, pack
from nacre.store.evidence.passages import PassageDraft, PreparedPassages
from nacre.store.evidence.vectors import PackedVectors
from nacre.text import tokens

# A text of more characters takes so long that calls come in before its vector is made.
LONG = 20_000


def draft(memory: Memory) -> PassageDraft:
    """What recall should know of an entry."""
    return PassageDraft(kind=Kind.MEMORY, item_id=memory.id, text=memory.searchable, at=memory.updated_at)


def prepare(embedder: Embedder | None, drafts: Sequence[PassageDraft]) -> PreparedPassages:
    """Do the computing that needs no transaction, so that none waits for it."""
    texts = [each.text for each in drafts]
    packed = tokens.pack_all(texts, [each.session for each in drafts])
    if max(map(len, texts), default=0) > LONG:
        CALLS.give_way()
    made = embedder.embed(texts) if embedder and embedder.local else None
    return PreparedPassages(drafts, packed, PackedVectors(made.space, pack(made.matrix)) if made else None)
