"""Situations: what a message is about although it does not say so.

"Suggest a dinner" shares no word with "allergic to peanuts", and neither do their vectors. What a careful assistant
would think of in a situation is general knowledge, so it is written down here: the words that show a situation, and
the kinds of beliefs that bear on it.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from nacre.domain.beliefs import Belief


@dataclass(frozen=True, slots=True)
class Situation:
    """Words of messages that show it, and the predicates, claims and values that bear on it."""

    words: re.Pattern[str]
    topics: re.Pattern[str]
    # Of likes and dislikes, only those whose value has to do with it.
    values: re.Pattern[str] | None = None


def _words(block: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(block.split())})\b", re.IGNORECASE)


_LIKING = frozenset({"prefers", "dislikes"})

_SITUATIONS = (
    Situation(
        _words("""
            dinner lunch breakfast brunch supper meal meals cook cooking cooks recipe recipes eat eating food foods menu
            allergic allergy vegetarian vegan diet restaurant restaurants snack snacks bake baking cake dessert
            groceries takeaway takeout pizza hungry feed
            cena cenar comida comer almuerzo almorzar desayuno receta recetas cocinar restaurante menú postre tapas
            abendessen essen kochen rezept mittagessen frühstück dîner repas manger recette jantar almoço receita
        """),
        re.compile(
            r"^(?:health|diet)/|allerg|avoid|intoleran|favourite_(?:food|dish|drink|dessert|fruit|snack|coffee)"
        ),
        _words(r"""
            food\w* \w*fish seafood meat\w* vegetarian\w* vegan\w* spicy sweet\w* coffee tea wine beer cheese bread rice
            pasta pizza sushi curry soup\w* salad\w* chocolate olives? coriander cilantro mushrooms? onions? tomato\w*
            eggs? nuts? peanut\w* milk fruit\w* vegetables? garlic cook\w* bak\w* eat\w* drink\w* mariscos? carne café
        """),
    ),
    Situation(
        _words("""
            live lives living reside home vivo vives vive vivimos vivir commute commuting train trains bus drive
            driving route flight flights fly airport hotel trip travel
            traveling travelling weekend visit itinerary pack packing directions near nearby weather deliver delivery
            address parcel courier viaje viajar tren vuelo aeropuerto dirección ruta clima tiempo cerca envío paquete
        """),
        re.compile(r"^(?:lives_in|works_at|based_at|located_in)$|^home/|/city$|/address$|time_?zone"),
    ),
    Situation(
        _words("""
            work works working worked trabajo trabaja cv resume résumé job jobs interview linkedin bio introduction
            salary boss manager colleague employer office
            out-of-office career promotion trabajo currículum entrevista sueldo jefe jefa oficina empleo
        """),
        re.compile(r"^(?:works_at|works_on|reports_to|manages|works_with|has_role|member_of)$|^work/|^study/"),
    ),
    Situation(
        _words("""
            gift gifts present presents surprise regalo regalos geschenk cadeau presente
        """),
        re.compile(r"^(?:prefers|dislikes|family_of|friend_of|partner_of)$|birthday|favourite_|^relations/"),
    ),
    Situation(
        _words("""
            doctor medicine medication pharmacy sick ill pain symptoms health exercise workout gym diet prescription
            médico medicina farmacia enfermo dolor síntomas salud ejercicio dieta
        """),
        re.compile(r"^(?:health|diet)/|allerg"),
    ),
    Situation(
        _words("""
            family married boyfriend girlfriend novio novia marido wife husband partner kids children son daughter
            sister brother mother father mum mom dad parents
            everyone familia esposa marido hijos hija hijo hermana hermano madre padre
        """),
        re.compile(r"^(?:family_of|partner_of)$|^relations/"),
    ),
    Situation(
        _words(
            "meeting meet schedule call appointment calendar slot reschedule book reunión cita agenda llamada quedar"
        ),
        re.compile(r"^(?:calendar|schedule)/|time_?zone|working_hours"),
        _words(r"meeting\w* morning\w* evening\w* afternoon\w* early late call\w* mondays? fridays?"),
    ),
)


def find_situations(message: str) -> list[Situation]:
    """The situations that a message shows."""
    return [each for each in _SITUATIONS if each.words.search(message)]


def bears_on(belief: Belief, shown: Iterable[Situation]) -> bool:
    """Whether a belief bears on one of some situations."""
    return any(_concerns(each, belief) for each in shown)


def _concerns(situation: Situation, belief: Belief) -> bool:
    if belief.topic in _LIKING and situation.values:
        return situation.values.search(belief.value) is not None
    return situation.topics.search(belief.topic) is not None


# What a profile begins with; the first pattern that fits says how much a belief is worth knowing.
_WORTH: tuple[tuple[re.Pattern[str], float], ...] = (
    (re.compile(r"^health/|allerg|^diet/"), 1.0),
    (re.compile(r"^profile/general/(?:name|nickname)$"), 0.95),
    (re.compile(r"^lives_in$|^home/"), 0.9),
    (re.compile(r"^works_at$|^work/general/role$|^has_role$|^study/"), 0.85),
    (re.compile(r"^(?:partner_of|family_of)$|^relations/"), 0.8),
    (re.compile(r"^possessions/pets/|^works_on$|^work/|time_?zone"), 0.7),
    (re.compile(r"^profile/"), 0.65),
    (re.compile(r"^(?:prefers|dislikes)$|^taste/"), 0.5),
    (re.compile(r"^(?:friend_of|colleague_of|knows|owns|uses_tool|uses|member_of)$"), 0.4),
)
_LEAST_WORTH = 0.2


def worth(belief: Belief) -> float:
    """How much a belief is worth knowing of somebody before anything is asked."""
    fitting = (value for pattern, value in _WORTH if pattern.search(belief.topic))
    return next(fitting, _LEAST_WORTH) * belief.confidence
