"""Servers in a thread of the test's process. They end with the test, or fail it: nobody waits for one for ever."""

from collections.abc import Iterator
from contextlib import contextmanager
from socket import socket
from threading import Thread

from nacre import Nacre
from nacre.cli import servers

# How long a server may take to end: it waits for replies and streams that are under way.
ENDING_SECONDS = 120


@contextmanager
def answering(brain: Nacre, listener: socket) -> Iterator[None]:
    """Let a server over a brain answer whoever comes to a socket, which stays open when the server has ended."""
    server = servers.server(brain)
    # One that hangs fails its test, and does not keep the process from ending as well.
    thread = Thread(target=server.run, kwargs={"sockets": [listener.dup()]}, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join(ENDING_SECONDS)
        assert not thread.is_alive(), "The server waits for somebody who does not leave."
