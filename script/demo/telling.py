"""How the demo's history is written down: who said what, what followed from it, and what was kept."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from nacre import Turn

ASSISTANT = "Assistant"
_LINK = re.compile(r"^(?P<source>.+?) -(?P<predicate>\w+)-(?P<arrow>[>x]) (?P<target>.+)$")
_CLAIM = re.compile(r"^(?P<entity>.+?) \| (?P<path>[\w/]+) (?P<how>=|\+=|:=) (?P<value>.+)$")
_SENTENCE = re.compile(r"[^.!?]+[.!?]*")
_HOW = {"=": "set_claim_value", "+=": "add_claim_value", ":=": "set_claim_value"}


@dataclass(frozen=True, slots=True)
class Said:
    """One message and the facts in it.

    A fact is a link, `Tom -works_on-> Firmware`; the end of one, `Tom -lives_in-x Berlin`; or a claim with a value,
    `Pebble | price/retail/unit = 39 euros`. `+=` adds a value beside others, `:=` lays down a constraint.
    """

    speaker: str
    text: str
    facts: tuple[str, ...] = ()

    def quote(self, words: str) -> str:
        """The sentence that holds most of some words."""
        wanted = set(re.findall(r"\w+", words.lower()))
        sentences = [each.group().strip() for each in _SENTENCE.finditer(self.text)]
        return max(sentences, key=lambda each: len(wanted & set(re.findall(r"\w+", each.lower()))))


@dataclass(frozen=True, slots=True)
class Note:
    """A memory that the agent was told to keep."""

    text: str
    category: str
    tags: tuple[str, ...] = ()
    importance: float = 0.5
    structured: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """What was said in one session, a minute apart, and what was kept of it; a user's own where one is named."""

    session: str
    began: datetime
    said: tuple[Said, ...]
    kept: tuple[Note, ...] = ()
    user: str | None = None

    @property
    def ended(self) -> datetime:
        """When the last word was said."""
        return self.began + timedelta(minutes=len(self.said))

    def turns(self) -> list[Turn]:
        """The session as Nacre observes it."""
        return [
            Turn(
                role="assistant" if said.speaker == ASSISTANT else "user",
                text=said.text,
                speaker=said.speaker,
                session=self.session,
                at=self.began + timedelta(minutes=minute),
            )
            for minute, said in enumerate(self.said)
        ]


@dataclass(frozen=True, slots=True)
class Order:
    """An operation that follows from a fact, and the entities it names."""

    operation: str
    payload: dict[str, Any]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Kind:
    """What an entity is, in the words of whoever first told of it."""

    type: str
    description: str = ""
    aliases: tuple[str, ...] = field(default=())


def order(fact: str, at: datetime) -> Order:
    """The operation that a fact stands for, said at a moment."""
    if link := _LINK.match(fact):
        ends = {"source": link["source"], "target": link["target"]}
        time = {"valid_to": at.isoformat()} if link["arrow"] == "x" else {"valid_from": at.isoformat()}
        return Order("create_link", {**ends, "predicate": link["predicate"], **time}, tuple(ends.values()))
    claim = _CLAIM.match(fact)
    if claim is None:
        raise ValueError(f"neither a link nor a claim: {fact}")
    aspect, group, key = claim["path"].split("/")
    said = {"entity": claim["entity"], "aspect": aspect, "group": group, "claim": key, "value": claim["value"]}
    if claim["how"] == ":=":
        said |= {"kind": "constraint", "importance": 0.85}
    return Order(_HOW[claim["how"]], said, (claim["entity"],))
