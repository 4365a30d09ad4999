"""Asking a language model within a budget, and keeping count of what it costs."""

from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel

from nacre.domain.errors import Unavailable
from nacre.models.language_models import LanguageModel, ModelPrompt
from nacre.store.base.databases import Transaction
from nacre.store.work import usage

Reply = TypeVar("Reply", bound=BaseModel)

TOKEN_CAP = 200_000
TEMPERATURE = 0.2


@dataclass(slots=True)
class Meter:
    """A model and what it has cost so far. `cap` is the most that a pass may spend."""

    model: LanguageModel
    cap: int = TOKEN_CAP
    input_tokens: int = 0
    output_tokens: int = 0

    def ask(self, prompt: ModelPrompt, output: type[Reply]) -> Reply:
        """The model's reply. Raises `Unavailable` when none comes or the budget is spent."""
        if self.input_tokens + self.output_tokens >= self.cap:
            raise Unavailable(f"The budget of {self.cap:,} tokens is spent.")
        completion = self.model.complete(prompt, output, temperature=TEMPERATURE)
        self.input_tokens += completion.input_tokens
        self.output_tokens += completion.output_tokens
        return completion.output

    def note(self, tx: Transaction, purpose: str) -> None:
        """Write down what it cost."""
        if self.input_tokens or self.output_tokens:
            usage.add(tx, purpose, self.model.name, self.input_tokens, self.output_tokens)
