"""Medicines: what somebody takes, was put on, or was switched to; the word for it has to be one of a medicine."""

from nacre.extraction.rules import TimeBound, claim, rule

_TAKES = claim("health/general/medicines", bound=TimeBound.UNTIMED)
_MINE = claim("health/general/medicines", of="speaker", bound=TimeBound.UNTIMED)
_MINE_THEN = claim("health/general/medicines", of="speaker", what="then", bound=TimeBound.UNTIMED)
_NAME = r"[a-z\u00e1-\u00fa\ue000-\ue008][\w\ue000-\ue008-]*+"
_DOSE = r"(?: ?\d[\d.,]*+ ?(?:mg|mcg|ml|g|units?|micrograms?)\b)?"
_A = (
    r"(?: (?:a|an|the|my|his|her|some|daily|low|high|dose|small|of|new|more|back|now|on|taking|called|something)"
    r"(?!\w)){0,4}+"
)
_OFTEN = (
    r"(?: with (?:breakfast|lunch|dinner|food)| at (?:bedtime|night)| in the (?:morning|evening)"
    r"|,? (?:once|twice|three times) (?:a|per) (?:day|week)| every (?:day|morning|evening|night|week)| daily)"
)
_MEDICINE = rf"(?P<what>{_NAME}{_DOSE})"
_SEVERAL = (
    rf"(?P<what>{_NAME}{_DOSE}(?:(?:,|,? and| y(?! (?:ha|he|han|me|se|no|le|lo)\b)|,? plus) {_NAME}{_DOSE}){{0,4}})"
)
_PUT = r"(?:put|started|moved|switched|changed|swapped|shifted|got|has|have|having|stuck)"
_ONTO = rf"(?: from (?:the |my )?{_NAME}{_DOSE})?(?: (?:over|back|straight))? (?:on|onto|to|over to|with)"
_SUBJECT = r"<who>(?:<now>|<has>| was| were| got)?+(?: been)?<adv>"
_WHOM = r"(?P<who>me|him|her|my [a-z]+|\ue000++|mum|mom|dad)"

RULES = (
    rule("medicines.takes", "en", "take takes taking on took started been using",
         rf"{_SUBJECT} (?:take|takes|taking|on|(?:started|starting)(?: on| taking)?|using){_A} {_SEVERAL}",
         _TAKES, check="medicine"),
    rule("medicines.takes_too", "en", "and plus",
         rf"{_SUBJECT} (?:take|takes|taking|on){_A} {_NAME}{_DOSE} for [a-z ]{{2,25}}?(?:,|,? and|,? plus)"
         rf"{_A} {_MEDICINE}",
         _TAKES, check="medicine"),
    rule("medicines.gets", "en", "gets get has have mg",
         rf"<who>(?:'ve| have| has| gets| get)(?: got)? (?P<what>{_NAME} ?\d[\d.,]*+ ?(?:mg|mcg|units?))",
         _TAKES, check="medicine"),
    rule("medicines.gets_often", "en", "gets get",
         rf"<who> (?:gets|get) {_MEDICINE}(?={_OFTEN})",
         _TAKES, check="medicine"),
    rule("medicines.often", "en", "with at in once twice three every daily",
         r"(?:(?<=,\x20)|(?<=:\x20)|(?<=and\x20)|(?<=it's\x20))"
         rf"(?P<what>{_NAME}(?: ?\d[\d.,]*+(?: ?(?:mg|mcg|units?))?)?)(?={_OFTEN})",
         _MINE, check="own medicine"),
    rule("medicines.dose", "en", "to",
         r"(?:bumped|upped|raised|increased|lowered|reduced|dropped|cut|put|doubled|moved)(?: up| down)? (?:my |the )?"
         rf"(?P<what>{_NAME}(?: dose)?(?: up| down| back)? to \d[\d.,]*+(?: ?(?:mg|mcg|units?))?)",
         _MINE, check="medicine"),
    rule("medicines.put_on", "en", "on onto to with",
         rf"{_PUT} {_WHOM}{_ONTO}{_A} {_MEDICINE}",
         _TAKES, check="medicine"),
    rule("medicines.was_put_on", "en", "on onto to",
         rf"{_SUBJECT} {_PUT}{_ONTO}{_A} {_MEDICINE}",
         _TAKES, check="medicine"),
    rule("medicines.given", "en", "gave given prescribed prescribes giving",
         rf"(?:gave|given|giving|prescribed|prescribes) {_WHOM}{_A} {_MEDICINE}",
         _TAKES, check="medicine"),
    rule("medicines.was_prescribed", "en", "prescribed",
         rf"<who>(?:<now>| was| were| got|'ve been| have been|'s been| has been)<adv> prescribed{_A} {_SEVERAL}",
         _TAKES, check="medicine"),
    rule("medicines.prescribed", "en", "prescribed",
         rf"(?:has|have|had|he|she|doctor|gp|they|and)(?: now| also| accordingly)? prescribed{_A} {_MEDICINE}",
         _MINE, check="medicine"),
    rule("medicines.injects", "en", "inject injecting",
         rf"{_SUBJECT} (?:inject|injecting|injects){_A} {_MEDICINE}",
         _TAKES, check="medicine"),
    rule("medicines.inyecto", "es", "inyecto pongo inyecta",
         rf"(?:ahora |ya )*me (?:inyecto|pongo){_A} {_MEDICINE}",
         _MINE, check="medicine"),
    rule("medicines.swapped", "en", "for with to by",
         rf"(?:swapped|replaced|switched|changed) (?:my |the |his |her )?{_NAME}{_DOSE} (?:for|with|to|by){_A}"
         rf" {_MEDICINE}",
         _MINE, check="medicine"),
    rule("medicines.instead", "en", "now instead",
         rf"(?:so |and |but )?(?:now )?it(?:'s|s| is)(?: now)? {_MEDICINE}(?: now| instead)"
         rf"|(?:so|and|but) now it(?:'s|s| is) (?P<then>{_NAME}{_DOSE})",
         _MINE, _MINE_THEN, check="medicine"),
    rule("medicines.toma", "es", "tomo toma tomando",
         r"(?:(?P<who>mi [a-z\u00e1-\u00fa]+|yo|él|ella|\ue000++)(?: ya| ahora| estoy| está| sigo| sigue| se| me)*+"
         r" (?:tomo|toma|tomando)|(?:ya |ahora |estoy |sigo |me )*+(?:tomo|tomando))"
         rf"{_A} {_SEVERAL}",
         _TAKES, check="medicine"),
    rule("medicines.receto", "es",
         "recetó recetaron recetado cambió cambiaron cambiado pusieron puso pasaron pasado",
         rf"(?:me|le) (?:han |ha )?(?:recet\w+|cambi\w+|pus[oi]\w*|pas\w+)(?: (?:la|el|de) {_NAME})?"
         rf"(?: (?:a|por|con|la|el))*+ {_MEDICINE}",
         _MINE, check="medicine"),
)  # fmt: skip
