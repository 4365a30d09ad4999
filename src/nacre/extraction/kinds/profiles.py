"""Profiles: what a person is, such as name, job, age, birthday, origin, and the other things said as "X's Y is Z"."""

from dataclasses import replace

from nacre.domain.entities import EntityType
from nacre.extraction.gazetteers import occupations
from nacre.extraction.paths import STATUS_PATHS
from nacre.extraction.rules import TimeBound, claim, link, rule
from nacre.text.counts import NUMBER_WORDS, SPANISH_NUMBER_WORDS

_ROLE = claim("work/general/role")
_JOBS = " ".join(sorted({word.replace(" ", "_") for word in occupations()}))
_WORKPLACES = (
    "hospital school museum library university college clinic bakery restaurant hotel bank factory shop store garage"
    " farm brewery airport port council ministry court lab laboratory institute company firm agency startup studio"
    " theatre theater surgery pharmacy nursery kindergarten warehouse depot plant mill zoo gym salon cafe pub practice"
    " newspaper station yard office supermarket bookshop charity consultancy"
)
# A job with capitals hides in a name, so its words cannot be looked for.
_AS = "a an the"
_MONTH = (
    "january|february|march|april|may|june|july|august|september|october|november|december|enero|febrero|marzo"
    "|abril|mayo|junio|julio|agosto"
    "|septiembre|octubre|noviembre|diciembre"
)
_DATE = (
    rf"(?P<what>(?:the )?(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of| de)? )?(?:{_MONTH})(?: \d{{1,2}}(?:st|nd|rd"
    r"|th)?)?(?:,? (?:de )?\d{4})?|\d{4}-\d\d-\d\d|\d{1,2}/\d{1,2}(?:/\d{2,4})?)"
)
# Ages that candles tell.
_FEW_YEARS, _POCOS_ANYOS = ("|".join(words.split()) for words in (NUMBER_WORDS, SPANISH_NUMBER_WORDS))
# Only attributes that have one value and mean something by themselves.
_KEYS = (
    "favou?rite [a-z]+(?: [a-z]+)?|hometown|home town|nickname|middle name|last name|surname|first name|full name"
    "|job title|job|occupation|profession|major"
    "|blood type|shoe size|height|weight|native language|mother tongue|zodiac sign|star sign|nationality|religion"
    "|time ?zone|hobby|go-to [a-z]+"
    "|dream job|biggest fear|lucky number"
)
# What people say that they are, each with others that it ends: see `paths.of_status`.
STATES = " ".join(word for word, path in STATUS_PATHS.items() if word.isascii() and word[-1] not in "oa")
ESTADOS = " ".join(word for word in STATUS_PATHS if word not in STATES.split())
_HABITS = (
    "cigarettes?|smoking|smokes?|fags?|nicotine|vap(?:e|es|ing)|alcohol|drink(?:s|ing)?|booze|beers?|wine|weed|coffees?"
    "|caffeine|sugar|chocolate|sweets|sodas?|coke|meat|dairy|gluten|gambling|bet(?:s|ting)?|takeaways?|fast food"
    "|junk food|social media|instagram|tiktok|facebook"
)
_SOMEBODY = r" (?:man|woman|guy|lady|person|mum|mom|dad|father|mother)\b"
WORDS_OF_STATE, WORDS_OF_ESTADO = STATES.replace(" ", "|"), ESTADOS.replace(" ", "|")

RULES = (
    rule("profiles.name", "en", "name",
         r"(?:my (?:full |real )?|^(?:hi|hey|hello)?[,.]? ?)name(?:'s|s| is) (?P<what>[\ue000\ue005]++)",
         claim("profile/general/name"), confidence=0.95),
    rule("profiles.call_me", "en", "call",
         r"(?:you can |please |just |everyone |everybody |they |people |friends )?calls? me (?P<what>[\ue000\ue005]++)",
         claim("profile/general/nickname"), confidence=0.85),
    rule("profiles.i_am_name", "en", "m am im",
         r"i(?:'?m| am) (?P<what>\ue000++)(?=[,.!()]|$| \(| and| from| by the way| btw| here| -)(?!'s)",
         claim("profile/general/name"), confidence=0.85),
    rule("profiles.greets_as", "en", "m am im s is",
         r"^(?:hi|hey|hello|hiya|yo|good [a-z]+)(?: there| all| everyone| everybody)?,? (?:i'?m|i am|this is|it's"
         r"|it is) (?P<what>[\ue000\ue005]++)(?=[,.!]|$| here| again| from| and i| speaking)(?!, (?:my|our|his|her))",
         claim("profile/general/name"), confidence=0.85),
    rule("profiles.name_and_age", "en", "m am im soy names",
         r"^(?:[a-z]+(?: onda)?[,.!]? )?(?:i'?m|i am|soy|my names?|names) (?P<what>(?!(?:pregnant|single|married|male"
         r"|female|divorced|retired|turning|nearly|almost|about|only|just|now|like|over|under|soltera?|casada?)\b)[a-z]{3,12}),"
         r" (?:tengo )?[1-9]\d(?!\d|:|[ %]?(?:weeks|wks|semanas|hours|hrs|min|miles|km|k)\b)",
         claim("profile/general/name", of="speaker", literal=True), confidence=0.8),
    rule("profiles.this_is", "en", "s is",
         r"^(?:this is|it's|it is) (?P<what>\ue000++)(?: (?:here|speaking|again|from [^,.!?]{2,30}|by the way|btw))"
         r"(?=[,.!]|$)",
         claim("profile/general/name"), confidence=0.8),
    rule("profiles.this_is_name", "en", "is",
         r"^this is (?P<what>\ue000++)[.!]?$",
         claim("profile/general/name"), confidence=0.6, check="introduction"),
    rule("profiles.goes_by", "en", "by called",
         r"i(?: go by|'m called| am called) (?P<what>[\ue000\ue005]++)",
         claim("profile/general/nickname"), confidence=0.9),
    rule("profiles.role", "en", _AS,
         r"<who><now><adv> (?:a|an|the) <praise>(?P<what>(?:[a-z\ue001\ue003\ue005-]+"
         r" ){0,3}?[a-z\ue001\ue003\ue005-]+)(?! of honou?r)(?= (?:at|for|in|with|and|who|from|by|on|of|now|again"
         r"|these|nowadays|since)|[,.;!-]| - |$)",
         _ROLE, check="occupation"),
    rule("profiles.made_me", "en", "made named appointed promoted",
         r"(?:they|he|she|(?:my|the|our) (?:boss|manager|company|firm|team))(?:<has>|'ve)?<adv>"
         r" (?:made|named|appointed|promoted) (?P<who>me)(?: to| as)? <words>",
         replace(_ROLE, bound=TimeBound.BEGINS), confidence=0.8),
    rule("profiles.title_says", "en", "says reads",
         r"(?P<who>my|his|her) (?:new )?(?:e?-?mail signature|signature|badge|name ?tag|name ?plate|lanyard"
         r"|business cards?|job title|contract|office door|linkedin) (?:now (?:says|reads)|(?:says|reads)(?= [^,.;!?]*"
         r"\bnow\b)) (?:i'm )?(?:a |an |the )?(?P<what>(?:[a-z-]+ ){0,2}?[a-z-]+)(?= now|[,.;!-]|$)",
         claim("work/general/role", bound=TimeBound.BEGINS), confidence=0.8, check="possessive"),
    rule("profiles.works_as", "en", "as to",
         r"<who>(?:<is>|<has>)?<adv> (?:work|works|working|worked|been working|started(?: working)?|got (?:a"
         r"|my)(?: new)? job|got promoted|was promoted|hired|employed) (?:as|to) (?:a |an "
         r"|the )?(?P<what>(?:[a-z\ue001\ue003\ue005-]+ ){0,3}?[a-z\ue001\ue003\ue005-]+)(?= (?:at|for|in|with|and"
         r"|who|from|by|on|of|since)|[,.;!-]|$)",
         claim("work/general/role", bound=TimeBound.BEGINS), check="occupation"),
    rule("profiles.role_apposition", "en", _JOBS,
         r"(?P<who>\ue000++), (?:a|an|our|the) (?P<what>(?:[a-z\ue005-]+ ){0,2}?[a-z\ue005-]+)(?: (?:at|from"
         r"|for)[^,.]{2,40})?,",
         _ROLE, confidence=0.7, check="occupation"),
    rule("profiles.role_at", "en", _AS,
         r"<who><now><adv> (?:a |an |the )?<praise>(?P<what>(?:[a-z\ue001\ue003\ue005-]+"
         r" ){0,3}?[a-z\ue001\ue003\ue005-]+) (?:at|for|of|with) (?:the )?<where:org>",
         _ROLE, link("works_at", EntityType.ORGANIZATION, what="where"), check="occupation"),
    rule("profiles.role_at_workplace", "en", _WORKPLACES,
         r"<who><now><adv> (?:a |an |the )?<praise>(?P<what>(?:[a-z\ue001\ue003\ue005-]+"
         r" ){0,3}?[a-z\ue001\ue003\ue005-]+) (?:at|for|in|with) (?:the|a|an|our|my)"
         rf" (?P<where>(?:[a-z\ue000-\ue005'-]+ ){{0,3}}?(?:{_WORKPLACES.replace(' ', '|')}))\b",
         _ROLE, link("works_at", EntityType.ORGANIZATION, what="where"), check="occupation", confidence=0.85),
    rule("profiles.age", "en", "years turned turning age old",
         r"<who>(?:<now>|<adv> (?:just )?turned) (?P<what>\d{1,3})(?: years? old)",
         claim("profile/general/age")),
    rule("profiles.age_bare", "en", "m am is s turned",
         r"(?!we\b)<who>(?:<now>|<adv> (?:just )?turned) (?P<what>[1-9]\d)(?=[,.!]|$| and | now| this year| today"
         r"| yesterday| last | on )",
         claim("profile/general/age"), confidence=0.8),
    rule("profiles.age_small", "en", "s is",
         r"(?P<who>he|she|[\ue000\ue005]++)<now> (?:nearly |almost |only |just )?(?P<what>[1-9])"
         r"(?=[,.!]|$| and | now| years?(?! of)| yrs?)",
         claim("profile/general/age", literal=True), confidence=0.8),
    rule("profiles.age_after", "en", "he she hes shes",
         r"(?P<who>[\ue000-\ue008]++)(?:'s| is) (?:(?:a|an|my|our|the) )?[a-z]+(?: [a-z]+){0,3}(?:,| and)"
         r" s?he(?:'s|s| is) (?P<what>\d{1,2})(?=[,.!]|$| and | now| years?(?! of)| yrs?)",
         claim("profile/general/age", literal=True), confidence=0.8),
    rule("profiles.age_beside", "en", "#person #unknown",
         r"(?P<who>[\ue000\ue005]++)(?: ?\((?P<what>\d{1,2})\)"
         r"|,? who(?:'s|s| is) (?P<aged>\d{1,2})(?![\d:.]|st|nd|rd|th))",
         *(claim("profile/general/age", what=group, literal=True) for group in ("what", "aged")), confidence=0.9),
    rule("profiles.candles", "en", "candles",
         r"<who>(?:'s| has)?<adv> (?:just )?(?:blew out|blown out|had (?:a|his|her) (?:birthday )?(?:cake|party)"
         rf"[a-z ,]{{0,20}} with) (?P<what>\d{{1,2}}|{_FEW_YEARS}) candles",
         claim("profile/general/age", literal=True), confidence=0.85),
    rule("profiles.turned", "en", "turned turns",
         r"<who>(?:'s| has)?<adv> (?:turned|turns) (?P<what>\d{1,2})(?=[,.!]|$| and | now| this year| today| yesterday"
         r"| tomorrow| last | on | in )",
         claim("profile/general/age", literal=True), confidence=0.85),
    rule("profiles.age_year_old", "en", "old",
         r"(?:my|our) (?P<what>\d{1,2})[- ]year[- ]old (?P<rel>son|daughter|brother|sister|nephew|niece|dog|cat|kid"
         r"|child)",
         claim("relations/{rel}/age", of="speaker")),
    rule("profiles.birthday", "en", "birthday born",
         rf"(?P<who>my|<person:person>(?:'s)) birthday(?:'s| is)(?: on)? {_DATE}",
         claim("profile/general/birthday"), check="possessive"),
    rule("profiles.born", "en", "born",
         rf"<who>(?:<is>| was) born (?:on|in) {_DATE}",
         claim("profile/general/birthday")),
    rule("profiles.origin", "en", "from originally",
         r"<who><now><adv> (?:originally )?from (?P<what>[\ue002\ue005]++)",
         claim("profile/general/origin")),
    rule("profiles.grew_up", "en", "grew born raised hail hails come comes",
         r"<who>(?: was)?<adv> (?:grew up|born|born and raised|raised|hail|hails|come|comes) (?:in"
         r"|from) (?P<what>[\ue002\ue005]++)",
         claim("profile/general/origin")),
    rule("profiles.home_country", "en", "home",
         r"(?P<who>my) home (?:country|town|city|state)(?:,| is| was|,? which is) (?P<what>[\ue002\ue005]++)",
         claim("profile/general/origin"), check="possessive"),
    rule("profiles.status", "en",
         STATES,
         r"<who>(?:<now>|'ve been| have been| has been)<adv> (?:a |an )?(?:happily |recently |newly |now |officially )?"
         rf"(?P<what>{WORDS_OF_STATE})(?=[,.!]|$| and | now| with| since| for| again| these days| by now|{_SOMEBODY})",
         claim("{status}"), confidence=0.85),
    rule("profiles.back_as", "en", STATES,
         r"\A(?:i )?(?:(?:just )?(?:woke up|came (?:home|back)|went (?:home|to bed|to work))|(?:i'm |i am )?back"
         r" (?:home|at work|at my desk|in the office))(?: today| this morning)?(?: as)? an? (?:newly |happily )?"
         rf"(?P<what>{WORDS_OF_STATE}){_SOMEBODY}",
         claim("{status}", of="speaker", bound=TimeBound.BEGINS), confidence=0.85),
    rule("profiles.abstains", "en", "without sober clean off free",
         r"(?<!for\x20)(?P<what>(?:\d{1,3}|[a-z]+(?:[- ][a-z]+)?) (?:days|weeks|months|years) (?:(?:clean and )?sober"
         rf"|clean|(?:without|off|free of)(?: the| a| an| any| my)?(?: single| drop of)? (?:{_HABITS})"
         r"|(?:smoke|alcohol|nicotine|sugar|caffeine)[- ]free))(?= now| today| and|[,.;!]|$)",
         claim("life/general/habits", of="speaker", literal=True), confidence=0.8),
    rule("profiles.eats_again", "en", "eat eats eating",
         r"<who>(?:<now>|<has>|'ve been| have been)?<adv> (?:(?:started|back to|back on) )?(?P<what>(?:eat|eats|eating)"
         r" (?:fish|meat|chicken|dairy|eggs|pork|beef|seafood|gluten|bread|everything"
         r"|animal products)"
         r"(?: again| now(?! and)| these days))",
         claim("diet/general/diet", literal=True, bound=TimeBound.BEGINS), confidence=0.85),
    rule("profiles.eats_yes_no", "en", "yes no",
         r"(?P<what>(?:fish|meat|chicken|dairy|eggs|pork|beef|seafood|milk|cheese) yes)(?=,?(?: but| and)?"
         r" (?:fish|meat|chicken|dairy|eggs|pork|beef|seafood|milk|cheese)(?: still)? no)",
         claim("diet/general/diet", of="speaker", literal=True, bound=TimeBound.BEGINS), confidence=0.85),
    rule("profiles.status_and", "en",
         STATES,
         rf"<who><now><adv> (?:(?:a |an )?[a-z]+|\d{{2}})(?: and|,)(?: a| an)? (?P<what>{WORDS_OF_STATE})"
         r"(?=[,.!]|$| and )",
         claim("{status}"), confidence=0.8),
    rule("profiles.got_married", "en", "married engaged",
         r"<who>(?:<has>)?<adv> (?:got|gotten|became)(?: just| finally)? (?P<what>married|engaged)(?! to)(?=<stop>)",
         claim("{status}", bound=TimeBound.BEGINS), confidence=0.8),
    rule("profiles.nationality", "en", "m am is s",
         r"<who><now><adv> (?P<what>american|british|english|scottish|irish|welsh|canadian|australian|mexican"
         r"|spanish|italian|french|german|dutch|swedish|norwegian|danish|polish|greek|turkish|russian|ukrainian"
         r"|brazilian|argentinian|colombian|peruvian|chilean|cuban|chinese|japanese|korean|vietnamese|indian"
         r"|pakistani|egyptian|moroccan|nigerian|kenyan|israeli|lebanese|portuguese|swiss|austrian|belgian)(?=[,.!]"
         r"|$| and | but )",
         claim("profile/general/nationality"), confidence=0.85),
    rule("profiles.went", "en", "went gone going turned became",
         r"<who>(?:'ve|ve| have|'s| has)?<adv> (?:went|gone|turned|became|become) (?:a )?(?P<what>vegan|vegetarian"
         r"|veggie|pescatarian|gluten[- ]free|dairy[- ]free|teetotal)",
         claim("diet/general/diet", bound=TimeBound.BEGINS), confidence=0.85),
    rule("profiles.allergy", "en", "allergic intolerant",
         r"<who><now><adv> (?:severely |very |deathly |a bit )?allergic to <list>",
         claim("health/general/allergy")),
    rule("profiles.allergic_here", "en", "allergic",
         r"^(?:severely |very |deathly |badly )?allergic to (?P<what>[a-z]+(?:(?: and| or) [a-z]+)?)"
         r"(?= here|[,.!;]|$| so | btw| like )",
         claim("health/general/allergy", of="speaker", literal=True), confidence=0.85),
    rule("profiles.has_allergy", "en", "allergy allergies",
         r"<who>(?:<has>| got)(?: got)?<adv> (?:a |an |some )?(?:bad |severe |serious )?allerg(?:y|ies) (?:to|from"
         r"|against|for|of|with) "
         r"(?P<what>[a-z]+(?: (?!(?:and|or|so|but|he|she|we|i)\b)[a-z]+)?(?:(?: and| or) [a-z]+)?)"
         r"(?=[,.;!]|$| and | but | so )",
         claim("health/general/allergy", literal=True)),
    rule("profiles.has_an_allergy", "en", "allergy allergies",
         r"<who>(?:<has>| got)(?: got)?<adv> (?:an? |some )?(?:bad |severe |serious |proper |mild )?"
         r"(?P<what>(?!(?:an?|no|any|the|this|that|food|skin|new|bad|severe|serious|mild|some|few|more|these|known)\b)"
         r"[a-z]+(?: (?!or\b)[a-z]+)?) allerg(?:y|ies)(?=[,.;!]|$| and | but | so | now| too)",
         claim("health/general/allergy", literal=True)),
    rule("profiles.out_allergic", "en", "allergic",
         r"(?P<what>(?!(?:and|but|so|oh|all)\b)[a-z]+(?: [a-z]+)?) (?:is|are|'s|s)"
         r" (?:out|off(?: the menu|[- ]limits)?|a no[- ]go)"
         r"(?=[^.!?]{0,20}\ballergic)",
         claim("health/general/allergy", of="speaker", literal=True), confidence=0.85),
    rule("profiles.none_for_me", "en", "me",
         r"no (?P<what>[a-z]+(?: (?:or|and)(?: any)? [a-z]+)?) for me,?(?= (?:i'?m |i am )?(?:allergic|throat|it swells"
         r"|my throat|hives|rash|i swell|i come out))",
         claim("health/general/allergy", of="speaker", literal=True), confidence=0.8, hedges=False),
    rule("profiles.off_the_menu", "en", "menu",
         r"(?P<what>(?!(?:it|that|this|he|she|they|everything|nothing)\b)[a-z]+(?: [a-z]+)?) (?:is|are|'s)"
         r"(?: now| all)? off the menu(?= for me|[,.!]|$| now| and| since)",
         claim("diet/general/avoids", of="speaker", literal=True), confidence=0.75),
    rule("profiles.cannot_have", "en", "have eat drink touch",
         r"<who> (?:can't|cannot|can not|mustn't|isn't allowed(?: to)?|is not allowed(?: to)?|can no longer) "
         r"(?:have|eat|drink|touch)(?: any)? (?!(?:another|more|anything|everything|nice|too|both|kids|children|a"
         r"|an|dinner|lunch|breakfast|much|enough|out|early|late|alone|now|yet|all|people|guests|visitors|pets)\b)<words>",
         claim("diet/general/avoids"), confidence=0.8),
    rule("profiles.intolerant", "en", "intolerant",
         r"<who><now><adv> (?:severely |very |a bit |quite |slightly )?(?P<what>[a-z]+)[- ]intolerant",
         claim("diet/general/avoids")),
    rule("profiles.intolerant_to", "en", "intolerant",
         r"<who><now><adv> (?:severely |very |a bit |quite |slightly )?intolerant to <list>",
         claim("diet/general/avoids")),
    rule("profiles.condition", "en", "coeliac celiac diabetic asthmatic epileptic dyslexic",
         r"<who>(?:<now>(?: an?)?|<has>(?: got)?)<adv> (?P<what>(?:coeliac|celiac)(?: disease)?|diabetic|asthmatic"
         r"|epileptic|dyslexic)(?=<stop>)",
         claim("health/general/conditions")),
    rule("profiles.speaks", "en", "speak speaks fluent",
         r"<who>(?:<now>)?<adv> (?:speak|speaks|fluent in)(?: fluent| some| a little)? (?P<what>english|spanish"
         r"|french|german|italian|portuguese|chinese|mandarin|cantonese|japanese|korean|russian|arabic|hindi|dutch"
         r"|swedish|polish|greek|turkish|hebrew|catalan|basque|galician)",
         claim("profile/languages/{what}")),
    rule("profiles.email", "en", "mail email",
         r"(?P<who>my|<person:person>'s) (?:work |personal |new )?e-?mail(?: address)?(?:'s| is|:) (?P<what>\ue007++)",
         claim("profile/contact/email"), check="possessive"),
    rule("profiles.phone", "en", "phone number cell mobile",
         r"(?P<who>my|<person:person>'s) (?:work |new )?(?:phone|cell|mobile)(?: phone)?(?: number)?(?:'s| is"
         r"|:) (?P<what>\+?\d[\d ()-]{5,18}\d)",
         claim("profile/contact/phone"), check="possessive"),
    rule("profiles.attribute", "en", "is s was",
         rf"(?P<who>my|<person:person>'s|his|her) (?P<key>{_KEYS})(?: is| has (?:always )?been|:)<adv> <np>",
         claim("{key}"), check="possessive"),
    rule("profiles.number_of", "en", "code number combination extension",
         r"(?:\A|(?:my|our|the) )(?P<key>(?:(?!phone|mobile|cell|tele|the |my |our )[a-z-]+ ){1,3}?"
         r"(?:code|number|combination|extension))(?: (?:at|for|of|to|with|on|in) [^.;:!?,]{2,40}?)?(?: is|'s|:)"
         r"(?: now)?(?: number)? (?P<what>#?(?:[\w-]*\d[\w/-]*)(?:\.\d+)*#?)(?! \d)",
         claim("possessions/general/{key}", of="speaker"), confidence=0.8),
    rule("profiles.is_my_favourite", "en", "favorite favourite fave fav",
         r"(?P<what>(?:[\ue000-\ue006]++|[a-z]+ing|[a-z]+)(?: [a-z]+)?) (?:is|are)(?: definitely| probably"
         r"| still)? (?P<who>my) (?P<key>(?:all-time )?(?:favou?rite|fave?) [a-z]+(?: [a-z]+)?)(?=[,.!]|$| because"
         r"| -| and)",
         claim("{key}"), confidence=0.8, check="possessive"),
    rule("profiles.studies", "en", "studying study studies majoring majored studied",
         r"(?P<who>i|we|he|she|\ue000++)(?:<is>)?<adv> (?:studying|study|studies|majoring in|majored in"
         r"|studied) (?P<what>[a-z]+(?: (?:and )?[a-z]+){0,2})(?= (?:at|in|for|and|to|with)|[,.!]|$)",
         claim("study/general/subject"), confidence=0.75, check="subject"),
    rule("profiles.school", "en", "studied study studying graduated graduate attended attend attends enrolled",
         r"<who>(?:<is>|<has>)?<adv> (?:study|studies|studying|studied(?: [a-z]+){0,2}|graduated|attended|attend"
         r"|attends|attending|enrolled)(?: at| from| in)? (?P<what>\ue001++)",
         link("related_to", EntityType.ORGANIZATION, constant="studied_at"), confidence=0.8),
    rule("profiles.degree", "en", "degree",
         r"<who>(?:<has>)?<adv> (?:got|have|has|earned|completed|hold|holds|finished) (?:a|my|his"
         r"|her)(?: [a-z']+)? degree in (?P<what>[a-z\ue005]+(?: (?:and )?[a-z\ue005]+){0,2})(?= (?:at|from|in|and"
         r"|last)|[,.!]|$)",
         claim("study/general/subject"), confidence=0.85),
    rule("profiles.degree_is", "en", "degree",
         r"(?P<who>my) (?:[a-z']+ )?degree(?:'s| is| was) in"
         r" (?P<what>[a-z\ue005]+(?: (?:and )?[a-z\ue005]+){0,2}?)(?=<stop>)",
         claim("study/general/subject"), confidence=0.85, check="possessive"),
    rule("profiles.trains_to_be", "en", "training retraining studying",
         r"<who><now><adv> (?:training|retraining|studying) (?:to be(?:come)?|as) (?:a|an) <words>",
         claim("study/general/subject"), confidence=0.8),
    rule("profiles.nombre", "es", "llamo llama nombre",
         r"(?:me llamo|mi nombre es) (?P<what>[\ue000\ue005]++)",
         claim("profile/general/name"), confidence=0.95),
    rule("profiles.soy_nombre", "es", "soy",
         r"soy (?P<what>\ue000++)(?=[,.!]|$| y| de| por cierto)",
         claim("profile/general/name"), confidence=0.85),
    rule("profiles.llamame", "es", "llámame llamame llámenme llaman",
         r"(?:ll[aá]m[ae]n?me|me llaman) (?P<what>[\ue000\ue005]++)",
         claim("profile/general/nickname"), confidence=0.85),
    rule("profiles.rol", "es", _JOBS,
         r"(?:<who> )?(?:soy|es|trabajo como|trabaja como|trabajo de|trabaja de)<adv> (?:un |una |el "
         r"|la )?(?P<what>[a-záéíóúñ]+(?: (?:de )?[a-záéíóúñ]+){0,3}?)(?= (?:en|para|con|y|que|desde)|[,.;!]|$)",
         _ROLE, check="occupation"),
    rule("profiles.edad", "es", "años cumplí cumplió",
         r"(?:<who> )?(?:tengo|tiene|cumplí|cumplió) (?P<what>\d{1,3}) años",
         claim("profile/general/age"), check="spanish first person"),
    rule("profiles.velas", "es", "velas velitas",
         rf"<who> (?:ya )?(?:sopló|soplo|apagó|ha soplado) (?:las |sus )?(?P<what>\d{{1,2}}|{_POCOS_ANYOS})"
         r" (?:velas|velitas)",
         claim("profile/general/age", literal=True), confidence=0.85),
    rule("profiles.cumple", "es", "cumpleaños nací nació",
         rf"(?:(?P<who>mi) cumpleaños es(?: el)?|(?:nací|nació) el) {_DATE}",
         claim("profile/general/birthday"), check="possessive"),
    rule("profiles.cumple_de", "es", "cumpleaños",
         rf"el cumpleaños de (?P<who>[\ue000\ue005]++) es(?: el)? {_DATE}",
         claim("profile/general/birthday")),
    rule("profiles.origen", "es", "soy es nací nació crecí creció",
         r"(?:<who> )?(?:soy|es|nací|nació|crecí|creció) (?:de|en) (?P<what>[\ue002\ue005]++)",
         claim("profile/general/origin"), check="spanish first person"),
    rule("profiles.estado", "es",
         ESTADOS,
         rf"(?:<who> )?(?<!no\x20)(?:estoy|está|soy|es)<adv> (?P<what>{WORDS_OF_ESTADO})(?! con)",
         claim("{status}"), confidence=0.85, check="spanish first person"),
    rule("profiles.alergia", "es", "alérgico alérgica alergico alergica",
         r"(?:<who> )?(?:soy|es) al[ée]rgic[oa] (?:a la |a los |a las |al |a )<list>",
         claim("health/general/allergy"), check="spanish first person"),
    rule("profiles.intolerante", "es", "intolerante",
         r"(?:<who> )?(?:soy|es) (?:[a-záéíóúñ]+ (?:y|e) (?:encima |también )?)?(?:muy )?intolerante"
         r" (?:a la |a los |a las |al |a )<list>",
         claim("diet/general/avoids"), check="spanish first person"),
    rule("profiles.no_puedo_comer", "es", "comer tomar beber probar",
         r"no (?:puedo|debo|podemos) (?:comer|tomar|beber|probar) (?!(?:nada|mucho|más|tanto|eso|esto|alcohol con)\b)"
         r"(?:el |la |los |las )?(?P<what>[a-záéíóúñ]+(?: (?:ni|y|o) [a-záéíóúñ]+)?)",
         claim("diet/general/avoids", of="speaker", literal=True), confidence=0.8, hedges=False),
    rule("profiles.todo_menos", "es", "menos excepto salvo",
         r"(?:yo )?como de todo(?:,)? (?:menos|excepto|salvo) (?:el |la |los |las )?<list>",
         claim("diet/general/avoids", of="speaker")),
    rule("profiles.yo_sin", "es", "lactosa gluten azúcar sal",
         r"yo (?:voy |como )?sin (?P<what>lactosa|gluten|azúcar|sal)",
         claim("diet/general/avoids", of="speaker")),
    rule("profiles.enfermedad", "es", "celíaco celíaca celiaco celiaca diabético diabética asmático asmática",
         r"(?:<who> )?(?:soy|es) (?P<what>cel[ií]ac[oa]|diab[eé]tic[oa]|asm[aá]tic[oa]|epil[eé]ptic[oa])",
         claim("health/general/conditions"), check="spanish first person"),
    rule("profiles.sufre", "es", "sufro sufre padezco padece",
         r"(?:<who> )?(?:sufro|sufre|padezco|padece)(?: de| del?)? <words>",
         claim("health/general/conditions"), confidence=0.85, check="spanish first person"),
    rule("profiles.habla", "es", "hablo habla",
         r"(?:<who> )?(?:hablo|habla) (?P<what>inglés|español|francés|alemán|italiano|portugués|chino|japonés|ruso"
         r"|árabe|catalán|gallego|euskera)",
         claim("profile/languages/{what}"), check="spanish first person"),
    rule("profiles.correo", "es", "correo email",
         r"mi (?:correo(?: electrónico)?|e-?mail) es (?P<what>\ue007++)",
         claim("profile/contact/email")),
    rule("profiles.telefono", "es", "teléfono móvil número",
         r"mi (?:número(?: de (?:teléfono|móvil))?|teléfono|móvil) es(?: el)? (?P<what>\+?\d[\d ()-]{5,18}\d)",
         claim("profile/contact/phone")),
    rule("profiles.favorito", "es", "favorito favorita preferido preferida",
         r"(?P<who>mi) (?P<key>[a-záéíóúñ]+(?: [a-záéíóúñ]+)? (?:favorit[oa]|preferid[oa]))"
         r"(?: (?:en|de) (?:el|la|todo el) mundo(?: mundial)?)? (?:es|son) (?:el |la |los |las )?<np>",
         claim("{key}"), check="possessive"),
    rule("profiles.favorito_de", "es", "favorito favorita preferido preferida",
         r"(?:el|la) (?P<key>[a-záéíóúñ]+ (?:favorit[oa]|preferid[oa])) de (?P<who>[\ue000\ue005]++) es (?:el |la "
         r"|los |las )?<np>",
         claim("{key}")),
    rule("profiles.estudia", "es", "estudio estudia estudié estudió",
         r"(?:(?:yo )?(?:estudio|estudié)|<who> (?:estudia|estudió)) (?P<what>[a-záéíóúñ]+"
         r"(?: [a-záéíóúñ]+)?)(?= (?:en|por|a distancia)|[,.!]|$)",
         claim("study/general/subject"), confidence=0.75, check="subject"),
    rule("profiles.user_is", "en", "user",
         r"(?P<who>the user|user)'s (?P<key>name|[a-z ]{3,30}?) is <np>",
         claim("{key}"), confidence=0.85),
)  # fmt: skip
