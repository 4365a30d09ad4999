"""People: who they are to the speaker and to each other."""

from nacre.domain.entities import EntityType
from nacre.extraction.rules import TimeBound, claim, link, rule
from nacre.text.relations import FAMILY, PARTNERS, RELATIONS

_P = EntityType.PERSON
_KEYS = " ".join(f"{key} {key}s" for key in (word.replace(" ", "_") for word in RELATIONS))
_HOUSEHOLD = "|".join(word.replace("_", " ") for word in (*PARTNERS, *FAMILY))
_AGED = r"(?P<what>[\ue000\ue005]++)(?: \(?\d{1,2}\)?)?"
_AND = r"(?:,|, and| and| &)"
_RELATED = link("@rel", _P, detail="rel", bound=TimeBound.UNTIMED)
_FIRST = link("@rel", _P, detail="rel", of="speaker", bound=TimeBound.UNTIMED)

RULES = (
    rule("people.my_rel_name", "en", _KEYS,
         r"(?:my|our) <adj><rel>s?(?:,| is| are| -|:)? (?:(?:is |was |are )?(?:named|called) )?<person>",
         _FIRST),
    rule("people.new_rel", "en", _KEYS,
         r"(?:^|[,.;:] |and |but |so )(?:(?:the|a|got a) )?new <rel>(?:'s| is|:|,)?(?: called| named)? <person>",
         _FIRST, confidence=0.85),
    rule("people.bare_rel", "en", " ".join((*PARTNERS, *FAMILY)).replace("_", " "),
         rf"(?:^|[,.;:] |and |but |so |oh |ok |btw )(?P<rel>{_HOUSEHOLD})(?:'s| is|:)(?: called| named)? <person>",
         _FIRST, confidence=0.85),
    rule("people.rel_called", "en", _KEYS,
         r"(?:my|our) <adj><rel>'s name is <person>",
         _FIRST),
    rule("people.have_rel", "en", _KEYS,
         r"(?:i|we)(?:<has>| got)(?: got)? (?:a|an|two|\d) <adj><rel>s?(?:,| named| called| -)? <person>",
         _FIRST),
    rule("people.children", "en", "kids children child sons daughters boys girls",
         r"(?:i|we)(?:<has>| got)(?: got)? (?:\d|two|three|four|five) (?:[a-z]+ )?(?:kids|child(?:ren)?|sons"
         rf"|daughters|boys|girls)(?:,|:| -|,? called|,? named)? {_AGED}"
         rf"(?:{_AND} {_AGED.replace('what', 'then')})?(?:{_AND} {_AGED.replace('what', 'third')})?",
         *(link("family_of", _P, what=group, constant="child", of="speaker", bound=TimeBound.UNTIMED)
           for group in ("what", "then", "third"))),
    rule("people.rel_of_mine", "en", _KEYS,
         r"(?:a|an) <adj><rel>(?: of (?:mine|ours))?(?:,| named| called)+ <person>",
         _FIRST, confidence=0.8),
    rule("people.name_is_rel", "en", _KEYS,
         r"<person>(?:'s| is| was|, who is| are)<adv> (?:my|our|one of my) <adj><rel>s?",
         _FIRST),
    rule("people.name_my_rel", "en", _KEYS,
         r"<person>, (?:my|our) <adj><rel>(?=[,.!]| and|$)",
         _FIRST, confidence=0.85),
    rule("people.their_rel_name", "en", _KEYS,
         r"(?P<who>he|she|his|her|[\ue000\ue005]++)(?:'s)? <adj><rel>,? (?:(?:is )?(?:named|called) )?<person>",
         _RELATED, confidence=0.8, check="possessive"),
    rule("people.name_is_their_rel", "en", _KEYS,
         r"<person>(?:'s| is| was) (?P<who>his|her|[\ue000\ue005]++)(?:'s)? <adj><rel>",
         _RELATED, check="possessive"),
    rule("people.baby", "en", "baby son daughter",
         r"<who>(?:<has>)?<adv> (?:had|have|has|welcomed|adopted) (?:a|an|their|his|her|my"
         r"|our)(?: [a-z]+)? (?:baby )?(?P<rel>son|daughter|boy|girl|baby),? (?:named|called) <person>",
         link("family_of", _P, constant="child", bound=TimeBound.BEGINS)),
    rule("people.married", "en", "married engaged",
         r"<who><is><adv> (?:now |happily )?(?:married|engaged) to <person>",
         link("partner_of", _P, bound=TimeBound.BEGINS)),
    rule("people.wed", "en", "married",
         r"<who><adv> (?:got married to|married) <person>",
         link("partner_of", _P, bound=TimeBound.BEGINS)),
    rule("people.wed_both", "en", "married engaged dating together knot",
         r"(?P<who>[\ue000\ue005]++) and (?P<what>[\ue000\ue005]++)(?: are| were| got|'re) (?:both |now |finally )?"
         r"(?:(?:getting )?married|engaged|dating|together|tying the knot)",
         link("partner_of", _P)),
    rule("people.wed_and_i", "en", "married engaged dating together",
         r"(?P<what>[\ue000\ue005]++) and (?P<who>i|me)(?: are| were| got|'re)<adv> (?:married|engaged|dating"
         r"|together)",
         link("partner_of", _P, bound=TimeBound.BEGINS)),
    rule("people.dating", "en", "dating seeing out",
         r"<who><now><adv> (?:dating|seeing|going out with) <person>",
         link("partner_of", _P), confidence=0.8),
    rule("people.friends_with", "en", "friends friend",
         r"<who>(?:<is>|'ve been| have been| has been| became)<adv> (?:best |good |close |old )?friends with <person>",
         link("friend_of", _P)),
    rule("people.name_and_i", "en", _KEYS,
         r"<person> and (?P<who>i|me)(?: are| were| became|'re|'ve been| have been) (?:best |good |close "
         r"|old )?<rel>s",
         _RELATED),
    rule("people.lives_with", "en", "live lives living",
         r"<who>(?:<now>)?<adv> (?:live|lives|living) with (?P<what>\ue000++)",
         link("knows", _P, constant="roommate"), confidence=0.75),
    rule("people.works_with", "en", "work works working collaborate collaborates collaborating teamed",
         r"<who>(?:<now>)?<adv> (?:work|works|working|collaborate|collaborates|collaborating"
         r"|teamed up) (?:closely )?with (?P<what>\ue000++(?:(?:,|, and| and) \ue000++)*)",
         link("works_with", _P)),
    rule("people.reports_to", "en", "report reports reporting",
         r"<who>(?:<now>)?<adv> (?:report|reports|reporting) (?:directly )?to <person>",
         link("reports_to", _P)),
    rule("people.manages", "en", "manage manages managing supervise supervises lead leads mentor mentors",
         r"<who>(?:<now>)?<adv> (?:manage|manages|managing|supervise|supervises|mentor|mentors|lead"
         r"|leads) (?P<what>\ue000++(?:(?:,|, and| and) \ue000++)*)",
         link("manages", _P)),
    rule("people.manages_me", "en", "manages supervises",
         r"<person> (?:manages|supervises) (?P<who>me|us)",
         link("reports_to", _P)),
    rule("people.knows", "en", "met known",
         r"<who>(?:<has>)?<adv> (?:known|met)(?: up with| with)? (?P<what>\ue000++(?:(?:,|, and"
         r"| and) \ue000++)*)(?!'s)",
         link("knows", _P, bound=TimeBound.BEGINS), confidence=0.7),
    rule("people.known_from", "en", "from",
         r"(?:^|, |(?:with|to|and|saw|met|know|knew|called|texted|by|for|that|it's|this is) )(?P<who>\ue000++) from "
         r"(?:the |my |our |his |her )?(?P<what>(?!(?:here|there|now|then|today|yesterday|last|me|him|them|that|this"
         r"|afar|what|scratch|home|time)\b)[a-z\ue001\ue002]+(?: (?:class|team|club|school|department|office|church"
         r"|group))?)(?= (?:is|was|has|had|said|says|told|called|and|just|who|will|got|left|came|went|texted|asked"
         r"|invited|wants|thinks|likes|loves|works|lives|moved|joined|yesterday|today|last|again|at|on)(?!\w)|'s"
         r"|[,.!?]|$)",
         claim("profile/general/known_from"), confidence=0.8),
    rule("people.mi_rel_name", "es", _KEYS,
         r"(?:mi|mis|nuestro|nuestra|nuestros) <adj><rel>s?(?:,| es| son| se llama| -"
         r"|:)? (?:(?:que )?se llama )?<person>",
         _FIRST),
    rule("people.tengo_rel", "es", _KEYS,
         r"(?:tengo|tenemos) (?:un|una|dos) <adj><rel>s?,? (?:que se llama|llamad[oa]) <person>",
         _FIRST),
    rule("people.es_mi_rel", "es", _KEYS,
         r"<person>,? (?:es|era) (?:mi|nuestro|nuestra|una? de mis) <adj><rel>s?",
         _FIRST),
    rule("people.name_mi_rel", "es", _KEYS,
         r"<person>, (?:mi|nuestro|nuestra) <adj><rel>(?=[,.!]| y|$)",
         _FIRST, confidence=0.85),
    rule("people.del", "es", "del de",
         r"(?P<who>\ue000++) (?:del|de la|de mi) (?P<what>[a-záéíóúñ]+)(?= (?:es|está|dijo|dice|vive|trabaja|me|se|y"
         r"|vino|fue|quiere|llamó)(?!\w)|[,.!?]|$)",
         claim("profile/general/known_from"), confidence=0.75),
    rule("people.rel_de", "es", _KEYS,
         r"<person> es (?:el|la|un|una) <adj><rel> de (?P<who>[\ue000\ue005]++)",
         _RELATED),
    rule("people.la_rel_de", "es", _KEYS,
         r"(?:el|la) <adj><rel> de (?P<who>[\ue000\ue005]++),? (?:se llama |es )?<person>",
         _RELATED, confidence=0.85),
    rule("people.casado", "es", "casado casada prometido prometida",
         r"(?:<who> )?(?:estoy|está|estás|soy|es) (?:casad[oa]|prometid[oa]) con <person>",
         link("partner_of", _P, bound=TimeBound.BEGINS), check="spanish first person"),
    rule("people.se_caso", "es", "casé casó casamos",
         r"(?:(?:<who> )?(?:me casé|se casó|nos casamos)) con <person>",
         link("partner_of", _P, bound=TimeBound.BEGINS), check="spanish first person"),
    rule("people.se_casan", "es", "casan casaron casado casados casar prometido prometidos",
         r"(?P<who>[\ue000\ue005]++) y (?P<what>[\ue000\ue005]++)(?: ya)? (?:se (?:casan|casaron|han casado|van a casar"
         r"|han prometido)|están (?:casados|prometidos))",
         link("partner_of", _P)),
    rule("people.salgo_con", "es", "salgo saliendo",
         r"(?:salgo|estoy saliendo) con <person>",
         link("partner_of", _P), confidence=0.75),
    rule("people.trabaja_con", "es", "trabajo trabaja trabajamos",
         r"(?:<who> )?(?:trabajo|trabaja|trabajamos) con (?P<what>\ue000++(?:(?:,| y) \ue000++)*)",
         link("works_with", _P), check="spanish first person"),
    rule("people.depende_de", "es", "reporto reporta",
         r"(?:<who> )?(?:reporto|reporta) a <person>",
         link("reports_to", _P), check="spanish first person"),
    rule("people.dirige_a", "es", "dirijo dirige superviso supervisa",
         r"(?:<who> )?(?:dirijo|dirige|superviso|supervisa) a <person>",
         link("manages", _P), check="spanish first person"),
    rule("people.conoci_a", "es", "conozco conocí conoce conoció",
         r"(?:<who> )?(?:conozco|conocí|conoce|conoció) a (?P<what>\ue000++(?:(?:,| y) \ue000++)*)",
         link("knows", _P, bound=TimeBound.BEGINS), confidence=0.7, check="spanish first person"),
)  # fmt: skip
