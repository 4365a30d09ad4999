"""Coreference: whom a pronoun means, and only when there is no doubt, because exactly one candidate fits."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from nacre.domain.entities import EntityType
from nacre.domain.facts import NamedEntity
from nacre.extraction.mentions import hint
from nacre.text.relations import KIN_HINTS, RELATIONS, plain_relation

WINDOW = 12

_FITS = {
    **dict.fromkeys(("he", "his", "him", "él"), "me"),
    **dict.fromkeys(("she", "her", "ella"), "fe"),
    **dict.fromkeys(("they", "their", "su", ""), "fme"),
}
_THINGS = {
    EntityType.ORGANIZATION,
    EntityType.PROJECT,
    EntityType.PRODUCT,
    EntityType.TECHNOLOGY,
    EntityType.TOOL,
    EntityType.SYSTEM,
}
_REL = "|".join(re.escape(word) for word in sorted(RELATIONS, key=len, reverse=True))
_PEOPLE = ("man", "woman", "guy", "girl", "lady", "boy", "hombre", "mujer", "chico", "chica", "señor", "señora")
_UNNAMED = re.compile(
    r"(?<!\w)(?P<mine>my|our|mi|nuestr[oa])? ?(?:(?:a|an|this|that|the|some|un|una|este|esta|his|her|su|el"
    r"|la) )?(?:[\w-]{1,40} )?"
    rf"(?P<rel>{_REL}|{'|'.join(_PEOPLE)})(?!\w)(?!,? (?:(?:is "
    r"|es )?(?:named|called|llamad[oa]|se llama) )?[\ue000\ue005])"
)


_LETTERS = re.compile(r"[^\W\d_]+")
# A sentence without one of these words speaks of nobody so; the pattern is tried at every letter.
_LAST_WORDS = {_LETTERS.findall(word)[-1] for word in (*RELATIONS, *_PEOPLE)}
_UNNAMED_WORDS = _LAST_WORDS | {
    mine + word for mine in ("my", "our", "mi", "nuestro", "nuestra") for word in _LAST_WORDS
}


@lru_cache(maxsize=500)
def _unnamed_people(shadow: str) -> Sequence[tuple[str, bool, int]]:
    """Those whom a sentence speaks of without a name: what they are, whether to the speaker, and where that ends."""
    if _UNNAMED_WORDS.isdisjoint(_LETTERS.findall(shadow)):
        return ()
    return tuple((found["rel"], bool(found["mine"]), found.end()) for found in _UNNAMED.finditer(shadow))


@dataclass(frozen=True, slots=True)
class Kin:
    """Somebody who is known only as what they are to the speaker: "my sister"."""

    relation: str


@dataclass(frozen=True, slots=True)
class _PronounCandidate:
    who: NamedEntity | Kin | None
    hint: str
    key: str
    end: int


@dataclass(slots=True)
class Referents:
    """Those whom the turns before and this text so far have spoken of."""

    speaker: str | None
    before: Sequence[NamedEntity]
    # Those of the speaker's whom the text names, by what they are to the speaker.
    kin: Mapping[str, NamedEntity] = field(default_factory=dict)
    _own: list[_PronounCandidate] = field(default_factory=list)
    _things: list[NamedEntity] = field(default_factory=list)

    def add(self, shadow: str, offset: int, named: Sequence[NamedEntity]) -> None:
        """Take note of whom and what a sentence speaks of."""
        for each in named:
            if each.type is EntityType.PERSON and not each.addressed and each.name != self.speaker:
                self._own.append(_PronounCandidate(each, hint(each.name), each.name, each.end))
            elif each.type in _THINGS:
                self._things.append(each)
        for relation, mine, place in _unnamed_people(shadow):
            end, called = offset + place, self.kin.get(plain_relation(relation))
            if called:
                self._own.append(
                    _PronounCandidate(called, KIN_HINTS.get(relation, hint(called.name)), called.name, end)
                )
                continue
            kin = Kin(plain_relation(relation)) if mine else None
            self._own.append(_PronounCandidate(kin, KIN_HINTS.get(relation, "e"), relation, end))

    def person(self, pronoun: str, position: int) -> NamedEntity | Kin | None:
        """The one person a pronoun at `position` can mean; a pronoun left out fits anybody."""
        fits = _FITS[pronoun]
        own = [each for each in self._own if each.end <= position and each.hint in fits]
        if not own:
            own = [
                _PronounCandidate(each, hint(each.name), each.name, 0)
                for each in self.before[-WINDOW:]
                if each.type is EntityType.PERSON and not each.addressed and each.name != self.speaker
            ]
            own = [each for each in own if each.hint in fits]
        if len({_first(each.key) for each in own}) != 1:
            return None
        # One person is "they" only where nothing says he or she.
        return None if pronoun in ("they", "their") and own[-1].hint != "e" else own[-1].who

    def thing(self, position: int) -> NamedEntity | None:
        """The one thing "it" at `position` can mean."""
        own = [each for each in self._things if each.end <= position]
        own = own or [each for each in self.before[-WINDOW:] if each.type in _THINGS]
        return own[-1] if len({each.name for each in own}) == 1 else None


def _first(name: str) -> str:
    return name.split(maxsplit=1)[0]
