"""The conversation log: the turns themselves, and a cursor for each reader.

Nothing is ever cleared. A reader takes the turns after its cursor, does its work, and moves the cursor in the
transaction that keeps what it found; if it fails, it is given the same turns again.
"""

from nacre.domain import checks
from nacre.domain.errors import Invalid
from nacre.domain.navigation import check_offset
from nacre.domain.scopes import Scope
from nacre.domain.turns import SessionInfo, StoredTurn
from nacre.store.base.databases import Database, Transaction
from nacre.store.evidence import turns

# The longest number a database keeps.
_MAX_SEQ = 2**63 - 1


def last(database: Database, scope: Scope, session: str, *, limit: int, before: int | None = None) -> list[StoredTurn]:
    """The last turns of a session, oldest first; those before place `before`, where it is given."""
    checks.name("session", session)
    checks.count("limit", limit)
    if before is not None:
        checks.count("before", before, maximum=_MAX_SEQ)
    with database.read(scope) as tx:
        return turns.last(tx, session, limit, before)


def newest_sessions(database: Database, scope: Scope, *, limit: int, offset: int = 0) -> list[SessionInfo]:
    """The sessions in which something was said last, newest first."""
    checks.count("limit", limit)
    check_offset(offset)
    with database.read(scope) as tx:
        return turns.newest_sessions(tx, limit, offset)


def unread(database: Database, scope: Scope, reader: str, *, limit: int) -> list[StoredTurn]:
    """The turns that a reader has not consumed yet, oldest first."""
    checks.name("reader", reader)
    checks.count("limit", limit)
    with database.read(scope) as tx:
        return turns.since(tx, turns.cursor_position(tx, reader), limit)


def consume(database: Database, scope: Scope, reader: str, seq: int) -> bool:
    """Note that a reader is done with every turn up to `seq`; False when it already was."""
    with database.write(scope) as tx:
        return consume_in(tx, reader, seq)


def consume_in(tx: Transaction, reader: str, seq: int) -> bool:
    """As `consume`, in the transaction that keeps what the reader found."""
    checks.name("reader", reader)
    checks.count("seq", seq, maximum=_MAX_SEQ)
    if seq > turns.last_place(tx):
        # A reader that ran ahead would never be given the turns that are still to come.
        raise Invalid("seq", f"must be the place of a turn that was read; {seq} has not been given to one yet")
    return turns.advance_cursor(tx, reader, seq)
