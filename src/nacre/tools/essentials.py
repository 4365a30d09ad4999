"""Essential tools, which an agent needs in any conversation: keep, recall, read up, forget."""

from typing import Annotated

from pydantic import Field

from nacre.brain import ScopedNacre
from nacre.domain.audits import AGENT
from nacre.domain.contexts import SeenPolicy
from nacre.domain.turns import Role
from nacre.tools import lines
from nacre.tools.memory import MemoryTools

NOTHING = "Nothing is known about that."
NOTHING_MORE = "Nothing is known about that beyond what this session was shown."
NEAREST = "Probably nothing is known about that. The nearest there is:"
# Where it is less likely than this that anything is known, a reply says so before it shows what is nearest.
UNLIKELY = 0.1
MAX_HITS = 50
BUDGET = 1_500

AskedAt = Annotated[str | None, Field(description="When it is asked, if not now: `last week` counts from there.")]
AsOf = Annotated[str | None, Field(description="What was known at that time, such as 2026-05-03.")]
Session = Annotated[str | None, Field(description="Your id for this conversation.")]
MinScore = Annotated[
    float | None,
    Field(
        description="Leave out what is less likely to bear on it: 0.1 drops what is off the point, 0.3 keeps only "
        "sure answers; the best score about 0.44.",
        ge=0,
        le=1,
    ),
]


class EssentialTools:
    """Long-term memory and the record of conversations, in an agent's words."""

    def __init__(self, scope: ScopedNacre, actor: str = AGENT) -> None:
        self._scope = scope
        self._memory = MemoryTools(scope, actor)

    def remember(
        self,
        text: Annotated[str, Field(description="One fact, preference or decision, as a sentence of its own.")],
        category: Annotated[str | None, Field(description="A path such as user-preferences/food.")] = None,
        tags: list[str] | None = None,
    ) -> str:
        """Keep something for later conversations. Saying it twice makes no second memory."""
        return self._memory.save_memory(text, category, tags)

    def recall(  # noqa: PLR0917 - as models call it
        self,
        query: Annotated[str, Field(description="A question or a few words.")],
        limit: Annotated[int, Field(ge=1, le=MAX_HITS)] = 8,
        as_of: AsOf = None,
        asked_at: AskedAt = None,
        min_score: MinScore = None,
        categories: Annotated[
            list[str] | None, Field(description="Only memories kept under these categories or below them.")
        ] = None,
    ) -> str:
        """Find what is known or was said about something, best first. Memories show the id that `forget` takes.

        It says so when nothing is known, or probably nothing.
        """
        when, now = lines.moment("as_of", as_of), lines.moment("asked_at", asked_at)
        # Models send an empty list for what they leave out.
        among = categories or None
        found = self._scope.recall(query, limit=limit, as_of=when, asked_at=now, min_score=min_score, categories=among)
        notes = lines.notes(found.notes)
        if not found:
            return "\n".join([NOTHING, *notes])
        told = lines.fenced([*map(lines.hit, found), *notes])
        return f"{NEAREST}\n\n{told}" if found.related < UNLIKELY else told

    def context(  # noqa: PLR0917 - as models call it
        self,
        message: Annotated[str, Field(description="What the user just said.")],
        session: Session = None,
        budget: Annotated[int, Field(description="How many tokens at most.", ge=1, le=20_000)] = BUDGET,
        min_score: MinScore = None,
        seen: Annotated[
            SeenPolicy,
            Field(description="`omit` leaves out what this session was shown before and you can still read."),
        ] = SeenPolicy.SHOW,
        asked_at: AskedAt = None,
        speaker: Annotated[
            str | None, Field(description="Who says it, by name, where several people share this memory.")
        ] = None,
    ) -> str:
        """What to read before answering a message: what is believed now, memories and what was said. Call it first.

        It holds what bears on the message and says so when nothing does. With a session, its last turns are in it.
        """
        now = lines.moment("asked_at", asked_at)
        made = self._scope.context(
            message,
            session=session,
            speaker=speaker,
            budget=budget,
            min_score=min_score,
            seen=seen,
            asked_at=now,
        )
        if any(each.label != "conversation" for each in made.messages):
            return made.text
        nothing = "\n".join([NOTHING if seen == SeenPolicy.SHOW else NOTHING_MORE, *lines.notes(made.notes)])
        return f"{nothing}\n\n{made.text}" if made.text else nothing

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

    def forget(self, memory: Annotated[str, Field(description="The id in brackets that `recall` shows.")]) -> str:
        """Take one memory out of force. It stays readable as of earlier times."""
        return self._memory.delete_memory(memory.strip("[] "))
