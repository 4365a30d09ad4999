"""The server over standard input and output, for a client that starts it as a process of its own."""

import anyio
from mcp.server.stdio import stdio_server

from nacre.brain import ScopedNacre
from nacre.mcp import servers
from nacre.mcp.callers import Owner


def serve(scope: ScopedNacre, *, session: str, every: bool = False) -> None:
    """Answer until the client closes the standard input."""
    owner = Owner(memory=scope, session=session)
    server = servers.create(lambda _request: owner, every=every)

    async def run() -> None:
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    anyio.run(run)
