"""Reports on a whole graph, kept until the graph changes: counting sixty thousand entities takes half a second.

A report is kept by the revisions of the scopes that it counts, so that no process shows one of an older graph, and only
until a moment at which something in it begins or ends by itself.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from sqlalchemy import Engine, Select, bindparam, case, func, select

from nacre.store.base import scopes
from nacre.store.base.databases import Transaction
from nacre.store.tables.columns import Instant
from nacre.store.tables.schema import aspects, attributes, links

RECENT_FEEDBACK = timedelta(days=7)
MOST = 256

T = TypeVar("T")
_Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class _Report:
    made_at: datetime
    until: datetime | None
    value: Any


# A database of its own for each engine: two may hold scopes of the same name.
_kept: WeakKeyDictionary[Engine, OrderedDict[_Key, _Report]] = WeakKeyDictionary()
_lock = Lock()


def kept(tx: Transaction, kind: str, make: Callable[[], T], *others: Transaction) -> T:
    """A report of a kind on the scope and on others that it counts: the one that is kept, or what `make` makes."""
    key = (kind, *((each.scope_id, scopes.state(each).revision) for each in (tx, *others)))
    engine = tx.connection.engine
    with _lock:
        found = _kept.setdefault(engine, OrderedDict()).get(key)
    if found and found.made_at <= tx.now and (found.until is None or tx.now < found.until):
        return found.value  # type: ignore[no-any-return]
    value = make()
    with _lock:
        reports = _kept[engine]
        reports[key] = _Report(tx.now, _next_change(tx), value)
        while len(reports) > MOST:
            reports.popitem(last=False)
    return value


def _next_change(tx: Transaction) -> datetime | None:
    """When a link or a claim next begins or ends by itself, or feedback is no longer recent."""
    given = {"scope": tx.scope_id, "now": tx.now, "recent": tx.now - RECENT_FEEDBACK}
    moments = [moment for query in _NEXT for moment in tx.execute(query, given).one() if moment]
    weighed = tx.execute(_WEIGHED, given).scalar_one()
    return min([*moments, *([weighed + RECENT_FEEDBACK] if weighed else [])], default=None)


def _next(table: Any) -> Select[Any]:
    now = bindparam("now", type_=Instant())
    later = [func.min(case((table.c[name] > now, table.c[name]))) for name in ("valid_from", "valid_to", "created_at")]
    return select(*later).where(table.c.scope_id == bindparam("scope"))


_NEXT = (_next(links), _next(attributes))
_WEIGHED = select(func.min(aspects.c.weighed_at)).where(
    aspects.c.scope_id == bindparam("scope"), aspects.c.weighed_at >= bindparam("recent", type_=Instant())
)
