"""The listener: what is remembered and filed becomes part of the graph, unless extraction may not write.

The rules that it takes are loaded by the first text: a process that only asks needs none of them.
"""

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from nacre.domain.ids import SourceId
from nacre.domain.memories import Memory
from nacre.models.local_reader import LocalReader
from nacre.store.base.databases import Transaction
from nacre.store.evidence.sources import SourceRow

if TYPE_CHECKING:
    from nacre.extraction.pipeline import GraphUpdate


class Listener:
    """Brings what people say into the graph of their scope, unless extraction may not write."""

    def __init__(self, *, writes: bool, reader: LocalReader | None = None) -> None:
        self.writes = writes
        # Reads what rules do not; rules work alone where it is None.
        self.reader = reader

    def remembered(self, text: str, at: datetime) -> Callable[[Transaction, SourceRow, Memory], UUID | None]:
        """Read a text that is to be remembered; what comes back hears it in the transaction that keeps it."""
        if not self.writes:
            return lambda _tx, _note, _memory: None
        from nacre.extraction import text_learning  # noqa: PLC0415 - all rules

        return text_learning.learn_from_memory(self.reader, text, at)

    def document(self, text: str, at: datetime) -> "Callable[[Transaction, SourceId], GraphUpdate]":
        """Read a document; what comes back hears it in the transaction that keeps it."""
        from nacre.extraction import text_learning  # noqa: PLC0415 - all rules
        from nacre.extraction.pipeline import GraphUpdate  # noqa: PLC0415

        if not self.writes:
            return lambda _tx, _source: GraphUpdate()
        return text_learning.learn_from_document(text, at)
