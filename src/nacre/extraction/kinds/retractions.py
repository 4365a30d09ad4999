"""What no longer holds: "I no longer …", "I quit …", "ya no …"."""

from nacre.domain.entities import EntityType
from nacre.domain.facts import Polarity
from nacre.extraction.gazetteers import occupations
from nacre.extraction.rules import Bound, claim, link, rule

_GONE = {"polarity": Polarity.RETRACTED, "bound": Bound.ENDS}
_O, _L, _T, _P, _X = (
    EntityType.ORGANIZATION,
    EntityType.LOCATION,
    EntityType.TECHNOLOGY,
    EntityType.PERSON,
    EntityType.PREFERENCE,
)
_WORKS, _LIVES, _USES = link("works_at", _O, **_GONE), link("lives_in", _L, **_GONE), link("uses_tool", _T, **_GONE)
_NO_LONGER = (
    r"<who>(?:<now>)?(?: no longer| don't| do not| doesn't| does not|'m not| am not| is not| isn't|'m no longer"
    r"| stopped| quit| used to)"
)
_LEFT = link("works_at", _O, polarity=Polarity.RETRACTED, bound=Bound.LEAVES)
_JOBS = " ".join(sorted({word.replace(" ", "_") for word in occupations()}))

RULES = (
    rule("retractions.works_at", "en", "longer anymore more used stopped quit",
         rf"{_NO_LONGER} (?:work|works|working) (?:at|for) <org>",
         _WORKS, hedges=False, check="no longer"),
    rule("retractions.lives_in", "en", "longer anymore more used stopped",
         rf"{_NO_LONGER} (?:live|lives|living) in <place>",
         _LIVES, hedges=False, check="no longer"),
    rule("retractions.lived_in", "en", "lived",
         r"<who><adv> lived in <place>",
         _LIVES, confidence=0.85),
    rule("retractions.uses", "en", "longer anymore more used stopped quit",
         rf"{_NO_LONGER} (?:use|uses|using) <tech>",
         _USES, hedges=False, check="no longer"),
    rule("retractions.likes", "en", "longer anymore more used stopped",
         rf"{_NO_LONGER} (?:like|likes|love|loves|liking|enjoy|enjoys) (?!to |it|you|that|this|him|them|her\b"
         r"|the )(?P<what>[^,.;:!?()\"]{2,40}?)(?: any ?more)?(?=[,.;!]|$| and| but)",
         link("prefers", _X, **_GONE), hedges=False, check="no longer"),
    rule("retractions.dislikes", "en", "longer anymore more used stopped",
         rf"{_NO_LONGER} (?:hate|hates|hating|dislike|dislikes|mind|minds|avoid|avoids) (?!to |it|you|that|this|him"
         r"|them|her\b|the )(?P<what>[^,.;:!?()\"]{2,40}?)(?: any ?more)?(?=[,.;!]|$| and| but)",
         link("dislikes", _X, **_GONE), hedges=False, check="no longer"),
    rule("retractions.works_on", "en", "longer anymore more used stopped",
         rf"{_NO_LONGER} (?:work|works|working) on <project>",
         link("works_on", EntityType.PROJECT, **_GONE), hedges=False, check="no longer"),
    rule("retractions.with_person", "en", "longer anymore together broke dating married",
         r"<who>(?:<now>)? (?:no longer|not|'re not) (?:with|dating|married to|seeing) <person>",
         link("partner_of", _P, **_GONE), hedges=False),
    rule("retractions.broke_up", "en", "broke split divorced separated dumped",
         r"<who>(?:<has>|<is>)?<adv> (?:broke up with|split up with|split with|divorced|separated from|dumped"
         r"|got divorced from|broken up with) <person>",
         link("partner_of", _P, **_GONE)),
    rule("retractions.left", "en", "left leaving",
         r"<who>(?:<now>|<has>)?<adv> (?:left|leaving) (?P<what>[\ue001\ue005]++)",
         _WORKS, confidence=0.85, check="left"),
    rule("retractions.quit", "en", "left leaving quit resigned fired retired laid let",
         r"<who>(?:<now>|<has>| got| was)?<adv> (?:(?:quit|resigned from|retired from|fired from|laid off from"
         r"|let go from|fired by|laid off by|let go by)(?: (?:my|his|her|their|our) (?:job|position|role|post))?"
         r"|(?:left|leaving) (?:my|his|her|their|our) (?:job|position|role|post))(?: (?:at|with|from))?"
         r" (?P<what>[\ue001\ue005]++)",
         _LEFT, confidence=0.85),
    rule("retractions.lost_job", "en", "lost quit left",
         r"<who>?(?:<has>)?<adv> ?(?:lost|quit|left) (?:my|his|her) (?:job|position|role)(?: as (?:a"
         r"|an) [a-z -]{2,30}?)? (?:at|with) <org>",
         _LEFT, check="speaker"),
    rule("retractions.lost_role", "en", _JOBS,
         r"(?:<who>(?:<has>)?<adv> )?(?:lost|quit|left) (?:my|his|her) job as (?:a"
         r"|an) (?P<what>(?:[a-z-]+ ){0,2}?[a-z-]+)(?= at|[,.;!]|$| yesterday| last| this| and)",
         claim("work/general/role", **_GONE), check="occupation"),
    rule("retractions.not_role", "en", _JOBS,
         r"<who>(?:<now>)? (?:no longer|not) (?:working as )?(?:a|an|the) (?P<what>(?:[a-z-]+ ){0,2}?[a-z-]+)(?:"
         r" any ?more)?(?=[,.;!]|$| and| at)",
         claim("work/general/role", **_GONE), hedges=False, check="occupation no longer"),
    rule("retractions.sold", "en", "sold crashed",
         r"<who>(?:<has>)?<adv> sold (?:my|our|his|her|the) (?:old |[a-z]+ )?(?P<what>house|apartment|flat|condo|car"
         r"|truck|van|motorcycle|motorbike|bike|bicycle|boat|guitar|piano|camera|laptop|[\ue001\ue005]++)",
         link("owns", EntityType.ARTIFACT, **_GONE)),
    rule("retractions.sold_asset", "en", "sold vendí",
         r"(?:<who>(?:<has>)?<adv> )?(?:sold|vendí)(?: all)?(?: my| our| mis| todos mis)? <asset>",
         link("owns", EntityType.ASSET, **_GONE), check="speaker"),
    rule("retractions.ya_no_trabaja", "es", "ya",
         r"(?:<who> )?ya no (?:trabajo|trabaja) (?:en|para|con) <org>",
         _WORKS, hedges=False, check="spanish first person"),
    rule("retractions.ya_no_vive", "es", "ya",
         r"(?:<who> )?ya no (?:vivo|vive|vivimos) en <place>",
         _LIVES, hedges=False, check="spanish first person"),
    rule("retractions.ya_no_usa", "es", "ya",
         r"(?:<who> )?ya no (?:uso|usa|usamos|utilizo) <tech>",
         _USES, hedges=False, check="spanish first person"),
    rule("retractions.ya_no_gusta", "es", "ya",
         r"ya no me (?:gusta|gustan) (?:el |la |los |las )?<list>",
         link("prefers", _X, **_GONE), hedges=False),
    rule("retractions.ya_no_odia", "es", "ya",
         r"(?:<who> )?ya no (?:odio|odia|detesto|detesta|me molesta|me molestan) (?:el |la |los |las )?<list>",
         link("dislikes", _X, **_GONE), hedges=False, check="spanish first person"),
    rule("retractions.ya_no_rol", "es", "ya",
         r"(?:<who> )?ya no (?:soy|es|trabajo como|trabaja como) (?:un |una )?(?P<what>[a-záéíóúñ]+(?: de"
         r" [a-záéíóúñ]+)?)",
         claim("work/general/role", **_GONE), hedges=False, check="occupation"),
    rule("retractions.ya_no_pareja", "es", "ya",
         r"(?:<who> )?ya no (?:estoy|está|salgo|sale)(?: casad[oa])? con <person>",
         link("partner_of", _P, **_GONE), hedges=False, check="spanish first person"),
    rule("retractions.dejo", "es", "dejé dejó despidieron renuncié",
         r"(?:<who> )?(?:dejé|dejó|renuncié a|me despidieron de|me echaron de|me fui de|se fue de)(?: (?:mi|su"
         r"|el) (?:trabajo|puesto) (?:en|de))? (?P<what>[\ue001]++)",
         _WORKS, confidence=0.85, check="spanish first person"),
    rule("retractions.dejo_de_usar", "es", "dejé dejó",
         r"(?:<who> )?(?:dejé|dejó|he dejado) de (?:usar|utilizar) <tech>",
         _USES, check="spanish first person"),
    rule("retractions.dejo_de_vivir", "es", "vivía antes viví vivió vivir",
         r"(?:<who> )?(?:(?:antes )?vivía|viví|vivió|solía vivir|dejé de vivir|dejó de vivir) en <place>",
         _LIVES, check="spanish first person"),
    rule("retractions.rompi", "es", "rompí rompió divorcié divorció cortó corté",
         r"(?:<who> )?(?:rompí|rompió|corté|cortó|me divorcié|se divorció|me separé|se separó) (?:con|de) <person>",
         link("partner_of", _P, **_GONE), check="spanish first person"),
    rule("retractions.vendi", "es", "vendí vendió",
         r"(?:<who> )?(?:vendí|vendió|he vendido) (?:mi|nuestro|nuestra|su|el|la) (?P<what>casa|piso|apartamento"
         r"|coche|carro|auto|moto|bici|bicicleta|barco|guitarra|piano)",
         link("owns", EntityType.ARTIFACT, **_GONE), check="spanish first person"),
)  # fmt: skip
