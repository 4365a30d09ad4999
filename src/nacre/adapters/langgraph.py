"""A LangGraph store whose items are memories: `graph.compile(store=NacreStore(scope))`."""

import asyncio
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from nacre.adapters.items import Items, StoredItem
from nacre.brain import ScopedNacre
from nacre.domain.errors import Invalid, Misconfigured
from nacre.domain.items import Namespace

try:
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        Item,
        ListNamespacesOp,
        MatchCondition,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
    )
except ImportError as error:
    raise Misconfigured("LangGraph is not installed. Install it with `pip install nacre[langgraph]`.") from error

COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda held, wanted: bool(held == wanted),
    "$ne": lambda held, wanted: bool(held != wanted),
    "$gt": lambda held, wanted: float(held) > float(wanted),
    "$gte": lambda held, wanted: float(held) >= float(wanted),
    "$lt": lambda held, wanted: float(held) < float(wanted),
    "$lte": lambda held, wanted: float(held) <= float(wanted),
}


class NacreStore(BaseStore):
    """The items of one scope. Searching by words and meaning needs no configuration; times to live are refused."""

    def __init__(self, scope: ScopedNacre) -> None:
        self._items = Items(scope)

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Read first, then write; of several writes of one item, the last counts."""
        every = list(ops)
        results = [None if isinstance(op, PutOp) else self._read(op) for op in every]
        for op in {(tuple(op.namespace), op.key): op for op in every if isinstance(op, PutOp)}.values():
            self._write(op)
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """The same, on a thread."""
        return await asyncio.to_thread(self.batch, list(ops))

    def _read(self, op: Op) -> Result:
        match op:
            case GetOp():
                kept = self._items.get(tuple(op.namespace), op.key)
                return Item(**_parts(kept)) if kept else None
            case SearchOp():
                return self._search(op)
            case ListNamespacesOp():
                conditions = op.match_conditions or ()
                fitting = (each for each in self._items.namespaces() if all(_fits(how, each) for how in conditions))
                return sorted({each[: op.max_depth] for each in fitting})[op.offset : op.offset + op.limit]
            case _:
                raise Invalid("ops", f"must be operations of a store, not {type(op).__name__}")

    def _search(self, op: SearchOp) -> list[SearchItem]:
        wanted = (op.filter or {}).items()
        found = (
            kept
            for kept in self._items.search(tuple(op.namespace_prefix), op.query)
            if all(_passes(kept.value.get(name), each) for name, each in wanted)
        )
        return [SearchItem(**_parts(kept), score=kept.score) for kept in islice(found, op.offset, op.offset + op.limit)]

    def _write(self, op: PutOp) -> None:
        if op.value is None:
            self._items.delete(tuple(op.namespace), op.key)
        else:
            self._items.put(tuple(op.namespace), op.key, op.value, indexed=op.index is not False)


def _parts(stored_item: StoredItem) -> dict[str, Any]:
    return {name: getattr(stored_item, name) for name in ("namespace", "key", "value", "created_at", "updated_at")}


def _passes(held: Any, wanted: Any) -> bool:
    """Whether a value passes a filter: it equals it, compares with it, or is an object that holds all of it."""
    if not isinstance(wanted, dict):
        return bool(held == wanted)
    if any(name.startswith("$") for name in wanted):
        return all(_compare(name, held, each) for name, each in wanted.items())
    return isinstance(held, dict) and all(_passes(held.get(name), each) for name, each in wanted.items())


def _compare(name: str, held: Any, wanted: Any) -> bool:
    if name not in COMPARISONS:
        raise ValueError(f"A filter knows {', '.join(COMPARISONS)}, not {name!r}.")
    try:
        return COMPARISONS[name](held, wanted)
    except (TypeError, ValueError):
        # What is not there, or is no number, is neither more nor less.
        return False


def _fits(condition: MatchCondition, namespace: Namespace) -> bool:
    path = tuple(condition.path)
    if len(path) > len(namespace):
        return False
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(wanted in ("*", label) for wanted, label in zip(path, part, strict=True))
