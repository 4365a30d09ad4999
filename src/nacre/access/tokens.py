"""Tokens: issued once, kept as digests, checked at every call."""

import secrets
from datetime import datetime, timedelta
from hashlib import sha256
from hmac import compare_digest
from uuid import UUID

from nacre.domain import access, checks, ids
from nacre.domain.access import Denial, IssuedToken, Permission, Principal, Token
from nacre.domain.errors import Invalid, Unauthenticated
from nacre.store.base import tokens as stored
from nacre.store.base.databases import Database

BRAND = "nacre"
# The use of a token is noted at most so often: a note is a write.
NOTED_EVERY = timedelta(minutes=1)
DENIALS_KEPT = timedelta(days=30)
MAX_DENIALS = 1_000


def issue(
    database: Database, name: str, role: str, *, agent: str | None, user: str | None, expires_at: datetime | None
) -> IssuedToken:
    """Make a token. Its secret is in the reply and nowhere else."""
    access.check_binding(agent, user)
    now = database.clock()
    ends = checks.optional_instant("expires_at", expires_at)
    if ends and ends <= now:
        raise Invalid("expires_at", "must lie ahead")
    prefix, secret = secrets.token_hex(6), secrets.token_urlsafe(32)
    token = Token(
        id=ids.new(now),
        prefix=f"{BRAND}_{prefix}",
        name=checks.name("name", name),
        role=access.role(role),
        agent=agent,
        user=user,
        created_at=now,
        expires_at=ends,
    )
    with database.write_all() as tx:
        stored.add(tx, token, _digest(secret))
    return IssuedToken(token=token, secret=f"{token.prefix}_{secret}")


def verify(database: Database, secret: str | None) -> Principal:
    """The caller that a token stands for; `Unauthenticated` where it opens nothing."""
    if secret is None:
        raise Unauthenticated("This server needs a token: send `Authorization: Bearer …`.")
    prefix, _, rest = secret.removeprefix(f"{BRAND}_").partition("_")
    with database.read_all() as tx:
        found = stored.by_prefix(tx, f"{BRAND}_{prefix}")
    # Whether a token is unknown, wrong, expired or revoked is said to nobody who does not hold it.
    if found is None or not compare_digest(found[1], _digest(rest)) or not found[0].valid(database.clock()):
        raise Unauthenticated("The token is not valid here: unknown, expired or revoked.")
    _note(database, found[0])
    return found[0].principal


def every(database: Database) -> list[Token]:
    """Every token, the newest first, those that are over included."""
    with database.read_all() as tx:
        return stored.every(tx)


def revoke(database: Database, key: UUID) -> Token:
    """Have a token open nothing from now on."""
    with database.write_all() as tx:
        return stored.revoke(tx, key)


def deny(
    database: Database,
    reason: str,
    *,
    called: str,
    principal: Principal | None = None,
    permission: Permission | None = None,
    agent: str | None = None,
    user: str | None = None,
) -> None:
    """Keep the record of a call that was turned away; old records go."""
    now = database.clock()
    denial = Denial(
        id=ids.new(now),
        at=now,
        called=called[: checks.MAX_NAME],
        reason=reason,
        token_id=principal.token if principal else None,
        permission=permission,
        agent=agent,
        user=user,
    )
    with database.write_all() as tx:
        stored.deny(tx, denial)
        stored.forget_denied(tx, now - DENIALS_KEPT)


def denials(database: Database, *, limit: int, before: datetime | None) -> list[Denial]:
    """The calls that were turned away, the last first."""
    checks.count("limit", limit, maximum=MAX_DENIALS)
    with database.read_all() as tx:
        return stored.denied(tx, limit, checks.optional_instant("before", before))


def _note(database: Database, token: Token) -> None:
    now = database.clock()
    if token.last_used_at is None or abs(now - token.last_used_at) >= NOTED_EVERY:
        with database.write_all() as tx:
            stored.used(tx, token.id)


def _digest(secret: str) -> bytes:
    # Secrets are 256 random bits: there is no dictionary to slow down, and every call pays for the digest.
    return sha256(secret.encode()).digest()
