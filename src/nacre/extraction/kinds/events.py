"""Dates and events: what happens when."""

from nacre.extraction.rules import claim, rule

_EVENT = (
    "wedding|graduation|interview|job interview|appointment|doctor's appointment|dentist appointment|surgery"
    "|flight|exam|final exam|concert|meeting|birthday party"
    "|anniversary|wedding anniversary|retirement|due date|deadline|conference|marathon|race|recital|performance"
    "|exhibition|trip|vacation|move|presentation|tournament|reunion"
)
_EVENTO = (
    "boda|graduación|entrevista|cita|cita con el médico|cita con el dentista|operación|vuelo|examen|concierto"
    "|reunión|aniversario|conferencia|maratón|viaje|mudanza|presentación|torneo"
)
_KEYS = (
    "wedding graduation interview appointment surgery flight exam concert meeting party anniversary retirement"
    " date deadline conference marathon race recital performance exhibition trip vacation move presentation"
    " tournament reunion"
)
_CLAVES = (
    "boda graduación entrevista cita operación vuelo examen concierto reunión aniversario conferencia maratón"
    " viaje mudanza presentación torneo médico dentista"
)
_WHEN = r"(?P<what>[^;!?()]{3,40})"

RULES = (
    rule("events.my_event", "en", _KEYS,
         rf"(?P<who>my|our) (?:[a-z]+ )??(?P<key>{_EVENT})(?: with [^,.]{{2,30}}?)?(?:'s| is"
         rf"| will be)(?: scheduled)?(?: for| on| in)? {_WHEN}",
         claim("calendar/general/{key}"), check="date"),
    rule("events.have_event", "en", _KEYS,
         r"(?P<who>i|we)(?:'ve got| have| have got|'ve)(?: a| an| my"
         rf"| our)(?: [a-z]+)?? (?P<key>{_EVENT})(?: (?:with|at|in) [^,.]{{2,30}}?)?(?: coming up| scheduled)?(?: on"
         rf"| for)? {_WHEN}",
         claim("calendar/general/{key}"), confidence=0.8, check="date"),
    rule("events.name_event", "en", _KEYS,
         rf"(?P<who>\ue000++)'s (?P<key>{_EVENT})(?:'s| is| will be)(?: scheduled)?(?: for| on| in)? {_WHEN}",
         claim("calendar/general/{key}"), check="date"),
    rule("events.mi_evento", "es", _CLAVES,
         rf"(?P<who>mi|nuestra|nuestro) (?P<key>{_EVENTO})(?: con [^,.]{{2,30}}?)? (?:es|será)(?: el| en)? {_WHEN}",
         claim("calendar/general/{key}"), check="date"),
    rule("events.tengo_evento", "es", _CLAVES,
         rf"tengo (?:un|una|el|la|mi) (?P<key>{_EVENTO})(?: (?:con|en) [^,.]{{2,30}}?)?(?: el| para)? {_WHEN}",
         claim("calendar/general/{key}"), confidence=0.8, check="date"),
)  # fmt: skip
