"""Sockets that a server listens on; they know nothing of what answers there, which takes seconds to import."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager

from nacre.domain.checks import is_loopback
from nacre.domain.errors import Invalid, Unavailable

BACKLOG = 1_024


@contextmanager
def listening(host: str, port: int, auth: str = "local") -> Iterator[socket.socket]:
    """A socket that only this machine can reach, unless callers need a token; port 0 picks a free one."""
    if not is_loopback(host) and auth == "local":
        why = "anyone who reached it could read the memory. NACRE_AUTH=team asks callers for a token"
        raise Invalid("host", f"must be a loopback address such as 127.0.0.1, not {host}: {why}")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else str(error)
        raise Unavailable(f"Cannot listen on {host} port {port}: {why}. Try another --port.") from error
    with listener:
        # Connections inherit it. A reply comes in two pieces; asyncio sets it only where a socket names its protocol.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        yield listener
