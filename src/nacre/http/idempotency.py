"""Calls that are sent twice and carried out once.

A client that did not hear the answer sends the call again with the same `Idempotency-Key`, and is given the answer of
the first one. A key belongs to the caller who used it. It is taken when the caller is let in, and the answer is kept
before it is sent. A key stays taken where the call may have been carried out and no answer could be kept.
"""

import logging
import re
from collections.abc import MutableMapping
from hashlib import sha256
from typing import Any
from uuid import UUID

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from nacre.brain.doors import IdempotencyKeys
from nacre.domain.access import Permission, Principal
from nacre.domain.errors import Conflict, Invalid, NacreError, StillRunning, in_full
from nacre.http import failures

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
MAX_KEY = 200
KEY = rf"^[ -~]{{1,{MAX_KEY}}}$"

log = logging.getLogger(__name__)

_UNTOLD = "The call was carried out. Its reply held a secret, which is kept nowhere, so it cannot be given again."


class ReplayedCall(Exception):
    """The call was answered before; `response` is that answer."""

    def __init__(self, response: Response) -> None:
        super().__init__("The call was answered before.")
        self.response = response


async def replay(_request: Request, error: Exception) -> Response:
    """Give the answer again."""
    if isinstance(error, ReplayedCall):
        return error.response
    raise error


class Idempotency:
    """Gives each call with a key its `KeyedCall`, which takes the key and keeps the answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        # Keys, and their calls, that could not be given back because the database was away.
        self._owed: set[tuple[bytes, bytes]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        keys = Headers(scope=scope).getlist(HEADER) if scope["type"] == "http" and scope["method"] not in SAFE else []
        if not keys:
            await self.app(scope, receive, send)
            return
        if len(keys) > 1 or not re.match(KEY, keys[0]):
            refusal = Invalid(HEADER, f"must be one text of 1 to {MAX_KEY} printable ASCII characters")
            await failures.respond(refusal)(scope, receive, send)
            return
        call = KeyedCall(IdempotencyKeys(scope["app"].state.nacre), keys[0], scope, self._owed)
        scope.setdefault("state", {})["keyed"] = call
        await call.carry_out(self.app, receive, send)


def keyed(request: Request) -> "KeyedCall | None":
    """The key that a request was sent with."""
    call: KeyedCall | None = getattr(request.state, "keyed", None)
    return call


class KeyedCall:
    """One call that was sent with a key."""

    def __init__(
        self, keys: IdempotencyKeys, key: str, scope: MutableMapping[str, Any], owed: set[tuple[bytes, bytes]]
    ) -> None:
        self._keys = keys
        self._owed = owed
        self._key = key
        self._scope = scope
        self._called = sha256(f"{scope['method']} {scope['path']}?".encode() + scope.get("query_string", b"") + b"\n")
        # What the key is kept under, once the caller is known.
        self._held: tuple[bytes, bytes, UUID | None] | None = None
        self._may_purge = False

    def take(self, principal: Principal, permission: Permission, about: UUID | None) -> None:
        """Take the key for a caller who was let in; `about` is the scope that the answer will quote.

        Raises `ReplayedCall` when the call was answered before, `StillRunning` while it is being answered, and
        `Conflict` when the key was used for another call.
        """
        if self._held:
            return
        key = sha256(f"{principal.token or principal.name}\n{self._key}".encode()).digest()
        call = self._called.digest()
        owed = tuple(self._owed)
        kept = self._keys.take(key, call, about, owed)
        self._owed.difference_update(owed)
        if kept is None:
            self._held = key, call, about
            self._may_purge = permission is Permission.FORGET or self._scope["method"] == "DELETE"
        elif kept.call != call:
            raise Conflict(f"The key `{self._key}` was used for another call. Use a new one for each.")
        elif kept.status is None or kept.body is None:
            raise StillRunning
        else:
            raise ReplayedCall(_unpacked(kept.status, kept.body))

    async def carry_out(self, app: ASGIApp, receive: Receive, send: Send) -> None:
        """Run the application, and keep its answer before it is sent."""
        sent: list[Message] = []

        async def listening() -> Message:
            message = await receive()
            self._called.update(message.get("body", b""))
            return message

        async def held_back(message: Message) -> None:
            sent.append(message)
            if message["type"] == "http.response.body" and not message.get("more_body", False):
                await run_in_threadpool(self._answered, sent)
                for each in sent:
                    await send(each)
                sent.clear()

        try:
            await app(self._scope, listening, held_back)
        except Exception:
            await run_in_threadpool(self._release)
            raise

    def _answered(self, sent: list[Message]) -> None:
        if sent[0]["status"] >= 500:
            self._release()
            return
        try:
            self._keep(sent)
        except NacreError as error:
            # What was done is done, and its answer true: whoever does not hear it finds the key taken.
            log.warning("What was answered under a key is not kept: %s", in_full(error))

    def _keep(self, sent: list[Message]) -> None:
        if self._held is None:
            return
        key, call, about = self._held
        status, headers = sent[0]["status"], Headers(raw=sent[0]["headers"])
        if headers.get("cache-control") == "no-store":
            untold = failures.respond(Conflict(_UNTOLD))
            status, packed = untold.status_code, _packed(untold.media_type, bytes(untold.body))
        else:
            packed = _packed(headers.get("content-type"), b"".join(each.get("body", b"") for each in sent[1:]))
        # A purge takes the keys of its scope along, its own as well.
        self._keys.keep(key, call, about, status=status, body=packed, may_purge=self._may_purge)

    def _release(self) -> None:
        if self._held is None or self._scope["state"].get("commit_lost"):
            return
        key, call, _ = self._held
        try:
            self._keys.release(key, call)
        except NacreError as error:
            # The caller is told what failed, and not this. The next call with a key gives this one back.
            self._owed.add((key, call))
            log.warning("A key is given back later: %s", in_full(error))


def _packed(media_type: str | None, body: bytes) -> bytes:
    return (media_type or "").encode("latin-1") + b"\n" + body


def _unpacked(status: int, packed: bytes) -> Response:
    media_type, _, body = packed.partition(b"\n")
    response = Response(body, status, {REPLAYED: "true"})
    if media_type:
        response.headers["content-type"] = media_type.decode("latin-1")
    return response
