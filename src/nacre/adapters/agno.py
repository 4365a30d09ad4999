"""The tools of a scope for Agno: `Agent(…, tools=[toolkit(scope)])`."""

from nacre.brain import ScopedNacre
from nacre.domain.errors import Misconfigured
from nacre.tools.catalogue import INSTRUCTIONS, SESSION, for_agents

try:
    from agno.tools import Toolkit
except ImportError as error:
    raise Misconfigured("Agno is not installed. Install it with `pip install nacre[agno]`.") from error


def toolkit(scope: ScopedNacre, *, every: bool = False, session: str = SESSION) -> Toolkit:
    """The few tools that agents need, or every one; a refusal is a reply that the model can act on.

    `session` is where the agent keeps its working memory.
    """
    held = for_agents(scope, every=every, session=session)
    return Toolkit(name="nacre", tools=list(held), instructions=INSTRUCTIONS, add_instructions=True)
