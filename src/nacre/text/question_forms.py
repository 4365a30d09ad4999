"""Askings: whether a message is a question, and whether it asks about the past."""

import re


def _any(block: str) -> str:
    return "|".join(block.split())


_OPENING = re.compile(
    rf"""(?:^|[.!?;:,\n]\s{{0,20}}+|\b(?:and|but|so|ok|okay|please|pls|hey|hi|hello|y|pero|oye|por\ favor)\s+)(?:{
        _any('''
    who whom whose what whats what's which when whens when's where wheres where's why how hows how's is are was were am
    do does did can could will would should shall may might have has had don't doesn't didn't isn't aren't
    remind tell show list name count recall
    qué que quién quien quiénes cuál cual cuáles cuándo cuando dónde donde cómo como cuánto cuánta cuántos cuántas
    recuérdame dime
    wer was welche welcher welches wann wo wohin warum wie zeig erinnere
    qui quoi quel quelle quels quelles quand où pourquoi comment combien rappelle
    quem qual quais quando onde porquê quanto quantos lembra
    ''')
    })\b""",
    re.IGNORECASE | re.VERBOSE,
)
_PAST = re.compile(
    rf"\b(?:{_any('before previously formerly originally initially earlier former old')}|used\ to|at\ first|back\ then"
    rf"|no\ longer|any\ ?more|changed?|switch(?:ed)?|{_any('antes previamente anterior antiguo antigua solía cambió')}"
    rf"|{_any('früher vorher avant ancien ancienne anterior')}|first)\b",
    re.IGNORECASE | re.VERBOSE,
)


# "Can you draft a note?" wants a note; "can you tell me when" wants to know.
_ASKING_TO_DO = re.compile(
    r"^\W*(?:(?:hi|hey|hello|ok|okay|please|so)\W+)*(?:can|could|would|will)\s+you\s+(?:(?:please|just|also|quickly)\s+)*"
    r"(?!tell|remind|say|show|list|name|recall|remember|find|check|look|give|see)\w+"
    r"|^\W*(?:¿\s*)?(?:puedes|podrías|me)\s+(?!decir|recordar|dices|recuerdas|mostrar)\w+",
    re.IGNORECASE,
)


def asks(message: str) -> bool:
    """Whether a message asks for something that is known, rather than to tell something or have it done."""
    if _ASKING_TO_DO.search(message):
        return False
    return "?" in message or "¿" in message or "？" in message or _OPENING.search(message) is not None


# What is written, solved or explained for anybody alike.
_IMPERSONAL = re.compile(
    r"^\W{0,3}+(?:(?:please|pls|can you|could you|hey|ok|so)\W{1,3}+){0,3}(?:"
    r"(?:write|compose|make up|give me|tell me|invent)(?: me)?(?: an?| some| the| one)?(?: [\w-]+){0,2}"
    r" (?:poem|haiku|limerick|sonnet|riddle|joke|pun|palindrome|tongue twister|fable|fairy tale)s?\b"
    r"|(?:prove|derive|factori[sz]e|differentiate|integrate|simplify|evaluate)\b"
    r"|(?:a |write a |give me a )?(?:regex|sql query|bash one-?liner|python (?:function|script))\b"
    r"|(?=[\d(])[\d\s+*/%^().,=x×÷-]{3,80}+(?:\?|$)"
    r"|(?:what(?:'s|s| is| are| was)|define|explain) (?:an? )?(?:the )?(?:capital|difference|opposite|plural"
    r"|etymology|square root|derivative|boiling point|population|meaning of)\b"
    r"|who (?:wrote|painted|invented|discovered|composed|directed|founded|built|was the first)\b"
    r"|is \d+ (?:a )?(?:prime|even|odd)\b"
    r"|how many [a-z]+ (?:are )?(?:there )?(?:in|make|to) (?:an?|one) [a-z]+"
    r"|(?:\w+ )?(?:escr[ií]be|escrib[ií]|cu[eé]nta|cont[aá]|haz|hac[eé]|d[ai]|dec[ií]|p[aá]sa|inv[eé]nta)(?:me)?"
    r"(?: (?:otr[oa]|un[oa]?s?|\d+))?(?: \w+)?"
    r" (?:poema|chiste|adivinanza|acertijo|cuento|haiku|trabalenguas|refr[aá]n)(?:e?s)?\b"
    r"|(?:\w+ )?(?:qui[eé]n (?:escribió|pintó|inventó|descubrió|compuso|dirigió|fundó|fue el primer)"
    r"|(?:de )?qu[eé] (?:es un|son l|significa|murió)"
    r"|cu[aá]l es (?:la capital|el (?:río|país|planeta|plural|s[ií]mbolo))"
    r"|cu[aá]nt[oa]s? (?:\w+ ){1,3}(?:tiene|son|hay en|caben en) un)"
    r"|trad[uú]ce|traduc[ií]|resuelve|resolv[eé]|demuestra|deriva|conv[ií]ert"
    r"|expl[ií]ca(?:me|le|nos)? (?:qu[eé]|c[oó]mo|l[ao]s?|el) "
    r"|tell me about (?:the )?(?-i:[A-Z])\w+ (?:of|war|empire|revolution)\b"
    r"|(?:translate|correct the|rewrite (?:your|this|in|the)|convert|solve|explain (?!to (?:my|me)\b)|define)"
    r")",
    re.IGNORECASE,
)


def is_impersonal(message: str) -> bool:
    """Whether a message wants what anybody would get: a poem, a proof, a regular expression, a fact of the world."""
    return _IMPERSONAL.search(message) is not None


# Something is to be made or found for whoever says so, or for those around them.
_MAKING = _any("""
    write draft compose design make do fill book order plan prepare pack send text email message call post update find
    pick choose suggest recommend buy get cook list schedule sort arrange set organize organise invite word reply answer
    budget remind create build type print pay renew cancel apply sign wrap
""")
_MADE = _any("""
    text caption line note card letter email e-mail list form flyer sign invite invitation speech toast post ad bio cv
    resume résumé menu recipes? meals? dinner lunch gift present ideas? budget rota schedule itinerary
""")
# Spanish asks a friend, a stranger or an Argentinian: "prepara", "prepare", "prepará", with "me" or "les" behind it.
_SPANISH_STEMS = _any("""
    [aá]rm prep[aá]r plan[eé] planif[ií]c organ[ií]z c[oó]mpr b[uú]sc recomi[eé]nd recom[eé]nd res[eé]rv m[aá]nd av[ií]s
    cont[eé]st coc[ií]n ap[uú]nt calc[uú]l s[aá]c ll[eé]n rell[eé]n compl[eé]t rev[ií]s aj[uú]st progr[aá]m ag[eé]nd
    cot[ií]z an[oó]t acom[oó]d inv[ií]t canc[eé]l ord[eé]n ay[uú]d red[aá]ct m[aá]rc diseñ m[oó]nt encu[eé]ntr h[aá]g
    encontr escr[ií]b el[ií]g el[ií]j esc[oó]g sugi[eé]r p[ií]d resp[oó]nd cons[ií]gu
""")
_SPANISH_MAKING = (
    rf"(?:{_SPANISH_STEMS})[aeiáéí](?:me|le|les|nos|l[ao]s?|[mts]el[ao]s?)?|haz(?:me|le|les|nos|l[ao]s?)?|hac[eé](?:me|le|nos)?"
    r"|p[oó]n(?:me|le|les)?|prop[oó]n(?:me)?|da(?:me|nos)|d[ií](?:le|les)|necesito|hay que|toca"
)
# "Snacks para la subida", "mensaje firme al casero": something is named, and whom it is for.
_SPANISH_MADE = (
    r"(?!(?:q|qu[eé]|c[oó]mo|cu[aá]\w+|d[oó]nde|qui[eé]n\w*|hay|es|son|no|si|sirve\w*|gracias|explica\w*|me)\b)"
    r"(?:un[ao]?s? )?\w+ (?:\w+ ){0,3}?(?:para|pa|pal|al|a l[ao]s?) (?=\w)"
    r"|(?:correo|carta|mensaj\w+|nota|texto|lista|cuentas|men[uú]|receta)\b"
)
_TASK = re.compile(
    r"^\W{0,3}+(?:(?:please|pls|can you|could you|hey|hi|ok|so|now|also|help me|i need you to|i need to|i want to"
    rf"|need to)\W{{1,3}}+){{0,3}}(?:(?:{_MAKING}|put together|give me|lay out)\b"
    rf"|(?:[\w'’-]+ ){{0,4}}(?:{_MADE}) (?:for|to|about|with|please)\b"
    rf"|(?:(?:oye|porfa|por favor|a ver|ahora|y|tb|tambi[eé]n)\W{{1,3}}+){{0,2}}(?:(?:{_SPANISH_MAKING})\b"
    rf"|{_SPANISH_MADE}))",
    re.IGNORECASE,
)


_HOW = re.compile(
    r"^\W{0,3}+(?:\w+ ){0,2}how (?:do|does|can|could|should|to|would)\b|^\W{0,3}+c[oó]mo se \w+", re.IGNORECASE
)


def asks_how(message: str) -> bool:
    """Whether a message asks how something is done."""
    return _HOW.search(message) is not None


def is_task(message: str) -> bool:
    """Whether a message wants something made or found that depends on whose it is: "design a business card"."""
    return not is_impersonal(message) and _TASK.search(message) is not None


def asks_of_past(message: str) -> bool:
    """Whether a message asks how things were, so that what no longer holds may be the answer."""
    return _PAST.search(message) is not None
