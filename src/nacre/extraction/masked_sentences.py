"""Masked sentences, as rules read them: lower case, and every name replaced by marks of its type.

The shadow is exactly as long as the sentence, so what a pattern finds in it has the same offsets in the text.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from nacre.domain.entities import EntityType
from nacre.extraction.mentions import Mention

# Private characters: no text that anybody types holds them, and `\w` does not match them.
PERSON, ORGANISATION, PLACE, TECHNOLOGY, ASSET, OTHER, PROJECT, WEB, HOST = (chr(0xE000 + code) for code in range(9))
_MARKS = {
    EntityType.PERSON: PERSON,
    EntityType.ORGANIZATION: ORGANISATION,
    EntityType.LOCATION: PLACE,
    EntityType.TECHNOLOGY: TECHNOLOGY,
    EntityType.ASSET: ASSET,
    EntityType.PROJECT: PROJECT,
    EntityType.SOURCE: WEB,
    EntityType.SYSTEM: HOST,
}
_PRIVATE = re.compile("[\ue000-\ue0ff]")
# "I-I live here": the first is blanked.
_STUTTER = re.compile(r"(?<![\w'’-])(?P<word>i|i'm|i've|we|he|she|it|and|the|my|a|you)[-–—]+(?=(?P=word)(?!\w))")
_SPACE = re.compile(r"\s")


@dataclass(frozen=True, slots=True)
class MaskedSentence:
    """A sentence as rules see it. `offset` is where the shadow begins in the text, `start` where the sentence does:
    words that the speaker left out stand before it.
    """

    shadow: str
    offset: int
    start: int
    mentions: Sequence[Mention]

    def within(self, start: int, end: int) -> list[Mention]:
        """The names that lie in a part of the shadow."""
        return [each for each in self.mentions if start <= each.start - self.offset and each.end - self.offset <= end]

    def said(self, text: str) -> str:
        """The sentence in the text's own words, as long as the shadow."""
        missing = self.start - self.offset
        return " " * missing + text[self.start : self.offset + len(self.shadow)]


def shadow(text: str, span: tuple[int, int], mentions: Sequence[Mention]) -> str:
    """The sentence at `span` with its names marked."""
    said = lowered(text[slice(*span)])
    pieces, at = [], span[0]
    for each in mentions:
        pieces.append(said[at - span[0] : each.start - span[0]])
        pieces.append(_MARKS.get(each.type, OTHER) * (each.end - each.start))
        at = each.end
    pieces.append(said[at - span[0] :])
    return "".join(pieces)


def lowered(said: str) -> str:
    """Lower case of the same length, with straight apostrophes and plain spaces."""
    low = said.lower()
    if len(low) != len(said):
        low = "".join(small if len(small := letter.lower()) == 1 else letter for letter in said)
    plain = _SPACE.sub(" ", _PRIVATE.sub("?", low).replace("’", "'"))
    return _STUTTER.sub(lambda found: " " * len(found[0]), plain)
