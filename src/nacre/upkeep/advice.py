"""A language model's opinion on proposals that rival each other. It decides nothing."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pydantic import BaseModel, Field

from nacre.domain.proposals import ClaimConflict
from nacre.domain.suggestions import Advice, Rivals
from nacre.models.language_models import ModelPrompt, prompt_text
from nacre.upkeep.meters import Meter

DIRECTIVE = "proposal-review.md"
PURPOSE = "proposals"
MAX_WHY = 500
MAX_RIVALS = 26

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Choice(BaseModel):
    """Which value of a claim to apply."""

    claim: int = Field(description="The claim's number.")
    value: str = Field(description="The value's letter.")
    why: str


class Choices(BaseModel):
    """One choice for each claim that can be told."""

    choices: list[Choice] = Field(default_factory=list)


def advise(meter: Meter, rivals: Sequence[Rivals], directives: Path | None) -> list[Rivals]:
    """The rivals, each with what the model says of it; a choice that is none of them is left out."""
    prompt = ModelPrompt(instructions=prompt_text(DIRECTIVE, directives), material=_material(rivals))
    said = {choice.claim: choice for choice in meter.ask(prompt, Choices).choices}
    return [replace(each, advice=_advice(each.conflict, said.get(place))) for place, each in enumerate(rivals, 1)]


def _advice(conflict: ClaimConflict, choice: Choice | None) -> Advice | None:
    lettered = dict(zip(_LETTERS, conflict.values, strict=False))
    chosen = lettered.get(choice.value.strip().upper()) if choice else None
    if choice is None or chosen is None:
        return None
    return Advice(proposal=chosen.proposal, why=" ".join(choice.why.split())[:MAX_WHY])


def _material(rivals: Sequence[Rivals]) -> str:
    lines = ["<claims>"]
    for place, each in enumerate(rivals, 1):
        conflict = each.conflict
        lines.append(f"{place}. {conflict.entity}: {conflict.aspect}/{conflict.group}/{conflict.claim}")
        lines += [
            f"   {letter}. {value.value} (confidence {value.confidence}; {value.evidence} quotes; {value.rationale})"
            for letter, value in zip(_LETTERS, conflict.values[:MAX_RIVALS], strict=False)
        ]
    return "\n".join([*lines, "</claims>"])
