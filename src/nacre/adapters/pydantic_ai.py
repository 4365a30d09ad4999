"""The tools of a scope for pydantic-ai: `Agent(…, toolsets=[toolset(scope)])`."""

from typing import Any

from nacre.brain import ScopedNacre
from nacre.domain.errors import Misconfigured
from nacre.tools.catalogue import INSTRUCTIONS, SESSION, for_agents

try:
    from pydantic_ai.toolsets import FunctionToolset
except ImportError as error:
    raise Misconfigured("pydantic-ai is not installed. Install it with `pip install nacre[llm]`.") from error


def toolset(scope: ScopedNacre, *, every: bool = False, session: str = SESSION) -> FunctionToolset[Any]:
    """The few tools that agents need, or every one; a refusal is a reply that the model can act on.

    `session` is where the agent keeps its working memory.
    """
    return FunctionToolset(for_agents(scope, every=every, session=session), id="nacre", instructions=INSTRUCTIONS)
