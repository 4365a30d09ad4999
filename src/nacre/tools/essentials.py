"""What an agent needs in any conversation: keep, recall, read up, forget."""

from typing import Annotated

from pydantic import Field

from nacre.brain import ScopedNacre
from nacre.domain.turns import Role
from nacre.tools import lines
from nacre.tools.memory import MemoryTools

NOTHING = "Nothing is known about that."
MAX_HITS = 50
BUDGET = 1_500

AsOf = Annotated[str | None, Field(description="What was known at that time, such as 2026-05-03.")]
Session = Annotated[str | None, Field(description="Your id for this conversation.")]


class EssentialTools:
    """Long-term memory and the record of conversations, in an agent's words."""

    def __init__(self, scope: ScopedNacre) -> None:
        self._scope = scope
        self._memory = MemoryTools(scope)

    def remember(
        self,
        text: Annotated[str, Field(description="One fact, preference or decision, as a sentence of its own.")],
        category: Annotated[str | None, Field(description="A path such as user-preferences/food.")] = None,
        tags: list[str] | None = None,
    ) -> str:
        """Keep something for later conversations. Saying it twice makes no second memory."""
        return self._memory.save_memory(text, category, tags)

    def recall(
        self,
        query: Annotated[str, Field(description="A question or a few words.")],
        limit: Annotated[int, Field(ge=1, le=MAX_HITS)] = 8,
        as_of: AsOf = None,
    ) -> str:
        """Find what is known or was said about something, best first. Memories show the id that `forget` takes."""
        found = self._scope.recall(query, limit=limit, as_of=lines.moment("as_of", as_of))
        told = [*map(lines.hit, found), *(f"note: {note}" for note in found.notes)]
        return lines.fenced(told) if told else NOTHING

    def context(
        self,
        message: Annotated[str, Field(description="What the user just said.")],
        session: Session = None,
        budget: Annotated[int, Field(description="How many tokens at most.", ge=1, le=20_000)] = BUDGET,
    ) -> str:
        """What to read before answering a message: memories, what was said, and the graph. Call it first.

        With a session, no memory is shown twice.
        """
        return self._scope.context(message, session=session, budget=budget).text or NOTHING

    def observe(
        self,
        text: Annotated[str, Field(description="The message, word for word.")],
        role: Role = Role.USER,
        speaker: Annotated[str | None, Field(description="Who spoke, by name.")] = None,
        session: Session = None,
    ) -> str:
        """Record a message of the conversation as evidence; people, things and facts in it become known."""
        observed = self._scope.observe(role, text, speaker=speaker, session=session)
        return f"Recorded {observed.id}."

    def forget(
        self, memory: Annotated[str, Field(description="The id in brackets that `recall` and `context` show.")]
    ) -> str:
        """Take one memory out of force. It stays readable as of earlier times."""
        return self._memory.delete_memory(memory.strip("[] "))
