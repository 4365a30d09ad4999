"""Upkeep by an agent: it hands on what people thought, and dreams."""

from typing import Annotated

from pydantic import Field

from nacre.brain import ScopedNacre
from nacre.domain.dreams import PassName
from nacre.domain.feedback import FeedbackKind
from nacre.tools import lines

MAX_CHANGES = 20


class UpkeepTools:
    """Feedback to learn from, and cycles of upkeep."""

    def __init__(self, scope: ScopedNacre) -> None:
        self._scope = scope

    def give_feedback(
        self,
        kind: FeedbackKind,
        subject: Annotated[str, Field(description="What it is about.")],
        detail: Annotated[str | None, Field(description="What was wrong, or what to do instead.")] = None,
        session: str | None = None,
    ) -> str:
        """Hand on what the user thought of something you did; corrections become lessons."""
        signal = self._scope.feedback.record(kind, subject, detail=detail, session=session)
        return f"Noted the {signal.kind.value}."

    def dream(
        self,
        passes: Annotated[list[PassName] | None, Field(description="Only these; all of them if left out.")] = None,
        dry_run: bool = False,
    ) -> str:
        """Run upkeep: join duplicates, infer preferences, tidy the graph. What it changes can be undone."""
        dream = self._scope.dreams.run(passes, dry_run=dry_run)
        told = [f"{each.name.value}: {each.status.value}" for each in dream.passes]
        changes = [
            f"- {lines.short(change.what)} ({lines.short(change.why)})"
            for each in dream.passes
            for change in each.changes
        ]
        more = len(changes) - MAX_CHANGES
        rest = [f"- … and {more} more"] if more > 0 else []
        head = ["A dry run: nothing was changed."] if dry_run else []
        return "\n".join([*head, ", ".join(told), *changes[:MAX_CHANGES], *rest])
