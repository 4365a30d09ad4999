"""Places: where people live and go."""

from dataclasses import replace

from nacre.domain.entities import EntityType
from nacre.extraction.rules import TimeBound, claim, link, rule

_L = EntityType.LOCATION
_LIVES, _SINCE = link("lives_in", _L), link("lives_in", _L, bound=TimeBound.BEGINS)
_VISITED = link("related_to", _L, constant="visited")

_BEGUN = (
    r"(?:\A|[,.;:!] |(?:'re|'m|are|am|i|we|and|finally|now|just|still|but|so) )"
    r"(?:all |now |finally |just |still )*+"
)
_MOVED_IN = (
    r"(?:settl(?:ed|ing) in(?:to)?|mov(?:ed|ing) into|unpack(?:ed|ing) (?:at|in)"
    r"|(?:had |spent |survived )?(?:my |our |the )?(?:very )?(?:first|second|third) (?:night|week|weekend|morning|day"
    r"|month)s? (?:in|at)|(?:got|have|picked up|collected|been given)(?: the| my| our)? keys (?:to|for|of))"
)
_HOUSE = r"(?:place|flat|house|apartment|studio|home|room|cottage|bungalow|maisonette|loft|digs)"
_CASA = r"(?:piso|estudio|casa|apartamento|ático|departamento|habitación|cuarto|chalet|loft)"

RULES = (
    rule("places.lives_in", "en", "live lives living lived reside resides residing",
         r"<who>(?:(?:<now>|'ve been| have been| has been)?<adv> (?:live|lives|living|reside|resides|residing)"
         r"|(?:'ve| have| has)<adv> lived)(?: here| alone| with [^,.]{2,60}?)?"
         rf"(?: in an? (?:[\w-]+ ){{0,2}}?{_HOUSE})?"
         r" (?:in|near|outside of|outside) (?:the )?(?:city of |heart of |suburbs of |center of )?<place>",
         _LIVES),
    rule("places.lies_in", "en", "live lives living lived moved relocated based reside vivo vive vivimos mudé mudó",
         r"(?:in|to|near|en|a) (?P<who>[\ue002\ue005]++), (?P<what>\ue002++)(?!,? (?:and|or|y|o) |, [\ue002\ue005])",
         link("located_in", _L), confidence=0.85),
    rule("places.home_is", "en", "home settled call",
         r"(?:(?P<who>my|our|\ue000++'s) (?:new |current )?home is(?: now)?(?: in)? <place>)",
         _LIVES, confidence=0.85, check="possessive"),
    rule("places.settled", "en", "settled call calls moving moved up",
         r"<who>(?:<has>)?<adv> (?:settled(?: down)? in <place>|ended up (?:moving to|living in) <place2:place>"
         r"|calls? <place3:place> (?:my |his |her |our )?home)",
         *(link("lives_in", _L, what=group) for group in ("what", "place2", "place3")), confidence=0.85),
    rule("places.settled_in", "en", "settled unpacked installed",
         r"(?:^|[,.;:] |(?:'re|'m|are|am|and|finally|now) )(?:all |now |finally |pretty much )*"
         r"(?:settled|unpacked|installed)"
         r"(?: in| down| into)*? (?:in|into) (?:our |my )?(?:new (?:place|home|flat|house) in )?<place>"
         r"(?=[,.!]|$| now| at last| and| with)",
         link("lives_in", _L, of="speaker"), confidence=0.8),
    rule("places.new_home", "en", "place flat house apartment studio home room cottage bungalow maisonette loft digs",
         rf"{_BEGUN}{_MOVED_IN} (?:my|our|the|a)(?: (?:new|own|little|tiny|big|lovely|rented))*+ {_HOUSE}"
         r" (?:in|on|near) <words>",
         replace(_SINCE, of="speaker"), confidence=0.75),
    rule("places.my_new_home", "en", "place flat house apartment studio home cottage bungalow maisonette loft digs",
         rf"(?P<who>my|our) new {_HOUSE} (?:in|on|near) <place>",
         _SINCE, confidence=0.85, check="possessive"),
    rule("places.found_home", "en", "flat house apartment studio room cottage bungalow maisonette loft digs sublet",
         r"(?:\A|[,.;:!] |\b(?:i|we)(?:'ve| have)? |\b(?:and|so) )(?:just |finally |already )*"
         r"(?:found|got|landed|rented)(?: myself| ourselves)? an?"
         r"(?: (?:new|own|little|tiny|small|big|lovely|cheap|nice|single|shared"
         r"|furnished|bright|whole|cute|two-bed|one-bed))* (?:flat|house|apartment|studio|room|cottage|bungalow"
         r"|maisonette|loft|digs|sublet)(?: here)? in (?:the )?<place>"
         r"(?!,? \d|,? (?:for|until|till|from) (?:the|a|two|three|\d"
         r"|\w+day)|.*\b(?:weekend|nights?|hotel|airbnb|hostel|holidays?)\b)",
         replace(_SINCE, of="speaker"), confidence=0.8),
    rule("places.found_here", "en", "here there",
         r"is in <place>,? (?:so|and)(?: now)? (?:i|we)(?:'ve| have)?(?: just| finally| now)* (?:found|got|rented|took"
         r"|moved to|moved into) an?(?: [a-z-]+){0,2} (?:flat|house|apartment|studio|room|place|cottage)"
         r" (?:here|there)",
         replace(_SINCE, of="speaker"), confidence=0.8),
    rule("places.the_new_home", "en", "place flat house apartment studio cottage bungalow maisonette loft",
         r"(?:\A|[,.;:!] )(?:the|this) new (?:(?:flat|house|apartment|studio|cottage|bungalow|maisonette|loft)"
         r" (?:in|near)|place in(?=[^.!?]*\b(?:garden|balcony|kitchen|landlord|landlady|boiler|neighbou?rs?|bedrooms?"
         r"|boxes|unpack\w*|stairs|heating|commute|rent|bath|sofa|attic|cellar|yard)\b))"
         r" (?P<what>[a-z\ue002\ue005]++(?: [a-z]+)??)(?= (?:is|has|comes|feels|smells|looks)\b|<stop>)",
         replace(_SINCE, of="speaker"), confidence=0.75),
    rule("places.rents", "en", "rent renting share sharing",
         rf"(?:\A|[,.;:!] |(?:i|we|'m|'re|am|are)<adv> )(?:rent|renting|share|sharing) an? (?:[a-z]+ )?{_HOUSE}"
         r"(?: with [^.;!?]{2,40}?,?)? in (?:the )?<place>",
         replace(_LIVES, of="speaker"), confidence=0.85),
    rule("places.home_is_a", "en", "home",
         r"(?:\A|[,.;:!] )home(?: is|'s)(?: now)? an? [a-z -]{2,30}? (?:in|near|on|outside) <place>",
         replace(_LIVES, of="speaker"), confidence=0.8),
    rule("places.based_in", "en", "based",
         r"<who><now><adv> based (?:in|out of) <place>",
         link("based_at", _L)),
    rule("places.address", "en", "live lives address",
         r"(?:<who><adv> (?:live|lives) at|(?:my|our|the) (?:home |new |mailing )?address is|new address(?: is|:|'s))"
         r" (?P<what>\d{1,5} [^.;!?"
         r"()]{4,60})",
         claim("home/general/address"), check="address"),
    rule("places.visited", "en", "visited visiting went been trip traveled travelled vacationed flew back",
         r"<who>(?:<has>|<is>)?<adv> (?:visited|visiting|been to|went to|went on (?:a|our|my) [a-z ]{0,20}?(?:trip"
         r"|vacation|tour|honeymoon|road trip) to|took (?:a|my [a-z]+ on a) [a-z ]{0,20}?trip to|took a trip to"
         r"|traveled to|travelled to|flew to|vacationed in|(?:got|came|got home|returned|am|'m) back from(?: (?:a|an"
         r"|my|our|the) [a-z0-9 -]{0,30}?(?:trip|vacation|tour|honeymoon|hike|cruise|holiday"
         r"|getaway) to)?)(?: the)? (?P<what>[\ue002\ue005]++(?:(?:,|, and| and) [\ue002\ue005]++)*)",
         _VISITED, confidence=0.85),
    rule("places.trip_to", "en", "trip vacation holiday honeymoon",
         r"(?P<who>my|our) (?:[a-z]+ )?(?:trip|vacation|holiday|honeymoon|visit) (?:to|in) (?P<what>\ue002++)",
         link("related_to", _L, constant="trip"), confidence=0.8, check="possessive"),
    rule("places.located", "en", "located",
         r"(?P<who>[\ue002\ue005\ue001]++)(?:'s| is) (?:located )?in (?P<what>\ue002++)(?=[,.!]|$)",
         link("located_in", _L), confidence=0.8),
    rule("places.vive_en", "es", "vivo vive vivimos viviendo resido reside",
         r"(?:<who> )?(?:vivo|vive|vivimos|estoy viviendo|está viviendo|resido"
         r"|reside)<adv>(?: con [^,.]{2,30}?)? en <place>",
         _LIVES, check="spanish first person"),
    rule("places.lleva_en", "es", "llevo llevamos",
         r"(?:llevo|llevamos) (?:media vida|toda la vida|\w+ (?:años?|meses|semanas)) (?:viviendo )?en <place>",
         replace(_LIVES, of="speaker"), confidence=0.8),
    rule("places.casa_nueva", "es", "llaves noche semana piso estudio casa apartamento ático departamento habitación",
         r"(?:\A|[,.;:!] )(?:por fin |al fin )?(?:(?:ya )?(?:tengo|tenemos|(?:me|nos) (?:dieron|han dado|dan))(?: ya)?"
         r"(?: por fin)?(?: las)? llaves(?: del?| de la| para)?|(?:mi |nuestra |la )?primera (?:noche|semana) en)[:,]?"
         rf"(?: (?:un|una|el|la|mi|nuestr[oa]|mi nuev[oa]|el nuevo|la nueva))? {_CASA}(?: nuev[oa])? (?:en|de)"
         r" (?:el |la |los )?<place>",
         replace(_SINCE, of="speaker"), confidence=0.8),
    rule("places.mi_casa_nueva", "es", "piso estudio casa apartamento ático departamento habitación",
         rf"(?:mi|nuestr[oa]) (?:nuev[oa] {_CASA}|{_CASA} nuev[oa]) (?:en|de) (?:el |la )?<place>",
         replace(_SINCE, of="speaker"), confidence=0.85),
    rule("places.direccion", "es", "vivo dirección",
         r"(?:vivo en (?:la )?(?=calle|avenida|plaza)|mi dirección es (?:la )?)(?P<what>[^.;!?()]{6,60})",
         claim("home/general/address"), check="address"),
    rule("places.visito", "es", "visité visitó fui fue viajé viajó visitamos fuimos viajamos estuve",
         r"(?:<who> )?(?:visité|visitó|visitamos|viajé a|viajó a|viajamos a|fui a|fuimos a|fue a|estuve en"
         r"|he estado en)<adv> (?P<what>\ue002++(?:(?:,| y) \ue002++)*)",
         _VISITED, confidence=0.85, check="spanish first person"),
)  # fmt: skip
