"""Possessions: pets with their names, cars, homes, instruments."""

from nacre.domain.entities import EntityType
from nacre.extraction.rules import TimeBound, claim, link, rule
from nacre.text.relations import ANIMALS

_KEYS = " ".join(word.replace(" ", "_") for word in ANIMALS) + " pet pets dogs cats mascota"
_PET = link("owns", EntityType.UNKNOWN, detail="animal")
_MINE = link("owns", EntityType.UNKNOWN, detail="animal", of="speaker")
_THING = (
    "house|apartment|flat|condo|cabin|car|truck|van|motorcycle|motorbike|bike|bicycle|boat|scooter|guitar|piano"
    "|violin|ukulele|drum set|keyboard|camera|laptop"
    "|macbook|telescope|tent|kayak|surfboard|snowboard|sewing machine|3d printer|drone|camper|rv|suv|electric car"
    "|road bike|mountain bike"
)
_COSA = (
    "casa|piso|apartamento|coche|carro|auto|moto|bici|bicicleta|barco|guitarra|piano|violín|cámara|portátil"
    "|furgoneta|patinete"
)
_NAMED = r"(?P<what>[\ue000\ue002\ue005]++(?:(?:,|, and| and| y) [\ue000\ue002\ue005]++)*+)"

RULES = (
    rule("possessions.pet_named", "en", _KEYS,
         r"<who>(?:'ve| have|'s| has|'ve got| have got)?<adv> (?:have|has|got|adopted|own|owns|bought|rescued|a|an|two"
         r"|three|get)(?: (?:a|an|two|three|my|our|another|this))?(?: (?:new|little|cute|rescue|adorable|old"
         rf"|second))*(?: [a-z]+)?? <animal>s?(?:,| named| called| -)+ {_NAMED}",
         _PET, check="owner"),
    rule("possessions.and_pet", "en", _KEYS,
         r"(?:i|we)(?:'ve| have| got| adopted)(?: got)? [^.;!?]{3,80}? and (?:a|an|two"
         rf"|three) (?:[a-z]+ )??<animal>s?,? (?:named|called) {_NAMED}",
         _MINE),
    rule("possessions.my_pet", "en", _KEYS,
         r"(?:my|our) <adj>(?:[a-z]+ )??<animal>s?(?:,|, named|, called| named| called| is| is named| is called| are"
         rf"|'s name is| are named)? {_NAMED}",
         _MINE),
    rule("possessions.is_my_pet", "en", _KEYS,
         rf"{_NAMED}(?:'s| is| are|,)<adv> (?:my|our) <adj>(?:[a-z]+ )??<animal>s?",
         _MINE),
    rule("possessions.their_pet", "en", _KEYS,
         rf"(?P<who>\ue000++)'s <adj><animal>,? (?:is )?(?:named |called )?{_NAMED}",
         _PET, confidence=0.85),
    rule("possessions.has_pet", "en", _KEYS,
         r"<who>(?: have| has|'ve| have got| has got|'ve got|'s got) (?:a|an) (?:[a-z]+ )??<animal>(?! (?:named"
         r"|called|person|lover|food|bed))(?=[,.!]|$| and| that| who)",
         claim("possessions/pets/{animal}", what="animal"), confidence=0.8),
    rule("possessions.owns", "en", "bought own owns have has got purchased drive drives",
         r"<who>(?:<has>)?<adv> (?:bought|own|owns|purchased|got|drive|drives)(?: myself| himself| herself)? (?:a"
         r"|an|my|our|his|her)(?: (?:first|new|used|brand new|second-hand|old|own|small|little|big|beautiful"
         rf"|electric|red|blue|black|white|acoustic))* (?P<what>{_THING})(?! tire| tyre| screen| fee| rental"
         r"| insurance| key| part)",
         link("owns", EntityType.ARTIFACT, bound=TimeBound.BEGINS), confidence=0.8),
    rule("possessions.drives", "en", "drive drives leased",
         r"<who>(?:<has>)?<adv> (?:drive|drives|leased) (?:a|an|my) (?:new |used |old "
         r"|\d{4} )*(?P<what>[\ue001\ue005]++(?: (?:model [a-z0-9]+|[a-z]?\d+[a-z]?))?)",
         link("owns", EntityType.PRODUCT), confidence=0.8),
    rule("possessions.picked_up", "en", "sold traded swapped scrapped returned replaced myself ourselves",
         r"(?:(?:sold|traded|swapped|scrapped|returned|replaced)\b[^.;!?]{2,40}?(?:(?:picked up|bought|got)|in for|for"
         r"|with)|(?:got|bought) (?:myself|ourselves)) an?(?: (?:new|used|shiny|second-hand|brand new|\d{4}))*"
         r" (?P<what>[\ue001\ue003\ue005]++(?: \d[\w]*)?)(?= now| today| yesterday| to replace| and| for|<stop>)",
         link("owns", EntityType.PRODUCT, of="speaker", bound=TimeBound.BEGINS), confidence=0.75),
    rule("possessions.typed_on", "en", "typing writing texting posting",
         r"(?:typing|writing|texting|posting) (?:this |you )?(?:on|from) (?:a|an|my)(?: (?:new|used|shiny))*"
         r" (?P<what>[\ue001\ue003\ue005]++(?: \d\w*)?|[a-z]{3,20} ?\d{1,3}[a-z]?)",
         link("owns", EntityType.PRODUCT, of="speaker", bound=TimeBound.BEGINS), confidence=0.75),
    rule("possessions.my_car", "en", "car bike truck guitar phone laptop",
         r"(?P<who>my|our) (?P<key>car|bike|truck|van|motorcycle|guitar|phone|laptop|camera)(?: is|'s)(?: now)? an?"
         r" (?:new |used |old "
         r"|\d{4} )*(?P<what>[\ue001\ue003\ue005]++[^,.;!?()]{0,20})",
         claim("possessions/general/{key}"), check="possessive"),
    rule("possessions.pet_es", "es", _KEYS,
         r"(?:<who> )?(?:tengo|tenemos|tiene|adopté|adoptamos|adoptó) (?:un|una"
         rf"|dos) (?:[a-záéíóúñ]+ )??<animal>s?(?: [a-záéíóúñ]+)?,? (?:que se llaman?|llamad[oa]s?|de nombre) {_NAMED}",
         _PET, check="owner"),
    rule("possessions.mi_pet", "es", _KEYS,
         rf"(?:mi|nuestro|nuestra) (?:[a-záéíóúñ]+ )??<animal>(?:,| se llama| es)? {_NAMED}",
         _MINE),
    rule("possessions.el_coche", "es", "coche carro auto moto bici móvil celular portátil",
         r"(?:(?P<who>mi|nuestr[oa])|el|la) (?P<key>coche|carro|auto|moto|bici|móvil|celular|portátil)(?: que (?:tengo"
         r"|tenemos|uso|llevo))? es (?:un|una) (?P<what>[\ue001\ue003\ue005]++[^,.;!?()]{0,20})",
         claim("possessions/general/{key}"), confidence=0.85),
    rule("possessions.tiene_un", "es", "tengo tenemos llevo llevamos conduzco manejo",
         r"(?:tengo|tenemos|llevo|llevamos|conduzco|manejo) (?:un|una) (?P<what>[\ue001\ue003\ue005]++)",
         link("owns", EntityType.PRODUCT, of="speaker"), confidence=0.75),
    rule("possessions.compre", "es", "compré compró tengo tiene",
         r"(?:<who> )?(?:(?:me |se )?(?:compré|compró)|he comprado|tengo|tiene) (?:un|una)(?: (?:nuevo|nueva"
         rf"|gran))? (?P<what>{_COSA})",
         link("owns", EntityType.ARTIFACT, bound=TimeBound.BEGINS), confidence=0.8, check="spanish first person"),
)  # fmt: skip
