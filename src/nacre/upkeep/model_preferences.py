"""Preferences by a language model. It says what it sees and where; the host looks there, and counts."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field

from nacre.domain import checks
from nacre.domain.dreams import PassChange
from nacre.domain.errors import Invalid
from nacre.domain.memories import check_tags
from nacre.domain.turns import Role, StoredTurn
from nacre.models.language_models import ModelPrompt, prompt_text
from nacre.text import details, tokens
from nacre.text.sentiments import Sentiment, sentiment
from nacre.upkeep.meters import Meter
from nacre.upkeep.rule_preferences import InferredPreference, strength
from nacre.upkeep.steps import brief

DIRECTIVE = "pref-dream.md"
MAX_CONTENT = 500
MAX_TAGS = 5
# What one question shows, in characters: the newest turns.
_TOGETHER = 40_000
_LONGEST = 2_000
# Two words that begin alike are forms of one.
_STEM = 4


class Occurrence(BaseModel):
    """A message that shows a preference."""

    turn: str = Field(description="The id of the message.")
    quote: str = Field(description="Its exact words.")


class Preference(BaseModel):
    """Something that the user durably wants."""

    content: str
    sentiment: Literal["very_irritated", "mildly_frustrated", "minor"] = "minor"
    occurrences: list[Occurrence] = Field(default_factory=list)
    tags: list[str] = Field(default_factory=list)
    requires_user_permission: bool = False


class PreferenceReply(BaseModel):
    """The preferences that the messages show; empty where they show none."""

    toSave: list[Preference] = Field(default_factory=list)  # noqa: N815 - the name of the document


def infer_by_model(
    meter: Meter, turns: Sequence[StoredTurn], read: int, directives: Path | None
) -> tuple[list[InferredPreference], list[PassChange], int]:
    """What the model infers and passes, what does not, and how many it asked for."""
    shown = _shown(turns, read)
    prompt = ModelPrompt(instructions=prompt_text(DIRECTIVE, directives), material=_material(shown))
    reply = meter.ask(prompt, PreferenceReply)
    found, refused = [], []
    for each in reply.toSave:
        try:
            found.append(checked(each, shown, read))
        except Invalid as error:
            refused.append(PassChange(what=f"infer “{brief(each.content)}”", why=str(error)))
    return found, refused, len(reply.toSave)


def checked(preference: Preference, shown: dict[str, StoredTurn], read: int) -> InferredPreference:
    """The preference with the turns that show it. Raises `Invalid` unless their exact words do, often enough."""
    content = checks.text("content", preference.content, limit=MAX_CONTENT).strip()
    found = _found(preference.occurrences, shown)
    if not any(turn.seq > read for turn, _ in found):
        raise Invalid("occurrences", "are none, or none that is new")
    quotes = [turn.turn.text[slice(*span)] for turn, span in found]
    if made_up := details.lost(content, [*quotes, "The user User"]):
        raise Invalid("content", f"names {', '.join(made_up[:5])}, which the user did not say")
    if not _roots(content) & {root for quote in quotes for root in _roots(quote)}:
        raise Invalid("content", "has nothing to do with what the user said")
    tone = strength(_tones(preference, [turn for turn, _ in found]))
    if tone is None:
        raise Invalid("occurrences", f"are {len(found)}, too few for how it was said")
    return InferredPreference(
        content=content,
        sentiment=tone,
        turns=tuple(turn for turn, _ in found),
        spans=tuple(span for _, span in found),
        tags=check_tags(tag.strip().casefold() for tag in preference.tags if tag.strip())[:MAX_TAGS],
        sensitive=preference.requires_user_permission,
    )


def _found(occurrences: Sequence[Occurrence], shown: dict[str, StoredTurn]) -> list[tuple[StoredTurn, tuple[int, int]]]:
    """Where the quotes stand, each turn once and in order; only what the user said counts."""
    places_by_turn: dict[str, tuple[StoredTurn, tuple[int, int]]] = {}
    for each in occurrences:
        turn = shown.get(each.turn.strip("[] "))
        span = _place(each.quote, turn.turn.text) if turn and turn.turn.role == Role.USER else None
        if turn and span:
            places_by_turn.setdefault(str(turn.id), (turn, span))
    return sorted(places_by_turn.values(), key=lambda each: each[0].seq)


def _place(quote: str, text: str) -> tuple[int, int] | None:
    words = quote.split()
    if not tokens.words(quote):
        return None
    # Line breaks may come back as spaces; nothing else may differ.
    place = re.search(r"\s+".join(map(re.escape, words)), text)
    return place.span() if place else None


def _tones(preference: Preference, turns: Sequence[StoredTurn]) -> list[Sentiment]:
    """The tone of each turn. A model may hear frustration where rules do not, but not that somebody is furious."""
    heard = max(Sentiment[preference.sentiment.upper()], Sentiment.MILDLY_FRUSTRATED)
    return [min(sentiment(turn.turn.text), heard) for turn in turns]


def _roots(text: str) -> set[str]:
    return {each[:_STEM] for each in tokens.terms(text) if each not in ("user", "prefer", "want")}


def _shown(turns: Sequence[StoredTurn], read: int) -> dict[str, StoredTurn]:
    """The newest turns that fit, by the names the model knows them by; what is new comes before what is not."""
    room, kept = _TOGETHER, list[StoredTurn]()
    for each in sorted(turns, key=lambda each: (each.seq <= read, -each.seq)):
        size = min(len(each.turn.text), _LONGEST) + 20
        if size > room:
            break
        room -= size
        kept.append(each)
    return {f"T{place}": each for place, each in enumerate(sorted(kept, key=lambda each: each.seq), start=1)}


def _material(shown: dict[str, StoredTurn]) -> str:
    return "\n".join(f"[{name}] {each.turn.role}: {each.turn.text[:_LONGEST]}" for name, each in shown.items())
