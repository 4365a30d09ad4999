"""Whether a new value replaces an old one."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from nacre.domain.claims import Cardinality, Claim, ClaimKind, Slot, normalized
from nacre.domain.ids import ClaimId


class Action(StrEnum):
    REPEAT = "repeat"
    ADD = "add"
    REPLACE = "replace"
    REFINE = "refine"
    LATE = "late"
    RETRACT = "retract"
    REFUSE = "refuse"
    REVIEW = "review"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    action: Action
    over: tuple[ClaimId, ...]
    confidence: float
    because: str


def judge(
    slot: Slot,
    cardinality: Cardinality | None,
    held: Sequence[Claim],
    value: str,
    *,
    at: datetime,
    kind: ClaimKind = ClaimKind.ATTRIBUTE,
    said: str | None = None,
) -> Verdict:
    same = [claim for claim in held if normalized(claim.value) == normalized(value)]
    if same:
        return Verdict(action=Action.REPEAT, over=(same[0].id,), confidence=1.0, because="It said so already.")
    return Verdict(action=Action.ADD, over=(), confidence=1.0, because="It stands beside the others.")
