"""`nacre agent`: what an agent shares among its users, and with other agents."""

from typing import Annotated

import typer

from nacre.brain import Nacre
from nacre.cli.options import group
from nacre.cli.scoped import whole
from nacre.domain.sharing import ReadPolicy, SharingSettings

app = group(
    "See and change what an agent shares.",
    "nacre agent list",
    "nacre agent share assistant --graph --policy shared",
)

Name = Annotated[str, typer.Argument(metavar="AGENT", help="The agent.")]
OneGraph = Annotated[bool | None, typer.Option("--graph/--no-graph", help="One graph for all its users and chats.")]
OneMemory = Annotated[bool | None, typer.Option("--memory/--no-memory", help="One long-term memory for all.")]
Policy = Annotated[ReadPolicy | None, typer.Option(help="Whether other agents may read its graph.")]


@app.command("list")
@whole
def list_agents(nacre: Nacre) -> list[str]:
    """List every agent that something was kept for."""
    return nacre.agents()


@app.command()
@whole
def show(nacre: Nacre, name: Name) -> SharingSettings:
    """Show what an agent shares."""
    return nacre.agent(name).sharing()


@app.command()
@whole
def share(
    nacre: Nacre, name: Name, *, graph: OneGraph = None, memory: OneMemory = None, policy: Policy = None
) -> SharingSettings:
    """Change what an agent shares; what is not named stays as it is."""
    return nacre.agent(name).share(knowledge_graph=graph, memory=memory, read_policy=policy)
