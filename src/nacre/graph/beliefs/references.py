"""References: which of the things that are held some words mean. Where they may mean several, they mean none."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from nacre.domain.links import OWNS, PARTNER_OF, WORKS_AT
from nacre.graph.beliefs import values

# Words for the one thing that is held of a predicate, whatever its name.
_JOB = """
job|work|position|role|post|gig|employer|company|firm|workplace|day job|full-time job|part-time job|my job|my company
trabajo|empleo|puesto|empresa|compañía|curro
"""
_PARTNER = """
husband|wife|spouse|partner|boyfriend|girlfriend|fiancé|fiancée|fiance|fiancee|bf|gf|ex|ex-husband|ex-wife
marido|esposo|esposa|mujer|novio|novia|pareja|prometido|prometida
"""
_KINDS = {
    WORKS_AT: frozenset(_JOB.strip().replace("\n", "|").split("|")),
    PARTNER_OF: frozenset(_PARTNER.strip().replace("\n", "|").split("|")),
}
# Words for any animal.
_PETS = frozenset({"pet", "mascota"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Referent:
    """Something that is held: its names, and the word for what it is, such as `dog`."""

    key: UUID
    names: tuple[str, ...]
    detail: str | None = None


def meant(predicate: str, words: str | None, referents: Sequence[Referent]) -> list[Referent]:
    """The things that words mean: those that go by them, else the one that they describe. No words mean the one."""
    if words is None or values.folded(words) in _KINDS.get(predicate, ()):
        described = [each for each in referents if words is None or not each.detail or _describes(each, words)]
        return _one(described or referents)
    named = [each for each in referents if any(values.same(name, words) for name in each.names)]
    if named:
        return named
    if predicate == OWNS and values.folded(words) in _PETS:
        return _one([each for each in referents if each.detail])
    described = [each for each in referents if _describes(each, words)]
    return _one(described or [each for each in referents if any(_overlap(name, words) for name in each.names)])


def _describes(referent: Referent, words: str) -> bool:
    return referent.detail is not None and values.same(referent.detail, words)


def _overlap(name: str, words: str) -> bool:
    """Whether one of two names is a part of the other: `Canon camera` and `camera`, `Rex` and `dog Rex`."""
    return values.contains(name, words) or values.contains(words, name)


def _one(referents: Sequence[Referent]) -> list[Referent]:
    return list(referents) if len(referents) == 1 else []
