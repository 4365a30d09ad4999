"""Place guards: what the words around a place say when nobody lives or works there."""

import re

from nacre.extraction.reader_words import bare, given_name

# Right before a place that is nobody's home: a thing was moved there, somebody works, stays or has spent time there.
_NO_HOME = re.compile(
    r"(?:\bmov(?:e|es|ed|ing) (?:on|(?:my|our|the|his|her|their|an?|all)"
    r" (?!(?:whole |entire )?(?:famil|li[fv]e|home|house|kids|things|stuff))[^.!?,;]{1,30}) to"
    r"|\b(?:it|this one|that one|c)(?:['’]?s| is| was|['’]est) (?:in|on|at|near|à)"
    r"|\b(?:work\w*|jobs?|trabaj\w+|arbeite\w*|travaill\w+) (?:in|en|à)"
    r"|\b(?:years?|months?|weeks?|days?|weekends?|holidays?|nights?|hours?|años|meses|semanas|días) (?:in|en|à)"
    r"|\b(?:wedding|funeral|party|concert|boda|fiesta|bautizo|cumple\w*)\b[^.!?;]{0,40} (?:in|at|en)"
    r"|\b(?:runs?|running|opened|opens|has|have|own\w*) an? [\w ]{1,20} in) (?:the )?\Z"
)
# Right after a place in which somebody is for a while.
_FOR_A_WHILE = re.compile(
    r" (?:for (?:an?|the|two|three|four|some|work|business|\d)|till|until|to (?:see|visit|meet)|this week|next week"
    r"|on (?:business|holiday|vacation)|hasta|bis|jusqu)"
)
_NEARBY = re.compile(
    r"(?:next door|\w+ doors? down|(?:down|up|across|over) the |upstairs|downstairs|round the|under |behind )"
)
# Right before a place where somebody is, or helps, and does not earn a living; the first day is that of a job.
_NO_EMPLOYER = re.compile(
    r"\b(?<!first )(?<!second )(?<!third )(?:days?|hours?|mornings?|afternoons?|evenings?|weekends?|weeks?|volunteer\w*"
    r"|interview\w*|appointments?|meetings?|class(?:es)?|courses?|lessons?|dinner|lunch|breakfast|party|concert|show"
    r"|bik(?:e|ed|ing)|cycl(?:e|ed|ing)|walk(?:ed|ing)?|driv(?:e|ing)|drove|took over|take over|taking over)"
    r" (?:in|at|to|with|from) (?:the |an? |my |our )?\Z"
    r"|\b(?:offices?|branch|hq|headquarters|depot|warehouse|factory|oficinas?|sede) (?:in|near|en) (?:the )?\Z"
)
_NO_PLACE = re.compile(
    r"\b(?:high|high school|secondary school|primary school|college|university|academy|surgery|hospital|ltd|inc|gmbh"
    r"|con[mts]igo)\Z"
)


def is_no_home(before: str, place: str, after: str) -> bool:
    """Whether a place is where something was moved to, where somebody is for a while, or none at all."""
    eats = before.endswith(("lives on ", "live on ", "living on ")) and place.islower()
    away = _NO_HOME.search(before) or _FOR_A_WHILE.match(after.casefold())
    return bool(
        away
        or eats
        or _NO_PLACE.search(place.casefold())
        or _NEARBY.match(place.casefold())
        or place.strip().isdecimal()
    )


def is_no_employer(before: str, employer: str) -> bool:
    """Whether somebody is at a place for a while, or it is one of the people there."""
    return bool(_NO_EMPLOYER.search(before)) or given_name(bare(employer).casefold()) is not None
