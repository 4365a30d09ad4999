"""Cues of talk: words by which people tell in passing that something changed, was wrong, or is over.

English and Spanish, with the commonest words of German, French and Portuguese. A cue alone ends nothing: it only lets
less of what two statements are about suffice.
"""

import re
from functools import lru_cache

from nacre.text.caseless_patterns import CaselessPattern, caseless

# Longer sentences ramble; and so far back a word may deny what follows.
MAX_SENTENCE, _NEAR = 300, 40


def _cues(lines: str) -> CaselessPattern:
    """Any of these phrases, one a line or parted by bars, as whole words."""
    every = "|".join(phrase.strip() for phrase in lines.replace("\n", "|").split("|") if phrase.strip())
    return caseless(rf"(?<![\w'’-])(?:{every})(?![\w-])")


_CHANGED = _cues(
    r"""
    (?<!for )now|nowadays|these days|as of|rn|from (?:now|here|today|tonight|tomorrow|next|\w+) on(?:wards?)?
    from (?:tonight|today|tomorrow|now|next \w+)|since (?:last|yesterday|monday|tuesday|wednesday|thursday|friday
    |saturday|sunday)|instead|new|newly|same|up to|down to|(?:went|gone|goes|going|is|are) (?:up|down)|raised|raises
    doubled|tripled|halved|rose|risen|dropped|increased?|cheaper|dearer|costlier|no longer|any ?more|makes it|make it
    upgraded|downgraded|switched|swapped|ported|migrated|replaced|bumped|promoted|after all|turns out|update
    ahora|ya|desde (?:hoy|ayer|mañana|ahora|el|esta|este)|a partir de|nuev[oa]s?|en vez de|en lugar de|mism[oa]
    subió|subido|bajó|bajado|ahora mismo
    jetzt|nun|ab (?:heute|morgen|jetzt|sofort|nächster|nächstem)|neu(?:e|er|es|en)?|stattdessen|seit (?:heute|gestern)
    inzwischen|mittlerweile|umgestiegen
    maintenant|désormais|dès|nouve(?:au|lle|aux|lles)|à la place|depuis (?:hier|ce matin|lundi|cette)
    agora|a partir|nov[oa]s?|em vez de|desde ontem|hoje em dia""".replace("\n    |", "|")
)
_MOVED_DAY = _cues(r"""
    slid(?:es)?|slipped|slips|(?:has|have|got|gets|given) until|has until|instead|same|bumped|pushed|moved|postponed
    delayed|defer(?:red)?|rescheduled|shifted|extended|put (?:off|back)|brought forward|rebooked|changed
    new date|new day|swapped|shuffled|rearranged|now (?:on|at|in|due|for|set)|(?:is|are|it's) now
    (?:ha|han|he|has|hemos) puesto|pus(?:o|ieron)|aplaz\w+|pospuest\w+|pospus\w+|retras\w+|adelant\w+|cambi\w+|ahora
    movid\w+|movieron|nueva fecha|pasa al?
    verschoben|verlegt|nun|jetzt|stattdessen|neuer termin
    reporté\w*|décalé\w*|repoussé\w*|avancé\w*|maintenant|finalement
    adiad\w+|remarcad\w+|mudou|agora|passou para""")
_CORRECTED = _cues(r"""
    oops|whoops|argh|ugh|sorry|wait|correction|scratch that|forget that|i mean(?:t)?|typo|mistyped|misspoke|misread
    misremembered|my bad|my mistake|the wrong|got (?:it|that) wrong|mix(?:ed)? (?:\w+ )?(?:two )?up|no, not|actually
    perdón|perdona|uy|ay|quise decir|quería decir|me equivoqué|me he equivocado|me li[oóé]|me confundí|corrijo
    mejor dicho|digo
    sorry|ups|ich meinte|ich meine|falsch|verwechselt|vertippt|korrektur
    pardon|oups|je voulais dire|je me suis trompée?|erreur|plutôt
    desculpa|ops|quis dizer|queria dizer|me enganei|me confundi|errei""")


_DROPPED = r"""
    quit|ditched|dropped|cancell?ed|killed|sold|got rid of|getting rid of|returned|gave up|given up|giving up|stopped
    resigned from|unsubscribed from|deleted|uninstalled|scrapped
    dumped|broke up with|split (?:up )?(?:with|from)|divorced|said goodbye to|say goodbye to|said farewell to|lost
    retired from|moved out of|moved away from|done with|through with|finished with|no more|traded in|binned
    chucked|tossed out
    threw (?:out|away)|donated|handed back|gave back|wrote off|walked (?:out|away) (?:of|from)|swapped|replaced|buried
    axed|shelved|totall?ed|gave notice at|rehomed|(?:switched|migrated|moved) (?:away )?(?:from|off)
    dej(?:é|amos|ado)|vend(?:í|imos|ido)|cancel(?:é|ado)|renunci(?:é|ado) a|adiós a|romp(?:í|imos|ido) con
    cort(?:é|amos|ado) con|me di de baja de|me he dado de baja de
    verkauft|gekündigt|aufgegeben|abgesagt|weggegeben|aufgehört mit|schluss mit
    vendu|quitté|résilié|arrêté|abandonné|rendu|fini avec
    largu(?:ei|amos)|vendemos|vendi|cancelei|deixei|terminei com|abandonei"""
_GONE = r"""
    (?:is|are|was|were) off(?! (?:till|until|for|to)\b)
    (?:is|are|was|were|got|has been|have been|had to be) (?:over(?! the (?:moon|hill)\b)|cancelled|canceled|dead|gone
    |history|no more|closed|shut|sold|scrapped|totall?ed|finished|toast|kaput)|died|passed away
    (?:has |have )shut|shut (?:down|for good)
    closed down|ended|folded|fell through|went (?:under|bust|to (?:my|our|live))|went on to|moved on|has left
    (?:has|have) gone to live|have left|stepped down|lives with|expired|lapsed
    se (?:nos\s|me\s)?(?:fue(?!\sa\s)|murió|ha ido(?!\sa\s)|acabó)|murió|falleció|ha cerrado|cerró|está muert[oa]
    ist (?:verschrottet|verkauft|tot|gestorben|weg|vorbei|abgesagt|geschlossen|kaputt)|gestorben|starb|eingeschlafen
    est (?:mort|morte|fini|finie|fermé|fermée|annulée?|vendue?)|a fermé|morreu|acabou|fechou|foi cancelad[oa]"""
# After "'s", and only where nothing follows that they would be about: "mum's off to Spain".
_IS_OFF = "off|over|cancelled|canceled|called off|scrapped|finished|dead|closed|shut|sold|kaput"
_PARTED = r"""
    (?:are|is) (?:done|over|finished|history|through)|split up|split(?=\s*(?:[.,!?]|\Z))|broke up|have broken up
    parted ways|got divorced|separated|are divorced|are getting divorced
    lo hemos dejado|lo dejamos|hemos (?:roto|cortado|terminado)|rompimos
    cortamos|terminamos|nos separamos|nos hemos separado|haben uns getrennt|sind getrennt|nous sommes séparés
    on s['’]est séparés|on a rompu|nos separámos"""
_FAREWELL = _cues(r"""
    goodbye|good-bye|farewell|leaving (?:do|party|drinks|card|gift)|(?:my|our) last (?:day|shift|class|lesson|session)
    (?:my|our) final (?:day|shift|week)|so (?:i|we) (?:walked|quit|bailed|resigned)|let (?:\w+ ){0,3}(?:me|us) go
    laid (?:me|us) off|sacked me|made (?:me )?redundant|despedida|mi último|mi última|me despidieron|letzter tag
    abschied|dernier jour|pot de départ|último dia|fui demitid[oa]""")
_AWAY = _cues(r"""
    (?:went|has gone|have gone) to live|went on to|moved on|has left|have left|lives with
    se (?:nos |me )?(?:fue|ha ido)""")
_AND_I = r"(?:and i|and me|y yo|und ich|et moi|e eu)"


def _listed(lines: str) -> str:
    joined = lines.replace("\n    |", "|").replace("\n", "|")
    return "|".join(phrase.strip() for phrase in joined.split("|") if phrase.strip())


_LED = (
    r"(?:(?:my|our|the|that|this|all|whole|old|free|mi|mis|el|la|los|las|meine?n?|den|die|das|mon|ma|mes|le|les|o|a|os|as"
    r"|minhas?|meus?)\s){0,3}"
)
_STOP = (
    r"(?=[,.;:!?…—–]|\s(?:to|for|with|at|in|by|so|because|and|but|after|on|when|since|or|today|yesterday|die|go|y|para"
    r"|con|und|et|e|a)\b|\Z)"
)
_OVER = caseless(
    rf"(?<![\w'’-])(?:{_listed(_DROPPED)})\s{{1,2}}{_LED}"
    rf"(?P<thing>(?!(?:off|at|to|in|by|for|about|it|me|us|him|her|them)\b)[^\s,.;:!?][^,.;:!?]{{1,40}}?){_STOP}"
    rf"|\b(?:let|gave)\s{{1,2}}{_LED}(?P<let>[^\s,.;:!?][^,.;:!?]{{1,30}}?)"
    r"\s(?:die|lapse|slide|expire|away|to (?:my|our|the|a)\b)"
    rf"|(?<![\w'’-])(?P<other>[a-zà-öø-þ×][\w’'-]{{0,30}})\s{_AND_I}\s(?:{_listed(_PARTED)})(?![\w-])"
    rf"|(?:^|[,.;:!?]\s|\b(?:so|and|but|since|y|und|et|e)\s){_LED}"
    rf"(?P<gone>(?!(?:[^,.;:!?]{{0,30}}\s)?(?:i|we|he|she|it|they|you|that|this)[\s'’])[^\s,.;:!?][^,.;:!?]{{1,30}}?)"
    rf"(?:\s(?:{_listed(_GONE)})(?![\w-])"
    rf"|['’]s (?:{_IS_OFF})(?=[,.;:!?…]|\s(?:now|too|btw|then|so|and|but)\b|\Z))",
)
# Where its matches hold what is over.
_OVER_GROUPS = ("thing", "let", "other", "gone")
_UNTRUE = re.compile(
    r"\b(?:to|can|before)\s+\Z"
    r"|\b(?:not|never|won['’]t|\w+n['’]t|if|would|could|might|almost|nearly|no|nunca|nie|nicht|jamais)\s+(?:\w+\s+)?\Z",
    re.IGNORECASE,
)
_LIKED = r"""
    love|adore|enjoy|like|crazy about|fond of|into|fan of|me encantan?|adoro|me gustan?|amo|liebe|mag|j['’]adore|adore
    j['’]aime|aime|gosto de|amo"""
_LOATHED = r"""
    hate|loathe|detest|dislike|can['’]?t stand|can['’]?t bear|cannot stand|despise|gone off|went off|sick of|gag
    don['’]?t like|don['’]?t enjoy|odio|detesto|no soporto|no me gustan?|hasse|je déteste
    déteste|j['’]ai horreur de|odeio|detesto|não gosto de|não suporto"""
_FELT = caseless(
    rf"(?<![\w'’-])(?:(?P<bad>{_listed(_LOATHED)})|(?P<good>{_listed(_LIKED)}))\s+(?P<what>[^,.;:!?]{{2,40}})"
)
_REPELLING = (
    r"\s(?:tastes? (?:like|of) (?:\w+ )?(?:soap|dirt|metal|chemicals|cardboard)"
    r"|makes? me (?:gag|sick|queasy|retch|heave)|turns? my stomach|me da(?:n)? (?:asco|náuseas)"
    r"|schmeckt nach (?:seife|metall)|me dégoûtent?|me dá nojo)(?![\w-])"
)
# What repels stands before that, and is looked for from every letter: only where somebody is repelled.
_REPELLED = re.compile(_REPELLING, re.IGNORECASE)
_REPELS = re.compile(rf"(?P<what>[^,.;:!?]{{2,40}}?){_REPELLING}", re.IGNORECASE)
_NO = re.compile(r"\b(?:not|never|no|no longer|used|would|if|\w+n['’]?t|nunca|nie|nicht|pas|não)\b", re.IGNORECASE)
# Take back what was just said, and nothing else.
_MISTAKEN = _cues(r"""
    oops|whoops|argh|correction|scratch that|forget that|i meant|typo|mistyped|misspoke|misread|my bad|my mistake
    (?:the|a) wrong (?:one|name|day|line|place|city|date|time)|got (?:it|that) wrong|mix(?:ed)? (?:\w+ )?(?:two )?up
    no,? not|quise decir|quería decir|me equivoqué|me he equivocado|me li[oóé]|me confundí|corrijo|mejor dicho
    perdón,? no|ups|ich meinte|verwechselt|vertippt|korrektur|oups|je voulais dire|je me suis trompée?
    desculpa,? não|ops|quis dizer|queria dizer|me enganei|me confundi""")
_ELSEWHERE = _cues(r"""
    (?<!for )(?<!right )now|these days|from (?:now|here) on|since (?:last|yesterday|\w+day)|instead|as of
    reopens?|reopened|moved|moves|switched|ported|migrated|relocated|transferred|renamed|ahora|desde (?:hoy|ayer|el \w+)
    se mudó|traslad\w+|jetzt|nun|seit (?:heute|gestern)|umgezogen|maintenant
    désormais|depuis (?:hier|lundi)|agora|mudou""")
_WHOLE = _cues(r"""
    everything|the whole (?:thing|lot|stack|app|site|service|project)|all of it|it all|todo|alles|tout|tudo""")
# What does harm if it is forgotten, and what says that it is better.
_HARM = caseless(
    r"\b(?:allerg\w+|al[eé]rgi\w+|intoleran\w+|coeliac|celiac|cel[ií]ac[oa]s?|diabet\w+|asthma\w*|asm[aá]\w*|epilep\w+"
    r"|(?:scared|afraid|terrified|frightened) of|phobi[ac]\w*|miedo|p[aá]nico|fobia"
    r"|(?:can['’]?t|cannot|mustn['’]?t) (?:eat|have|take|stand)|no puede[ns]? (?:comer|tomar))(?![\w-])"
)
_EASED = _cues(r"""
    toler\w+|cured?|curad[oa]|outgr(?:ew|own|ows?)|grew out|clear(?:ed|s)?|better|gone|over it|ok(?:ay)?|fine|safe
    negative|no problem|sin problema\w*|ni (?:un|una)|no longer|not|any ?more|eats?|ate|ya no|come[ns]?|se acabó
    remission|no such""")
_DENIED = re.compile(
    r"\b(?:not|never|no|no longer|don['’]?t|doesn['’]?t|used to|would|nie|nicht|pas|não)\s+(?:\w+\s+)?\Z", re.IGNORECASE
)


def is_over(text: str) -> bool:
    """Whether a text says that something is over."""
    return bool(things_over(text)) or is_farewell(text)


def is_parting(text: str) -> bool:
    """Whether a text says that two people are no longer together."""
    return len(text) <= MAX_SENTENCE and any(each["other"] for each in _OVER.finditer(text))


def is_given_up(text: str) -> bool:
    """Whether a text says what somebody did away with: "ditched Redis", "let my membership lapse"."""
    return len(text) <= MAX_SENTENCE and any(each["thing"] or each["let"] for each in _OVER.finditer(text))


@lru_cache(maxsize=4_000)
def is_farewell(text: str) -> bool:
    """Whether a text tells of a farewell, without saying right there from what."""
    return bool(_FAREWELL.search(text))


@lru_cache(maxsize=4_000)
def things_over(text: str) -> tuple[str, ...]:
    """The words of a sentence for what it says to be over; none of a long one."""
    if len(text) > MAX_SENTENCE:
        return ()
    told = [
        each for each in _OVER.finditer(text) if not _UNTRUE.search(text[max(0, each.start() - _NEAR) : each.start()])
    ]
    return tuple(text[slice(*each.span(group))] for each in told for group in _OVER_GROUPS if each[group])


@lru_cache(maxsize=4_000)
def is_elsewhere(text: str) -> bool:
    """Whether a text says that something is in another place or goes by another name than it did."""
    return bool(_ELSEWHERE.search(text))


def is_away(text: str) -> bool:
    """Whether a text says of something over that it went elsewhere: of people it ends little."""
    return _AWAY.search(text) is not None


def harm_of(text: str) -> str:
    """The words of a text from where it tells of what does harm if it is forgotten: what somebody cannot eat, or fears.

    Nothing where it tells of none.
    """
    found = _HARM.search(text)
    return text[found.span()[0] :] if found else ""


def is_eased(text: str) -> bool:
    """Whether a text may say that such a thing is no longer so, or that there is another one."""
    return bool(harm_of(text)) or _EASED.search(text) is not None or is_over(text) or is_changed(text)


def is_whole(text: str) -> bool:
    """Whether a text says of all of something, which it does not name, that it is elsewhere now."""
    return bool(_WHOLE.search(text)) and is_elsewhere(text)


def is_mistaken(text: str) -> bool:
    """Whether a text says outright that something was said by mistake."""
    return bool(_MISTAKEN.search(text))


@lru_cache(maxsize=4_000)
def feeling(text: str) -> tuple[bool, str] | None:
    """Whether a text says that its speaker likes something, or loathes it, and what; None where it says neither."""
    repels = _REPELS.search(text) if _REPELLED.search(text) else None
    if repels and not _NO.search(repels["what"]):
        return False, repels["what"].strip()
    found = _FELT.search(text)
    if found is None or _DENIED.search(text[max(0, found.start() - _NEAR) : found.start()]):
        return None
    return found["bad"] is None, text[slice(*found.span("what"))].strip()


def is_changed(text: str) -> bool:
    """Whether a text speaks of a change, or gives what it says as new."""
    return bool(_CHANGED.search(text))


def is_moved_day(text: str) -> bool:
    """Whether a text gives a day as another one than before."""
    return bool(_MOVED_DAY.search(text))


def is_corrected(text: str) -> bool:
    """Whether a text takes back something that was just said."""
    return bool(_CORRECTED.search(text))
