"""Kinship: those whom a message calls by what they are to its user, such as a husband, the kids or the cats."""

import re

_COUPLE = "husband wife spouse partner boyfriend girlfriend fiancé fiancée"
# Words of a message to the details of links that they mean; a word that is a detail itself means that.
_MEANT = {
    word: frozenset(details.split())
    for words, details in (
        ("dad daddy papa padre papá vater père pai", "father"),
        ("mum mom mummy mommy mama madre mamá mutter mère mãe", "mother"),
        ("parents folks padres eltern", "father mother"),
        ("kid kids children child hijos kinder enfants filhos", "son daughter child kid stepson stepdaughter baby"),
        ("siblings hermanos geschwister", "brother sister"),
        ("husband wife spouse partner boyfriend girlfriend fiancé fiancée bf gf hubby", _COUPLE),
        ("marido mujer esposa esposo novio novia pareja mann frau mari femme", _COUPLE),
        ("hijo sohn fils filho", "son"),
        ("hija tochter fille filha", "daughter"),
        ("hermano bruder frère irmão", "brother"),
        ("hermana schwester sœur irmã", "sister"),
        ("gato gata gatos gatas katze katzen chat chats kitten kitty", "cat kitten"),
        ("perro perra perros hund hunde chien cachorro puppy", "dog puppy"),
        ("boss manager supervisor jefe jefa chef", "boss manager supervisor"),
    )
    for word in words.split()
}
_ANY_PET, _ANY_KIN = "pet", "any kin"


def _read(block: str) -> frozenset[str]:
    return frozenset(block.split())


_PETS = _read("pet pets animal animals mascota mascotas haustier haustiere")
_ANIMALS = _read("cat kitten dog puppy bird budgie parrot rabbit hamster horse tortoise turtle fish")
_DETAILS = _ANIMALS | _read("""
    father mother son daughter brother sister uncle aunt cousin nephew niece grandmother grandfather grandson
    granddaughter grandma grandpa stepson stepdaughter stepmother stepfather mother-in-law father-in-law brother-in-law
    sister-in-law landlord doctor dentist accountant roommate flatmate
""")
_WORD = re.compile(r"(?P<of>['’]s |\b(?:his|her|their|your|su|sus|ihr\w*|leur) )?(?P<word>[^\W\d_]+(?:-in-law)?)")
_OWNED = frozenset({"owns"})
_KIN = frozenset({"family_of"})


def find_kin(message: str) -> frozenset[str]:
    """The details of links that a message speaks of: not those of somebody else's kin."""
    found: set[str] = set()
    for match in _WORD.finditer(message.casefold()):
        word = match["word"]
        if match["of"]:
            continue
        if word in _PETS:
            found.add(_ANY_PET)
        elif word in _MEANT:
            found |= _MEANT[word] | ({_ANY_KIN} if "child" in _MEANT[word] else set())
        else:
            found |= {word, word.removesuffix("s")} & _DETAILS
    return frozenset(found)


def is_meant(kin: frozenset[str], predicate: str, detail: str | None) -> bool:
    """Whether a link of the user leads to one of those."""
    if predicate in _OWNED:
        return (
            detail in kin
            or (detail == _ANY_PET and not kin.isdisjoint(_ANIMALS))
            or (_ANY_PET in kin and detail is not None)
        )
    if detail:
        return detail in kin
    return (predicate == "reports_to" and "boss" in kin) or (predicate in _KIN and _ANY_KIN in kin)
