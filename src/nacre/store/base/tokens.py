"""Tokens and denied calls, as rows of the server."""

from dataclasses import asdict
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Row, delete, insert, select, update

from nacre.domain.access import AccessRole, Denial, Permission, Token
from nacre.domain.errors import NotFound
from nacre.store.base.databases import AllScopes
from nacre.store.tables.access_tables import SERVER
from nacre.store.tables.schema import api_keys, denials

_MINE = api_keys.c.scope_id == SERVER


def add(tx: AllScopes, token: Token, digest: bytes) -> None:
    """Keep a new token; of the secret, only its digest."""
    tx.execute(insert(api_keys).values(scope_id=SERVER, digest=digest, **asdict(token)))


def by_prefix(tx: AllScopes, prefix: str) -> tuple[Token, bytes] | None:
    """The token that begins so, and the digest of its secret."""
    row = tx.execute(select(api_keys).where(_MINE, api_keys.c.prefix == prefix)).one_or_none()
    return (_to_token(row), row.digest) if row else None


def by_id(tx: AllScopes, key: UUID) -> tuple[Token, bytes] | None:
    """The token of an id, and the digest of its secret."""
    row = tx.execute(select(api_keys).where(_MINE, api_keys.c.id == key)).one_or_none()
    return (_to_token(row), row.digest) if row else None


def every(tx: AllScopes) -> list[Token]:
    """Every token, the newest first."""
    return [_to_token(row) for row in tx.execute(select(api_keys).where(_MINE).order_by(api_keys.c.id.desc()))]


def revoke(tx: AllScopes, key: UUID) -> Token:
    """Have a token open nothing from now on."""
    found = tx.execute(select(api_keys).where(_MINE, api_keys.c.id == key)).one_or_none()
    if found is None:
        raise NotFound("token", str(key))
    ended = update(api_keys).where(_MINE, api_keys.c.id == key).values(revoked_at=found.revoked_at or tx.now)
    return _to_token(tx.execute(ended.returning(*api_keys.c)).one())


def used(tx: AllScopes, key: UUID) -> None:
    """Note that a token was used just now."""
    tx.execute(update(api_keys).where(_MINE, api_keys.c.id == key).values(last_used_at=tx.now))


def deny(tx: AllScopes, denial: Denial) -> None:
    """Keep the record of a call that was turned away."""
    tx.execute(insert(denials).values(scope_id=SERVER, **asdict(denial)))


def denied(tx: AllScopes, limit: int, before: datetime | None = None) -> list[Denial]:
    """The calls that were turned away, the last first."""
    earlier = [denials.c.at < before] if before else []
    wanted = select(denials).where(denials.c.scope_id == SERVER, *earlier)
    newest = wanted.order_by(denials.c.at.desc(), denials.c.id.desc())
    return [_to_denial(row) for row in tx.execute(newest.limit(limit))]


def forget_denied(tx: AllScopes, before: datetime) -> int:
    """Remove the records from before a moment."""
    return tx.execute(delete(denials).where(denials.c.scope_id == SERVER, denials.c.at < before)).rowcount


def _to_token(row: Row[Any]) -> Token:
    held = {name: getattr(row, name) for name in Token.__dataclass_fields__}
    return Token(**{**held, "role": AccessRole(row.role)})


def _to_denial(row: Row[Any]) -> Denial:
    held = {name: getattr(row, name) for name in Denial.__dataclass_fields__}
    return Denial(**{**held, "permission": Permission(row.permission) if row.permission else None})
