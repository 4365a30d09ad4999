"""The claim path of an attribute, whichever language and spelling names it."""

import re

from nacre.domain.claims import MIN_CLAIM_KEY, Slot
from nacre.text.letters import small_letters
from nacre.text.word_blocks import pairs

_ENGLISH = pairs("""
    color=colour favorite=favourite fave=favourite fav=favourite movie=film movies=film books=book foods=food
    songs=song comida=food película=film libro=book canción=song deporte=sport animal=animal banda=band equipo=team
    bebida=drink ciudad=city país=country grupo=band serie=series postre=dessert plato=dish juego=game
    artista=artist actor=actor asignatura=subject fruta=fruit flor=flower estación=season número=number lugar=place
    restaurante=restaurant café=coffee boda=wedding graduación=graduation entrevista=interview cita=appointment
    operación=surgery vuelo=flight examen=exam concierto=concert reunión=meeting aniversario=anniversary
    conferencia=conference maratón=marathon viaje=trip mudanza=move presentación=presentation torneo=tournament
    web=website página=website sitio=website servidor=server inglés=english español=spanish francés=french
    alemán=german italiano=italian portugués=portuguese chino=chinese japonés=japanese ruso=russian árabe=arabic
    catalán=catalan perro=dog perra=dog gato=cat gata=cat
""")
_FAVOURITE = re.compile(r"(?:all-time )?(?:favou?rite|fave?|go-to) (.+)|(.+) (?:favorit[oa]|preferid[oa])")
_KNOWN = {
    "name": "profile/general/name",
    "hometown": "profile/general/origin",
    "home town": "profile/general/origin",
    "job": "work/general/role",
    "job title": "work/general/role",
    "occupation": "work/general/role",
    "profession": "work/general/role",
    "major": "study/general/subject",
    "nickname": "profile/general/nickname",
    "birthday": "profile/general/birthday",
}
_MARITAL, _DIET = "profile/general/marital_status", "diet/general/diet"
_WORK, _PREGNANCY = "work/general/status", "health/general/pregnancy"
# What people say that they are: one of each kind at a time.
STATUS_PATHS = {
    word: path
    for path, words in (
        (_MARITAL, "single married divorced widowed engaged separated widow widower soltero soltera casado casada"),
        (_MARITAL, "divorciado divorciada viudo viuda separado separada prometido prometida"),
        (_DIET, "vegan vegetarian pescatarian vegano vegana vegetariano vegetariana"),
        (_WORK, "retired retirement unemployed jobless jubilado jubilada desempleado desempleada"),
        (_PREGNANCY, "pregnant embarazada"),
    )
    for word in words.split()
}
_NOT_WORD = re.compile(r"\W+")


def snake(words: str) -> str:
    """The words in English spelling and snake_case."""
    spelled = (_ENGLISH.get(word, word) for word in words.casefold().replace("'s", "").split())
    return _NOT_WORD.sub("_", "_".join(spelled)).strip("_")


def of_attribute(words: str) -> str:
    """The path of a whole attribute: `favorite color` is `taste/general/favourite_colour`."""
    if words in _KNOWN:
        return _KNOWN[words]
    if favourite := _FAVOURITE.fullmatch(words):
        return f"taste/general/favourite_{snake(favourite[1] or favourite[2])}"
    return f"profile/general/{snake(words)}"


def of_status(word: str) -> str:
    """The path of what somebody says that they are: `married` and `vegan` are of different kinds."""
    return STATUS_PATHS[small_letters(word)]


def slot(path: str) -> Slot:
    """The slot at a path that was read from somebody's words; a short name has a longer key, "my GP" is `own_gp`."""
    place, _, claim = path.rpartition("/")
    return Slot.at(path if len(claim) >= MIN_CLAIM_KEY else f"{place}/own_{claim}")
