"""Schema of a database: the version it is at, its migration, its indexes of large scopes and its distribution."""

from pathlib import Path

from nacre.domain.doctor_reports import BuiltIndexes, CheckFinding, Migration, Severity
from nacre.domain.errors import Misconfigured, NacreError, SchemaTooNew, Unavailable
from nacre.store.base import migrating
from nacre.store.base.databases import Database
from nacre.store.base.migrating import HEAD
from nacre.store.maintenance import distribution
from nacre.store.reads import scope_indexes

CURRENT = CheckFinding(name="schema", verdict=Severity.OK, message=f"The schema is at {HEAD}, as this version has it.")


def check(address: str | Path) -> CheckFinding:
    """How the schema of a database is, before it is opened: opening it brings it up to date."""
    held = migrating.revision_at(address)
    if held is None:
        # The address may hold a password, so it is not repeated.
        raise Misconfigured("There is no database of Nacre there. `nacre db migrate` makes one.")
    if held == HEAD:
        return CURRENT
    if not migrating.is_known(held):
        return CheckFinding(name="schema", verdict=Severity.BROKEN, message=str(SchemaTooNew(held)), count=1)
    told = f"The schema is at {held}; this version has {HEAD}. Until it is migrated, nothing else is looked at."
    return CheckFinding(name="schema", verdict=Severity.BROKEN, message=told, count=1, safe=True)


def current_revision(database: Database) -> str:
    """The revision of an open database; `Unavailable` where it does not answer or is not that of this version."""
    try:
        found = database.revision()
    except Unavailable as error:
        # What a driver says may hold an address.
        raise Unavailable("The database does not answer.") from error
    except NacreError as error:
        raise Unavailable("The database is closed.") from error
    if found != database.head:
        raise Unavailable(f"The database is at schema `{found}`; this version has `{database.head}`.")
    return database.head


def migrate(address: str | Path) -> Migration:
    """Bring the schema of a database up to date; a new database is made whole."""
    return Migration(before=migrating.migrate_at(address), after=HEAD)


def migrated(done: Migration) -> CheckFinding:
    """A migration as a repair."""
    told = f"The schema was brought from {done.before} to {done.after}."
    return CheckFinding(name="schema", verdict=Severity.OK, message=told, repaired=1)


def build_indexes(address: str | Path, passages: int) -> BuiltIndexes:
    """Index the scopes that have more passages than fit into memory, on PostgreSQL."""
    return scope_indexes.build(address, passages)


def distribution_statements() -> list[str]:
    """What distributes every table."""
    return distribution.statements()


def distribute(database: Database) -> int:
    """Spread the tables over the nodes of a Citus cluster; how many were not yet."""
    with database.write_all() as tx:
        return distribution.distribute(tx)
