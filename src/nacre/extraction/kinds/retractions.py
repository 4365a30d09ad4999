"""Retractions: what no longer holds, as in "I no longer …", "I quit …", "ya no …"."""

from nacre.domain.entities import EntityType
from nacre.domain.facts import Polarity
from nacre.extraction.gazetteers import occupations
from nacre.extraction.kinds.profiles import ESTADOS, STATES, WORDS_OF_ESTADO, WORDS_OF_STATE
from nacre.extraction.rules import TimeBound, claim, link, rule

_GONE = {"polarity": Polarity.RETRACTED, "bound": TimeBound.ENDS}
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
_LEFT = link("works_at", _O, polarity=Polarity.RETRACTED, bound=TimeBound.LEAVES)
_COOLED = link("prefers", _X, loose=True, **_GONE)
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
    rule("retractions.medicine", "en", "stopped stop finished finish off discontinued",
         r"(?:stopped|stop|finished|finish|c(?:ame|ome|oming) off|took me off|taken me off|discontinued)(?: taking)?"
         r" (?:the |my |all the )?"
         r"(?P<what>[a-z]{5,20})(?=<stop>| because| and | now| after| last| this| on | today| yesterday)",
         claim("health/general/medicines", of="speaker", polarity=Polarity.RETRACTED, bound=TimeBound.ENDS),
         claim("health/general/conditions", of="speaker", polarity=Polarity.RETRACTED, bound=TimeBound.ENDS),
         hedges=False),
    rule("retractions.binned_medicine", "en",
         "binned chucked threw thrown tossed flushed ditched dumped rid weaned off",
         r"(?:binned|chucked|threw|thrown|tossed|flushed|ditched|dumped|got rid of|weaned(?: myself)? off|i'm off)"
         r"(?: out| away)? (?:(?:the|my|all|old|last|rest|of) )*+(?P<what>[a-z-]{5,20})",
         claim("health/general/medicines", of="speaker", polarity=Polarity.RETRACTED, bound=TimeBound.ENDS),
         check="medicine", hedges=False),
    rule("retractions.likes", "en", "longer anymore more used stopped",
         rf"{_NO_LONGER} (?:like|likes|love|loves|liking|enjoy|enjoys) (?!to |it|you|that|this|him|them|her\b"
         r"|the )(?P<what>[^,.;:!?()\"]{2,40}?)(?: any ?more)?(?=[,.;!]|$| and| but)",
         link("prefers", _X, **_GONE), hedges=False, check="no longer"),
    rule("retractions.dislikes", "en", "longer anymore more used stopped",
         rf"{_NO_LONGER} (?:hate|hates|hating|dislike|dislikes|mind|minds|avoid|avoids) (?!to |it|you|that|this|him"
         r"|them|her\b|the )(?P<what>[^,.;:!?()\"]{2,40}?)(?: any ?more)?(?=[,.;!]|$| and| but)",
         link("dislikes", _X, **_GONE), hedges=False, check="no longer"),
    rule("retractions.off", "en",
         "off enough sick tired bored fed done interest love outgrew grew outgrown through",
         r"<who>(?:<now>|<has>|<is>| got| just| really| completely| totally| kind of| kinda)*+<adv>"
         r" (?:(?:gone|went|going) (?:right )?off|(?:sick|tired|bored) (?:of|with)"
         r"|fed up with|(?:had )?(?:quite )?enough of|done with|through with|lost (?:all )?(?:my |his "
         r"|her )?(?:interest in|taste for|love for|love of"
         r"|appetite for)|losing interest in|fell out of love with|fallen out of love with|grew out of|grown out of"
         r"|outgrew"
         r"|outgrown|cooled on|sworn off|swore off|turned off) (?!\w+ \w+ allergy)<words>",
         _COOLED, confidence=0.75),
    rule("retractions.outgrown", "en", "allergy",
         r"<who>(?:<has>)?<adv> (?:outgrown|outgrew|grown out of|grew out of) (?:his|her|their|my|the) (?P<what>[a-z]+)"
         r" allergy",
         claim("health/general/allergy", literal=True, **_GONE)),
    rule("retractions.not_allergic", "en", "allergic",
         r"<who><now> (?:no longer|not) allergic to (?P<what>[a-z]+)(?: any ?more)?",
         claim("health/general/allergy", literal=True, **_GONE), hedges=False),
    rule("retractions.cleared", "en", "cleared",
         r"(?:the |our |his |her |my )?(?:allergist|allergy (?:clinic|team|nurse|doctor)|immunologist|consultant"
         r"|specialist|doctors?|clinic|hospital)(?: has| have| finally| just)* cleared"
         r" (?P<who>me|him|her|us|[\ue000\ue005]++) (?:for|to eat) (?P<what>[a-z]+)(?= after| now| at| today|[,.;!]|$)",
         claim("health/general/allergy", literal=True, **_GONE), confidence=0.85),
    rule("retractions.over_it", "en", "over",
         r"<who><now>(?: so| totally| completely| really)*+<adv> over <words>",
         _COOLED, confidence=0.75),
    rule("retractions.moved_out", "en", "moved left",
         r"<who>(?:<has>)?<adv> (?:moved out of |moved away from |left (?=[^,.;]{2,30}? (?:in <when>|last (?:year"
         r"|month|summer|spring|fall"
         r"|autumn|winter)|for good)))<words>",
         link("lives_in", _L, loose=True, **_GONE), confidence=0.75),
    rule("retractions.no_longer_into", "en", "into fan keen fond like love enjoy care drink eat want play watch listen",
         rf"{_NO_LONGER} (?:really |even |that |so |much )?(?:into|a (?:big |huge )?fan of|keen on|fond of|like|likes"
         rf"|love"
         r"|loves|enjoy|enjoys|care for|care about|drink|drinks|drinking|eat|eats|eating|want|play|plays|playing|watch"
         r"|listen to|crazy about|mad about) <words>",
         _COOLED, hedges=False, check="no longer"),
    rule("retractions.not_my_thing", "en", "thing appeals appeal interests excites cup jam",
         r"(?P<what>[a-z\ue000-\ue008][\w\ue000-\ue008 -]{1,30}?) (?:(?:isn't|is not|aren't|are not|is no longer"
         r"|are no longer|stopped being) (?P<who>my) (?:thing|cup of tea|jam)(?: any ?more)?|(?:no longer|doesn't"
         r"|don't)"
         r" (?:appeals?|interests?|excites?|does it)(?: to| for)? (?P<who2>me)(?: any ?more)?)",
         link("prefers", _X, loose=True, of="speaker", **_GONE), hedges=False, check="no longer"),
    rule("retractions.cannot_stand", "en", "stand bear tolerate stomach",
         r"<who> (?:can't|cannot|couldn't|can no longer|can not) (?:stand|bear|tolerate|stomach) (?!it|you|that|this"
         r"|him|her\b"
         r"|them|the )(?P<what>[^,.;:!?()\"]{2,40}?)(?: any ?more| any longer| now| these days)",
         link("dislikes", _X), hedges=False, confidence=0.8),
    rule("retractions.was_role", "en", _JOBS,
         r"<who>(?:<has>)? (?:used to be|stepped down as|stopped being|stopped working as|quit being|quit working as"
         r"|gave up being)(?: a| an"
         r"| the)? (?P<what>(?:[a-z-]+ ){0,2}?[a-z-]+)(?: any ?more)?(?=[,.;!]|$| and| at| but| for| in| when| last)",
         claim("work/general/role", **_GONE), hedges=False, check="occupation"),
    rule("retractions.status", "en", STATES,
         r"<who>(?:<now>)?(?: no longer| not| isn't| aren't| stopped being| quit being| used to be|<has> stopped being)"
         rf"(?: a| an)? (?P<what>{WORDS_OF_STATE})(?: any ?more)?(?=<stop>)",
         claim("{status}", **_GONE), hedges=False, check="no longer"),
    rule("retractions.estado", "es", ESTADOS,
         rf"(?:<who> )?(?:ya no (?:soy|es|estoy|está)|dejé de ser|dejó de ser) (?P<what>{WORDS_OF_ESTADO})(?! con)",
         claim("{status}", **_GONE), hedges=False, check="spanish first person"),
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
         r"<who>(?:<now>|<has>)?<adv> (?:left|leaving) (?P<what>[\ue001\ue005]++)"
         r"(?! (?:early|late|on time|at \d|for (?:lunch|the day|dinner|a )|with |a |an |in the ))",
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
