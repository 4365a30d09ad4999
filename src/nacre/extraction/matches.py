"""Matches of a rule: the words of its subject, of its object, and the fact it is to yield."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from nacre.domain.claims import GENERAL_GROUP
from nacre.extraction import paths, phrases
from nacre.extraction.masked_sentences import MaskedSentence
from nacre.extraction.mentions import Mention
from nacre.extraction.rules import FactTemplate, Rule
from nacre.text.relations import RELATIONS, plain_relation

NAMED = re.compile("[\ue000-\ue008]+")
# Values that are taken as they stand.
_WHOLE = ("date", "address", "occupation", "occupation no longer")
_GROUP = re.compile(r"\{(\w+)\}")
# "Paris, France": what follows says where the first lies, unless an "and" makes it a list.
_LIES_IN = re.compile(r"[\ue000-\ue008]+(?:, +[\ue000-\ue008]+)+")
_HOMES = ("lives_in", "based_at", "located_in")
_OF_WHOM = re.compile(r"(?:(?:my|our|the|his|her|their|old|mi|su|el|la) )*(?=\S)")
_JOINED = re.compile(r"[\ue000-\ue008]+(?:(?:,|, and| and| or| &| y| e| o) +[\ue000-\ue008]+)*")


@dataclass(frozen=True, slots=True)
class MatchedObject:
    """An object or a value: its place in the shadow, and the name that it is, if it is one.

    One that is not `named` is whatever is held: the place is that of the match.
    """

    start: int
    end: int
    mention: Mention | None = None
    named: bool = True


@dataclass(frozen=True, slots=True)
class RuleHit:
    """One fact to be made of one match."""

    rule: Rule
    wanted: FactTemplate
    sentence: MaskedSentence
    match: re.Match[str]
    # Where the subject stands, if another clause lends it.
    start: int | None = None

    @property
    def group(self) -> str | None:
        """The words of the subject; None where the match holds none, and the verb tells."""
        return "i" if self.wanted.of == "speaker" else self.match.groupdict().get(self.wanted.of)

    @property
    def position(self) -> int:
        """Where the subject stands in the shadow."""
        if self.start is not None:
            return self.start
        return self.match.start() if self.wanted.of == "speaker" or not self.group else self.match.start(self.wanted.of)

    @property
    def besides(self) -> str:
        """What the match holds besides its subject."""
        start = self.position
        return (
            self.match.string[self.match.start() : start]
            + self.match.string[start + len(self.group or "") : self.match.end()]
        )

    @property
    def predicate(self) -> str | None:
        return RELATIONS[self.match["rel"]] if self.wanted.link == "@rel" else self.wanted.link

    @property
    def path(self) -> str | None:
        if self.wanted.path is None or self.wanted.path == "{key}":
            return self.wanted.path and paths.of_attribute(self.match["key"])
        if self.wanted.path == "{status}":
            return paths.of_status(self.match["what"])
        return _GROUP.sub(lambda group: self._part(group[1]), self.wanted.path)

    def _part(self, name: str) -> str:
        """A part of a path: the words of a group; `of` may be missing, and is then the group `general`."""
        groups = self.match.groupdict()
        words = groups.get(name) or (groups.get(f"{name}2") if name == "of" else None)
        if words and NAMED.search(words):
            start = self.match.start(name if groups.get(name) else f"{name}2")
            words = " ".join(each.name for each in self.sentence.within(start, start + len(words)))
        return (paths.snake(plain_relation(words)) if words else "") or GENERAL_GROUP

    @property
    def detail(self) -> str | None:
        group = self.match.groupdict().get(self.wanted.detail or "")
        return self.wanted.constant or (plain_relation(group) if group else None)

    def quote(self, what: MatchedObject) -> tuple[int, int]:
        """Where the words in the text are on which a fact about `what` rests."""
        closing = what.named and self.match.end(self.wanted.what) == self.match.end()
        begin = max(self.sentence.offset + self.match.start(), self.sentence.start)
        return begin, self.sentence.offset + (what.end if closing else self.match.end())

    def objects(self) -> Iterator[MatchedObject]:
        """What the match says something about: each name or thing of an enumeration by itself."""
        if self.wanted.loose:
            yield from self._loose_object()
            return
        if not self.match.groupdict().get(self.wanted.what):
            return
        start, end = self.match.span(self.wanted.what)
        part, offset = self.sentence.shadow[start:end], self.sentence.offset
        held = self.sentence.within(start, end)
        if self.wanted.literal or (self.wanted.path and self.rule.check in _WHOLE):
            yield MatchedObject(start + len(part) - len(part.lstrip()), start + len(part.rstrip(" ,.-")))
        elif held and self.wanted.link in _HOMES and _LIES_IN.fullmatch(part):
            yield MatchedObject(held[0].start - offset, held[0].end - offset, held[0])
        elif held and _JOINED.fullmatch(part):
            yield from (MatchedObject(each.start - offset, each.end - offset, each) for each in held)
        else:
            exact = {(each.start - offset, each.end - offset): each for each in held}
            yield from (
                MatchedObject(*span, exact.get(span)) for span in phrases.items(self.sentence.shadow, start, end)
            )

    def _loose_object(self) -> Iterator[MatchedObject]:
        """What is retracted, in the words of the match; without any, whatever is held."""
        if self.match.groupdict().get(self.wanted.what):
            start, end = self.match.span(self.wanted.what)
            lead = _OF_WHOM.match(self.sentence.shadow, start, end)
            yield MatchedObject(lead.end() if lead else start, end)
        elif not self.wanted.given:
            yield MatchedObject(*self.match.span(), named=False)
