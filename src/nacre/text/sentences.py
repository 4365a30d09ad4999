"""Find where sentences begin and end."""

import re
from collections.abc import Iterator
from functools import lru_cache

_CLOSERS = "\"'”’»›)\\]}」』）】〉》*`"
_BREAK = re.compile(
    r"[\n\r\v\f\x85\u2028\u2029]"
    r"|(?=[•‣▪◦])"
    rf"|(?<![.!?…])(?P<mark>[.!?…]++)(?P<closed>[{_CLOSERS}]*+)(?=\s|[¿¡]|\Z)"
    rf"|[。！？｡।॥؟۔][。！？｡।॥؟۔…]*+[{_CLOSERS}]*+"
)
# How far back and ahead a full stop is judged by; a bound keeps the whole linear.
_REACH = 40
# A text of more characters is not kept in memory for those who ask for its sentences again.
_SHORT = 2_000
_LAST_WORD = re.compile(r"[^\s(\[{\"'“‘«¿¡]+\Z")
_NEXT_WORD = re.compile(r"[^\w\n]{0,20}+(\w{0,40})")
_ITEM_NUMBER = re.compile(r"(?:\A|[\n\r])[ \t>*#-]*(?:\d{1,3}|[a-zA-Z])\Z")


def _read(block: str) -> frozenset[str]:
    return frozenset(block.split())


# Followed by what they introduce, so never the end.
_LEADING = _read("""
    mr mrs ms mx dr prof Sr Sra St Mt Ft Fr Rev Hon Gen Col Maj Capt Lt Sgt Cmdr Gov Sen Rep Pres Supt Msgr Messrs
    eg ie e.g i.e cf vs viz approx resp incl Herr Hr Frau bzw bspw ggf evtl z.B d.h u.a str mme mlle Ud Uds
""")
# Not the end when a number follows.
_NUMBERED = _read("""
    no nos nr núm fig figs eq sec ch vol vols p pp pág art abs tel jan feb mar apr jun jul aug sep sept oct nov dec
""")
# The end only when a word that likes to begin a sentence follows.
_TRAILING = _read("inc ltd co corp llc plc jr sr esq etc usw al dept univ assn bros ave blvd")
_STARTERS = _read("""
    a after all also although an and another any as at because before but by did do does even finally first for from
    he her here his how however i if in it its later let many maybe meanwhile most my next no now of on once one or
    our perhaps please she since so some soon still such thanks that the their then there these they this those
    though to today tomorrow we well what when where which while who why with yes yesterday yet you your
    der die das er sie es wir ich dann el la los ella yo pero entonces il elle je nous mais
""")
_GERMAN_MONTHS = _read("Januar Februar März April Mai Juni Juli August September Oktober November Dezember")


def split(text: str) -> list[tuple[int, int]]:
    """Start and end of each sentence, in order, without the white space around it.

    Every line break and bullet ends a sentence. Nothing but white space lies between two sentences.
    """
    return list(_spans(text) if len(text) > _SHORT else _short_spans(text))


def _spans(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for end in (*_ends(text), len(text)):
        sentence = text[start:end]
        body = sentence.strip()
        if body:
            begin = start + len(sentence) - len(sentence.lstrip())
            yield begin, begin + len(body)
        start = end


# What is learned and what is compared is cut by one after another who looks at it.
@lru_cache(maxsize=500)
def _short_spans(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(_spans(text))


def _ends(text: str) -> Iterator[int]:
    for found in _BREAK.finditer(text):
        if found["mark"] is None or _is_end(text, found):
            yield found.end()


def _is_end(text: str, match: re.Match[str]) -> bool:
    following = _next_word(text, match.end())
    if following[:1].islower() and (_quotes(match["closed"]) or match["mark"].endswith(("…", ".."))):
        return False  # "Why?" she asked; well… maybe
    if match["mark"] != "." or match["closed"]:
        return True
    return _full_stop_ends(text[max(0, match.start() - _REACH) : match.start()], following)


def _full_stop_ends(before: str, following: str) -> bool:
    if _ITEM_NUMBER.search(before):
        return False
    last = _LAST_WORD.search(before)
    word = last[0] if last else ""
    if word in _LEADING or word.casefold() in _LEADING:
        return False
    if word.casefold() in _NUMBERED:
        return not following[:1].isdecimal()
    if word.isdecimal() and len(word) <= 2:
        return following not in _GERMAN_MONTHS
    if word.casefold() in _TRAILING or _is_initials(word):
        return not following or (following[0].isupper() and following.casefold() in _STARTERS)
    return True


def _is_initials(word: str) -> bool:
    """`J`, `U.S`, `Ph.D`: one or two letters at a time with full stops between."""
    parts = word.split(".")
    return all(part.isalpha() and len(part) <= 2 for part in parts) and (len(parts) > 1 or len(word) == 1)


def _quotes(closed: str) -> bool:
    return any(sign in "\"'”’»›」』" for sign in closed)


def _next_word(text: str, at: int) -> str:
    found = _NEXT_WORD.match(text, at)
    return found[1] if found else ""
