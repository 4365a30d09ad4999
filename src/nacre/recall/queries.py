"""Queries: a question made ready for the stages behind it, with its vectors, its periods and what it is asked of."""

from collections.abc import Sequence

from nacre.domain.errors import Unavailable
from nacre.domain.memories import MemoryFilter
from nacre.domain.questions import Question
from nacre.models.embedders import Embedder
from nacre.recall.channels import EmbeddedQuery
from nacre.store.base.databases import Transaction
from nacre.store.evidence import memories
from nacre.text import periods as text_periods
from nacre.text.times import Period

WORDS_ALONE = "Ranked by words alone"


def ask(embedder: Embedder | None, text: str) -> tuple[EmbeddedQuery, tuple[str, ...]]:
    """The question as the channels take it, and a note when the embedder did not answer."""
    if embedder is None:
        return EmbeddedQuery(text, None, 0.0), ()
    try:
        return EmbeddedQuery(text, embedder.embed_question(text), embedder.threshold), ()
    except Unavailable as error:
        note = f"{WORDS_ALONE}, because the embedder did not answer: {error}"
        return EmbeddedQuery(text, None, 0.0), (note,)


def asked_periods(tx: Transaction, question: Question) -> list[Period]:
    """The periods that a question speaks of, counted from when it is asked."""
    return text_periods.asked(question.text, question.asked_at or question.as_of or tx.now)


def among_passages(tx: Transaction, question: Question) -> Sequence[int] | None:
    """The passages of the memories in the question's categories; None where any will do."""
    if question.categories is None:
        return None
    return sorted(
        {seq for category in question.categories for seq in memories.seqs(tx, MemoryFilter(category=category))}
    )
