"""How a clause of talk gives a value: as how things stand, as how far something has come, or as what happened once."""

import re

from nacre.memory import tones

# Say little of what a clause is about.
LIGHT = tones.read_words("""
    really lot like love think know way thing things bit good great nice best time year month week day today
    recently lately finally actually also far go going come came make made get getting got try use using need want feel
    help keep start started been around quite pretty sure since ago last past next first new old many much more most
    include including considering consider currently ve ll re don doesn didn isn wasn speaking way
    tengo muy bien cosa cosas ayer hace
""")
# Count or measure anything: more must be shared where these are counted.
GENERIC = tones.read_words("""
    hour minut second day week month year time usd eur gbp jpy cny krw chf mxn % mile km kg pound lb lbs gram litr liter
    cm yr yrs yo hr hrs min mins sec secs wk wks mth mths peopl person one thing way number hora minuto dia seman mes
    año persona cosa
""")
# Say what is done with a thing, which is done with many things.
WEAK = tones.read_words("""
    finish complet read watch tri seen spot reach earn notic keep track feel enjoy look think plan tell talk mention
    realiz interest excit recommend suggest learn work play check add wonder hear heard say said manag consid give gave
    take took taken spend spent averag total set hope listen discuss help
""")
_PERFECT = re.compile(
    r"['’]ve\b|\b(?:have|has|haven['’]t|hasn['’]t|he|ha|hemos|han|llevo|lleva|llevamos)\b", re.IGNORECASE
)
_SUM = re.compile(
    r"(?:['’]ve|\b(?:have|has|just|he|ha|hemos|han|acabo de))\s+(?:\w+\s+){0,2}?(?:tried|completed|finished|read"
    r"|watched|visited|seen|spent|clocked|earned|logged|collected|caught|met|written|run|done|attended|played|raised|saved"
    r"|put in|spotted|gone|been to|probado|terminado|leído|visto|visitado|gastado|hecho|ganado|ahorrado)\b",
    re.IGNORECASE,
)
_STANDS = re.compile(
    r"\b(?:is|are|am|['’]m|['’]re|it['’]s|that['’]s|have|has|own|owns|costs?|takes?|weighs?|earns?|makes|pays?|lives?|works?"
    r"|needs?|gets?|goes|runs?|wake|waking|usually|always|every|each|currently|es|son|está|están|tengo|tiene|tenemos"
    r"|cuesta|vale|pago|gano|peso|suelo)\b"
    r"|\b(?:I|we|they)\s+(?:\w+ly\s+)?(?!got\b|went\b|took\b|had\b|became\b)[a-z]+",
    re.IGNORECASE,
)
_SWITCH = re.compile(
    r"\b(?:(?:increased|decreased|dropped|raised|reduced|lowered|changed|moved|pushed|postponed|delayed|rescheduled"
    r"|extended|updated|bumped|upgraded|switched|(?:went|gone|going) (?:up|down)|grew|rose|fell|cut|improved|shifted"
    r"|brought)(?: \w+){0,4}? (?:to|from|by|at|until)"
    r"|new (?:personal )?(?:best|record|pb|pr|high|date|time|price|total|number)|beat my|no longer|instead|anymore"
    r"|subió|bajó|pasó a|cambió|aumentó|se movió|aplazó|nuevo récord)\b",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"\b(?:now|so far|already|currently|up to|in total|altogether|to date|as of|these days|nowadays|right now"
    r"|at the moment"
    r"|just (?:finished|completed|reached|hit|got|started|passed|crossed|added|read|watched|beat|made|turned)"
    r"|ahora|ya|hasta ahora|actualmente|en total|acabo de)\b",
    re.IGNORECASE,
)
_RESCHEDULED = re.compile(
    r"\b(?:moved|pushed|postponed|delayed|rescheduled|shifted|slipped|extended|changed|brought forward|bumped|put off"
    r"|instead|now (?:on|at|in|due|for)|is now|are now|new date|new time|not (?:on|at)|se movió|aplazó|aplazado|retrasó"
    r"|adelantó|pospuso|cambió|cambiado|pasó al?|ahora es)\b",
    re.IGNORECASE,
)


def is_switch(clause: str) -> bool:
    """Whether a clause says that something was one way and is another."""
    return bool(_SWITCH.search(clause)) or tones.is_switched(clause) or tones.is_renewed(clause)


def is_rescheduled(clause: str) -> bool:
    """Whether a clause gives a day or an hour as a new one."""
    return bool(_RESCHEDULED.search(clause)) or tones.is_renewed(clause)


def is_change(clause: str) -> bool:
    """Whether a clause says how far something has come by now."""
    return bool(_CHANGE.search(clause))


def is_sum(clause: str) -> bool:
    """Whether a clause sums up what was done, which never grows less."""
    return bool(_SUM.search(clause))


def is_state(clause: str) -> bool:
    """Whether a clause says how things stand: what has come to be so, or is so. What happened once is no state."""
    if _PERFECT.search(clause):
        return True
    return not tones.is_event(clause) and bool(_STANDS.search(clause))
