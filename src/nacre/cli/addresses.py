"""Where a server answers, and what to try there."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from socket import socket
from typing import Self
from urllib.parse import quote

import typer

from nacre.cli import output


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """The address of a server, and the agent that its examples speak to."""

    url: str
    agent: str
    # Whether callers from this machine need a token, too.
    token: bool = False

    @classmethod
    def of(cls, listener: socket, agent: str, *, token: bool = False) -> Self:
        """The address a socket listens on."""
        host, port = listener.getsockname()[:2]
        url = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
        return cls(url=url, agent=agent, token=token)

    def curl(self, action: str, **body: str) -> str:
        """A command line that posts `body` to one of the agent's actions."""
        sent = json.dumps(body, ensure_ascii=False)
        path = f"{self.url}/v1/agents/{quote(self.agent, safe='')}/{action}"
        token = ' -H "authorization: Bearer $TOKEN"' if self.token else ""
        return f"curl {path} -H 'content-type: application/json'{token} -d '{sent}'"


def announce(address: Address, *, log: str, as_json: bool) -> None:
    """Say where a server answers: in words, or where its log is JSON in one more line of it."""
    if log == "json" and not as_json:
        typer.echo(json.dumps({"message": "Nacre answers.", "url": address.url, "agent": address.agent}))
    else:
        output.show(address, as_json=as_json)


@output.words(Address)
def _welcome(address: Address) -> Iterable[str]:
    yield f"Nacre answers at {address.url}; stop it with Ctrl-C."
    yield ""
    yield f"Open {address.url}/ in a browser to see what it knows, {address.url}/docs for the API,"
    yield f"{address.url}/health to see whether it is well, or try:"
    if address.token:
        yield "(callers need a token: TOKEN=… with the secret that `nacre token issue NAME --role agent` shows)"
    yield ""
    yield "  " + address.curl("observe", role="user", text="I drink my tea without sugar.")
    yield "  " + address.curl("recall", query="What does the user drink?")
    yield "  " + address.curl("context", message="Get me something to drink.")
    yield ""
