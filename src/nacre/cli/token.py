"""`nacre token`: who may call the server, and who was turned away."""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated

import typer

from nacre.brain import Nacre
from nacre.cli import options, output
from nacre.cli.options import group
from nacre.cli.scoped import whole
from nacre.domain.access import AccessRole, Denial, IssuedToken, Token

app = group(
    "Issue and revoke tokens for callers of the server.",
    "nacre token issue laptop --role agent --for-agent assistant",
    "nacre token list --json",
)

Name = Annotated[str, typer.Argument(help="What to call it.")]
One = Annotated[str, typer.Argument(metavar="TOKEN", help="The token's id.")]
TokenRole = Annotated[AccessRole, typer.Option("--role", help="What it may do.")]
ForAgent = Annotated[str | None, typer.Option(help="Bind it to this agent.")]
ForUser = Annotated[str | None, typer.Option(help="Bind it to this user of the agent.")]
Expires = Annotated[
    datetime | None, typer.Option(parser=options.when, metavar="TIME", help="Until when; for good if left out.")
]
Before = Annotated[datetime | None, typer.Option(parser=options.when, metavar="TIME", help="Only those before.")]


@app.command()
@whole
def issue(
    nacre: Nacre,
    name: Name,
    *,
    role: TokenRole = AccessRole.AGENT,
    for_agent: ForAgent = None,
    for_user: ForUser = None,
    expires: Expires = None,
) -> IssuedToken:
    """Make a token. Its secret is shown once and kept nowhere."""
    return nacre.tokens.issue(name, role, agent=for_agent, user=for_user, expires_at=expires)


@app.command("list")
@whole
def list_tokens(nacre: Nacre) -> list[Token]:
    """List every token, the newest first."""
    return nacre.tokens.list()


@app.command()
@whole
def revoke(nacre: Nacre, token: One) -> Token:
    """Have a token open nothing from now on."""
    return nacre.tokens.revoke(token)


@app.command()
@whole
def denials(nacre: Nacre, *, limit: options.Most = 50, before: Before = None) -> list[Denial]:
    """List the calls that were turned away in the last 30 days, the last first."""
    return nacre.tokens.denials(limit=limit, before=before)


@output.words(IssuedToken)
def _issued(issued: IssuedToken) -> Iterable[str]:
    output.note("Keep it now: it cannot be shown again.")
    yield issued.secret


output.table(
    Token,
    id="id",
    prefix="prefix",
    role="role",
    agent="agent",
    user="user",
    expires="expires_at",
    revoked="revoked_at",
    used="last_used_at",
    name="name",
)
output.table(
    Denial,
    at="at",
    caller="token_id",
    permission="permission",
    agent="agent",
    user="user",
    called="called",
    why="reason",
)
