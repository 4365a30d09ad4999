"""Separations: couples that part, and deaths. What is held tells whom the words mean."""

import re
from typing import Any

from nacre.domain.facts import Polarity
from nacre.extraction.rules import TimeBound, link, rule
from nacre.text.relations import ANIMALS

_GONE: dict[str, Any] = {"loose": True, "polarity": Polarity.RETRACTED, "bound": TimeBound.ENDS}
_PARTED = link("partner_of", **_GONE)
_MY_PARTNER, _MY_PET = link("partner_of", of="speaker", **_GONE), link("owns", of="speaker", **_GONE)
_DEPARTED = tuple(
    link(predicate, of="speaker", what=group, given=True, **_GONE)
    for predicate in ("owns", "partner_of", "friend_of")
    for group in ("what", "name")
)
_MATE = (
    r"(?P<what>[\ue000\ue005]++|(?<=my\x20)(?:ex-)?(?:husband|wife|spouse|partner|boyfriend|girlfriend|fiancée?"
    r"|fiancee?)"
    r"|(?<!my\x20)(?<!'s\x20)(?:(?<![\w-]\x20)|(?<=\band\x20)|(?<=\bn\x20))(?!(?:you|he|she|they|it|we|who|this|that|when|and)(?!\w))[a-z]{2,15})"
)
_ENDED = (
    r"(?:divorced|divorcing|broke up|broken up|breaking up|split up|splitting up|split(?=<stop>)|separated|separating"
    r"|parted(?: ways)?|called it quits"
    r"|ended (?:things|it)"
    r"|called off (?:the|our) (?:engagement|wedding)|ended our (?:marriage|relationship|engagement)|finished with each"
    r" other|drifted apart)"
)
_APART = (
    r"(?:no longer|not|aren't|are not)(?: a couple| together| married| an item| dating| engaged)(?: any ?more| now)?"
)
_OURS = r"(?: (?:have|has|had|got|are|were|'re|'ve|just|recently|finally|officially|sadly|actually|getting))*"
_TIE = r"(?:marriage|relationship|engagement)"
_BEING = r"(?:no longer|not|stopped|don't|doesn't|do not|isn't|aren't)"
_PAIRED = r"(?:with|dating|seeing|married to|engaged to|going out with|together with)"
_ANIMAL = "|".join(sorted(map(re.escape, ANIMALS), key=len, reverse=True))
_ANIMAL_OR_MATE = (
    r"(?:(?:my|our) (?:(?:poor|old|sweet|dear|little|beloved|first|second|late|other) )*(?P<what>"
    rf"{_ANIMAL}|husband|wife"
    r"|spouse|partner"
    r"|boyfriend|girlfriend)|(?P<name>[\ue000\ue005\ue002\ue001]++|(?<!my\x20)(?<!our\x20)(?<!'s\x20)(?<![\w-]\x20)"
    r"(?!(?:im|it|he|she|they|we|you|this|that|just|who|all|everyone|nobody|someone|number|battery|phone|been"
    r"|and)(?!\w))"
    r"[a-z]{2,15}))"
)
_DEAD = (
    r"(?:(?:hit|run over|killed)[^,.;]{0,30} and died|died|passed away|passed on|passed(?=<stop>)|dead|deceased"
    r"|ran away|run away"
    r"|crossed the rainbow bridge|put down|put to sleep|rehomed|didn't make it|gone(?=[.!]|$)|euthani[sz]ed|stolen)"
)

RULES = (
    rule("separations.and_i", "en",
         "divorced divorcing broke broken breaking split splitting separated separating parted quits ended called"
         " drifted finished",
         rf"(?:my )?{_MATE} (?:and|n) (?:i|me){_OURS} {_ENDED}",
         _MY_PARTNER),
    rule("separations.me_and", "en",
         "divorced broke broken split separated parted quits ended done over finished through history together",
         rf"me (?:and|n|&) (?:my )?{_MATE}{_OURS} (?:{_ENDED}|{_APART}|(?:done|over|finished|through|history)"
         r"(?=[,.;:!?…]|\Z| (?:for good|now|too|tbh|lol|and|but|so|since|last|this week|\W)))",
         _MY_PARTNER, confidence=0.85),
    rule("separations.not_together", "en", "together couple married item dating engaged",
         rf"(?:my )?{_MATE} and (?:i|me)(?: are|'re)?<adv> {_APART}",
         _MY_PARTNER, hedges=False),
    rule("separations.we", "en", "divorced broke broken split separated parted quits ended called",
         rf"(?P<who>we|i){_OURS}(?: got| have|'m| am)? {_ENDED}(?=<stop>)(?! with| from)",
         _PARTED, confidence=0.8),
    rule("separations.two", "en", "divorced broke broken split separated parted quits",
         rf"(?P<who>\ue000++) and (?P<what>\ue000++){_OURS} {_ENDED}",
         _PARTED),
    rule("separations.got_divorced", "en", "divorced separated dumped",
         r"<who>(?:<has>|<is>| got| just| finally)*<adv> (?:divorced|separated|dumped)(?:(?: from)? <words>"
         r"|(?=<stop>))",
         _PARTED, confidence=0.8),
    rule("separations.with", "en", "broke broken split finished ended things left",
         r"<who>(?:<has>)?<adv> (?:broke up|broken up|split up|split|finished|ended (?:things|it)|broke it off|done"
         r"|broke things off) with <words>",
         _PARTED),
    rule("separations.left_me", "en", "left dumped divorced broke ended split finished",
         rf"(?:my )?{_MATE}(?: (?:has|just|finally))* (?:left|dumped|divorced|broke (?:it off|up) with|split up with"
         rf"|ended"
         r" (?:things|it) with|finished with|walked out on) me(?=<stop>)(?! (?:alone|a |an |with|in|at|to)\b)",
         _MY_PARTNER),
    rule("separations.left_mate", "en", "left",
         r"<who>(?:<has>)?<adv> left (?:my |her |his )?(?P<what>\ue000++|husband|wife|boyfriend|girlfriend|partner)"
         r"(?=[.!;,]|$| (?:last|for|after|because|in \d|yesterday|this))",
         _PARTED, confidence=0.75),
    rule("separations.no_longer", "en", "longer anymore more stopped married",
         rf"<who>(?:<now>)? {_BEING} (?:{_PAIRED} <words>(?: any ?more)?|married(?: any ?more)?(?=<stop>))",
         _PARTED, hedges=False, check="no longer"),
    rule("separations.over", "en", "marriage relationship engagement",
         rf"(?P<who>my|our) {_TIE}(?: (?:to|with) (?P<what>[\w\ue000-\ue008' -]{{2,30}}?))?(?: has| is| was| just"
         rf"| finally)*"
         r" (?:ended|over|fell apart|fallen apart|broke down|finished|dead|failed)(?=<stop>)",
         _PARTED, check="possessive"),
    rule("separations.divorce", "en", "divorce",
         r"(?P<who>my|our) divorce(?: from (?P<what>[\w\ue000-\ue008' -]{2,30}?))? (?:is|was|got|became|went|came)"
         r"(?: now| finally)? (?:final|finalized|finalised|through|official|done)(?=<stop>)",
         _PARTED, check="possessive"),
    rule("separations.ex", "en", "ex exes",
         r"(?P<what>[\ue000\ue005]++|[a-z]{2,15})(?: is|'s)(?: now)? (?P<who>my) ex(?:-?(?:husband|wife|boyfriend"
         r"|girlfriend|partner))?"
         r"(?=<stop>)",
         _PARTED, check="possessive"),
    rule("separations.my_ex", "en", "ex",
         r"(?P<who>my) ex(?:-?(?:husband|wife|boyfriend|girlfriend|partner))?,? (?P<what>[\ue000\ue005]++)",
         _PARTED, confidence=0.8, check="possessive"),
    rule("separations.died", "en", "died passed dead deceased ran away longer rainbow put rehomed make gone euthanized",
         rf"{_ANIMAL_OR_MATE}(?:'s| has| is| was| just| recently| sadly| suddenly"
         rf"| had to be| been| got)* {_DEAD}",
         *_DEPARTED),
    rule("separations.rip", "en", "rip",
         r"rip,? (?!out|off|up|into|the|it)<words>",
         _MY_PET, _MY_PARTNER),
    rule("separations.not_with_us", "en", "longer",
         rf"{_ANIMAL_OR_MATE}(?:'s| is)(?: sadly)? no longer (?:with us|alive|here|around)",
         *_DEPARTED, hedges=False),
    rule("separations.named_died", "en", "died passed dead away longer rainbow put rehomed",
         r"(?:my |our )<animal>,? (?P<what>[\ue000\ue005\ue002]++),?(?:'s| has| is| was| just| recently| sadly"
         r"| had to be"
         rf"| been| got)* {_DEAD}",
         _MY_PET),
    rule("separations.put_down", "en", "put down sleep euthanize euthanized let",
         r"(?:i|we)(?: had to| have to| have|'ve| just| recently| sadly)*(?: put| let) (?:my |our |the |old |poor )*"
         r"(?P<what>[\w\ue000-\ue008'-]+(?: [\ue000-\ue008]+)?) (?:down|to sleep|to rest|go)"
         r"(?=<stop>| (?:yesterday|today|last|this)(?!\w))",
         _MY_PET, confidence=0.8),
    rule("separations.lost", "en", "lost buried",
         r"(?:i|we)(?: have|'ve| just| recently| sadly)* (?:lost|buried) (?:(?:my|our) (?:(?:poor|old|dear|little"
         r"|beloved) )*)?"
         rf"(?P<what>[\ue000\ue005]++|{_ANIMAL}|husband|wife|partner|(?<=lost\x20)[a-z]{{3,12}})(?=<stop>)",
         _MY_PET, _MY_PARTNER, confidence=0.75),
    rule("separations.over_with", "en", "over history done finished",
         r"(?:(?:it's|it is|things are) (?:all )?over with <words>|(?P<was>[\ue000\ue005]++|[a-z]{2,15}) (?:and i"
         r"|n i)(?: are|'re"
         r"|'ve been| been| have been) (?:done|finished|over|through|history)(?=<stop>))",
         link("partner_of", of="speaker", given=True, **_GONE),
         link("partner_of", of="speaker", what="was", given=True, **_GONE)),
    rule("separations.y_yo", "es", "separamos divorciamos rompimos cortamos dejamos terminamos",
         r"(?:mi )?(?P<what>[\ue000\ue005]++|[a-zñáéíóú]{2,15}) y yo (?:nos (?:hemos )?"
         r"(?:separamos|divorciamos|separado|divorciado)|rompimos|cortamos|lo dejamos|terminamos|hemos roto)",
         _MY_PARTNER),
    rule("separations.me_divorcie", "es", "divorcié divorció divorciamos separé separó rompí rompió corté cortó dejó",
         r"(?:<who> )?(?:me (?:divorcié|separé|he (?:divorciado|separado))|se (?:divorció|separó)|nos (?:divorciamos"
         r"|separamos)|rompí|rompió|corté|cortó)(?: (?:de|con) <words>|(?=<stop>))",
         _PARTED, check="spanish first person"),
    rule("separations.me_dejo", "es", "dejó",
         r"(?:mi )?(?P<what>[\ue000\ue005]++|marido|esposo|esposa|mujer|novi[oa]|pareja) me (?:dejó|ha dejado"
         r"|abandonó)",
         _MY_PARTNER),
    rule("separations.murio", "es", "murió falleció muerto escapó sacrificar",
         r"(?:mi |nuestr[oa] )?(?P<what>[\ue000\ue005\ue002]++|<animal:animal>|marido|esposo|esposa|mujer)"
         r"(?: se)? (?:murió|falleció|ha muerto|ha fallecido|escapó|se ha muerto)",
         _MY_PET, _MY_PARTNER),
    rule("separations.murio_antes", "es", "murió falleció muerto escapó",
         r"(?:se )?(?:(?:me|nos) )?(?:murió|falleció|ha muerto|escapó) (?:mi |nuestr[oa] |el |la )?"
         r"(?P<what>[\ue000\ue005\ue002]++|<animal:animal>|marido|esposo|esposa|mujer)",
         _MY_PET, _MY_PARTNER),
)  # fmt: skip
