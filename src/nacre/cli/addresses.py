"""Where a server answers, and what to try there."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from socket import socket
from typing import Self
from urllib.parse import quote

from nacre.cli import output


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """The address of a server, and the agent that its examples speak to."""

    url: str
    agent: str

    @classmethod
    def of(cls, listener: socket, agent: str) -> Self:
        """The address a socket listens on."""
        host, port = listener.getsockname()[:2]
        return cls(url=f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}", agent=agent)

    def curl(self, action: str, **body: str) -> str:
        """A command line that posts `body` to one of the agent's actions."""
        sent = json.dumps(body, ensure_ascii=False)
        path = f"{self.url}/v1/agents/{quote(self.agent, safe='')}/{action}"
        return f"curl {path} -H 'content-type: application/json' -d '{sent}'"


@output.words(Address)
def _welcome(address: Address) -> Iterable[str]:
    yield f"Nacre answers at {address.url}; stop it with Ctrl-C."
    yield ""
    yield f"Open {address.url}/ in a browser to see what it knows, {address.url}/docs for the API,"
    yield f"{address.url}/health to see whether it is well, or try:"
    yield ""
    yield "  " + address.curl("observe", role="user", text="I drink my tea without sugar.")
    yield "  " + address.curl("recall", query="What does the user drink?")
    yield "  " + address.curl("context", message="Get me something to drink.")
    yield ""
