"""Named updates: what people say is over by its name, what they take back, and what goes by another name or place now.

"Killed my Audible today" ends what was said of Audible, and nothing else; "the book club sits in the Annex from here
on" ends the room where it was. Nothing is concluded from a name alone: a cue must say that something ended or changed.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from functools import lru_cache

from nacre.domain.outdated_marks import MAX_VALUE
from nacre.memory import clause_values, cues, tones, value_frames
from nacre.memory.life_fields import fields_of
from nacre.memory.pairs import Update, shown
from nacre.memory.statements import StatedSentence, TextStatements
from nacre.text import languages, relations

# Something is taken back within so long.
_SOON = timedelta(days=2)
# A correction has at most so many words, and what is over few; a word of surprise is no longer than that.
_MOST_WORDS, _FEW_WORDS, _OPENING = 12, 3, 12
_NAME = re.compile(
    r"(?<![\w'’-])[A-ZÀ-Þ][\w’'&.-]*(?:\s+(?:[A-ZÀ-Þ0-9][\w’'&.-]*|(?:de|la|du|des|of|the)(?=\s+[A-ZÀ-Þ])))*"
)
_PLACED = re.compile(
    rf"\b(?:in|on|at|to|into|with|chez|en|au|à|bei|im|am|nach|em|na|no|para)\s+"
    rf"(?:the\s+|el\s+|la\s+|le\s+|a\s+|an\s+|our\s+|my\s+)?(?P<name>{_NAME.pattern}|\d+\s+{_NAME.pattern})"
)
_CALLED = re.compile(
    rf"\b(?:called|named|name is|name['’]s|known as|goes by|go by|llamad[oa]|(?:se|me|nos) llam\w+|heißt|heißen"
    rf"|s['’]appelle|appelée?|cham\w+-?se|se chama)\s+(?P<name>{_NAME.pattern})"
)
_NOT = re.compile(rf"\b(?:not|no|nicht|pas|não)\s+(?:in |at |on |to |the |a |en )?(?P<name>{_NAME.pattern})")
_DAYS = re.compile(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october"
    r"|november|december|i|i['’]\w+|dr|mr|mrs|ms",
    re.IGNORECASE,
)
_OWN = (
    r"\b(?:my|our|mine|mi|mis|nuestr[oa]s?|mein\w*|unser\w*|mon|ma|mes|notre|nos|meus?|minhas?|(?:I|we|yo|ich|je|eu)"
    r"(?:['’]m|['’]ve)?\s+\w+)\s+(?:\w+\s+){0,2}?"
)
_OF_ANOTHER = re.compile(
    r"(?:(?:My|Our|Mi|Mein\w*|Mon|Ma|Meu|Minha)\s+(?:\w+\s+){1,2})?(?P<who>(?!(?:I|We|My|Our|It|That|This|The|Yo|Mi|Ich|Je|Eu)\b)[A-ZÀ-Þ]\w+)"
    r"\s+(?:is|has|was|lives|works|loves|likes|hates|uses|plays|owns|drives|studies|teaches|runs|goes|wants)\s"
)
_TOLD = re.compile(r"\s+(?:is|smells|feels|me|looks|welcomed|has|es|está|ist|est|é)\b")
# Only calls somebody: thanks, Maria!
_CALL = r"(?:\A|,\s*|\b(?:hey|hi|hello|thanks|wow|yeah|oh|hola)\s+){}\s*(?:[,.!?]|\Z)"
_ENDING = re.compile(r"\b(?:losing|quitting|leaving|selling|cancelling|dropping|ending|perder|dejar|vender)\b", re.I)
# Words that name what is over when they stand near: they tell of things, and not of what is done with them.
_NO_THING = tones.read_words("""
    today yesterday morn even night week month year door home work hous peopl day offic last old new good goodby bye
    cake car park first thing one two for
""")

# Say that something has a name, and not of what.
_CALLING = tones.read_words("call name known go goe llama llamo llam heißt heißen appel appell chama cham")


def find_named_updates(new: TextStatements, old: TextStatements) -> Iterator[Update]:
    """What a newer text of the same person ends or changes by name in an older one."""
    if not old.at < new.at:
        return
    for newer in new.every:
        yield from _ended(newer, old)
        if new.at - old.at <= _SOON:
            yield from _taken_back(newer, new, old)
        yield from _renamed(newer, old)
        yield from _felt(newer, old)


def _ended(newer: StatedSentence, old: TextStatements) -> Iterator[Update]:
    things = _things_over(newer.text)
    for older in old.every if things else ():
        shared = [stem for stem in older.words if stem in things]
        if not shared or cues.is_over(older.text):
            continue
        word = older.words[shared[0]]
        if _is_part_of_a_name(newer.words.get(shared[0], ""), newer.text, older.text):
            continue
        if re.search(_CALL.format(re.escape(word)), older.text) or _is_of_another(older.text, word):
            continue
        if _is_of_somebody(word, newer, older, old):
            continue
        named = word[0].isupper() or newer.words.get(shared[0], word)[0].isupper()
        if named or _is_own(word, older.text):
            yield _update(newer, older, _named(older.text, word), newer.text, "says that something is over in")


def _is_of_somebody(word: str, newer: StatedSentence, older: StatedSentence, old: TextStatements) -> bool:
    """Whether a sentence tells of somebody what goes with them: a friend who moves is one, and can have no nuts."""
    if word[0].isupper() and cues.harm_of(older.text):
        return True
    friends = {each["name"].casefold() for each in relations.NAMED_PERSON.finditer(old.text)}
    return cues.is_away(newer.text) and (word.casefold() in friends or word.casefold() in relations.RELATION_WORDS)


def _is_part_of_a_name(word: str, text: str, older: str) -> bool:
    """Whether a word belongs to a longer name that an older text does not know: gold, of a Gold Monster."""
    whole = _named(text, word).casefold().split()
    return len(whole) > 1 and not all(each in older.casefold() for each in whole)


def _is_own(word: str, text: str) -> bool:
    """Whether a sentence speaks of a thing as its speaker's own, and not of the end of it."""
    return bool(re.search(f"{_OWN}{re.escape(word)}", text, re.IGNORECASE)) and not _ENDING.search(text)


def _is_of_another(text: str, word: str) -> bool:
    """Whether a sentence tells of somebody else what it says of a thing: Tom works at Acme."""
    found = _OF_ANOTHER.match(text)
    return found is not None and word not in found["who"]


# Asked for each older text that a newer one is compared with.
@lru_cache(maxsize=4_000)
def _things_over(text: str) -> frozenset[str]:
    """The stems of what a sentence says to be over: names, and the nouns that a few words end in."""
    if not value_frames.is_stated(text, asks=text.endswith("?")):
        return frozenset()
    phrases: list[str] = []
    for part in cues.things_over(text):
        words = part.split()
        names = [word for word in words if word[0].isupper() and not _DAYS.fullmatch(word)]
        names = names if len(words) == 1 or not text.startswith(part) else names[1:]
        phrases += names or (words[-1:] if len(words) <= _FEW_WORDS else [])
    if cues.is_farewell(text):
        phrases += [found["name"] for found in _PLACED.finditer(text)]
        phrases += [found[0] for found in [_NAME.match(text)] if found and text[found.end() : found.end() + 1] == " "]
    found = frozenset(value_frames.topic_words(" ".join(phrases), languages.detect(text)))
    return found - _NO_THING - clause_values.WEAK


def _taken_back(newer: StatedSentence, new: TextStatements, old: TextStatements) -> Iterator[Update]:
    """A name that stands in the place of another one that was wrong: the only other, or the one that is turned down."""
    if not cues.is_mistaken(new.text) or len(newer.text.split()) > _MOST_WORDS:
        return
    against = {found["name"].rstrip(".,") for found in _NOT.finditer(newer.text)}
    short = len(newer.text.split()) <= _FEW_WORDS or "," in newer.text[:_OPENING]
    said = [each for each in _names(newer.text, first=short) if each not in against and each not in old.text]
    for older in old.every if said else ():
        theirs = [each for each in _names(older.text) if each not in new.text or each in against]
        wrong = [each for each in theirs if each in against] or (theirs if len(theirs) == 1 else [])
        if wrong:
            yield _update(newer, older, wrong[0], said[0], "corrects")


def _renamed(newer: StatedSentence, old: TextStatements) -> Iterator[Update]:
    """Another name or place of the same thing, where something says that it is new."""
    if not cues.is_elsewhere(newer.text) or not value_frames.is_stated(newer.text, asks=newer.text.endswith("?")):
        return
    for pattern in (_CALLED, _PLACED):
        ours = _matched(pattern, newer.text)
        for older in old.every if ours else ():
            theirs = _matched(pattern, older.text)
            theirs = [each for each in theirs if each not in newer.text and each.split()[0] not in newer.text]
            # Somebody's mother, and not where anybody is.
            theirs = [each for each in theirs if not each.endswith(("'s", "’s"))]
            if not theirs or any(each in older.text for each in ours):
                continue
            if pattern is _PLACED and _are_of_other_fields(newer.text, older.text):
                continue
            named = {stem for stem, word in older.words.items() if any(word in each for each in (*theirs, *ours))}
            about = (newer.stems & older.stems) - named - clause_values.WEAK - _NO_THING - _CALLING
            if about or (pattern is _CALLED and newer.text.casefold().startswith(("we", "i", "it"))):
                yield _update(newer, older, theirs[0], ours[0], "gives another one than")
            elif pattern is _PLACED and cues.is_whole(newer.text):
                yield replace(_update(newer, older, theirs[0], ours[0], "gives another one than"), loose=True)


def _are_of_other_fields(one: str, other: str) -> bool:
    """Whether two sentences speak of different fields of life: where one works is not where one lives."""
    ours, theirs = fields_of(one), fields_of(other)
    return bool(ours and theirs) and ours.isdisjoint(theirs)


def _felt(newer: StatedSentence, old: TextStatements) -> Iterator[Update]:
    """The opposite of what somebody felt about something."""
    feeling = cues.feeling(newer.text)
    for older in old.every if feeling else ():
        before = cues.feeling(older.text)
        if before is None or feeling is None or before[0] == feeling[0]:
            continue
        language = languages.detect(older.text)
        liked, now = (value_frames.topic_words(each[1], language) for each in (before, feeling))
        shared = [word for stem, word in liked.items() if stem in now and stem not in clause_values.WEAK]
        if shared and not _is_of_another(older.text, shared[0]):
            yield _update(newer, older, shared[0], newer.text, "says the opposite of")


def names_placed(text: str) -> list[str]:
    """The names that a sentence says to be where something is."""
    return _matched(_PLACED, text)


def names_said(text: str) -> list[str]:
    """The name that a sentence begins with, where it tells something of it."""
    found = _NAME.match(text)
    told = found is not None and _TOLD.match(text, found.end()) is not None
    return [found[0]] if found and told and not _DAYS.fullmatch(found[0].split()[0]) else []


@lru_cache(maxsize=4_000)
def _matched(pattern: re.Pattern[str], text: str) -> list[str]:
    names = [found["name"].rstrip(".,") for found in pattern.finditer(text)]
    return [each for each in names if not any(map(_DAYS.fullmatch, each.split()))]


def _names(text: str, *, first: bool = False) -> list[str]:
    """The names of a sentence; the word it begins with may be any, unless `first` ones count."""
    found = [each for each in _NAME.finditer(text) if not _DAYS.fullmatch(each[0].split()[0])]
    return [each[0].rstrip(".,") for each in found if (each.start() or first) and not cues.is_corrected(each[0])]


def _named(text: str, word: str) -> str:
    """The whole name that a word is part of."""
    return next((each for each in _names(text) if word in each.split()), word)


def _update(newer: StatedSentence, older: StatedSentence, value: str, new_value: str, why: str) -> Update:
    return Update(
        quote=older.quote,
        newer_quote=newer.quote,
        value=value[:MAX_VALUE],
        new_value=new_value[:MAX_VALUE],
        because=f"{shown(newer.text)} {why} {shown(older.text)}.",
        gentle=True,
    )
