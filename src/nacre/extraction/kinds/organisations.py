"""Organisations: who works there, who is a member, who founded them."""

from dataclasses import replace

from nacre.domain.entities import EntityType
from nacre.extraction.rules import TimeBound, link, rule

_O = EntityType.ORGANIZATION
_AT = link("works_at", _O)
_SINCE = link("works_at", _O, bound=TimeBound.BEGINS)
_FEW = r"\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a few"
# "The Denby clinic": a name, and up to two words for what it is.
_NAMED = r"(?P<what>[\ue001\ue003\ue005]++(?: (?!just|recently|have|has|finally|hired|took|taken)[a-z]+){0,2})"
_COGIDO_WORDS = "cogido contratado contratada fichado cogieron contrataron ficharon dado dieron"
_COGIDO = (
    r"(?:han |ha |acaban de |)(?:cogid[oa]|contratad[oa]|fichad[oa]|cogieron|contrataron|ficharon|(?:dado|dieron)(?: un"
    r"| el)? (?:trabajo|puesto|empleo|curro|plaza))(?: como [a-záéíóúñ -]{2,40}?| de [a-záéíóúñ]{3,20})? en"
    r" (?:el |la |los |las )?"
)

RULES = (
    rule("organisations.works_at", "en", "work works working worked employed",
         r"<who>(?:(?:<now>|'ve been| have been| has been)?<adv> (?:work|works|working|employed)|(?:'ve| have"
         r"| has)<adv> worked)(?: full[- ]time| part[- ]time| remotely| as (?:a|an|the) [a-z -]{2,40}?"
         r"| (?:on|in) [^,.;:]{2,60}?)? (?:at|for"
         r"|by) <org>",
         _AT),
    rule("organisations.job_at", "en", "job position role internship offer",
         r"<who>(?:<has>)?<adv> (?:got|have|has|landed|accepted|started|start)(?: a| an| my| his| her| the)?(?: new"
         r"| great| full-time| part-time)? (?:job|position|role|internship|job offer)(?: as (?:a"
         r"|an) [a-z -]{2,40}?)? (?:at|with|for) <org>",
         _SINCE),
    rule("organisations.new_job", "en", "job employer company gig position",
         r"(?P<who>my|his|her|\ue000++'s) new (?:job|employer|company|gig|position|role|workplace) is(?: now)?(?: at"
         r"| with)? <org>",
         _SINCE, check="possessive"),
    rule("organisations.moved_to_job", "en", "job position role",
         r"<who>(?:<has>)?<adv> (?:moved|switched|changed|went) to (?:a|my|his|her) (?:new |different "
         r"|better )?(?:job|position"
         r"|role) (?:at|with) <org>",
         _SINCE),
    rule("organisations.then_works", "en", "work works working",
         r"<who>(?= \w)(?:(?! (?:that|who|he|she|they|it|we|i|if|when|but|not"
         r"|never) )[^,.;:!?\ue000]){3,50}?,? (?:and|then)"
         r"(?: then| now| currently| am now| is now)+ (?:work|works|working) (?:at|for) <org>",
         _AT, confidence=0.85),
    rule("organisations.at_now", "en", "now at with",
         r"<who><now><adv> (?:at|with) (?P<what>[\ue001\ue003]++|\ue005++)(?= now| these days| since)",
         _AT, confidence=0.8),
    rule("organisations.joined", "en", "joined joining join started",
         r"<who>(?:<now>|<has>)?<adv> (?:joined|joining|started (?:working )?at|started (?:working )?for"
         r"|been hired by|signed with) <org>(?! on )",
         _SINCE, confidence=0.85),
    rule("organisations.first_day", "en", "first",
         r"(?:\A(?:[a-z]+ )?|[,;.!] |\b(?:today|yesterday)(?: was|'s) )(?:it's |its |had |did |after )?(?:my |the )?"
         r"(?:very )?first (?:day|morning|shift|week) (?:at|with) (?:the )?+(?!(?:a|an|my|our|his|her|their) )"
         r"(?!(?:(?:big|high|new|primary) )?(?:school|college|uni|university|nursery|kindergarten|gym|beach|camp|home"
         r"|sea|hospital|hotel|festival|last|least|all|work)\b)(?!\w+ (?:done|over|was|is)\b)<words>",
         replace(_SINCE, of="speaker"), confidence=0.75),
    rule("organisations.new_post", "en", "post job position role gig",
         r"(?:my|(?:loving|enjoying|(?:settl|eas)(?:ed|ing) into|started|into|in|at|on) (?:the|my|this)) new"
         r" (?:job|post|position|role|gig) (?:at|with) (?!(?:\S+ ){1,4}(?:starts?|begins?|would|might)\b)<words>",
         replace(_SINCE, of="speaker"), confidence=0.75),
    rule("organisations.new_post_is", "en", "post job position role gig",
         r"(?:\A|[,.;:!] |\b(?:and|but|so) )(?:the|this|my) new (?:job|post|position|role|gig) (?:at|with) (?:the )?+"
         rf"{_NAMED}(?= (?:is|has|keeps|feels|means|eats|pays)\b(?! (?:open|closed|up for|advertised|going|filled)))",
         replace(_SINCE, of="speaker"), confidence=0.75),
    rule("organisations.weeks_into", "en", "into",
         rf"(?:{_FEW}) (?:days|weeks|months|years) into (?:the|my|this)(?: new)? {_NAMED} (?:job|role|post|gig)(?!s)",
         replace(_SINCE, of="speaker"), confidence=0.75),
    rule("organisations.hired", "en", "hired took taken",
         rf"{_NAMED}(?: just| recently| have| has| finally)* (?:hired (?P<who>me)|(?:took|taken) (?P<me>me) on"
         r"(?= as | full| part|<stop>))",
         replace(_SINCE, of="speaker"), confidence=0.85),
    rule("organisations.person_at", "en", "from at",
         r"(?P<who>\ue000++) (?:from|at|of) (?P<what>\ue001++)",
         _AT, confidence=0.7),
    rule("organisations.my_company", "en", "company employer startup business",
         r"(?P<who>my) (?:current )?(?:company|employer)(?:,| is|'s called| is called) <org>",
         _AT, confidence=0.85, check="possessive"),
    rule("organisations.founded", "en", "founded cofounded launched started own owns run runs",
         r"<who>(?:<has>)?<adv> (?:founded|co-founded|cofounded) <org>",
         link("created", _O, bound=TimeBound.BEGINS)),
    rule("organisations.runs", "en", "own owns run runs owner",
         r"<who>(?:<now>)?<adv> (?:own|owns|run|runs|the owner of) (?:a (?:company|business|shop|store|startup"
         r"|bakery|restaurant|café|cafe|studio)(?:,| called| named) )?<org>",
         link("owns", _O), confidence=0.75),
    rule("organisations.member", "en", "member members part volunteer volunteers volunteering belong belongs",
         r"<who>(?:<now>)?<adv> (?:(?:a |an )?(?:proud |active )?members? of|volunteer at|volunteers at"
         r"|volunteering (?:at|for|with)|volunteer for|belong to|belongs to) (?:the |a )?<org>",
         link("member_of", _O)),
    rule("organisations.plays_for", "en", "play plays playing",
         r"<who>(?:<now>)?<adv> (?:play|plays|playing) for (?:the )?<org>",
         link("member_of", _O)),
    rule("organisations.acquired", "en", "acquired bought owns",
         r"(?P<who>[\ue001\ue005]++)(?: has)? (?:acquired|bought|owns) (?P<what>[\ue001]++)",
         link("owns", _O), confidence=0.8),
    rule("organisations.based_in", "en", "based headquartered located",
         r"(?P<who>[\ue001\ue005\ue006]++)(?:'s| is)(?: a (?:company|startup|firm))? (?:based|headquartered"
         r"|located) in <place>",
         link("located_in", EntityType.LOCATION)),
    rule("organisations.trabaja_en", "es", "trabajo trabaja trabajamos trabajando",
         r"(?:<who> )?(?<!dado\x20)(?<!dieron\x20)(?:trabajo|trabaja|trabajamos|estoy trabajando"
         r"|está trabajando)<adv>(?: como [a-záéíóúñ"
         r" -]{2,40}?)? (?:en|para) <org>",
         _AT, check="spanish first person"),
    rule("organisations.me_han_cogido", "es", _COGIDO_WORDS,
         rf"(?:me|nos) {_COGIDO}<org>",
         replace(_SINCE, of="speaker"), confidence=0.85),
    rule("organisations.le_han_cogido", "es", _COGIDO_WORDS,
         rf"a <who> (?:le|la|lo|les|los|las) {_COGIDO}<org>",
         _SINCE, confidence=0.85),
    rule("organisations.empezo_en", "es", "empecé empezó entré entró fichó contrató",
         r"(?:<who> )?(?:empecé|empezó|entré|entró|comencé|comenzó)(?: a trabajar)? en <org>",
         _SINCE, check="spanish first person"),
    rule("organisations.fundo", "es", "fundé fundó",
         r"(?:<who> )?(?:fundé|fundó|cofundé|cofundó) <org>",
         link("created", _O, bound=TimeBound.BEGINS), check="spanish first person"),
    rule("organisations.miembro", "es", "miembro socio socia voluntario voluntaria",
         r"(?:<who> )?(?:soy|es) (?:miembro|soci[oa]|voluntari[oa]) (?:de|en|del)(?: la| el)? <org>",
         link("member_of", _O), check="spanish first person"),
    rule("organisations.mi_empresa", "es", "empresa",
         r"mi empresa(?:,| es| se llama) <org>",
         _AT, confidence=0.85),
    rule("organisations.sede", "es", "sede",
         r"(?P<who>[\ue001\ue005]++) (?:tiene su sede|está|tiene sede) en <place>",
         link("located_in", EntityType.LOCATION), confidence=0.85),
)  # fmt: skip
