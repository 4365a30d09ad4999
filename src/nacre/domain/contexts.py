"""What an agent is handed before it answers."""

from dataclasses import dataclass
from typing import Literal

DEFAULT_BUDGET = 2_000
MAX_BUDGET = 1_000_000

Label = Literal["recalled", "conversation"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of a context, labelled with the step that made it."""

    role: str
    text: str
    label: Label


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Ordered messages that together cost `tokens`, never more than the budget."""

    messages: tuple[Message, ...]
    tokens: int

    @property
    def text(self) -> str:
        """All messages as one block."""
        return "\n\n".join(message.text for message in self.messages)
