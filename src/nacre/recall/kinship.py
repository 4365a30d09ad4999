"""Kinship: those whom a message calls by what they are to its user, such as a husband, the kids or the cats."""

import re

from nacre.text.relations import ANY_PET, FAMILY, NICKNAMES, PARTNERS, PETS, SEVERAL, plain_relation

_ANY_PET, _ANY_KIN = "pet", "any kin"
_COUPLE = frozenset(map(plain_relation, PARTNERS))
_BOSSES = frozenset({"boss", "manager", "supervisor"})
# Plain words that mean the same link: one says "my partner" of a husband.
_ALIKE = {word: alike for alike in (_COUPLE, _BOSSES, {"cat", "kitten"}, {"dog", "puppy"}) for word in alike}
# Whom people speak of by what they are, beside family and animals.
_OTHERS = frozenset({"landlord", "doctor", "dentist", "accountant", "roommate", "flatmate"})
_DETAILS = frozenset({*map(plain_relation, FAMILY), *PETS, *_OTHERS})
_WORD = re.compile(r"(?P<of>['’]s |\b(?:his|her|their|your|su|sus|ihr\w*|leur) )?(?P<word>[^\W\d_]+(?:-in-law)?)")
_OWNED = frozenset({"owns"})
_KIN = frozenset({"family_of"})


def find_kin(message: str) -> frozenset[str]:
    """The details of links that a message speaks of: not those of somebody else's kin."""
    found: set[str] = set()
    for match in _WORD.finditer(message.casefold()):
        if not match["of"]:
            found |= _meant(match["word"])
    return frozenset(found)


def _meant(word: str) -> set[str]:
    """The details that a word for somebody may stand for; nothing for any other word."""
    if word in ANY_PET:
        return {_ANY_PET}
    if word in SEVERAL:
        return {*SEVERAL[word], *({_ANY_KIN} if "child" in SEVERAL[word] else ())}
    plain = NICKNAMES.get(word) or plain_relation(word)
    if plain in _DETAILS or plain in _ALIKE:
        return {word, plain, *_ALIKE.get(plain, ())}
    one = word.removesuffix("s")
    return {one, *_ALIKE.get(one, ())} if one in _DETAILS else set()


def is_meant(kin: frozenset[str], predicate: str, detail: str | None) -> bool:
    """Whether a link of the user leads to one of those."""
    if predicate in _OWNED:
        return (
            detail in kin
            or (detail == _ANY_PET and not kin.isdisjoint(PETS))
            or (_ANY_PET in kin and detail is not None)
        )
    if detail:
        return detail in kin
    return (predicate == "reports_to" and "boss" in kin) or (predicate in _KIN and _ANY_KIN in kin)
