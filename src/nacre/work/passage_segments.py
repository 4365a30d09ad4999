"""Segments of passages, made behind the writes for whoever loads an index."""

from collections.abc import Callable

from nacre.domain.scopes import Scope
from nacre.recall import passage_columns
from nacre.store.base import scopes
from nacre.store.base.databases import Database
from nacre.store.evidence import passage_segments, passages

# So many passages are a segment: few enough to be made at once, and many enough that one is read at a stroke.
SIZE = 8_192


def write_missing(
    database: Database, scope: Scope, goes_on: Callable[[], bool] = lambda: True, *, size: int = SIZE
) -> int:
    """Write every segment that the scope's passages fill, while it `goes_on`; return how many passages got into one.

    What is missing is read from the rows themselves, so a stopped process loses nothing.
    """
    given = 0
    while goes_on():
        with database.read(scope) as tx:
            state, last = scopes.state(tx), passage_segments.last_seq(tx)
            # A segment has gaps where passages were purged, so there may be more numbers than passages.
            enough = state.passages - last >= size
            rows = passages.next_ones(tx, after_seq=last, limit=size) if enough else []
        if len(rows) < size:
            break
        columns = passage_columns.from_rows(rows)
        data, first, last = passage_columns.pack(columns), int(columns.seq[0]), int(columns.seq[-1])
        with database.write(scope) as tx:
            if not passage_segments.add(tx, data, first_seq=first, last=last, read=state):
                break
        given += size
    return given
