"""Grants: what whoever holds a token lets a client do in its place, for a while.

A grant is kept nowhere. It names its token, and is signed with the server's secret and the digest of that token:
so it opens what the token opens, and ends with it. Only what was used up or taken back is noted, until it would have
ended by itself.
"""

import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from hmac import compare_digest
from hmac import new as hmac
from uuid import UUID

from nacre.domain.access import GRANT_LIFETIMES, Grant, GrantKind
from nacre.domain.errors import Unauthenticated
from nacre.store.base import replies
from nacre.store.base import tokens as stored
from nacre.store.base.databases import AllScopes, Database

BRAND = "nacre_grant_"


def issue(
    database: Database,
    secret: bytes,
    kind: GrantKind,
    token: UUID,
    *,
    client: str,
    family: str | None = None,
    details: Mapping[str, str] | None = None,
) -> str:
    """A grant of a token's rights to a client, as the client holds it."""
    with database.read_all() as tx:
        found = stored.by_id(tx, token)
    if found is None:
        raise Unauthenticated("There is no such token.")
    written = {
        "kind": kind.value,
        "token": token.hex,
        "id": secrets.token_urlsafe(16),
        "family": family or secrets.token_urlsafe(16),
        "client": client,
        "ends": int((database.clock() + GRANT_LIFETIMES[kind]).timestamp()),
        "details": dict(details or {}),
    }
    payload = _encoded(json.dumps(written, separators=(",", ":")).encode())
    return f"{BRAND}{payload}.{_signature(secret, found[1], payload)}"


def read(database: Database, secret: bytes, kind: GrantKind, text: str) -> Grant | None:
    """The grant that a client holds; nothing where it is forged, over, of another kind, or its token opens nothing."""
    payload, _, signature = text.removeprefix(BRAND).partition(".")
    try:
        written = json.loads(_decoded(payload))
        token, ends = UUID(written["token"]), datetime.fromtimestamp(written["ends"], UTC)
        named, family = GrantKind(written["kind"]), str(written["family"])
    except (ValueError, TypeError, KeyError, OverflowError, OSError):
        return None
    with database.read_all() as tx:
        found = stored.by_id(tx, token)
        ended = _is_spent(tx, family)
    if found is None or not compare_digest(_signature(secret, found[1], payload).encode(), signature.encode()):
        return None
    now = database.clock()
    if named is not kind or ended or now >= ends or not found[0].valid(now):
        return None
    return Grant(
        kind=kind,
        id=written["id"],
        family=family,
        client=written["client"],
        expires_at=ends,
        principal=found[0].principal,
        details=written["details"],
    )


def spend(database: Database, grant: Grant) -> bool:
    """Use up a grant that holds once; where it was used before, somebody has a copy, and its whole family ends."""
    with database.write_all() as tx:
        if _spend(tx, grant.id, grant.expires_at):
            return True
        _end(tx, grant)
    return False


def revoke(database: Database, grant: Grant) -> None:
    """End a grant, and all that came from the same consent."""
    with database.write_all() as tx:
        _end(tx, grant)


def _end(tx: AllScopes, grant: Grant) -> None:
    _spend(tx, grant.family, tx.now + GRANT_LIFETIMES[GrantKind.REFRESH])


def _spend(tx: AllScopes, key: str, until: datetime) -> bool:
    return replies.spend(tx, _key(key), until)


def _is_spent(tx: AllScopes, key: str) -> bool:
    return replies.is_spent(tx, _key(key))


def _key(key: str) -> bytes:
    return sha256(f"grant {key}".encode()).digest()


def _signature(secret: bytes, digest: bytes, payload: str) -> str:
    return _encoded(hmac(hmac(secret, digest, sha256).digest(), payload.encode(), sha256).digest())


def _encoded(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def _decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
