"""Find the names in a sentence: runs of capitals, and names known by list."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from nacre.domain.checks import MAX_NAME
from nacre.domain.entities import EntityType
from nacre.extraction.gazetteers import ListedName, common_words, gazetteer, given_names, small_places
from nacre.extraction.guards import names_nothing
from nacre.extraction.name_slots import expected, is_addressed, is_name, kind_in_slot, titles
from nacre.extraction.name_tokens import NameToken, tokens_of
from nacre.text.relations import ANIMALS, RELATION_WORDS
from nacre.text.word_blocks import word_set

_WEB = re.compile(
    r"(?:https?://|www\.)[^\s<>\"')\]]+|(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?<!\w)(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?(?!\w)"
)
# Without one of these nothing of that is there: it is looked for from every word.
_WEB_MARKS = ("@", "://", "www.", *"0123456789")
_CONNECTORS = word_set("of de la del las los van von der den da di do dos du le bin ibn al el & y und the")
_TITLES = word_set("mr mrs ms mx dr prof professor doctor sir madam lord lady captain president don doña sr sra srta")
_ORGANISATION = word_set("""
    inc corp corporation llc ltd gmbh plc co company university college academy institute bank foundation association
    society group labs lab studio studios hospital clinic school church agency ministry department federation union
    airlines partners ventures capital systems technologies solutions consulting universidad instituto banco fundación
    asociación ayuntamiento hospital colegio wolves lakers team fc united
""")
_PLACE = word_set("""
    street avenue road boulevard lane square park beach lake river mountain mountains island islands valley canyon city
    bay falls bridge airport museum forest desert coast hills springs harbor harbour village county province café cafe
""")
_PLACE_FIRST = word_set("mount lake fort port cape calle avenida plaza playa monte río isla parque")
_PROJECT_FIRST = word_set("project proyecto")
_ORG_FIRST = word_set("universidad university instituto institute banco bank hospital colegio ministerio department")
# Words that no name takes in, whatever stands beside them. Other everyday words may be part of one: Best Buy.
APART = word_set("""
    i im ive id ill me my we you he she it they hey hi hello ok okay oh wow yes yeah no thanks thank mom dad mum
    grandma grandpa mother father brother sister uncle aunt son god please lol also and but so if when while because
    at in on to for from with as am pm is was are were has have had do did will would can could should what who
    where why how this that these those then monday tuesday wednesday thursday friday saturday sunday january
    february march april may june july august september october november december lunes martes miércoles jueves
    viernes sábado domingo enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
    yo él ella mi el los las un una pero y que con para por
""")
_NOBODY: Mapping[str, tuple[str, EntityType]] = {}
_LONGEST_KNOWN = 3
_ADJECTIVE = re.compile(
    r".+-(?:style|inspired|powered|based|friendly|free|like|ish|themed|level|owned|made|related)|.+(?:days|ian|ese)",
    re.IGNORECASE,
)
_CODE = re.compile(r"[^\W\d_]{0,3}\d+[\w-]*|[\w.]*\d[\w.]*[A-Za-z]\d\w*")
_OPENING = re.compile(r"[\"“”«»(\[:;–—*•…!?¡¿-]\s*\Z|\.\s+\Z")
_PERSON_CUE = re.compile(
    r"\s+(?:works|worked|lives|lived|moved|said|says|told|called|asked|married|joined|quit|manages|leads|founded"
    r"|left|retired|resigned|died|passed away|lost (?:his|her)|sold (?:his|her)|divorced|broke up|got (?:laid|fired"
    r"|divorced)"
    r"|murió|dejó|se jubiló|renunció"
    r"|loves|likes|hates"
    r"|prefers|uses|is (?:married|engaged|based|hosted|written|allergic|a (?:friend|colleague|company|project))"
    r"|was born|has (?:an? )?(?:\w+ ){0,2}(?:allerg(?:y|ies)|asthma|diabetes)|can['’]?t (?:eat|have)|es alérgic[oa]"
    r"|and (?:I|me)\b"
    r"|trabaja|vive|vivía|dijo|dice|se mudó|es una? (?:empresa|proyecto|amig[oa])|me dijo|nació|odia|prefiere|usa)\b"
)
_KIN = "|".join(sorted((*RELATION_WORDS, *ANIMALS), key=len, reverse=True))
_KIN_CUE = re.compile(rf"(?:['’]s|(?:,| is| es| and| y) (?:my|our|mi|nuestr[oa])(?: \w+)?)\s+(?:{_KIN})\b")
# Things do not say, and nobody tells them.
_DOES = re.compile(
    r"\s+(?:said|says|told|thinks|thought|wants|wanted|knows|knew|loves|loved|asked|cried|laughed|smiled|dijo|dice"
    r"|cree|quiere|preguntó)\b"
)
_DONE_TO = re.compile(
    r"(?:^|\s)(?:tell|told|ask|asked|marry|married|kissed|kiss|hug|hugged|dating|met|hired|thank)\s\Z"
)
# Somebody who types no capitals names a place after some words, and only in a sentence about a home.
_SMALL_PLACE = (
    (
        re.compile(r"\b(?:live|lives|lived|living|moved|moving|relocated|left|based)\b", re.IGNORECASE),
        re.compile(r"(?:\b(?:in|to|from|near|left|for)|,)\s+\Z", re.IGNORECASE),
    ),
    (
        re.compile(
            r"\b(?:viv[oe]|vivía|vivimos|viviendo|mud(?:[éó]|amos|ado|aron)|dej(?:[éó]|amos)|traslad[éó])\b",
            re.IGNORECASE,
        ),
        re.compile(r"(?:\b(?:de|desde|en|a|por|hacia|para|dej(?:[éó]|amos))|,)\s+\Z", re.IGNORECASE),
    ),
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A name at its place in the text. A `faint` one counts only where a rule expects a name."""

    start: int
    end: int
    name: str
    type: EntityType
    confidence: float
    faint: bool = False
    addressed: bool = False


def find(
    text: str, span: tuple[int, int], seen: Collection[str], known_names: Mapping[str, tuple[str, EntityType]] = _NOBODY
) -> list[Mention]:
    """The names in a sentence; `seen` holds names known from before, which may also begin a sentence.

    `known_names` holds names by their words in lower case, which count in any case.
    """
    sentence = text[slice(*span)]
    told = frozenset([name for name in seen if name in sentence])
    found = _find(sentence, told, known_names) if known_names else _find_alone(sentence, told)
    return [_moved(each, span[0]) for each in found]


# A turn is read again with the names of those before it: most of its sentences hold none of them.
@lru_cache(maxsize=500)
def _find_alone(sentence: str, seen: frozenset[str]) -> Sequence[Mention]:
    return _find(sentence, seen, _NOBODY)


def _find(sentence: str, seen: frozenset[str], known_names: Mapping[str, tuple[str, EntityType]]) -> Sequence[Mention]:
    """The names in a sentence, at their places in it."""
    webs = _addresses(sentence)
    works = titles(sentence)
    tokens = list(tokens_of(sentence))
    if taken := (*webs, *works):
        tokens = [token for token in tokens if not any(begin <= token.start < end for begin, end in taken)]
    mentions: list[Mention] = []
    place = 0
    first_words, first_small, slots = gazetteer().longest, small_places().longest, expected(sentence)
    while place < len(tokens):
        word = tokens[place].word
        small = _small_place(sentence, tokens, place) if word in first_small else None
        small = small or (_recognised(tokens, place, known_names) if known_names else None)
        if tokens[place].start in slots:
            small = small or _small_name(sentence, tokens, place, any_word=slots[tokens[place].start])
        if small is None and word not in first_words and word.islower():
            place += 1
            continue
        mention, used = small or _at(sentence, tokens, place, seen)
        if mention:
            mentions.append(_placed(sentence, mention))
        place += used
    for begin, end in works:
        name = sentence[begin:end].rstrip(".,!")
        mentions.append(Mention(begin, begin + len(name), name, EntityType.ARTIFACT, 0.7))
    for begin, end in webs:
        mentions.append(_address(sentence, begin, end))
    return sorted((each for each in mentions if len(each.name) <= MAX_NAME), key=lambda each: each.start)


def _moved(each: Mention, offset: int) -> Mention:
    start, end = each.start + offset, each.end + offset
    return Mention(start, end, each.name, each.type, each.confidence, each.faint, each.addressed) if offset else each


def _addresses(sentence: str) -> list[tuple[int, int]]:
    """Where addresses of pages, people and machines stand."""
    if "." not in sentence or not any(mark in sentence for mark in _WEB_MARKS):
        return []
    return [address.span() for address in _WEB.finditer(sentence)]


def _at(sentence: str, tokens: Sequence[NameToken], place: int, seen: Collection[str]) -> tuple[Mention | None, int]:
    """The name that begins at a token, if one does, and how many tokens are dealt with."""
    known, length = _known(sentence, tokens, place)
    token = tokens[place]
    if not _is_capital(token.word) and not known:
        return None, 1
    run = _run(sentence, tokens, place)
    begins = _begins(sentence, token.start)
    if known and length >= run:
        if known.ambiguous and begins:
            return None, length
        return _mention(tokens[place], tokens[place + length - 1], known.name, known.type, 0.9), length
    if run == 0:
        return None, 1
    return _named_run(sentence, tokens[place : place + run], begins=begins, seen=seen), run


def _known(sentence: str, tokens: Sequence[NameToken], place: int) -> tuple[ListedName | None, int]:
    listed = gazetteer()
    most = listed.longest.get(tokens[place].word, 0)
    for length in range(min(most, len(tokens) - place), 0, -1):
        written = " ".join(sentence[tokens[place].start : tokens[place + length - 1].end].split())
        if entry := listed.entries.get(written):
            return entry, length
    return None, 0


def _small_place(sentence: str, tokens: Sequence[NameToken], place: int) -> tuple[Mention, int] | None:
    """A place that somebody typed without its capital, where the words before it lead to one."""
    start = tokens[place].start
    if not any(about.search(sentence) and before.search(sentence, 0, start) for about, before in _SMALL_PLACE):
        return None
    listed = small_places()
    for length in range(min(listed.longest[tokens[place].word], len(tokens) - place), 0, -1):
        written = " ".join(sentence[tokens[place].start : tokens[place + length - 1].end].split())
        if entry := listed.entries.get(written):
            return _mention(tokens[place], tokens[place + length - 1], entry.name, entry.type, 0.8), length
    return None


def _recognised(
    tokens: Sequence[NameToken], place: int, known_names: Mapping[str, tuple[str, EntityType]]
) -> tuple[Mention, int] | None:
    """A name that is known, however it is typed."""
    for length in range(min(_LONGEST_KNOWN, len(tokens) - place), 0, -1):
        some = tokens[place : place + length]
        if entry := known_names.get(" ".join(token.key for token in some)):
            return _mention(some[0], some[-1], entry[0], entry[1], 0.9), length
    return None


def _small_name(
    sentence: str, tokens: Sequence[NameToken], place: int, *, any_word: bool
) -> tuple[Mention, int] | None:
    """A person's name that somebody typed without its capital, or that is an everyday word, where one is expected."""
    first = tokens[place]
    if _is_capital(first.word) and first.key not in APART:
        return None
    acts = _PERSON_CUE.match(sentence, first.end) or sentence.startswith((" is ", " was ", " es "), first.end)
    if not is_name(first.word, any_word=any_word, acts=bool(acts)):
        return None
    last, used = first, 1
    if any_word and place + 1 < len(tokens) and first.word.islower():
        after = tokens[place + 1]
        ends = not sentence[after.end :].strip() or sentence[after.end] in ",.!?"
        if ends and sentence[first.end : after.start] == " " and is_name(after.word, any_word=True):
            last, used = after, 2
    name = " ".join(word[:1].upper() + word[1:] for word in sentence[first.start : last.end].split())
    return _mention(first, last, name, EntityType.PERSON, 0.9), used


def _run(sentence: str, tokens: Sequence[NameToken], place: int) -> int:
    """How many tokens a run of capitals has from here; none when it cannot begin here."""
    first = tokens[place]
    if not _may_join(first):
        return 0
    opens = first.key in common_words() and first.key not in _TITLES and _begins(sentence, first.start)
    if opens and not _is_full_name(sentence, tokens[place : place + 2]):
        return 0
    length = 1
    while place + length < len(tokens) and length < 6:
        step = _step(sentence, tokens, place, place + length)
        if not step:
            break
        length += step
    if all(token.key in common_words() for token in tokens[place : place + length]):
        return 0
    return length


def _is_full_name(sentence: str, pair: Sequence[NameToken]) -> bool:
    """ "Hope Hicks": a given name that is an everyday word, before a capital that is neither."""
    if len(pair) < 2 or sentence[pair[0].end : pair[1].start] != " " or not _given(pair[0]):
        return False
    second = pair[1]
    told = second.key in common_words() or second.word in gazetteer().entries or _given(second)
    return _may_join(second) and not told


def _may_join(token: NameToken) -> bool:
    if token.key.partition("-")[0].partition("'")[0] in APART:
        return False
    return _is_capital(token.word) and token.key not in APART and not _CODE.fullmatch(token.word)


def _step(sentence: str, tokens: Sequence[NameToken], start: int, place: int) -> int:
    """How many more tokens the run takes: one capital, or connectors and a capital after them, or none."""
    before, token = tokens[place - 1], tokens[place]
    gap = sentence[before.end : token.start]
    if gap == ". " and (len(before.word) == 1 or before.key in _TITLES or before.key == "st"):
        gap = " "
    if gap not in (" ", " & "):
        return 0
    if _is_capital(token.word):
        return int(_may_join(token))
    ahead = place
    while ahead < len(tokens) and ahead - place < 2 and tokens[ahead].word in _CONNECTORS:
        ahead += 1
    joined = (
        ahead > place and ahead < len(tokens) and sentence[token.start : tokens[ahead].end].count(" ") == ahead - place
    )
    plausible = joined and _may_join(tokens[ahead]) and tokens[ahead].key not in common_words()
    # "Nora Lind of Fieldnotes" is whole before "of", "Joan of Arc" is not.
    whole = token.word == "of" and any(_given(each) for each in tokens[start : place - 1])
    # "Ana y Luis" are two; "Ortega y Gasset" is rare.
    return ahead - place + 1 if plausible and not whole and token.word not in ("y", "the") else 0


def _named_run(sentence: str, run: Sequence[NameToken], *, begins: bool, seen: Collection[str]) -> Mention | None:
    titled, whole = False, run
    while len(run) > 1 and (
        run[0].key in _TITLES or run[0].key in ("the", "a", "an", "your", "our", "his", "her", "their")
    ):
        run, titled = run[1:], titled or run[0].key in _TITLES
    if begins and not titled and (shorter := _without_opener(run)) is not run:
        run, begins = shorter, False
    first, last = (whole if titled and len(run) == 1 else run)[0], run[-1]
    name = " ".join(sentence[first.start : last.end].split())
    name = listed.name if (listed := gazetteer().entries.get(name)) else name
    if (
        names_nothing(name)
        or _ADJECTIVE.fullmatch(name)
        or len(name) > 80
        or (len(name) < 2 and not _is_unspaced(name))
    ):
        return None
    if titled:
        return _mention(whole[0], last, name, EntityType.PERSON, 0.9)
    kind, confidence = _type(run)
    if begins and len(run) == 1 and not _may_begin(sentence, first, seen):
        return None
    faint = kind is EntityType.UNKNOWN and len(run) == 1 and len(name) <= 6 and name.isupper()
    return _mention(first, last, name, kind, confidence, faint=faint)


def _without_opener(run: Sequence[NameToken]) -> Sequence[NameToken]:
    """ "Visited Paris": a first word that is no known name, before one, only begins the sentence."""
    if len(run) < 2 or _given(run[0]) or run[0].key in _PROJECT_FIRST | _PLACE_FIRST | _ORG_FIRST:
        return run
    rest = " ".join(token.word for token in run[1:])
    return run[1:] if rest in gazetteer().entries or (_given(run[1]) and run[0].word[1:].islower()) else run


def _type(run: Sequence[NameToken]) -> tuple[EntityType, float]:
    first, last = run[0].key, run[-1].key
    if known := gazetteer().entries.get(" ".join(token.word for token in run)):
        return known.type, 0.9
    if len(run) > 1:
        if first in _PROJECT_FIRST:
            return EntityType.PROJECT, 0.8
        if last in _ORGANISATION or first in _ORG_FIRST:
            return EntityType.ORGANIZATION, 0.8
        if last in _PLACE or first in _PLACE_FIRST:
            return EntityType.LOCATION, 0.8
    if _given(run[0]):
        return EntityType.PERSON, 0.9
    return EntityType.UNKNOWN, 0.6 if len(run) > 1 else 0.5


def _may_begin(sentence: str, token: NameToken, seen: Collection[str]) -> bool:
    """Whether a capital at the beginning of a sentence is a name's."""
    given = given_names().get(token.key)
    if (given and not given[1]) or token.word in seen or not token.word[1:].islower() or _is_unspaced(token.word):
        return True
    return _PERSON_CUE.match(sentence, token.end) is not None or _KIN_CUE.match(sentence, token.end) is not None


def _given(token: NameToken) -> bool:
    return token.key in given_names() or token.key.split("-")[0] in given_names()


def _is_capital(word: str) -> bool:
    return word[0].isupper() or _is_unspaced(word) or (word[0].islower() and len(word) > 2 and word[1].isupper())


def _is_unspaced(word: str) -> bool:
    """Letters that have no case, such as 田中, in a sentence of words with spaces."""
    return word[0].isalpha() and not word[0].isupper() and not word[0].islower() and len(word) <= 12


def _begins(sentence: str, start: int) -> bool:
    return not sentence[:start].strip("\"'“”‘’«»¿¡*_ ") or _OPENING.search(sentence, 0, start) is not None


def _mention(
    first: NameToken, last: NameToken, name: str, kind: EntityType, confidence: float, *, faint: bool = False
) -> Mention:
    return Mention(first.start, last.end, name, kind, confidence, faint)


def _placed(sentence: str, mention: Mention) -> Mention:
    """A name as what its place in the sentence says it to be."""
    kind = kind_in_slot(sentence, mention.start, mention.end, mention.type)
    mention = mention if kind is mention.type else replace(mention, type=kind)
    if mention.type is EntityType.UNKNOWN and (
        _DOES.match(sentence, mention.end) or _DONE_TO.search(sentence, 0, mention.start)
    ):
        mention = replace(mention, type=EntityType.PERSON)
    addressed = mention.type in (EntityType.PERSON, EntityType.UNKNOWN) and is_addressed(
        sentence, mention.start, mention.end, mention.type
    )
    return replace(mention, type=EntityType.PERSON, addressed=True) if addressed else mention


def _address(sentence: str, begin: int, end: int) -> Mention:
    written = sentence[begin:end].rstrip(".,;:!?")
    kind = EntityType.SYSTEM if written[0].isdigit() else EntityType.SOURCE
    return Mention(begin, begin + len(written), written, kind, 0.9, faint="@" in written)


def hint(name: str) -> str:
    """`f` or `m` where the given name tells, else `e`."""
    known = given_names().get(name.split(maxsplit=1)[0].casefold())
    return known[0] if known else "e"
