"""Cardinality of a slot: whether it holds one value at a time, told from the words of its key.

What somebody declared, or what was seen, comes first; this is what a key says when nothing else is known. A key that
says nothing gives None, and then nothing is replaced without a reason in the words themselves.
"""

from nacre.domain import keys
from nacre.domain.claims import Cardinality, Slot

SINGLE, MULTI = Cardinality.SINGLE, Cardinality.MULTI


def _read(block: str) -> frozenset[str]:
    return frozenset(block.split())


# Count something, so they are one number even before a plural: max_connections, number_of_cats.
_COUNTING = _read(
    "number count num max min total maximum minimum numero maximo minimo cantidad is has can should es tiene"
)
# Pick one of many, unless the key is plural: favourite_books.
_PICKING = _read("""
    favourite favorite favorito favorita preferred preferido preferida primary main current default principal actual
    full legal first last home best mejor
""")
_ONE = _read("""
    name surname nickname codename username title age birthday birthdate birth birthplace email mail phone mobile
    telephone address street city town country hometown residence nationality gender sex height weight size employer
    company role position job occupation profession salary income status state stage phase priority severity price
    cost budget fee rate version timezone zone locale deadline date day time due start end duration owner lead leader
    manager boss ceo cto spouse husband wife partner doctor dentist diet religion location headquarters branch region
    port host url website domain path color colour model brand editor timeout limit threshold level rating score rank
    temperature latency stock headcount capacity length width depth speed mood smoker number hours floor currency
    wedding graduation retirement surgery honeymoon
""")
_UNO = _read("""
    nombre apellido apodo edad cumpleanos nacimiento correo telefono movil direccion calle ciudad pueblo pais color
    nacionalidad genero altura peso tamano empresa empleador puesto cargo profesion trabajo sueldo salario estado fase
    prioridad precio coste costo presupuesto tarifa version zona plazo fecha hora duracion dueno jefe jefa
    responsable marido mujer esposo esposa pareja medico dieta religion ubicacion sede rama region puerto modelo marca
    limite nivel puntuacion temperatura
""")
_MANY = _read("""
    use like dislike love hate own know speak play read want need prefer enjoy eat drink visit collect follow
    child children people family staff equipment software hardware history experience
    reason note comment decision rule risk event fact evidence tag alias mention allergy intolerance
    usa usar gusta gustan habla tiene conoce toca lee familia equipamiento
""")
# Come after what they speak of: languages_spoken.
_PARTICIPLES = _read("spoken known taken read made seen written bought")
# No words for a while end these: who visits for two weeks is a sister after them.
LASTING_KEYS = _read("""
    family_of partner_of friend_of knows colleague_of reports_to manages owns located_in
    relatives partner friends acquaintances colleagues pets things
    name nickname age birthday origin nationality allergy conditions marital_status estado_civil
""")
# Whoever moves or starts on a day has these from that day on, and not for that day.
BEGUN_KEYS = _read("lives_in works_at has_role role address")
# End in s and are one all the same.
_NOT_PLURAL = _read("""
    canvas lens news os dns aws https gps sms ios hours cumpleanos pais headquarters series species diabetes
""")
_SINGLE_KEYS = _read("""
    lives_in lives_at lives located_in location_of based_in based_at reports_to has_role has_price scheduled_for due_on
    born_in born_on married_to on_call engaged_to project_name vive_en nacio_en opening_hours working_hours
    marital_status estado_civil reply_language formality
""")
_MULTI_PREDICATES = _read("""
    works_on works_with manages collaborates_with knows depends_on blocks created completed uses implements
    integrates_with related_to owns prefers dislikes uses_tool authored references provides requires informs maintains
    built learned_from teaches assumes supports_claim authored_by links_to contains contains_note contradicts
    supersedes produced_artifact precedes follows triggers may_execute requires_approval_from impacts produces consumes
    friend_of colleague_of family_of member_of
""")
# One as a rule, and two often enough that replacing needs a word such as "moved to" or "left".
_OPEN_PREDICATES = _read("""
    works_at works_for worked_at belongs_to part_of assigned_to owned_by hosted_on partner_of preferred_source is
    trabaja_en
""")


def default_cardinality(slot: Slot) -> Cardinality | None:
    """What the claim key of a slot says; None where there is no key, or a key that may mean either."""
    return None if slot.claim is None else of_key(slot.claim)


def default_for_predicate(predicate: str) -> Cardinality | None:
    """Whether an entity has one link of a kind at a time; None where replacing one needs a reason."""
    return of_key(keys.canonical("predicate", predicate))


def of_key(key: str) -> Cardinality | None:
    """What the words of a key say, in English or Spanish."""
    if key in _SINGLE_KEYS:
        return SINGLE
    if key in _MULTI_PREDICATES:
        return MULTI
    words = key.split("_")
    if key in _OPEN_PREDICATES:
        return None
    if len(words) > 1 and not _COUNTING.isdisjoint(words):
        return SINGLE
    return _of_words(words)


def _of_words(words: list[str]) -> Cardinality | None:
    heads = _heads(words)
    if any(is_plural(head) or head in _MANY for head in heads):
        return MULTI
    if not _ONE.isdisjoint(heads) or not _UNO.isdisjoint(heads) or not _PICKING.isdisjoint(words):
        return SINGLE
    return None


def _heads(words: list[str]) -> list[str]:
    """The words that say what a key is: the last in English, the first in Spanish, the one before an "of"."""
    for link in ("of", "de", "del"):
        if link in words[1:]:
            return [words[words.index(link) - 1]]
    if len(words) > 1 and (words[-1] in _PARTICIPLES or words[-1].endswith("ed")):
        return [words[-2]]
    return [words[0]] if words[0] in _UNO and not is_plural(words[-1]) else [words[-1]]


def is_plural(word: str) -> bool:
    """Whether a word of a key looks like more than one: `tools`, `likes`, `aficiones`, `children`."""
    if word in _NOT_PLURAL or len(word) < 3:
        return False
    return word.endswith("s") and not word.endswith(("ss", "us", "is"))
