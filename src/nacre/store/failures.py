"""Driver errors become Nacre's own errors here and nowhere else."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from nacre.domain.errors import Busy, Conflict, Misconfigured, NacreError, Unavailable

_BUSY = ("database is locked", "database table is locked", "lock timeout", "deadlock detected")
_UNUSABLE = ("unable to open database file", "file is not a database", "readonly database", "malformed")


def translate(error: SQLAlchemyError) -> NacreError:
    """The error a caller of Nacre should see for a driver's error."""
    reason = str(error.orig) if isinstance(error, DBAPIError) else str(error)
    lowered = reason.lower()
    if isinstance(error, PoolTimeout) or any(sign in lowered for sign in _BUSY):
        return Busy("The database is busy with other writers. Try again.")
    if any(sign in lowered for sign in _UNUSABLE):
        return Misconfigured(f"The database cannot be used: {reason}.")
    if isinstance(error, OperationalError | InterfaceError) or getattr(error, "connection_invalidated", False):
        return Unavailable(f"The database does not answer: {reason}.")
    return Conflict(f"The database refused the change: {reason}.")


@contextmanager
def translated() -> Iterator[None]:
    """Raise Nacre's error in place of the driver's."""
    try:
        yield
    except SQLAlchemyError as error:
        raise translate(error) from error
