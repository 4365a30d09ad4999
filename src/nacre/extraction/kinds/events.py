"""Dates and events: what happens when, and what is moved or called off."""

from nacre.domain.facts import Polarity
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
# Of which of several: "my report deadline", "the flight to Rome", "the meeting with Tom".
_MINE = r"(?:(?:my|our|the) |\A)(?:(?:next|upcoming|big|annual|new|first|last|own|old|little|very) )*"
_OF = r"(?:(?!(?:my|our|the|next|big|new)\b)(?P<of>[a-z-]+(?: [a-z-]+)??) )??"
_ABOUT = r"(?: (?:with|for|of|to|in|at|on) (?:the |my |our |a )?(?P<of2>[\w\ue000-\ue008' -]{2,30}?))?"
_MI = r"(?:mi|nuestr[oa]|el|la) "
_DE = r"(?: (?:con|de|del|para|a|en)(?: el| la| mi)? (?P<of2>[\w\ue000-\ue008 -]{2,30}?))?"
_IS = r"(?:'s| is| will be| are)(?: now| still)?(?: scheduled| set| booked| planned| due)?(?: for| on| in| to be)?"
_MOVED = (
    r"(?: (?:was|were|got|is|has|have|had|been|just|being|now))* (?:moved|postponed|rescheduled|pushed(?: back)?"
    r"|delayed"
    r"|changed|brought forward|shifted|rebooked|bumped|extended|moved up|moved back)(?: from [^,.]{3,20}?)? (?:to|for"
    r"|until|till)"
)
_OFF = r"(?: (?:was|were|got|is|has|have|had|been|just|now))* (?:cancelled|canceled|called off|off|scrapped)(?=<stop>)"
_PLAN = claim("calendar/{of}/{key}", of="speaker")
_DUE = claim("calendar/{of}/deadline", of="speaker")
_GONE = claim("calendar/{of}/{key}", of="speaker", loose=True, what="none", polarity=Polarity.RETRACTED)

RULES = (
    rule("events.my_event", "en", _KEYS,
         rf"(?P<who>my|our) (?:(?:next|upcoming|big|annual|new|first|last|own|old|little|very) )*{_OF}(?P<key>{_EVENT})"
         rf"{_ABOUT}{_IS} {_WHEN}",
         _PLAN, check="date"),
    rule("events.the_deadline", "en", "deadline date due",
         rf"the (?:{_OF}(?:deadline|due date)|(?:deadline|due date) (?:for|of) (?:the |my |our )?"
         rf"(?P<of2>[a-z][a-z -]{{2,30}}?)){_IS} {_WHEN}",
         _DUE, check="date"),
    rule("events.due", "en", "due",
         rf"(?:my|our|the) (?P<of>[a-z-]+(?: [a-z-]+)?) (?:is|are) due(?: on| by| in)? {_WHEN}",
         _DUE, confidence=0.85, check="date"),
    rule("events.moved", "en", _KEYS,
         rf"{_MINE}{_OF}(?P<key>{_EVENT}){_ABOUT}{_MOVED} {_WHEN}",
         _PLAN, check="date"),
    rule("events.moved_it", "en", _KEYS,
         r"(?:i|we|they|he|she|[\ue000\ue001\ue005]++)(?: have| has| had to| had|'ve| just)* (?:moved?|postponed?"
         r"|rescheduled?|pushed?(?: back)?"
         rf"|delay(?:ed)?|changed?|shift(?:ed)?|rebook(?:ed)?"
         rf"|extend(?:ed)?) {_MINE}{_OF}(?P<key>{_EVENT}){_ABOUT} (?:back )?(?:to|for|until|till)"
         rf" {_WHEN}",
         _PLAN, check="date"),
    rule("events.cancelled", "en", _KEYS,
         rf"{_MINE}{_OF}(?P<key>{_EVENT}){_ABOUT}{_OFF}",
         _GONE),
    rule("events.cancelled_it", "en", _KEYS,
         r"(?:i|we|they|he|she|[\ue000\ue001\ue005]++)(?: have| has| had to|'ve| just)* (?:cancelled|canceled|cancel"
         r"|called off"
         rf"|call off|scrapped) {_MINE}{_OF}(?P<key>{_EVENT}){_ABOUT}(?=<stop>)",
         _GONE),
    rule("events.have_event", "en", _KEYS,
         r"(?P<who>i|we)(?:'ve got| have| have got|'ve)(?: a| an| my"
         rf"| our)(?: [a-z]+)?? (?P<key>{_EVENT})(?: (?:with|at|in|for) [^,.]{{2,30}}?)?(?: coming up"
         rf"| scheduled)?(?: on"
         rf"| for)? {_WHEN}",
         claim("calendar/general/{key}"), confidence=0.8, check="date"),
    rule("events.name_event", "en", _KEYS,
         rf"(?P<who>\ue000++)'s (?P<key>{_EVENT})(?:'s| is| will be)(?: scheduled)?(?: for| on| in)? {_WHEN}",
         claim("calendar/general/{key}"), check="date"),
    rule("events.mi_evento", "es", _CLAVES,
         rf"(?:mi|nuestra|nuestro) (?P<key>{_EVENTO}){_DE} (?:es|será)(?: ahora)?(?: el| en)? {_WHEN}",
         _PLAN, check="date"),
    rule("events.fecha_limite", "es", "límite plazo entrega",
         rf"(?:la fecha límite|el plazo|la fecha de entrega) (?:de la|del|de|para el|para la"
         rf"|de mi) (?P<of>[a-záéíóúñ -]{{3,30}}?)"
         rf" (?:es|será|termina|vence)(?: ahora)?(?: el| en)? {_WHEN}",
         _DUE, check="date"),
    rule("events.aplazado", "es", _CLAVES,
         rf"{_MI}(?P<key>{_EVENTO}){_DE} (?:se (?:aplazó|pospuso|cambió|movió|ha (?:aplazado|pospuesto|cambiado"
         rf"|movido))"
         rf"|fue (?:aplazad[oa]|pospuest[oa]|cambiad[oa])|ha sido (?:aplazad[oa]|pospuest[oa])) (?:al|a|para el"
         rf"|hasta el)"
         rf" {_WHEN}",
         _PLAN, check="date"),
    rule("events.cancelado", "es", _CLAVES,
         rf"{_MI}(?P<key>{_EVENTO}){_DE} (?:se (?:canceló|suspendió|ha cancelado)|fue cancelad[oa]|está cancelad[oa])",
         _GONE),
    rule("events.tengo_evento", "es", _CLAVES,
         rf"tengo (?:un|una|el|la|mi) (?P<key>{_EVENTO})(?: (?:con|en) [^,.]{{2,30}}?)?(?: el| para)? {_WHEN}",
         claim("calendar/general/{key}"), confidence=0.8, check="date"),
)  # fmt: skip
