"""Many operations at once, as objects or as lines of JSON: done together or not at all, or only tried or proposed."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NoReturn

from nacre.domain import checks
from nacre.domain.commands import MAX_BATCH, Command
from nacre.domain.errors import Denied, Invalid, NacreError
from nacre.domain.operation_results import OperationResult, StreamProblem, StreamReport
from nacre.graph.operations import path, payloads, proposals
from nacre.store.base.databases import Transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamEntry:
    """One envelope of a batch: the orders that it holds, or why it cannot be read."""

    index: int
    line: int | None
    operation: str | None = None
    orders: tuple[Command, ...] = ()
    error: NacreError | None = None

    @property
    def name(self) -> str:
        """What its sender calls it."""
        return f"operations[{self.index}]" if self.line is None else f"line {self.line}"

    def problem(self, error: NacreError) -> StreamProblem:
        """The error as a report shows it."""
        return StreamProblem(
            index=self.index, line=self.line, operation=self.operation, error=str(error), code=error.code
        )


def read_objects(envelopes: Iterable[object]) -> list[StreamEntry]:
    """The entries of a batch of envelopes."""
    given = islice(envelopes, MAX_BATCH + 1)
    return _bounded([_entry(index, None, each) for index, each in enumerate(given)])


def read_lines(lines: Iterable[str]) -> list[StreamEntry]:
    """The entries of a stream, one JSON object a line; lines without anything do not count."""
    # Only line feeds end a line: JSON text may hold other breaks.
    cut = lines.split("\n") if isinstance(lines, str) else lines
    said = ((number, line) for number, line in enumerate(cut, 1) if not isinstance(line, str) or line.strip())
    return _bounded([_line(index, *each) for index, each in enumerate(islice(said, MAX_BATCH + 1))])


def orders(entries: Sequence[StreamEntry]) -> list[Command]:
    """What entries order, if all of them can be read."""
    for entry in entries:
        if entry.error:
            entry.error.args = (f"{entry.name}: {entry.error}",)
            raise entry.error
    return [order for entry in entries for order in entry.orders]


def check_actor(entries: Sequence[StreamEntry], actor: str) -> None:
    """Refuse entries that name another actor."""
    for entry in entries:
        for order in entry.orders:
            if order.actor not in (None, actor):
                raise Denied(f"{entry.name}: what `{actor}` does cannot be written down to `{order.actor}`.")


def apply(tx: Transaction, entries: Sequence[StreamEntry], *, actor: str) -> StreamReport:
    """Carry out a batch, all or none."""
    applied = path.apply(tx, orders(entries), actor=actor, names=_names(entries))
    return StreamReport(count=len(applied), dry_run=False, proposed=False, applied=tuple(applied))


def propose(tx: Transaction, entries: Sequence[StreamEntry], *, actor: str) -> StreamReport:
    """Keep a batch for review, all or none."""
    made = proposals.propose(tx, orders(entries), actor=actor, names=_names(entries))
    return StreamReport(count=len(made), dry_run=False, proposed=True, proposals=tuple(made))


def rehearse(tx: Transaction, entries: Sequence[StreamEntry], *, actor: str) -> StreamReport:
    """Try a batch to its end, and tell all that is wrong with it."""
    problems = [entry.problem(entry.error) for entry in entries if entry.error]
    pairs = [(entry, order) for entry in entries for order in entry.orders]
    applied: list[OperationResult] = []
    tried = path.rehearse(tx, [order for _, order in pairs], actor=actor) if pairs else []
    for (entry, _), done in zip(pairs, tried, strict=True):
        if isinstance(done, NacreError):
            problems.append(entry.problem(done))
        else:
            applied.append(done)
    return StreamReport(
        count=len(applied) + len(problems),
        dry_run=True,
        proposed=False,
        applied=tuple(applied),
        errors=tuple(sorted(problems, key=lambda each: each.index)),
    )


def _names(entries: Sequence[StreamEntry]) -> list[str]:
    return [entry.name for entry in entries for _ in entry.orders]


def _bounded(entries: list[StreamEntry]) -> list[StreamEntry]:
    if not entries:
        raise Invalid("operations", f"must be from 1 to {MAX_BATCH}, not 0")
    if len(entries) > MAX_BATCH or sum(len(entry.orders) for entry in entries) > MAX_BATCH:
        raise Invalid("operations", f"must be at most {MAX_BATCH}; split them into several batches")
    return entries


def _line(index: int, number: int, line: object) -> StreamEntry:
    try:
        # A file may begin with a mark of its encoding.
        text = checks.text("line", line).removeprefix("\ufeff")
        envelope = json.loads(text, parse_constant=_refuse_constant)
    except NacreError as error:
        return StreamEntry(index=index, line=number, error=error)
    except (ValueError, RecursionError) as error:
        return StreamEntry(index=index, line=number, error=Invalid("line", f"is not JSON: {error}"))
    return _entry(index, number, envelope)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _entry(index: int, line: int | None, envelope: Any) -> StreamEntry:
    said = envelope.get("operation") if isinstance(envelope, Mapping) else None
    name = said[:100] if isinstance(said, str) else None
    try:
        return StreamEntry(index=index, line=line, operation=name, orders=tuple(payloads.to_commands(envelope)))
    except NacreError as error:
        return StreamEntry(index=index, line=line, operation=name, error=error)
