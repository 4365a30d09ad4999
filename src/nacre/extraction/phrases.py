"""Cut a captured stretch of words down to the thing it names, or to nothing."""

import re
from collections.abc import Iterator

MOST_WORDS = 6

_ITEM = re.compile(r"\S+")
_BREAK = re.compile(r"(?: ?, ?(?:and |or |y |o |e )?| (?:and|or|y|e|&) )")


def _set(block: str) -> frozenset[str]:
    return frozenset(block.split())


_CUT = _set("""
    but because so since when while which who whom whose that if as then though although where until unless after
    before even cause cuz 'cause coz than - – — & i i'm i've i'll i'd we we're he he's she she's they they're it
    it's you you're is was are were am has have had can could will would do does did don't doesn't didn't 'm pero
    porque pues cuando mientras que quien donde aunque desde hasta si como es era son está yo él ella
""")
_LEADING = _set("""
    a an some any really very just quite also more most pretty all both always only still mostly mainly especially
    super so too un una unos unas muy mucho mucha más sobre todo también el la los las
""")
_TRAILING = _set("""
    too also now lately today tonight tomorrow yesterday anymore again there here though right lot much well ever
    yet already recently currently myself yourself together either often always usually sometimes lol haha please
    and or with for to of in on at by from as about into over a an the my your his her our their more most very so
    just really these those this that day days week year please though actually basically honestly definitely
    también ahora hoy mañana ayer aquí allí mucho muchísimo ya y o de en con por para el la los las un una mi tu su
    más muy
""")
_REFUSED = _set("""
    it that this these those them him her us me you he she they we i how what when where why who your yours his
    their its the seeing being having getting going doing making it's that's there here thing things stuff way ways
    idea ideas everything something anything nothing everyone someone anyone one ones to not no my our every each
    such lot lots bit part kind sort in on at with for from of about by near around during under over better best
    most than as talking hearing knowing feeling working trying looking lo esto eso esa ese este esta aquí tu tus su
    sus mi mis nuestro nuestra cosa cosas todo nada algo
""")
# Not the end of what is named: "unique (and handmade things)", "holding them".
_HALF = _set("""
    unique new different various other several great good better nice small big old more many few local favorite
    it them him her us me you this that
""")
# Begin another clause, and no further item of a list.
_VERBS = _set("""
    hate hates love loves like likes dislike dislikes enjoy enjoys prefer prefers work works live lives eat eats drink
    drinks play plays want wants need needs speak speaks drive drives study studies take takes wear wears own owns use
    uses avoid avoids go goes went moved started can't cannot cant dont doesnt won't want try trying hoping
    odio odia odiamos trabajo trabaja vivo vive prefiero prefiere
""")
_PREPOSITIONS = _set("in on at with for to from of about by near around during under over en con para de por sobre")


def trim(shadow: str, start: int, end: int) -> tuple[int, int] | None:
    """The span of the one thing named between `start` and `end`; None when it is too long, too vague or not there."""
    spans = [found.span() for found in _ITEM.finditer(shadow, start, end)]
    spans = _before_cut(shadow, spans)
    while spans and _bare(shadow, spans[0]) in _LEADING:
        spans = spans[1:]
    if not spans or _bare(shadow, spans[0]) in _REFUSED:
        return None
    if len(spans) > MOST_WORDS:
        cut = next((at for at, span in enumerate(spans) if at and _bare(shadow, span) in _PREPOSITIONS), len(spans))
        spans = spans[:cut]
    while spans and _bare(shadow, spans[-1]) in _TRAILING:
        spans = spans[:-1]
    if not 1 <= len(spans) <= MOST_WORDS or _bare(shadow, spans[-1]) in _HALF:
        return None
    begin, stop = spans[0][0], spans[-1][1]
    while stop > begin and shadow[stop - 1] in "'\"”*_~-–—/":
        stop -= 1
    while begin < stop and shadow[begin] in "'\"“*_~-–—/":
        begin += 1
    return (begin, stop) if stop - begin >= 2 and any(map(_is_letter, shadow[begin:stop])) else None


def items(shadow: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The things of an enumeration; it ends at the first item that is none. What leads to it may be said again."""
    at, lead = start, shadow[:start].split(" ")[-2:-1]
    for joint in (*_BREAK.finditer(shadow, start, end), None):
        stop = joint.start() if joint else end
        span = trim(shadow, at, stop)
        first = at == start
        if span and not first and shadow[slice(*span)].partition(" ")[0] in _VERBS:
            return
        # After the first, an item must be whole: half of one belongs to the next clause.
        if span is None or (not first and (not _reaches(shadow, span, stop) or _too_long(shadow, span))):
            return
        yield span
        if joint is None or not _reaches(shadow, span, stop):
            return
        at = joint.end()
        if lead and lead[0] in _PREPOSITIONS and shadow.startswith(f"{lead[0]} ", at):
            at += len(lead[0]) + 1


def _reaches(shadow: str, span: tuple[int, int], stop: int) -> bool:
    return not shadow[span[1] : stop].strip()


def _too_long(shadow: str, span: tuple[int, int]) -> bool:
    return shadow.count(" ", *span) > 2


def _before_cut(shadow: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    for at, span in enumerate(spans):
        if _bare(shadow, span) in _CUT and at:
            return spans[:at]
    return spans


def _bare(shadow: str, span: tuple[int, int]) -> str:
    return shadow[slice(*span)].strip('"“”*_~()')


def _is_letter(sign: str) -> bool:
    return sign.isalnum() or sign >= "\ue000"
