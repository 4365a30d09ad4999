"""Operations that wait for somebody to decide."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, insert, or_, select, update

from nacre.domain.commands import Origin, Quotation
from nacre.domain.errors import NotFound
from nacre.domain.ids import ProposalId
from nacre.domain.plain import plain
from nacre.domain.proposals import Proposal, ProposalStatus
from nacre.store.base.databases import Transaction
from nacre.store.evidence.sources import SourceKind, SourceRow
from nacre.store.tables.schema import proposals, sources

TABLE = proposals.name

_ORIGIN = [field.name for field in fields(Origin)]


def add(tx: Transaction, new: Sequence[Proposal]) -> None:
    """Keep new proposals."""
    tx.execute(insert(proposals), [{"scope_id": tx.scope_id, **_row(each)} for each in new])


def get(tx: Transaction, key: UUID) -> Proposal:
    """A proposal, decided or not."""
    found = _load(tx, proposals.c.id == key)
    if not found:
        raise NotFound("proposal", str(key))
    return found[0]


def exists(tx: Transaction, key: UUID) -> bool:
    """Whether there is such a proposal."""
    mine = (proposals.c.scope_id == tx.scope_id, proposals.c.id == key)
    return tx.execute(select(proposals.c.id).where(*mine)).first() is not None


def newest(tx: Transaction, status: ProposalStatus | None, *, limit: int, offset: int) -> list[Proposal]:
    """Proposals, the last one first."""
    decided = [] if status is None else [proposals.c.status == status.value]
    return _load(tx, *decided, limit=limit, offset=offset)


def pending(tx: Transaction, operations: Collection[str]) -> list[Proposal]:
    """The proposals of some operations that wait, the last one first."""
    waits = proposals.c.status == ProposalStatus.PENDING.value
    return _load(tx, waits, proposals.c.operation.in_(operations))


def oldest(tx: Transaction, limit: int) -> list[Proposal]:
    """The proposals that have waited longest, in their order."""
    mine = (proposals.c.scope_id == tx.scope_id, proposals.c.status == ProposalStatus.PENDING.value)
    query = select(proposals).where(*mine).order_by(proposals.c.created_at, proposals.c.id).limit(limit)
    return [_to_proposal(row) for row in tx.execute(query)]


def naming(
    tx: Transaction, operation: str, fields: Collection[str], ids: Collection[UUID], *, decided: bool = False
) -> list[Proposal]:
    """The proposals of an operation that have one of `ids` in one of some fields: those that wait, or all."""
    keys = [str(key) for key in ids]
    named = or_(*(proposals.c.payload[field].as_string().in_(keys) for field in fields))
    waits = [] if decided else [proposals.c.status == ProposalStatus.PENDING.value]
    return _load(tx, *waits, proposals.c.operation == operation, named)


def was_proposed(tx: Transaction, operation: str, field: str, value: str) -> bool:
    """Whether an operation with such a field was ever proposed, whatever became of it."""
    mine = (proposals.c.scope_id == tx.scope_id, proposals.c.operation == operation)
    held = tx.execute(select(proposals.c.id).where(*mine, proposals.c.payload[field].as_string() == value).limit(1))
    return held.first() is not None


def decide(tx: Transaction, key: UUID, status: ProposalStatus, values: Mapping[str, Any]) -> Proposal:
    """Note what became of a proposal."""
    mine = (proposals.c.scope_id == tx.scope_id, proposals.c.id == key)
    tx.execute(update(proposals).where(*mine).values(status=status.value, updated_at=tx.now, **values))
    return get(tx, key)


def note_undone(tx: Transaction, key: UUID, by: UUID) -> None:
    """Note which operation took a proposal's work back, or that taking it back was itself taken back."""
    known = get(tx, key)
    result = dict(known.result or {})
    if result.pop("undone_by", None) is None:
        result["undone_by"] = str(by)
    decide(tx, key, known.status, {"result": result})


def cited(tx: Transaction, keys: Collection[UUID]) -> dict[UUID, SourceRow]:
    """The evidence stored under `keys`."""
    rows = tx.execute(select(sources).where(sources.c.scope_id == tx.scope_id, sources.c.id.in_(keys)))
    return {
        row.id: SourceRow(id=row.id, kind=SourceKind(row.kind), text=row.text, at=row.at, ref=row.ref) for row in rows
    }


def _load(
    tx: Transaction, *conditions: ColumnElement[bool], limit: int | None = None, offset: int | None = None
) -> list[Proposal]:
    query = select(proposals).where(proposals.c.scope_id == tx.scope_id, *conditions)
    last_first = query.order_by(proposals.c.created_at.desc(), proposals.c.id.desc())
    return [_to_proposal(row) for row in tx.execute(last_first.limit(limit).offset(offset))]


def _row(proposal: Proposal) -> dict[str, Any]:
    origin = proposal.origin or Origin()
    return {
        "id": proposal.id,
        "batch_id": proposal.batch,
        "operation": proposal.operation,
        "payload": dict(proposal.payload),
        "status": proposal.status.value,
        "confidence": proposal.confidence,
        "rationale": proposal.rationale,
        "evidence": plain(proposal.evidence),
        "risk": proposal.risk,
        **{f"source_{name}": getattr(origin, name) for name in _ORIGIN},
        "created_by": proposal.created_by,
        "created_at": proposal.created_at,
        "updated_at": proposal.updated_at,
    }


def _to_proposal(row: Row[tuple[object, ...]]) -> Proposal:
    origin = {name: value for name in _ORIGIN if (value := getattr(row, f"source_{name}"))}
    return Proposal(
        id=ProposalId(row.id),
        batch=row.batch_id,
        operation=row.operation,
        payload=row.payload,
        status=ProposalStatus(row.status),
        confidence=row.confidence,
        rationale=row.rationale,
        evidence=tuple(_to_evidence(each) for each in row.evidence),
        risk=row.risk,
        origin=Origin(**origin) if origin else None,
        created_by=row.created_by,
        created_at=row.created_at,
        updated_at=row.updated_at,
        applied_by=row.applied_by,
        applied_at=row.applied_at,
        rejected_by=row.rejected_by,
        rejected_at=row.rejected_at,
        result=row.result,
        audit=row.audit_id,
    )


def _to_evidence(fields: Mapping[str, Any]) -> Quotation:
    return Quotation(quote=fields["quote"], source=UUID(fields["source"]) if fields["source"] else None)
