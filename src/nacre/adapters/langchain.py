"""The tools of a scope for LangChain, and two nodes for graphs of LangGraph that remember by themselves."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nacre.brain import ScopedNacre
from nacre.domain.errors import Misconfigured
from nacre.domain.turns import Role, Turn
from nacre.tools.catalogue import SESSION, for_agents

try:
    from langchain_core.messages import BaseMessage
    from langchain_core.runnables import RunnableConfig
    from langchain_core.tools import BaseTool, StructuredTool
except ImportError as error:
    raise Misconfigured("LangChain is not installed. Install it with `pip install nacre[langchain]`.") from error

Node = Callable[[Mapping[str, Any], RunnableConfig], dict[str, Any]]

# What LangChain calls those who speak.
_ROLES = {"human": Role.USER.value, "ai": Role.ASSISTANT.value}
# So many of the last turns of a thread are compared with its messages.
_LOOKED_BACK = 100


def tools(scope: ScopedNacre, *, every: bool = False, session: str = SESSION) -> list[BaseTool]:
    """The few tools that agents need, or every one; a refusal is a reply that the model can act on.

    `session` is where the agent keeps its working memory.
    """
    return [StructuredTool.from_function(each) for each in for_agents(scope, every=every, session=session)]


def recall_node(scope: ScopedNacre, *, key: str = "memory", budget: int = 1_000) -> Node:
    """A node that puts what the agent should read before it answers under `key` of the state: a text, perhaps empty."""

    def recall(state: Mapping[str, Any], config: RunnableConfig) -> dict[str, Any]:
        asked = next((each.text for each in reversed(_messages(state)) if each.type == "human"), "")
        text = scope.context(asked, session=_thread(config), budget=budget).text if asked.strip() else ""
        return {key: text}

    return recall


def observe_node(scope: ScopedNacre) -> Node:
    """A node that keeps what people and the model said since it last ran in the thread; tools are left out."""

    def observe(state: Mapping[str, Any], config: RunnableConfig) -> dict[str, Any]:
        session = _thread(config)
        known = {said.turn.ref for said in scope.conversations.last(session, limit=_LOOKED_BACK)}
        spoken = [each for each in _messages(state) if each.type in _ROLES and each.text.strip()]
        fresh = [each for each in spoken if each.id is None or f"langchain:{each.id}"[:200] not in known]
        scope.observe_many(_turn(each, session) for each in fresh)
        return {}

    return observe


def _messages(state: Mapping[str, Any]) -> Sequence[BaseMessage]:
    return state.get("messages") or ()


def _turn(message: BaseMessage, session: str) -> Turn:
    ref = f"langchain:{message.id}"[:200] if message.id else None
    return Turn(role=_ROLES[message.type], text=message.text, session=session, ref=ref)


def _thread(config: RunnableConfig) -> str:
    return str(config.get("configurable", {}).get("thread_id") or SESSION)
