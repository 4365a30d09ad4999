"""The server that `nacre serve` runs; imported by that command alone."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import uvicorn

from nacre.brain import Nacre
from nacre.domain.errors import Invalid, Unavailable
from nacre.http.app import create_app
from nacre.http.guards import is_loopback


@contextmanager
def listening(host: str, port: int, auth: str = "local") -> Iterator[socket.socket]:
    """A socket that only this machine can reach, unless callers need a token; port 0 picks a free one."""
    if not is_loopback(host) and auth == "local":
        why = "anyone who reached it could read the memory. NACRE_AUTH=team asks callers for a token"
        raise Invalid("host", f"must be a loopback address such as 127.0.0.1, not {host}: {why}")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=128)
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else str(error)
        raise Unavailable(f"Cannot listen on {host} port {port}: {why}. Try another --port.") from error
    with listener:
        yield listener


def serve(nacre: Nacre, listener: socket.socket) -> None:
    """Answer requests until told to stop; being interrupted is the ordinary end."""
    # After a clean shutdown uvicorn raises the signal again; whether it arrives as an interrupt is a matter of luck.
    with suppress(KeyboardInterrupt):
        server(nacre).run(sockets=[listener])


def server(nacre: Nacre) -> uvicorn.Server:
    """A server for a brain; `run(sockets=[…])` answers requests until it is told to stop."""
    config = uvicorn.Config(
        create_app(nacre),
        log_level="warning",
        lifespan="off",
        ws="none",
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=5,
    )
    return uvicorn.Server(config)
