"""Outdated statements: the handler that marks them."""

from collections.abc import Callable, Mapping
from typing import Any

from nacre.domain.errors import Conflict
from nacre.domain.operation_results import Effect
from nacre.domain.outdated_marks import MarkOutdated
from nacre.store.base.journals import Journal
from nacre.store.evidence import outdated
from nacre.store.tables import schema as tables


def _mark_outdated(journal: Journal, operation: MarkOutdated) -> Effect:
    start, end = operation.quote
    key = {"item_id": operation.older, "quote_start": start}
    mark = {
        "quote_end": end,
        "value": operation.value,
        "newer_id": operation.newer,
        "newer_start": operation.newer_quote[0],
        "new_value": operation.new_value,
        "said_at": operation.at,
        "created_at": journal.tx.now,
        "doubtful": operation.doubtful,
    }
    before = outdated.marked_places(journal.tx, [operation.older]).get((operation.older, start))
    if before is None:
        journal.insert(tables.outdated, key | mark)
    elif before.doubtful and not operation.doubtful:
        journal.update(tables.outdated, key, mark)
    else:
        raise Conflict(f"The statement at {start} of `{operation.older}` is outdated already.")
    takes = "may take" if operation.doubtful else "takes"
    return Effect(summary=f"“{operation.new_value}” {takes} the place of “{operation.value}”.")


HANDLERS: Mapping[type, Callable[[Journal, Any], Effect]] = {MarkOutdated: _mark_outdated}
