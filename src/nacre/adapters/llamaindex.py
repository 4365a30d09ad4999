"""Memory for agents and chat engines of LlamaIndex: `agent.run(…, memory=NacreMemory(scope, session="monday"))`."""

from collections.abc import Iterable
from typing import Any

from nacre.brain import ScopedNacre
from nacre.domain.contexts import Block
from nacre.domain.errors import Misconfigured
from nacre.domain.turns import Role, Turn
from nacre.tools.catalogue import SESSION

try:
    from llama_index.core.base.llms.types import ChatMessage, MessageRole
    from llama_index.core.bridge.pydantic import PrivateAttr
    from llama_index.core.memory import BaseMemory
except ImportError as error:
    raise Misconfigured("LlamaIndex is not installed. Install it with `pip install nacre[llamaindex]`.") from error

# The conversation itself comes as messages.
BLOCKS = (Block.PROFILE, Block.BELIEF, Block.MEMORY, Block.DOCUMENT, Block.EPISODE)
_ROLES = {MessageRole.USER: Role.USER, MessageRole.ASSISTANT: Role.ASSISTANT}
# So many turns of a conversation are compared with those that it is set to.
_LOOKED_BACK = 100


class NacreMemory(BaseMemory):  # type: ignore[misc, unused-ignore]
    """One conversation, and before it what is known that bears on its last message.

    What people and the model say is kept at once; calls of tools, and what they return, are not.
    """

    _scope: ScopedNacre = PrivateAttr()
    _named: str = PrivateAttr()
    _resets: int = PrivateAttr(default=0)
    _budget: int = PrivateAttr()
    _turns: int = PrivateAttr()

    def __init__(self, scope: ScopedNacre, *, session: str = SESSION, budget: int = 1_000, turns: int = 20) -> None:
        super().__init__()
        self._scope, self._named, self._budget, self._turns = scope, session, budget, turns

    @classmethod
    def class_name(cls) -> str:
        """Its name among the components of LlamaIndex."""
        return "NacreMemory"

    @classmethod
    def from_defaults(cls, **given: Any) -> "NacreMemory":
        """The memory of a `scope`, and of a `session` where one is named."""
        return cls(**given)

    def get(self, input: str | None = None, **_: Any) -> list[ChatMessage]:  # noqa: A002 - their name for it
        """The last turns, after a message with what the model should read before it answers."""
        said = self._last(self._turns)
        asked = input or next((turn.text for turn in reversed(said) if turn.role == Role.USER), "")
        if not asked.strip():
            return _messages(said)
        built = self._scope.context(asked, session=self._session, budget=self._budget, blocks=BLOCKS)
        read = [ChatMessage(role=MessageRole.SYSTEM, content=built.text)] if built.lines else []
        return [*read, *_messages(said)]

    def get_all(self) -> list[ChatMessage]:
        """The turns of the conversation."""
        return _messages(self._last(_LOOKED_BACK))

    def put(self, message: ChatMessage) -> None:
        """Keep what was said."""
        self._keep([message])

    def put_messages(self, messages: list[ChatMessage]) -> None:
        """Keep several things that were said."""
        self._keep(messages)

    def set(self, messages: list[ChatMessage]) -> None:
        """Keep what the conversation does not have yet."""
        held = {(turn.role, turn.text) for turn in self._last(_LOOKED_BACK)}
        self._keep(each for each in messages if (_ROLES.get(each.role), (each.content or "").strip()) not in held)

    def reset(self) -> None:
        """Begin another conversation; what was said stays known."""
        self._resets += 1

    @property
    def _session(self) -> str:
        return f"{self._named}#{self._resets + 1}" if self._resets else self._named

    def _last(self, limit: int) -> list[Turn]:
        return [said.turn for said in self._scope.conversations.last(self._session, limit=limit)]

    def _keep(self, messages: Iterable[ChatMessage]) -> None:
        spoken = [each for each in messages if each.role in _ROLES and (each.content or "").strip()]
        self._scope.observe_many(
            Turn(role=_ROLES[each.role], text=str(each.content), session=self._session) for each in spoken
        )


def _messages(turns: Iterable[Turn]) -> list[ChatMessage]:
    return [ChatMessage(role=MessageRole(turn.role), content=turn.text) for turn in turns]
