"""Reports of forgetting: what went out of force, or for good."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetReport:
    """How much went out of force, or for good where `purged`.

    Where it is `pending`, somebody reads from before the purge, and SQLite's log keeps the bytes until they have done.
    """

    memories: int = 0
    turns: int = 0
    working: int = 0
    skills: int = 0
    feedback: int = 0
    documents: int = 0
    entities: int = 0
    links: int = 0
    claims: int = 0
    purged: bool = False
    pending: bool = False

    def __add__(self, other: "ForgetReport") -> "ForgetReport":
        return ForgetReport(
            memories=self.memories + other.memories,
            turns=self.turns + other.turns,
            working=self.working + other.working,
            skills=self.skills + other.skills,
            feedback=self.feedback + other.feedback,
            documents=self.documents + other.documents,
            entities=self.entities + other.entities,
            links=self.links + other.links,
            claims=self.claims + other.claims,
            purged=self.purged or other.purged,
            pending=self.pending or other.pending,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ScrubReport:
    """How many tables hold no bytes of deleted rows any more; `pending` where somebody reads from before.

    `notes` name what could not be rewritten.
    """

    tables: int
    pending: bool = False
    notes: tuple[str, ...] = ()
