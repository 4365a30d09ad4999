"""Driver errors become Nacre's own errors here and nowhere else."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from nacre.domain.errors import Busy, CommitLost, Conflict, Misconfigured, NacreError, Unavailable, in_full

_BUSY = ("database is locked", "database table is locked", "lock timeout", "deadlock detected")
# The server ended the connection, or is one that only reads; another may be there in a moment.
_GONE = ("terminating connection", "read-only transaction", "recovery is in progress")
_FULL = ("disk is full", "no space left", "quota exceeded", "disk i/o error")
_UNUSABLE = ("unable to open database file", "file is not a database", "readonly database", "malformed")


def translate(error: SQLAlchemyError) -> NacreError:
    """The error a caller of Nacre should see for a driver's error."""
    if isinstance(error, PoolTimeout):
        return Unavailable("No connection to the database came free in time: all are in use. See NACRE_POOL_SIZE.")
    said = str(error.orig) if isinstance(error, DBAPIError) else str(error)
    # Drivers go on with advice, over several lines.
    reason = said.partition("\n")[0].rstrip(".")
    if told := _known_failure(said.lower(), reason):
        return told
    if isinstance(error, OperationalError | InterfaceError) or getattr(error, "connection_invalidated", False):
        return _unanswered(reason)
    return Conflict(f"The database refused the change: {reason}.")


def _known_failure(lowered: str, reason: str) -> NacreError | None:
    """The error that a driver's own words tell of."""
    if "statement timeout" in lowered:
        return Unavailable("The database took too long: a statement ran into NACRE_STATEMENT_SECONDS.")
    if any(sign in lowered for sign in _BUSY):
        return Busy("The database is busy with other writers. Try again.")
    if any(sign in lowered for sign in _FULL):
        return Unavailable(f"The disk of the database is full or fails, and nothing of the call was kept: {reason}.")
    if any(sign in lowered for sign in _UNUSABLE):
        return Misconfigured(f"The database cannot be used: {reason}.")
    if any(sign in lowered for sign in _GONE):
        return _unanswered(reason)
    return None


def _unanswered(reason: str) -> Unavailable:
    """What drivers say names hosts and users, so it is a note: for logs and for whoever runs the program itself."""
    error = Unavailable("The database does not answer.")
    error.add_note(f"{reason}.")
    return error


@contextmanager
def translated() -> Iterator[None]:
    """Raise Nacre's error in place of the driver's."""
    try:
        yield
    except SQLAlchemyError as error:
        raise translate(error) from error


@contextmanager
def committing() -> Iterator[None]:
    """Around what ends a transaction: where the connection goes meanwhile, nobody knows whether it came about."""
    try:
        yield
    except DBAPIError as error:
        if not error.connection_invalidated:
            raise
        lost = CommitLost()
        lost.add_note(in_full(translate(error)))
        raise lost from error
