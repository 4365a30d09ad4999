"""Addresses that the settings name: which are taken, and how much of a reply is read."""

from urllib.parse import urlsplit

import httpx

from nacre.domain.errors import Misconfigured

MAX_REPLY = 2**20


def check(setting: str, address: str) -> str:
    """`address`, if it can be called: http or https, with a host that no placeholder is part of."""
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
        parts.port  # noqa: B018 - raises for a port that is none
    except ValueError as error:
        raise Misconfigured(f"{setting} is no address: {error}.") from error
    if parts.scheme not in ("http", "https") or not host or "{" in parts.netloc:
        raise Misconfigured(f"{setting} must begin with http:// or https:// and name its host.")
    return address


def client(seconds: float) -> httpx.Client:
    """A client that follows no redirect: where a call goes is for the settings to say, not for who answers it."""
    return httpx.Client(timeout=seconds, follow_redirects=False)


def body(reply: httpx.Response, limit: int = MAX_REPLY) -> bytes:
    """The body of a reply that is being received; one that is too long is refused before it is all there."""
    read = bytearray()
    for piece in reply.iter_bytes():
        read += piece
        if len(read) > limit:
            raise ValueError(f"it is longer than {limit:,} bytes")
    return bytes(read)
