"""The tools of a scope for the OpenAI Agents SDK: `Agent(…, tools=tools(scope))`."""

from nacre.brain import ScopedNacre
from nacre.domain.errors import Misconfigured
from nacre.tools.catalogue import SESSION, Tool, for_agents

try:
    from agents import FunctionTool, UserError, function_tool
except ImportError as error:
    raise Misconfigured(
        "The OpenAI Agents SDK is missing. Install it with `pip install nacre[openai-agents]`."
    ) from error


def tools(scope: ScopedNacre, *, every: bool = False, session: str = SESSION) -> list[FunctionTool]:
    """The few tools that agents need, or every one; a refusal is a reply that the model can act on.

    `session` is where the agent keeps its working memory.
    """
    return [_tool(each) for each in for_agents(scope, every=every, session=session)]


def _tool(function: Tool) -> FunctionTool:
    try:
        return function_tool(function)
    except UserError:
        # Strict schemas have no room for operations, whose payloads differ.
        return function_tool(function, strict_mode=False)
